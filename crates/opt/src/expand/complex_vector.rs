//! A `dot` of complex numbers with a vector on one side becomes a sum of products.
//!
//! ```text
//! d = c64[m] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! →
//! b = c64[m,n] broadcast(y), dimensions={1}
//! p = c64[m,n] multiply(x, b)
//! d = c64[m] reduce(p, 0), dimensions={1}, to_apply=add
//! ```
//!
//! Elements of the matrix are used once, so there is nothing that a product of matrices would keep in registers. The four products of
//! parts that `split-composites` makes otherwise read every other element, and each matrix twice; a sum reads whole vectors, once. It adds
//! in another order: not in `strict`.

use super::dots::{arranged, sides};
use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Literal, Module, Opcode, Scalar};

pub const EXPANDER: Expander =
    Expander { name: "complex-vector", purpose: Purpose::Order, applies, helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let [x, y, result] = [comp.operand(instr, 0), comp.operand(instr, 1), instr].map(|i| i.shape.as_array());
    let (Some(x), Some(y), Some(result)) = (x, y, result) else { return false };
    let (left, right) = sides(dims);
    [x, y, result].iter().all(|a| a.dtype.is_complex() && a.dtype == result.dtype)
        && left.length(&x.dims) > 0
        && (left.free(&x.dims) == 1 || right.free(&y.dims) == 1)
}

fn helpers(new: &mut Rebuild<'_>, _: &Computation, instr: &Instruction) -> Vec<CompId> {
    let add = make::scalar_binary(new.module, Opcode::Add, instr.shape.expect_array().dtype, &instr.origin);
    vec![new.add(add)]
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let (left, right) = sides(dims);
    let is_vector = right.free(&b.array(y).dims) == 1;
    let (matrix, vector, of_matrix, of_vector) =
        if is_vector { (x, y, left, right) } else { (y, x, right, left) };
    // The dimensions of the vector that the matrix has too, in the order that it has them in.
    let pairs = |matrix: &[usize], vector: &[usize]| {
        matrix.iter().copied().zip(vector.iter().copied()).collect::<Vec<_>>()
    };
    let mut shared =
        [pairs(of_matrix.batch, of_vector.batch), pairs(of_matrix.contracting, of_vector.contracting)]
            .concat();
    shared.sort_unstable();
    let (at, from): (Vec<usize>, Vec<usize>) = shared.into_iter().unzip();
    let alone = (0..b.array(vector).rank()).filter(|&d| of_vector.is_free(d));
    let order: Vec<usize> = alone.chain(from.iter().copied()).collect();
    let turned = arranged(b, vector, &order);
    let extents: Vec<i64> = at.iter().map(|&d| b.array(matrix).dims[d]).collect();
    let turned = b.reshape(turned, &extents);
    let shape = b.shape(matrix).clone();
    let spread = b.add_shaped(Opcode::Broadcast, shape, &[turned], Attrs::Dims(at));
    let product = b.binary(Opcode::Multiply, matrix, spread);
    let result = instr.shape.expect_array();
    let zero = b.constant(Literal::scalar(result.dtype, Scalar::Complex(0.0, 0.0)));
    // What is left of the matrix's dimensions: those of the batch come first in a result.
    let kept: Vec<usize> =
        (0..b.array(matrix).rank()).filter(|d| !of_matrix.contracting.contains(d)).collect();
    let sum = make::reduce(b, product, zero, of_matrix.contracting.to_vec(), helpers[0]);
    let free = kept.iter().copied().filter(|&d| of_matrix.is_free(d));
    let place = |d: usize| kept.iter().position(|&k| k == d).expect("it is left");
    let order: Vec<usize> = of_matrix.batch.iter().copied().chain(free).map(place).collect();
    let sum = arranged(b, sum, &order);
    b.reshape(sum, &result.dims)
}
