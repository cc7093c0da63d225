//! The rows of a unit of an input, copied to their tile in the order in which they lie.

use super::emit::Emit;
use super::home::{Home, TileHome};
use super::rows::within;
use super::scalar;
use super::transpose::transposed;
use crate::loop_ir::V;
use crate::plan::{Nest, Role, Scratchpad};
use crate::refusal::Refusal;

/// Declares the tile of an input.
pub(super) fn declare<'r>(cx: &mut Emit<'r>, nest: &Nest, near: &'r Scratchpad) {
    let array = &cx.region.inputs[near.input as usize];
    let buf = cx.b.local(format!("{}.near", array.name), scalar::mem_elem(array.dtype), near.elements);
    let step = near.strides[near.strides.len() - 1];
    let row = nest.together().map(|(row, _)| (row, step));
    let tile = TileHome { strides: &near.strides, row, dims: &near.dims };
    cx.arrays.near.insert(near.input, Home::tile(buf, tile));
}

/// Fills the tile of an input with the rows of the unit that begins at `at`.
pub(super) fn bring<'r>(cx: &mut Emit<'r>, nest: &Nest, near: &Scratchpad, at: &[V]) -> Result<(), Refusal> {
    let (Some(&Home { buf: to, .. }), Some((_, rows))) = (cx.arrays.near.get(&near.input), nest.together())
    else {
        return Ok(());
    };
    let from = cx.arrays.inputs[near.input as usize];
    let steps: Vec<i64> =
        (0..near.dims.len()).map(|d| near.dims[d + 1..].iter().product::<i64>().max(1)).collect();
    let mut base = cx.b.i64(0);
    for (role, &step) in near.roles.iter().zip(&steps) {
        if let Role::Row(j) = role {
            base = plus(cx, base, at[*j], step);
        }
    }
    let (mut free, mut extents) = near.free();
    let (Some(inner), Some(extent)) = (free.pop(), extents.pop()) else { return Ok(()) };
    let (step, row_step) = (steps[inner], near.strides[near.strides.len() - 1]);
    cx.nest(&extents, &mut Vec::new(), &mut |cx, outer| {
        let (mut source, mut target) = (base, cx.b.i64(0));
        for (&d, &i) in free.iter().zip(outer) {
            source = plus(cx, source, i, steps[d]);
            target = plus(cx, target, i, near.strides[d]);
        }
        let (zero, end) = (cx.b.i64(0), cx.b.i64(extent));
        if let Some(lane) = nest.lane {
            cx.for_loop((zero, end, 1), &[], |cx, i, _| {
                let (source, target) = (plus(cx, source, i, step), plus(cx, target, i, near.strides[inner]));
                let v = cx.b.load(from, source, lane.lanes, None);
                cx.b.store(to, target, v, None);
                Ok(Vec::new())
            })?;
            return Ok(());
        }
        let n = nest.block.map_or(1, |b| b.lanes) as i64;
        cx.for_loop((zero, end, n), &[], |cx, first, _| {
            let first = if extent % n == 0 { first } else { within(cx, first, n, extent) };
            let (zero, rows) = (cx.b.i64(0), cx.b.i64(rows));
            let (source, target) = (plus(cx, source, first, step), cx.b.add(target, first));
            cx.for_loop((zero, rows, n), &[], |cx, row, _| {
                let (source, target) = (cx.b.add(source, row), plus(cx, target, row, row_step));
                let lines = (0..n).map(|i| {
                    let along = cx.b.i64(i * step);
                    let offset = cx.b.add(source, along);
                    cx.b.load(from, offset, n as u32, None)
                });
                let lines: Vec<V> = lines.collect();
                for (j, v) in transposed(cx, lines).into_iter().enumerate() {
                    let along = cx.b.i64(j as i64 * row_step);
                    let offset = cx.b.add(target, along);
                    cx.b.store(to, offset, v, None);
                }
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    })
}

/// `base + i·step`.
fn plus(cx: &mut Emit<'_>, base: V, i: V, step: i64) -> V {
    let step = cx.b.i64(step);
    let along = cx.b.mul(i, step);
    cx.b.add(base, along)
}
