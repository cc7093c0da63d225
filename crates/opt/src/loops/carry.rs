//! Loops that carry values which their bodies computed on each trip: the values are computed once, before the loop, and are
//! elements of its state.

use super::{element_read, next_values, parts};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

/// A loop with less to do.
pub struct Lighter {
    condition: CompId,
    body: CompId,
    /// The body as it was; what is computed before the loop is part of it.
    old: CompId,
    /// Instructions of the old body whose values are carried.
    moved: Vec<InstrId>,
}

/// The loop that carries these instructions of its body, which are the same on every trip; `None` if the root of the body is no
/// tuple.
pub fn carry(new: &mut Rebuild<'_>, instr: &Instruction, moved: Vec<InstrId>) -> Option<Lighter> {
    let (condition, old) = parts(instr)?;
    next_values(new.module, old)?;
    let Shape::Tuple(state) = &instr.shape else { return None };
    let body = &new.module[old];
    let mut shapes = state.clone();
    shapes.extend(moved.iter().map(|m| body[*m].shape.clone()));
    let carried = Shape::Tuple(shapes);
    let light = without(new.module, body, &moved, &carried, state.len());
    let (cond, _) = rewrite(new.module, &new.module[condition], |b, _, i, _| wider(b, i, &carried));
    Some(Lighter { condition: new.add(cond), body: new.add(light), old, moved })
}

/// The computation in which these loops, by position, carry what they do not compute any more.
pub fn with_values_before(module: &Module, comp: &Computation, loops: &[Option<Lighter>]) -> Computation {
    let users = comp.users();
    let (made, _) = rewrite(module, comp, |b, id, instr, operands| {
        let lighter = loops[id.index()].as_ref()?;
        let (new, elements) = before_and_loop(b, instr, operands[0], lighter);
        // What reads single elements finds them where they were.
        let by_element = users[id.index()].iter().all(|u| comp[*u].opcode == Opcode::GetTupleElement);
        if by_element && comp.root != id {
            return Some(new);
        }
        let results: Vec<InstrId> = (0..elements).map(|n| make::element(b, new, n)).collect();
        Some(make::tuple(b, &results))
    });
    made
}

/// Whether a computation takes its parameter apart, and does nothing else with it.
pub fn read_by_element(comp: &Computation) -> bool {
    let param = comp.parameters().first().copied();
    let taken_apart = |i: &Instruction| {
        i.opcode == Opcode::GetTupleElement || !i.operands.iter().any(|o| Some(*o) == param)
    };
    Some(comp.root) != param && comp.instrs.iter().all(taken_apart)
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

/// The moved instructions and the loop, and how many elements its state has without them.
fn before_and_loop(
    b: &mut Builder<'_>,
    instr: &Instruction,
    init: InstrId,
    lighter: &Lighter,
) -> (InstrId, usize) {
    let old = &b.module[lighter.old];
    let mut parts = match b.get(init).opcode {
        Opcode::Tuple => b.get(init).operands.clone(),
        _ => make::elements(b, init),
    };
    let count = parts.len();
    let values = compute(b, old, &parts, &lighter.moved);
    parts.extend(values);
    let init = make::tuple(b, &parts);
    let attrs = Attrs::While { condition: lighter.condition, body: lighter.body };
    let new = b.add(Opcode::While, &[init], attrs);
    let made = b.get_mut(new);
    made.notes = instr.notes.clone();
    made.map_predecessors(|_| None);
    (new, count)
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
