//! Loops in reverse mode, the backward half: a loop that goes through the trips from the last to the first.
//!
//! ```text
//! for t = N-1 … 0:  x = s[t], w = w            what the tape of the body reads: saved, or the same in every trip
//!                   (cx, cw) = (cx · w, cw + x · cx)
//! ```
//!
//! Its state is the cotangents of what the forward loop carries (where they are not zero) and the sums of those of what it
//! reads; what was saved, what is the same in every trip and the cotangents of rows that it wrote are passed on unchanged.

use super::counted::index_type;
use super::flat::Open;
use super::rebuild;
use super::trips::Trips;
use crate::error::Fault;
use crate::grad::tape::{Structured, Tangent, Tape};
use crate::grad::transpose::transpose_onto;
use crate::grad::{Transposer, replay::replay};
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Literal, Opcode, Scalar};
use rustc_hash::FxHashMap;

/// A leaf of the state that varies from trip to trip.
pub(super) struct Carry {
    pub leaf: usize,
    /// Its tangent in front of the loop.
    pub outer: Option<Tangent>,
    /// At the start and at the end of a trip, on the tape of the body.
    pub input: Tangent,
    pub output: Option<Tangent>,
    pub shape: ArrayShape,
}

/// A value that is the same in every trip, and varies: its cotangent is the sum of those of the trips.
pub(super) struct Sum {
    pub outer: Tangent,
    pub input: Tangent,
    pub shape: ArrayShape,
}

/// A value of which each trip reads another part.
pub(super) struct Read {
    pub outer: Tangent,
    /// The tangent of the part.
    pub input: Tangent,
    /// Where the part begins, and its extents.
    pub indices: Vec<InstrId>,
    pub sizes: Vec<i64>,
    pub shape: ArrayShape,
}

/// A leaf of the state of which each trip writes another part.
pub(super) struct Write {
    pub leaf: usize,
    /// The tangent of the part.
    pub row: Tangent,
    pub indices: Vec<InstrId>,
    pub sizes: Vec<i64>,
    pub shape: ArrayShape,
}

/// A loop that counts, whose body has its tangents on a tape. Its results are those of the carries that have one at the end
/// of a trip, then the leaves that are written part by part.
pub(super) struct CountedLoop {
    pub trips: Trips,
    pub comp: Computation,
    pub tape: Tape,
    pub carries: Vec<Carry>,
    pub sums: Vec<Sum>,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// Values of the body that are saved, and where.
    pub stacks: Vec<(InstrId, InstrId)>,
    /// Values of the body that are the same in every trip, and where.
    pub at_hand: Vec<(InstrId, InstrId)>,
}

/// What of a loop takes part when some of its results do.
struct Part {
    carries: Vec<bool>,
    sums: Vec<bool>,
    reads: Vec<bool>,
    writes: Vec<bool>,
    /// What of the body is read, and whether the counter is.
    needed: Vec<InstrId>,
    counter: bool,
    stacks: Vec<(InstrId, InstrId)>,
    at_hand: Vec<(InstrId, InstrId)>,
}

impl CountedLoop {
    /// What takes part when these carries and writes do, at the end of the loop.
    fn part(&self, mut carries: Vec<bool>, writes: Vec<bool>) -> Part {
        let live_writes = || self.writes.iter().zip(&writes).filter(|(_, live)| **live);
        let (outputs, reached) = loop {
            let of_carries = self.carries.iter().zip(&carries).filter(|(_, live)| **live);
            let outputs: Vec<Tangent> =
                of_carries.filter_map(|(c, _)| c.output).chain(live_writes().map(|(w, _)| w.row)).collect();
            let reached = self.tape.needed(&outputs);
            let next: Vec<bool> = self
                .carries
                .iter()
                .zip(&carries)
                .map(|(c, live)| *live || reached[c.input.index()])
                .collect();
            if next == carries {
                break (outputs, reached);
            }
            carries = next;
        };
        let sums = self.sums.iter().map(|s| reached[s.input.index()]).collect();
        let reads: Vec<bool> = self.reads.iter().map(|r| reached[r.input.index()]).collect();
        let mut needed = self.tape.residuals(&outputs);
        live_writes().for_each(|(w, _)| needed.extend(&w.indices));
        let live_reads = self.reads.iter().zip(&reads).filter(|(_, live)| **live);
        live_reads.for_each(|(r, _)| needed.extend(&r.indices));
        let counter = InstrId(self.trips.counter as u32);
        let holds = |list: &[(InstrId, InstrId)], id: InstrId| list.iter().any(|(inner, _)| *inner == id);
        let is_at_hand = |id| id == counter || holds(&self.stacks, id) || holds(&self.at_hand, id);
        let used = rebuild::used(&self.comp, &needed, &is_at_hand);
        let those = |list: &[(InstrId, InstrId)]| {
            list.iter().filter(|(inner, _)| used.contains(inner)).copied().collect()
        };
        let (stacks, at_hand) = (those(&self.stacks), those(&self.at_hand));
        let counter = used.contains(&counter);
        Part { carries, sums, reads, writes, needed, counter, stacks, at_hand }
    }

    /// The values of the body that are read in trip `t`, made inside of another loop: `stacks` and `at_hand` are there.
    fn values(
        &self,
        e: &mut Emit<'_>,
        part: &Part,
        t: InstrId,
        stacks: &[InstrId],
        at_hand: &[InstrId],
    ) -> Result<FxHashMap<InstrId, InstrId>, Fault> {
        let mut at: FxHashMap<InstrId, InstrId> = FxHashMap::default();
        for ((inner, _), &stack) in part.stacks.iter().zip(stacks) {
            at.insert(*inner, take(e, stack, t)?);
        }
        at.extend(part.at_hand.iter().map(|(inner, _)| *inner).zip(at_hand.iter().copied()));
        if part.counter {
            let dtype = self.trips.shape.dtype;
            let mut value = e.convert(t, dtype)?;
            let integer = |n: i64| Literal::scalar(dtype, Scalar::Signed(n));
            if self.trips.step != 1 {
                let step = e.constant(integer(self.trips.step));
                value = e.mul(value, step)?;
            }
            if self.trips.init != 0 {
                let init = e.constant(integer(self.trips.init));
                value = e.add(value, init)?;
            }
            at.insert(InstrId(self.trips.counter as u32), value);
        }
        rebuild::rebuild(e, &self.comp, &part.needed, &mut at);
        Ok(at)
    }
}

impl Structured for CountedLoop {
    fn operands(&self) -> Vec<Tangent> {
        let carries = self.carries.iter().filter_map(|c| c.outer);
        carries.chain(self.sums.iter().map(|s| s.outer)).chain(self.reads.iter().map(|r| r.outer)).collect()
    }

    fn residuals(&self) -> Vec<InstrId> {
        self.stacks.iter().chain(&self.at_hand).map(|(_, outer)| *outer).collect()
    }

    fn apply(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        operands: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault> {
        let part = self.part(vec![true; self.carries.len()], vec![true; self.writes.len()]);
        let mut given = operands.iter().copied();
        let mut state = Vec::new();
        for carry in &self.carries {
            state.push(match carry.outer.and_then(|_| given.next()) {
                Some(tangent) => tangent,
                None => emit.zeros(&carry.shape)?,
            });
        }
        for write in &self.writes {
            state.push(emit.zeros(&write.shape)?);
        }
        let changing = state.len();
        let sources = self.sums.len();
        state.extend(given);
        let stacks = state.len();
        state.extend(part.stacks.iter().chain(&part.at_hand).map(|(_, outer)| residuals[outer]));
        let found = counted(emit, self.trips.count, &state, |e, t, leaves| {
            let (stacks, at_hand) = leaves[stacks..].split_at(part.stacks.len());
            let at = self.values(e, &part, t, stacks, at_hand)?;
            let mut inputs: Vec<(Tangent, InstrId)> =
                self.carries.iter().map(|c| c.input).zip(leaves.iter().copied()).collect();
            inputs.extend(self.sums.iter().map(|s| s.input).zip(leaves[changing..].iter().copied()));
            for (read, &whole) in self.reads.iter().zip(&leaves[changing + sources..]) {
                inputs.push((read.input, slice(e, whole, &read.indices, &read.sizes, &at)?));
            }
            let outputs: Vec<Tangent> = self
                .carries
                .iter()
                .filter_map(|c| c.output)
                .chain(self.writes.iter().map(|w| w.row))
                .collect();
            let mut made = replay(e, &self.tape, &at, &inputs, &outputs)?.into_iter();
            let mut after = leaves.to_vec();
            for (carry, leaf) in self.carries.iter().zip(&mut after) {
                *leaf = match carry.output.and_then(|_| made.next()) {
                    Some(tangent) => tangent,
                    None => e.zeros(&carry.shape)?,
                };
            }
            for ((write, leaf), row) in self.writes.iter().zip(&mut after[self.carries.len()..]).zip(made) {
                *leaf = update(e, *leaf, row, &write.indices, &at)?;
            }
            Ok(after)
        })?;
        let carries = self.carries.iter().zip(&found).filter(|(c, _)| c.output.is_some()).map(|(_, id)| *id);
        Ok(carries.chain(found[self.carries.len()..changing].iter().copied()).collect())
    }

    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault> {
        let mut given = cotangents.iter().copied().chain(std::iter::repeat(None));
        let of_carries: Vec<Option<InstrId>> =
            self.carries.iter().map(|c| c.output.and_then(|_| given.next().flatten())).collect();
        let of_writes: Vec<Option<InstrId>> = self.writes.iter().map(|_| given.next().flatten()).collect();
        let are_there = |of: &[Option<InstrId>]| of.iter().map(Option::is_some).collect::<Vec<bool>>();
        let part = self.part(are_there(&of_carries), are_there(&of_writes));

        let carries: Vec<&Carry> = live(&self.carries, &part.carries);
        let sums: Vec<&Sum> = live(&self.sums, &part.sums);
        let reads: Vec<&Read> = live(&self.reads, &part.reads);
        let writes: Vec<&Write> = live(&self.writes, &part.writes);
        let mut state = Vec::new();
        for (n, carry) in self.carries.iter().enumerate().filter(|(n, _)| part.carries[*n]) {
            state.push(match of_carries[n] {
                Some(ct) => ct,
                None => cx.emit.zeros(&carry.shape)?,
            });
        }
        for shape in sums.iter().map(|s| &s.shape).chain(reads.iter().map(|r| &r.shape)) {
            state.push(cx.emit.zeros(shape)?);
        }
        let changing = state.len();
        state.extend(part.stacks.iter().chain(&part.at_hand).map(|(_, outer)| cx.residual(*outer)));
        let rows = state.len();
        state.extend(of_writes.iter().flatten());

        let found = counted(cx.emit, self.trips.count, &state, |e, i, leaves| {
            let dtype = e.dtype(i)?;
            let last = e.constant(Literal::scalar(dtype, Scalar::Signed(self.trips.count - 1)));
            let t = e.sub(last, i)?;
            let (stacks, at_hand) = leaves[changing..rows].split_at(part.stacks.len());
            let at = self.values(e, &part, t, stacks, at_hand)?;
            let mut seeds = Vec::new();
            for (carry, &ct) in carries.iter().zip(leaves) {
                seeds.extend(carry.output.map(|output| (output, ct)));
            }
            for (write, &ct) in writes.iter().zip(&leaves[rows..]) {
                seeds.push((write.row, slice(e, ct, &write.indices, &write.sizes, &at)?));
            }
            let first = carries.len();
            let onto: Vec<(Tangent, InstrId)> =
                sums.iter().map(|s| s.input).zip(leaves[first..].iter().copied()).collect();
            let inputs = carries.iter().map(|c| c.input).chain(sums.iter().map(|s| s.input));
            let inputs: Vec<Tangent> = inputs.chain(reads.iter().map(|r| r.input)).collect();
            let made = transpose_onto(e, &self.tape, &at, &seeds, &inputs, &onto)?;
            let mut after = leaves.to_vec();
            for (n, carry) in carries.iter().enumerate() {
                after[n] = match made[n] {
                    Some(ct) => ct,
                    None => e.zeros(&carry.shape)?,
                };
            }
            for n in first..first + sums.len() {
                after[n] = made[n].unwrap_or(leaves[n]);
            }
            for (n, read) in (first + sums.len()..changing).zip(&reads) {
                if let Some(row) = made[n] {
                    after[n] = update(e, leaves[n], row, &read.indices, &at)?;
                }
            }
            Ok(after)
        })?;
        let outer = carries.iter().map(|c| c.outer).chain(sums.iter().map(|s| Some(s.outer)));
        let outer = outer.chain(reads.iter().map(|r| Some(r.outer)));
        for (t, &ct) in outer.zip(&found) {
            if let Some(t) = t {
                cx.contribute(t, ct)?;
            }
        }
        Ok(())
    }
}

fn live<'a, T>(all: &'a [T], flags: &[bool]) -> Vec<&'a T> {
    all.iter().zip(flags).filter(|(_, live)| **live).map(|(one, _)| one).collect()
}

/// A loop of that many trips over arrays: `f` gets the number of the trip and what they are, and says what they become.
fn counted(
    emit: &mut Emit<'_>,
    trips: i64,
    init: &[InstrId],
    f: impl FnOnce(&mut Emit<'_>, InstrId, &[InstrId]) -> Result<Vec<InstrId>, Fault>,
) -> Result<Vec<InstrId>, Fault> {
    let dtype = index_type(trips);
    let mut state = vec![emit.scalar(dtype, 0.0)];
    state.extend(init);
    let shapes = state.iter().map(|&id| emit.array(id).cloned()).collect::<Result<Vec<_>, _>>()?;

    let mut open = Open::new(emit, shapes.clone())?;
    let trip = open.leaves[0];
    let mut e = open.emit(emit.graph);
    let limit = e.constant(Literal::scalar(dtype, Scalar::Signed(trips)));
    let test = e.compare(Direction::Lt, trip, limit)?;
    let condition = emit.graph.close("condition", open.body, test);

    let mut open = Open::new(emit, shapes)?;
    let leaves = open.leaves.clone();
    let mut e = open.emit(emit.graph);
    let after = f(&mut e, leaves[0], &leaves[1..])?;
    let one = e.scalar(dtype, 1.0);
    let mut results = vec![e.add(leaves[0], one)?];
    results.extend(after);
    let body = open.close(emit.graph, "body", &results)?;

    let state = emit.tuple(&state)?;
    let whole = emit.op(Opcode::While, &[state], Attrs::While { condition, body })?;
    Ok(emit.elements(whole)?.split_off(1))
}

/// The value of that trip in a stack.
fn take(e: &mut Emit<'_>, stack: InstrId, trip: InstrId) -> Result<InstrId, Fault> {
    let mut sizes = e.dims(stack)?;
    let dims = sizes.split_off(1);
    sizes[0] = 1;
    sizes.extend(&dims);
    let dtype = e.dtype(trip)?;
    let zero = e.scalar(dtype, 0.0);
    let mut operands = vec![stack, trip];
    operands.resize(sizes.len() + 1, zero);
    let row = e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes))?;
    e.reshape(row, &dims)
}

/// A part of an array; `at` says where the values are that say where it begins.
fn slice(
    e: &mut Emit<'_>,
    whole: InstrId,
    indices: &[InstrId],
    sizes: &[i64],
    at: &FxHashMap<InstrId, InstrId>,
) -> Result<InstrId, Fault> {
    let operands: Vec<InstrId> = std::iter::once(whole).chain(indices.iter().map(|i| at[i])).collect();
    e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes.to_vec()))
}

/// An array with another part.
fn update(
    e: &mut Emit<'_>,
    whole: InstrId,
    part: InstrId,
    indices: &[InstrId],
    at: &FxHashMap<InstrId, InstrId>,
) -> Result<InstrId, Fault> {
    let operands: Vec<InstrId> = [whole, part].into_iter().chain(indices.iter().map(|i| at[i])).collect();
    e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
}
