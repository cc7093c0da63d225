//! The rows of a unit of an input, copied to their tile in the order in which they lie.

use super::emit::Emit;
use super::home::{Home, TileHome};
use super::rows::{left, within};
use super::scalar;
use super::transpose::store_turned;
use crate::loop_ir::{Bin, Buf, Cast, Elem, Op, Type, V};
use crate::plan::{Nest, Role, RowLanes, Scratchpad};
use crate::refusal::Refusal;

/// Declares the tile of an input.
pub(super) fn declare<'r>(cx: &mut Emit<'r>, nest: &Nest, near: &'r Scratchpad) {
    let array = &cx.region.inputs[near.input as usize];
    let buf = cx.b.local(format!("{}.near", array.name), scalar::mem_elem(array.dtype), near.elements);
    let row = nest.together().and_then(|(row, _)| near.along(row).map(|d| (row, near.strides[d])));
    let tile = TileHome { strides: &near.strides, row, dims: &near.dims, whole: false };
    cx.arrays.near.insert(near.input, Home::tile(buf, tile));
}

/// Fills the tile of an input with the rows of the unit that begins at `at`.
pub(super) fn bring<'r>(cx: &mut Emit<'r>, nest: &Nest, near: &Scratchpad, at: &[V]) -> Result<(), Refusal> {
    let Some(&Home { buf: to, .. }) = cx.arrays.near.get(&near.input) else { return Ok(()) };
    let from = cx.arrays.inputs[near.input as usize];
    let steps: Vec<i64> =
        (0..near.dims.len()).map(|d| near.dims[d + 1..].iter().product::<i64>().max(1)).collect();
    let mut base = cx.b.i64(0);
    for (role, &step) in near.roles.iter().zip(&steps) {
        if let Role::Row(j) = role {
            base = plus(cx, base, at[*j], step);
        }
    }
    if let (Some(lane), Some(Role::Free)) = (nest.lane, near.roles.last()) {
        return copy_rows(cx, near, lane, (from, base), to);
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
        let Some((_, rows)) = nest.together() else {
            return copy_line(cx, near, (from, source), (to, target), extent);
        };
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
                store_turned(cx, lines, (to, target, row_step), near.turn);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    })
}

/// Copies the rows of a vector, which follow each other, to lines that have an element of each.
fn copy_rows(
    cx: &mut Emit<'_>,
    near: &Scratchpad,
    lane: RowLanes,
    (from, base): (Buf, V),
    to: Buf,
) -> Result<(), Refusal> {
    let Some(along) = near.along(lane.row) else { return Ok(()) };
    let length = near.dims[along + 1..].iter().product::<i64>();
    let (lanes, line) = (lane.lanes as i64, near.strides[near.strides.len() - 1]);
    // As many vectors as a row has elements.
    let (zero, end) = (cx.b.i64(0), cx.b.i64(length * lanes));
    cx.for_loop((zero, end, lanes * near.vectors), &[], |cx, first, _| {
        let mut loaded = Vec::new();
        for n in 0..near.vectors {
            let step = cx.b.i64(n * lanes);
            let at = cx.b.add(first, step);
            let at = if length % near.vectors == 0 { at } else { within(cx, at, lanes, length * lanes) };
            let source = cx.b.add(base, at);
            loaded.push((at, cx.b.load(from, source, lane.lanes, None)));
        }
        for (at, v) in loaded {
            let ty = Type::vector(Elem::I32, lane.lanes);
            let order = cx.b.op(Op::Iota(ty));
            let at = cx.b.cast(Cast::Trunc, at, Elem::I32);
            let at = cx.b.widen_to(at, lane.lanes);
            let element = cx.b.add(at, order);
            let [length, line] = [length, line].map(|n| cx.b.constant(ty, n as u64));
            let row = cx.b.bin(Bin::UDiv, element, length);
            let column = cx.b.bin(Bin::URem, element, length);
            let column = cx.b.mul(column, line);
            let place = cx.b.add(column, row);
            cx.b.store(to, place, v, None);
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Copies elements in line, some vectors before the first of them is stored.
fn copy_line(
    cx: &mut Emit<'_>,
    near: &Scratchpad,
    (from, source): (Buf, V),
    (to, target): (Buf, V),
    extent: i64,
) -> Result<(), Refusal> {
    let lanes = near.lanes as i64;
    let (zero, end) = (cx.b.i64(0), cx.b.i64(extent));
    cx.for_loop((zero, end, lanes * near.vectors), &[], |cx, first, _| {
        let mut loaded = Vec::new();
        for n in 0..near.vectors {
            let step = cx.b.i64(n * lanes);
            let at = cx.b.add(first, step);
            let whole = extent % (lanes * near.vectors) == 0;
            let mask = (!whole).then(|| left(cx, at, extent, near.lanes));
            let offset = cx.b.add(source, at);
            loaded.push((at, mask, cx.b.load(from, offset, near.lanes, mask)));
        }
        for (at, mask, v) in loaded {
            let offset = cx.b.add(target, at);
            cx.b.store(to, offset, v, mask);
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

/// `base + i·step`.
fn plus(cx: &mut Emit<'_>, base: V, i: V, step: i64) -> V {
    let step = cx.b.i64(step);
    let along = cx.b.mul(i, step);
    cx.b.add(base, along)
}
