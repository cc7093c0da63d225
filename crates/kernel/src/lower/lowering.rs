//! A stage being lowered: its loops, where they begin, and where its results go.

use super::emit::Emit;
use super::point::Point;
use super::rows::{Rows, block};
use crate::loop_ir::{Buf, V};
use crate::plan::{Axes, Group, MapSchedule, Member, Nest, Plan, Schedule, take_turns};
use crate::refusal::Refusal;
use crate::region::{Kind, NodeId, Region, Stage};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, linearize};

/// A stage with the loops its plan gives it, as a group of its own or in the rows of a nest, and its epilogue: the map
/// that is computed where the stage's results are made.
pub(super) struct Lowering<'r> {
    pub(super) region: &'r Region,
    pub(super) index: u32,
    pub(super) stage: &'r Stage,
    pub(super) epilogue: Option<(u32, &'r Stage)>,
    pub(super) outputs: &'r [Buf],
    pub(super) axes: Axes,
    /// In a row nest, its loop axes that the row fixes.
    pub(super) rows: Option<&'r [usize]>,
    /// Its results are one value for the row, and stay in registers.
    pub(super) in_registers: bool,
    /// Outputs wait in registers until those of the rows beside are there.
    pub(super) waits: bool,
    pub(super) plan: &'r Plan,
    /// The parts of a map whose loop is split.
    pub(super) parts: Vec<Lowering<'r>>,
}

impl<'r> Lowering<'r> {
    pub(super) fn new(
        (region, plan): (&'r Region, &'r Plan),
        group: &'r Group,
        outputs: &'r [Buf],
    ) -> Lowering<'r> {
        let stage = &region.stages[group.stage as usize];
        let epilogue = group.epilogue.map(|e| (e, &region.stages[e as usize]));
        Lowering {
            region,
            index: group.stage,
            stage,
            epilogue,
            outputs,
            axes: group.axes.clone(),
            rows: None,
            in_registers: false,
            waits: false,
            plan,
            parts: Vec::new(),
        }
        .split(&group.schedule)
    }

    pub(super) fn member(
        (region, plan): (&'r Region, &'r Plan),
        nest: &Nest,
        member: &'r Member,
        outputs: &'r [Buf],
    ) -> Lowering<'r> {
        let (stage, axes) = (&region.stages[member.stage as usize], member.axes.clone());
        let rows = Some(&member.rows[..]);
        let epilogue = member.epilogue.map(|e| (e, &region.stages[e as usize]));
        Lowering {
            region,
            index: member.stage,
            stage,
            epilogue,
            outputs,
            axes,
            rows,
            in_registers: nest.in_registers(member),
            waits: nest.waits(member),
            plan,
            parts: Vec::new(),
        }
        .split(&member.schedule)
    }

    /// With the parts of a split loop, which differ in nothing but their axes.
    pub(super) fn split(mut self, schedule: &Schedule) -> Lowering<'r> {
        if let Schedule::Map(MapSchedule { split: Some(split), .. }) = schedule {
            let part = |axes| Lowering { axes, parts: Vec::new(), ..self };
            self.parts = split.axes(&self.axes).into_iter().map(part).collect();
        }
        self
    }

    /// The stages that it computes.
    pub(super) fn stages(&self) -> impl Iterator<Item = u32> {
        [Some(self.index), self.epilogue.map(|e| e.0)].into_iter().flatten()
    }

    pub(super) fn in_row(&self) -> bool {
        self.rows.is_some()
    }

    /// The space axes that the stage's loops run over but for these.
    pub(super) fn loops(&self, special: &[Option<usize>]) -> Rows {
        let fixed = self.rows.unwrap_or_default().iter().copied().map(Some);
        Rows::except(&self.axes, &special.iter().copied().chain(fixed).collect::<Vec<_>>())
    }

    /// The point where the stage's loops begin: that of the row, else zero everywhere.
    pub(super) fn start(&'r self, cx: &mut Emit<'r>) -> Point<'r> {
        let zero = cx.b.i64(0);
        let mut point = Point::new(&self.axes, vec![zero; self.axes.extents.len()]);
        if let (Some(row), Some(rows)) = (&cx.row, self.rows) {
            rows.iter().zip(&row.at).for_each(|(&axis, &at)| point.at[axis] = at);
            if let Some(lane) = row.lane {
                (point.lane, point.lanes) = (Some(rows[lane.row]), lane.lanes);
            }
        }
        point
    }

    /// Evaluates what the epilogue needs that is the same at every point of the stage's loops: it is computed once, however many
    /// vectors the loops are unrolled to.
    pub(super) fn hoist_epilogue(&self, cx: &mut Emit<'r>, point: &mut Point<'r>) -> Result<(), Refusal> {
        // What empty loops would not read must not be read before them.
        if self.axes.space_extents().contains(&0) {
            return Ok(());
        }
        let fixed = self.rows.unwrap_or_default();
        let loops: Vec<usize> = (0..self.axes.extents.len()).filter(|a| !fixed.contains(a)).collect();
        cx.hoist_before(point, self.epilogue_values(), &loops, Some(self.index))
    }

    /// Runs `body` for each of `units`: a phase of tasks of `per_task`, or a loop within the row.
    pub(super) fn each(
        &self,
        cx: &mut Emit<'r>,
        units: i64,
        per_task: i64,
        body: impl FnOnce(&mut Emit<'r>, V) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        if self.in_row() {
            let (zero, end) = (cx.b.i64(0), cx.b.i64(units));
            cx.for_loop((zero, end, 1), &[], |cx, unit, _| body(cx, unit).map(|()| Vec::new()))?;
            return Ok(());
        }
        let per_task = per_task.clamp(1, units.max(1));
        let task = cx.b.open_phase((units + per_task - 1) / per_task);
        let (first, end) = block(cx, task, per_task, units);
        cx.for_loop((first, end, 1), &[], |cx, unit, _| body(cx, unit).map(|()| Vec::new()))?;
        cx.b.close_phase(task);
        Ok(())
    }

    /// The values of the epilogue.
    pub(super) fn epilogue_values(&self) -> &'r [NodeId] {
        match self.epilogue.map(|e| &e.1.kind) {
            Some(Kind::Map { values }) => values,
            _ => &[],
        }
    }

    /// The row-major offset of the point within the stage's space.
    pub(super) fn position(&self) -> Affine {
        let index: Vec<Affine> = (0..self.stage.space.len()).map(Affine::axis).collect();
        linearize(&index, &self.stage.space)
    }

    /// Stores the results of the stage at a point where they must be in memory, then computes and stores the
    /// epilogue there.
    pub(super) fn finish(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        values: &[V],
        streaming: bool,
    ) -> Result<(), Refusal> {
        if let Kind::Pieces(stored) = &self.stage.kind {
            let mut values = values.iter();
            for (n, stored) in stored.iter().enumerate() {
                let to = ((self.index, n as u32), self.stage.results[n]);
                let parts: Vec<(&Affine, V)> =
                    stored.parts.iter().map(|p| &p.0).zip(values.by_ref().copied()).collect();
                self.store_parts(cx, point, to, &parts, streaming)?;
            }
            return Ok(());
        }
        let position = self.position();
        self.store(cx, point, self.index, &self.stage.results, &position, values, streaming)?;
        let Some((index, stage)) = self.epilogue else { return Ok(()) };
        for (n, &v) in values.iter().enumerate() {
            point.registers.insert((self.index, n as u32), v);
        }
        let mut results = Vec::new();
        for &id in self.epilogue_values() {
            results.push(cx.value(point, id)?);
        }
        self.store(cx, point, index, &stage.results, &position, &results, streaming)
    }

    /// Stores what goes to each part of an array at a point; vectors whose elements take turns in memory together.
    pub(super) fn store_parts(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        (key, dtype): ((u32, u32), DType),
        parts: &[(&Affine, V)],
        streaming: bool,
    ) -> Result<(), Refusal> {
        let offsets: Vec<&Affine> = parts.iter().map(|p| p.0).collect();
        let in_turn = point.lanes > 1 && point.mask.is_none() && take_turns(&offsets, &self.axes, point.lane);
        for (o, &source) in self.region.output_sources.iter().enumerate() {
            if source != key || self.waits {
                continue;
            }
            let to = (self.outputs[o].into(), dtype);
            if in_turn {
                let vectors: Vec<V> = parts.iter().map(|p| p.1).collect();
                cx.store_in_turn(point, to, offsets[0], &vectors, streaming)?;
                continue;
            }
            for &(position, value) in parts {
                cx.store(point, to, position, value, None, streaming)?;
            }
        }
        if let Some(&home) = cx.arrays.results.get(&key)
            && (home.tile.is_some() || !self.region.output_sources.contains(&key))
        {
            for &(position, value) in parts {
                cx.store(point, (home, dtype), position, value, None, false)?;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "each is one part of what is stored where")]
    pub(super) fn store(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        stage: u32,
        dtypes: &[DType],
        position: &Affine,
        values: &[V],
        streaming: bool,
    ) -> Result<(), Refusal> {
        for (n, (&v, &dtype)) in values.iter().zip(dtypes).enumerate() {
            self.store_one(cx, point, ((stage, n as u32), dtype), position, v, streaming)?;
        }
        Ok(())
    }

    /// Stores one result of a stage at a point.
    pub(super) fn store_one(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        (key, dtype): ((u32, u32), DType),
        position: &Affine,
        v: V,
        streaming: bool,
    ) -> Result<(), Refusal> {
        if self.in_registers {
            cx.registers.insert(key, v);
        }
        self.store_parts(cx, point, (key, dtype), &[(position, v)], streaming)
    }
}
