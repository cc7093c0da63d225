//! Segments: parts that know nothing of each other, in the tasks of one phase.
//!
//! Every part is cut into units, the tasks it would have by itself; a task of the phase runs a range of units. Tables
//! say for each unit which row of its body's columns it works on, and which of the row's tasks it is:
//!
//! ```text
//! for unit in starts[task]..starts[task + 1]
//!   if unit < units of body 0 { row = rows[unit], task = tasks[unit]: body 0 } else { … }
//! ```
//!
//! A body of a single part has one row, whose tasks follow each other: it needs no tables.

use super::emit::Emit;
use super::home::Arrays;
use super::interface::declare;
use super::lowering::Lowering;
use super::phases::{lower_stages, lowerings};
use super::point::Point;
use crate::loop_ir::{Bin, Buf, Cmp, CodeBuilder, Elem, Kernel, Op, Stmt, Type, V};
use crate::plan::{Body, MapSchedule, Plan, Schedule, Segments, Sizes};
use crate::refusal::Refusal;
use crate::region::{Kind, Part, Region, roots_of};

const INDEX: Type = Type { elem: Elem::I64, lanes: 1 };

pub(super) fn lower(
    mut b: CodeBuilder,
    region: &Region,
    plan: &Plan,
    s: &Segments,
) -> Result<Kernel, Refusal> {
    let buffers = declare(&mut b, region, plan);
    let (inputs, mut rest) = buffers.split_at(region.inputs.len());
    let mut outputs: Vec<&[Buf]> = Vec::new();
    for part in &region.parts {
        let (own, next) = rest.split_at(part.region.outputs.len());
        outputs.push(own);
        rest = next;
    }
    let mut codes = Vec::new();
    for body in &s.bodies {
        let parts: Vec<Arrayed<'_>> = body
            .parts
            .iter()
            .map(|&p| {
                let part = &region.parts[p as usize];
                let inputs = part.inputs.iter().map(|&i| inputs[i as usize]).collect();
                Arrayed { part, inputs, outputs: outputs[p as usize] }
            })
            .collect();
        let code;
        // A task is in one body at a time, and begins each without values.
        b.begin_part();
        (b, code) = lower_body(b, body, &parts)?;
        codes.push(code);
    }
    let units = Units::new(s, &codes);
    if units.count == 0 {
        return Ok(b.finish());
    }
    let tasks = units.starts.len() as i64 - 1;
    let tables = (!units.rows.is_empty()).then(|| [&units.rows, &units.tasks].map(|t| b.table(t.clone())));
    let task = b.open_phase(tasks);
    let (first, end) = match tasks == units.count {
        true => (task, None),
        false => {
            let starts = b.table(units.starts);
            let one = b.i64(1);
            let next = b.add(task, one);
            let bound = |b: &mut CodeBuilder, index| b.op(Op::Table { table: starts, index });
            (bound(&mut b, task), Some(bound(&mut b, next)))
        }
    };
    let codes: Vec<(Placed, Code)> = units.bodies.iter().copied().zip(codes).collect();
    match end {
        None => run(&mut b, &codes, first, tables),
        Some(end) => {
            b.for_loop(first, end, 1, &[], |b, unit, _| {
                run(b, &codes, unit, tables);
                Vec::new()
            });
        }
    }
    b.close_phase(task);
    Ok(b.finish())
}

/// A part with the kernel's buffers for its arrays.
struct Arrayed<'a> {
    part: &'a Part,
    inputs: Vec<Buf>,
    outputs: &'a [Buf],
}

/// The code of a body, for the unit that `row` and `task` are of.
struct Code {
    row: V,
    task: V,
    stmts: Vec<Stmt>,
    /// Tasks of each row.
    tasks: Vec<i64>,
    /// What else the row has, each with its table: the extent of its loop, and where it begins to read.
    entries: Vec<(V, u32)>,
}

fn lower_body(
    mut b: CodeBuilder,
    body: &Body,
    parts: &[Arrayed<'_>],
) -> Result<(CodeBuilder, Code), Refusal> {
    let region = &parts[0].part.region;
    let row = b.reserve(INDEX);
    let cell = |b: &mut CodeBuilder, of: &dyn Fn(&Arrayed<'_>) -> Buf| {
        let column: Vec<u32> = parts.iter().filter_map(|p| position(of(p))).collect();
        match column.iter().all(|&c| c == column[0]) {
            true => Buf::Global(column[0]),
            false => Buf::Cell { column: b.column(column), row },
        }
    };
    let mut arrays = Arrays::default();
    for i in 0..region.inputs.len() {
        arrays.inputs.push(cell(&mut b, &|p| p.inputs[i]));
    }
    for (o, &source) in region.output_sources.iter().enumerate() {
        let buf = cell(&mut b, &|p| p.outputs[o]);
        arrays.results.entry(source).or_insert(buf.into());
        arrays.outputs.push(buf);
    }
    let mut entries = Vec::new();
    let mut entry = |b: &mut CodeBuilder, column: &[i64]| {
        let column: Vec<u64> = column.iter().map(|&n| n as u64).collect();
        entries.push((b.reserve(INDEX), b.table(column)));
        entries[entries.len() - 1].0
    };
    let size = body.sizes.as_ref().map(|sizes| entry(&mut b, &sizes.extents));
    if let (Some(sizes), [stage]) = (&body.sizes, &region.stages[..]) {
        for (load, starts) in region.loads(&roots_of(stage)).into_iter().zip(&sizes.starts) {
            if starts.iter().any(|&start| start != starts[0]) {
                arrays.starts.insert(load, entry(&mut b, starts));
            }
        }
    }
    let outputs = arrays.outputs.clone();
    let lowerings = lowerings(region, &body.plan, &outputs);
    let mut cx = Emit::new(b, region, arrays);
    match (&body.sizes, body.plan.groups.first().map(|g| &g.schedule), size) {
        (Some(sizes), Some(Schedule::Map(s)), Some(size)) => {
            sized_map(&mut cx, &lowerings[0], s, sizes, size)?
        }
        _ => lower_stages(&mut cx, &lowerings, &body.plan)?,
    }
    let mut b = cx.b;
    let mut phases = b.take_phases();
    if phases.len() > 1 {
        return Err(Refusal::SeveralPhases);
    }
    // Arrays of no elements need no code.
    let phase = phases.pop();
    let tasks = match (&body.sizes, &phase) {
        (Some(sizes), _) => sizes.tasks(),
        (None, phase) => vec![phase.as_ref().map_or(0, |p| p.tasks); parts.len()],
    };
    let (task, stmts) = match phase {
        Some(phase) => (phase.task, phase.body),
        None => (b.reserve(INDEX), Vec::new()),
    };
    Ok((b, Code { row, task, stmts, tasks, entries }))
}

fn position(buf: Buf) -> Option<u32> {
    match buf {
        Buf::Global(i) => Some(i),
        Buf::Local(_) | Buf::Cell { .. } => None,
    }
}

/// One task of a map over `size` elements, whatever that is, or of a single one: the last vector of a row overlaps the one before.
fn sized_map<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &MapSchedule,
    sizes: &Sizes,
    size: V,
) -> Result<(), Refusal> {
    let Kind::Map { values } = &l.stage.kind else { return Ok(()) };
    let task = cx.b.open_phase(sizes.tasks().into_iter().max().unwrap_or(0));
    let Some(lane) = s.lane else {
        let mut point = l.start(cx);
        let results = values.iter().map(|&id| cx.value(&mut point, id)).collect::<Result<Vec<_>, _>>()?;
        l.finish(cx, &mut point, &results, false)?;
        cx.b.close_phase(task);
        return Ok(());
    };
    let (block, lanes) = (cx.b.i64(sizes.block), cx.b.i64(s.lanes as i64));
    let first = cx.b.mul(task, block);
    let end = cx.b.add(first, block);
    let end = cx.b.bin(Bin::SMin, end, size);
    let last = cx.b.sub(size, lanes);
    let zero = cx.b.i64(0);
    let mut point = Point::new(&l.axes, vec![zero]);
    cx.hoist(&mut point, values, &[lane])?;
    cx.for_loop((first, end, s.lanes as i64), &[], |cx, column, _| {
        let column = cx.b.bin(Bin::SMin, column, last);
        let mut point = point.spread(l.region, lane, column, s.lanes);
        let mut results = Vec::new();
        for &id in values {
            results.push(cx.value(&mut point, id)?);
        }
        l.finish(cx, &mut point, &results, false)?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// Where the units of a body are among those of all.
#[derive(Clone, Copy)]
struct Placed {
    first: i64,
    end: i64,
    /// Its first entry in the tables; `None` where it has a single part.
    entry: Option<i64>,
}

/// The units of all bodies, one body after the other.
struct Units {
    count: i64,
    bodies: Vec<Placed>,
    /// Of the units of bodies with several parts: the row and which of its tasks.
    rows: Vec<u64>,
    tasks: Vec<u64>,
    /// The first unit of each task of the phase, and the end.
    starts: Vec<u64>,
}

impl Units {
    fn new(s: &Segments, codes: &[Code]) -> Units {
        let mut units =
            Units { count: 0, bodies: Vec::new(), rows: Vec::new(), tasks: Vec::new(), starts: vec![0] };
        let mut held = 0i64;
        for (body, code) in s.bodies.iter().zip(codes) {
            let (first, several) = (units.count, code.tasks.len() > 1);
            let entry = several.then_some(units.rows.len() as i64);
            for (row, (&part, &tasks)) in body.parts.iter().zip(&code.tasks).enumerate() {
                for task in 0..tasks {
                    if several {
                        units.rows.push(row as u64);
                        units.tasks.push(task as u64);
                    }
                    units.count += 1;
                    held = held.saturating_add(s.work[part as usize] / tasks);
                    if held >= s.grain {
                        units.starts.push(units.count as u64);
                        held = 0;
                    }
                }
            }
            units.bodies.push(Placed { first, end: units.count, entry });
        }
        if units.starts.last() != Some(&(units.count as u64)) {
            units.starts.push(units.count as u64);
        }
        units
    }
}

/// The code of the body that a unit is of, found by halving.
fn run(b: &mut CodeBuilder, codes: &[(Placed, Code)], unit: V, tables: Option<[u32; 2]>) {
    if let [(placed, code)] = codes {
        match placed.entry.zip(tables) {
            Some((entry, [rows, tasks])) => {
                let before = b.i64(placed.first - entry);
                let index = b.sub(unit, before);
                b.define(code.row, Op::Table { table: rows, index });
                b.define(code.task, Op::Table { table: tasks, index });
            }
            None => {
                let first = b.i64(placed.first);
                b.define(code.row, Op::Const { ty: INDEX, bits: 0 });
                b.define(code.task, Op::Bin(Bin::Sub, unit, first));
            }
        }
        for &(entry, table) in &code.entries {
            b.define(entry, Op::Table { table, index: code.row });
        }
        b.splice(code.stmts.clone());
        return;
    }
    let (first, second) = codes.split_at(codes.len() / 2);
    let bound = b.i64(first[first.len() - 1].0.end);
    let before = b.cmp(Cmp::Slt, unit, bound);
    b.if_else(
        before,
        |b| {
            run(b, first, unit, tables);
            Vec::new()
        },
        |b| {
            run(b, second, unit, tables);
            Vec::new()
        },
    );
}
