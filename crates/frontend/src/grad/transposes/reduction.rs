//! Sums along dimensions and over windows, and what distributes to selected elements.

use super::super::Transposer;
use super::super::rules::{kept_positions, take_flat};
use super::super::tape::Linear;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::{Window, WindowDim};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    match (op.opcode, &op.attrs) {
        (Opcode::Reduce, Attrs::Reduce { dims, .. }) => {
            let Some(t) = op.operands[0].tangent() else { return fault!("`reduce` of no tangent") };
            let whole = cx.shape(t).dims.clone();
            let kept: Vec<usize> = (0..whole.len()).filter(|d| !dims.contains(d)).collect();
            let back = cx.emit.broadcast(ct, &whole, &kept)?;
            cx.contribute(t, back)
        }
        (Opcode::ReduceWindow, Attrs::ReduceWindow { window, .. }) => windows(cx, op, window, shape, ct),
        (Opcode::SelectAndScatter, Attrs::SelectAndScatter { window, select, .. }) => {
            let (Some(t), Some(x)) = (op.operands[1].tangent(), cx.primal(op, 0)) else {
                return fault!("`select-and-scatter` of no tangent");
            };
            let at = kept_positions(cx.emit, x, window, *select)?;
            let back = take_flat(cx.emit, ct, at)?;
            cx.contribute(t, back)
        }
        (opcode, _) => fault!("`{opcode}` is no sum"),
    }
}

/// Each element goes to the windows that hold it: a sum over windows of the cotangent, whose strides are dilations.
fn windows(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    window: &Window,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    let Some(t) = op.operands[0].tangent() else { return fault!("`reduce-window` of no tangent") };
    let whole = cx.shape(t).clone();
    if whole.elements() == 0 || shape.elements() == 0 {
        let zeros = cx.emit.zeros(&whole)?;
        return cx.contribute(t, zeros);
    }
    let extents = shape.dims.iter().zip(&whole.dims);
    let window: Window = window.iter().zip(extents).map(|(w, (&out, &x))| reversed(w, out, x)).collect();
    let e = &mut *cx.emit;
    let zero = e.scalar(whole.dtype, 0.0);
    let to_apply = e.scalar_computation(Opcode::Add, whole.dtype)?;
    let back = e.op(Opcode::ReduceWindow, &[ct, zero], Attrs::ReduceWindow { window, to_apply })?;
    cx.contribute(t, back)
}

/// The window over `out` results that gives `extent` elements, for each those of the windows that hold it.
///
/// Element i is in window o at place k where i·base = o·stride + k·dilation − low. With k counted from the end that is a
/// window over the results, dilated by the stride, which moves by the dilation of the base.
pub(super) fn reversed(w: &WindowDim, out: i64, extent: i64) -> WindowDim {
    let reach = (w.size - 1) * w.window_dilation;
    let low = reach - w.pad_low;
    let dilated = (out - 1) * w.stride + 1;
    let needed = reach + 1 + (extent - 1) * w.base_dilation;
    WindowDim {
        size: w.size,
        stride: w.base_dilation,
        pad_low: low,
        pad_high: needed - dilated - low,
        base_dilation: w.stride,
        window_dilation: w.window_dilation,
        reversal: false,
    }
}
