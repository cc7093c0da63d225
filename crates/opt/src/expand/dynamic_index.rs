//! Start indices given as one vector become scalars.
//!
//! ```text
//! d = f32[2,2] dynamic-slice(x, v), …      s = s32[1] slice(v), slice={[0:1]}     r = s32[] reshape(s)
//!                                      →   s.1 = s32[1] slice(v), slice={[1:2]}   r.1 = s32[] reshape(s.1)
//!                                          d = f32[2,2] dynamic-slice(x, r, r.1), …
//! ```

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander =
    Expander { name: "dynamic-index", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

/// The position of the first start index among the operands.
fn first_start(opcode: Opcode) -> Option<usize> {
    match opcode {
        Opcode::DynamicSlice => Some(1),
        Opcode::DynamicUpdateSlice => Some(2),
        _ => None,
    }
}

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let start = first_start(instr.opcode).and_then(|n| instr.operands.get(n));
    start.is_some_and(|&s| comp[s].shape.as_array().is_some_and(|a| a.rank() == 1))
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let first = first_start(instr.opcode).expect("checked by applies");
    let vector = operands[first];
    let mut scalars = operands[..first].to_vec();
    for i in 0..b.array(vector).dims[0] {
        let one = make::slice(b, vector, 0, i, i + 1);
        scalars.push(b.reshape(one, &[]));
    }
    b.add(instr.opcode, &scalars, instr.attrs.clone())
}
