//! Plans as text: the loops of each group in order, and what passes through memory between them.
//!
//! ```text
//! plan
//!   stage 0, then stage 1 where its results are made
//!     loops 4096 over 1024
//!     reduce across 16 lanes, chunks of 1024, 16 rows for each task
//!   in memory: stage 0
//! ```

use super::Axes;
use super::reduce::Join;
use super::{
    ContractSchedule, Group, IndexSetSplit, Inverses, LoopSchedule, MapSchedule, Matrices, Member, Nest,
    Plan, ReduceSchedule, ReduceShape, ScanSchedule, Schedule, Segments, SelectAndScatterSchedule,
    SortMethod, SortSchedule, Sorted, UpdateSchedule, Words,
};
use crate::loop_ir::{Cache, Factor};
use std::fmt;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan")?;
        if let Some(segments) = &self.segments {
            return write!(f, "{segments}");
        }
        for group in &self.groups {
            write!(f, "  stage {}", group.stage)?;
            if let Some(epilogue) = group.epilogue {
                write!(f, ", then stage {epilogue} where its results are made")?;
            }
            write!(f, "\n    loops {}\n    {}", group.loops(), group.schedule)?;
            writeln!(f, "{}", if group.halves { ", vectors in halves" } else { "" })?;
        }
        self.nest.iter().try_for_each(|n| nest(f, n))?;
        for (stage, result) in &self.scratch {
            writeln!(f, "  in memory: stage {stage} result {result}")?;
        }
        for output in &self.reread {
            writeln!(f, "  read back: out{output}")?;
        }
        for (stage, division) in &self.reciprocals {
            writeln!(f, "  by reciprocal: %{} of stage {stage}", division.0)?;
        }
        for p in &self.prefetch {
            let level = match p.into {
                Cache::First => "",
                Cache::Second => " into the second level",
            };
            writeln!(
                f,
                "  prefetch %{} of stage {}, {} elements ahead{level}",
                p.load.0, p.stage, p.elements
            )?;
        }
        Ok(())
    }
}

impl Plan {
    /// The plan in a few words, for the line of a report: `4096 over 1024, 16 lanes`.
    pub fn summary(&self) -> String {
        if let Some(s) = &self.segments {
            let (all, distinct) = (s.work.len(), s.bodies.len());
            return format!("{all} independent computations, {}", plural(distinct, "distinct loop nest"));
        }
        if let Some(nest) = &self.nest {
            return nest.summary();
        }
        let Some(last) = self.groups.last() else { return "nothing".into() };
        // The group with the most points says the most.
        let main = self.groups.iter().max_by_key(|g| g.points()).unwrap_or(last);
        let mut out = format!("{}, {}", main.loops(), plural(main.schedule.lanes() as usize, "lane"));
        if let Schedule::Contract(c) = &main.schedule {
            let (rows, columns) = (c.rows_per_task, c.columns_per_task);
            out += &match c.team.map(|team| team.matrices) {
                Some(Some(m)) => format!(", tiles of {rows} x {columns} by {m}"),
                Some(None) => format!(", tiles of {rows} x {columns}"),
                None => format!(", tile {} x {}", c.rows, c.tile * c.lanes),
            };
            out += &c.words.map(|words| format!(" {words}")).unwrap_or_default();
        }
        let stages = self.groups.len() + self.groups.iter().filter(|g| g.epilogue.is_some()).count();
        if stages > 1 {
            out += &format!(", {}", plural(stages, "stage"));
        }
        out
    }
}

/// Which parts share which code, and the loops of each.
impl fmt::Display for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {} with {}", plural(self.work.len(), "part"), bodies(self.bodies.len()))?;
        for (n, body) in self.bodies.iter().enumerate() {
            writeln!(f, "  body {n} of parts {}", numbers(&body.parts))?;
            for group in &body.plan.groups {
                match &body.sizes {
                    Some(s) => {
                        let lanes = plural(group.schedule.lanes() as usize, "lane");
                        let sizes = numbers(&s.extents);
                        writeln!(
                            f,
                            "    loops {sizes}\n    map, {lanes}, {} columns for each task",
                            s.block
                        )?;
                    }
                    None => writeln!(f, "    loops {}\n    {}", group.loops(), group.schedule)?,
                }
            }
        }
        Ok(())
    }
}

fn bodies(n: usize) -> String {
    format!("{n} bod{} of code", if n == 1 { "y" } else { "ies" })
}

/// The numbers, of many the first.
fn numbers<T: ToString>(all: &[T]) -> String {
    const SHOWN: usize = 6;
    let mut words: Vec<String> = all.iter().take(SHOWN).map(T::to_string).collect();
    if all.len() > SHOWN {
        words.push(format!("… {} more", all.len() - SHOWN));
    }
    words.join(", ")
}

impl Nest {
    /// `rows 4096, 16 lanes, 3 stages`.
    fn summary(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(i64::to_string).collect();
        let lanes = |m: &Member| m.schedule.lanes();
        let lanes = self.lane.map_or(self.members.iter().map(lanes).max().unwrap_or(1), |l| l.lanes);
        let (lanes, stages) = (plural(lanes as usize, "lane"), plural(self.members.len(), "stage"));
        format!("rows {}, {lanes}, {stages}", rows.join(" x "))
    }
}

fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Group {
    fn points(&self) -> i64 {
        self.axes.extents.iter().fold(1i64, |n, &e| n.saturating_mul(e))
    }

    fn loops(&self) -> String {
        loops(&self.axes, &[])
    }
}

/// A row nest: its rows, its stages, what stays with the task.
fn nest(f: &mut fmt::Formatter<'_>, n: &Nest) -> fmt::Result {
    let rows: Vec<String> = n.rows.iter().map(i64::to_string).collect();
    write!(f, "  rows {}", rows.join(" x "))?;
    if let Some(b) = n.block {
        write!(f, ", blocks of {} along axis {}", b.rows, b.row)?;
    }
    match n.lane {
        Some(l) => writeln!(f, ", {} side by side, {} times for each task", l.lanes, n.rows_per_task)?,
        None if n.warps > 1 => writeln!(f, ", {} for each task of {} warps", n.rows_per_task, n.warps)?,
        None => writeln!(f, ", {} for each task", n.rows_per_task)?,
    }
    if n.stored_together > 1 {
        writeln!(f, "  results of {} stored together", n.stored_together)?;
    }
    for m in &n.members {
        write!(f, "  stage {} of the row", m.stage)?;
        if let Some(e) = m.epilogue {
            write!(f, ", then stage {e} where its results are made")?;
        }
        writeln!(f, "\n    loops {}", loops(&m.axes, &m.rows))?;
        match &m.schedule {
            Schedule::Map(s) => {
                write!(f, "    map, {}", on_lanes(s.lane, s.lanes))?;
                write!(f, "{}{}", s.inverses, if s.streaming { ", streaming stores" } else { "" })?;
                if let Some(split) = &s.split {
                    write!(f, ", ")?;
                    split_loop(f, split)?;
                }
                s.next_rows.iter().try_for_each(|near| write!(f, ", {near}"))?;
                writeln!(f)?;
            }
            Schedule::Reduce(s) => {
                write!(f, "    ")?;
                shape(f, s)?;
                write!(f, ", {} chunks of {}", s.chunks, s.chunk)?;
                if s.stored_together > 1 {
                    write!(f, ", results of {} stored together", s.stored_together)?;
                }
                writeln!(f)?;
            }
            other => writeln!(f, "    {other}")?,
        }
    }
    for near in &n.near {
        let turned = if n.block.is_some() { ", turned" } else { "" };
        writeln!(f, "  near, {} of input {}{turned}", near.elements, near.input)?;
    }
    for t in &n.tiles {
        let whole = if t.whole.is_some() { ", in whole vectors" } else { "" };
        writeln!(f, "  in tile {} of {}{whole}: stage {} result {}", t.place, t.elements, t.stage, t.result)?;
    }
    Ok(())
}

/// The extents of loops but for these, those within a point last: `64 x 128 over 256`.
fn loops(axes: &Axes, but: &[usize]) -> String {
    let join = |extents: &[i64]| extents.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
    let free = (0..axes.space).filter(|a| !but.contains(a)).map(|a| axes.extents[a]);
    let space = match &free.collect::<Vec<_>>()[..] {
        [] => "1".into(),
        extents => join(extents),
    };
    match axes.inner_extents() {
        [] => space,
        inner => format!("{space} over {}", join(inner)),
    }
}

impl fmt::Display for Sorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sorted::KeysAndPlaces => "keys with places",
            Sorted::Keys(_) => "keys",
        })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Map(s) => map(f, s),
            Schedule::Reduce(s) => reduce(f, s),
            Schedule::Contract(s) => contract(f, s),
            Schedule::Update(s) => update(f, s),
            Schedule::Scan(ScanSchedule { lane, lanes, rows_per_task }) => {
                write!(f, "scan, {}, {rows_per_task} rows for each task", on_lanes(*lane, *lanes))
            }
            Schedule::Sort(SortSchedule { method, lanes, rows_per_task }) => {
                match method {
                    SortMethod::Merge => write!(f, "sort by merging")?,
                    SortMethod::Select => write!(f, "selection, {lanes} lanes along the row")?,
                    SortMethod::Vectors(sorted) => write!(f, "sort of {sorted} in vectors of {lanes} lanes")?,
                    SortMethod::Threshold { .. } => {
                        write!(f, "selection by counting, {lanes} lanes along the row")?
                    }
                    SortMethod::Turned(lane, sorted) => {
                        write!(f, "sort of {sorted} in vectors, turned, {}", on_lanes(Some(*lane), *lanes))?
                    }
                    SortMethod::SortInLanes(lane, sorted) => {
                        write!(f, "sort of {sorted} by a network, {}", on_lanes(Some(*lane), *lanes))?
                    }
                    SortMethod::SelectInLanes(lane) => {
                        write!(f, "selection, {}", on_lanes(Some(*lane), *lanes))?
                    }
                }
                write!(f, ", {rows_per_task} rows for each task")
            }
            Schedule::Loop(s) => loop_stage(f, s),
            Schedule::SelectAndScatter(s) => select_and_scatter(f, s),
        }
    }
}

fn select_and_scatter(f: &mut fmt::Formatter<'_>, s: &SelectAndScatterSchedule) -> fmt::Result {
    let SelectAndScatterSchedule { lane, lanes, rows_per_task, once } = s;
    write!(f, "select and scatter, {}, one window after the other", on_lanes(*lane, *lanes))?;
    if *once {
        write!(f, ", each element in one window")?;
    }
    rows_per_task.iter().try_for_each(|rows| write!(f, ", {rows} rows for each task"))
}

fn loop_stage(f: &mut fmt::Formatter<'_>, s: &LoopSchedule) -> fmt::Result {
    let LoopSchedule { lane, lanes, vectors, rows_per_task, columns_per_task, branches, prefetch, reloaded } =
        s;
    write!(f, "loop, {}, {vectors} vectors in flight", on_lanes(*lane, *lanes))?;
    write!(f, ", {rows_per_task} rows x {columns_per_task} columns for each task")?;
    branches.iter().try_for_each(|b| {
        write!(f, ", {} operations only where some lane has {} {}", b.inside.len(), b.mask, b.when)
    })?;
    match prefetch.len() {
        0 | 1 => {}
        n => write!(f, ", {} loops within", n - 1)?,
    }
    let near = prefetch.iter().filter(|p| !p.loads.is_empty());
    near.into_iter()
        .try_for_each(|p| write!(f, ", {} loads brought near {} trips ahead", p.loads.len(), p.trips))?;
    match reloaded.len() {
        0 => Ok(()),
        n => write!(f, ", {n} shared elements loaded anew in each trip"),
    }
}

fn map(f: &mut fmt::Formatter<'_>, s: &MapSchedule) -> fmt::Result {
    let MapSchedule {
        lane,
        lanes,
        rows_per_task,
        columns_per_task,
        ahead,
        streaming,
        inverses,
        next_rows,
        transpose,
        in_order,
        split,
        ..
    } = s;
    if let Some(split) = split.as_ref().filter(|s| !s.in_rows) {
        split_loop(f, split)?;
        return split.parts.iter().try_for_each(|part| write!(f, "\n      ").and_then(|()| map(f, part)));
    }
    write!(f, "map, {}", on_lanes(*lane, *lanes))?;
    write!(f, ", {rows_per_task} rows x {columns_per_task} columns for each task")?;
    if *ahead > 1 {
        write!(f, ", {ahead} vectors together")?;
    }
    if let Some(order) = in_order {
        write!(f, ", in order by periods of {} vectors", order.vectors)?;
    }
    write!(f, "{inverses}")?;
    next_rows.iter().try_for_each(|near| write!(f, ", {near}"))?;
    if let Some(t) = transpose {
        write!(
            f,
            ", {} loads turned from loop {} in blocks of {} x {}{}",
            t.loads.len(),
            t.row,
            t.rows,
            t.columns,
            match t.turn {
                super::Turn::Stores => " by their stores",
                super::Turn::Shuffles if t.in_registers => " in registers",
                super::Turn::Shuffles => "",
            }
        )?;
        if let Some(s) = t.squares {
            write!(f, ", {} x {} of them in each block of {} tasks", s.rows, s.columns, s.tasks)?;
        }
    }
    if let Some(split) = split {
        write!(f, ", ")?;
        split_loop(f, split)?;
    }
    if *streaming { write!(f, ", streaming stores") } else { Ok(()) }
}

fn split_loop(f: &mut fmt::Formatter<'_>, s: &IndexSetSplit) -> fmt::Result {
    let at: Vec<String> = s.at.iter().map(i64::to_string).collect();
    let rows = if s.in_rows { " in each row" } else { "" };
    write!(f, "loop {} split{rows} at {}, which leaves {} % of the work", s.axis, at.join(", "), s.work)
}

fn reduce(f: &mut fmt::Formatter<'_>, s: &ReduceSchedule) -> fmt::Result {
    shape(f, s)?;
    write!(f, ", {} chunks of {}", s.chunks, s.chunk)?;
    if let Some(line) = s.line {
        write!(f, " in lines of {line}")?;
    }
    if let Some(rows) = s.rows_by_line {
        write!(f, ", line by line of {rows} rows")?;
    }
    write!(f, "{}", if s.in_order.is_some() { ", in order" } else { "" })?;
    write!(f, ", {} rows for each task", s.rows_per_task)?;
    write!(f, "{}", if s.streaming { ", streaming stores" } else { "" })?;
    if s.ahead > 1 {
        write!(f, ", {} elements under way", s.ahead)?;
    }
    if s.stored_together > 1 {
        write!(f, ", results of {} stored together", s.stored_together)?;
    }
    if s.two_phases {
        write!(f, ", combined in a second phase")?;
    }
    let joined = match s.join.together {
        2 => "pairs".to_owned(),
        n => format!("groups of {n}"),
    };
    match s.join {
        Join { lanes: 1, together: 2, .. } => Ok(()),
        Join { lanes: 1, .. } => write!(f, ", {joined} at once"),
        Join { lanes, warps: 1, .. } => write!(f, ", {lanes} {joined} at once"),
        Join { lanes, warps, .. } => write!(f, ", {lanes} {joined} at once by {warps} warps"),
    }
}

fn shape(f: &mut fmt::Formatter<'_>, s: &ReduceSchedule) -> fmt::Result {
    match s.shape {
        ReduceShape::AcrossLanes => {
            write!(f, "reduce across {} lanes", s.lanes)?;
            if s.together > 1 {
                let rows = if s.neighbours { "neighbours" } else { "rows" };
                write!(f, ", {} {rows} at once", s.together)?;
            }
        }
        ReduceShape::LaneWise { lane, tile } => {
            write!(f, "reduce, {}, {tile} vectors at once", on_lanes(lane, s.lanes))?;
            if let Some(beside) = s.beside {
                write!(f, " of all points of loop {}", beside.axis)?;
            }
            if s.together > 1 {
                write!(f, " of {} chunks", s.together)?;
            }
        }
    }
    let blocks = if s.by_blocks.is_some() { ", the first by blocks" } else { "" };
    write!(f, "{}{}{blocks}", s.inverses, if s.rolled { ", rolled" } else { "" })
}

impl fmt::Display for Inverses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes.len() {
            0 => Ok(()),
            n => write!(f, ", {} of {} vectors at once", plural(n, "inverse"), self.vectors),
        }
    }
}

impl fmt::Display for Matrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = self.factors.map(Factor::name);
        write!(f, "matrix units of {left}")?;
        if left == right { Ok(()) } else { write!(f, " and {right}") }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [of_vector, of_scalar] = self.factors.map(Factor::name);
        match (self.tiles, self.in_word()) {
            (true, _) => write!(f, "by tile registers of {of_vector} and {of_scalar}"),
            (false, 4) => write!(f, "in words of four bytes"),
            (false, n) => write!(f, "in words of {n} {of_vector}"),
        }
    }
}

fn contract(f: &mut fmt::Formatter<'_>, s: &ContractSchedule) -> fmt::Result {
    if let Some(team) = s.team {
        let (rows, columns) = (s.rows_per_task, s.columns_per_task);
        write!(f, "contract, tiles of {rows} rows x {columns} columns by {} warps, ", team.warps())?;
        match team.matrices {
            Some(m) => write!(f, "by {m}, k in blocks of {}", s.block)?,
            None => write!(f, "{} x {} of each thread, k in blocks of {}", s.rows, s.tile, s.block)?,
        }
        let mut told = |which: [bool; 2], how: &str| match which {
            [false, false] => Ok(()),
            [true, true] => write!(f, ", both {how}"),
            [of_rows, _] => write!(f, ", {} {how}", if of_rows { "rows" } else { "columns" }),
        };
        told(team.windows.map(|w| w.is_some()), "from windows")?;
        told(team.neighbours.map(|n| n > 1), "by fours")?;
        told(team.matrices.map_or([false; 2], |m| m.pieces), "in pieces")?;
        if team.stages() > 2 {
            write!(f, ", {} blocks of k under way", team.stages())?;
        }
        return Ok(());
    }
    let vectors = if s.column.is_some() { "columns" } else { "vectors" };
    write!(f, "contract, {}, tile of {} rows x {} {vectors}", on_lanes(s.lane, s.lanes), s.rows, s.tile)?;
    write!(f, ", k in blocks of {}, {} rows for each task", s.block, s.rows_per_task)?;
    write!(f, "{}", if s.turns_results { ", results turned" } else { "" })?;
    if s.pack {
        write!(f, ", {} packed", if s.vector_is_rhs { "rhs" } else { "lhs" })?;
        write!(f, "{}", if s.turned.is_empty() { "" } else { " and turned" })?;
        write!(f, "{}", if s.packed_once { " before" } else { "" })?;
    }
    if s.ahead {
        let operand = if s.vector_is_rhs { "lhs" } else { "rhs" };
        match (s.ahead_once, s.column) {
            (Some(rows), _) => write!(f, ", {operand} ahead in tasks of {rows} rows")?,
            (None, Some(_)) => write!(f, ", {operand} ahead for the rows of a tile")?,
            (None, None) => write!(f, ", {operand} ahead for {} columns", s.columns_per_task)?,
        }
        write!(f, ", {} lanes", s.lanes_ahead)?;
        write!(f, "{}", if s.ahead_along_rows { " along the rows" } else { "" })?;
    }
    if let Some(words) = s.words {
        write!(f, ", {words}")?;
    }
    if !s.near.is_empty() {
        write!(f, ", the next block of {} brought near", if s.vector_is_rhs { "rhs" } else { "lhs" })?;
    }
    if s.next_rows.is_some() {
        write!(f, ", the next rows of {} brought near", if s.vector_is_rhs { "lhs" } else { "rhs" })?;
    }
    if let Some(over) = s.over {
        write!(f, ", over {} points of loop {}", over.points, over.axis)?;
    }
    Ok(())
}

fn update(f: &mut fmt::Formatter<'_>, s: &UpdateSchedule) -> fmt::Result {
    match s.parallel {
        true => write!(f, "update, {}, {} rows for each task", on_lanes(s.lane, s.lanes), s.rows_per_task),
        false if s.lane.is_none() => write!(f, "update, one point after the other"),
        false => {
            write!(f, "update, {}, ", on_lanes(s.lane, s.lanes))?;
            match s.in_turn {
                None => write!(f, "one row after the other"),
                Some(1) => write!(f, "in turn"),
                Some(n) => write!(f, "in turn, {n} loaded together"),
            }?;
            s.found_before.map_or(Ok(()), |n| write!(f, ", found before by tasks of {n} points"))?;
            f.write_str(if s.compared.is_some() { ", compared first" } else { "" })
        }
    }
}

fn on_lanes(lane: Option<usize>, lanes: u32) -> String {
    match lane {
        Some(axis) => format!("{lanes} lanes along loop {axis}"),
        None => "no lanes".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::plan_stages;
    use crate::region::build::{Cut, build};
    use crate::target::Target;
    use lawson_hlo::Module;

    #[test]
    fn a_plan_names_its_loops() {
        let module = Module::parse(
            "HloModule m\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
             ROOT c = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[64,1024] parameter(0)\n  \
             i = f32[] constant(0)\n  s = f32[64] reduce(x, i), dimensions={1}, to_apply=add\n  \
             ROOT r = f32[64] rsqrt(s)\n}\n",
        );
        let module = module.expect("valid");
        let comp = module.entry();
        let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
        let region = build(&module, "r", cut).expect("a region");
        let plan = plan_stages(&region, &Target::zen4()).expect("a plan");
        assert_eq!(plan.summary(), "64 over 1024, 16 lanes, 2 stages");
        let text = plan.to_string();
        assert!(text.starts_with("plan\n  stage 0, then stage 1 where its results are made\n"), "{text}");
        assert!(
            text.contains(
                "loops 64 over 1024\n    reduce across 16 lanes, 4 neighbours at once, 1 chunks of 1024"
            ),
            "{text}"
        );
    }
}
