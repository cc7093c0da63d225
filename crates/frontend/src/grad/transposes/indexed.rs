//! What reads where indices say adds there; what writes there reads there.

use super::super::Transposer;
use super::super::indexed::{clamped, gather_inside, gather_of, scatter_of};
use super::super::tape::{Arg, Linear};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{GatherDims, ScatterDims};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    match (op.opcode, &op.attrs) {
        (Opcode::DynamicSlice, Attrs::DynamicSlice(sizes)) => dynamic_slice(cx, op, sizes, ct),
        (Opcode::DynamicUpdateSlice, _) => dynamic_update_slice(cx, op, ct),
        (Opcode::Gather, Attrs::Gather(dims)) => gather(cx, op, dims, ct),
        (Opcode::Scatter, Attrs::Scatter(dims)) => scatter(cx, op, dims, shape, ct),
        (opcode, _) => fault!("`{opcode}` does not read or write where indices say"),
    }
}

/// The operands from number `first` on, which are values.
fn indices(cx: &Transposer<'_, '_>, op: &Linear, first: usize) -> Result<Vec<InstrId>, Fault> {
    let value = |n: usize| match cx.primal(op, n) {
        Some(id) => Ok(id),
        None => fault!("`{}` has tangents for indices", op.opcode),
    };
    (first..op.operands.len()).map(value).collect()
}

/// Adds to the slice of the sum, so that many slices of one array cost no more than what they hold.
fn dynamic_slice(cx: &mut Transposer<'_, '_>, op: &Linear, sizes: &[i64], ct: InstrId) -> Result<(), Fault> {
    let starts = indices(cx, op, 1)?;
    let Some(t) = op.operands[0].tangent() else { return fault!("`dynamic-slice` of no tangent") };
    let whole = cx.shape(t).clone();
    cx.update(t, |e, sum| {
        let (onto, update) = match sum {
            None => (e.zeros(&whole)?, ct),
            Some(sum) => {
                let read = [&[sum], &starts[..]].concat();
                let present = e.op(Opcode::DynamicSlice, &read, Attrs::DynamicSlice(sizes.to_vec()))?;
                (sum, e.add(present, ct)?)
            }
        };
        e.op(Opcode::DynamicUpdateSlice, &[&[onto, update], &starts[..]].concat(), Attrs::None)
    })
}

fn dynamic_update_slice(cx: &mut Transposer<'_, '_>, op: &Linear, ct: InstrId) -> Result<(), Fault> {
    let starts = indices(cx, op, 2)?;
    let update = shape_of(cx, op.operands[1])?;
    if let Some(t) = op.operands[1].tangent() {
        let read = [&[ct], &starts[..]].concat();
        let sizes = Attrs::DynamicSlice(update.dims.clone());
        let back = cx.emit.op(Opcode::DynamicSlice, &read, sizes)?;
        cx.contribute(t, back)?;
    }
    if let Some(t) = op.operands[0].tangent() {
        let zeros = cx.emit.zeros(&update)?;
        let operands = [&[ct, zeros], &starts[..]].concat();
        let back = cx.emit.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)?;
        cx.contribute(t, back)?;
    }
    Ok(())
}

fn shape_of(cx: &Transposer<'_, '_>, arg: Arg) -> Result<ArrayShape, Fault> {
    match arg {
        Arg::Tangent(t) => Ok(cx.shape(t).clone()),
        Arg::Primal(id) => Ok(cx.emit.array(cx.residual(id))?.clone()),
    }
}

/// Scatters onto the sum.
fn gather(cx: &mut Transposer<'_, '_>, op: &Linear, dims: &GatherDims, ct: InstrId) -> Result<(), Fault> {
    let at = indices(cx, op, 1)?[0];
    let Some(t) = op.operands[0].tangent() else { return fault!("`gather` of no tangent") };
    let whole = cx.shape(t).clone();
    cx.update(t, |e, sum| {
        let onto = match sum {
            Some(sum) => sum,
            None => e.zeros(&whole)?,
        };
        let at = clamped(e, at, dims, &whole.dims)?;
        let to_apply = e.scalar_computation(Opcode::Add, whole.dtype)?;
        e.op(Opcode::Scatter, &[onto, at, ct], Attrs::Scatter(Box::new(scatter_of(dims, to_apply))))
    })
}

/// Rules record scatters that add, that multiply by values, and that write to different places.
fn scatter(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    dims: &ScatterDims,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    let Some(at) = cx.primal(op, 1) else { return fault!("`scatter` has tangents for indices") };
    let combines = cx.emit.graph.computation(dims.to_apply).as_simple_binary();
    let update = shape_of(cx, op.operands[2])?;
    if let Some(t) = op.operands[2].tangent() {
        let g = gather_of(dims, shape, &update);
        let back = gather_inside(cx.emit, ct, at, &g)?;
        cx.contribute(t, back)?;
    }
    if let Some(t) = op.operands[0].tangent() {
        let again = |e: &mut Emit<'_>, update| e.op(Opcode::Scatter, &[ct, at, update], op.attrs.clone());
        let back = match (combines, cx.primal(op, 2)) {
            (Some(Opcode::Add), _) => ct,
            (Some(Opcode::Multiply), Some(by)) => again(cx.emit, by)?,
            (None, _) => {
                let zeros = cx.emit.zeros(&update)?;
                again(cx.emit, zeros)?
            }
            (other, _) => return fault!("`scatter` by {other:?} is not linear"),
        };
        cx.contribute(t, back)?;
    }
    Ok(())
}
