//! Loops whose number of trips is known, in their one form.
//!
//! ```text
//! state = (i: s32[], carries…, constants…, xs…, ys…)
//! condition: compare(i, constant(limit)), direction=LT
//! body:      x = dynamic-slice(xs, at), at = i or limit-1-i;  carries, y = f(carries, x);
//!            ys = dynamic-update-slice(ys, y, at);  i + 1;  constants and xs as they are
//! ```

use super::traced::Place;
use crate::error::{Error, Fault};
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::trace::{Function, Spec};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Opcode, Shape};

/// A counted loop over a traced function of (i if `counter`, carries…, rows of xs…), which gives (carries…, rows of
/// ys…).
pub(super) struct Counted<'a> {
    pub function: &'a Function,
    pub start: i64,
    pub limit: i64,
    pub reverse: bool,
    /// The function takes the counter, before the carries.
    pub counter: bool,
    pub carry: &'a [Tensor],
    pub xs: &'a [Tensor],
}

impl Counted<'_> {
    /// The carries after the last trip, then the stacked ys.
    pub fn record(&self, place: Place) -> Result<Vec<Tensor>, Error> {
        let operands: Vec<&Tensor> =
            self.carry.iter().chain(&self.function.captured).chain(self.xs).collect();
        let results = &self.function.results;
        let made = Tensor::apply_many(place, &operands, results.len(), |e, ids| self.emit(e, ids));
        if let Some(error) = made.iter().find_map(Tensor::error) {
            return Err(error.clone());
        }
        let weak = |(n, spec): (usize, &Spec)| spec.weak && self.carry.get(n).is_none_or(Tensor::is_weak);
        let weak = results.iter().enumerate().map(weak);
        Ok(made.into_iter().zip(weak).map(|(t, weak)| t.with_weak(weak)).collect())
    }

    fn emit(&self, e: &mut Emit<'_>, ids: &[InstrId]) -> Result<Vec<InstrId>, Fault> {
        let carries = self.carry.len();
        let start = e.scalar(DType::S32, self.start as f64);
        let mut state = vec![start];
        state.extend(ids);
        let ys = self.function.results[carries..].iter();
        for y in ys {
            state.push(e.zeros(&stacked(&y.shape, self.limit - self.start))?);
        }
        let shape = Shape::Tuple(state.iter().map(|&id| e.shape(id).clone()).collect());
        let condition = e.computation("while_condition", |e| {
            let state = e.parameter(0, shape.clone());
            let i = e.element(state, 0)?;
            let limit = e.scalar(DType::S32, self.limit as f64);
            e.compare(Direction::Lt, i, limit)
        })?;
        let body = self.body(e, &shape)?;
        let state = e.tuple(&state)?;
        let done = e.op_shaped(Opcode::While, shape, &[state], Attrs::While { condition, body })?;
        let first_y = 1 + ids.len();
        let results = (1..=carries).chain((first_y..).take(self.function.results.len() - carries));
        results.map(|n| e.element(done, n)).collect()
    }

    fn body(&self, e: &mut Emit<'_>, shape: &Shape) -> Result<CompId, Fault> {
        let (carries, constants) = (self.carry.len(), self.function.captured.len());
        e.computation("while_body", |e| {
            let state = e.parameter(0, shape.clone());
            let parts = e.elements(state)?;
            let i = parts[0];
            let (carry, rest) = parts[1..].split_at(carries);
            let (constant, rest) = rest.split_at(constants);
            let (xs, ys) = rest.split_at(self.xs.len());
            let at = if self.reverse && !rest.is_empty() {
                let last = e.scalar(DType::S32, (self.limit - 1) as f64);
                e.sub(last, i)?
            } else {
                i
            };
            let mut arguments: Vec<InstrId> = self.counter.then_some(i).into_iter().collect();
            arguments.extend(carry);
            for &x in xs {
                arguments.push(row(e, x, at)?);
            }
            arguments.extend(constant);
            let root = e.inline(self.function.comp, &arguments);
            let results = e.elements(root)?;
            let one = e.scalar(DType::S32, 1.0);
            let mut next = vec![e.add(i, one)?];
            next.extend(&results[..carries]);
            next.extend(constant);
            next.extend(xs);
            for (&y, &value) in ys.iter().zip(&results[carries..]) {
                next.push(set_row(e, y, value, at)?);
            }
            e.tuple(&next)
        })
    }
}

/// An array of `count` such arrays.
pub(super) fn stacked(row: &ArrayShape, count: i64) -> ArrayShape {
    let dims: Vec<i64> = std::iter::once(count).chain(row.dims.iter().copied()).collect();
    ArrayShape::new(row.dtype, dims)
}

/// The element of the first dimension at that scalar.
fn row(e: &mut Emit<'_>, x: InstrId, at: InstrId) -> Result<InstrId, Fault> {
    let mut sizes = e.dims(x)?;
    sizes[0] = 1;
    let mut operands = vec![x];
    operands.extend(starts(e, at, sizes.len()));
    let row = e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes.clone()))?;
    e.reshape(row, &sizes[1..])
}

/// With another element of the first dimension at that scalar.
fn set_row(e: &mut Emit<'_>, x: InstrId, value: InstrId, at: InstrId) -> Result<InstrId, Fault> {
    let mut sizes = e.dims(x)?;
    sizes[0] = 1;
    let value = e.reshape(value, &sizes)?;
    let mut operands = vec![x, value];
    operands.extend(starts(e, at, sizes.len()));
    e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
}

fn starts(e: &mut Emit<'_>, at: InstrId, rank: usize) -> Vec<InstrId> {
    let mut starts = vec![at];
    if rank > 1 {
        let zero = e.scalar(DType::S32, 0.0);
        starts.resize(rank, zero);
    }
    starts
}
