//! Windows: over the batch dimension they hold one element. Initial values that differ between examples go from example to
//! example.

use super::super::{Batched, Batcher};
use super::elementwise::spread_all;
use super::{Made, sequential};
use crate::fault;
use lawson_hlo::attrs::{Window, WindowDim};
use lawson_hlo::{Attrs, InstrId, Instruction};

pub(super) fn reduce_window(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::ReduceWindow { window, to_apply } = &instr.attrs else {
        return fault!("`reduce-window` has no window");
    };
    let attrs = Attrs::ReduceWindow { window: with_batch(window), to_apply: *to_apply };
    windowed(cx, instr, operands, batched, operands.len() / 2, attrs)
}

pub(super) fn select_and_scatter(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::SelectAndScatter { window, select, scatter } = &instr.attrs else {
        return fault!("`select-and-scatter` has no window");
    };
    let window = with_batch(window);
    let attrs = Attrs::SelectAndScatter { window, select: *select, scatter: *scatter };
    windowed(cx, instr, operands, batched, 2, attrs)
}

/// Of so many arrays, then initial values.
fn windowed(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
    arrays: usize,
    attrs: Attrs,
) -> Made {
    if !batched[arrays..].iter().all(Batched::is_no) {
        return sequential::rule(cx, instr, operands, batched);
    }
    let spread = spread_all(cx, &operands[..arrays], &batched[..arrays])?;
    let all = [&spread, &operands[arrays..]].concat();
    Ok((cx.emit.op(instr.opcode, &all, attrs)?, Batched::all(&instr.shape)))
}

fn with_batch(window: &Window) -> Window {
    std::iter::once(WindowDim::of_size(1)).chain(window.iter().copied()).collect()
}
