//! Maps: one value for each point.

use super::emit::Emit;
use super::inverses::Inverted;
use super::lowering::Lowering;
use super::point::Point;
use super::prefetch;
use super::rows::{Rows, block, left, within};
use super::under_way;
use crate::loop_ir::{Bin, Cmp, V};
use crate::plan::{CHAINS, MapSchedule};
use crate::refusal::Refusal;
use crate::region::{NodeId, in_place, roots_of};

/// Rows × columns in tasks; the last vector of a row that is no multiple of the lanes overlaps the one before, so
/// that no code is needed for remainders; it is masked where results replace what they are made of.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &'r MapSchedule) -> Result<(), Refusal> {
    let parts: Vec<Loops<'r>> = match &s.split {
        Some(split) => l.parts.iter().zip(&split.parts).map(|(l, s)| Loops::new(l, s)).collect(),
        None => vec![Loops::new(l, s)],
    };
    if l.axes.space_extents().contains(&0) {
        return Ok(());
    }
    // Loops within a row, or tasks that know only one of the parts.
    let together = s.split.as_ref().is_some_and(|s| s.in_rows);
    if l.in_row() {
        let size = if together { parts.len() } else { 1 };
        return parts.chunks(size).try_for_each(|parts| {
            let (zero, rows) = (cx.b.i64(0), cx.b.i64(parts[0].rows));
            points(cx, parts, (zero, rows), None)
        });
    }
    if together {
        let task = cx.b.open_phase((parts[0].rows + s.rows_per_task - 1) / s.rows_per_task);
        let rows = block(cx, task, s.rows_per_task, parts[0].rows);
        points(cx, &parts, rows, None)?;
        cx.b.close_phase(task);
    } else {
        let task = cx.b.open_phase(parts.iter().map(Loops::tasks).sum());
        tasks_of(cx, &parts, task)?;
        cx.b.close_phase(task);
    }
    Ok(())
}

/// A task of one of several parts, whose tasks follow each other.
fn tasks_of<'r>(cx: &mut Emit<'r>, parts: &[Loops<'r>], task: V) -> Result<(), Refusal> {
    let Some((part, rest)) = parts.split_first() else { return Ok(()) };
    if rest.is_empty() {
        return part.task(cx, task);
    }
    let end = cx.b.i64(part.tasks());
    let here = cx.b.cmp(Cmp::Slt, task, end);
    cx.if_else(
        here,
        |cx| part.task(cx, task).map(|()| Vec::new()),
        |cx| {
            let task = cx.b.sub(task, end);
            tasks_of(cx, rest, task).map(|()| Vec::new())
        },
    )?;
    Ok(())
}

/// The loops over all points of a map, or of a part of it.
struct Loops<'r> {
    l: &'r Lowering<'r>,
    s: &'r MapSchedule,
    outer: Rows,
    rows: i64,
    columns: i64,
    /// No point may be visited twice.
    once: bool,
}

impl<'r> Loops<'r> {
    fn new(l: &'r Lowering<'r>, s: &'r MapSchedule) -> Loops<'r> {
        let outer = l.loops(&[s.lane]);
        let columns = s.lane.map_or(1, |a| l.axes.extents[a]);
        let once = in_place::reads_its_target(l.region, l.index);
        Loops { l, s, rows: outer.count(), outer, columns, once }
    }

    /// Blocks of rows and of columns.
    fn blocks(&self) -> [i64; 2] {
        let blocks = |all: i64, of: i64| (all + of - 1) / of;
        [blocks(self.rows, self.s.rows_per_task), blocks(self.columns, self.s.columns_per_task)]
    }

    fn tasks(&self) -> i64 {
        self.blocks().iter().product()
    }

    fn task(&self, cx: &mut Emit<'r>, task: V) -> Result<(), Refusal> {
        let at = cx.delinearize(task, &self.blocks());
        let rows = block(cx, at[0], self.s.rows_per_task, self.rows);
        let columns = block(cx, at[1], self.s.columns_per_task, self.columns);
        points(cx, std::slice::from_ref(self), rows, Some(columns))
    }

    /// Where the loops begin, with what is the same at all of their points.
    fn start(&self, cx: &mut Emit<'r>, values: &[NodeId]) -> Result<Point<'r>, Refusal> {
        let mut start = self.l.start(cx);
        let loops: Vec<usize> = self.outer.axes().iter().copied().chain(self.s.lane).collect();
        cx.hoist(&mut start, values, &loops)?;
        Ok(start)
    }

    /// The points of these columns in a row.
    fn row(
        &self,
        cx: &mut Emit<'r>,
        mut point: Point<'r>,
        row: V,
        columns: (V, V),
        values: &[NodeId],
    ) -> Result<(), Refusal> {
        let (l, s) = (self.l, self.s);
        self.outer.place(cx, row, &mut point.at);
        let Some(lane) = s.lane else {
            let v = evaluate(cx, &mut point, values)?;
            return l.finish(cx, &mut point, &v, false);
        };
        cx.hoist(&mut point, values, &[lane])?;
        let lanes = s.lanes as i64;
        let block = s.inverses.vectors * lanes;
        if s.inverses.is_empty() {
            return self.vectors(cx, &point, columns, values, None);
        }
        cx.for_loop((columns.0, columns.1, block), &[], |cx, first, _| {
            let size = cx.b.i64(block);
            let end = cx.b.add(first, size);
            let end = cx.b.bin(Bin::SMin, end, columns.1);
            let elements = cx.b.sub(end, first);
            let inverted = Inverted::of_block(cx, &s.inverses, elements, s.lanes, &mut |cx, element| {
                let column = cx.b.add(first, element);
                self.at(cx, &point, (lane, CHAINS * lanes), column)
            })?;
            self.vectors(cx, &point, (first, end), values, Some(&inverted))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The vectors from one column to another, with the inverses that they share.
    fn vectors(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        columns: (V, V),
        values: &[NodeId],
        inverted: Option<&Inverted>,
    ) -> Result<(), Refusal> {
        let (l, s, lanes) = (self.l, self.s, self.s.lanes as i64);
        let Some(lane) = s.lane else { return Ok(()) };
        if let Some(order) = &s.in_order {
            return self.periods(cx, row, columns, (values, order.vectors));
        }
        if s.masked && self.columns % lanes != 0 && !self.once {
            return self.masked_vectors(cx, row, columns, values);
        }
        if s.ahead > 1 && inverted.is_none() && s.next_rows.is_empty() {
            return self.whole_vectors(cx, row, columns, values);
        }
        let next = prefetch::starts(cx, row, &s.next_rows)?;
        cx.for_loop((columns.0, columns.1, lanes), &[], |cx, column, _| {
            prefetch::next_rows(cx, &s.next_rows, &next, (column, lanes));
            let mut point = self.at(cx, row, (lane, lanes), column);
            if let Some(inverted) = inverted {
                let element = cx.b.sub(column, columns.0);
                inverted.enter(cx, &mut point, element, s.lanes);
            }
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, s.streaming)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The same, period by period of so many vectors. Where they are no whole number the last one overlaps the one before, or is
    /// masked if no point may be visited twice.
    fn periods(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        (first, end): (V, V),
        (values, vectors): (&[NodeId], i64),
    ) -> Result<(), Refusal> {
        let (l, s, lanes) = (self.l, self.s, self.s.lanes as i64);
        let (Some(lane), unit) = (s.lane, vectors * lanes) else { return Ok(()) };
        let rest = self.columns % unit;
        let vectors_from = |cx: &mut Emit<'r>, first: V, vectors: i64, masked: bool| -> Result<(), Refusal> {
            for vector in 0..vectors {
                let before = cx.b.i64(vector * lanes);
                let column = cx.b.add(first, before);
                let mut point = row.spread(l.region, lane, column, s.lanes);
                point.mask = masked.then(|| left(cx, column, self.columns, s.lanes));
                let v = evaluate(cx, &mut point, values)?;
                l.finish(cx, &mut point, &v, s.streaming)?;
            }
            Ok(())
        };
        let masked = self.once && rest > 0;
        let end_of_whole = cx.b.i64(self.columns - rest);
        let whole = if masked { cx.b.bin(Bin::SMin, end, end_of_whole) } else { end };
        cx.for_loop((first, whole, unit), &[], |cx, first, _| {
            let first = if rest == 0 || masked { first } else { within(cx, first, unit, self.columns) };
            vectors_from(cx, first, vectors, false).map(|()| Vec::new())
        })?;
        if masked {
            let is_last = cx.b.cmp(Cmp::Slt, whole, end);
            let last = (rest + lanes - 1) / lanes;
            cx.if_else(
                is_last,
                |cx| vectors_from(cx, end_of_whole, last, true).map(|()| Vec::new()),
                |_| Ok(Vec::new()),
            )?;
        }
        Ok(())
    }

    /// So many vectors at once as the schedule says.
    fn whole_vectors(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        columns: (V, V),
        values: &[NodeId],
    ) -> Result<(), Refusal> {
        let (l, s, lanes) = (self.l, self.s, self.s.lanes as i64);
        let Some(lane) = s.lane else { return Ok(()) };
        let mut vectors = |cx: &mut Emit<'r>, columns: &[V]| {
            let at = |cx: &mut Emit<'r>, &column: &V| self.at(cx, row, (lane, lanes), column);
            let mut points: Vec<Point<'r>> = columns.iter().map(|column| at(cx, column)).collect();
            let results = under_way::evaluate(cx, &mut points, values)?;
            points.iter_mut().zip(results).try_for_each(|(p, v)| l.finish(cx, p, &v, s.streaming))
        };
        let unit = s.ahead * lanes;
        if s.masked || self.once && self.columns % unit != 0 {
            return under_way::for_each(cx, columns, (lanes, s.ahead), &mut vectors);
        }
        // The last of a row overlap those before, so that their code stands once.
        cx.for_loop((columns.0, columns.1, unit), &[], |cx, first, _| {
            let first = if self.columns % unit == 0 { first } else { within(cx, first, unit, self.columns) };
            let columns = under_way::steps(cx, first, (lanes, s.ahead));
            vectors(cx, &columns).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// The same where the columns of the last vector that do not exist are masked: whole vectors, then that one.
    fn masked_vectors(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        (first, end): (V, V),
        values: &[NodeId],
    ) -> Result<(), Refusal> {
        let (l, s, lanes) = (self.l, self.s, self.s.lanes as i64);
        let Some(lane) = s.lane else { return Ok(()) };
        let (below, count) = (cx.b.i64(-lanes), cx.b.sub(end, first));
        let whole = cx.b.bin(Bin::And, count, below);
        let middle = cx.b.add(first, whole);
        under_way::for_each(cx, (first, middle), (lanes, s.ahead), &mut |cx, columns| {
            let at = |&column: &V| row.spread(l.region, lane, column, s.lanes);
            let mut points: Vec<Point<'r>> = columns.iter().map(at).collect();
            let results = under_way::evaluate(cx, &mut points, values)?;
            points.iter_mut().zip(results).try_for_each(|(p, v)| l.finish(cx, p, &v, false))
        })?;
        let last = |cx: &mut Emit<'r>| {
            let mut point = row.spread(l.region, lane, middle, s.lanes);
            point.mask = Some(left(cx, middle, self.columns, s.lanes));
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, false)
        };
        let rest = cx.b.cmp(Cmp::Slt, middle, end);
        cx.if_else(rest, |cx| last(cx).map(|()| Vec::new()), |_| Ok(Vec::new()))?;
        Ok(())
    }

    /// The point of the vector from a column on. Where rows are no multiple of `unit` columns it may lie beyond the row.
    fn at(&self, cx: &mut Emit<'r>, row: &Point<'r>, (lane, unit): (usize, i64), column: V) -> Point<'r> {
        let (region, lanes) = (self.l.region, self.s.lanes);
        if self.columns % unit == 0 {
            return row.spread(region, lane, column, lanes);
        }
        if !self.once {
            let at = within(cx, column, lanes as i64, self.columns);
            return row.spread(region, lane, at, lanes);
        }
        let mut point = row.spread(region, lane, column, lanes);
        point.mask = Some(left(cx, column, self.columns, lanes));
        point
    }
}

/// The points of a block of rows, for one part after the other; of all columns where none are given.
fn points<'r>(
    cx: &mut Emit<'r>,
    parts: &[Loops<'r>],
    (first, end): (V, V),
    columns: Option<(V, V)>,
) -> Result<(), Refusal> {
    let values = &roots_of(parts[0].l.stage)[..];
    let starts = parts.iter().map(|p| p.start(cx, values)).collect::<Result<Vec<_>, _>>()?;
    cx.for_loop((first, end, 1), &[], |cx, row, _| {
        for (part, start) in parts.iter().zip(starts) {
            let all = (cx.b.i64(0), cx.b.i64(part.columns));
            part.row(cx, start, row, columns.unwrap_or(all), values)?;
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

fn evaluate<'r>(cx: &mut Emit<'r>, point: &mut Point<'r>, values: &[NodeId]) -> Result<Vec<V>, Refusal> {
    values.iter().map(|&id| cx.value(point, id)).collect()
}
