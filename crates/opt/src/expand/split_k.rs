//! A `dot` with few results, each a long sum, becomes a batch of products of parts, whose results are added.
//!
//! ```text
//! d = f32[16,8] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}, x = f32[65536,16]
//! →
//! p = f32[32,2048,16] reshape(x)
//! q = f32[32,2048,8] reshape(y)
//! s = f32[32,16,8] dot(p, q), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={1}
//! d = f32[16,8] reduce(s, 0), dimensions={0}, to_apply=add
//! ```
//!
//! Results are what a product divides among tasks, and these few are one or two; the parts are as many more. Such are the gradients of
//! the weights of narrow layers, which sum over all rows of a batch. (Known as split-K in libraries of matrix products.)

use super::dots::{accumulator, helpers, sides};
use super::{Expander, Purpose};
use crate::make;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Literal, Module, Scalar, Shape,
};

pub const EXPANDER: Expander =
    Expander { name: "split-k", purpose: Purpose::Order, applies, helpers, expand };

/// More results make tasks enough.
const FEW: i64 = 64 * 64;
/// Elements that a part sums, at least: adding its results is then a small part of the work.
const PART: i64 = 2048;
/// Parts, at least and at most.
const PARTS: std::ops::RangeInclusive<i64> = 4..=32;
/// Multiply-adds that are worth dividing, some tens of microseconds.
const WORK: i64 = 1 << 20;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let [x, y, result] = [comp.operand(instr, 0), comp.operand(instr, 1), instr].map(|i| i.shape.as_array());
    let (Some(x), Some(y), Some(result)) = (x, y, result) else { return false };
    let sums = accumulator(instr, [x.dtype, y.dtype]);
    let (left, right) = sides(dims);
    let results = result.elements();
    (sums.is_float() || sums.is_integer())
        // A vector has no use for a tile: `matrix-vector` says what becomes of it.
        && left.free(&x.dims) > 1
        && right.free(&y.dims) > 1
        && results <= FEW
        && results.saturating_mul(left.length(&x.dims)) >= WORK
        && parts(dims, x).is_some()
}

/// Which of the contracted dimensions is divided, and into how many parts: the outermost of the left operand, so that parts lie apart.
fn parts(dims: &DotDims, x: &ArrayShape) -> Option<(usize, i64)> {
    let length: i64 = dims.lhs_contracting.iter().map(|&d| x.dims[d]).product();
    let (n, &d) = dims.lhs_contracting.iter().enumerate().min_by_key(|&(_, &d)| d)?;
    let most = (length / PART).min(*PARTS.end());
    let divides = |parts: &i64| x.dims[d] % parts == 0;
    (*PARTS.start()..=most).rev().find(divides).map(|parts| (n, parts))
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let result = instr.shape.expect_array();
    let accumulator = accumulator(instr, [x, y].map(|id| b.array(id).dtype));
    let (n, parts) = parts(dims, b.array(x)).expect("checked by applies");
    let mut new = (**dims).clone();
    let x = divided(b, x, parts, (&mut new.lhs_batch, &mut new.lhs_contracting), n);
    let y = divided(b, y, parts, (&mut new.rhs_batch, &mut new.rhs_contracting), n);
    let batches = dims.lhs_batch.len();
    let mut extents = result.dims.to_vec();
    extents.insert(batches, parts);
    let shape = Shape::Array(ArrayShape::new(accumulator, extents));
    let (attrs, operands) = (Attrs::Dot(Box::new(new)), vec![x, y]);
    let of_parts = b.push(Instruction { shape, operands, attrs, ..instr.clone() });
    let zero = b.constant(Literal::scalar(accumulator, Scalar::zero(accumulator)));
    let sums = make::reduce(b, of_parts, zero, vec![batches], helpers[0]);
    b.convert(sums, result.dtype)
}

/// The operand with contracted dimension `n` in so many parts, which are one more dimension of its batches.
fn divided(
    b: &mut Builder<'_>,
    x: InstrId,
    parts: i64,
    (batch, contracting): (&mut Vec<usize>, &mut Vec<usize>),
    n: usize,
) -> InstrId {
    let d = contracting[n];
    let mut extents = b.array(x).dims.to_vec();
    extents[d] /= parts;
    extents.insert(d, parts);
    batch.iter_mut().chain(contracting.iter_mut()).filter(|other| **other >= d).for_each(|other| *other += 1);
    batch.push(d);
    b.reshape(x, &extents)
}
