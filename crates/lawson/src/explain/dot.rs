//! The explanation for Graphviz: operations as nodes, kernels as clusters, what flows between kernels in bold.
//!
//! An operation that several kernels compute stands in each of them.

use super::{Explanation, Graph, NodeKind};
use crate::memory::human;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One `digraph`.
pub fn render(e: &Explanation) -> String {
    let mut out = String::from("digraph lawson {\n");
    let name = quoted(&format!("{} · {}", e.module, e.machine));
    let _ = writeln!(out, "  graph [label={name}, labelloc=t, fontname=\"sans-serif\", compound=true];");
    out += "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n";
    out += "  edge [fontname=\"sans-serif\", fontsize=10];\n";
    let mut clusters: BTreeMap<usize, String> = BTreeMap::new();
    let mut rest = String::new();
    for (g, graph) in e.before.iter().enumerate() {
        operations(e, g, graph, &mut clusters, &mut rest);
    }
    for (k, nodes) in &clusters {
        let kernel = &e.kernels[*k];
        let moved = human(kernel.bytes_read + kernel.bytes_written);
        let label = format!("kernel {k} · {} · {moved} · {:.1} µs", kernel.category, kernel.predicted_us);
        let _ = write!(out, "  subgraph cluster_{k} {{\n    label={};\n", quoted(&label));
        out += "    style=\"rounded,filled\"; fillcolor=\"#eef2f7\"; color=\"#5b7083\";\n";
        out += nodes;
        out += "  }\n";
    }
    out + &rest + "}\n"
}

/// The nodes of one computation, sorted into clusters, and its edges.
fn operations(
    e: &Explanation,
    g: usize,
    graph: &Graph,
    clusters: &mut BTreeMap<usize, String>,
    rest: &mut String,
) {
    for (n, node) in graph.nodes.iter().enumerate() {
        let label = quoted(&format!("{}\n{} {}", node.name, node.opcode, node.shape));
        let kernels = kernels_of(e, graph, n);
        for k in &kernels {
            let nodes = clusters.entry(*k).or_default();
            let _ = writeln!(nodes, "    n{g}_{n}_{k} [label={label}];");
        }
        if kernels.is_empty() {
            let fill = if node.kind == NodeKind::Host { "#fde9d9" } else { "#e6e6e6" };
            let _ = writeln!(rest, "  n{g}_{n} [label={label}, fillcolor=\"{fill}\"];");
        }
    }
    let place = |n: usize, k: Option<usize>| match k {
        Some(k) => format!("n{g}_{n}_{k}"),
        None => format!("n{g}_{n}"),
    };
    for edge in &graph.edges {
        let (from, to) = (kernels_of(e, graph, edge.from), kernels_of(e, graph, edge.to));
        let readers: Vec<Option<usize>> =
            if to.is_empty() { vec![None] } else { to.iter().copied().map(Some).collect() };
        for reader in readers {
            let inside = reader.filter(|k| from.contains(k));
            let source = place(edge.from, inside.or(from.first().copied()));
            let style = match inside {
                Some(_) => "color=\"#9aa7b4\"".to_owned(),
                None => format!("penwidth=2, label={}", quoted(&human(edge.bytes))),
            };
            let _ = writeln!(rest, "  {source} -> {} [{style}];", place(edge.to, reader));
        }
    }
}

fn kernels_of(e: &Explanation, graph: &Graph, node: usize) -> BTreeSet<usize> {
    graph.nodes[node].kernels.iter().copied().filter(|&k| k < e.kernels.len()).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn kernels_are_clusters() {
        let dot = render(&example());
        assert!(dot.starts_with("digraph lawson {\n") && dot.ends_with("}\n"));
        let cluster = dot.split("subgraph cluster_0 {").nth(1).and_then(|c| c.split("  }\n").next());
        let cluster = cluster.expect("a cluster");
        assert!(cluster.contains("label=\"kernel 0 · reduction · 32.0 MiB · 710.0 µs\""), "{cluster}");
        assert_eq!(cluster.matches("[label=\"").count(), 3);
        assert!(dot.contains("  n0_0 -> n0_1_0 [penwidth=2, label=\"16.0 MiB\"];"), "{dot}");
        assert!(dot.contains("  n0_1_0 -> n0_2_0 [color="), "{dot}");
        assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    }

    #[test]
    fn labels_are_quoted() {
        assert_eq!(quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
    }
}
