//! `get-dimension-size` of a static extent becomes that number.
//!
//! ```text
//! x = f32[2,3] parameter(0)
//! n = s32[] get-dimension-size(x), dimensions={1}   →   n = s32[] constant(3)
//! ```
//!
//! Of a dynamic extent it is left as it is.

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Literal, Module, Opcode, Scalar,
};

pub const EXPANDER: Expander =
    Expander { name: "dimension-size", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    instr.opcode == Opcode::GetDimensionSize
        && extent(comp.operand(instr, 0).shape.expect_array(), instr).is_some()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let extent = extent(b.array(operands[0]), instr).expect("checked by applies");
    b.constant(Literal::scalar(instr.shape.expect_array().dtype, Scalar::Signed(extent)))
}

/// The extent asked for, if it is static.
fn extent(x: &ArrayShape, instr: &Instruction) -> Option<i64> {
    let Attrs::Dims(dims) = &instr.attrs else { return None };
    let &[dim] = &dims[..] else { return None };
    (x.dynamic.get(dim) != Some(&true)).then_some(x.dims[dim])
}
