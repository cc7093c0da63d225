//! Time tiling: several trips of a loop over arrays whose rows are computed from rows near them are one kernel, which takes
//! the arrays tile by tile.
//!
//! ```text
//! w = (s32[], f32[4096,4096]) while(t), body: u → 0.25·(up + down + left + right)
//! →
//! w = (s32[], f32[4096,4096]) while(t), body: u → fusion(u), kind=kLoop, calls=fused_trips,
//!                                              backend_config={"lawson":{"plan":"time-tiles"}}
//!
//! fused_trips { rows −3 … 34 of each tile of 32 from u, rows −2 … 33 from those, …, rows 0 … 31 }
//! ```
//!
//! A trip that is a kernel of its own reads and writes arrays that no cache holds. A tile stays in the second-level cache between
//! the trips of a kernel. At its borders rows are computed by two tiles: each trip needs some more than the next, as many as
//! one trip reaches. (Known as overlapped tiling: Krishnamoorthy et al., "Effective Automatic Parallelization of Stencil
//! Computations", PLDI 2007.)
//!
//! Every element is computed by the same operations as before, so that results have the same bits. What trips remain of a
//! number that is no multiple stand before the loop, and of few kernels there is no loop. Whether it is faster, the cost model says of both forms.

mod rows;
mod tiles;

use super::short::MAX_TRIPS;
use super::{element_read, next_values, parts, trips_of};
use crate::effects::{Effects, host_computations, pinned};
use crate::inline::inline_body;
use crate::make;
use crate::options::Effort;
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::planning::legal;
use crate::rebuild::{Rebuild, each_computation};
use crate::report::Decision;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::instruction::Notes;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin, Shape,
};
use lawson_kernel::cost::{Cost, bytes_us, figures, work_us};
use lawson_kernel::plan::plan;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::target::Target;
use rows::{Element, Reach, reach};
use std::sync::Arc;

pub const NAME: &str = "time-tiling";

/// What marks the kernel of several trips.
const CONFIG: &str = "{\"lawson\":{\"plan\":\"time-tiles\"}}";

/// Trips of a kernel, most first. More would make long code for little: memory is a small part of the time then.
const TRIPS: [i64; 4] = [5, 4, 3, 2];
/// Rows that are computed more than once, of all: at most one in this.
const OVERLAP: i64 = 4;
/// A tiled loop has to take at most this share of the time.
const GAIN: f64 = 0.85;
/// Arrays of so many bytes are in the second-level cache of every processor.
const SMALLEST_L2: i64 = 256 << 10;
/// A longer body is work enough for kernels of its own.
const MOST_INSTRUCTIONS: usize = 4096;
/// More rows would not fit the numbers that count them.
const MOST_ROWS: i64 = 1 << 29;

/// A loop as time tiling sees it.
struct Loop<'a> {
    body: &'a Computation,
    next: &'a [InstrId],
    elements: Vec<Element>,
    shapes: &'a [Shape],
    /// The first dimension of every array that advances.
    rows: i64,
    reach: Reach,
    trips: i64,
}

/// Tiles of so many rows, and so many trips of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tiling {
    height: i64,
    trips: i64,
}

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let has_loops = |c: &Computation| c.instrs.iter().any(|i| i.opcode == Opcode::While);
    let options = &cx.options;
    let quick = options.effort == Effort::Fast;
    let allowed = options.fusion.base.fuses() && options.allows(Strategy::Staged) && !quick;
    // On a graphics processor tiles lie in the registers and the shared memory of a block, which hold too few rows.
    if !allowed || options.target.gpu.is_some() || !module.computations.iter().any(has_loops) {
        return Changed::No;
    }
    let (host, effects) = (host_computations(module), Effects::of(module));
    let mut tilings: Vec<Vec<(InstrId, Tiling)>> = Vec::new();
    for (id, comp) in module.iter() {
        let candidates = comp.iter().filter(|(_, i)| host[id.index()] && !effects.has(i));
        let found = candidates.filter_map(|(at, instr)| Some((at, tiling(cx, module, (comp, instr))?)));
        let mut found: Vec<(InstrId, Tiling)> = found.collect();
        found.retain(|_| cx.fuel(NAME));
        for &(at, tiling) in &found {
            cx.report.decisions.extend(decisions(module, (comp, &comp[at]), tiling));
        }
        tilings.push(found);
    }
    let mut index = 0;
    each_computation(module, |rebuild, comp, _| {
        index += 1;
        match &tilings[index - 1] {
            found if found.is_empty() => (comp, false),
            found => tiled(rebuild, &comp, found),
        }
    })
    .into()
}

/// Whether the trips of a loop are tiled.
pub fn is_tiled(module: &Module, instr: &Instruction) -> bool {
    let marked = |i: &Instruction| {
        let config = i.notes.as_ref().and_then(|n| n.backend_config.as_deref());
        i.opcode == Opcode::Fusion && config == Some(CONFIG)
    };
    parts(instr).is_some_and(|(_, body)| module[body].instrs.iter().any(marked))
}

/// Whether a loop of so many trips has to be asked about before it is unrolled.
pub fn may_tile(module: &Module, instr: &Instruction, trips: i64) -> bool {
    Loop::of(module, instr, trips).is_some_and(|of| of.bytes() > SMALLEST_L2)
}

impl Loop<'_> {
    /// A loop of a computation whose text says how often it runs: what the input notes of that is for predictions.
    fn within<'m>(module: &'m Module, comp: &Computation, instr: &'m Instruction) -> Option<Loop<'m>> {
        Loop::of(module, instr, trips_of(module, instr, |id| &comp[id])?)
    }

    /// A loop of so many trips, if its rows are computed from rows near them.
    fn of<'m>(module: &'m Module, instr: &'m Instruction, trips: i64) -> Option<Loop<'m>> {
        let (_, body) = parts(instr)?;
        let next = next_values(module, body)?;
        let Shape::Tuple(shapes) = &instr.shape else { return None };
        let body = &module[body];
        if body.instrs.len() > MOST_INSTRUCTIONS || !pinned(body).is_empty() {
            return None;
        }
        let element = |n: usize| {
            let shape = shapes[n].as_array()?;
            Some(match element_read(body, next[n]) == Some(n) {
                true => Element::Invariant,
                false if shape.rank() == 0 => Element::Counter,
                false => Element::Advancing,
            })
        };
        let elements = (0..next.len()).map(element).collect::<Option<Vec<Element>>>()?;
        let counters = (0..next.len()).filter(|&n| elements[n] == Element::Counter);
        let of_counters = |n: usize| depends_on_numbers(body, next[n], &elements);
        if !counters.into_iter().all(of_counters) {
            return None;
        }
        let extents = |n: usize| shapes[n].as_array().map_or(0, |a| a.dims.first().copied().unwrap_or(0));
        let mut advancing = (0..next.len()).filter(|&n| elements[n] == Element::Advancing);
        let rows = extents(advancing.next()?);
        if !advancing.all(|n| extents(n) == rows) || !(2..=MOST_ROWS).contains(&rows) {
            return None;
        }
        let reach = reach(body, next, &elements, rows)?;
        Some(Loop { body, next, elements, shapes, rows, reach, trips })
    }

    fn shape(&self, n: usize) -> &Shape {
        &self.shapes[n]
    }

    fn advancing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.elements.len()).filter(|&n| self.elements[n] == Element::Advancing)
    }

    fn bytes(&self) -> i64 {
        self.row_bytes().saturating_mul(self.rows)
    }

    /// Bytes of a row of all arrays that advance.
    fn row_bytes(&self) -> i64 {
        let bytes = |a: &ArrayShape| a.elements().saturating_mul(a.dtype.size() as i64) / self.rows;
        self.advancing().fold(0, |sum: i64, n| sum.saturating_add(bytes(self.shapes[n].expect_array())))
    }

    /// The highest tiles of which those of two trips fit in the cache, and that overlap little.
    fn tiling(&self, trips: i64, room: i64) -> Option<Tiling> {
        let (reach, rows) = (self.reach.before + self.reach.after, room / self.row_bytes().max(1));
        // The last trip keeps no tile. Of the others each is read by the next one, and then the next but one may take its place.
        let most = match trips {
            2 => rows - reach,
            _ => (rows - reach * (2 * trips - 3)) / 2,
        };
        let height = (1..=most.min(self.rows / 2)).rev().find(|h| self.rows % h == 0)?;
        let beside = reach * trips * (trips - 1) / 2;
        (OVERLAP * beside <= height * trips).then_some(Tiling { height, trips })
    }
}

/// Whether a value comes from numbers of the state and arrays that stay as they are.
fn depends_on_numbers(body: &Computation, id: InstrId, elements: &[Element]) -> bool {
    let mut stack = vec![id];
    let mut seen = vec![false; body.instrs.len()];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match element_read(body, id) {
            Some(n) if elements[n] == Element::Advancing => return false,
            Some(_) => {}
            None if body[id].opcode == Opcode::Parameter => return false,
            None => stack.extend(&body[id].operands),
        }
    }
    true
}

/// The tiling with which a loop takes the least time, if it is worth it.
fn tiling(
    cx: &mut PassContext,
    module: &Module,
    (comp, instr): (&Computation, &Instruction),
) -> Option<Tiling> {
    let of = Loop::within(module, comp, instr)?;
    let target = &cx.options.target.clone();
    // What the second-level cache holds needs no tiles.
    if of.bytes() <= target.l2 {
        return None;
    }
    let room = target.tile_bytes();
    let one = us_of_trip(module, &of, target).ok()?;
    let mut best: Option<(f64, Tiling)> = None;
    // What would be too much code is not planned to find that out.
    let may = |trips: &i64| *trips <= of.trips && of.reach.values * trips <= target.code;
    for trips in TRIPS.into_iter().filter(may) {
        let Some(tiling) = of.tiling(trips, room) else { continue };
        let kernel = tiles::kernel(module, &of, tiling);
        cx.fired("plans");
        let Ok(several) = us_of_kernel(module, &kernel, target) else { continue };
        let all = several * (of.trips / trips) as f64 + one * (of.trips % trips) as f64;
        if all <= one * of.trips as f64 * GAIN && best.is_none_or(|(least, _)| all < least) {
            best = Some((all, tiling));
        }
    }
    Some(best?.1)
}

/// The verdict on what trips of one kernel pass to each other, for each array that advances.
fn decisions(module: &Module, (comp, instr): (&Computation, &Instruction), tiling: Tiling) -> Vec<Decision> {
    let Some(of) = Loop::within(module, comp, instr) else { return Vec::new() };
    let reader = |n: usize| of.body.iter().find(|(id, _)| element_read(of.body, *id) == Some(n));
    let kept = of.trips / tiling.trips * (tiling.trips - 1);
    let on = |n: usize| {
        let mut decision = Decision::on_edge(NAME, of.body, of.next[n], reader(n)?.0);
        decision.bytes = of.shape(n).leaves().iter().map(|l| l.bytes()).sum();
        (decision.fused, decision.unwritten) = (true, true);
        decision.bytes_saved_formula = decision.bytes.saturating_mul(2).saturating_mul(kept);
        Some(decision)
    };
    of.advancing().filter_map(on).collect()
}

/// The elements of the state that the next arrays are computed from.
fn state_of(of: &Loop<'_>) -> Vec<InstrId> {
    let read = |(id, _): &(InstrId, &Instruction)| element_read(of.body, *id).is_some();
    of.body.iter().filter(read).map(|(id, _)| id).collect()
}

fn next_of(of: &Loop<'_>) -> Vec<InstrId> {
    of.advancing().map(|n| of.next[n]).collect()
}

/// Time of one trip: as one kernel, or as one for each array that advances, whichever is less.
fn us_of_trip(module: &Module, of: &Loop<'_>, target: &Target) -> Result<f64, Refusal> {
    let (state, next) = (state_of(of), next_of(of));
    let together = us_of_cut(module, of, (&state, &next), target);
    let alone = |&root: &InstrId| {
        let others = next.iter().copied().filter(|o| *o < root);
        let mut inputs: Vec<InstrId> = state.iter().copied().chain(others).collect();
        inputs.sort_unstable();
        inputs.dedup();
        us_of_cut(module, of, (&inputs, &[root]), target)
    };
    let apart: Result<f64, Refusal> = next.iter().map(alone).sum();
    match (together, apart) {
        (Ok(a), Ok(b)) => Ok(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Time of the kernel of a part of the body. Most of what it moves comes while it computes.
fn us_of_cut(
    module: &Module,
    of: &Loop<'_>,
    (inputs, roots): (&[InstrId], &[InstrId]),
    target: &Target,
) -> Result<f64, Refusal> {
    let region = build(module, &of.body.name, Cut { computation: of.body, inputs, roots })?;
    let plan = plan(&region, target, figures::work)?;
    let cost = figures::count(&region, &plan, target).cost();
    let (memory, work) = (memory_us(&cost, target), work_us(cost.work, target));
    Ok(memory.max(work) + memory.min(work) / 2.0)
}

/// Time to move the bytes of a kernel. Some of the last-level cache is not for arrays that come and go with every trip.
fn memory_us(cost: &Cost, target: &Target) -> f64 {
    bytes_us(cost.bytes(), cost.bytes() / 7 * 8, target)
}

/// Time of a kernel of several trips: the rows that a tile begins with come from memory, and nothing is computed until they are there.
fn us_of_kernel(module: &Module, kernel: &Computation, target: &Target) -> Result<f64, Refusal> {
    let region = legal::region(module, kernel)?;
    let cost = legal::planned(region, (module, kernel), target)?.1.cost();
    Ok(memory_us(&cost, target) + work_us(cost.work, target))
}

/// The computation with its loops tiled.
fn tiled(
    rebuild: &mut Rebuild<'_>,
    comp: &Computation,
    tilings: &[(InstrId, Tiling)],
) -> (Computation, bool) {
    let bodies: Vec<CompId> = tilings
        .iter()
        .map(|&(at, tiling)| {
            let kernel = tiles::kernel(rebuild.module, &known(rebuild.module, comp, at), tiling);
            let kernel = rebuild.add(kernel);
            let body = body_of(rebuild.module, &known(rebuild.module, comp, at), (kernel, tiling));
            rebuild.add(body)
        })
        .collect();
    rewrite(rebuild.module, comp, |b, id, instr, operands| {
        let n = tilings.iter().position(|(at, _)| *at == id)?;
        let (condition, _) = parts(instr)?;
        let of = known(b.module, comp, id);
        let trips = tilings[n].1.trips;
        let mut state = operands[0];
        for _ in 0..of.trips % trips {
            state = inline_body(b, of.body, &[state]);
        }
        let kernels = of.trips / trips;
        // A loop has memory of its own for its state, and fills it first.
        if kernels <= MAX_TRIPS {
            for _ in 0..kernels {
                state = inline_body(b, &b.module[bodies[n]], &[state]);
            }
            return Some(state);
        }
        let attrs = Attrs::While { condition, body: bodies[n] };
        let looped = b.push(Instruction { attrs, operands: vec![state], ..instr.clone() });
        make::set_trip_count(b, looped, kernels);
        Some(looped)
    })
}

/// A loop that has a tiling.
fn known<'m>(module: &'m Module, comp: &'m Computation, at: InstrId) -> Loop<'m> {
    Loop::within(module, comp, &comp[at]).expect("it was tiled before the module was built anew")
}

/// The body that calls the kernel and counts its trips.
fn body_of(module: &Module, of: &Loop<'_>, (kernel, tiling): (CompId, Tiling)) -> Computation {
    let mut b = Builder::new(module);
    b.origin = of.body.root().origin.clone();
    let whole = make::parameter(&mut b, 0, Shape::Tuple(of.shapes.to_vec()));
    let state = make::elements(&mut b, whole);
    let operands: Vec<InstrId> = of.reach.used.iter().map(|&n| state[n]).collect();
    let first = of.advancing().next().map_or(of.body.root(), |n| &of.body[of.next[n]]);
    let mut call = Instruction::new(
        first.name.clone(),
        Opcode::Fusion,
        module[kernel].root().shape.clone(),
        operands,
        Attrs::Fusion { kind: FusionKind::Loop, calls: kernel },
        Origin::union_of(module[kernel].instrs.iter().map(|i| &i.origin)),
    );
    call.notes = Some(Arc::new(Notes { backend_config: Some(CONFIG.into()), ..Notes::default() }));
    let call = b.push(call);
    let mut next = tiles::counters(&mut b, of, &state, tiling.trips);
    let results = make::one_or_elements(&mut b, call);
    for (n, result) in of.advancing().zip(results) {
        next[n] = b.reshape(result, &of.shape(n).expect_array().dims);
    }
    let root = make::tuple(&mut b, &next);
    b.finish(format!("{}_tiled", of.body.name), root)
}
