//! The rules of a plan of a region, checked in about linear time: what lowering takes for granted.

use super::exprs::memory_reads;
use super::reciprocals;
use super::segments::fits;
use super::update;
use super::{
    Axes, Beside, CHAINS, ContractSchedule, Group, InOrder, Inverses, MapSchedule, Nest, Plan, ReduceShape,
    Schedule, Scheduled, Segments, Turn, Words, is_inverse,
};
use crate::loop_ir::legal::{self, MAX_LANES};
use crate::loop_ir::tiles::SIDE;
use crate::region::{FoldOrder, Kind, Node, Region, Source, Stage, all_roots_of, roots_of};
use rustc_hash::FxHashSet;

/// Checks every rule on a region that is well formed.
///
/// # Errors
/// Each rule that is broken, with its place.
pub fn verify(region: &Region, plan: &Plan) -> Result<(), Vec<String>> {
    let mut v = Verifier { region, faults: Vec::new() };
    v.plan(plan);
    if v.faults.is_empty() { Ok(()) } else { Err(v.faults) }
}

struct Verifier<'r> {
    region: &'r Region,
    faults: Vec<String>,
}

impl Verifier<'_> {
    fn rule(&mut self, kept: bool, place: &str, fault: impl FnOnce() -> String) {
        if !kept {
            self.faults.push(format!("{place}: {}", fault()));
        }
    }

    fn plan(&mut self, plan: &Plan) {
        let forms = [plan.nest.is_some(), !plan.groups.is_empty(), plan.segments.is_some()];
        let count = forms.iter().filter(|&&f| f).count();
        self.rule(count <= 1, "plan", || "a row nest, groups and segments exclude each other".into());
        let parts = self.region.parts.len();
        self.rule((parts > 0) == plan.segments.is_some(), "plan", || {
            format!("a region of {parts} parts and {} segments", if parts > 0 { "no" } else { "some" })
        });
        if let Some(segments) = &plan.segments {
            return self.segments(segments);
        }
        if self.every_stage_once(plan) {
            let in_row = plan.nest.is_some();
            plan.scheduled().for_each(|s| self.scheduled(s, in_row));
            self.memory(plan);
            plan.nest.iter().for_each(|n| self.nest(n));
            self.prefetch(plan);
            self.reciprocals(plan);
        }
    }

    fn reciprocals(&mut self, plan: &Plan) {
        for of_stage in plan.reciprocals.chunk_by(|a, b| a.0 == b.0) {
            let stage = of_stage[0].0;
            let roots = self.region.stages.get(stage as usize).map(roots_of).unwrap_or_default();
            let reachable: FxHashSet<_> = self.region.reachable(&roots).into_iter().collect();
            for (_, division) in of_stage {
                let divides = reciprocals::divisor(self.region, *division).is_some();
                let found = divides && reachable.contains(division) && !plan.lanes_are_threads;
                self.rule(found, &format!("stage {stage}"), || {
                    format!("%{} is no division by a reciprocal", division.0)
                });
            }
        }
    }

    fn prefetch(&mut self, plan: &Plan) {
        for p in &plan.prefetch {
            let place = format!("prefetch of stage {}", p.stage);
            let stage = self.region.stages.get(p.stage as usize);
            let loads = stage.map(|s| self.region.loads(&roots_of(s))).unwrap_or_default();
            let of_input = loads.contains(&p.load)
                && matches!(self.region.node(p.load), Node::Load { source: Source::Input(_), .. });
            self.rule(of_input, &place, || format!("%{} is no load of an input", p.load.0));
            self.rule(!plan.lanes_are_threads, &place, || {
                "threads of a graphics processor ask for nothing".into()
            });
        }
    }

    /// Whether what the plan computes are the stages of the region, each once.
    fn every_stage_once(&mut self, plan: &Plan) -> bool {
        let mut times = vec![0; self.region.stages.len()];
        let before = self.faults.len();
        for s in plan.scheduled().flat_map(|s| s.stages()) {
            match times.get_mut(s as usize) {
                Some(n) => *n += 1,
                None => self.rule(false, "plan", || format!("there is no stage {s}")),
            }
        }
        for (s, n) in times.into_iter().enumerate() {
            self.rule(n == 1, &format!("stage {s}"), || format!("it is computed {n} times"));
        }
        self.faults.len() == before
    }

    fn scheduled(&mut self, s: Scheduled<'_>, in_row: bool) {
        let (region, place) = (self.region, format!("stage {}", s.stage));
        let stage = &region.stages[s.stage as usize];
        let kind = stage.kind.name();
        self.rule(is_of(s.schedule, &stage.kind), &place, || format!("these are not the loops of a {kind}"));
        if let Some(e) = s.epilogue {
            let epilogue = &region.stages[e as usize];
            let fits = matches!(stage.kind, Kind::Reduce { .. } | Kind::Contract { .. })
                && matches!(epilogue.kind, Kind::Map { .. })
                && epilogue.space == stage.space;
            self.rule(fits, &place, || format!("stage {e} cannot be computed where its results are made"));
        }
        if self.axes(stage, s.axes, &place) {
            if let (Kind::Update { offset, unique, .. }, Schedule::Update(own)) = (&stage.kind, s.schedule) {
                let ordered = update::keeps_order(region, (s.stage, offset, *unique), s.axes, own);
                self.rule(ordered, &place, || "updates that may reach one element run side by side".into());
                let (together, lanes) = (own.in_turn.unwrap_or(1), own.lanes as i64);
                self.rule(together >= 1 && lanes % together == 0, &place, || {
                    format!("{together} updates are loaded together, of vectors of {lanes}")
                });
                let known =
                    |_| own.in_turn.is_some() && own.compared == update::kept_extreme(region, s.stage);
                self.rule(own.compared.is_none_or(known), &place, || {
                    "updates that are no maximum or minimum are compared first".into()
                });
                let whole = |n: i64| own.in_turn.is_some() && n > 0 && n % lanes == 0;
                let one_row = own.lane.is_some_and(|lane| s.axes.extents[lane] == stage.points());
                self.rule(own.found_before.is_none_or(|n| whole(n) && one_row), &place, || {
                    "updates of several rows, or parts of vectors, are found before".into()
                });
            }
            self.loops((s.schedule, in_row), s.axes, &place);
        }
    }

    /// Whether the loop axes are those of the stage.
    fn axes(&mut self, stage: &Stage, axes: &Axes, place: &str) -> bool {
        let known = axes.space <= axes.extents.len() && axes.are_of(stage.space.len() + stage.inner.len());
        self.rule(known, place, || "its loops are of another stage".into());
        if !known {
            return false;
        }
        let points = |extents: &[i64]| extents.iter().fold(1i64, |n, &e| n.saturating_mul(e));
        let (space, inner) = (points(axes.space_extents()), points(axes.inner_extents()));
        self.rule(space == stage.points(), place, || {
            format!("its loops have {space} of {} points", stage.points())
        });
        let expected = stage.inner_points();
        self.rule(inner == expected, place, || format!("its loops have {inner} of {expected} inner points"));
        true
    }

    fn loops(&mut self, (schedule, in_row): (&Schedule, bool), axes: &Axes, place: &str) {
        let lanes = schedule.lanes();
        self.rule(lanes.is_power_of_two() && lanes <= MAX_LANES, place, || format!("{lanes} lanes"));
        // Across lanes all inner loops are one.
        let across = matches!(schedule, Schedule::Reduce(s) if s.shape == ReduceShape::AcrossLanes);
        // The square of a team has rows too.
        let square = matches!(schedule, Schedule::Contract(s) if s.team.is_some());
        match schedule.lane(axes) {
            _ if across || square => {}
            // In a nest rows may lie side by side in lanes.
            None => self.rule(lanes == 1 || in_row, place, || format!("{lanes} lanes along no loop")),
            Some(lane) => {
                let extent = axes.extents.get(lane).copied();
                self.rule(extent.is_some(), place, || format!("lanes along loop {lane}, which is not there"));
                let fit = extent.is_none_or(|n| n == 0 || n >= lanes as i64);
                self.rule(fit, place, || {
                    format!("{lanes} lanes along {} points", extent.unwrap_or_default())
                });
            }
        }
        let sizes: Vec<(&str, i64)> = match schedule {
            Schedule::Map(s) => return self.map(s, axes, place),
            Schedule::Reduce(s) => {
                self.inverses(&s.inverses, place);
                let length: i64 = axes.inner_extents().iter().product();
                let covered = s.chunk.saturating_mul(s.chunks);
                self.rule(covered >= length, place, || {
                    format!("{} chunks of {} for {length} elements", s.chunks, s.chunk)
                });
                let plain = s.shape == ReduceShape::AcrossLanes && s.inverses.is_empty() && s.together == 1;
                self.rule(s.by_blocks.is_none_or(|of| of.is_total && plain), place, || {
                    "blocks have no first of their own".into()
                });
                let rows: i64 = axes.space_extents().iter().product();
                let among = |n: i64| s.together > 0 && n % s.together == 0;
                let can = match s.shape {
                    ReduceShape::AcrossLanes if s.stored_together > 1 => s.together == s.stored_together,
                    ReduceShape::AcrossLanes => !s.two_phases && among(rows) && among(s.rows_per_task),
                    ReduceShape::LaneWise { .. } => s.two_phases && among(s.chunks) && covered == length,
                };
                let fit = s.together == 1 || can && !s.rolled && (!in_row || s.stored_together > 1);
                self.rule(fit, place, || {
                    format!("{} at once, of {rows} in tasks of {}", s.together, s.rows_per_task)
                });
                let other = |b: Beside| b.axis < axes.space && axes.extents[b.axis] == b.points;
                let fit = |b: Beside| match s.shape {
                    ReduceShape::LaneWise { lane, .. } => lane != Some(b.axis) && other(b),
                    ReduceShape::AcrossLanes => false,
                };
                let inner = axes.inner_extents();
                let fit_line = |n: i64| {
                    let running = FoldOrder::MinorReduced.running();
                    let whole = n > 0 && n % running == 0 && s.chunk % n == 0 && s.chunk >= 2 * running;
                    let whole = whole && inner.last().is_some_and(|e| e % n == 0);
                    whole && plain && inner.len() > 1 && s.stored_together == 1
                };
                self.rule(s.line.is_none_or(fit_line), place, || {
                    format!("lines of {:?} in chunks of {} over {inner:?}", s.line, s.chunk)
                });
                let by_line = |n: i64| n > 0 && inner.len() > 1 && s.line.is_none() && s.stored_together == 1;
                self.rule(s.rows_by_line.is_none_or(|n| by_line(n) && plain && !s.rolled), place, || {
                    format!("{:?} rows by lines over {inner:?}", s.rows_by_line)
                });
                let alike = |order: &InOrder| {
                    order.vectors == 1 && inner.last().is_some_and(|n| n % s.lanes as i64 == 0)
                };
                let across = s.shape == ReduceShape::AcrossLanes;
                self.rule(s.in_order.as_ref().is_none_or(|o| across && alike(o)), place, || {
                    format!("{} lanes in order over {inner:?}", s.lanes)
                });
                self.rule(s.beside.is_none_or(fit), place, || {
                    format!("{:?} in a reduction over {:?}", s.beside, axes.extents)
                });
                let n = s.stored_together;
                let whole = s.rows_per_task % n == 0;
                let fit = in_row || axes.space_extents().last().is_some_and(|&rows| n <= rows) && whole;
                let fit = fit && n.count_ones() == 1 && n <= MAX_LANES as i64;
                let across = s.shape == ReduceShape::AcrossLanes && s.chunks == 1 && s.by_blocks.is_none();
                self.rule(n == 1 || fit && across, place, || {
                    format!("results of {n} rows at once, in tasks of {}", s.rows_per_task)
                });
                vec![("chunk", s.chunk), ("chunks", s.chunks), ("rows", s.rows_per_task)]
            }
            Schedule::Contract(s) => {
                let row = s.row.is_none_or(|r| r < axes.space);
                self.rule(row, place, || "the rows of its tile are along no loop".into());
                let k: i64 = axes.inner_extents().iter().product();
                let in_words = s.words.is_none_or(|words| in_words(s, &words, k) && !in_row);
                self.rule(in_words, place, || "its factors fill no words".into());
                let along = s.row.is_some() || !s.ahead_along_rows;
                self.rule(along, place, || "one is computed ahead along rows that it does not have".into());
                let once = !s.packed_once || s.pack && s.words.is_none();
                self.rule(once, place, || "one that is not packed is packed before".into());
                let alone = s.row.is_some() && s.lane.is_some() && s.team.is_none() && !in_row;
                let can_turn = alone && s.rows <= s.lanes as i64 && s.block >= k && s.words.is_none();
                self.rule(!s.turns_results || can_turn, place, || {
                    format!("results of {} rows are turned in squares of {}", s.rows, s.lanes)
                });
                if let Some(column) = s.column {
                    let apart = column < axes.space && Some(column) != s.lane && Some(column) != s.row;
                    let plain = s.row.is_some() && s.block >= k && !(s.pack || s.turns_results || in_row);
                    let fit = s.tile as i64 <= axes.extents[column] && s.words.is_none() && s.over.is_none();
                    self.rule(apart && plain && fit, place, || {
                        format!("{} columns along loop {column}", s.tile)
                    });
                }
                if let Some(rows) = s.ahead_once {
                    let all = s.row.map_or(1, |row| axes.extents[row]);
                    let whole = rows > 0 && (rows % s.rows == 0 || rows >= all);
                    let legal = whole && s.ahead && s.words.is_none() && !in_row;
                    self.rule(legal, place, || format!("one is computed ahead in tasks of {rows} rows"));
                }
                if let Some(over) = s.over {
                    let apart =
                        over.axis < axes.space && Some(over.axis) != s.lane && Some(over.axis) != s.row;
                    self.rule(apart, place, || "a task runs over points of its rows, columns or k".into());
                    let shared = !s.ahead;
                    self.rule(shared, place, || {
                        "a task runs over points with the elements of one ahead".into()
                    });
                    self.positive(&[("points", over.points)], place);
                }
                if let Some(team) = s.team {
                    let extent = |axis: Option<usize>| axis.map_or(0, |a| axes.extents[a]);
                    let whole = (s.rows * team.rows, s.tile as i64 * team.columns)
                        == (s.rows_per_task, s.columns_per_task);
                    let room = s.rows_per_task <= extent(s.row) && s.columns_per_task <= extent(s.lane);
                    let shared = legal::warps(team.warps()) && s.lanes as i64 == team.threads();
                    let tile = [s.rows_per_task, s.columns_per_task];
                    let copied = tile.iter().zip(team.neighbours).all(|(side, neighbours)| {
                        let at_once = team.threads() * neighbours;
                        side * team.steps(s.block) % at_once == 0 && side.count_ones() == 1
                    });
                    let copied = copied && s.block.count_ones() == 1;
                    let of_matrices = team.matrices.is_none_or(|m| {
                        let warps = m.warps[0] * m.warps[1] == team.warps() as i64;
                        let pieces = (0..2)
                            .all(|d| !m.pieces[d] || tile[d] * s.block % (m.piece() * team.threads()) == 0);
                        // What is copied before the first block is multiplied is there.
                        let blocks = (k + s.block - 1) / s.block.max(1);
                        let stages = (2..=blocks.max(2)).contains(&m.stages);
                        warps && pieces && stages && m.divides(tile) && s.block == m.block()
                    });
                    let legal =
                        whole && of_matrices && room && shared && copied && s.over.is_none() && !in_row;
                    self.rule(legal, place, || "its tile is not one of a block".into());
                }
                vec![
                    ("tile", s.tile as i64),
                    ("rows of the tile", s.rows),
                    ("rows", s.rows_per_task),
                    ("columns", s.columns_per_task),
                    ("block", if k == 0 { 1 } else { s.block }),
                ]
            }
            Schedule::Update(s) => vec![("rows", s.rows_per_task)],
            Schedule::Scan(s) => vec![("rows", s.rows_per_task)],
            Schedule::Sort(s) => vec![("rows", s.rows_per_task)],
            Schedule::Loop(s) => {
                let loops = 1 + self.region.loops.len();
                self.rule(s.prefetch.len() == loops, place, || {
                    format!("{} loops are known, not {loops}", s.prefetch.len())
                });
                let sizes = [("rows", s.rows_per_task), ("columns", s.columns_per_task)];
                [("vectors", s.vectors as i64)].into_iter().chain(sizes).collect()
            }
            Schedule::SelectAndScatter(s) => s.rows_per_task.map(|n| ("rows", n)).into_iter().collect(),
        };
        self.positive(&sizes, place);
    }

    fn map(&mut self, s: &MapSchedule, axes: &Axes, place: &str) {
        // Loops without points have no tasks.
        if axes.space_extents().contains(&0) {
            return;
        }
        self.positive(&[("rows", s.rows_per_task), ("columns", s.columns_per_task)], place);
        if let Some(t) = &s.transpose {
            let apart = Some(t.row) != s.lane && t.row < axes.space;
            self.rule(apart, place, || "what is turned needs another loop than the lanes'".into());
            self.positive(&[("rows of a block", t.rows), ("columns of a block", t.columns)], place);
            let kept = !t.in_registers || t.columns == s.lanes as i64 && t.turn == Turn::Shuffles;
            self.rule(kept, place, || format!("squares of {} columns stay in registers", t.columns));
            if let Some(b) = t.squares {
                self.positive(&[("rows of squares", b.rows), ("columns of squares", b.columns)], place);
                let all = b.tasks.saturating_mul(b.per_task);
                self.rule(b.rows.saturating_mul(b.columns) <= all, place, || {
                    format!("{} x {} squares in {} tasks of {}", b.rows, b.columns, b.tasks, b.per_task)
                });
            }
        }
        if let Some(order) = &s.in_order {
            let columns = s.lane.map_or(1, |lane| axes.extents[lane]);
            let unit = order.vectors.saturating_mul(s.lanes as i64);
            let whole = s.columns_per_task >= columns || s.columns_per_task % unit.max(1) == 0;
            self.rule(order.vectors > 0 && unit <= columns && whole, place, || {
                format!("periods of {} vectors in tasks of {}", order.vectors, s.columns_per_task)
            });
        }
        self.together(s, axes, place);
        self.inverses(&s.inverses, place);
        for near in &s.next_rows {
            self.positive(&[("elements brought near", near.elements)], place);
            let found = (near.input as usize) < self.region.inputs.len();
            self.rule(found, place, || format!("input {} is brought near", near.input));
        }
        let Some(split) = &s.split else { return };
        split.parts.iter().for_each(|part| self.inverses(&part.inverses, place));
        let extent = axes.extents.get(split.axis).copied().unwrap_or_default();
        let ends: Vec<i64> = [0].into_iter().chain(split.at.iter().copied()).chain([extent]).collect();
        self.rule(ends.is_sorted_by(|a, b| a < b), place, || {
            format!("loop {} of {extent} is split at {:?}", split.axis, split.at)
        });
        let parts = ends.len() - 1;
        self.rule(split.parts.len() == parts, place, || {
            format!("{} loops for {parts} parts", split.parts.len())
        });
    }

    /// Where no lane is masked, vectors that are computed together fit in a row, and the last overlap the ones before.
    fn together(&mut self, s: &MapSchedule, axes: &Axes, place: &str) {
        if s.ahead == 1 || s.masked || s.transpose.is_some() {
            return;
        }
        let columns = s.lane.map_or(1, |lane| axes.extents[lane]);
        let unit = s.ahead.saturating_mul(s.lanes as i64).max(1);
        let whole = s.columns_per_task >= columns || s.columns_per_task % unit == 0;
        self.rule(s.ahead > 0 && unit <= columns && whole, place, || {
            format!("{} vectors together in tasks of {} columns", s.ahead, s.columns_per_task)
        });
    }

    fn inverses(&mut self, s: &Inverses, place: &str) {
        let kind = s
            .nodes
            .iter()
            .all(|id| (id.0 as usize) < self.region.nodes.len() && is_inverse(self.region, *id));
        self.rule(kind, place, || "what shares an exponentiation is no inverse".into());
        let whole = s.nodes.is_empty() || s.vectors >= CHAINS && s.vectors % CHAINS == 0;
        self.rule(whole, place, || format!("inverses of {} vectors in {CHAINS} chains", s.vectors));
    }

    fn positive(&mut self, sizes: &[(&str, i64)], place: &str) {
        for (what, n) in sizes {
            self.rule(*n >= 1, place, || format!("{n} {what}"));
        }
    }

    /// What groups read of each other has its place, and is made before.
    fn memory(&mut self, plan: &Plan) {
        let region = self.region;
        for &(stage, result) in &plan.scratch {
            let known =
                region.stages.get(stage as usize).is_some_and(|s| (result as usize) < s.results.len());
            let output = region.output_sources.contains(&(stage, result));
            self.rule(known && !output, "in memory", || {
                format!("stage {stage} result {result} needs no place")
            });
        }
        for &o in &plan.reread {
            let known = (o as usize) < region.outputs.len();
            self.rule(known, "read back", || format!("there is no out{o}"));
        }
        let mut made = vec![false; region.stages.len()];
        for group in &plan.groups {
            for key in memory_reads(region, group.stage, group.epilogue) {
                self.read(plan, group, key, &made);
            }
            group.stages().for_each(|s| made[s as usize] = true);
        }
    }

    fn read(&mut self, plan: &Plan, group: &Group, key: (u32, u32), made: &[bool]) {
        let place = format!("stage {}", group.stage);
        let (stage, result) = key;
        if group.stages().any(|s| s == stage) {
            return;
        }
        self.rule(made[stage as usize], &place, || {
            format!("it reads stage {stage}, which is computed later")
        });
        let output = self.region.output_sources.iter().position(|&s| s == key);
        let kept = match output {
            Some(o) => plan.reread.contains(&(o as u32)),
            None => plan.scratch.contains(&key),
        };
        self.rule(kept, &place, || format!("it reads stage {stage} result {result}, which is not in memory"));
    }

    fn nest(&mut self, nest: &Nest) {
        let region = self.region;
        self.positive(&[("rows of a task", nest.rows_per_task)], "nest");
        if let Some(lane) = nest.lane {
            let known = lane.row < nest.rows.len() && lane.lanes.is_power_of_two() && lane.lanes <= MAX_LANES;
            self.rule(known, "nest", || format!("{} lanes along row {}", lane.lanes, lane.row));
        }
        let shared =
            legal::warps(nest.warps) && (nest.warps == 1 || nest.lane.is_none() && nest.block.is_none());
        self.rule(shared, "nest", || format!("{} warps share rows that lie side by side", nest.warps));
        let n = nest.stored_together;
        let fit = nest.rows.last().is_some_and(|&rows| n <= rows);
        let fit = fit && n.count_ones() == 1 && n <= MAX_LANES as i64 && nest.rows_per_task % n == 0;
        self.rule(n == 1 || fit && nest.warps == 1 && nest.together().is_none(), "nest", || {
            format!("results of {n} rows at once, in tasks of {}", nest.rows_per_task)
        });
        if let Some(block) = nest.block {
            let known = block.row < nest.rows.len() && block.rows >= 1;
            self.rule(known, "nest", || format!("{} rows of row {}", block.rows, block.row));
        }
        let mut made = vec![false; region.stages.len()];
        for member in &nest.members {
            let place = format!("stage {}", member.stage);
            let extents: Vec<Option<i64>> =
                member.rows.iter().map(|&a| member.axes.space_extents().get(a).copied()).collect();
            let expected: Vec<Option<i64>> = nest.rows.iter().map(|&n| Some(n)).collect();
            self.rule(extents == expected, &place, || "its rows are not those of the nest".into());
            if let Schedule::Reduce(r) = &member.schedule {
                let block = nest.block.map(|b| (b.row + 1, b.rows));
                let of_block = block == Some((nest.rows.len(), r.stored_together));
                let within = member.axes.space.checked_sub(1).filter(|last| !member.rows.contains(last));
                let fit = match within {
                    Some(last) => member.axes.extents[last] >= r.stored_together,
                    None => of_block && member.axes.space == member.rows.len(),
                };
                self.rule(r.stored_together == 1 || fit, &place, || {
                    format!("results of {} rows at once", r.stored_together)
                });
            }
            member.stages().for_each(|s| made[s as usize] = true);
            let mut roots = all_roots_of(region, &region.stages[member.stage as usize]);
            roots.extend(member.epilogue.map(|e| roots_of(&region.stages[e as usize])).unwrap_or_default());
            for id in region.reachable(&roots) {
                if let Node::Load { source: Source::Stage { stage, .. }, .. } = *region.node(id) {
                    let known = made[stage as usize];
                    self.rule(known, &place, || format!("it reads stage {stage}, which is computed later"));
                }
            }
        }
        for tile in &nest.tiles {
            let stage = region.stages.get(tile.stage as usize);
            let known = stage.is_some_and(|s| {
                (tile.result as usize) < s.results.len() && tile.strides.len() == s.space.len()
            });
            self.rule(known, "tile", || format!("it is of no result: stage {}", tile.stage));
            self.rule(tile.elements >= 1, "tile", || format!("{} elements", tile.elements));
        }
        for near in &nest.near {
            let known = (near.input as usize) < region.inputs.len() && near.dims.len() == near.strides.len();
            self.rule(known, "near", || format!("there is no in{} of these dimensions", near.input));
        }
    }

    fn segments(&mut self, segments: &Segments) {
        let region = self.region;
        let (parts, work) = (region.parts.len(), segments.work.len());
        self.rule(work == parts, "segments", || format!("the work of {work} parts, not {parts}"));
        let mut times = vec![0; parts];
        for (n, body) in segments.bodies.iter().enumerate() {
            let place = format!("body {n}");
            for &p in &body.parts {
                match times.get_mut(p as usize) {
                    Some(n) => *n += 1,
                    None => self.rule(false, &place, || format!("there is no part {p}")),
                }
            }
            if let Some(sizes) = &body.sizes {
                let rows = (sizes.extents.len(), body.parts.len());
                self.rule(rows.0 == rows.1, &place, || format!("{} sizes for {} parts", rows.0, rows.1));
                let full = sizes.starts.iter().all(|rows| rows.len() == body.parts.len());
                self.rule(full, &place, || "a part has no start of a load".into());
                self.positive(&[("elements of a task", sizes.block)], &place);
            }
            self.rule(fits(&body.plan).is_ok(), &place, || "it needs memory or phases of its own".into());
            let first = body.parts.first().and_then(|&p| region.parts.get(p as usize));
            self.rule(first.is_some(), &place, || "no part has it".into());
            let faults = first.and_then(|p| verify(&p.region, &body.plan).err());
            self.faults.extend(faults.into_iter().flatten().map(|f| format!("{place}: {f}")));
        }
        for (p, n) in times.into_iter().enumerate() {
            self.rule(n == 1, &format!("part {p}"), || format!("it is computed {n} times"));
        }
    }
}

/// Whether loops are of this kind of stage.
fn is_of(schedule: &Schedule, kind: &Kind) -> bool {
    match kind {
        Kind::Map { .. } => matches!(schedule, Schedule::Map(_)),
        Kind::Pieces(_) => {
            matches!(schedule, Schedule::Map(m) if m.split.is_none() && m.transpose.is_none())
        }
        Kind::Reduce { .. } => matches!(schedule, Schedule::Reduce(_)),
        // Words and units have multiply-adds alone, and blocks of threads add zeros beyond the last element.
        Kind::Contract { semiring: Some(_), .. } => {
            matches!(schedule, Schedule::Contract(s) if s.words.is_none() && s.team.is_none())
        }
        Kind::Contract { .. } => matches!(schedule, Schedule::Contract(_)),
        Kind::Update { .. } => matches!(schedule, Schedule::Update(_)),
        Kind::Scan { .. } => matches!(schedule, Schedule::Scan(_)),
        Kind::Sort { .. } => matches!(schedule, Schedule::Sort(_)),
        Kind::SelectAndScatter(_) => matches!(schedule, Schedule::SelectAndScatter(_)),
        Kind::Loop(_) => matches!(schedule, Schedule::Loop(_)),
    }
}

/// Whether a product over so many elements of k has its operands in words, both copied unless tile registers read one where it is.
fn in_words(s: &ContractSchedule, words: &Words, k: i64) -> bool {
    let copied = s.pack && (s.ahead || words.tiles) && !s.ahead_along_rows;
    let in_line = copied && s.turned.is_empty() && s.over.is_none();
    let whole = k % words.in_word() == 0 && s.block % words.in_word() == 0;
    // Lanes along k are regrouped to words.
    let regrouped = !s.ahead || s.lanes_ahead as i64 >= 2 * words.in_word();
    let rows = s.row.is_some() && s.rows % SIDE == 0 && s.rows <= s.rows_per_task;
    let tiles = rows && s.block >= k && s.lanes as i64 == SIDE;
    in_line && whole && regrouped && (!words.tiles || tiles)
}
