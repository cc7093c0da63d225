//! A product whose rows a `dot` with a vector sums has its sides exchanged, where they then lie in line.
//!
//! ```text
//! d = f32[o,j,b] dot(w, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}
//! e = f32[b,o] dot(y, d), lhs_batch_dims={0}, rhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_contracting_dims={1}
//! →
//! d = f32[b,o,j] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}
//! e = f32[b,o] dot(y, d), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={2}
//! ```
//!
//! `jax.numpy.einsum` of several arrays (bilinear forms) writes them so. `matrix-vector` makes sums along the rows of the second,
//! each element of which is used once. A product that others read too stays.

use super::dots::{Side, exchanged, is_read_once, sides};
use super::matrix_vector::is_long_enough;
use super::{Expander, Purpose, no_helpers};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module};

pub const EXPANDER: Expander =
    Expander { name: "exchanged-dot", purpose: Purpose::Order, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let shape = |n: usize| &comp.operand(instr, n).shape.expect_array().dims;
    let (left, right) = sides(dims);
    if !is_long_enough(left.length(shape(0))) {
        return false;
    }
    match (left.free(shape(0)), right.free(shape(1))) {
        (_, 1) => is_better(comp, instr, 0, &left),
        (1, _) => is_better(comp, instr, 1, &right),
        _ => false,
    }
}

/// Whether this operand, the matrix, is a product of which the innermost dimension is summed once its sides are exchanged, and is not
/// as it is.
fn is_better(comp: &Computation, instr: &Instruction, n: usize, side: &Side<'_>) -> bool {
    let product = comp.operand(instr, n);
    let Attrs::Dot(dims) = &product.attrs else { return false };
    let batch = dims.lhs_batch.len();
    let left = comp.operand(product, 0).shape.expect_array().rank() - batch - dims.lhs_contracting.len();
    let rank = product.shape.expect_array().rank();
    let is_summed = |d: usize| side.contracting.contains(&d);
    left > 0
        && batch + left < rank
        && is_summed(batch + left - 1)
        && !is_summed(rank - 1)
        && is_read_once(comp, instr.operands[n])
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let (mut operands, mut made) = (operands.to_vec(), instr.clone());
    let Attrs::Dot(dims) = &mut made.attrs else { unreachable!("checked by applies") };
    let (_, right) = sides(dims);
    let n = usize::from(right.free(&b.array(operands[1]).dims) != 1);
    if let Some((product, order)) = exchanged(b, operands[n]) {
        operands[n] = product;
        let (batch, contracting) = match n {
            0 => (&mut dims.lhs_batch, &mut dims.lhs_contracting),
            _ => (&mut dims.rhs_batch, &mut dims.rhs_contracting),
        };
        for d in batch.iter_mut().chain(contracting) {
            *d = order.iter().position(|o| o == d).unwrap_or(*d);
        }
    }
    b.push(Instruction { operands, ..made })
}
