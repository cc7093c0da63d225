//! The choice for one group as a minimum cut.
//!
//! Each value is two nodes with an edge of what saving it costs: to write it and to read it again. The source leads to
//! each value with an edge of what it costs to compute it again in every kernel that needs it; what a value is made of
//! leads to it with an edge that is never cut, since who computes it again needs that. So a value stands whole on
//! the side of the source (the backward half does not need it), or is cut in between (saved), or stands whole on the side of the
//! sink (computed again).

use super::bits::{self, Packing};
use super::cut::{Network, UNCUTTABLE};
use super::graph::{Graph, ValueId};
use super::groups::{Group, is_repeatable, operations};
use crate::pass::PassContext;
use lawson_hlo::DType;
use lawson_kernel::cost::bytes_us;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a cut says.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Choice {
    pub saved: FxHashSet<ValueId>,
    pub again: FxHashSet<ValueId>,
    /// Of what is saved, masks that are saved as bits, with these.
    pub bits: BTreeMap<ValueId, ValueId>,
    /// Of what is computed again, values that are computed in another way, with the values of that way.
    pub instead: BTreeMap<ValueId, ValueId>,
}

/// The least costly choice for a group. `in_use` are the bytes that are in use when most are: residuals wait that long; they
/// count `thrift` times what it takes to move them. Masks are saved as bits where
/// `packing` says how; with `rewrite` values are computed of what is available anyhow.
pub fn choose(
    cx: &PassContext,
    graph: &Graph<'_>,
    group: &Group,
    (in_use, thrift): (i64, i64),
    (packing, rewrite): (Option<Packing>, bool),
) -> Choice {
    let target = &cx.options.target;
    let mut network = Network::new();
    let nodes: FxHashMap<ValueId, (u32, u32)> =
        group.values.iter().map(|&(v, _)| (v, (network.node(), network.node()))).collect();
    let ps = |us: f64| (us * 1e6).min((UNCUTTABLE >> 16) as f64) as i64;
    for &(v, kernels) in &group.values {
        let (inner, outer) = nodes[&v];
        let dtype = graph.instr(v).shape.as_array().map_or(DType::F32, |s| s.dtype);
        // A result is written and kept in any case.
        let kept = graph.kept.contains(&v);
        let times = kernels.count_ones() as i64 + !kept as i64;
        let thrift = if kept { 1 } else { thrift };
        let bytes = packing.and_then(|p| bits::bytes(graph.instr(v), p)).unwrap_or(graph.bytes(v));
        let moved = ps(bytes_us(bytes * times, in_use, target)) * thrift;
        network.edge(inner, outer, moved.max(1));
        if !is_repeatable(graph, v) {
            network.edge(Network::SOURCE, inner, UNCUTTABLE);
            continue;
        }
        let weight = target.rates.weight(graph.opcode(v), dtype).max(0) * operations(graph, v);
        let work = graph.elements(v) as f64 * weight as f64 * kernels.count_ones() as f64;
        network.edge(Network::SOURCE, inner, ps(work / target.gops / 1e3));
        let source = graph.rewritten.get(&v).copied().filter(|_| rewrite).unwrap_or(v);
        for &o in &graph.value(source).operands {
            if let Some(&(_, from)) = nodes.get(&o) {
                network.edge(from, inner, UNCUTTABLE);
            }
        }
    }
    for need in &group.needs {
        network.edge(nodes[need].1, Network::SINK, UNCUTTABLE);
    }
    let source = network.cut();
    let mut choice = Choice::default();
    for &(v, _) in &group.values {
        let (inner, outer) = nodes[&v];
        match (source[inner as usize], source[outer as usize]) {
            (true, false) => drop(choice.saved.insert(v)),
            (false, _) => {
                choice.again.insert(v);
                let other = graph.rewritten.get(&v).copied().filter(|_| rewrite);
                choice.instead.extend(other.map(|other| (v, other)));
            }
            (true, true) => {}
        }
    }
    choice
}
