//! The transpose of each opcode that is linear: one table.
//!
//! A transpose contributes to the cotangents of the tangents among the operands. What moves few elements of a large array
//! changes the sum that is there in place of adding a whole array to it ([`Transposer::update`]).

mod convolution;
mod dot;
mod elementwise;
mod indexed;
mod library;
mod movement;
mod reduction;

use super::Transposer;
use super::tape::{Arg, Linear};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{ArrayShape, InstrId, Opcode};

/// Contributes by the cotangent of an operation's result, which has this shape.
type Transpose = fn(&mut Transposer<'_, '_>, &Linear, &ArrayShape, InstrId) -> Result<(), Fault>;

/// Contributes to the cotangents of the tangents among an operation's operands, by that of its result.
pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    let narrower = |arg: &Arg| arg.tangent().is_some_and(|t| cx.shape(t).dtype != shape.dtype);
    if shape.dtype.extension().is_some() && op.operands.iter().any(narrower) {
        return fault!(
            "`{}` gives {} of an argument of its prime field: a derivative by that is of the extension, so convert the \
             argument to it before",
            op.opcode,
            shape.dtype
        );
    }
    match of(op.opcode) {
        Some(transpose) => transpose(cx, op, shape, ct),
        None => fault!("`{}` has no transpose", op.opcode),
    }
}

/// What rules record.
fn of(opcode: Opcode) -> Option<Transpose> {
    use Opcode::*;
    Some(match opcode {
        Add | Complex | Convert | Divide | Imag | Multiply | Negate | Real | ReducePrecision | Select
        | Subtract => elementwise::transpose,
        BitReverse | Broadcast | Concatenate | Pad | Reshape | Reverse | Slice | Transpose => {
            movement::transpose
        }
        DynamicSlice | DynamicUpdateSlice | Gather | Scatter => indexed::transpose,
        Reduce | ReduceWindow | SelectAndScatter => reduction::transpose,
        Dot => dot::transpose,
        Convolution => convolution::transpose,
        Fft | Ntt | TriangularSolve => library::transpose,
        _ => return None,
    })
}
