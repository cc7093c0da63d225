//! Keeps of the results that a loop stacks only the rows that are read after it: those become elements of the state, and the
//! array is dead.
//!
//! ```text
//! body { p = (s32[], f32[8], f32[20,8]) parameter(0)       body.1 { p = (s32[], f32[8], f32[20,8], f32[8]) parameter(0)
//!        …                                                          …
//!        s = f32[20,8] dynamic-update-slice(a, y, i, 0)              r = f32[8] reshape(y)
//!        t = (s32[], f32[8], f32[20,8]) tuple(j, x, s) }  →          t = (…) tuple(j, x, s, r) }
//! w = (…) while(u), body=body                              w = (…) while(u.1), body=body.1
//! a = f32[20,8] get-tuple-element(w), index=2              r = f32[8] get-tuple-element(w), index=3
//! l = f32[1,8] slice(a), slice={[19:20],[0:8]}             l = f32[1,8] reshape(r)
//! ```
//!
//! So it is with the last hidden state of `lax.scan` over a sequence, or with the end of a trajectory. A row that another trip than
//! the last writes is chosen by the counter.

use super::in_trip::value_in;
use super::trips::{Counter, counter_of};
use super::{element_read, next_values, parts};
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::attrs::{Direction, SliceDim};
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Literal, Module, Opcode, Scalar, Shape,
};

/// Most rows of a loop that are kept: each is carried by all trips.
const MOST_ROWS: usize = 4;
/// Most trips of which it is computed which row they write.
const MOST_TRIPS: i64 = 1 << 16;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, comp, _| {
        if !comp.instrs.iter().any(|i| i.opcode == Opcode::While) {
            return (comp, false);
        }
        let users = comp.users();
        let loops: Vec<Option<Kept>> = comp.iter().map(|(id, _)| kept(cx, new, &comp, id, &users)).collect();
        if loops.iter().all(Option::is_none) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| match &loops[id.index()] {
            Some(kept) => Some(kept.emit(b, instr, operands[0])),
            None => read_row(&comp, &loops, b, instr, operands),
        })
    });
    changed.into()
}

/// A row of an element of the state that is read after the loop.
#[derive(Clone, Copy, PartialEq)]
struct Row {
    element: usize,
    axis: usize,
    index: i64,
    /// The value of the counter in the trip that writes it, if that is not the last one.
    at: Option<i64>,
}

/// A loop that keeps rows, which follow the elements of its state.
struct Kept {
    condition: CompId,
    body: CompId,
    rows: Vec<Row>,
}

/// The rows that a loop keeps, and its computations with them, if there are such.
fn kept(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    id: InstrId,
    users: &[Vec<InstrId>],
) -> Option<Kept> {
    let instr = &comp[id];
    let (condition, body) = parts(instr)?;
    let counter =
        counter_of(new.module, instr, |id| &comp[id]).filter(|c| (1..=MOST_TRIPS).contains(&c.trips))?;
    let next = next_values(new.module, body)?;
    if ![condition, body].iter().all(|&c| reads_elements(&new.module[c])) {
        return None;
    }
    let mut rows = Vec::new();
    for (element, &made) in next.iter().enumerate() {
        let Some(read) = rows_read(comp, (id, element), users) else { continue };
        let Some(stack) = Stack::of(&new.module[body], element, made, counter) else { continue };
        let is_read = new.module[condition]
            .iter()
            .any(|(c, _)| element_read(&new.module[condition], c) == Some(element));
        let written: Option<Vec<Row>> = read.iter().map(|slice| stack.row(slice)).collect();
        let Some(mut written) = written.filter(|_| !is_read) else { continue };
        written.sort_unstable_by_key(|row| row.index);
        written.dedup();
        if rows.len() + written.len() <= MOST_ROWS {
            rows.extend(written);
        }
    }
    if rows.is_empty() || !cx.fuel("loop-rows") {
        return None;
    }
    let condition = extended(new.module, condition, &rows, None);
    let body = extended(new.module, body, &rows, Some(counter));
    Some(Kept { condition: new.add(condition), body: new.add(body), rows })
}

/// Whether a computation of a loop reads elements of its state alone, not the state as a whole.
fn reads_elements(comp: &Computation) -> bool {
    let is_state = |&o: &InstrId| comp[o].opcode == Opcode::Parameter;
    let is_read =
        |i: &Instruction| !i.operands.iter().any(is_state) || matches!(i.attrs, Attrs::TupleIndex(_));
    comp.root().opcode != Opcode::Parameter && comp.instrs.iter().all(is_read)
}

/// The slices of an element of a loop's result; `None` if there are none, or it is used otherwise.
fn rows_read<'m>(
    comp: &'m Computation,
    (id, element): (InstrId, usize),
    users: &[Vec<InstrId>],
) -> Option<Vec<&'m [SliceDim]>> {
    let mut read = Vec::new();
    if comp.root == id {
        return None;
    }
    for &user in &users[id.index()] {
        match comp[user].attrs {
            Attrs::TupleIndex(n) if n == element && comp.root != user => {}
            Attrs::TupleIndex(n) if n != element => continue,
            _ => return None,
        }
        for &reader in &users[user.index()] {
            let Attrs::Slice(ranges) = &comp[reader].attrs else { return None };
            read.push(&ranges[..]);
        }
    }
    (!read.is_empty()).then_some(read)
}

/// An array of the state into which each trip writes one row.
struct Stack {
    element: usize,
    axis: usize,
    counter: Counter,
    /// Which row each trip writes.
    written: Vec<i64>,
}

impl Stack {
    /// Of an element that nobody else reads in the body than the update that makes its next value.
    fn of(body: &Computation, element: usize, next: InstrId, counter: Counter) -> Option<Stack> {
        let update = &body[next];
        if update.opcode != Opcode::DynamicUpdateSlice
            || element_read(body, update.operands[0]) != Some(element)
        {
            return None;
        }
        // The array is used once, by the update, and what the update gives once, as the next array.
        let uses = |is: &dyn Fn(InstrId) -> bool| {
            body.instrs.iter().flat_map(|i| &i.operands).filter(|&&o| is(o)).count()
        };
        let reads = |id: InstrId| element_read(body, id) == Some(element);
        if uses(&reads) != 1 || uses(&|id| id == next) != 1 {
            return None;
        }
        let dims = |n: usize| Some(&body.operand(update, n).shape.as_array()?.dims);
        let (whole, part) = (dims(0)?, dims(1)?);
        let mut differ = (0..whole.len()).filter(|&d| whole[d] != part[d]);
        let axis = differ.next().filter(|&axis| part[axis] == 1 && differ.next().is_none())?;
        let start = *update.operands.get(2 + axis)?;
        // An update that begins outside of the array is moved inside.
        let row = |trip: i64| {
            let row = value_in(body, start, (counter, trip))?;
            Some(row.clamp(0, i128::from(whole[axis]) - 1) as i64)
        };
        let written: Option<Vec<i64>> = (0..counter.trips).map(row).collect();
        Some(Stack { element, axis, counter, written: written? })
    }

    /// The one row that a slice is of; `None` if it is of several, or none that a trip writes.
    fn row(&self, slice: &[SliceDim]) -> Option<Row> {
        let SliceDim { start, limit, .. } = slice[self.axis];
        let trip = self.written.iter().rposition(|&row| row == start)? as i64;
        let is_last = trip + 1 == self.counter.trips;
        let at = if is_last { None } else { Some(i64::try_from(self.counter.at(trip)).ok()?) };
        (limit == start + 1).then_some(Row { element: self.element, axis: self.axis, index: start, at })
    }
}

/// The shape of a row of this array.
fn row_shape(array: &ArrayShape, axis: usize) -> ArrayShape {
    let mut dims = array.dims.clone();
    dims.remove(axis);
    ArrayShape::new(array.dtype, dims)
}

/// The shape of a state with rows.
fn with_rows(state: &Shape, rows: &[Row]) -> Shape {
    let Shape::Tuple(elements) = state else { return state.clone() };
    let row = |row: &Row| elements[row.element].as_array().map(|a| Shape::Array(row_shape(a, row.axis)));
    Shape::Tuple(elements.iter().cloned().chain(rows.iter().filter_map(row)).collect())
}

/// A computation of a loop whose state has these rows too: the body, if the counter is given.
fn extended(module: &Module, comp: CompId, rows: &[Row], counter: Option<Counter>) -> Computation {
    let old = &module[comp];
    let mut state = None;
    let (new, _) = rewrite(module, old, |b, id, instr, operands| {
        if instr.opcode == Opcode::Parameter {
            let shape = with_rows(&instr.shape, rows);
            state = Some(b.push(Instruction { shape, ..instr.clone() }));
            return state;
        }
        let (counter, state) = (counter.filter(|_| id == old.root)?, state?);
        let first = operands.len();
        let mut elements = operands.to_vec();
        for (n, row) in rows.iter().enumerate() {
            let update = b.get(operands[row.element]).operands[1];
            let shape = row_shape(b.array(operands[row.element]), row.axis);
            let new = b.reshape(update, &shape.dims);
            elements.push(match row.at {
                None => new,
                Some(at) => {
                    let before = make::element(b, state, first + n);
                    let count = make::element(b, state, counter.element);
                    let dtype = b.array(count).dtype;
                    let at = b.constant(Literal::scalar(dtype, Scalar::Signed(at)));
                    let writes = make::compare(b, Direction::Eq, count, at);
                    let writes = b.broadcast(writes, &shape.dims, &[]);
                    make::select(b, writes, new, before)
                }
            });
        }
        Some(make::tuple(b, &elements))
    });
    new
}

impl Kept {
    /// The loop with the rows, which begin as what the array has there.
    fn emit(&self, b: &mut Builder<'_>, instr: &Instruction, state: InstrId) -> InstrId {
        let mut elements = make::elements(b, state);
        for row in &self.rows {
            let array = elements[row.element];
            let dims = row_shape(b.array(array), row.axis).dims;
            let first = make::slice(b, array, row.axis, row.index, row.index + 1);
            elements.push(b.reshape(first, &dims));
        }
        let init = make::tuple(b, &elements);
        let mut kept = Instruction {
            shape: with_rows(&instr.shape, &self.rows),
            operands: vec![init],
            attrs: Attrs::While { condition: self.condition, body: self.body },
            ..instr.clone()
        };
        kept.map_predecessors(|_| None);
        b.push(kept)
    }
}

/// What a slice of a row reads instead.
fn read_row(
    comp: &Computation,
    loops: &[Option<Kept>],
    b: &mut Builder<'_>,
    instr: &Instruction,
    operands: &[InstrId],
) -> Option<InstrId> {
    let Attrs::Slice(ranges) = &instr.attrs else { return None };
    let array = comp.operand(instr, 0);
    let Attrs::TupleIndex(element) = array.attrs else { return None };
    let kept = loops[array.operands[0].index()].as_ref()?;
    let is_read = |row: &Row| row.element == element && row.index == ranges[row.axis].start;
    let n = kept.rows.iter().position(is_read)?;
    let axis = kept.rows[n].axis;
    let done = b.get(operands[0]).operands[0];
    let Shape::Tuple(state) = b.shape(done) else { return None };
    let row = make::element(b, done, state.len() - kept.rows.len() + n);
    let mut dims = b.array(row).dims.clone();
    dims.insert(axis, 1);
    let row = b.reshape(row, &dims);
    let mut ranges = ranges.clone();
    ranges[axis] = SliceDim { start: 0, limit: 1, stride: 1 };
    Some(b.add(Opcode::Slice, &[row], Attrs::Slice(ranges)))
}
