//! A small matrix that stays the same is transposed where the elements that are summed do not follow each other: once, as a
//! constant, or before the loop that passes it on as it is (`loop-invariants` moves the transpose there).
//!
//! ```text
//! d = f32[5] dot(a, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}, a = f32[200,5]
//! →
//! t = f32[5,200] transpose(a), dimensions={1,0}
//! d = f32[5] dot(t, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! ```
//!
//! With one result in each lane, a few results keep few sums under way, each of which waits for its last addition. Of rows in
//! line `matrix-vector` makes sums in lanes along the rows.

use super::dots::{Side, sides};
use super::{Expander, Purpose, no_helpers};
use crate::loops::is_worth_turning;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander =
    Expander { name: "turned-matrix", purpose: Purpose::Order, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    matrix(comp, instr, dims).is_some_and(|n| {
        let (left, right) = sides(dims);
        let side = if n == 0 { left } else { right };
        is_turned(comp, comp.operand(instr, n), &side)
    })
}

/// Which operand is the matrix, where the other is a vector and nothing is batched.
fn matrix(comp: &Computation, instr: &Instruction, dims: &DotDims) -> Option<usize> {
    let (left, right) = sides(dims);
    let free = |side: &Side<'_>, n: usize| Some(side.free(&comp.operand(instr, n).shape.as_array()?.dims));
    match (free(&left, 0)?, free(&right, 1)?) {
        _ if !dims.lhs_batch.is_empty() => None,
        (_, 1) => Some(0),
        (1, _) => Some(1),
        _ => None,
    }
}

fn is_turned(comp: &Computation, x: &Instruction, side: &Side<'_>) -> bool {
    let Some(shape) = x.shape.as_array().filter(|a| a.rank() == 2) else { return false };
    side.is_free(1)
        && is_worth_turning(side.free(&shape.dims), side.length(&shape.dims), shape.bytes())
        && is_fixed(comp, x)
}

/// Whether a transpose gives what is made once, for sums along rows.
pub(super) fn is_made_once(comp: &Computation, transpose: &Instruction) -> bool {
    let shape = transpose.shape.as_array().filter(|a| a.rank() == 2);
    shape.is_some_and(|a| is_worth_turning(a.dims[0], a.dims[1], a.bytes()))
        && is_fixed(comp, comp.operand(transpose, 0))
}

/// Whether a value is the same whenever its computation runs: a constant, or an element of a loop's state that the body
/// passes on.
fn is_fixed(comp: &Computation, x: &Instruction) -> bool {
    let Attrs::TupleIndex(n) = x.attrs else { return x.opcode == Opcode::Constant };
    let (state, next) = (comp.operand(x, 0), comp.root());
    let is_same = |o: &InstrId| comp[*o].attrs == x.attrs && comp[*o].operands == x.operands;
    state.opcode == Opcode::Parameter
        && next.opcode == Opcode::Tuple
        && next.shape == state.shape
        && next.operands.get(n).is_some_and(is_same)
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let mut dims = (**dims).clone();
    let mut operands = operands.to_vec();
    let (left, right) = sides(&dims);
    let n = usize::from(right.free(&b.array(operands[1]).dims) > 1);
    let side = if n == 0 { left } else { right };
    let rank = b.array(operands[n]).rank();
    let (free, summed): (Vec<usize>, Vec<usize>) = (0..rank).partition(|&d| side.is_free(d));
    let order = [free, summed].concat();
    let contracting = if n == 0 { &mut dims.lhs_contracting } else { &mut dims.rhs_contracting };
    for d in contracting {
        *d = order.iter().position(|o| o == d).unwrap_or(*d);
    }
    operands[n] = b.transpose(operands[n], &order);
    b.push(Instruction { operands, attrs: Attrs::Dot(Box::new(dims)), ..instr.clone() })
}
