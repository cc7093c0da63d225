//! What of a loop's body is the same in every trip and belongs in front of the loop: what varies there, and what is expensive.
//!
//! ```text
//! body: x + broadcast(k)   →   b = broadcast(k) in front; body: x + b
//! ```
//!
//! The loop then sums the cotangents of `b` element by element, and the sum over elements that is the transpose of the
//! broadcast is taken once, behind the loop: the gradient of a loop that works lane by lane works lane by lane. The value of
//! what only spreads fewer elements over more is made again inside, where that costs no bytes.

use super::activity::leaf_count;
use super::flat::Flat;
use super::save;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

/// What is taken out of a body.
pub(super) struct Hoisted {
    /// Of each instruction, whether it is taken out.
    pub moved: Vec<bool>,
    /// Values to make in front of the loop, operands before users: those, and what they are made of, parameters of the
    /// body among them.
    pub outside: Vec<InstrId>,
    /// Those whose tangents the body takes from outside.
    pub tangents: Vec<InstrId>,
    /// Those whose values the body takes from outside.
    pub values: Vec<InstrId>,
    /// Of each instruction, whether it is taken out and made again in the body all the same.
    pub inside: Vec<bool>,
}

/// What of a body to make in front of its loop: `invariant` says which parameters are the same in every trip, `varies` which
/// instructions have a tangent.
pub(super) fn hoisted(body: &Flat, invariant: &[bool], varies: &[Vec<bool>]) -> Hoisted {
    let comp = &body.comp;
    let mut same = vec![false; comp.instrs.len()];
    let mut moved = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter() {
        same[id.index()] = match instr.attrs {
            Attrs::Parameter(n) => invariant[n],
            _ => is_pure(instr) && instr.operands.iter().all(|o| same[o.index()]),
        };
        let varying = varies[id.index()].contains(&true);
        let worth = varying || save::is_expensive(comp, instr);
        let computed = instr.opcode != Opcode::Parameter && instr.shape.as_array().is_some();
        moved[id.index()] = same[id.index()] && worth && computed && leaf_count(&instr.shape) == 1;
    }
    let mut tangents = Vec::new();
    let mut is_read = vec![false; comp.instrs.len()];
    for (_, instr) in comp.iter().filter(|(id, _)| !moved[id.index()]) {
        instr.operands.iter().filter(|o| moved[o.index()]).for_each(|o| is_read[o.index()] = true);
    }
    let mut wanted = vec![false; comp.instrs.len()];
    let mut value = vec![false; comp.instrs.len()];
    let mut inside = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter().filter(|(id, _)| is_read[id.index()]) {
        wanted[id.index()] = true;
        if varies[id.index()].contains(&true) {
            tangents.push(id);
        }
        let base = base(body, &moved, id);
        let elements = |i: &Instruction| i.shape.expect_array().elements();
        if elements(instr) > elements(&comp[base]) {
            let mut at = id;
            while at != base {
                inside[at.index()] = true;
                at = comp[at].operands[0];
            }
            value[base.index()] |= moved[base.index()];
        } else {
            value[id.index()] = true;
        }
    }
    for (id, instr) in comp.iter().rev() {
        wanted[id.index()] |= value[id.index()];
        if wanted[id.index()] {
            instr.operands.iter().for_each(|o| wanted[o.index()] = true);
        }
    }
    let those = |flags: &[bool]| comp.iter().map(|(id, _)| id).filter(|id| flags[id.index()]).collect();
    Hoisted { outside: those(&wanted), tangents, values: those(&value), inside, moved }
}

/// What a chain of operations that move or spread elements begins with.
fn base(body: &Flat, moved: &[bool], id: InstrId) -> InstrId {
    use Opcode::*;
    let instr = &body.comp[id];
    match instr.opcode {
        Broadcast | Reshape | Transpose | Convert | Copy | Negate if moved[id.index()] => {
            base(body, moved, instr.operands[0])
        }
        _ => id,
    }
}

/// Whether it gives the same wherever and however often it is done.
fn is_pure(instr: &Instruction) -> bool {
    use Opcode::*;
    !matches!(instr.opcode, Rng | RngBitGenerator | RngGetAndUpdateState | CustomCall)
        && !instr.has_side_effect()
        && instr.shape.leaves().len() == leaf_count(&instr.shape)
}
