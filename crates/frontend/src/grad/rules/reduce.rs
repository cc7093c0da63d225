//! Reductions.
//!
//! ```text
//! sum        t' = sum(t)
//! maximum    m = (x = y); t' = sum(select(m, t, 0)) / count(m)
//! selection  p = the same reduction of positions; t' = t at p
//! other      the derivative of a tree of halves
//! ```

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use super::choice::{spread_tangent, where_true};
use super::reducer::{self, Part};
use super::selection::{nowhere, position_type, positions, take_along};
use super::{tree, unary};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Instruction, Opcode, Shape};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Reduce { dims, to_apply } = &instr.attrs else {
        return fault!("`reduce` lacks its computation");
    };
    let n = operands.len() / 2;
    let parts = reducer::parts(cx.emit.graph, *to_apply);
    let results: Vec<ArrayShape> = instr.shape.leaves().into_iter().cloned().collect();
    let varies = |i: usize| super::varies(results[i].dtype);
    let moved = |i: usize| !tangents[i].is_zero() || !tangents[n + i].is_zero();
    let other = |part: Part| matches!(part, Part::Other | Part::Product | Part::Second);
    if (0..n).any(|i| varies(i) && other(parts[i])) {
        let value = cx.emit.again(instr, operands);
        let (_, tangent) = tree::reduce(cx, instr, operands, tangents)?;
        return Ok((value, tangent));
    }
    let selections: Vec<usize> =
        (0..n).filter(|&i| varies(i) && moved(i) && parts[i] == Part::Selection).collect();
    let (values, at) = match selections.is_empty() {
        true => {
            let value = cx.emit.again(instr, operands);
            (cx.emit.elements(value)?, Vec::new())
        }
        false => selected(cx, operands, dims, *to_apply, &selections)?,
    };
    let mut at = at.into_iter();
    let mut found = Vec::new();
    for i in 0..n {
        if !varies(i) || !moved(i) {
            found.push(Tan::Zero);
            continue;
        }
        let reduced =
            Reduced { dims, x: operands[i], init: operands[n + i], y: values[i], dtype: results[i].dtype };
        let (t, of_init) = (tangents[i].one(), tangents[n + i].one());
        found.push(match parts[i] {
            Part::Sum => reduced.sum(cx, t, of_init)?,
            Part::Greatest | Part::Least => {
                super::ordered("reduce", results[i].dtype)?;
                reduced.extremum(cx, t, of_init)?
            }
            _ => reduced.selection(cx, t, of_init, at.next().expect("one for each selection"))?,
        });
    }
    Ok(match &instr.shape {
        Shape::Tuple(_) => (cx.emit.tuple(&values)?, Tan::of_parts(found)),
        _ => (values[0], found.swap_remove(0)),
    })
}

/// The reduction of positions along with the elements: the results, then the positions.
fn selected(
    cx: &mut Linearizer<'_, '_>,
    operands: &[InstrId],
    dims: &[usize],
    comp: CompId,
    of: &[usize],
) -> Result<(Vec<InstrId>, Vec<InstrId>), Fault> {
    let e = &mut *cx.emit;
    let n = operands.len() / 2;
    let along = sorted(dims);
    let extents = e.dims(operands[0])?;
    let dtype = position_type(&along.iter().map(|&d| extents[d]).collect::<Vec<_>>());
    let (counts, start) = (positions(e, &extents, &along)?, nowhere(e, dtype));
    let to_apply = reducer::with_positions(e, comp, of, dtype)?;
    let more = |half: &[InstrId], with| [half, &vec![with; of.len()][..]].concat();
    let all = [more(&operands[..n], counts), more(&operands[n..], start)].concat();
    let made = e.op(Opcode::Reduce, &all, Attrs::Reduce { dims: dims.to_vec(), to_apply })?;
    let mut values = e.elements(made)?;
    let at = values.split_off(n);
    Ok((values, at))
}

fn sorted(dims: &[usize]) -> Vec<usize> {
    let mut dims = dims.to_vec();
    dims.sort_unstable();
    dims
}

/// One array of a reduction.
struct Reduced<'a> {
    dims: &'a [usize],
    x: InstrId,
    init: InstrId,
    y: InstrId,
    /// Of the result, which may be wider than the operand.
    dtype: DType,
}

impl Reduced<'_> {
    fn kept(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|d| !self.dims.contains(d)).collect()
    }

    fn sum(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_init: Option<Tangent>,
    ) -> Result<Tan, Fault> {
        let shape = cx.emit.array(self.y)?.clone();
        let summed = t.map(|t| total(cx, t, self.dims, self.dtype)).transpose()?;
        let init = of_init.map(|t| initial(cx, t, &shape)).transpose()?;
        cx.sum([summed, init])
    }

    fn extremum(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_init: Option<Tangent>,
    ) -> Result<Tan, Fault> {
        let e = &mut *cx.emit;
        let (shape, result) = (e.array(self.x)?.clone(), e.array(self.y)?.clone());
        let spread = e.broadcast(self.y, &shape.dims, &self.kept(shape.rank()))?;
        let wide = e.convert(self.x, self.dtype)?;
        let mask = e.compare(Direction::Eq, wide, spread)?;
        let exact = self.dtype.accumulator();
        let ones = e.convert(mask, exact)?;
        let mut count = e.sum(ones, &sorted(self.dims))?;
        let mut terms = Vec::new();
        if let Some(t) = of_init {
            let init = e.convert(self.init, self.dtype)?;
            let init = if result.is_scalar() { init } else { e.broadcast(init, &result.dims, &[])? };
            let mask = e.compare(Direction::Eq, init, self.y)?;
            let one = e.convert(mask, exact)?;
            count = e.add(count, one)?;
            let t = initial(cx, t, &result)?;
            terms.push(Some(where_true(cx, mask, t)?));
        }
        let count = cx.emit.convert(count, self.dtype)?;
        if let Some(t) = t {
            let t = where_true(cx, mask, t)?;
            terms.push(Some(total(cx, t, self.dims, self.dtype)?));
        }
        let Tan::One(sum) = cx.sum(terms)? else { return Ok(Tan::Zero) };
        Ok(Tan::One(unary::divide(cx, sum, count)?))
    }

    fn selection(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_init: Option<Tangent>,
        at: InstrId,
    ) -> Result<Tan, Fault> {
        let (shape, result) = (cx.emit.array(self.x)?.clone(), cx.emit.array(self.y)?.clone());
        let zero = cx.emit.splat_like(at, 0.0)?;
        let there = cx.emit.compare(Direction::Ge, at, zero)?;
        let mut terms = Vec::new();
        if let Some(t) = t {
            let t = convert(cx, t, self.dtype)?;
            let rows = flattened(cx, t, &shape, &sorted(self.dims))?;
            let column = cx.emit.reshape(at, &[&result.dims[..], &[1]].concat())?;
            if let Some(taken) = take_along(cx, rows, column, result.rank())? {
                let taken =
                    cx.linear_shaped(Opcode::Reshape, &result, &[Arg::Tangent(taken)], Attrs::None)?;
                terms.push(Some(where_true(cx, there, taken)?));
            }
        }
        if let Some(t) = of_init {
            let t = initial(cx, t, &result)?;
            let elsewhere = cx.emit.unary(Opcode::Not, there)?;
            terms.push(Some(where_true(cx, elsewhere, t)?));
        }
        cx.sum(terms)
    }
}

/// The sum of a tangent along dimensions, in this type.
pub(super) fn total(
    cx: &mut Linearizer<'_, '_>,
    t: Tangent,
    dims: &[usize],
    dtype: DType,
) -> Result<Tangent, Fault> {
    let t = convert(cx, t, dtype)?;
    let zero = cx.emit.scalar(dtype, 0.0);
    let to_apply = cx.emit.scalar_computation(Opcode::Add, dtype)?;
    cx.linear(
        Opcode::Reduce,
        &[Arg::Tangent(t), Arg::Primal(zero)],
        Attrs::Reduce { dims: sorted(dims), to_apply },
    )
}

/// The tangent of an initial value for each result.
pub(super) fn initial(cx: &mut Linearizer<'_, '_>, t: Tangent, shape: &ArrayShape) -> Result<Tangent, Fault> {
    let t = convert(cx, t, shape.dtype)?;
    spread_tangent(cx, t, shape)
}

pub(super) fn convert(cx: &mut Linearizer<'_, '_>, t: Tangent, dtype: DType) -> Result<Tangent, Fault> {
    let shape = cx.shape_of(Arg::Tangent(t))?;
    if shape.dtype == dtype {
        return Ok(t);
    }
    cx.linear_shaped(Opcode::Convert, &shape.with_dtype(dtype), &[Arg::Tangent(t)], Attrs::None)
}

/// The dimensions that stay, then the others as one.
fn flattened(
    cx: &mut Linearizer<'_, '_>,
    t: Tangent,
    shape: &ArrayShape,
    gone: &[usize],
) -> Result<Tangent, Fault> {
    let kept: Vec<usize> = (0..shape.rank()).filter(|d| !gone.contains(d)).collect();
    let order = [&kept[..], gone].concat();
    let t = match order.iter().copied().eq(0..shape.rank()) {
        true => t,
        false => cx.linear(Opcode::Transpose, &[Arg::Tangent(t)], Attrs::Dims(order))?,
    };
    let n: i64 = gone.iter().map(|&d| shape.dims[d]).product();
    let dims: Vec<i64> = kept.iter().map(|&d| shape.dims[d]).chain([n]).collect();
    let dtype = cx.shape_of(Arg::Tangent(t))?.dtype;
    cx.linear_shaped(Opcode::Reshape, &ArrayShape::new(dtype, dims), &[Arg::Tangent(t)], Attrs::None)
}
