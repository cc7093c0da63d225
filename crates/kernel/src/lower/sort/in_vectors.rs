//! Sorts of rows by keys in vectors along the row.

use super::compared::{Compared, Copies};
use super::network::SortedKeys;
use super::one_by_one::each_row;
use crate::loop_ir::{Bin, Buf, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::plan::{SortSchedule, Sorted};
use crate::refusal::Refusal;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    sorted: Sorted,
) -> Result<(), Refusal> {
    let Some(row) = Compared::of(l, sorted == Sorted::KeysAndPlaces) else { return Ok(()) };
    let keys = SortedKeys::new(cx, row.array(), s.lanes, (row.n, 1));
    let copies = row.copies(cx, row.n + s.lanes as i64);
    let vectors = InVectors { row, keys, copies };
    each_row(cx, l, s, vectors.row.values, |cx, point| {
        let tie = vectors.make(cx, &point)?;
        let zero = cx.b.i64(0);
        keys.sort(cx, zero)?;
        if vectors.row.has_ties() {
            let restore = |cx: &mut Emit<'r>| vectors.restore_ties(cx, &point);
            cx.if_else(tie, |cx| restore(cx).map(|()| Vec::new()), |_| Ok(Vec::new()))?;
        }
        vectors.store(cx, &point)
    })
}

/// A row whose keys are sorted in vectors.
struct InVectors<'r> {
    row: Compared<'r>,
    keys: SortedKeys,
    copies: Copies,
}

impl<'r> InVectors<'r> {
    /// Calls `body` for each vector of the first `n` elements: with its point, whose mask says if some of its lanes lie past
    /// them.
    fn each_vector(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        n: i64,
        inits: &[V],
        body: &dyn Fn(&mut Emit<'r>, Point<'r>, V, &[V]) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        let (region, axis, lanes) = (self.row.l.region, self.row.l.axes.space, self.keys.lanes);
        let whole = n / lanes as i64 * lanes as i64;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(whole));
        let mut carried = inits.to_vec();
        if whole > 0 {
            carried = cx.for_loop((zero, end, lanes as i64), inits, |cx, j, carried| {
                let p = point.spread(region, axis, j, lanes);
                body(cx, p, j, carried)
            })?;
        }
        if whole < n {
            let mut p = point.spread(region, axis, end, lanes);
            p.mask = Some(left(cx, end, n, lanes));
            carried = body(cx, p, end, &carried)?;
        }
        Ok(carried)
    }

    /// Keeps what is sorted; gives whether some element does not come back from it.
    fn make(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<V, Refusal> {
        let (row, keys) = (&self.row, &self.keys);
        let least = keys.least(cx);
        let zero = cx.b.i64(0);
        keys.fill(cx, zero, row.n);
        let none = cx.b.constant(Type::vector(Elem::I1, keys.lanes), 0);
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, ties: &[V]| {
            let each = cx.b.op(Op::Iota(Type::vector(Elem::I64, keys.lanes)));
            let first = cx.b.widen_to(at, keys.lanes);
            let place = cx.b.add(first, each);
            let (mut key, tie) = row.sorted(cx, &mut p, place)?;
            row.copy(cx, &mut p, at, &self.copies)?;
            if let Some(mask) = p.mask {
                key = cx.b.select(mask, key, least);
            }
            cx.b.store(keys.buf, at, key, None);
            Ok(vec![tie.map_or(ties[0], |tie| cx.b.bin(Bin::Or, ties[0], tie))])
        };
        let ties = self.each_vector(cx, point, row.n, &[none], &body)?;
        Ok(cx.b.any(ties[0]))
    }

    fn restore_ties(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<(), Refusal> {
        let keys = &self.keys;
        let zero = cx.b.i64(0);
        let first = keys.first_sorted(cx, zero);
        let place = |cx: &mut Emit<'r>, key: V| keys.first_not_above(cx, first, key);
        self.row.restore_ties(cx, point, place, |cx, place, key| keys.put(cx, first, place, key))
    }

    /// Stores what comes back from what was sorted.
    fn store(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<(), Refusal> {
        let (row, keys) = (&self.row, &self.keys);
        let zero = cx.b.i64(0);
        let first = keys.first_sorted(cx, zero);
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, _: &[V]| {
            let from = cx.b.add(first, at);
            let sorted = cx.b.load(keys.buf, from, keys.lanes, None);
            let mask = p.mask;
            let moved = |cx: &mut Emit<'r>, copy: Buf, place: V| cx.b.load(copy, place, keys.lanes, mask);
            for (n, value) in row.results(cx, sorted, &moved, &self.copies) {
                let key = ((row.l.index, n as u32), row.dtypes[n]);
                row.l.store_one(cx, &mut p, key, row.position, value, false)?;
            }
            Ok(Vec::new())
        };
        self.each_vector(cx, point, row.kept, &[], &body)?;
        Ok(())
    }
}
