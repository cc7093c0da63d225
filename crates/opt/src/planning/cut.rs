//! The part of a computation that one kernel computes: a fusion's body, or a single operation.

use lawson_hlo::literal::Value;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};
use rustc_hash::FxHashSet;

/// A host-level instruction as a region's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCut {
    /// The fused computation; `None` when the instruction itself is the region.
    pub fused: Option<CompId>,
    /// Inputs of the region, instructions of the computation that holds it.
    pub inputs: Vec<InstrId>,
    pub roots: Vec<InstrId>,
    /// The host-level values behind the inputs, in the same order.
    pub operands: Vec<InstrId>,
}

/// The cut of a fusion or of a plain operation.
pub fn kernel_cut(module: &Module, comp: &Computation, id: InstrId) -> KernelCut {
    let instr = &comp[id];
    if let Attrs::Fusion { calls, .. } = instr.attrs {
        let body = &module[calls];
        return KernelCut {
            fused: Some(calls),
            inputs: body.parameters(),
            roots: vec![body.root],
            operands: instr.operands.clone(),
        };
    }
    let mut inputs: Vec<InstrId> = Vec::new();
    let mut seen = FxHashSet::default();
    for (position, &operand) in instr.operands.iter().enumerate() {
        let kept = updated_in_place(instr, position) || !is_code(&comp[operand]);
        if kept && seen.insert(operand) {
            inputs.push(operand);
        }
    }
    KernelCut { fused: None, operands: inputs.clone(), inputs, roots: vec![id] }
}

/// Whether the result shares the memory of operand `position`.
fn updated_in_place(instr: &Instruction, position: usize) -> bool {
    match instr.opcode {
        Opcode::DynamicUpdateSlice => position == 0,
        Opcode::Scatter => position < instr.operands.len() / 2,
        _ => false,
    }
}

/// A constant that stands in the code rather than in memory.
pub fn is_code(instr: &Instruction) -> bool {
    match &instr.attrs {
        Attrs::Constant(Some(Value::Array(literal))) => {
            literal.elements() == 1 || (literal.shape().bytes() <= 1 << 20 && literal.splat_value().is_some())
        }
        _ => false,
    }
}
