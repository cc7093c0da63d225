//! `scan`: the derivative of the loop that it stands for.
//!
//! ```text
//! (ys, c) = scan(xs, c0)
//! →
//! while i < n: (y, c) = f(xs[i], c); ys[i] = y        i, c, xs and ys in one flat tuple
//! ```

use super::super::{Linearizer, Tan};
use super::expansion;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Scan { dim, to_apply, num_carries, is_reverse, .. } = instr.attrs else {
        return fault!("`scan` lacks its computation");
    };
    let results: Vec<ArrayShape> = instr.shape.leaves().into_iter().cloned().collect();
    let is_tuple = instr.shape.as_array().is_none();
    expansion::inline(cx, "scan", operands, tangents, |e, operands| {
        let (xs, carries) = operands.split_at(operands.len() - num_carries);
        let length = e.dims(xs[0])?[dim];
        let ys = &results[..results.len() - num_carries];
        let mut rows = Vec::new();
        for &x in xs {
            let order = to_front(e.array(x)?.rank(), dim);
            rows.push(e.transpose(x, &order)?);
        }
        let mut stacked = Vec::new();
        for y in ys {
            let order = to_front(y.rank(), dim);
            stacked.push(ArrayShape::new(y.dtype, order.iter().map(|&d| y.dims[d]).collect::<Vec<_>>()));
        }
        let made = Loop { to_apply, length, is_reverse }.emit(e, carries, &rows, &stacked)?;
        let (carries, ys) = made.split_at(num_carries);
        let mut all = Vec::new();
        for &y in ys {
            let order = to_front(e.array(y)?.rank(), dim);
            all.push(e.untranspose(y, &order)?);
        }
        all.extend(carries);
        if is_tuple { e.tuple(&all) } else { Ok(all[0]) }
    })
}

/// The permutation that puts a dimension first.
fn to_front(rank: usize, dim: usize) -> Vec<usize> {
    std::iter::once(dim).chain((0..rank).filter(|&d| d != dim)).collect()
}

struct Loop {
    to_apply: CompId,
    length: i64,
    is_reverse: bool,
}

impl Loop {
    /// The last carries, then the stacked results of these shapes.
    fn emit(
        &self,
        e: &mut Emit<'_>,
        carries: &[InstrId],
        xs: &[InstrId],
        ys: &[ArrayShape],
    ) -> Result<Vec<InstrId>, Fault> {
        let mut state = vec![e.scalar(DType::S32, 0.0)];
        state.extend(carries);
        state.extend(xs);
        for y in ys {
            state.push(e.zeros(y)?);
        }
        let (first_x, first_y) = (1 + carries.len(), 1 + carries.len() + xs.len());
        if self.length == 0 {
            return Ok([carries, &state[first_y..]].concat());
        }
        let state = e.tuple(&state)?;
        let shape = e.shape(state).clone();
        let condition = e.computation("condition", |e| {
            let state = e.parameter(0, shape.clone());
            let (i, limit) = (e.element(state, 0)?, e.scalar(DType::S32, self.length as f64));
            e.compare(Direction::Lt, i, limit)
        })?;
        let body = e.computation("body", |e| {
            let state = e.parameter(0, shape);
            let state = e.elements(state)?;
            let next = self.step(e, &state, first_x, first_y)?;
            e.tuple(&next)
        })?;
        let made = e.op(Opcode::While, &[state], Attrs::While { condition, body })?;
        let parts = e.elements(made)?;
        Ok([&parts[1..first_x], &parts[first_y..]].concat())
    }

    /// The state after a trip.
    fn step(
        &self,
        e: &mut Emit<'_>,
        state: &[InstrId],
        first_x: usize,
        first_y: usize,
    ) -> Result<Vec<InstrId>, Fault> {
        let i = state[0];
        let row = match self.is_reverse {
            false => i,
            true => {
                let last = e.scalar(DType::S32, self.length as f64 - 1.0);
                e.sub(last, i)?
            }
        };
        let zero = e.scalar(DType::S32, 0.0);
        let starts = |rank: usize| std::iter::once(row).chain(std::iter::repeat_n(zero, rank - 1));
        let mut arguments = Vec::new();
        for &x in &state[first_x..first_y] {
            let dims = e.dims(x)?;
            let operands: Vec<InstrId> = std::iter::once(x).chain(starts(dims.len())).collect();
            let sizes = [&[1], &dims[1..]].concat();
            let slice = e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes))?;
            arguments.push(e.reshape(slice, &dims[1..])?);
        }
        arguments.extend(&state[1..first_x]);
        let root = e.inline(self.to_apply, &arguments);
        let results = e.elements(root)?;
        let (rows, carries) = results.split_at(state.len() - first_y);
        let one = e.scalar(DType::S32, 1.0);
        let mut next = vec![e.add(i, one)?];
        next.extend(carries);
        next.extend(&state[first_x..first_y]);
        for (&stacked, &y) in state[first_y..].iter().zip(rows) {
            let dims = e.dims(stacked)?;
            let update = e.reshape(y, &[&[1], &dims[1..]].concat())?;
            let operands: Vec<InstrId> = [stacked, update].into_iter().chain(starts(dims.len())).collect();
            next.push(e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)?);
        }
        Ok(next)
    }
}
