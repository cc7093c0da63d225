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
use lawson_hlo::builder::rewrite;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    // No computation is added, so that ids mean the same before and after.
    let effects = Effects::of(module);
    let mut bodies: FxHashMap<Vec<Key>, CompId> = FxHashMap::default();
    let mut alias: FxHashMap<CompId, CompId> = FxHashMap::default();
    let changed = each_computation(module, |new, mut comp, is_entry| {
        let mut renamed = false;
        for instr in &mut comp.instrs {
            instr.attrs.map_called(|c| *alias.get(&c).inspect(|_| renamed = true).unwrap_or(&c));
        }
        let (comp, merged) = merge_instructions(cx, new.module, &comp, &effects);
        if !is_entry {
            let id = CompId(new.module.computations.len() as u32);
            let first = *bodies.entry(body_key(&comp)).or_insert(id);
            if first != id && cx.fuel("cse") {
                alias.insert(id, first);
            }
        }
        (comp, renamed || merged)
    });
    changed.into()
}

fn merge_instructions(
    cx: &mut PassContext,
    module: &Module,
    comp: &Computation,
    effects: &Effects,
) -> (Computation, bool) {
    let mut seen: FxHashMap<Key, InstrId> = FxHashMap::default();
    rewrite(module, comp, |b, _, instr, operands| {
        if effects.has(instr) || is_random(instr) || !may_merge(instr) {
            return None;
        }
        // The instruction, should it stay, gets the next id.
        let next = InstrId(b.len() as u32);
        let first = *seen.entry(Key::new(instr, operands)).or_insert(next);
        (first != next && cx.fuel("cse")).then_some(first)
    })
}

fn may_merge(instr: &Instruction) -> bool {
    let ordered = instr.notes.as_ref().is_some_and(|n| !n.control_predecessors.is_empty());
    !ordered && !matches!(instr.opcode, Opcode::Parameter | Opcode::OptimizationBarrier)
}

/// What two instructions of the same value have in common.
#[derive(PartialEq, Eq)]
struct Key {
    opcode: Opcode,
    shape: Shape,
    operands: Vec<InstrId>,
    attrs: Attrs,
    /// The notes that choose an implementation: sharding, precision; the configuration of a custom call.
    sharding: Option<String>,
    backend_config: Option<String>,
    rest: Vec<(String, String)>,
}

impl Key {
    fn new(instr: &Instruction, operands: &[InstrId]) -> Key {
        let mut operands = operands.to_vec();
        use Opcode::*;
        if matches!(instr.opcode, Add | Multiply | Maximum | Minimum | And | Or | Xor) {
            operands.sort_unstable();
        }
        let notes = instr.notes.as_deref();
        Key {
            opcode: instr.opcode,
            shape: instr.shape.clone(),
            operands,
            attrs: instr.attrs.clone(),
            sharding: notes.and_then(|n| n.sharding.clone()),
            backend_config: notes
                .and_then(|n| n.backend_config.clone())
                .filter(|_| matches!(instr.opcode, CustomCall | Fusion)),
            rest: notes.map(|n| n.rest.clone()).unwrap_or_default(),
        }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (self.opcode, &self.operands, &self.attrs, &self.shape).hash(h);
    }
}

/// A computation without its names: equal for equal bodies.
fn body_key(comp: &Computation) -> Vec<Key> {
    let mut keys: Vec<Key> = comp.instrs.iter().map(|i| Key::new(i, &i.operands)).collect();
    // The root, as an operand list of its own.
    let mut root = Key::new(comp.root(), &[comp.root]);
    root.shape = Shape::Token;
    keys.push(root);
    keys
}
