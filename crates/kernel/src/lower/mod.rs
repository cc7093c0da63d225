//! From a region and its plan to Loop IR.
//!
//! One file for each kind of stage, and [`segments`] for parts that share a launch; [`axes`] shapes the loops, [`point`] evaluates expressions in them, [`scalar`]
//! and [`math`] expand operations. Emission follows the plan and decides nothing.

pub mod axes;
mod contract;
mod expansions;
mod home;
mod interface;
mod looped;
mod map;
pub mod math;
mod near;
mod nest;
mod point;
mod prefetch;
mod reduce;
mod rows;
pub mod scalar;
mod scan;
mod segments;
mod select_and_scatter;
mod sort;
mod structured;
mod transpose;
mod update;

use crate::loop_ir::{Access, Buf, CodeBuilder, Kernel, V};
use crate::plan::{Group, MapSchedule, Member, Nest, Plan, Schedule};
use crate::refusal::Refusal;
use crate::region::{Kind, Node, NodeId, Region, Stage};
use crate::sharing;
use axes::Axes;
pub use expansions::Expansions;
use home::{Arrays, Home, Row, TileHome};
pub use interface::parameters;
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, linearize};
use point::{Emit, Point};
pub use point::{point_dependence, varying};
use rows::{Rows, block};

/// The code of a region under a plan. Buffers of the kernel: inputs, outputs, then scratch. An input that an output
/// takes the place of has no elements: its values are found in the output.
///
/// # Errors
/// An operation that has no expansion for its type, which [`Expansions`] tells beforehand.
pub fn lower(region: &Region, plan: &Plan, name: &str) -> Result<Kernel, Refusal> {
    let mut b = CodeBuilder::new(name);
    if let Some(segments) = &plan.segments {
        return segments::lower(b, region, plan, segments);
    }
    let mut inputs = declare(&mut b, region, plan);
    let outputs = inputs.split_off(region.inputs.len());
    let mut arrays = Arrays { inputs, ..Arrays::default() };
    for (output, input) in sharing::shared(region) {
        arrays.inputs[input as usize] = outputs[output as usize];
    }
    for (&source, &buf) in region.output_sources.iter().zip(&outputs) {
        arrays.results.entry(source).or_insert(buf.into());
    }
    for &(stage, result) in &plan.scratch {
        let s = &region.stages[stage as usize];
        let elem = scalar::mem_elem(s.results[result as usize]);
        let buf = b.buffer(format!("{}.{result}", s.name), elem, s.elements, Access::Scratch);
        arrays.results.insert((stage, result), buf.into());
    }
    let lowerings = lowerings(region, plan, &outputs);
    let mut cx = Emit::new(b, region, arrays);
    lower_stages(&mut cx, &lowerings, plan)?;
    let kernel = cx.b.finish();
    debug_assert!(kernel.phases.len() <= plan.phases(), "{} phases of {plan}", kernel.phases.len());
    Ok(kernel)
}

/// The stages in the order of the plan.
fn lowerings<'r>(region: &'r Region, plan: &'r Plan, outputs: &'r [Buf]) -> Vec<Lowering<'r>> {
    let groups = plan.groups.iter().map(|group| Lowering::new(region, group, outputs));
    let members = plan.nest.iter().flat_map(|n| n.members.iter().map(move |m| (n, m)));
    let members = members.map(|(n, m)| Lowering::member(region, n, m, outputs));
    groups.chain(members).collect()
}

/// Appends the phases of a plan.
fn lower_stages<'r>(cx: &mut Emit<'r>, lowerings: &'r [Lowering<'r>], plan: &'r Plan) -> Result<(), Refusal> {
    if let Some(nest) = &plan.nest {
        return nest::lower(cx, lowerings, nest);
    }
    for (l, group) in lowerings.iter().zip(&plan.groups) {
        stage(cx, l, &group.schedule)?;
    }
    Ok(())
}

/// The code of a stage: its phases, or its loops at the row being emitted.
fn stage<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, schedule: &'r Schedule) -> Result<(), Refusal> {
    match schedule {
        Schedule::Map(s) => match &s.transpose {
            Some(t) => transpose::lower(cx, l, s, t),
            None => map::lower(cx, l, s),
        },
        Schedule::Reduce(s) => reduce::lower(cx, l, s),
        Schedule::Contract(s) => contract::lower(cx, l, s),
        Schedule::Update(s) => update::lower(cx, l, s),
        Schedule::Scan(s) => scan::lower(cx, l, s),
        Schedule::Sort(s) => sort::lower(cx, l, s),
        Schedule::Loop(s) => looped::lower(cx, l, s),
        Schedule::SelectAndScatter => select_and_scatter::lower(cx, l),
    }
}

/// The buffers that the caller passes, inputs first.
fn declare(b: &mut CodeBuilder, region: &Region, plan: &Plan) -> Vec<Buf> {
    let parameters = parameters(region, plan).into_iter();
    parameters.map(|p| b.buffer(p.name, p.elem, p.len, p.access)).collect()
}

/// One group of the plan: a stage, and a map computed where its results are made; or a stage of a row nest.
struct Lowering<'r> {
    region: &'r Region,
    index: u32,
    stage: &'r Stage,
    epilogue: Option<(u32, &'r Stage)>,
    outputs: &'r [Buf],
    axes: Axes,
    /// In a row nest, its loop axes that the row fixes.
    rows: Option<&'r [usize]>,
    /// Its results are one value for the row, and stay in registers.
    in_registers: bool,
    /// The parts of a map whose loop is split.
    parts: Vec<Lowering<'r>>,
}

impl<'r> Lowering<'r> {
    fn new(region: &'r Region, group: &'r Group, outputs: &'r [Buf]) -> Lowering<'r> {
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
            parts: Vec::new(),
        }
        .split(&group.schedule)
    }

    fn member(region: &'r Region, nest: &Nest, member: &'r Member, outputs: &'r [Buf]) -> Lowering<'r> {
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
            parts: Vec::new(),
        }
        .split(&member.schedule)
    }

    /// With the parts of a split loop, which differ in nothing but their axes.
    fn split(mut self, schedule: &Schedule) -> Lowering<'r> {
        if let Schedule::Map(MapSchedule { split: Some(split), .. }) = schedule {
            let part = |axes| Lowering { axes, parts: Vec::new(), ..self };
            self.parts = split.axes(&self.axes).into_iter().map(part).collect();
        }
        self
    }

    fn in_row(&self) -> bool {
        self.rows.is_some()
    }

    /// The space axes that the stage's loops run over but for these.
    fn loops(&self, special: &[Option<usize>]) -> Rows {
        let fixed = self.rows.unwrap_or_default().iter().copied().map(Some);
        Rows::except(&self.axes, &special.iter().copied().chain(fixed).collect::<Vec<_>>())
    }

    /// The point where the stage's loops begin: that of the row, else zero everywhere.
    fn start(&'r self, cx: &mut Emit<'r>) -> Point<'r> {
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

    /// Runs `body` for each of `units`: a phase of tasks of `per_task`, or a loop within the row.
    fn each(
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
        let task = cx.b.open_phase();
        let (first, end) = block(cx, task, per_task, units);
        cx.for_loop((first, end, 1), &[], |cx, unit, _| body(cx, unit).map(|()| Vec::new()))?;
        cx.b.close_phase((units + per_task - 1) / per_task, task);
        Ok(())
    }

    /// The values of the epilogue.
    fn epilogue_values(&self) -> &'r [NodeId] {
        match self.epilogue.map(|e| &e.1.kind) {
            Some(Kind::Map { values }) => values,
            _ => &[],
        }
    }

    /// The row-major offset of the point within the stage's space.
    fn position(&self) -> Affine {
        let index: Vec<Affine> = (0..self.stage.space.len()).map(Affine::axis).collect();
        linearize(&index, &self.stage.space)
    }

    /// Stores the results of the stage at a point where they must be in memory, then computes and stores the
    /// epilogue there.
    fn finish(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        values: &[V],
        streaming: bool,
    ) -> Result<(), Refusal> {
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

    #[allow(clippy::too_many_arguments, reason = "a store is a store")]
    fn store(
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
            let key = (stage, n as u32);
            if self.in_registers {
                cx.registers.insert(key, v);
            }
            for (o, &source) in self.region.output_sources.iter().enumerate() {
                if source == key {
                    cx.store(point, (self.outputs[o].into(), dtype), position, v, None, streaming)?;
                }
            }
            if let Some(&home) = cx.arrays.results.get(&key)
                && (home.tile.is_some() || !self.region.output_sources.contains(&key))
            {
                cx.store(point, (home, dtype), position, v, None, false)?;
            }
        }
        Ok(())
    }
}
