//! Routines on 16-bit floats are computed in f32 and rounded once.
//!
//! ```text
//!                                              w = f32[4,4] convert(a)
//! c = bf16[4,4] cholesky(a), lower=true   →   l = f32[4,4] cholesky(w), lower=true
//!                                              c = bf16[4,4] convert(l)
//! ```

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::builder::Builder;
use lawson_hlo::opcode::Class;
use lawson_hlo::{CompId, Computation, DType, InstrId, Instruction, Module};

pub const EXPANDER: Expander =
    Expander { name: "library", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

/// The type of its result, if that is not what it is computed in.
fn narrow(instr: &Instruction) -> Option<DType> {
    let dtype = instr.shape.as_array()?.dtype;
    (instr.opcode.class() == Class::Library && dtype.accumulator() != dtype).then_some(dtype)
}

fn applies(_: &Module, _: &Computation, instr: &Instruction) -> bool {
    narrow(instr).is_some()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let dtype = narrow(instr).expect("checked by applies");
    let wide: Vec<InstrId> = operands.iter().map(|&o| b.convert(o, dtype.accumulator())).collect();
    let result = b.add(instr.opcode, &wide, instr.attrs.clone());
    b.convert(result, dtype)
}
