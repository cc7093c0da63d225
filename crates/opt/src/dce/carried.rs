//! Shrinks the state of `while` loops: an element that neither the condition, nor an element that lives, nor
//! anything after the loop reads is no longer carried.
//!
//! ```text
//! w = (s32[], f32[8], f32[8]) while(t), condition=c, body=b     w = (s32[], f32[8]) while(t.1), condition=c.1, body=b.1
//! ROOT r = f32[8] get-tuple-element(w), index=2             →   ROOT r = f32[8] get-tuple-element(w), index=1
//! ```

use crate::effects::Effects;
use crate::pass::PassContext;
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub fn run(cx: &mut PassContext, module: &mut Module) -> bool {
    if !module.computations.iter().flat_map(|c| &c.instrs).any(|i| i.opcode == Opcode::While) {
        return false;
    }
    each_computation(module, |new, comp, _| {
        if !comp.instrs.iter().any(|i| i.opcode == Opcode::While) {
            return (comp, false);
        }
        let effects = Effects::of(new.module);
        let loops: Vec<Option<Shrunk>> =
            comp.iter().map(|(id, _)| shrink(cx, new, &comp, id, &effects)).collect();
        if loops.iter().all(Option::is_none) {
            return (comp, false);
        }
        (use_shrunk(new.module, &comp, &loops), true)
    })
}

/// A loop made smaller.
struct Shrunk {
    condition: CompId,
    body: CompId,
    live: Vec<bool>,
}

/// Makes the smaller condition and body of a loop, if some element is dead.
fn shrink(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    id: InstrId,
    effects: &Effects,
) -> Option<Shrunk> {
    let Attrs::While { condition, body } = comp[id].attrs else { return None };
    let Shape::Tuple(parts) = &comp[id].shape else { return None };
    if comp.root == id {
        return None;
    }
    let mut live = elements_read(comp, id, parts.len(), |_| true)?;
    let cond_comp = &new.module[condition];
    let cond_param = cond_comp.parameters()[0];
    if cond_comp.root == cond_param {
        return None;
    }
    or_into(&mut live, &elements_read(cond_comp, cond_param, parts.len(), |_| true)?);
    let body_comp = &new.module[body];
    let body_param = body_comp.parameters()[0];
    let root_is_used = body_comp.instrs.iter().any(|i| i.operands.contains(&body_comp.root));
    if body_comp.root().opcode != Opcode::Tuple || root_is_used {
        return None;
    }
    // A dead element of one round may be what a live one is made of in the next: to a fixed point.
    loop {
        let needed = body_liveness(body_comp, &live, effects);
        let read = elements_read(body_comp, body_param, parts.len(), |user| needed[user.index()])?;
        if !or_into(&mut live, &read) {
            break;
        }
    }
    if live.iter().all(|&l| l) || !cx.fuel("dce") {
        return None;
    }
    let new_cond = shrink_computation(new.module, condition, &live, None, effects);
    let new_body = shrink_computation(new.module, body, &live, Some(&live), effects);
    Some(Shrunk { condition: new.add(new_cond), body: new.add(new_body), live })
}

/// Which elements of the tuple `id` are read by get-tuple-elements that `counts` admits;
/// `None` if something else uses it.
fn elements_read(
    comp: &Computation,
    id: InstrId,
    n: usize,
    counts: impl Fn(InstrId) -> bool,
) -> Option<Vec<bool>> {
    let mut read = vec![false; n];
    for (user, instr) in comp.iter() {
        if instr.operands.contains(&id) {
            let Attrs::TupleIndex(i) = instr.attrs else { return None };
            read[i] |= counts(user);
        }
    }
    Some(read)
}

/// The instructions of a body that the live elements of its result, or side effects, need.
fn body_liveness(body: &Computation, live_out: &[bool], effects: &Effects) -> Vec<bool> {
    let mut needed = vec![false; body.instrs.len()];
    kept(&body.root().operands, live_out).for_each(|o| needed[o.index()] = true);
    for (id, instr) in body.iter().rev().filter(|(id, _)| *id != body.root) {
        needed[id.index()] |= effects.has(instr);
        if needed[id.index()] {
            instr.operands.iter().for_each(|o| needed[o.index()] = true);
        }
    }
    needed
}

/// The computation with a parameter (and, for a body, a root tuple) of the live elements only.
fn shrink_computation(
    module: &Module,
    old: CompId,
    live: &[bool],
    live_out: Option<&[bool]>,
    effects: &Effects,
) -> Computation {
    let old = &module[old];
    let needed = match live_out {
        Some(out) => body_liveness(old, out, effects),
        None => super::live_instructions(old, effects),
    };
    let param = old.parameters()[0];
    let mut b = Builder::new(module);
    let mut map: Vec<Option<InstrId>> = vec![None; old.instrs.len()];
    for (id, instr) in old.iter() {
        let new = if id == param {
            b.push(Instruction { shape: live_shape(&instr.shape, live), ..instr.clone() })
        } else if id == old.root && live_out.is_some() {
            let operands: Vec<InstrId> =
                kept(&instr.operands, live).map(|o| map[o.index()].expect("live")).collect();
            b.push(Instruction { shape: live_shape(&instr.shape, live), operands, ..instr.clone() })
        } else if !needed[id.index()] {
            continue;
        } else {
            let clone = b.clone_instr(instr, &map);
            if instr.operands.first() == Some(&param) {
                renumber(b.get_mut(clone), live);
            }
            clone
        };
        map[id.index()] = Some(new);
    }
    let root = map[old.root.index()].expect("the root is live");
    b.finish(old.name.clone(), root)
}

/// Rebuilds the computation around its smaller loops.
fn use_shrunk(module: &Module, comp: &Computation, loops: &[Option<Shrunk>]) -> Computation {
    let mut b = Builder::new(module);
    let mut map: Vec<Option<InstrId>> = Vec::with_capacity(comp.instrs.len());
    for (id, instr) in comp.iter() {
        let new = match &loops[id.index()] {
            Some(small) => {
                b.origin = instr.origin.clone();
                let init = map[instr.operands[0].index()].expect("operands come first");
                let init = live_tuple(&mut b, init, &small.live);
                let mut shrunk = Instruction {
                    shape: live_shape(&instr.shape, &small.live),
                    operands: vec![init],
                    attrs: Attrs::While { condition: small.condition, body: small.body },
                    ..instr.clone()
                };
                shrunk.map_predecessors(|_| None);
                b.push(shrunk)
            }
            None => {
                let clone = b.clone_instr(instr, &map);
                if let Some(small) = instr.operands.first().and_then(|o| loops[o.index()].as_ref()) {
                    renumber(b.get_mut(clone), &small.live);
                }
                clone
            }
        };
        map.push(Some(new));
    }
    let root = map[comp.root.index()].expect("every instruction is mapped");
    let mut new = b.finish(comp.name.clone(), root);
    new.execution_thread = comp.execution_thread.clone();
    new
}

/// The tuple of the live elements of `whole`.
fn live_tuple(b: &mut Builder<'_>, whole: InstrId, live: &[bool]) -> InstrId {
    let shape = live_shape(b.shape(whole), live);
    let Shape::Tuple(all) = b.shape(whole).clone() else { unreachable!("the state is a tuple") };
    let parts: Vec<InstrId> = if b.get(whole).opcode == Opcode::Tuple {
        kept(&b.get(whole).operands, live).copied().collect()
    } else {
        kept(&all.into_iter().enumerate().collect::<Vec<_>>(), live)
            .map(|(i, part)| {
                let index = Attrs::TupleIndex(*i);
                b.add_shaped(Opcode::GetTupleElement, part.clone(), &[whole], index)
            })
            .collect()
    };
    b.add_shaped(Opcode::Tuple, shape, &parts, Attrs::None)
}

fn live_shape(shape: &Shape, live: &[bool]) -> Shape {
    match shape {
        Shape::Tuple(parts) => Shape::Tuple(kept(parts, live).cloned().collect()),
        other => other.clone(),
    }
}

/// Moves the index of a get-tuple-element to where the element is now. The index of a dead one is of no
/// consequence: nothing live reads it.
fn renumber(gte: &mut Instruction, live: &[bool]) {
    if let Attrs::TupleIndex(i) = &mut gte.attrs {
        *i = live[..*i].iter().filter(|l| **l).count();
    }
}

fn kept<'a, T>(all: &'a [T], live: &'a [bool]) -> impl Iterator<Item = &'a T> {
    all.iter().zip(live).filter(|(_, l)| **l).map(|(x, _)| x)
}

/// Adds `more`; whether that added something.
fn or_into(live: &mut [bool], more: &[bool]) -> bool {
    let before = live.to_vec();
    live.iter_mut().zip(more).for_each(|(l, m)| *l |= m);
    live != before
}
