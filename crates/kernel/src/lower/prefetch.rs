//! Brings near what later trips of a loop load, what is read a constant distance ahead, and what data chooses from in the next row
//! of a map.

use super::emit::Emit;
use super::index::Linear;
use super::point::Point;
use super::scalar;
use crate::loop_ir::{Bin, Buf, Cache, Type, V};
use crate::plan::{NextRow, Prefetch};
use crate::refusal::Refusal;
use crate::region::{LoopStage, Node, Region, Source};
use crate::target::LINE;
use lawson_hlo::DType;

/// At the start of a trip: `outside` knows what is the same in all trips, `inside` the carries of this one.
pub(super) fn prefetch<'r>(
    cx: &mut Emit<'r>,
    region: &'r Region,
    (loop_stage, plan): (&LoopStage, &Prefetch),
    outside: &[Point<'r>],
    inside: &Point<'r>,
) -> Result<(), Refusal> {
    if plan.loads.is_empty() {
        return Ok(());
    }
    let mut later = outside.to_vec();
    for carry in &loop_stage.carries {
        let (Some(by), Some(&now)) =
            (loop_stage.increment(region, carry.node), inside.known.get(&carry.node))
        else {
            continue;
        };
        if cx.b.ty_of(now).lanes > 1 {
            continue;
        }
        let Node::Constant { bits } = region.node(by) else { continue };
        let dtype = region.dtype(carry.node);
        let Some(width) = dtype.integer_width() else { continue };
        let distance = bits[0].wrapping_mul(plan.trips as u64) & width.greatest_unsigned();
        let distance = cx.b.constant(Type::scalar(scalar::reg_elem(dtype)), distance);
        let then = cx.b.add(now, distance);
        later.iter_mut().for_each(|point| {
            point.known.insert(carry.node, then);
        });
    }
    for &load in &plan.loads {
        let Node::Load { source: Source::Input(input), offset, .. } = region.node(load) else { continue };
        let buf = cx.arrays.inputs[*input as usize];
        for point in &mut later {
            let at = cx.scalar_offset(point, offset)?;
            cx.b.prefetch(buf, at, Cache::First);
            let along = |lane| point.axes.translate(offset).uses_axis(lane);
            if !point.lane.is_some_and(along) {
                break;
            }
        }
    }
    Ok(())
}

/// The lines of a vector so many elements after one that is loaded, where its lanes are in line.
pub(super) fn ahead_of_vector(
    cx: &mut Emit<'_>,
    (buf, dtype): (Buf, DType),
    (loaded, lanes): (&Linear, u32),
    (elements, into): (i64, Cache),
) {
    if loaded.vector.is_some() || loaded.step != 1 {
        return;
    }
    for line in (0..lanes as i64).step_by(LINE as usize / dtype.size()) {
        let on = cx.b.i64(elements + line);
        let at = cx.b.add(loaded.base, on);
        cx.b.prefetch(buf, at, into);
    }
}

/// Where the next rows begin, at a row.
pub(super) fn starts<'r>(cx: &mut Emit<'r>, row: &Point<'r>, next: &[NextRow]) -> Result<Vec<V>, Refusal> {
    let mut row = row.clone();
    next.iter().map(|near| Ok(cx.linear(&mut row, &near.first)?.base)).collect()
}

/// The lines of the next rows that come with the vector of so many lanes at a column.
pub(super) fn next_rows(cx: &mut Emit<'_>, next: &[NextRow], starts: &[V], (column, lanes): (V, i64)) {
    for (near, &start) in next.iter().zip(starts) {
        let buf = cx.arrays.inputs[near.input as usize];
        let size = cx.region.inputs[near.input as usize].dtype.size() as i64;
        // Lanes are powers of two.
        let (each, by) = (cx.b.i64(near.elements), cx.b.i64(lanes.trailing_zeros().into()));
        let vector = cx.b.bin(Bin::LShr, column, by);
        let first = cx.b.mul(vector, each);
        let first = cx.b.add(start, first);
        for line in (0..near.elements).step_by((LINE / size) as usize) {
            let line = cx.b.i64(line);
            let at = cx.b.add(first, line);
            cx.b.prefetch(buf, at, near.into);
        }
    }
}
