//! A `dot` of narrow integers becomes one of floats, in which every product and every sum is exact.
//!
//! ```text
//! d = s32[m,n] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}      of s8 operands
//! →
//! x = f32[m,k] convert(a)
//! y = f32[k,n] convert(b)
//! e = f32[m,n] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! d = s32[m,n] convert(e)
//! ```
//!
//! A float of 32 bits holds every integer up to 2^24. Of products below 2^14, those of s8, so many as 1,024 add up to no
//! more; longer sums are cut into pieces, which are added as integers. A vector unit does two multiply-adds of floats in
//! the time that half of a multiplication of 32-bit integers takes. Units of graphics processors and tile registers multiply
//! bytes as they are.

use super::dots::sides;
use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "integer-dot", purpose: Purpose::FormOfVectors, applies, helpers: no_helpers, expand };

/// The sums that are exact: below 2 to this power.
const EXACT: u32 = 24;
/// More pieces would read and add more than they save.
const MOST_PIECES: i64 = 8;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let extents = |n: usize| comp.operand(instr, n).shape.as_array().map_or(&[][..], |a| &a.dims);
    let (left, right) = sides(dims);
    left.free(extents(0)) > 1
        && right.free(extents(1)) > 1
        && piece(dims, instr, &instr.operands, &|id| &comp[id]).is_some()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let Some(piece) = piece(dims, instr, operands, &|id| b.get(id)) else {
        unreachable!("checked by applies")
    };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let result = instr.shape.expect_array().clone();
    let floats = Shape::array(DType::F32, result.dims.clone());
    let [x, y] = [x, y].map(|id| b.convert(id, DType::F32));
    let (of_x, of_y) = (dims.lhs_contracting[0], dims.rhs_contracting[0]);
    let length = b.array(x).dims[of_x];
    let part = |b: &mut Builder<'_>, start: i64| {
        let end = length.min(start + piece);
        let parts = match end - start == length {
            true => [x, y],
            false => [make::slice(b, x, of_x, start, end), make::slice(b, y, of_y, start, end)],
        };
        let part = b.add_shaped(Opcode::Dot, floats.clone(), &parts, Attrs::Dot(dims.clone()));
        b.convert(part, result.dtype)
    };
    let mut sum = part(b, 0);
    for n in 1..(length + piece - 1) / piece {
        let next = part(b, n * piece);
        sum = b.binary(Opcode::Add, sum, next);
    }
    sum
}

/// Elements of the first contracted dimension in each piece, if the product may be computed so.
fn piece<'a>(
    dims: &DotDims,
    instr: &Instruction,
    operands: &[InstrId],
    get: &dyn Fn(InstrId) -> &'a Instruction,
) -> Option<i64> {
    let result = instr.shape.as_array()?.dtype;
    // Every sum is an integer of the result's type.
    if !(result.is_integer() && result.bits() >= 32) {
        return None;
    }
    let [x, y] = [*operands.first()?, *operands.get(1)?].map(get);
    let extents = &x.shape.as_array()?.dims;
    let bits = |operand: &Instruction| {
        let narrow = source(operand, get)?;
        let kept = narrow.is_unsigned() || result.is_signed();
        (narrow.is_integer() && kept).then(|| narrow.bits() - narrow.is_signed() as u32)
    };
    let terms: i64 = 1 << EXACT.checked_sub(bits(x)? + bits(y)?)?;
    let (&first, rest) = dims.lhs_contracting.split_first()?;
    let beside: i64 = rest.iter().map(|&d| extents[d]).product();
    let piece = terms.checked_div(beside)?.min(extents[first]);
    (piece > 0 && (extents[first] + piece - 1) / piece <= MOST_PIECES).then_some(piece)
}

/// The type of an operand's integers before they were converted to a wider one.
fn source<'a>(operand: &Instruction, get: &dyn Fn(InstrId) -> &'a Instruction) -> Option<DType> {
    let wide = operand.shape.as_array()?.dtype;
    let from = match operand.opcode {
        Opcode::Convert => get(operand.operands[0]).shape.as_array()?.dtype,
        _ => return Some(wide),
    };
    let keeps = from.is_integer() && wide.is_integer() && from.bits() < wide.bits();
    Some(if keeps && (from.is_unsigned() || wide.is_signed()) { from } else { wide })
}
