//! What belongs to each kernel, found in one walk over the explanation: its edges, its operations in the graphs.

use super::super::{Decision, Edge, Explanation, Graph};
use rustc_hash::FxHashMap;

/// Of an instruction that many kernels compute, edges are told in the first of them.
const HOLDERS: usize = 64;

pub struct Index<'e> {
    e: &'e Explanation,
    /// For each kernel the edges that have an end in it, in order.
    edges: Vec<Vec<&'e Decision>>,
    /// For each kernel its nodes in each graph of operations: (graph, node), in order.
    nodes: Vec<Vec<(usize, usize)>>,
    /// For each graph and node the edges that lead to it.
    incoming: Vec<Vec<Vec<usize>>>,
}

impl<'e> Index<'e> {
    pub fn of(e: &'e Explanation) -> Index<'e> {
        let mut holders: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (k, kernel) in e.kernels.iter().enumerate() {
            for i in &kernel.instructions {
                let of = holders.entry(&i.name).or_default();
                if of.len() < HOLDERS && of.last() != Some(&k) {
                    of.push(k);
                }
            }
        }
        let mut edges: Vec<Vec<&Decision>> = vec![Vec::new(); e.kernels.len()];
        for d in &e.decisions {
            for end in [&d.producer, &d.consumer] {
                for &k in holders.get(end.as_str()).into_iter().flatten() {
                    if edges[k].last().is_none_or(|&last| !std::ptr::eq(last, d)) {
                        edges[k].push(d);
                    }
                }
            }
        }
        let mut nodes = vec![Vec::new(); e.kernels.len()];
        let mut incoming = Vec::new();
        for (g, graph) in e.before.iter().enumerate() {
            for (n, node) in graph.nodes.iter().enumerate() {
                for &k in &node.kernels {
                    if let Some(of) = nodes.get_mut(k) {
                        of.push((g, n));
                    }
                }
            }
            let mut to = vec![Vec::new(); graph.nodes.len()];
            graph.edges.iter().enumerate().for_each(|(i, edge)| to[edge.to].push(i));
            incoming.push(to);
        }
        Index { e, edges, nodes, incoming }
    }

    pub fn edges(&self, kernel: usize) -> &[&'e Decision] {
        &self.edges[kernel]
    }

    /// The operations of a kernel with what they read, one graph for each computation; without those of more than `most`
    /// nodes.
    pub fn inside(&self, kernel: usize, most: usize) -> Vec<Graph> {
        let own = &self.nodes[kernel];
        own.chunk_by(|a, b| a.0 == b.0).filter_map(|own| self.part(own, most)).collect()
    }

    fn part(&self, own: &[(usize, usize)], most: usize) -> Option<Graph> {
        let g = own.first()?.0;
        let graph = &self.e.before[g];
        if own.len() > most {
            return None;
        }
        let mut edges: Vec<usize> =
            own.iter().flat_map(|&(_, n)| self.incoming[g][n].iter().copied()).collect();
        edges.sort_unstable();
        let sources = edges.iter().map(|&i| graph.edges[i].from);
        let mut all: Vec<usize> = own.iter().map(|&(_, n)| n).chain(sources).collect();
        all.sort_unstable();
        all.dedup();
        if all.len() > most {
            return None;
        }
        let at = |node: usize| all.binary_search(&node).ok();
        let edges = edges.iter().filter_map(|&i| {
            let edge = graph.edges[i];
            Some(Edge { from: at(edge.from)?, to: at(edge.to)?, ..edge })
        });
        Some(Graph {
            title: graph.title.clone(),
            edges: edges.collect(),
            nodes: all.iter().map(|&n| graph.nodes[n].clone()).collect(),
        })
    }
}
