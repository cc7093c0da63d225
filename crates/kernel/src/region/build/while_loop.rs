//! A `while` as one stage: its lanes are the points of the stage, each runs the loop by itself with its state in
//! scalars.
//!
//! Instances are the dimensions of the state along which every trip stays at its own index (`lanes`). An element of the
//! state is one of four things. What no trip changes is read where it comes from. An array that each trip writes a
//! part of and nothing reads, as a scan stacks its results, is stored to directly (`stores`). An array that trips read,
//! and of which they change a few elements, stays in memory and is updated there (`find_updated`, `updates`); in memory is
//! also what a loop around has in registers and a loop within looks things up in (`lookups`). All else is carried: one
//! [`Carry`] for each of the scalars that a lane has of it. Initial values and uses of the results are
//! expressions like any other. A loop in the body is built in the same way, and stays a loop within the loop (`inner`).
//! What it stacks and another one reads lies in an array that each lane has for itself. Loops that follow one another in
//! a computation are such loops too, within one that runs once.
//!
//! `parts` takes the HLO of the loops apart before anything is built, `scopes` numbers their computations, `frames`
//! switches between them, `read` reads the state, `ends`, `absorb` and `outputs` build what follows from the trips.

mod absorb;
mod combine;
mod ends;
mod find_updated;
mod frames;
mod inner;
mod lookups;
mod outputs;
pub(super) mod parts;
mod points;
mod read;
pub(super) mod scopes;
mod stacked;
pub(super) mod state;
mod stores;
mod updated;
mod updates;

pub use parts::known_trips;

use super::Updates;
use super::builder::{Builder, Output, array_of, is_hero};
use super::instances::{Instances, MAX_STATE};
use crate::refusal::Refusal;
use crate::region::{Array, Carried, Carry, Kind, LoopStage, Node, Stage};
use lawson_hlo::{Computation, InstrId, Module, Opcode};
use lookups::is_table;
use parts::Parts;
use points::{FEW_ELEMENTS, MAX_ELEMENTS, components, points};
use rustc_hash::{FxHashMap, FxHashSet};
use scopes::{OUTER, body, condition};
use state::{Frame, Private, Role, State, Storage};
use std::rc::Rc;
use updated::Change;

/// Expressions in a loop kernel; more are refused.
const MAX_NODES: usize = 8192;
/// Instructions in condition and body.
const MAX_INSTRUCTIONS: usize = 8192;

/// An operation of these computations, or of what they call, that does more than make its value: no kernel has it, whoever
/// uses the value.
fn effect<'m>(module: &'m Module, comps: impl Iterator<Item = &'m Computation>) -> Option<Opcode> {
    let mut left: Vec<&Computation> = comps.collect();
    let mut seen = FxHashSet::default();
    while let Some(comp) = left.pop() {
        for instr in &comp.instrs {
            if instr.has_side_effect() {
                return Some(instr.opcode);
            }
            let called = instr.attrs.called().into_iter();
            left.extend(called.filter(|c| seen.insert(*c)).map(|c| &module[c]));
        }
    }
    None
}

impl<'a> Builder<'a> {
    /// The loops among what the outputs need, in the order in which they run.
    pub(super) fn loops_of(&self, needed: &[InstrId]) -> Result<Vec<InstrId>, Refusal> {
        let mut found = Vec::new();
        let mut combines = None;
        for &id in needed.iter().filter(|id| !self.inputs.contains_key(id)) {
            let opcode = self.comp[id].opcode;
            if opcode == Opcode::While {
                found.push(id);
            }
            combines = combines.or(is_hero(opcode).then_some(opcode));
        }
        match combines.filter(|&o| !found.is_empty() && o != Opcode::DynamicUpdateSlice) {
            Some(first) => Err(Refusal::SecondHero { first, second: Opcode::While }),
            None => Ok(found),
        }
    }

    /// Builds the region's only stage from a loop, or several, and what follows from the results.
    pub(super) fn loop_stage(
        &mut self,
        all: &[InstrId],
        outputs: &[Output],
        updates: &mut Updates,
    ) -> Result<(), Refusal> {
        let (parts, lanes) = self.taken_apart(all, updates)?;
        let nodes = parts.scopes().skip(1).map(|s| parts.comp(s).instrs.len()).sum();
        if nodes > MAX_INSTRUCTIONS {
            return Err(Refusal::CodeSize { nodes, limit: MAX_INSTRUCTIONS });
        }
        if let Some(opcode) = effect(self.module, parts.scopes().skip(1).map(|s| parts.comp(s))) {
            return Err(Refusal::SideEffect { opcode });
        }
        self.enter(&lanes.extents, &[]);
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let instr = &self.comp[id];
            let shape = instr.shape.leaves()[result as usize].clone();
            self.region.outputs.push(array_of(&instr.name, &shape));
            self.region.output_sources.push((0, n as u32));
        }
        self.begin(&parts, &lanes, outputs);
        let mut loop_stage = self.step(&parts, &lanes, 0)?;
        for element in 0..parts.loops[0].next.len() {
            self.before(&parts, (0, element), &mut loop_stage)?;
            self.updates(&parts, (0, element), &mut loop_stage)?;
        }
        match parts.is_straight() {
            true => self.outputs_of_several(&parts, &lanes, outputs, &mut loop_stage)?,
            false => self.outputs_of(&parts, &lanes, outputs, &mut loop_stage)?,
        }
        self.check_ends(&parts, &mut loop_stage)?;
        self.check_order(&parts, &loop_stage)?;
        let nodes = self.region.reachable(&loop_stage.roots()).len();
        if nodes > MAX_NODES {
            return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
        }
        let results = self.region.outputs.iter().map(|o| o.dtype).collect();
        let elements = lanes.extents.iter().product();
        let kind = Kind::Loop(Box::new(loop_stage));
        let name = all.last().map_or(String::new(), |&at| self.comp[at].name.to_string());
        self.region.stages.push(Stage {
            opcode: Opcode::While,
            name,
            space: lanes.extents.clone(),
            inner: Vec::new(),
            kind,
            results,
            elements,
        });
        Ok(())
    }

    /// The loops and their lanes. Arrays of which a trip changes a few elements stay in memory, unless lanes have so few of each
    /// that a choice among registers takes less time.
    fn taken_apart(
        &self,
        all: &[InstrId],
        updates: &mut Updates,
    ) -> Result<(Rc<Parts<'a>>, Rc<Instances>), Refusal> {
        if *updates == Updates::InMemory {
            let parts = Parts::new(self.module, self.comp, all, true)?;
            if parts.loops.iter().flat_map(|l| &l.updated).any(Option::is_some) {
                *updates = Updates::Found;
                let lanes = Instances::find(&parts)?;
                let few = if parts.has_moving_updates() { FEW_ELEMENTS } else { MAX_STATE };
                if lanes.most_updated(&parts).is_some_and(|n| n > few) {
                    return Ok((Rc::new(parts), Rc::new(lanes)));
                }
                *updates = Updates::InRegisters;
            }
        }
        let parts = Parts::new(self.module, self.comp, all, false)?;
        let lanes = Instances::find(&parts)?;
        Ok((Rc::new(parts), Rc::new(lanes)))
    }

    /// Checks that arrays which trips update are read before they change, and changed in the order of the program.
    fn check_order(&self, parts: &Parts<'a>, loop_stage: &LoopStage) -> Result<(), Refusal> {
        let refusal = Err(Refusal::UpdatedInPlace);
        if self.region.late_read(loop_stage).is_some() {
            return refusal;
        }
        let runs = self.region.runs(loop_stage);
        for u in parts.loops.iter().flat_map(|l| l.updated.iter().flatten()) {
            let loops = u.changes.iter().filter_map(|c| match c {
                Change::Loop { of, .. } => Some(runs[*of]),
                Change::Update { .. } => None,
            });
            let loops: Vec<_> = loops.collect();
            if loops.contains(&None) || !loops.is_sorted() {
                return refusal;
            }
        }
        Ok(())
    }

    /// What a loop carries, and when it ends.
    pub(super) fn step(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Instances,
        n: usize,
    ) -> Result<LoopStage, Refusal> {
        let part = &parts.loops[n];
        let mut loop_stage =
            LoopStage { trips: part.trips, around: part.around as u32, ..LoopStage::default() };
        self.warm(parts, lanes, n)?;
        for inner in (0..parts.loops.len()).filter(|&l| l > n && parts.loops[l].around == n) {
            self.inner(inner)?;
        }
        if n > 0 || !parts.is_straight() {
            self.within(body(n), |cx| cx.carries(parts, n, &mut loop_stage))?;
            self.within(condition(n), |cx| cx.condition(parts, lanes, n, &mut loop_stage))?;
        }
        loop_stage.within = self.state.as_ref().map_or(Vec::new(), |s| s.within[n].clone());
        Ok(loop_stage)
    }

    /// Says of each element of the state what it is, and gives each scalar that is carried its node.
    pub(super) fn begin(&mut self, parts: &Rc<Parts<'a>>, lanes: &Rc<Instances>, outputs: &[Output]) {
        let element = |o: &Output| self.result_of(parts, o);
        let results = (0..).zip(outputs).filter_map(|(n, o)| element(o).map(|e| (e, n)));
        let results: Vec<((usize, usize), u32)> = results.collect();
        let (mut nodes, mut roles): (Vec<_>, Vec<Vec<Role>>) = Default::default();
        for (n, part) in parts.loops.iter().enumerate() {
            let mut carries = Vec::new();
            let mut role = |element: usize| {
                let dims = parts.dims(n, element).to_vec();
                let axes = lanes.of_state(n, element, dims.len());
                let mut private = |dims, axes: Vec<_>| {
                    let array = self.region.private.len() as u32;
                    let name = format!("{}.{element}", parts.comp(part.scope)[part.at].name);
                    let (dtype, elements) = (parts.dtype(n, element), components(dims, &axes));
                    self.region.private.push(Array { name, dtype, elements });
                    Private { array, dims: dims.to_vec(), axes }
                };
                if !part.changes[element] {
                    let elements = components(&dims, &axes);
                    return match is_table(parts, &roles, (n, element), elements) {
                        true => Role::InMemory(Storage::Private(private(&dims, axes))),
                        false => Role::Invariant(part.inits[element]),
                    };
                }
                if let Some(stacking) = &part.stacking[element] {
                    return Role::Stacked(stacking.kept.then(|| private(&dims, axes)));
                }
                if part.updated[element].is_some() {
                    if let Some((around, outer)) = parts.through(n, element)
                        && let Role::InMemory(storage) = &roles[around][outer]
                    {
                        return Role::InMemory(storage.clone());
                    }
                    let output = results.iter().find(|(e, _)| n == 0 && *e == (n, element));
                    let apart = axes.iter().flatten().count() == lanes.rank();
                    return Role::InMemory(match output.filter(|_| apart) {
                        Some(&(_, output)) => Storage::Output { output, dims, axes },
                        None => Storage::Private(private(&dims, axes)),
                    });
                }
                let first = carries.len() as u32;
                for _ in points(&dims, &axes) {
                    let carried = Carried { of: n as u32, at: carries.len() as u32, last: false };
                    carries.push(self.region.add(Node::Carry(carried), parts.dtype(n, element)));
                }
                Role::Instances { first, dims, axes }
            };
            roles.push((0..part.next.len()).map(&mut role).collect());
            nodes.push(carries);
        }
        let frame = |scope: usize| {
            let inputs = if parts.holds_inputs(scope) { self.inputs.clone() } else { FxHashMap::default() };
            (scope != OUTER).then(|| Frame { comp: parts.comp(scope), inputs, memo: super::Memo::default() })
        };
        let parked = parts.scopes().map(frame).collect();
        self.region.loops = vec![LoopStage::default(); parts.loops.len() - 1];
        let (built, within) = (vec![false; parts.loops.len()], vec![Vec::new(); parts.loops.len()]);
        let (parts, lanes) = (parts.clone(), lanes.clone());
        let uniform = Vec::new();
        let state =
            State { scope: OUTER, parked, parts, lanes, roles, uniform, nodes, built, within, results };
        self.state = Some(Box::new(state));
    }

    /// Builds the expressions of condition and body in program order. Later requests find them known, instead of
    /// recursing once for each instruction of a long chain.
    pub(super) fn warm(&mut self, parts: &Parts<'a>, lanes: &Instances, n: usize) -> Result<(), Refusal> {
        for scope in [condition(n), body(n)] {
            let depends = parts.depends(scope);
            for (id, instr) in parts.comp(scope).iter().filter(|(id, _)| depends[id.index()]) {
                if let Some(inner) = parts.loop_at(scope, id) {
                    self.inner(inner)?;
                    continue;
                }
                let Some(array) = instr.shape.as_array() else { continue };
                let axes = lanes.of(scope, id, array.rank());
                let whole = parts.is_stacking(scope, id) || parts.is_updated(scope, id);
                if whole || components(&array.dims, &axes) > MAX_ELEMENTS {
                    continue;
                }
                for index in points(&array.dims, &axes) {
                    if self.within(scope, |cx| cx.value(id, &index)).is_err() {
                        // Not every instruction is needed; the refusal comes back when one that is asks again.
                        return Ok(());
                    }
                }
                let nodes = self.region.nodes.len();
                if nodes > 4 * MAX_NODES {
                    return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
                }
            }
        }
        Ok(())
    }

    /// Initial and next value of every scalar that the loop carries.
    pub(super) fn carries(
        &mut self,
        parts: &Parts<'a>,
        n: usize,
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let part = &parts.loops[n];
        for element in 0..part.next.len() {
            let Some(State { roles, nodes, .. }) = self.state.as_deref() else { return Ok(()) };
            let Role::Instances { first, dims, axes } = &roles[n][element] else { continue };
            let nodes = nodes[n][*first as usize..].to_vec();
            for (index, node) in points(dims, axes).into_iter().zip(nodes) {
                let next = self.value(part.next[element], &index)?;
                let init = self.within(part.scope, |cx| cx.value(part.inits[element], &index))?;
                loop_stage.carries.push(Carry { node, init, next });
            }
        }
        Ok(())
    }
}
