//! Sorts of short rows that lie side by side in lanes: the elements at a place of all rows are one vector, and a network sorts
//! the vectors of all places.

use super::block::odd_even_merge_sort;
use super::compared::{Compared, Copies};
use super::in_lanes::{each, moved, positions, row_by_row};
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::plan::{SortSchedule, Sorted};
use crate::refusal::Refusal;
use crate::region::NodeId;
use lawson_hlo::index::Affine;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    (lane, sorted): (usize, Sorted),
) -> Result<(), Refusal> {
    let Some(row) = Compared::of(l, sorted == Sorted::KeysAndPlaces) else { return Ok(()) };
    let lanes = s.lanes as i64;
    let copies = row.copies(cx, row.n * lanes);
    let near = row.has_ties().then(|| cx.b.local("keys", row.array().1, row.n * lanes));
    each(cx, &row, s, lane, |cx, mut point| {
        let (keys, tie) = keys(cx, &point, &row, &copies)?;
        let mut keys = network(cx, keys);
        if let (Some(tie), Some(near)) = (tie, near) {
            let some = cx.b.any(tie);
            let restored = |cx: &mut Emit<'r>| with_ties(cx, &row, (&point, lane), (&keys, near));
            keys = cx.if_else(some, restored, |_| Ok(keys.clone()))?;
        }
        store(cx, &mut point, &row, (&keys, &copies))
    })
}

/// The sorted keys with those of zeros and NaN themselves, by way of a private array.
fn with_ties<'r>(
    cx: &mut Emit<'r>,
    row: &Compared<'r>,
    (point, lane): (&Point<'r>, usize),
    (keys, near): (&[V], Buf),
) -> Result<Vec<V>, Refusal> {
    let (zero, end, lanes) = (cx.b.i64(0), cx.b.i64(row.n), cx.b.i64(point.lanes as i64));
    let at: Vec<V> = (0..row.n).map(|j| cx.b.i64(j * point.lanes as i64)).collect();
    at.iter().zip(keys).for_each(|(&at, &key)| cx.b.store(near, at, key, None));
    row_by_row(cx, row, (point, lane), |cx, n, alone| {
        let of_row = |cx: &mut Emit<'r>, place: V| {
            let first = cx.b.mul(place, lanes);
            cx.b.add(first, n)
        };
        // As many keys of the row come before one as its place says.
        let place = |cx: &mut Emit<'r>, key: V| {
            let before = cx.for_loop((zero, end, 1), &[zero], |cx, j, before| {
                let at = of_row(cx, j);
                let other = cx.b.load(near, at, 1, None);
                let comes_before = cx.b.cmp(Cmp::Slt, key, other);
                let one = cx.b.cast(Cast::Zext, comes_before, Elem::I64);
                Ok(vec![cx.b.add(before[0], one)])
            })?;
            Ok(before[0])
        };
        row.restore_ties(cx, alone, place, |cx, place, key| {
            let at = of_row(cx, place);
            cx.b.store(near, at, key, None);
        })
    })?;
    Ok(at.iter().map(|&at| cx.b.load(near, at, point.lanes, None)).collect())
}

/// What is sorted of the rows, a vector for each place, and in which rows some element does not come back from it.
fn keys<'r>(
    cx: &mut Emit<'r>,
    point: &Point<'r>,
    row: &Compared<'r>,
    copies: &Copies,
) -> Result<(Vec<V>, Option<V>), Refusal> {
    let rows = rows_within(cx, point, row)?;
    let (mut keys, mut ties) = (Vec::new(), None);
    for j in 0..row.n {
        let at = cx.b.i64(j);
        let mut p = point.moved(row.l.region, row.l.axes.space, at);
        p.known.extend(rows.iter().map(|(id, row)| (*id, row[j as usize])));
        let (key, tie) = row.sorted(cx, &mut p, at)?;
        let copy = cx.b.i64(j * point.lanes as i64);
        row.copy(cx, &mut p, copy, copies)?;
        keys.push(key);
        ties = match (ties, tie) {
            (Some(a), Some(b)) => Some(cx.b.bin(Bin::Or, a, b)),
            (_, tie) => tie,
        };
    }
    Ok((keys, ties))
}

/// The elements of all rows, where they follow each other in memory: those of the loads among what a row is made of.
fn rows_within<'r>(
    cx: &mut Emit<'r>,
    point: &Point<'r>,
    row: &Compared<'r>,
) -> Result<Vec<(NodeId, Vec<V>)>, Refusal> {
    let mut rows = Vec::new();
    for id in row.l.region.reachable(row.values) {
        rows.extend(cx.row_within(point, id)?.map(|row| (id, row)));
    }
    Ok(rows)
}

/// The greatest keys first.
fn network(cx: &mut Emit<'_>, mut keys: Vec<V>) -> Vec<V> {
    odd_even_merge_sort(keys.len(), |a, b| {
        let (x, y) = (keys[a], keys[b]);
        (keys[a], keys[b]) = (cx.b.bin(Bin::SMax, x, y), cx.b.bin(Bin::SMin, x, y));
    });
    keys
}

/// Stores the first elements of the sorted rows.
fn store<'r>(
    cx: &mut Emit<'r>,
    point: &mut Point<'r>,
    row: &Compared<'r>,
    (keys, copies): (&[V], &Copies),
) -> Result<(), Refusal> {
    let lanes = point.lanes;
    let mut arrays: Vec<Vec<V>> = vec![Vec::new(); row.dtypes.len()];
    for &key in &keys[..row.kept as usize] {
        let moved = |cx: &mut Emit<'r>, copy, place| moved(cx, copy, place, lanes);
        for (n, value) in row.results(cx, key, &moved, copies) {
            arrays[n].push(value);
        }
    }
    let positions = positions(row);
    for (n, values) in arrays.into_iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        let parts: Vec<(&Affine, V)> = positions.iter().zip(values).collect();
        row.l.store_parts(cx, point, ((row.l.index, n as u32), row.dtypes[n]), &parts, false)?;
    }
    Ok(())
}
