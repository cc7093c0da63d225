//! The next row of a nest, asked for while a later stage of this one computes.
//!
//! ```text
//! for row            stage 0: t = f(x[row])      memory is read
//!                    stage 1: y[row] = g(t)      prefetch x[row + 1], some lines with each vector
//! ```
//!
//! A stage that reads what an earlier one has left near asks memory for nothing, and one whose rows are large waits for it alone: with
//! the next row on its way the two take as long as the longer one.

use super::kernel::Plan;
use super::nest::Member;
use super::next_row::NextRow;
use super::readings::{Reading, in_line, readings, unwrapped};
use super::schedule::Schedule;
use crate::loop_ir::Cache;
use crate::region::{Node, Region};
use crate::target::{LINE, Target};
use lawson_hlo::index::{Affine, Space};

/// Lines that are asked for with one vector: more would take longer than the vector.
const MOST: i64 = 4;

/// Chooses, for each large array that one stage of a nest alone reads, the last stage that reads none.
pub(super) fn choose(region: &Region, plan: &mut Plan, target: &Target) {
    let Some(nest) =
        plan.nest.as_mut().filter(|n| target.gpu.is_none() && n.lane.is_none() && n.block.is_none())
    else {
        return;
    };
    let of = |m: &Member| readings((region, m.stage), (&m.axes, &m.rows, &m.schedule), target);
    let all: Vec<Vec<Reading>> = nest.members.iter().map(of).collect();
    let Some(idle) = all.iter().rposition(Vec::is_empty) else { return };
    let (before, later) = nest.members.split_at_mut(idle);
    let later = &mut later[0];
    let mut readers = before.iter().zip(&all).filter(|(_, reads)| !reads.is_empty());
    let (Some((reader, reads)), None) = (readers.next(), readers.next()) else { return };
    // Where all arrays of the stage have one load that leads, one of each is the row.
    let leading: Vec<&Reading> =
        reads.iter().filter(|r| !reads.iter().any(|o| o.input == r.input && o.leads(r))).collect();
    let twice = |r: &&Reading| leading.iter().filter(|o| o.input == r.input).count() > 1;
    if leading.is_empty() || leading.iter().any(twice) {
        return;
    }
    let rows: Option<Vec<NextRow>> =
        leading.iter().map(|r| next_row(region, (reader, r), later, target)).collect();
    if let (Some(rows), Schedule::Map(s)) = (rows, &mut later.schedule) {
        plan.prefetch.retain(|p| p.stage != reader.stage);
        s.split.iter_mut().flat_map(|split| &mut split.parts).for_each(|part| part.next_rows = rows.clone());
        s.next_rows = rows;
    }
}

/// What a reader's load reads in the next row and not in this one, as lines that come with the vectors of a later map.
fn next_row(
    region: &Region,
    (reader, read): (&Member, &Reading),
    later: &Member,
    target: &Target,
) -> Option<NextRow> {
    let Schedule::Map(s) = &later.schedule else { return None };
    let columns = later.axes.extents[s.lane?];
    let in_order = s.transpose.is_some() || s.in_order.is_some() || !s.next_rows.is_empty() || s.ahead > 1;
    if s.lanes < 2
        || in_order
        || s.masked && columns % s.lanes as i64 != 0
        || later.rows.len() != reader.rows.len()
    {
        return None;
    }
    let (row, step) = (in_line(&read.within)?, read.rows.first()?.elements);
    let fresh = row.min(step);
    // Shorter rows are asked for by their own loads, longer ones would not stay.
    let bytes = fresh * read.size;
    if fresh <= 0 || bytes <= target.l1 / 3 || bytes > target.l2 / 4 {
        return None;
    }
    let others: Vec<usize> =
        (0..later.axes.space).filter(|a| Some(*a) != s.lane && !later.rows.contains(a)).collect();
    let vectors = columns / s.lanes as i64;
    let all = others.iter().fold(vectors, |all, &a| all * later.axes.extents[a]);
    let lines = (bytes + LINE - 1) / LINE;
    if all == 0 || 2 * lines < all {
        return None;
    }
    // To the nearest: the last few may come when they are read.
    let each = ((lines + all / 2) / all).max(1);
    if each > MOST {
        return None;
    }
    let Node::Load { offset, .. } = region.node(read.load) else { return None };
    let offset = unwrapped(&reader.axes.translate(offset), &Space::of_extents(&reader.axes.extents));
    let of_rows = reader.rows.iter().zip(&later.rows);
    let start = of_rows.fold(Affine::constant(offset.constant), |sum, (&own, &other)| {
        sum.add(&Affine::axis(other).mul(offset.coefficient(own).unwrap_or_default()))
    });
    let elements = each * LINE / read.size;
    let (first, _) = others.iter().rev().fold((start, vectors * elements), |(sum, by), &axis| {
        (sum.add(&Affine::axis(axis).mul(by)), by * later.axes.extents[axis])
    });
    let first = first.add_constant(step + row - fresh);
    Some(NextRow { input: read.input, first, elements, into: Cache::Second })
}
