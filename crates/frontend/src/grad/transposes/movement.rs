//! Elements go back to where they came from; those that came from one place are added up.

use super::super::Transposer;
use super::super::tape::{Linear, Tangent};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{PadDim, SliceDim};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar};

/// A slice of less than one element in so many is added to the sum in place.
const SMALL_SLICE: i64 = 8;

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    _shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    match (op.opcode, &op.attrs) {
        (Opcode::Concatenate, Attrs::Dims(dims)) => return concatenate(cx, op, dims[0], ct),
        (Opcode::Pad, Attrs::Pad(padding)) => return pad(cx, op, padding, ct),
        _ => {}
    }
    let Some(t) = op.operands[0].tangent() else { return fault!("`{}` of no tangent", op.opcode) };
    let dims = cx.shape(t).dims.clone();
    let e = &mut *cx.emit;
    let back = match (op.opcode, &op.attrs) {
        (Opcode::Reshape, _) => e.reshape(ct, &dims)?,
        (opcode @ (Opcode::BitReverse | Opcode::Reverse), _) => e.op(opcode, &[ct], op.attrs.clone())?,
        (Opcode::Transpose, Attrs::None) => ct,
        (Opcode::Transpose, Attrs::Dims(order)) => e.untranspose(ct, order)?,
        (Opcode::Broadcast, Attrs::Dims(map)) => broadcast(e, map, ct)?,
        (Opcode::Broadcast, Attrs::None) => broadcast(e, &[], ct)?,
        (Opcode::Slice, Attrs::Slice(ranges)) => return slice(cx, t, ranges, ct),
        (opcode, _) => return fault!("`{opcode}` does not only move elements"),
    };
    cx.contribute(t, back)
}

fn broadcast(e: &mut Emit<'_>, map: &[usize], ct: InstrId) -> Result<InstrId, Fault> {
    let rank = e.array(ct)?.rank();
    let gone: Vec<usize> = (0..rank).filter(|d| !map.contains(d)).collect();
    let sum = e.sum(ct, &gone)?;
    // What is left stands in the order of the result: operand dimension i is the one at the place of map[i].
    let order: Vec<usize> = map.iter().map(|d| map.iter().filter(|other| *other < d).count()).collect();
    e.transpose(sum, &order)
}

fn slice(cx: &mut Transposer<'_, '_>, t: Tangent, ranges: &[SliceDim], ct: InstrId) -> Result<(), Fault> {
    let whole = cx.shape(t).clone();
    cx.update(t, |e, sum| {
        let piece = e.array(ct)?.elements();
        let dense = ranges.iter().all(|r| r.stride == 1);
        if let Some(sum) = sum
            && dense
            && piece.saturating_mul(SMALL_SLICE) <= whole.elements()
        {
            let present = e.slice(sum, ranges.to_vec())?;
            let joined = e.add(present, ct)?;
            let mut operands = vec![sum, joined];
            for r in ranges {
                operands.push(e.constant(Literal::scalar(DType::S64, Scalar::Signed(r.start))));
            }
            return e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None);
        }
        let zero = e.scalar(whole.dtype, 0.0);
        let extents = e.dims(ct)?;
        let padding = ranges.iter().zip(&extents).zip(&whole.dims).map(|((r, &n), &extent)| {
            let reach = if n == 0 { 0 } else { (n - 1) * r.stride + 1 };
            PadDim { low: r.start, high: extent - r.start - reach, interior: r.stride - 1 }
        });
        let back = e.op(Opcode::Pad, &[ct, zero], Attrs::Pad(padding.collect()))?;
        match sum {
            None => Ok(back),
            Some(sum) => e.add(sum, back),
        }
    })
}

fn concatenate(cx: &mut Transposer<'_, '_>, op: &Linear, dim: usize, ct: InstrId) -> Result<(), Fault> {
    let dims = cx.emit.dims(ct)?;
    let mut start = 0;
    for arg in &op.operands {
        let extent = match *arg {
            super::super::Arg::Tangent(t) => cx.shape(t).dims[dim],
            super::super::Arg::Primal(id) => cx.emit.dims(cx.residual(id))?[dim],
        };
        if let Some(t) = arg.tangent() {
            let mut ranges: Vec<SliceDim> =
                dims.iter().map(|&d| SliceDim { start: 0, limit: d, stride: 1 }).collect();
            ranges[dim] = SliceDim { start, limit: start + extent, stride: 1 };
            let piece = cx.emit.slice(ct, ranges)?;
            cx.contribute(t, piece)?;
        }
        start += extent;
    }
    Ok(())
}

/// The elements lie between the padding; the padding value is everywhere else.
fn pad(cx: &mut Transposer<'_, '_>, op: &Linear, padding: &[PadDim], ct: InstrId) -> Result<(), Fault> {
    let x = match op.operands[0] {
        super::super::Arg::Tangent(t) => cx.shape(t).clone(),
        super::super::Arg::Primal(id) => cx.emit.array(cx.residual(id))?.clone(),
    };
    if let Some(t) = op.operands[0].tangent() {
        let e = &mut *cx.emit;
        let zero = e.scalar(x.dtype, 0.0);
        let crop = padding.iter().map(|p| PadDim { low: -p.low, high: -p.high, interior: 0 });
        let cropped = e.op(Opcode::Pad, &[ct, zero], Attrs::Pad(crop.collect()))?;
        let extents = e.dims(cropped)?;
        let ranges = padding.iter().zip(&extents);
        let ranges = ranges.map(|(p, &n)| SliceDim { start: 0, limit: n, stride: p.interior + 1 });
        let back = e.slice(cropped, ranges.collect())?;
        cx.contribute(t, back)?;
    }
    if let Some(t) = op.operands[1].tangent() {
        let e = &mut *cx.emit;
        let elements = e.zeros(&x.with_dtype(DType::Pred))?;
        let yes = e.constant(Literal::scalar(DType::Pred, Scalar::Pred(true)));
        let mask = e.op(Opcode::Pad, &[elements, yes], op.attrs.clone())?;
        let zeros = e.splat_like(ct, 0.0)?;
        let outside = e.select(mask, ct, zeros)?;
        let all: Vec<usize> = (0..x.rank()).collect();
        let back = e.sum(outside, &all)?;
        cx.contribute(t, back)?;
    }
    Ok(())
}
