//! Loads of a loop that are brought near some trips ahead.
//!
//! A scan reads one row of an array in each trip. Where rows are long, each lies in another page, which hardware
//! does not foresee; the address of a later trip is known as soon as it rests on counters alone.

use super::Axes;
use crate::region::{Carried, LoopStage, Nesting, Node, NodeId, Region, Source, symbol_nodes};
use crate::target::LINE;
use lawson_hlo::index::Atom;

/// What is brought near, and how long before it is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefetch {
    pub trips: i64,
    pub loads: Vec<NodeId>,
}

/// Operations that run while a line comes from memory.
const LATENCY: i64 = 2048;
/// More would push each other out of the first-level cache, where rows that are powers of two apart meet.
const MOST_TRIPS: i64 = 8;

/// The loads of loop `n` worth it, where a trip of all lanes in flight costs this many operations.
pub(super) fn prefetch(
    region: &Region,
    (n, loop_stage): (usize, &LoopStage),
    (nesting, varying): (&Nesting, &[bool]),
    axes: &Axes,
    lane: Option<usize>,
    trip: i64,
) -> Prefetch {
    let counter = |id: NodeId, carried: &Carried| {
        let counts = loop_stage.increment(region, id).is_some();
        match varying[id.0 as usize] || carried.last {
            true => None,
            false if carried.of as usize == n => counts.then_some(true),
            // What loops around carry stays while this one runs.
            false => Some(false),
        }
    };
    let is = |id: &NodeId| nesting.innermost(*id) == Some(n) && strides(region, &counter, (axes, lane), *id);
    let loads: Vec<NodeId> = region.reachable(&loop_stage.step_roots()).into_iter().filter(is).collect();
    let trips = match loads.is_empty() {
        true => 0,
        false => (LATENCY / trip.max(1)).clamp(1, MOST_TRIPS),
    };
    Prefetch { trips, loads }
}

/// Whether a load reads neighbouring elements for the lanes, and far ones in the next trip, where `counter` knows of what
/// is carried whether it counts trips; `None` if its next value is not known.
fn strides(
    region: &Region,
    counter: &dyn Fn(NodeId, &Carried) -> Option<bool>,
    (axes, lane): (&Axes, Option<usize>),
    id: NodeId,
) -> bool {
    let Node::Load { source: Source::Input(input), offset, mask: None } = region.node(id) else {
        return false;
    };
    let size = region.inputs[*input as usize].dtype.size() as i64;
    let offset = axes.translate(offset);
    let beside = offset.terms.iter().all(|(atom, k)| match atom {
        Atom::Axis(a) => lane != Some(*a as usize) || *k == 1,
        Atom::Symbol(_) => true,
        Atom::Div(e, _) | Atom::Mod(e, _) => lane.is_none_or(|lane| !e.uses_axis(lane)),
    });
    let far = |(atom, k): &(Atom, i64)| matches!(atom, Atom::Symbol(_)) && k.saturating_abs() * size >= LINE;
    let on = region.reachable(&symbol_nodes(region, &offset));
    let counted = on.iter().all(|&n| match region.node(n) {
        Node::Carry(carried) => counter(n, carried).is_some(),
        Node::Load { .. } => false,
        _ => true,
    });
    let steps = on.iter().any(|&n| match region.node(n) {
        Node::Carry(carried) => counter(n, carried) == Some(true),
        _ => false,
    });
    beside && counted && steps && offset.terms.iter().any(far)
}
