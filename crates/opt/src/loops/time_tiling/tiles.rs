//! The kernel of several trips: each on tiles of rows, which lose the rows that only the trips before needed.

use super::super::element_read;
use super::rows::{Element, Read, Shift, reads, starts};
use super::{Loop, Tiling};
use crate::make;
use lawson_hlo::attrs::{Direction, GatherDims, PadDim, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::FxHashMap;

/// An element of the state after some trips.
#[derive(Clone, Copy)]
enum State {
    /// As the kernel gets it: a number, or a whole array.
    Whole(InstrId),
    /// Tiles, of which the first row is this one of the rows that a tile stands for.
    Tiles(InstrId, i64),
    /// Nobody reads it.
    Unused,
}

/// The kernel: from the used elements of the state, in order, to the arrays that advance, with their rows in tiles.
pub fn kernel(module: &Module, of: &Loop<'_>, tiling: Tiling) -> Computation {
    let mut b = Builder::new(module);
    b.origin = of.body.root().origin.clone();
    let mut state = vec![State::Unused; of.elements.len()];
    for (place, &n) in of.reach.used.iter().enumerate() {
        state[n] = State::Whole(make::parameter(&mut b, place, of.shape(n).clone()));
    }
    let mut trip = Trip::new(b, of, tiling, state);
    for n in 0..tiling.trips {
        trip.run(tiling.trips - 1 - n);
    }
    let Trip { mut b, state, .. } = trip;
    let results: Vec<InstrId> = of
        .advancing()
        .map(|n| {
            let State::Tiles(id, _) = state[n] else { unreachable!("it has advanced") };
            id
        })
        .collect();
    let root = match results[..] {
        [one] => one,
        _ => make::tuple(&mut b, &results),
    };
    b.finish("fused_trips", root)
}

/// The counters after so many trips.
pub fn counters(b: &mut Builder<'_>, of: &Loop<'_>, state: &[InstrId], trips: i64) -> Vec<InstrId> {
    let mut state = state.to_vec();
    for _ in 0..trips {
        let mut known: FxHashMap<InstrId, InstrId> = FxHashMap::default();
        let next: Vec<InstrId> = (0..state.len())
            .map(|n| match of.elements[n] {
                Element::Counter => whole(b, of.body, of.next[n], &mut known, &|n| state[n]),
                Element::Invariant | Element::Advancing => state[n],
            })
            .collect();
        state = next;
    }
    state
}

/// A value that is the same for all rows, from the elements of the state.
fn whole(
    b: &mut Builder<'_>,
    body: &Computation,
    id: InstrId,
    known: &mut FxHashMap<InstrId, InstrId>,
    element: &dyn Fn(usize) -> InstrId,
) -> InstrId {
    if let Some(&known) = known.get(&id) {
        return known;
    }
    let made = match element_read(body, id) {
        Some(n) => element(n),
        None => {
            let instr = &body[id];
            let operands = instr.operands.iter().map(|&o| whole(b, body, o, known, element)).collect();
            b.push(Instruction { operands, ..instr.clone() })
        }
    };
    known.insert(id, made);
    made
}

/// One trip on tiles.
struct Trip<'a, 'm> {
    b: Builder<'m>,
    of: &'a Loop<'a>,
    tiling: Tiling,
    state: Vec<State>,
    /// The rows that are computed, from the first that a tile stands for.
    rows: (i64, i64),
    /// Values of rows at a distance.
    known: FxHashMap<(InstrId, Shift), InstrId>,
    /// Values that are the same for all rows.
    whole: FxHashMap<InstrId, InstrId>,
    /// Numbers of rows at a distance.
    numbers: FxHashMap<Shift, InstrId>,
}

impl<'a, 'm> Trip<'a, 'm> {
    fn new(b: Builder<'m>, of: &'a Loop<'a>, tiling: Tiling, state: Vec<State>) -> Trip<'a, 'm> {
        let (known, whole, numbers) = Default::default();
        Trip { b, of, tiling, state, rows: (0, 0), known, whole, numbers }
    }

    /// One trip, after which so many follow.
    fn run(&mut self, left: i64) {
        let (before, after) = (self.of.reach.before * left, self.of.reach.after * left);
        self.rows = (-before, self.tiling.height + after);
        self.known.clear();
        self.whole.clear();
        self.numbers.clear();
        let mut state = self.state.clone();
        for (n, &next) in self.of.next.iter().enumerate() {
            state[n] = match self.of.elements[n] {
                Element::Advancing => State::Tiles(self.value(next, Shift::NONE), -before),
                Element::Counter if self.of.reach.used.contains(&n) => State::Whole(self.whole(next)),
                Element::Counter | Element::Invariant => state[n],
            };
        }
        self.state = state;
    }

    fn height(&self) -> i64 {
        self.rows.1 - self.rows.0
    }

    /// Tiles of so many rows of what the dimensions say.
    fn shape(&self, dtype: DType, dims: &[i64]) -> ArrayShape {
        let mut tiled = vec![self.of.rows / self.tiling.height, self.height()];
        tiled.extend(&dims[1..]);
        ArrayShape::new(dtype, tiled)
    }

    fn whole(&mut self, id: InstrId) -> InstrId {
        let Trip { b, of, state, whole: known, .. } = self;
        let element = |n: usize| match state[n] {
            State::Whole(id) => id,
            State::Tiles(..) | State::Unused => unreachable!("the reach says what is whole"),
        };
        whole(b, of.body, id, known, &element)
    }

    /// The numbers of the rows at a distance, for each tile.
    fn numbers(&mut self, shift: Shift) -> InstrId {
        if let Some(&known) = self.numbers.get(&shift) {
            return known;
        }
        let shape = self.shape(DType::S32, &[0]);
        let (height, rows, first) = (self.tiling.height, self.of.rows, self.rows.0 + shift.round);
        let b = &mut self.b;
        let (tile, row) = (make::iota(b, shape.clone(), 0), make::iota(b, shape.clone(), 1));
        let mut splat = |n: i64| make::splat(b, &shape, n);
        let [height, first, rows] = [height, first.rem_euclid(rows), rows].map(&mut splat);
        let start = b.binary(Opcode::Multiply, tile, height);
        let number = b.binary(Opcode::Add, start, row);
        let number = b.binary(Opcode::Add, number, first);
        let mut number = b.binary(Opcode::Remainder, number, rows);
        if shift.beyond != 0 {
            let beyond = make::splat(b, &shape, shift.beyond);
            number = b.binary(Opcode::Add, number, beyond);
        }
        self.numbers.insert(shift, number);
        number
    }

    /// Rows at a distance of a whole array.
    fn gather(&mut self, array: InstrId, shift: Shift) -> InstrId {
        let numbers = self.numbers(shift);
        let mut slice_sizes = self.b.array(array).dims.to_vec();
        let shape = self.shape(self.b.array(array).dtype, &slice_sizes);
        slice_sizes[0] = 1;
        let dims = GatherDims {
            offset_dims: (2..shape.rank()).collect(),
            collapsed_slice_dims: vec![0],
            start_index_map: vec![0],
            index_vector_dim: 2,
            slice_sizes,
            ..GatherDims::default()
        };
        self.b.add_shaped(
            Opcode::Gather,
            Shape::Array(shape),
            &[array, numbers],
            Attrs::Gather(Box::new(dims)),
        )
    }

    /// The rows of an instruction at a distance from those that are computed.
    fn value(&mut self, id: InstrId, shift: Shift) -> InstrId {
        if let Some(&known) = self.known.get(&(id, shift)) {
            return known;
        }
        let body = self.of.body;
        self.b.origin = body[id].origin.clone();
        let made = match (element_read(body, id), body[id].opcode) {
            (Some(n), _) => match self.state[n] {
                State::Whole(array) => self.gather(array, shift),
                State::Tiles(tiles, first) => {
                    let (start, height) = (self.rows.0 + shift.round - first, self.height());
                    make::slice(&mut self.b, tiles, 1, start, start + height)
                }
                State::Unused => unreachable!("the reach says what is used"),
            },
            (None, Opcode::Constant) => {
                let array = self.whole(id);
                self.gather(array, shift)
            }
            (None, _) => self.computed(&body[id], shift),
        };
        // A roll by rows is no instruction any more: its operand, rows further, stands for it.
        self.b.unite_origin(made, &body[id].origin);
        self.known.insert((id, shift), made);
        made
    }

    fn computed(&mut self, instr: &Instruction, shift: Shift) -> InstrId {
        let old = instr.shape.expect_array();
        let shape = self.shape(old.dtype, &old.dims);
        if let Attrs::Iota(dim) = instr.attrs {
            return match dim {
                0 => {
                    let numbers = self.numbers(shift);
                    let numbers = self.b.convert(numbers, old.dtype);
                    self.b.broadcast(numbers, &shape.dims, &[0, 1])
                }
                _ => make::iota(&mut self.b, shape, dim + 1),
            };
        }
        let reads = reads(self.of.body, instr).expect("the reach has asked for all of them");
        let operands: Vec<InstrId> = instr
            .operands
            .iter()
            .zip(&reads)
            .map(|(&o, read)| match read {
                Read::Row(by) => {
                    let extent = self.of.body[o].shape.expect_array().dims[0];
                    self.value(o, shift.of_operand(*by, extent, self.of.rows))
                }
                Read::Whole => self.whole(o),
            })
            .collect();
        self.b.origin = instr.origin.clone();
        match (instr.opcode, &instr.attrs) {
            (Opcode::Concatenate, Attrs::Dims(dims)) if dims[..] == [0] => {
                self.concatenated(instr, &operands, shift)
            }
            (Opcode::Pad, Attrs::Pad(dims)) => self.padded(instr, dims, &operands, shift),
            (Opcode::DynamicUpdateSlice, _) => self.updated(instr, &operands, shift),
            (opcode, attrs) => {
                let ranges = |extents: &[i64]| {
                    extents.iter().map(|&n| SliceDim { start: 0, limit: n, stride: 1 }).collect::<Vec<_>>()
                };
                // Dimensions behind the rows stand one further.
                let attrs = match attrs {
                    // What is taken of the rows, the distance says.
                    Attrs::Slice(_) if self.b.array(operands[0]).dims == shape.dims => return operands[0],
                    Attrs::Slice(old) => {
                        let mut new = ranges(&shape.dims[..2]);
                        new.extend(&old[1..]);
                        Attrs::Slice(new)
                    }
                    Attrs::Dims(dims) => {
                        let behind = dims.iter().map(|&d| if d == 0 { vec![0, 1] } else { vec![d + 1] });
                        Attrs::Dims(behind.flatten().collect())
                    }
                    other => other.clone(),
                };
                self.b.add_shaped(opcode, Shape::Array(shape), &operands, attrs)
            }
        }
    }

    /// For each row the operand that it lies in. A roll takes the rows at one distance from all of them.
    fn concatenated(&mut self, instr: &Instruction, operands: &[InstrId], shift: Shift) -> InstrId {
        let extents: Vec<i64> =
            instr.operands.iter().map(|&o| self.of.body[o].shape.expect_array().dims[0]).collect();
        let (&last, rest) = operands.split_last().expect("a concatenation has operands");
        let mut below = extents[..rest.len()].iter().sum::<i64>();
        let mut all = last;
        for (&operand, extent) in rest.iter().zip(&extents).rev() {
            if operand != all {
                let first = self.rows_where(Direction::Lt, below, shift, all);
                all = make::select(&mut self.b, first, operand, all);
            }
            below -= extent;
        }
        all
    }

    fn padded(
        &mut self,
        instr: &Instruction,
        dims: &[PadDim],
        operands: &[InstrId],
        shift: Shift,
    ) -> InstrId {
        let &[x, value] = operands else { unreachable!("a pad has two operands") };
        let none = PadDim { low: 0, high: 0, interior: 0 };
        let mut behind = vec![none; 2];
        behind.extend(&dims[1..]);
        let inner = match behind.iter().all(|d| *d == none) {
            true => x,
            false => self.b.add(Opcode::Pad, &[x, value], Attrs::Pad(behind)),
        };
        let rows = self.of.body.operand(instr, 0).shape.expect_array().dims[0];
        let shape = self.b.array(inner).dims.clone();
        let outside = self.b.broadcast(value, &shape, &[]);
        let mut result = inner;
        if dims[0].low > 0 {
            let before = self.rows_where(Direction::Lt, dims[0].low, shift, result);
            result = make::select(&mut self.b, before, outside, result);
        }
        if dims[0].high > 0 {
            let behind = self.rows_where(Direction::Ge, dims[0].low + rows, shift, result);
            result = make::select(&mut self.b, behind, outside, result);
        }
        result
    }

    /// The update where its rows are, with what stands beside it in them.
    fn updated(&mut self, instr: &Instruction, operands: &[InstrId], shift: Shift) -> InstrId {
        let starts = starts(self.of.body, instr).expect("the reach has asked for them");
        let (base, mut inner) = (operands[0], operands[1]);
        let whole = self.b.array(base).dims.clone();
        let update = self.of.body.operand(instr, 1).shape.expect_array().dims.clone();
        for d in (2..whole.len()).rev().filter(|&d| update[d - 1] < whole[d]) {
            // Of the base what lies beside: further out as far as the update goes, further in all.
            let beside = |b: &mut Builder<'_>, first: i64, limit: i64| {
                let range = |n: usize| match n {
                    _ if n == d => SliceDim { start: first, limit, stride: 1 },
                    _ if n < 2 || n > d => SliceDim { start: 0, limit: whole[n], stride: 1 },
                    _ => SliceDim { start: starts[n - 1], limit: starts[n - 1] + update[n - 1], stride: 1 },
                };
                let ranges = (0..whole.len()).map(range).collect();
                b.add(Opcode::Slice, &[base], Attrs::Slice(ranges))
            };
            let (first, limit) = (starts[d - 1], starts[d - 1] + update[d - 1]);
            let mut parts = Vec::new();
            if first > 0 {
                parts.push(beside(&mut self.b, 0, first));
            }
            parts.push(inner);
            if limit < whole[d] {
                parts.push(beside(&mut self.b, limit, whole[d]));
            }
            inner = self.b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![d]));
        }
        let before = self.rows_where(Direction::Lt, starts[0], shift, base);
        let result = make::select(&mut self.b, before, base, inner);
        let behind = self.rows_where(Direction::Ge, starts[0] + update[0], shift, base);
        make::select(&mut self.b, behind, base, result)
    }

    /// Which rows have numbers on this side of a bound, for each element of `like`.
    fn rows_where(&mut self, direction: Direction, bound: i64, shift: Shift, like: InstrId) -> InstrId {
        let numbers = self.numbers(shift);
        let shape = self.b.array(numbers).clone();
        let bound = make::splat(&mut self.b, &shape, bound);
        let rows = make::compare(&mut self.b, direction, numbers, bound);
        let dims = self.b.array(like).dims.clone();
        self.b.broadcast(rows, &dims, &[0, 1])
    }
}
