//! A `dot` of many small matrices becomes sums of products that are computed element by element.
//!
//! ```text
//! d = f32[n,3,3] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
//! →
//! d = a[:,:,0]·b[:,0,:] + a[:,:,1]·b[:,1,:] + a[:,:,2]·b[:,2,:]      each factor broadcast to f32[n,3,3]
//! ```
//!
//! Nothing of a matrix is read so often that packing it or a tile of registers would pay, and vectors along its rows are
//! short. As a map the lanes lie along the matrices, whose elements are read and stored in whole vectors, and what comes before
//! and after joins it. The terms are added in the order of a dot, but each product is rounded before: not in `strict`.

use super::dots::{Side, accumulator, sides};
use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander =
    Expander { name: "small-dot", purpose: Purpose::Order, applies, helpers: no_helpers, expand };

/// Terms of a sum, and rows or columns of the matrices: all elements of a matrix are in registers at once.
const MOST: i64 = 4;
/// Results of a matrix. Rows of 16 fill vectors of their own.
const MOST_RESULTS: i64 = 12;
/// So many matrices fill the vectors of a loop.
const MANY: i64 = 64;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let [Some(x), Some(y)] = [0, 1].map(|n| comp.operand(instr, n).shape.as_array()) else { return false };
    let Some(result) = instr.shape.as_array() else { return false };
    let plain = |dtype: DType| dtype.is_float() || dtype.is_integer();
    let (left, right) = sides(dims);
    let matrices = left.batch.iter().fold(1i64, |n, &d| n.saturating_mul(x.dims[d]));
    let few = |n: i64| (1..=MOST).contains(&n);
    let (rows, columns) = (left.free(&x.dims), right.free(&y.dims));
    plain(result.dtype)
        && plain(accumulator(instr, [x.dtype, y.dtype]))
        && matrices >= MANY
        && left.contracting.len() == 1
        && few(left.length(&x.dims))
        && few(rows)
        && few(columns)
        && rows * columns <= MOST_RESULTS
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let result = instr.shape.expect_array().clone();
    let accumulator = accumulator(instr, [x, y].map(|id| b.array(id).dtype));
    let (left, right) = sides(dims);
    let batch = left.batch.len();
    // The result has the batched dimensions, then those of the left matrix, then those of the right one.
    let between = b.array(x).rank() - left.contracting.len();
    let of_left: Vec<usize> = (0..between).collect();
    let of_right: Vec<usize> = (0..batch).chain(between..result.rank()).collect();
    let term = |b: &mut Builder<'_>, n: i64| {
        let x = factor(b, (x, accumulator), &left, n);
        let y = factor(b, (y, accumulator), &right, n);
        let (x, y) = (b.broadcast(x, &result.dims, &of_left), b.broadcast(y, &result.dims, &of_right));
        b.binary(Opcode::Multiply, x, y)
    };
    let length = left.length(&b.array(x).dims);
    let mut sum = term(b, 0);
    for n in 1..length {
        let term = term(b, n);
        sum = b.binary(Opcode::Add, sum, term);
    }
    b.convert(sum, result.dtype)
}

/// What a term has of an operand: the elements at a place of the contracted dimension, the batched dimensions first.
fn factor(b: &mut Builder<'_>, (id, dtype): (InstrId, DType), side: &Side<'_>, n: i64) -> InstrId {
    let dims = b.array(id).dims.clone();
    let contracted = side.contracting[0];
    let slice = make::slice(b, id, contracted, n, n + 1);
    let left: Vec<usize> = (0..dims.len()).filter(|&d| d != contracted).collect();
    let extents: Vec<i64> = left.iter().map(|&d| dims[d]).collect();
    let elements = b.reshape(slice, &extents);
    let free = left.iter().copied().filter(|&d| side.is_free(d));
    let wanted = side.batch.iter().copied().chain(free);
    let order: Vec<usize> = wanted.filter_map(|d| left.iter().position(|&l| l == d)).collect();
    let elements = if order.is_sorted() { elements } else { b.transpose(elements, &order) };
    b.convert(elements, dtype)
}
