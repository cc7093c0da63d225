//! Which instructions must stay, in order, whoever uses them.

use lawson_hlo::{CompId, Instruction, Module, Opcode};

/// For each computation whether running it has a side effect.
#[derive(Default)]
pub struct Effects(Vec<bool>);

impl Effects {
    pub fn of(module: &Module) -> Effects {
        let mut effects = Effects::default();
        effects.follow(module);
        effects
    }

    /// Looks at the computations that the module has got since.
    pub fn follow(&mut self, module: &Module) {
        for comp in &module.computations[self.0.len()..] {
            let any = comp.instrs.iter().any(|i| self.has(i));
            self.0.push(any);
        }
    }

    /// Forgets all but the first `len` computations.
    pub fn take_back(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Whether the instruction has a side effect, its own or that of what it calls.
    pub fn has(&self, instr: &Instruction) -> bool {
        instr.has_side_effect() || instr.attrs.called().into_iter().any(|c| self.computation(c))
    }

    pub fn computation(&self, comp: CompId) -> bool {
        self.0[comp.index()]
    }
}

/// Whether two executions with the same operands may give different values.
pub fn is_random(instr: &Instruction) -> bool {
    matches!(instr.opcode, Opcode::Rng | Opcode::RngGetAndUpdateState)
}
