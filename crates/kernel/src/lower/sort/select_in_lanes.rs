//! The first elements of sorted rows that lie side by side in lanes: each element in turn is put in its place among the
//! first so far, which stay sorted in registers.

use super::compared::Compared;
use super::in_lanes::{each, positions};
use crate::loop_ir::{Cast, Cmp, Elem, Type, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::scalar::reg_elem;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;
use lawson_hlo::index::Affine;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    lane: usize,
) -> Result<(), Refusal> {
    let Some(row) = Compared::of(l, false) else { return Ok(()) };
    let rows = InLanes { row };
    each(cx, &rows.row, s, lane, |cx, mut point| {
        let found = rows.found(cx, &point)?;
        rows.store(cx, &mut point, &found)
    })
}

struct InLanes<'r> {
    row: Compared<'r>,
}

/// Keys and places of elements, in order.
type Found = Vec<(V, V)>;

impl<'r> InLanes<'r> {
    /// The first elements of the rows.
    fn found(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<Found, Refusal> {
        let mut found = Found::new();
        // As long as there are less than are wanted, there is one more after each step.
        for j in 0..self.row.kept {
            let at = cx.b.i64(j);
            let new = self.element(cx, point, at)?;
            let last = found.last().copied().unwrap_or(new);
            found.push(last);
            let known = found.len() - 1;
            self.insert(cx, &mut found, known, new);
        }
        let flat: Vec<V> = found.iter().flat_map(|&(key, place)| [key, place]).collect();
        let (first, end) = (cx.b.i64(self.row.kept), cx.b.i64(self.row.n));
        let flat = cx.for_loop((first, end, 1), &flat, |cx, j, flat| {
            let mut found: Found = flat.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            let new = self.element(cx, point, j)?;
            let known = found.len();
            self.insert(cx, &mut found, known, new);
            Ok(found.iter().flat_map(|&(key, place)| [key, place]).collect())
        })?;
        Ok(flat.chunks(2).map(|pair| (pair[0], pair[1])).collect())
    }

    /// The keys of element `j` of the rows, and the place.
    fn element(&self, cx: &mut Emit<'r>, point: &Point<'r>, j: V) -> Result<(V, V), Refusal> {
        let mut p = point.moved(self.row.l.region, self.row.l.axes.space, j);
        let x = cx.vector(&mut p, self.row.values[0])?;
        let place = cx.b.cast(Cast::Trunc, j, Elem::I32);
        Ok((self.row.key(cx, &p, x)?, cx.b.widen_to(place, point.lanes)))
    }

    /// Puts an element behind those of the first `known` that do not come later, the others one place on.
    fn insert(&self, cx: &mut Emit<'r>, found: &mut Found, known: usize, (key, place): (V, V)) {
        let lanes = cx.b.ty_of(key).lanes;
        let always = cx.b.constant(Type::vector(Elem::I1, lanes), 1);
        let never = cx.b.constant(Type::vector(Elem::I1, lanes), 0);
        let before = found.clone();
        let mut stayed = always;
        for (n, slot) in found.iter_mut().enumerate() {
            // What is not known yet gives way.
            let stays = if n < known { cx.b.cmp(Cmp::Sle, key, before[n].0) } else { never };
            let moved = before[n.saturating_sub(1)];
            let one = |cx: &mut Emit<'r>, old: V, moved: V, new: V| {
                let came = cx.b.select(stayed, new, moved);
                cx.b.select(stays, old, came)
            };
            *slot = (one(cx, before[n].0, moved.0, key), one(cx, before[n].1, moved.1, place));
            stayed = stays;
        }
    }

    fn store(&self, cx: &mut Emit<'r>, point: &mut Point<'r>, found: &Found) -> Result<(), Refusal> {
        let l = self.row.l;
        let slots = positions(&self.row);
        for (n, &dtype) in self.row.dtypes.iter().enumerate() {
            let parts: Vec<V> = found
                .iter()
                .map(|&(key, place)| match n {
                    0 => self.row.element(cx, key),
                    _ => cx.b.cast(Cast::Sext, place, reg_elem(dtype)),
                })
                .collect();
            let parts: Vec<(&Affine, V)> = slots.iter().zip(parts).collect();
            l.store_parts(cx, point, ((l.index, n as u32), dtype), &parts, false)?;
        }
        Ok(())
    }
}
