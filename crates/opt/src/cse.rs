//! Computes equal values once: equal instructions of a computation, and equal computations, become one.
//!
//! ```text
//! a = f32[4] add(x, y)             a = f32[4] add(x, y)
//! b = f32[4] add(y, x)         →   ROOT m = f32[4] multiply(a, a)
//! ROOT m = f32[4] multiply(a, b)
//! ```
//!
//! Operands of commutative operations compare without order. Never merged: side effects, random numbers,
//! barriers, parameters, and instructions with control predecessors.

use crate::effects::{Effects, is_random};
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::rewrite_owned;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module, Opcode};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    // No computation is added, so that ids mean the same before and after.
    let effects = Effects::of(module);
    let mut bodies: FxHashMap<u64, Vec<CompId>> = FxHashMap::default();
    let mut alias: FxHashMap<CompId, CompId> = FxHashMap::default();
    let changed = each_computation(module, |new, mut comp, is_entry| {
        let mut renamed = false;
        for instr in &mut comp.instrs {
            instr.attrs.map_called(|c| *alias.get(&c).inspect(|_| renamed = true).unwrap_or(&c));
        }
        let (comp, merged) = merge_instructions(cx, new.module, comp, &effects);
        if !is_entry {
            let id = CompId(new.module.computations.len() as u32);
            let alike = bodies.entry(hash_body(&comp)).or_default();
            cx.worked(alike.len());
            match alike.iter().find(|&&c| same_body(&new.module[c], &comp)) {
                Some(&first) if cx.fuel("cse") => drop(alias.insert(id, first)),
                Some(_) => {}
                None => alike.push(id),
            }
        }
        (comp, renamed || merged)
    });
    changed.into()
}

fn merge_instructions(
    cx: &mut PassContext,
    module: &Module,
    comp: Computation,
    effects: &Effects,
) -> (Computation, bool) {
    let mut seen: FxHashMap<u64, Vec<InstrId>> = FxHashMap::default();
    rewrite_owned(module, comp, |b, _, instr, operands| {
        if effects.has(instr) || is_random(instr) || !may_merge(instr) {
            return None;
        }
        let operands = in_order(instr, operands);
        let alike = seen.entry(hash(instr, &operands)).or_default();
        cx.worked(1 + alike.len());
        let first = alike.iter().copied().find(|&id| {
            let before = b.get(id);
            same_value(before, &in_order(before, &before.operands), instr, &operands)
        });
        match first {
            Some(first) => cx.fuel("cse").then_some(first),
            None => {
                // The instruction stays and gets the next id.
                alike.push(InstrId(b.len() as u32));
                None
            }
        }
    })
}

fn may_merge(instr: &Instruction) -> bool {
    let ordered = instr.notes.as_ref().is_some_and(|n| !n.control_predecessors.is_empty());
    !ordered && !matches!(instr.opcode, Opcode::Parameter | Opcode::OptimizationBarrier)
}

/// The operands, sorted where their order does not matter.
fn in_order(instr: &Instruction, operands: &[InstrId]) -> Vec<InstrId> {
    let mut operands = operands.to_vec();
    use Opcode::*;
    if matches!(instr.opcode, Add | Multiply | Maximum | Minimum | And | Or | Xor) {
        operands.sort_unstable();
    }
    operands
}

fn hash(instr: &Instruction, operands: &[InstrId]) -> u64 {
    let mut h = FxHasher::default();
    (instr.opcode, operands, &instr.attrs, &instr.shape).hash(&mut h);
    h.finish()
}

/// Whether two instructions on these operands have the same value.
fn same_value(a: &Instruction, a_operands: &[InstrId], b: &Instruction, b_operands: &[InstrId]) -> bool {
    a.opcode == b.opcode
        && a_operands == b_operands
        && a.attrs == b.attrs
        && a.shape == b.shape
        && same_implementation(a, b)
}

/// The notes that choose an implementation: sharding, precision; the configuration of a custom call.
fn same_implementation(a: &Instruction, b: &Instruction) -> bool {
    let none = Notes::default();
    let (x, y) = (a.notes.as_deref().unwrap_or(&none), b.notes.as_deref().unwrap_or(&none));
    let configured = matches!(a.opcode, Opcode::CustomCall | Opcode::Fusion);
    x.sharding == y.sharding && x.rest == y.rest && (!configured || x.backend_config == y.backend_config)
}

/// Equal for computations that are the [`same_body`].
fn hash_body(comp: &Computation) -> u64 {
    let mut h = FxHasher::default();
    comp.root.hash(&mut h);
    comp.instrs.iter().for_each(|i| hash(i, &i.operands).hash(&mut h));
    h.finish()
}

/// Equal but for names, origins and descriptions.
fn same_body(a: &Computation, b: &Computation) -> bool {
    let same = |(x, y): (&Instruction, &Instruction)| same_value(x, &x.operands, y, &y.operands);
    a.root == b.root && a.instrs.len() == b.instrs.len() && a.instrs.iter().zip(&b.instrs).all(same)
}
