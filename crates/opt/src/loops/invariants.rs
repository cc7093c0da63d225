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

use super::{element_read, is_invariant, is_worth_turning, may_move, next_values, parts};
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::rates;
use lawson_kernel::region::build::is_hero;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, comp, _| {
        let loops: Vec<Option<Lighter>> = comp.instrs.iter().map(|i| lighten(cx, new, i)).collect();
        if loops.iter().all(Option::is_none) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| {
            let lighter = loops[id.index()].as_ref()?;
            Some(before_and_loop(b, instr, operands[0], lighter))
        })
    });
    changed.into()
}

/// A loop with less to do.
struct Lighter {
    condition: CompId,
    body: CompId,
    /// The body as it was; what is computed before the loop is part of it.
    old: CompId,
    /// Instructions of the old body whose values are carried.
    moved: Vec<InstrId>,
}

fn lighten(cx: &mut PassContext, new: &mut Rebuild<'_>, instr: &Instruction) -> Option<Lighter> {
    let (condition, old) = parts(instr)?;
    let Shape::Tuple(state) = &instr.shape else { return None };
    if !read_by_element(&new.module[condition]) || !read_by_element(&new.module[old]) {
        return None;
    }
    let moved = movable(new.module, old)?;
    if moved.is_empty() || !cx.fuel("loop-invariants") {
        return None;
    }
    let body = &new.module[old];
    let mut shapes = state.clone();
    shapes.extend(moved.iter().map(|m| body[*m].shape.clone()));
    let carried = Shape::Tuple(shapes);
    let light = without(new.module, body, &moved, &carried, state.len());
    let (cond, _) = rewrite(new.module, &new.module[condition], |b, _, i, _| wider(b, i, &carried));
    Some(Lighter { condition: new.add(cond), body: new.add(light), old, moved })
}

/// Whether a computation takes its parameter apart, and does nothing else with it.
fn read_by_element(comp: &Computation) -> bool {
    let param = comp.parameters().first().copied();
    let taken_apart = |i: &Instruction| {
        i.opcode == Opcode::GetTupleElement || !i.operands.iter().any(|o| Some(*o) == param)
    };
    Some(comp.root) != param && comp.instrs.iter().all(taken_apart)
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

/// The body that finds the moved values in its state, which has them behind the `first` elements it had.
fn without(
    module: &Module,
    body: &Computation,
    moved: &[InstrId],
    carried: &Shape,
    first: usize,
) -> Computation {
    let mut state = InstrId(0);
    let (new, _) = rewrite(module, body, |b, id, instr, operands| {
        if instr.opcode == Opcode::Parameter {
            let wide = wider(b, instr, carried)?;
            state = wide;
            return Some(wide);
        }
        if let Some(n) = moved.iter().position(|m| *m == id) {
            return Some(make::element(b, state, first + n));
        }
        (id == body.root).then(|| {
            let mut parts = operands.to_vec();
            parts.extend((0..moved.len()).map(|n| make::element(b, state, first + n)));
            make::tuple(b, &parts)
        })
    });
    new
}

fn wider(b: &mut Builder<'_>, instr: &Instruction, shape: &Shape) -> Option<InstrId> {
    (instr.opcode == Opcode::Parameter).then(|| make::parameter(b, 0, shape.clone()))
}

/// The moved instructions, the loop, and its result without them.
fn before_and_loop(b: &mut Builder<'_>, instr: &Instruction, init: InstrId, lighter: &Lighter) -> InstrId {
    let old = &b.module[lighter.old];
    let mut parts = make::elements(b, init);
    let count = parts.len();
    let values = compute(b, old, &parts, &lighter.moved);
    parts.extend(values);
    let init = make::tuple(b, &parts);
    let attrs = Attrs::While { condition: lighter.condition, body: lighter.body };
    let new = b.add(Opcode::While, &[init], attrs);
    let made = b.get_mut(new);
    made.notes = instr.notes.clone();
    made.map_predecessors(|_| None);
    let results: Vec<InstrId> = (0..count).map(|n| make::element(b, new, n)).collect();
    make::tuple(b, &results)
}

/// Copies what the wanted instructions of a body need; its state is `parts`.
fn compute(b: &mut Builder<'_>, body: &Computation, parts: &[InstrId], wanted: &[InstrId]) -> Vec<InstrId> {
    let mut needed = vec![false; body.instrs.len()];
    wanted.iter().for_each(|w| needed[w.index()] = true);
    for (id, instr) in body.iter().rev() {
        if needed[id.index()] && element_read(body, id).is_none() {
            instr.operands.iter().for_each(|o| needed[o.index()] = true);
        }
    }
    let mut map: Vec<Option<InstrId>> = vec![None; body.instrs.len()];
    for (id, instr) in body.iter().filter(|(id, i)| needed[id.index()] && i.opcode != Opcode::Parameter) {
        map[id.index()] = Some(match element_read(body, id) {
            Some(n) => parts[n],
            None => b.clone_instr(instr, &map),
        });
    }
    wanted.iter().map(|w| map[w.index()].expect("needed")).collect()
}
