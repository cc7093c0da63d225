//! What the host runs, and which instructions must stay there, in order, whoever uses them.

use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::region::build::MAX_PIECES;
use rustc_hash::FxHashSet;

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

/// Whether the host copies the operands together, without code for each: a concatenation of more than a kernel chooses
/// among.
pub(crate) fn is_copied_together(instr: &Instruction) -> bool {
    instr.opcode == Opcode::Concatenate && instr.operands.len() > MAX_PIECES
}

/// Instructions that control dependences start from or lead to.
pub(crate) fn pinned(comp: &Computation) -> FxHashSet<InstrId> {
    let mut pinned = FxHashSet::default();
    for (id, instr) in comp.iter() {
        if let Some(notes) = &instr.notes
            && !notes.control_predecessors.is_empty()
        {
            pinned.insert(id);
            pinned.extend(&notes.control_predecessors);
        }
    }
    pinned
}

/// The computations that run on the host, kernel by kernel: the entry, and the bodies of its loops and branches.
pub(crate) fn host_computations(module: &Module) -> Vec<bool> {
    let mut host = vec![false; module.computations.len()];
    host[module.entry.index()] = true;
    // Callers stand after what they call.
    for (id, comp) in module.iter().rev() {
        if !host[id.index()] {
            continue;
        }
        for instr in &comp.instrs {
            if matches!(instr.attrs, Attrs::While { .. } | Attrs::Conditional { .. } | Attrs::Call { .. }) {
                instr.attrs.called().iter().for_each(|c| host[c.index()] = true);
            }
        }
    }
    host
}
