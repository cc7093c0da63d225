//! The verdict on each edge of a loop, as the report has it.

use super::NAME;
use super::group::Group;
use crate::fusion::role::{Role, role};
use crate::report::Decision;
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::known_trips;

/// One decision for each edge that a loop kernel keeps in registers: in the body and the condition, before and
/// after the loop.
pub fn fused(module: &Module, comp: &Computation, group: &Group) -> Vec<Decision> {
    let trips = known_trips(&comp[group.at]).unwrap_or(1).max(0);
    let mut out = edges(comp, |id| group.members.contains(&id), 1);
    out.extend(ends(comp, group));
    for called in comp[group.at].attrs.called() {
        out.extend(edges(&module[called], |_| true, trips));
    }
    out
}

/// The edges from initial values to the loop, and from the loop to what uses its results.
fn ends(comp: &Computation, group: &Group) -> Vec<Decision> {
    let inside = |id: &InstrId| group.members.contains(id) && role(comp, *id, false).is_kernel();
    let size = |id: InstrId| comp[id].shape.leaves().iter().map(|l| l.bytes()).sum::<i64>();
    let mut out: Vec<Decision> = Vec::new();
    let state = &comp[comp[group.at].operands[0]];
    for &producer in state.operands.iter().filter(|o| inside(o)) {
        if !out.iter().any(|d| d.producer == comp[producer].name) {
            out.push(saved(
                Decision::on_edge(NAME, comp, producer, group.at),
                2 * size(producer),
                2 * size(producer),
            ));
        }
    }
    for (consumer, instr) in comp.iter().filter(|(id, _)| *id > group.at && inside(id)) {
        let read = |o: &&InstrId| comp[**o].operands.first() == Some(&group.at);
        if let Some(&element) = instr.operands.iter().find(read) {
            out.push(saved(
                Decision::on_edge(NAME, comp, group.at, consumer),
                2 * size(element),
                2 * size(element),
            ));
        }
    }
    out
}

fn saved(mut decision: Decision, bytes: i64, formula: i64) -> Decision {
    decision.fused = true;
    decision.reason = "the value stays in registers".into();
    (decision.bytes_saved, decision.bytes_saved_formula) = (bytes, formula);
    decision
}

fn edges(comp: &Computation, inside: impl Fn(InstrId) -> bool, trips: i64) -> Vec<Decision> {
    let kernel = |id: InstrId| inside(id) && role(comp, id, false).is_kernel();
    let mut out = Vec::new();
    let mut written = vec![false; comp.instrs.len()];
    for (consumer, instr) in comp.iter().filter(|(id, _)| kernel(*id)) {
        let mut seen: Vec<InstrId> = Vec::new();
        for &producer in instr.operands.iter().filter(|&&o| kernel(o)) {
            if seen.contains(&producer) || role(comp, producer, false) == Role::Code {
                continue;
            }
            seen.push(producer);
            let size: i64 = comp[producer].shape.leaves().iter().map(|l| l.bytes()).sum();
            // The write is saved once, by the first edge.
            let write = !std::mem::replace(&mut written[producer.index()], true);
            let bytes = size.saturating_mul(1 + write as i64).saturating_mul(trips);
            out.push(saved(Decision::on_edge(NAME, comp, producer, consumer), bytes, size.saturating_mul(2)));
        }
    }
    out
}

/// The verdict on a loop that stays on the host: the edge from what its body makes to it.
pub fn kept(module: &Module, comp: &Computation, at: InstrId, refusal: Refusal) -> Decision {
    let mut decision = Decision::on_edge(NAME, comp, at, at);
    if let Some(body) = comp[at].attrs.called().last() {
        let root = module[*body].root();
        (decision.producer, decision.origins[0]) = (root.name.clone(), root.origin.clone());
    }
    decision.reason = refusal.to_string();
    decision.counterfactual = format!("would fuse if {}", refusal.would_fuse_if());
    decision.refusal = Some(refusal);
    decision
}
