//! Values that a backward half makes again instead of reading them: numbers of the program, and arrays of one.

use crate::graph::Emit;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

/// Longer constants are read, in elements: written twice they would take more than they save.
const MAX_ELEMENTS: i64 = 16;

/// The instructions of a value that is made again.
pub(super) struct Constant(Vec<Instruction>);

impl Constant {
    /// The value, if it is a constant, or one that is broadcast.
    pub fn of(e: &Emit<'_>, id: InstrId) -> Option<Constant> {
        let instr = e.instr(id);
        let small = |i: &Instruction| {
            matches!(i.attrs, Attrs::Constant(_))
                && i.shape.as_array().is_some_and(|s| s.elements() <= MAX_ELEMENTS)
        };
        match instr.opcode {
            Opcode::Constant if small(instr) => Some(Constant(vec![instr.clone()])),
            Opcode::Broadcast => {
                let scalar = e.instr(instr.operands[0]);
                small(scalar).then(|| Constant(vec![scalar.clone(), instr.clone()]))
            }
            _ => None,
        }
    }

    /// Makes it.
    pub fn emit(&self, e: &mut Emit<'_>) -> InstrId {
        let mut last = Vec::new();
        for instr in &self.0 {
            let id = e.body.add_once(instr.opcode, instr.shape.clone(), &last, instr.attrs.clone());
            last = vec![id];
        }
        last[0]
    }
}
