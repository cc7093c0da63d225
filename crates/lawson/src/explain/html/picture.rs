//! Graphs as SVG.

use super::super::layout::{Placed, Size, place};
use super::super::text::time;
use super::super::{Explanation, Graph, Node, NodeKind};
use super::{escaped, hue, moved};
use crate::memory::human;
use std::fmt::Write;

const KERNEL: Size = Size { width: 252.0, height: 78.0 };
const OPERATION: Size = Size { width: 172.0, height: 40.0 };
const VALUE: Size = Size { width: 152.0, height: 38.0 };

/// A wide picture shrinks to this and scrolls beyond.
const SHRINKS: f64 = 0.6;

/// Around a picture.
const MARGIN: f64 = 14.0;

/// A graph of kernels: boxes with bytes and time.
pub fn kernels(e: &Explanation, graph: &Graph) -> String {
    let size = |n: &Node| if n.kind == NodeKind::Kernel { KERNEL } else { VALUE };
    draw(graph, size, |node| match node.kernels.first() {
        Some(&k) if k < e.kernels.len() => kernel(e, k),
        _ => small(node),
    })
}

/// A graph of operations, coloured by kernel.
pub fn operations(graph: &Graph) -> String {
    let size = |n: &Node| if n.kind == NodeKind::Kernel { OPERATION } else { VALUE };
    draw(graph, size, small)
}

fn draw(graph: &Graph, size: impl Fn(&Node) -> Size, content: impl Fn(&Node) -> String) -> String {
    let sizes: Vec<Size> = graph.nodes.iter().map(size).collect();
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|e| (e.from, e.to)).collect();
    let placed = place(&sizes, &ends);
    let (width, height) = (placed.width + 2.0 * MARGIN, placed.height + 2.0 * MARGIN);
    let mut out = format!(
        "<svg viewBox=\"{0:.0} {0:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         style=\"min-width:{least:.0}px\" role=\"group\" aria-label=\"{title}\">\n",
        -MARGIN,
        title = escaped(&graph.title),
        least = width * SHRINKS,
    );
    out += &lines(graph, &placed);
    for (node, &(x, y)) in graph.nodes.iter().zip(&placed.nodes) {
        let _ = writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">{}</g>", content(node));
    }
    out + "</svg>"
}

fn lines(graph: &Graph, placed: &Placed) -> String {
    let mut out = String::new();
    for (edge, points) in graph.edges.iter().zip(&placed.edges) {
        let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
        let fused = from.kernels.iter().any(|k| to.kernels.contains(k));
        let class = if fused { "line fused" } else { "line" };
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x, y), (u, v)) = (pair[0], pair[1]);
            let middle = (y + v) / 2.0;
            match (x - u).abs() < 0.5 {
                true => path += &format!("L{u:.1} {v:.1}"),
                false => path += &format!("C{x:.1} {middle:.1} {u:.1} {middle:.1} {u:.1} {v:.1}"),
            }
        }
        let told = format!("{} → {}: {}", from.name, to.name, human(edge.bytes));
        let _ =
            writeln!(out, "<path class=\"{class}\" d=\"{path}\"><title>{}</title></path>", escaped(&told));
    }
    out
}

/// A box that can be chosen: what it is, its bytes, its time against the roofline.
fn kernel(e: &Explanation, k: usize) -> String {
    let kernel = &e.kernels[k];
    let count = kernel.instructions.len();
    let operations = if count == 1 { "1 operation".into() } else { format!("{count} operations") };
    let launches = match kernel.launches {
        Some(1) => String::new(),
        Some(n) => format!(" · ×{n}"),
        None => " · ×?".into(),
    };
    let predicted = time(kernel.predicted_us);
    let clock = match kernel.measured_us {
        Some(us) => format!("{predicted}, measured {}", time(us)),
        None => predicted.clone(),
    };
    let label = format!("kernel {k}, {}, {operations}, {} moved, {clock}", kernel.category, moved(kernel));
    let inner = KERNEL.width - 24.0;
    let share = share(kernel.memory_us, kernel);
    let work = share_of_work(kernel);
    format!(
        "<g class=\"node kernel\" data-kernel=\"{k}\" tabindex=\"0\" role=\"button\" aria-pressed=\"false\" \
         aria-controls=\"kernel-{k}\" aria-label=\"{label}\" style=\"--hue:{hue}\"><title>{name}</title>\
         <rect width=\"{w}\" height=\"{h}\" rx=\"8\"/>\
         <text class=\"head\" x=\"12\" y=\"19\">{head}</text>\
         <text x=\"12\" y=\"36\">{operations}{launches}</text>\
         <text x=\"12\" y=\"52\">{moved} · {clock}</text>\
         <rect class=\"track\" x=\"12\" y=\"61\" width=\"{inner}\" height=\"4\"/>\
         <rect class=\"memory\" x=\"12\" y=\"61\" width=\"{share:.1}\" height=\"4\"/>\
         <rect class=\"track\" x=\"12\" y=\"67\" width=\"{inner}\" height=\"4\"/>\
         <rect class=\"work\" x=\"12\" y=\"67\" width=\"{work:.1}\" height=\"4\"/></g>",
        label = escaped(&label),
        hue = hue(k),
        name = escaped(&kernel.name),
        w = KERNEL.width,
        h = KERNEL.height,
        head = escaped(&cut(&format!("{k} · {}", kernel.category), 34)),
        moved = moved(kernel),
        share = share * inner,
        work = work * inner,
    )
}

/// How much of its expected time a kernel moves bytes.
fn share(us: f64, kernel: &super::super::Kernel) -> f64 {
    (us / kernel.predicted_us.max(1e-9)).clamp(0.0, 1.0)
}

fn share_of_work(kernel: &super::super::Kernel) -> f64 {
    share(kernel.work_us, kernel)
}

/// A box for anything but a kernel: a name and a shape.
fn small(node: &Node) -> String {
    let (class, size) = match node.kind {
        NodeKind::Kernel => ("operation", OPERATION),
        NodeKind::Host => ("host", VALUE),
        NodeKind::Parameter | NodeKind::Constant | NodeKind::Result => ("value", VALUE),
    };
    let chosen = match node.kernels.first() {
        Some(k) => format!(" data-kernel=\"{k}\" style=\"--hue:{}\"", hue(*k)),
        None => String::new(),
    };
    let second = match node.kind {
        NodeKind::Kernel | NodeKind::Host => format!("{} {}", node.opcode, node.shape),
        _ => node.shape.clone(),
    };
    let room = ((size.width - 14.0) / 6.3) as usize;
    format!(
        "<g class=\"node {class}\"{chosen}><title>{}</title><rect width=\"{}\" height=\"{}\" rx=\"5\"/>\
         <text class=\"head\" x=\"8\" y=\"16\">{}</text><text x=\"8\" y=\"31\">{}</text></g>",
        escaped(&format!("{} = {} {}", node.name, node.opcode, node.shape)),
        size.width,
        size.height,
        escaped(&cut(&node.name, room)),
        escaped(&cut(&second, room)),
    )
}

/// The beginning of a text that is too long.
fn cut(text: &str, room: usize) -> String {
    match text.chars().count() <= room {
        true => text.to_owned(),
        false => text.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}
