//! A `dot` of a matrix and a vector becomes a sum of products along its rows, or down its columns.
//!
//! ```text
//! d = f32[m] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! →
//! w = f32[m,k] broadcast(x), dimensions={1}
//! p = f32[m,k] multiply(a, w)
//! d = f32[m] reduce(p, 0), dimensions={1}, to_apply=add
//! ```
//!
//! Each element of the matrix is used once, so that there is nothing a register tile would keep. Lanes along the rows
//! read it in line; of long rows that are added to each other many vectors are under way at once, and several tasks
//! divide the rows. What comes before and after joins it as it does any sum. The products are rounded to the accumulator, and
//! the order is that of sums instead of the one chain of a dot: not in `strict`.

use super::dots::{Side, accumulator, helpers, sides};
use super::turned_matrix::is_made_once;
use super::{Expander, Purpose};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Literal, Module, Opcode, Scalar};

pub const EXPANDER: Expander =
    Expander { name: "matrix-vector", purpose: Purpose::Order, applies, helpers, expand };

/// Rows of at most so many elements are folded in lanes along the results, whichever the operation …
const SHORT: i64 = 16;
/// … but those of so many that lie in line are read in whole vectors as a sum, and element by element as a product.
const TURNED: [i64; 4] = [8, 9, 12, 16];
/// Rows of so many elements fill the vectors that a sum down columns has under way.
const LONG: i64 = 256;
/// Rows of so many elements fill those of several tasks.
const WIDE: i64 = 1024;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let [x, y] = [0, 1].map(|n| comp.operand(instr, n));
    let [Some(x_shape), Some(y_shape), Some(result)] = [x, y, instr].map(|i| i.shape.as_array()) else {
        return false;
    };
    let plain = |dtype: DType| dtype.is_float() || dtype.is_integer();
    let (left, right) = sides(dims);
    plain(result.dtype)
        && plain(accumulator(instr, [x_shape.dtype, y_shape.dtype]))
        && is_long_enough(left.length(&x_shape.dims))
        && match (left.free(&x_shape.dims), right.free(&y_shape.dims)) {
            (_, 1) => is_better(&left, comp, x),
            (1, _) => is_better(&right, comp, y),
            _ => false,
        }
}

/// Whether rows of so many elements are folded as sums.
pub(super) fn is_long_enough(length: i64) -> bool {
    length > SHORT || TURNED.contains(&length)
}

/// Whether the elements that are summed are neighbours in memory, since the innermost dimension of some length is
/// contracted, of the array that a transpose reads, if it is not one that `turned-matrix` has made; or rows are long, but
/// not wide, and no other matrices follow.
fn is_better<'c>(side: &Side<'_>, comp: &'c Computation, mut x: &'c Instruction) -> bool {
    let mut named: Vec<usize> = (0..x.shape.expect_array().rank()).collect();
    while let (Opcode::Transpose, Attrs::Dims(permutation)) = (x.opcode, &x.attrs)
        && !is_made_once(comp, x)
    {
        let mut read = named.clone();
        permutation.iter().zip(&named).for_each(|(&from, &to)| read[from] = to);
        named = read;
        x = comp.operand(x, 0);
    }
    let dims = &x.shape.expect_array().dims;
    let minor = (0..dims.len()).rev().find(|&d| dims[d] > 1);
    // Of wide rows, as they are added to each other, several tasks have columns of their own: that is what a product does.
    let long = |d: usize| side.batch.is_empty() && (LONG..WIDE).contains(&dims[d]);
    minor.is_some_and(|d| side.contracting.contains(&named[d]) || long(d))
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let result = instr.shape.expect_array().clone();
    let accumulator = accumulator(instr, [x, y].map(|id| b.array(id).dtype));
    let (left, right) = sides(dims);
    // The matrix, and the vector that has none but batched and contracted dimensions of any length.
    let ((matrix, of_matrix), (vector, of_vector)) = match right.free(&b.array(y).dims) {
        1 => ((x, left), (y, right)),
        _ => ((y, right), (x, left)),
    };
    let shape = b.array(matrix).dims.clone();
    let of = |d: &usize| {
        let place = |at: &[usize], to: &[usize]| at.iter().position(|a| a == d).map(|n| to[n]);
        place(of_vector.batch, of_matrix.batch)
            .or_else(|| place(of_vector.contracting, of_matrix.contracting))
    };
    let kept: Vec<(i64, usize)> =
        (0..b.array(vector).rank()).filter_map(|d| of(&d).map(|to| (b.array(vector).dims[d], to))).collect();
    let (extents, places): (Vec<i64>, Vec<usize>) = kept.into_iter().unzip();
    let vector = b.reshape(vector, &extents);
    let [matrix, vector] = [matrix, vector].map(|id| b.convert(id, accumulator));
    let vector = b.broadcast(vector, &shape, &places);
    let products = b.binary(Opcode::Multiply, matrix, vector);
    let zero = b.constant(Literal::scalar(accumulator, Scalar::zero(accumulator)));
    let mut contracted = of_matrix.contracting.to_vec();
    contracted.sort_unstable();
    let sums = make::reduce(b, products, zero, contracted, helpers[0]);
    // What is left of the matrix stands in its own order, that of the result is batched dimensions first.
    let left: Vec<usize> = (0..shape.len()).filter(|d| !of_matrix.contracting.contains(d)).collect();
    let free = left.iter().copied().filter(|&d| of_matrix.is_free(d));
    let wanted: Vec<usize> = of_matrix.batch.iter().copied().chain(free).collect();
    let order: Vec<usize> = wanted.iter().filter_map(|d| left.iter().position(|l| l == d)).collect();
    let sums = if order.is_sorted() { sums } else { b.transpose(sums, &order) };
    let sums = b.convert(sums, result.dtype);
    b.reshape(sums, &result.dims)
}
