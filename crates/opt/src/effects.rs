//! Which instructions must stay, in order, whoever uses them.

use lawson_hlo::{CompId, Instruction, Module, Opcode};

/// For each computation whether running it has a side effect.
pub struct Effects(Vec<bool>);

impl Effects {
    pub fn of(module: &Module) -> Effects {
        let mut effects = Effects(Vec::with_capacity(module.computations.len()));
        for comp in &module.computations {
            let any = comp.instrs.iter().any(|i| effects.has(i));
            effects.0.push(any);
        }
        effects
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
