//! A `dot` with an operand that is the same along dimensions of its own is computed once for all of them.
//!
//! ```text
//! w = f32[k,n] broadcast(x), dimensions={0}
//! d = f32[m,n] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! →
//! w = f32[k] broadcast(x), dimensions={0}
//! e = f32[m] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! d = f32[m,n] broadcast(e), dimensions={0}
//! ```
//!
//! Derivatives of sums are such products: what comes from the end is the same everywhere.

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "broadcast-dot", purpose: Purpose::Form, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    side(instr, &instr.operands, &|id| &comp[id]).is_some()
}

/// The operand that is the same along some of its free dimensions, and these.
fn side<'i>(
    instr: &Instruction,
    operands: &[InstrId],
    get: &dyn Fn(InstrId) -> &'i Instruction,
) -> Option<(usize, Vec<usize>)> {
    let Attrs::Dot(dims) = &instr.attrs else { return None };
    (0..2).find_map(|n| {
        let operand = get(operands[n]);
        let (Opcode::Broadcast, Attrs::Dims(varying)) = (operand.opcode, &operand.attrs) else { return None };
        let extents = &operand.shape.as_array()?.dims;
        let same = |&d: &usize| extents[d] > 1 && !varying.contains(&d) && is_free(dims, n, d);
        let same: Vec<usize> = (0..extents.len()).filter(same).collect();
        (!same.is_empty()).then_some((n, same))
    })
}

fn is_free(dims: &DotDims, operand: usize, d: usize) -> bool {
    let (batch, contracting) = match operand {
        0 => (&dims.lhs_batch, &dims.lhs_contracting),
        _ => (&dims.rhs_batch, &dims.rhs_contracting),
    };
    !batch.contains(&d) && !contracting.contains(&d)
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let found = side(instr, operands, &|id| b.get(id));
    let Some((n, same)) = found else { unreachable!("checked by applies") };
    let result = instr.shape.expect_array().clone();
    let broadcast = b.get(operands[n]).clone();
    let Attrs::Dims(varying) = &broadcast.attrs else { unreachable!("checked by applies") };
    let extents = &broadcast.shape.expect_array().dims;
    // Dimensions that are left, by their numbers before.
    let kept: Vec<usize> = (0..extents.len()).filter(|d| !same.contains(d)).collect();
    let renamed = |all: &[usize]| -> Vec<usize> {
        all.iter().filter_map(|d| kept.iter().position(|k| k == d)).collect()
    };
    let small: Vec<i64> = kept.iter().map(|&d| extents[d]).collect();
    let mut factors = operands.to_vec();
    factors[n] = b.broadcast(broadcast.operands[0], &small, &renamed(varying));
    let mut dot = dims.clone();
    let (batch, contracting) = match n {
        0 => (&mut dot.lhs_batch, &mut dot.lhs_contracting),
        _ => (&mut dot.rhs_batch, &mut dot.rhs_contracting),
    };
    (*batch, *contracting) = (renamed(batch), renamed(contracting));
    // Of the result they are behind the batch, those of the right side behind those of the left.
    let free = |operand: usize| {
        let rank = b.array(operands[operand]).rank();
        (0..rank).filter(move |&d| is_free(dims, operand, d)).map(move |d| (operand, d))
    };
    let own = |(at, (operand, d)): (usize, (usize, usize))| {
        (operand != n || !same.contains(&d)).then_some(dims.lhs_batch.len() + at)
    };
    let left = free(0).chain(free(1)).enumerate().filter_map(own);
    let places: Vec<usize> = (0..dims.lhs_batch.len()).chain(left).collect();
    let shape = Shape::array(result.dtype, places.iter().map(|&d| result.dims[d]).collect::<Vec<_>>());
    let product = b.add_shaped(Opcode::Dot, shape, &factors, Attrs::Dot(dot));
    b.get_mut(product).notes = instr.notes.clone();
    b.broadcast(product, &result.dims, &places)
}
