//! Sorts of rows that lie side by side in memory: squares of elements are turned, so that the keys of each of some rows follow
//! each other while they are sorted, and turned back.

use super::compared::{Compared, Copies};
use super::in_lanes::{each, moved, row_by_row};
use super::network::SortedKeys;
use crate::loop_ir::{Bin, Elem, Type, V};
use crate::lower::emit::Emit;
use crate::lower::interleave::deinterleaved;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::plan::{SortSchedule, Sorted};
use crate::refusal::Refusal;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    (lane, sorted): (usize, Sorted),
) -> Result<(), Refusal> {
    let Some(row) = Compared::of(l, sorted == Sorted::KeysAndPlaces) else { return Ok(()) };
    let keys = SortedKeys::new(cx, row.array(), s.lanes, (row.n, s.lanes as i64));
    let copies = row.copies(cx, row.n * s.lanes as i64);
    let rows = Turned { row, keys, copies };
    each(cx, &rows.row, s, lane, |cx, point| {
        let tie = rows.make(cx, &point)?;
        let (zero, lanes) = (cx.b.i64(0), cx.b.i64(s.lanes as i64));
        cx.for_loop((zero, lanes, 1), &[], |cx, n, _| {
            let base = keys.row(cx, n);
            keys.fill(cx, base, rows.row.n);
            keys.sort(cx, base)?;
            Ok(Vec::new())
        })?;
        if rows.row.has_ties() {
            let restore = |cx: &mut Emit<'r>| rows.restore_ties(cx, &point, lane);
            cx.if_else(tie, |cx| restore(cx).map(|()| Vec::new()), |_| Ok(Vec::new()))?;
        }
        rows.store(cx, &point)
    })
}

struct Turned<'r> {
    row: Compared<'r>,
    keys: SortedKeys,
    copies: Copies,
}

impl<'r> Turned<'r> {
    /// Runs `body` for squares of so many elements of every row: with the first place and how many there are.
    fn each_square(
        &self,
        cx: &mut Emit<'r>,
        n: i64,
        inits: &[V],
        mut body: impl FnMut(&mut Emit<'r>, V, i64, &[V]) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        let lanes = self.keys.lanes as i64;
        let whole = n / lanes * lanes;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(whole));
        let mut carried = inits.to_vec();
        if whole > 0 {
            carried = cx.for_loop((zero, end, lanes), inits, |cx, j, carried| body(cx, j, lanes, carried))?;
        }
        if whole < n { body(cx, end, n - whole, &carried) } else { Ok(carried) }
    }

    /// Keeps what is sorted; gives whether some element does not come back from it.
    fn make(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<V, Refusal> {
        let (row, keys) = (&self.row, &self.keys);
        let none = cx.b.constant(Type::vector(Elem::I1, keys.lanes), 0);
        let ties = self.each_square(cx, row.n, &[none], |cx, first, count, ties| {
            let mut some = ties[0];
            let mut square = vec![keys.least(cx); keys.lanes as usize];
            for (n, slot) in square.iter_mut().enumerate().take(count as usize) {
                let after = cx.b.i64(n as i64);
                let at = cx.b.add(first, after);
                let mut p = point.moved(row.l.region, row.l.axes.space, at);
                let (key, tie) = row.sorted(cx, &mut p, at)?;
                let lanes = cx.b.i64(keys.lanes as i64);
                let copy = cx.b.mul(at, lanes);
                row.copy(cx, &mut p, copy, &self.copies)?;
                *slot = key;
                some = tie.map_or(some, |tie| cx.b.bin(Bin::Or, some, tie));
            }
            for (n, vector) in deinterleaved(cx, &square).into_iter().enumerate() {
                let at = self.place(cx, n, first);
                cx.b.store(keys.buf, at, vector, None);
            }
            Ok(vec![some])
        })?;
        Ok(cx.b.any(ties[0]))
    }

    fn restore_ties(&self, cx: &mut Emit<'r>, point: &Point<'r>, lane: usize) -> Result<(), Refusal> {
        let keys = &self.keys;
        row_by_row(cx, &self.row, (point, lane), |cx, n, alone| {
            let base = keys.row(cx, n);
            let first = keys.first_sorted(cx, base);
            let place = |cx: &mut Emit<'r>, key: V| keys.first_not_above(cx, first, key);
            self.row.restore_ties(cx, alone, place, |cx, place, key| keys.put(cx, first, place, key))
        })
    }

    /// Stores what comes back from what was sorted.
    fn store(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<(), Refusal> {
        let (row, keys) = (&self.row, &self.keys);
        let zero = cx.b.i64(0);
        let sorted = keys.first_sorted(cx, zero);
        self.each_square(cx, row.kept, &[], |cx, first, count, _| {
            let mut square = Vec::new();
            for n in 0..keys.lanes as usize {
                let at = self.place(cx, n, first);
                let at = cx.b.add(sorted, at);
                square.push(cx.b.load(keys.buf, at, keys.lanes, None));
            }
            let turned = deinterleaved(cx, &square);
            for (n, &key) in turned.iter().enumerate().take(count as usize) {
                let after = cx.b.i64(n as i64);
                let at = cx.b.add(first, after);
                let mut p = point.moved(row.l.region, row.l.axes.space, at);
                let moved = |cx: &mut Emit<'r>, copy, place| moved(cx, copy, place, keys.lanes);
                for (n, value) in row.results(cx, key, &moved, &self.copies) {
                    let key = ((row.l.index, n as u32), row.dtypes[n]);
                    row.l.store_one(cx, &mut p, key, row.position, value, false)?;
                }
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Where the key of an element of a row is, before they are sorted.
    fn place(&self, cx: &mut Emit<'r>, row: usize, element: V) -> V {
        let row = cx.b.i64(row as i64);
        let base = self.keys.row(cx, row);
        cx.b.add(base, element)
    }
}
