//! A smaller module that fails in the same way.
//!
//! Greedy: one change at a time, kept while the failure stays. Results are dropped, instructions become parameters,
//! constants or one of their operands, what is not used any more goes.

use crate::check::{Engine, Failure, check};
use crate::prune::prune;
use lawson::hlo::{Attrs, CompId, InstrId, Instruction, Literal, Module, Opcode, Scalar, Shape, Value};
use std::time::{Duration, Instant};

/// Enough for most; a bug need not wait for its smallest form.
const TIME: Duration = Duration::from_secs(20);

/// The smaller module and its failure.
pub fn shrink(module: &Module, seed: u64, engine: Engine, failure: Failure) -> (Module, Failure) {
    let mut cx = Shrinker { best: module.clone(), failure, seed, engine, end: Instant::now() + TIME };
    while cx.round() && Instant::now() < cx.end {}
    (cx.best, cx.failure)
}

struct Shrinker {
    best: Module,
    failure: Failure,
    seed: u64,
    engine: Engine,
    end: Instant,
}

impl Shrinker {
    /// Tries every change once.
    fn round(&mut self) -> bool {
        let before = size(&self.best);
        self.fewer_outputs();
        let mut comp = self.best.computations.len();
        while comp > 0 {
            comp = (comp - 1).min(self.best.computations.len() - 1);
            let mut at = self.best.computations[comp].instrs.len();
            while at > 0 && comp < self.best.computations.len() {
                at = (at - 1).min(self.best.computations[comp].instrs.len() - 1);
                self.simpler_instruction(CompId(comp as u32), InstrId(at as u32));
                if Instant::now() > self.end {
                    return false;
                }
            }
        }
        self.fewer_parameters();
        size(&self.best) < before
    }

    fn attempt(&mut self, changed: Module) -> bool {
        let changed = prune(&changed);
        if size(&changed) >= size(&self.best) {
            return false;
        }
        match check(&changed, self.seed, self.engine) {
            Err(failure) if failure.kind == self.failure.kind => {
                (self.best, self.failure) = (changed, failure);
                true
            }
            _ => false,
        }
    }

    fn fewer_outputs(&mut self) {
        let root = self.best.entry().root().clone();
        for operand in root.operands {
            let mut changed = self.best.clone();
            changed.computations[self.best.entry.index()].root = operand;
            if root.opcode == Opcode::Tuple && self.attempt(changed) {
                return;
            }
        }
    }

    fn simpler_instruction(&mut self, comp: CompId, id: InstrId) {
        let old = self.best[comp][id].clone();
        if old.opcode == Opcode::Parameter {
            return;
        }
        let same_shape = |o: &&InstrId| self.best[comp][**o].shape.same(&old.shape);
        for operand in old.operands.iter().filter(same_shape).copied().collect::<Vec<_>>() {
            let mut changed = self.best.clone();
            let c = &mut changed.computations[comp.index()];
            c.instrs
                .iter_mut()
                .flat_map(|i| &mut i.operands)
                .filter(|o| **o == id)
                .for_each(|o| *o = operand);
            if c.root == id {
                c.root = operand;
            }
            if self.attempt(changed) {
                return;
            }
        }
        if comp == self.best.entry && id != self.best[comp].root {
            let number = self.best[comp].parameters().len();
            if self.replace(comp, id, Opcode::Parameter, Attrs::Parameter(number)) {
                return;
            }
        }
        if let Some(zero) = zero(&old.shape)
            && id != self.best[comp].root
        {
            self.replace(comp, id, Opcode::Constant, Attrs::Constant(Some(zero)));
        }
    }

    fn replace(&mut self, comp: CompId, id: InstrId, opcode: Opcode, attrs: Attrs) -> bool {
        let mut changed = self.best.clone();
        let slot = &mut changed.computations[comp.index()].instrs[id.index()];
        *slot = Instruction {
            name: format!("{opcode}_{}", slot.name).into(),
            opcode,
            attrs,
            operands: Vec::new(),
            ..slot.clone()
        };
        self.attempt(changed)
    }

    /// Parameters without a user go, and those after them get new numbers (and with them new values).
    fn fewer_parameters(&mut self) {
        let entry = self.best.entry().clone();
        let users = entry.users();
        for id in entry.parameters().into_iter().rev() {
            if !users[id.index()].is_empty() || entry.root == id {
                continue;
            }
            let Attrs::Parameter(gone) = entry[id].attrs else { continue };
            let mut changed = self.best.clone();
            let c = &mut changed.computations[self.best.entry.index()];
            c.instrs.remove(id.index());
            let shift = |o: &mut InstrId| o.0 -= (o.0 > id.0) as u32;
            shift(&mut c.root);
            for instr in &mut c.instrs {
                instr.operands.iter_mut().for_each(shift);
                if let Attrs::Parameter(n) = &mut instr.attrs {
                    *n -= (*n > gone) as usize;
                }
            }
            if self.attempt(changed) {
                return self.fewer_parameters();
            }
        }
    }
}

/// Instructions, where a constant or parameter counts half.
fn size(module: &Module) -> usize {
    let weight = |i: &Instruction| match i.opcode {
        Opcode::Constant => 2,
        Opcode::Parameter => 3,
        _ => 6 + i.operands.len(),
    };
    module.computations.iter().flat_map(|c| &c.instrs).map(weight).sum()
}

fn zero(shape: &Shape) -> Option<Value> {
    let array = shape.as_array()?;
    Some(Value::Array(Literal::splat(array.clone(), Scalar::Signed(0))))
}
