//! The verdict on each edge of a loop, as the report has it.

use super::NAME;
use super::group::Group;
use crate::fusion::role::{Role, role};
use crate::report::Decision;
use lawson_hlo::{Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::known_trips;

/// One decision for each edge that a loop kernel keeps to itself: in the body and the condition, before and after the loop,
/// and between loops.
pub fn fused(module: &Module, comp: &Computation, group: &Group) -> Vec<Decision> {
    let mut out = edges(comp, |id| group.members.contains(&id), 1);
    for (n, &at) in group.loops.iter().enumerate() {
        let trips = known_trips(&comp[at]).unwrap_or(1).max(0);
        out.extend(ends(comp, group, at));
        trip(module, &comp[at], trips, &mut out);
        for &before in &group.loops[..n] {
            let (elements, bytes) = passed(comp, before, at);
            if !elements.is_empty() {
                let mut decision = Decision::on_edge(NAME, comp, before, at);
                decision.bytes = bytes;
                out.push(saved(decision, elements.iter().all(|e| !group.outputs.contains(e)), 1));
            }
        }
    }
    out
}

/// The elements of the result of a loop that another one starts with, and their bytes.
pub fn passed(comp: &Computation, from: InstrId, to: InstrId) -> (Vec<InstrId>, i64) {
    let state = comp[comp[to].operands[0]].operands.iter().copied();
    let elements: Vec<InstrId> = state.filter(|o| comp[*o].operands.first() == Some(&from)).collect();
    let bytes = elements.iter().flat_map(|o| comp[*o].shape.leaves()).map(|l| l.bytes()).sum();
    (elements, bytes)
}

/// The edges in condition and body of a loop of so many trips in all, and those to and from loops within it.
fn trip(module: &Module, instr: &Instruction, trips: i64, out: &mut Vec<Decision>) {
    for called in instr.attrs.called() {
        let comp = &module[called];
        out.extend(edges(comp, |_| true, trips));
        for (at, inner) in comp.iter().filter(|(_, i)| i.opcode == Opcode::While) {
            let state = &comp[comp[at].operands[0]].operands;
            let results = comp.iter().filter(|(_, i)| i.operands.first() == Some(&at)).map(|(id, _)| id);
            let users = results.flat_map(|r| comp.iter().filter(move |(_, i)| i.operands.contains(&r)));
            let kernel = |id: &InstrId| role(comp, *id, false).is_kernel();
            let into = state.iter().filter(|id| kernel(id)).map(|&id| (id, at));
            let mut ends: Vec<(InstrId, InstrId)> = into.collect();
            ends.extend(users.map(|(id, _)| (at, id)).filter(|(_, id)| kernel(id)));
            ends.sort_unstable();
            ends.dedup();
            for (producer, consumer) in ends {
                out.push(saved(Decision::on_edge(NAME, comp, producer, consumer), true, trips));
            }
            let inside = trips.saturating_mul(known_trips(inner).unwrap_or(1).max(0));
            trip(module, inner, inside, out);
        }
    }
}

/// The edges from initial values to the loop, and from the loop to what uses its results.
fn ends(comp: &Computation, group: &Group, at: InstrId) -> Vec<Decision> {
    let inside = |id: &InstrId| group.members.contains(id) && role(comp, *id, false).is_kernel();
    let mut out: Vec<Decision> = Vec::new();
    let state = &comp[comp[at].operands[0]];
    for &producer in state.operands.iter().filter(|o| inside(o)) {
        if !out.iter().any(|d| d.producer == comp[producer].name) {
            out.push(saved(Decision::on_edge(NAME, comp, producer, at), true, 1));
        }
    }
    let mut written = Vec::new();
    for (consumer, instr) in comp.iter().filter(|(id, _)| *id > at && inside(id)) {
        let read = |o: &&InstrId| comp[**o].operands.first() == Some(&at);
        if let Some(&element) = instr.operands.iter().find(read) {
            let mut decision = Decision::on_edge(NAME, comp, at, consumer);
            decision.bytes = comp[element].shape.leaves().iter().map(|l| l.bytes()).sum();
            // Others may still need it in memory.
            let write = !written.contains(&element) && !group.outputs.contains(&element);
            written.push(element);
            out.push(saved(decision, write, 1));
        }
    }
    out
}

/// An edge that is fused, in each of so many trips.
fn saved(mut decision: Decision, write: bool, trips: i64) -> Decision {
    decision.fuse(NAME, write);
    decision.bytes_saved_formula = decision.bytes_saved_formula.saturating_mul(trips);
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
            // The write is saved once, by the first edge.
            let write = !std::mem::replace(&mut written[producer.index()], true);
            out.push(saved(Decision::on_edge(NAME, comp, producer, consumer), write, trips));
        }
    }
    out
}

/// The verdicts on the edges between a loop kernel and kernels that are no part of it.
pub fn around(comp: &Computation, group: &Group, all: &[Group]) -> Vec<Decision> {
    let mut out: Vec<Decision> = Vec::new();
    let apart = |id: InstrId| {
        let kernel = role(comp, id, false).is_kernel();
        kernel && !all.iter().any(|g| g.members.contains(&id))
    };
    let mut refuse = |producer, consumer, refusal| {
        let mut decision = Decision::on_edge(NAME, comp, producer, consumer);
        let same = |d: &Decision| (&d.producer, &d.consumer) == (&decision.producer, &decision.consumer);
        if !out.iter().any(same) {
            decision.refuse(NAME, refusal);
            out.push(decision);
        }
    };
    let users = comp.users();
    let reads = group.members.iter().flat_map(|m| &comp[*m].operands);
    for &operand in reads.filter(|o| !group.members.contains(o)) {
        let producer = made(comp, operand);
        if !apart(producer) {
            continue;
        }
        let opcode = comp[producer].opcode;
        let tried = group.refused.iter().find(|(id, _)| *id == producer || *id == operand);
        let refusal = match tried {
            Some((_, refusal)) => refusal.clone(),
            None if role(comp, producer, false) == Role::Hero => Refusal::NotStaged { opcode },
            None => Refusal::Recomputes { opcode, users: users[producer.index()].len() },
        };
        refuse(producer, group.at, refusal);
    }
    for (consumer, instr) in comp.iter().filter(|(id, _)| apart(*id)) {
        let of_loop = |o: InstrId| {
            let maker = made(comp, o);
            comp[maker].opcode == Opcode::GetTupleElement && group.loops.contains(&comp[maker].operands[0])
        };
        if instr.operands.iter().any(|&o| of_loop(o)) {
            let refusal = match role(comp, consumer, false) {
                Role::Hero => Refusal::NotStaged { opcode: instr.opcode },
                _ => Refusal::NotInPlace { opcode: Opcode::While },
            };
            refuse(group.at, consumer, refusal);
        }
    }
    out
}

/// The instruction that makes a value, through what only renames it.
fn made(comp: &Computation, mut id: InstrId) -> InstrId {
    while role(comp, id, false) == Role::Rename {
        id = comp[id].operands[0];
    }
    id
}

/// The verdict on a loop that stays on the host: the edge from what its body makes to it.
pub fn kept(module: &Module, comp: &Computation, at: InstrId, refusal: Refusal) -> Decision {
    let mut decision = Decision::on_edge(NAME, comp, at, at);
    if let Some(body) = comp[at].attrs.called().last() {
        let root = module[*body].root();
        (decision.producer, decision.origins[0]) = (root.name.clone(), root.origin.clone());
    }
    decision.refuse(NAME, refusal);
    decision
}
