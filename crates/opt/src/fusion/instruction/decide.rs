//! The verdict on each edge, as the report has it.

use super::NAME;
use super::draft::View;
use super::grow::Growth;
use crate::fusion::role::Role;
use crate::report::Decision;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, InstrId, Opcode};
use lawson_kernel::refusal::Refusal;
use rustc_hash::FxHashSet;

/// One decision for each edge between two instructions of which at least one is computed by a kernel, or
/// both by routines. Renames and tuples between kernels are seen through.
pub fn decisions(cx: View<'_>, g: &Growth) -> Vec<Decision> {
    let mut out = Vec::new();
    let mut written: Vec<bool> = g.in_memory.clone();
    for (consumer, instr) in cx.comp.iter() {
        let mut seen = FxHashSet::default();
        for &operand in &instr.operands {
            let producer = origin_of(cx, g, operand);
            if !seen.insert(producer) {
                continue;
            }
            let Some(verdict) = verdict(cx, g, operand, producer, consumer) else { continue };
            // The write is saved once, by the first edge.
            let write = !std::mem::replace(&mut written[producer.index()], true);
            out.push(decision(cx, producer, consumer, verdict, write));
        }
    }
    out
}

/// The instruction that makes a value, through what costs nothing.
fn origin_of(cx: View<'_>, g: &Growth, mut id: InstrId) -> InstrId {
    loop {
        let instr = &cx.comp[id];
        let free = match cx.roles[id.index()] {
            Role::Rename => g.in_memory[id.index()],
            _ => instr.opcode == Opcode::GetTupleElement,
        };
        if !free {
            return id;
        }
        let whole = instr.operands[0];
        // An element of a tuple that is put together here.
        id = match (cx.comp[whole].opcode, &instr.attrs) {
            (Opcode::Tuple, Attrs::TupleIndex(n)) => cx.comp[whole].operands[*n],
            _ => whole,
        };
    }
}

/// `None` where there is no edge to decide on; `Some(None)` is fused.
fn verdict(
    cx: View<'_>,
    g: &Growth,
    operand: InstrId,
    producer: InstrId,
    consumer: InstrId,
) -> Option<Option<Refusal>> {
    let (from, to) = (&cx.roles[producer.index()], &cx.roles[consumer.index()]);
    let is_routine = |id: InstrId| cx.comp[id].opcode.class() == Class::Library;
    match (from, to) {
        (Role::Code | Role::Outside, _) | (_, Role::Code | Role::Outside) => None,
        // Around a loop kernel loop fusion has decided.
        _ if [producer, consumer].iter().any(|&id| cx.comp[id].opcode == Opcode::Fusion) => None,
        (Role::Host(refusal), to) if to.is_kernel() => {
            (!g.homes[consumer.index()].is_empty()).then(|| Some(refusal.clone()))
        }
        (from, Role::Host(refusal)) if from.is_kernel() => Some(Some(refusal.clone())),
        // Routines are launched too, from one to the next.
        (Role::Host(refusal), Role::Host(_)) if is_routine(producer) && is_routine(consumer) => {
            Some(Some(refusal.clone()))
        }
        (Role::Host(_), _) | (_, Role::Host(_)) => None,
        _ => {
            let homes = &g.homes[consumer.index()];
            // Dead, or a rename between kernels.
            if homes.is_empty() {
                return None;
            }
            let missing = homes.iter().find(|h| !g.homes[operand.index()].contains(h));
            Some(missing.map(|&d| refusal(cx, g, operand, producer, d)))
        }
    }
}

/// Why a draft reads a value from memory: the reason is where it leaves the chain of renames.
fn refusal(cx: View<'_>, g: &Growth, operand: InstrId, producer: InstrId, draft: u32) -> Refusal {
    let opcode = cx.comp[producer].opcode;
    if cx.comp[producer].shape.as_array().is_none() {
        return Refusal::SeveralResults { opcode };
    }
    let mut id = operand;
    loop {
        if let Some(refusal) = g.refusals.get(&(id, draft)) {
            return refusal.clone();
        }
        match cx.comp[id].operands.first() {
            Some(&next) if id != producer => id = next,
            _ => return Refusal::NotInPlace { opcode },
        }
    }
}

fn decision(
    cx: View<'_>,
    producer: InstrId,
    consumer: InstrId,
    refusal: Option<Refusal>,
    write: bool,
) -> Decision {
    let mut decision = Decision::on_edge(NAME, cx.comp, producer, consumer);
    match refusal {
        None => decision.fuse(NAME, write),
        Some(refusal) => decision.refuse(NAME, refusal),
    }
    decision
}
