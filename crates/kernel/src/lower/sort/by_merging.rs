//! Sorts by any comparator: each row by stable merging of runs of doubling length between two private arrays.

use super::one_by_one::each_row;
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;
use crate::region::{Function, Kind};
use lawson_hlo::DType;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &SortSchedule) -> Result<(), Refusal> {
    let Kind::Sort { values, .. } = &l.stage.kind else { return Ok(()) };
    each_row(cx, l, s, values, |cx, point| merge_row(cx, l, &point))
}

/// Sorts the row at a point.
fn merge_row<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, point: &Point<'r>) -> Result<(), Refusal> {
    let Kind::Sort { values, less, kept, position } = &l.stage.kind else { return Ok(()) };
    let n = l.stage.inner_points();
    let dtypes: Vec<DType> = values.iter().map(|&v| l.region.dtype(v)).collect();
    let sides: Vec<Vec<Buf>> = ["even", "odd"]
        .iter()
        .map(|side| {
            let local = |(k, d): (usize, &DType)| cx.b.local(format!("{side}{k}"), scalar::mem_elem(*d), n);
            dtypes.iter().enumerate().map(local).collect()
        })
        .collect();
    let row = Row { l, n, dtypes: &dtypes, less };
    row.each(cx, point, n, |cx, p, j| {
        for (k, &id) in values.iter().enumerate() {
            let v = cx.value(p, id)?;
            let raw = scalar::to_memory(&mut cx.b, v, dtypes[k]);
            cx.b.store(sides[0][k], j, raw, None);
        }
        Ok(())
    })?;
    let (mut from, mut to) = (0, 1);
    let mut width = 1;
    while width < n {
        row.merge_runs(cx, point, width, &sides[from], &sides[to])?;
        (from, to) = (to, from);
        width *= 2;
    }
    row.each(cx, point, *kept, |cx, p, j| {
        let sorted = row.load(cx, &sides[from], j);
        l.store(cx, p, l.index, &dtypes, position, &sorted, false)
    })
}

struct Row<'r> {
    l: &'r Lowering<'r>,
    n: i64,
    dtypes: &'r [DType],
    less: &'r Function,
}

impl Row<'_> {
    /// The first `count` elements of the row, one after the other.
    fn each<'p>(
        &self,
        cx: &mut Emit<'p>,
        point: &Point<'p>,
        count: i64,
        body: impl FnOnce(&mut Emit<'p>, &mut Point<'p>, V) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (zero, n) = (cx.b.i64(0), cx.b.i64(count));
        cx.for_loop((zero, n, 1), &[], |cx, j, _| {
            let mut p = point.clone();
            let indices = cx.delinearize(j, self.l.axes.inner_extents());
            for (k, i) in indices.into_iter().enumerate() {
                p = p.moved(self.l.region, self.l.axes.space + k, i);
            }
            body(cx, &mut p, j)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn load(&self, cx: &mut Emit<'_>, side: &[Buf], at: V) -> Vec<V> {
        let one = |(&buf, &dtype): (&Buf, &DType)| {
            let raw = cx.b.load(buf, at, 1, None);
            scalar::from_memory(&mut cx.b, raw, dtype)
        };
        side.iter().zip(self.dtypes).map(one).collect()
    }

    /// Merges neighbouring runs of `width` elements: of equal elements the left run's come first.
    fn merge_runs<'p>(
        &self,
        cx: &mut Emit<'p>,
        point: &Point<'p>,
        width: i64,
        from: &[Buf],
        to: &[Buf],
    ) -> Result<(), Refusal> {
        let (zero, n, w) = (cx.b.i64(0), cx.b.i64(self.n), cx.b.i64(width));
        cx.for_loop((zero, n, 2 * width), &[], |cx, start, _| {
            let middle = cx.b.add(start, w);
            let middle = cx.b.bin(Bin::SMin, middle, n);
            let end = cx.b.add(middle, w);
            let end = cx.b.bin(Bin::SMin, end, n);
            cx.for_loop((start, end, 1), &[middle], |cx, k, heads| {
                // What was not taken from the right run was taken from the left one.
                let b = heads[0];
                let a = cx.b.add(k, middle);
                let a = cx.b.sub(a, b);
                let has_left = cx.b.cmp(Cmp::Slt, a, middle);
                let has_right = cx.b.cmp(Cmp::Slt, b, end);
                // Heads past their run are looked at, not used; they stay inside the array.
                let last = cx.b.i64(self.n - 1);
                let (ai, bi) = (cx.b.bin(Bin::SMin, a, last), cx.b.bin(Bin::SMin, b, last));
                let (left, right) = (self.load(cx, from, ai), self.load(cx, from, bi));
                let pairs: Vec<V> = right.iter().zip(&left).flat_map(|(&r, &l)| [r, l]).collect();
                let right_first = cx.call(point, self.less, &pairs)?[0];
                let take_right = cx.b.bin(Bin::And, has_right, right_first);
                let no_left = cx.b.un(crate::loop_ir::Un::Not, has_left);
                let take_right = cx.b.bin(Bin::Or, take_right, no_left);
                for ((&buf, &dtype), (&l, &r)) in to.iter().zip(self.dtypes).zip(left.iter().zip(&right)) {
                    let v = cx.b.select(take_right, r, l);
                    let raw = scalar::to_memory(&mut cx.b, v, dtype);
                    cx.b.store(buf, k, raw, None);
                }
                // A sum, not a choice: code with a jump for it would be mispredicted every other time.
                let taken = cx.b.cast(Cast::Zext, take_right, Elem::I64);
                Ok(vec![cx.b.add(b, taken)])
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
