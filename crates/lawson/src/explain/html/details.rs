//! What a chosen kernel shows: its figures, its instructions with their lines, its edges.

use super::super::text::time;
use super::super::{Decision, Explanation, Kernel};
use super::index::Index;
use super::{escaped, hue, picture};
use crate::memory::human;
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Operations a picture beside the graph may have.
const PICTURED: usize = 80;

/// Instructions, and edges of each kind, that are listed.
const MOST: usize = 1000;

/// The details of one kernel; with its operations as a graph where no other picture shows them.
pub fn kernel(e: &Explanation, index: &Index<'_>, k: usize, pictured: bool) -> String {
    let kernel = &e.kernels[k];
    let mut out = format!(
        "<article id=\"kernel-{k}\" style=\"--hue:{}\" hidden>\n<h3>Kernel {k} \
         <span class=\"tag\">{}</span></h3>\n<p class=\"mono\">{}</p>\n",
        hue(k),
        escaped(&kernel.category),
        escaped(&kernel.name)
    );
    out += &figures(kernel);
    out += &instructions(kernel);
    if pictured {
        for part in index.inside(k, PICTURED).iter().filter(|p| !p.edges.is_empty()) {
            let _ = writeln!(out, "<div class=\"scroll\">{}</div>", picture::operations(part));
        }
    }
    let names: FxHashSet<&str> = kernel.instructions.iter().map(|i| &*i.name).collect();
    let holds = |name: &str| names.contains(name);
    let (inside, rim): (Vec<&Decision>, Vec<&Decision>) = index.edges(k).iter().partition(|d| d.fused);
    let inside: Vec<&Decision> =
        inside.into_iter().filter(|d| holds(&d.producer) && holds(&d.consumer)).collect();
    if !rim.is_empty() {
        out += "<h4>Not fused</h4>\n";
        for d in rim.iter().take(MOST) {
            let direction = if holds(&d.consumer) { "reads" } else { "is read by" };
            let other = if holds(&d.consumer) { &d.producer } else { &d.consumer };
            let _ = writeln!(
                out,
                "<p><strong>{direction} <span class=\"mono\">{}</span></strong> <span class=\"tag\">{}</span> {}<br>\
                 <span class=\"cure\">{}</span></p>",
                escaped(other),
                escaped(d.refusal.as_deref().unwrap_or_default()),
                escaped(&d.reason),
                escaped(d.counterfactual.as_deref().unwrap_or_default())
            );
        }
        out += &more("p", rim.len());
    }
    if !inside.is_empty() {
        out += "<h4>Fused inside</h4>\n<ul class=\"edges\">\n";
        for d in inside.iter().take(MOST) {
            let _ = writeln!(
                out,
                "<li><span class=\"mono\">{} → {}</span> saves {}</li>",
                escaped(&d.producer),
                escaped(&d.consumer),
                human(d.bytes_saved)
            );
        }
        out += &more("li", inside.len());
        out += "</ul>\n";
    }
    out + "</article>\n"
}

fn figures(k: &Kernel) -> String {
    let mut rows = vec![
        ("plan", k.plan.clone()),
        ("kind", k.kind.clone()),
        ("read", human(k.bytes_read)),
        ("written", human(k.bytes_written)),
        ("operations", count(k.flops)),
        ("launches", k.launches.map_or("not known before the run".into(), |n| n.to_string())),
        ("phases", k.phases.to_string()),
        ("predicted", time(k.predicted_us)),
        ("to move its bytes", time(k.memory_us)),
        ("to do its work", time(k.work_us)),
        ("live values", k.live.to_string()),
        ("code", format!("{} operations", k.code)),
        ("occupancy", k.occupancy.map_or(String::new(), |o| format!("{:.0} %", 100.0 * o))),
    ];
    if let Some(us) = k.measured_us {
        let roof = k.memory_us.max(k.work_us);
        rows.push((
            "measured",
            format!("{}, {:.0} % of the roofline", time(us), 100.0 * roof / us.max(1e-3)),
        ));
    }
    let mut out = String::from("<dl>\n");
    for (name, value) in rows.iter().filter(|(_, v)| !v.is_empty()) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
    }
    out + "</dl>\n"
}

fn instructions(k: &Kernel) -> String {
    let mut out = String::from("<h4>Instructions</h4>\n<ol class=\"instructions\">\n");
    for i in k.instructions.iter().take(MOST) {
        let text = if i.text.is_empty() { &i.name } else { &i.text };
        let mut from = i.place.clone();
        if let Some(scope) = &i.scope {
            from += &format!(" · {scope}");
        }
        let _ = writeln!(out, "<li><code>{}</code><span>{}</span></li>", escaped(text), escaped(&from));
    }
    out += &more("li", k.instructions.len());
    out + "</ol>\n"
}

/// Says how many of a list are not shown.
fn more(tag: &str, all: usize) -> String {
    match all.checked_sub(MOST) {
        None | Some(0) => String::new(),
        Some(n) => format!("<{tag} class=\"hint\">… and {n} more</{tag}>\n"),
    }
}

/// `12.3 M`.
pub fn count(n: u64) -> String {
    match n as f64 {
        f if f >= 1e9 => format!("{:.1} G", f / 1e9),
        f if f >= 1e6 => format!("{:.1} M", f / 1e6),
        f if f >= 1e4 => format!("{:.1} k", f / 1e3),
        _ => n.to_string(),
    }
}
