//! Moves work out of loops: what a body computes from elements of the state that never change is computed once,
//! before the loop, and carried along.
//!
//! ```text
//! body { p = (s32[], f32[8]) parameter(0)            e = f32[8] exponential(x)
//!        x = f32[8] get-tuple-element(p), …    →     t.1 = (s32[], f32[8], f32[8]) tuple(i, x, e)
//!        e = f32[8] exponential(x)                   body.1 { p = (s32[], f32[8], f32[8]) parameter(0)
//!        … }                                                  e = f32[8] get-tuple-element(p), …
//! w = (s32[], f32[8]) while(t), body=body            w = (s32[], f32[8], f32[8]) while(t.1), body=body.1
//! ```
//!
//! Only what is expensive moves: a cheap operation costs less where it is used than an array more to carry. What
//! is larger than all it is made of stays too.

use super::carry::{Lighter, carry, read_by_element, with_values_before};
use super::{element_read, is_invariant, is_worth_turning, may_move, next_values, parts};
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::rates;
use lawson_kernel::region::build::is_hero;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, comp, _| {
        let loops: Vec<Option<Lighter>> = comp.instrs.iter().map(|i| lighten(cx, new, i)).collect();
        if loops.iter().all(Option::is_none) {
            return (comp, false);
        }
        (with_values_before(new.module, &comp, &loops), true)
    });
    changed.into()
}

fn lighten(cx: &mut PassContext, new: &mut Rebuild<'_>, instr: &Instruction) -> Option<Lighter> {
    let (condition, old) = parts(instr)?;
    if !read_by_element(&new.module[condition]) || !read_by_element(&new.module[old]) {
        return None;
    }
    let moved = movable(new.module, old)?;
    if moved.is_empty() || !cx.fuel("loop-invariants") {
        return None;
    }
    carry(new, instr, moved)
}

/// The expensive instructions that are the same on every trip, and are not part of another such.
fn movable(module: &Module, body: CompId) -> Option<Vec<InstrId>> {
    next_values(module, body)?;
    let comp = &module[body];
    let mut invariant = vec![false; comp.instrs.len()];
    let mut dear = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter() {
        let operands = &instr.operands;
        invariant[id.index()] = match element_read(comp, id) {
            Some(n) => is_invariant(module, body, n),
            None => may_move(instr) && operands.iter().all(|o| invariant[o.index()]),
        };
        dear[id.index()] = is_dear(instr) || operands.iter().any(|o| dear[o.index()] && invariant[o.index()]);
    }
    let users = comp.users();
    let moves = |id: InstrId, instr: &Instruction| {
        let i = id.index();
        let needed = users[i].iter().any(|u| !invariant[u.index()]);
        invariant[i] && dear[i] && needed && instr.shape.as_array().is_some() && !grows(comp, instr)
    };
    Some(comp.iter().filter(|&(id, instr)| moves(id, instr)).map(|(id, _)| id).collect())
}

fn is_dear(instr: &Instruction) -> bool {
    let hero = is_hero(instr.opcode) && instr.opcode != Opcode::DynamicUpdateSlice;
    let turned = || match instr.shape.as_array() {
        Some(a) if a.rank() == 2 => is_worth_turning(a.dims[0], a.dims[1], a.bytes()),
        _ => false,
    };
    hero || instr.opcode == Opcode::Transpose && turned() || rates::is_expensive(instr)
}

/// Whether the value is larger than all that it is made of: carrying it would cost more memory than it saves.
fn grows(comp: &Computation, instr: &Instruction) -> bool {
    const SMALL: i64 = 1024;
    let bytes = |i: &Instruction| i.shape.leaves().iter().map(|l| l.bytes()).sum::<i64>();
    // What a kernel makes for itself is not memory.
    let stored = |o: &InstrId| match comp[*o].opcode {
        Opcode::Iota => 0,
        Opcode::Broadcast => bytes(comp.operand(&comp[*o], 0)),
        _ => bytes(&comp[*o]),
    };
    bytes(instr) > instr.operands.iter().map(stored).sum::<i64>().max(SMALL)
}
