//! Fusion: which instructions share a kernel.
//!
//! What the user allows stands in [`crate::options::fusion`], whether a computation is one kernel and what it costs in
//! [`crate::planning`]. [`role`] is what each instruction can be in a kernel, [`limits`] how much one holds, [`call`]
//! what stands for a kernel in the module.
//!
//! The passes: [`loop_fusion`] makes whole loops one kernel; [`instruction`] moves producers into their consumers and grows
//! the first kernels; [`merger`], [`multi_output`] and [`staged`] join whole kernels, by one engine ([`join`]) and
//! three policies; [`horizontal`] lets those that know nothing of each other share a launch, in the form that
//! [`crate::planning::segments`] describes.

pub(crate) mod call;
pub mod demands;
pub mod horizontal;
pub mod instruction;
mod join;
pub(crate) mod limits;
pub mod loop_fusion;
pub mod merger;
pub mod multi_output;
pub mod role;
pub mod staged;

use lawson_hlo::Attrs;
use lawson_hlo::{Computation, InstrId, Module};
use rustc_hash::FxHashSet;

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
