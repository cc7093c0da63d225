//! The transposes of `dot` in either operand are dots.

use super::super::Transposer;
use super::super::tape::Linear;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode, Shape};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    _shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    let Attrs::Dot(dims) = &op.attrs else { return fault!("`dot` lacks its dimensions") };
    for side in 0..2 {
        let (Some(t), Some(other)) = (op.operands[side].tangent(), cx.primal(op, 1 - side)) else { continue };
        let back = in_operand(cx, dims, side, &cx.shape(t).clone(), other, ct)?;
        cx.contribute(t, back)?;
    }
    Ok(())
}

/// The result of a dot has batch dimensions, free ones of the left, free ones of the right. The cotangent is contracted with
/// the other operand along that one's free dimensions. It stands on the side of the operand that it replaces, so that most
/// often nothing has to be transposed.
fn in_operand(
    cx: &mut Transposer<'_, '_>,
    dims: &DotDims,
    side: usize,
    shape: &ArrayShape,
    other: InstrId,
    ct: InstrId,
) -> Result<InstrId, Fault> {
    let e = &mut *cx.emit;
    let (own, others) = match side {
        0 => ((&dims.lhs_batch, &dims.lhs_contracting), (&dims.rhs_batch, &dims.rhs_contracting)),
        _ => ((&dims.rhs_batch, &dims.rhs_contracting), (&dims.lhs_batch, &dims.lhs_contracting)),
    };
    let free = |rank: usize, (batch, contracting): (&Vec<usize>, &Vec<usize>)| -> Vec<usize> {
        (0..rank).filter(|d| !batch.contains(d) && !contracting.contains(d)).collect()
    };
    let own_free = free(shape.rank(), own);
    let other_free = free(e.array(other)?.rank(), others);
    let batch: Vec<usize> = (0..own.0.len()).collect();
    let ahead = batch.len() + if side == 0 { own_free.len() } else { 0 };
    let in_ct: Vec<usize> = (ahead..ahead + other_free.len()).collect();

    // Dimensions of the operand in the order of the result: those left of the other operand are contracting ones.
    let mut contracted: Vec<(usize, usize)> = others.1.iter().copied().zip(own.1.iter().copied()).collect();
    contracted.sort_unstable();
    let contracted: Vec<usize> = contracted.into_iter().map(|(_, own)| own).collect();
    let order = match side {
        0 => [&own.0[..], &own_free, &contracted].concat(),
        _ => [&own.0[..], &contracted, &own_free].concat(),
    };
    let found = Shape::array(shape.dtype, order.iter().map(|&d| shape.dims[d]).collect::<Vec<_>>());
    let (operands, dims) = match side {
        0 => (
            [ct, other],
            DotDims {
                lhs_contracting: in_ct,
                rhs_contracting: other_free,
                lhs_batch: batch,
                rhs_batch: others.0.clone(),
            },
        ),
        _ => (
            [other, ct],
            DotDims {
                lhs_contracting: other_free,
                rhs_contracting: in_ct,
                lhs_batch: others.0.clone(),
                rhs_batch: batch,
            },
        ),
    };
    let product = e.op_shaped(Opcode::Dot, found, &operands, Attrs::Dot(Box::new(dims)))?;
    e.untranspose(product, &order)
}
