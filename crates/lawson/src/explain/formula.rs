//! The paper's formula: Σ size(intermediate) × 2, each operation's output written once and read once.
//!
//! Operations are those of the module after simplification, except `broadcast` and `iota`: what only repeats or
//! counts is no intermediate. A loop of unknown trip count counts as one trip.

use crate::compile::Planned;
use lawson_hlo::{Instruction, Opcode};
use lawson_opt::schedule::LaunchSite;

/// Bytes by the formula.
pub struct Formula {
    /// Every operation's output, written and read.
    pub unfused: u64,
    /// Of that, what is written no longer.
    pub saved: u64,
    /// What is left: results are written, intermediates in memory written and read.
    pub fused: u64,
}

/// Compares the outputs of operations with the outputs of kernels.
pub fn formula(planned: &Planned, unfused: &Planned) -> Formula {
    let operations = outputs(unfused);
    let kernels = outputs(planned);
    let results = crate::roofline::interface_bytes(&planned.module).1.min(kernels);
    Formula {
        unfused: operations.saturating_mul(2),
        saved: operations.saturating_sub(kernels).saturating_mul(2),
        fused: kernels.saturating_mul(2) - results,
    }
}

/// Bytes of what all kernels of a plan write in one run.
fn outputs(planned: &Planned) -> u64 {
    let of = |site: &LaunchSite| {
        let instr = &planned.module[site.computation][site.instruction];
        if is_intermediate(instr) { bytes(instr).saturating_mul(site.launches.unwrap_or(1)) } else { 0 }
    };
    planned.scheduled.sites.iter().map(of).fold(0, u64::saturating_add)
}

fn is_intermediate(instr: &Instruction) -> bool {
    !matches!(instr.opcode, Opcode::Broadcast | Opcode::Iota)
}

fn bytes(instr: &Instruction) -> u64 {
    crate::memory::bytes(&instr.shape)
}
