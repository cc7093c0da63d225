//! Removes what nothing uses.
//!
//! - elements of a loop's state that are carried but never used ([`carried`]);
//! - all but the first elements of sorted rows ([`first`]);
//! - arrays that are sorted along with others but never used ([`sorted`]);
//! - vectors that decompositions compute but nobody reads ([`vectors`]);
//! - instructions that neither the root nor a side effect needs;
//! - computations that nothing calls.
//!
//! Parameters always stay: they are the signature.

mod carried;
mod first;
mod sorted;
mod vectors;

use crate::effects::Effects;
use crate::pass::{Changed, PassContext};
use crate::rebuild::retain_computations;
use lawson_hlo::{Computation, InstrId, Module, Opcode};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let mut changed = remove_instructions(cx, module);
    // Only now is every get-tuple-element that is left a true use of a loop's result.
    if carried::run(cx, module) {
        changed = true;
        remove_instructions(cx, module);
    }
    if sorted::run(cx, module) {
        changed = true;
        remove_instructions(cx, module);
    }
    if vectors::run(cx, module) {
        changed = true;
        remove_instructions(cx, module);
    }
    if first::run(cx, module) {
        changed = true;
        remove_instructions(cx, module);
    }
    if called_computations(module).contains(&false) && cx.fuel("dce") {
        remove_uncalled(module);
        changed = true;
    }
    changed.into()
}

/// Removes the computations that the entry does not call, directly or not.
pub fn remove_uncalled(module: &mut Module) {
    let called = called_computations(module);
    if called.contains(&false) {
        retain_computations(module, &called);
    }
}

fn remove_instructions(cx: &mut PassContext, module: &mut Module) -> bool {
    let effects = Effects::of(module);
    let mut changed = false;
    for comp in &mut module.computations {
        let live = live_instructions(comp, &effects);
        if live.contains(&false) && cx.fuel("dce") {
            retain_instructions(comp, &live);
            changed = true;
        }
    }
    changed
}

/// For each instruction whether the root, a side effect, or the signature needs it.
pub fn live_instructions(comp: &Computation, effects: &Effects) -> Vec<bool> {
    let mut live = vec![false; comp.instrs.len()];
    live[comp.root.index()] = true;
    for (id, instr) in comp.iter().rev() {
        let kept = instr.opcode == Opcode::Parameter || effects.has(instr);
        live[id.index()] |= kept;
        if live[id.index()] {
            instr.operands.iter().for_each(|o| live[o.index()] = true);
        }
    }
    live
}

/// Keeps the instructions that `live` names; operands of those must be among them.
fn retain_instructions(comp: &mut Computation, live: &[bool]) {
    let mut map: Vec<Option<InstrId>> = Vec::with_capacity(live.len());
    let mut next = 0;
    for &l in live {
        map.push(l.then_some(InstrId(next)));
        next += l as u32;
    }
    let new_id = |old: InstrId| map[old.index()].expect("operands of live instructions are live");
    let mut index = 0;
    comp.instrs.retain(|_| {
        index += 1;
        live[index - 1]
    });
    for instr in &mut comp.instrs {
        instr.operands.iter_mut().for_each(|o| *o = new_id(*o));
        instr.map_predecessors(|p| map[p.index()]);
    }
    comp.root = new_id(comp.root);
}

/// For each computation whether the entry calls it, directly or not.
fn called_computations(module: &Module) -> Vec<bool> {
    let mut called = vec![false; module.computations.len()];
    called[module.entry.index()] = true;
    for (id, comp) in module.iter().rev() {
        if called[id.index()] {
            for c in comp.instrs.iter().flat_map(|i| i.attrs.called()) {
                called[c.index()] = true;
            }
        }
    }
    called
}
