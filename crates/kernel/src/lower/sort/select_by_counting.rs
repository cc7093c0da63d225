//! The first elements of sorted rows by their last one: its key is found bit by bit, by counting how many reach it. Then
//! those above it are taken, of those equal to it the first, and each goes to the place that its rank says.
//!
//! With a floor the elements that reach it are moved together first, so that all that follows looks at few.

use super::keyed_row::{KeyedRow, least, up_to};
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::scalar::reg_elem;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    floor: bool,
) -> Result<(), Refusal> {
    let lanes = s.lanes as i64;
    let Some(row) = KeyedRow::new(cx, l, s, lanes) else { return Ok(()) };
    let places = cx.b.local("places", Elem::I32, row.padded() + lanes);
    // One more than are wanted: what is not taken is written too, behind the others.
    let wanted = up_to(row.kept + 1, lanes);
    let counted = Counted {
        row,
        places,
        first: cx.b.local("first", row.key.elem(), wanted),
        first_places: cx.b.local("first places", Elem::I32, wanted),
    };
    row.each(cx, s, |cx, point| {
        let count = match floor {
            true => {
                let floor = row.floor(cx, &point)?;
                counted.move_together(cx, floor)?
            }
            false => counted.keep_all(cx, &point)?,
        };
        let last = counted.last(cx, count)?;
        counted.take(cx, count, last)?;
        counted.store(cx, &point)
    })
}

#[derive(Clone, Copy)]
struct Counted<'r> {
    row: KeyedRow<'r>,
    /// The places of the keys that are kept.
    places: Buf,
    /// Those that are wanted, in the order of the row.
    first: Buf,
    first_places: Buf,
}

impl<'r> Counted<'r> {
    fn lanes(&self) -> i64 {
        self.row.lanes as i64
    }

    /// Keeps all keys; gives their number.
    fn keep_all(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<V, Refusal> {
        let (n, lanes) = (self.row.n, self.lanes());
        let whole = n / lanes * lanes;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(whole));
        let keep = |cx: &mut Emit<'r>, at: V, is_last: bool| -> Result<(), Refusal> {
            self.row.keep(cx, point, at, is_last)?;
            let places = self.numbers(cx, at);
            cx.b.store(self.places, at, places, None);
            Ok(())
        };
        cx.for_loop((zero, end, lanes), &[], |cx, j, _| keep(cx, j, false).map(|()| Vec::new()))?;
        if whole < n {
            keep(cx, end, true)?;
        }
        Ok(cx.b.i64(self.row.padded()))
    }

    /// `at` and the numbers after it, one for each lane.
    fn numbers(&self, cx: &mut Emit<'r>, at: V) -> V {
        let at = cx.b.cast(Cast::Trunc, at, Elem::I32);
        let at = cx.b.widen_to(at, self.row.lanes);
        let each = cx.b.op(Op::Iota(Type::vector(Elem::I32, self.row.lanes)));
        cx.b.add(at, each)
    }

    /// Moves the keys that reach the floor to the front, the least there is behind them; gives their number.
    fn move_together(&self, cx: &mut Emit<'r>, floor: V) -> Result<V, Refusal> {
        let row = &self.row;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(row.padded()));
        let floor = cx.b.widen_to(floor, row.lanes);
        let count = cx.for_loop((zero, end, self.lanes()), &[zero], |cx, j, count| {
            let keys = cx.b.load(row.keys, j, row.lanes, None);
            let reach = cx.b.cmp(Cmp::Sle, floor, keys);
            self.each_lane(cx, reach, count.to_vec(), |cx, lane, count| {
                let at = cx.b.add(j, lane);
                let key = cx.b.load(row.keys, at, 1, None);
                let place = cx.b.cast(Cast::Trunc, at, Elem::I32);
                cx.b.store(row.keys, count[0], key, None);
                cx.b.store(self.places, count[0], place, None);
                let one = cx.b.i64(1);
                Ok(vec![cx.b.add(count[0], one)])
            })
        })?[0];
        let nothing = least(cx, row.key_type());
        cx.b.store(row.keys, count, nothing, None);
        Ok(count)
    }

    /// Runs `body` for each lane that a mask holds, in order.
    fn each_lane(
        &self,
        cx: &mut Emit<'r>,
        mask: V,
        inits: Vec<V>,
        body: impl FnOnce(&mut Emit<'r>, V, &[V]) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        let each = cx.b.op(Op::Iota(Type::vector(Elem::I32, self.row.lanes)));
        let inits: Vec<V> = [mask].into_iter().chain(inits).collect();
        let carried = cx.b.open_while(&inits);
        let params: Vec<V> = carried.iter().map(|c| c.param).collect();
        let more = cx.b.any(params[0]);
        let cond = cx.b.close_condition(more);
        let lane = cx.b.op(Op::First(params[0]));
        let mut yields = body(cx, lane, &params[1..])?;
        let lane = cx.b.cast(Cast::Trunc, lane, Elem::I32);
        let lane = cx.b.widen_to(lane, self.row.lanes);
        let later = cx.b.cmp(Cmp::Slt, lane, each);
        yields.insert(0, cx.b.bin(Bin::And, params[0], later));
        let mut out = cx.b.close_while(carried, cond, yields);
        out.remove(0);
        Ok(out)
    }

    /// How many of the first `count` keys fulfil `holds`; the least key there is must not.
    fn number(
        &self,
        cx: &mut Emit<'r>,
        count: V,
        holds: impl FnOnce(&mut Emit<'r>, V) -> V,
    ) -> Result<V, Refusal> {
        let lanes = self.row.lanes;
        let zero = cx.b.i64(0);
        let none = cx.b.constant(Type::vector(Elem::I32, lanes), 0);
        let sums = cx.for_loop((zero, count, lanes as i64), &[none], |cx, j, sum| {
            let keys = cx.b.load(self.row.keys, j, lanes, None);
            let holds = holds(cx, keys);
            let one = cx.b.cast(Cast::Zext, holds, Elem::I32);
            Ok(vec![cx.b.add(sum[0], one)])
        })?;
        Ok(self.total(cx, sums[0]))
    }

    /// The sum of the lanes.
    fn total(&self, cx: &mut Emit<'r>, mut sum: V) -> V {
        let mut apart = self.row.lanes / 2;
        while apart > 0 {
            let lanes = (0..self.row.lanes).map(|lane| lane ^ apart).collect();
            let other = cx.b.op(Op::Shuffle { a: sum, b: sum, lanes });
            sum = cx.b.add(sum, other);
            apart /= 2;
        }
        cx.b.op(Op::Extract(sum, 0))
    }

    /// The last key that is wanted: the largest that as many reach.
    fn last(&self, cx: &mut Emit<'r>, count: V) -> Result<V, Refusal> {
        let (row, ty) = (&self.row, Type::scalar(self.row.key.elem()));
        let kept = cx.b.constant(Type::scalar(Elem::I32), row.kept as u64);
        // The highest bit, added to the least number, gives zero.
        let start = least(cx, ty);
        let (zero, bits) = (cx.b.i64(0), cx.b.i64(ty.elem.bits() as i64));
        let found = cx.for_loop((zero, bits, 1), &[start, start], |cx, _, found| {
            let (known, bit) = (found[0], found[1]);
            let tried = cx.b.bin(Bin::Add, known, bit);
            let wide = cx.b.widen_to(tried, row.lanes);
            let reach = self.number(cx, count, |cx, keys| cx.b.cmp(Cmp::Sle, wide, keys))?;
            let enough = cx.b.cmp(Cmp::Sle, kept, reach);
            let one = cx.b.constant(ty, 1);
            Ok(vec![cx.b.select(enough, tried, known), cx.b.bin(Bin::LShr, bit, one)])
        })?;
        Ok(found[0])
    }

    /// Keeps the keys that are wanted, with their places, in the order of the row.
    fn take(&self, cx: &mut Emit<'r>, count: V, last: V) -> Result<(), Refusal> {
        let row = &self.row;
        let wide = cx.b.widen_to(last, row.lanes);
        let above = self.number(cx, count, |cx, keys| cx.b.cmp(Cmp::Slt, wide, keys))?;
        let above = cx.b.cast(Cast::Zext, above, Elem::I64);
        let kept = cx.b.i64(row.kept);
        let equal = cx.b.sub(kept, above);
        let nothing = least(cx, row.key_type());
        let end = up_to(row.kept + 1, self.lanes()) - self.lanes();
        // What stands behind those wanted comes after them.
        let end = cx.b.i64(end);
        cx.b.store(self.first, end, nothing, None);
        let zero = cx.b.i64(0);
        cx.for_loop((zero, count, self.lanes()), &[zero, equal], |cx, j, taken| {
            let keys = cx.b.load(row.keys, j, row.lanes, None);
            let reach = cx.b.cmp(Cmp::Sle, wide, keys);
            self.each_lane(cx, reach, taken.to_vec(), |cx, lane, taken| {
                let at = cx.b.add(j, lane);
                let key = cx.b.load(row.keys, at, 1, None);
                let place = cx.b.load(self.places, at, 1, None);
                cx.b.store(self.first, taken[0], key, None);
                cx.b.store(self.first_places, taken[0], place, None);
                let (zero, is_last) = (cx.b.i64(0), cx.b.cmp(Cmp::Eq, key, last));
                let some = cx.b.cmp(Cmp::Slt, zero, taken[1]);
                let is_above = cx.b.un(crate::loop_ir::Un::Not, is_last);
                let is_wanted = cx.b.bin(Bin::Or, is_above, some);
                let [of_last, wanted] = [is_last, is_wanted].map(|m| cx.b.cast(Cast::Zext, m, Elem::I64));
                Ok(vec![cx.b.add(taken[0], wanted), cx.b.sub(taken[1], of_last)])
            })
        })?;
        // One that was not wanted may stand behind the others.
        let nothing = least(cx, Type::scalar(row.key.elem()));
        cx.b.store(self.first, kept, nothing, None);
        Ok(())
    }

    /// Stores each key that is wanted where its rank says: behind the larger ones and the equal ones before it.
    fn store(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<(), Refusal> {
        let (row, l) = (&self.row, self.row.l);
        let (zero, kept) = (cx.b.i64(0), cx.b.i64(row.kept));
        cx.for_loop((zero, kept, 1), &[], |cx, i, _| {
            let key = cx.b.load(self.first, i, 1, None);
            let place = cx.b.load(self.first_places, i, 1, None);
            let wide = cx.b.widen_to(key, row.lanes);
            let at = cx.b.cast(Cast::Trunc, i, Elem::I32);
            let at = cx.b.widen_to(at, row.lanes);
            let none = cx.b.constant(Type::vector(Elem::I32, row.lanes), 0);
            let sums = cx.for_loop((zero, kept, self.lanes()), &[none], |cx, j, sum| {
                let keys = cx.b.load(self.first, j, row.lanes, None);
                let larger = cx.b.cmp(Cmp::Slt, wide, keys);
                let equal = cx.b.cmp(Cmp::Eq, wide, keys);
                let numbers = self.numbers(cx, j);
                let before = cx.b.cmp(Cmp::Slt, numbers, at);
                let equal = cx.b.bin(Bin::And, equal, before);
                let first = cx.b.bin(Bin::Or, larger, equal);
                let one = cx.b.cast(Cast::Zext, first, Elem::I32);
                Ok(vec![cx.b.add(sum[0], one)])
            })?;
            let rank = self.total(cx, sums[0]);
            let rank = cx.b.cast(Cast::Zext, rank, Elem::I64);
            let mut p = point.moved(l.region, l.axes.space, rank);
            let mut values = vec![row.key.element(&mut cx.b, key)];
            for &id in &row.values[1..] {
                values.push(cx.b.cast(Cast::Sext, place, reg_elem(l.region.dtype(id))));
            }
            l.store(cx, &mut p, l.index, &l.stage.results, row.position, &values, false)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
