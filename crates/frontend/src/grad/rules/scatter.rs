//! Scatters.
//!
//! ```text
//! add       t' = scatter-add(t, i, u')
//! second    unique indices: t' = scatter(t, i, u'); else only the update that stays counts, which numbers tell
//! multiply  t' = scatter-multiply(t, i, u) + scatter-add(0, i, gather(x, i) · u'), of unique indices
//! maximum   t' = (select(x = y, t, 0) + scatter-add(0, i, select(u = gather(y, i), u', 0))) / how many there are
//! ```

use super::super::indexed::{gather_inside, gather_of};
use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use super::choice::where_true;
use super::reduce::convert;
use super::reducer::{self, Part};
use super::{arg, unary};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::{Direction, ScatterDims};
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Instruction, Opcode, Shape};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Scatter(dims) = &instr.attrs else { return fault!("`scatter` lacks its dimensions") };
    let value = cx.emit.again(instr, operands);
    let values = cx.emit.elements(value)?;
    let n = operands.len() / 2;
    let parts = reducer::parts(cx.emit.graph, dims.to_apply);
    let mut found = Vec::new();
    for i in 0..n {
        let (t, of_update) = (tangents[i].clone(), tangents[n + 1 + i].clone());
        let shape = cx.emit.array(operands[i])?.clone();
        if !super::varies(shape.dtype) || (t.is_zero() && of_update.is_zero()) {
            found.push(Tan::Zero);
            continue;
        }
        // What stands in the updates may be of another precision than what it is added to.
        let of_update = match of_update.one() {
            Some(t) => Tan::One(convert(cx, t, shape.dtype)?),
            None => of_update,
        };
        let update = cx.emit.convert(operands[n + 1 + i], shape.dtype)?;
        let one = One { dims, x: operands[i], indices: operands[n], update, y: values[i], shape };
        found.push(match parts[i] {
            Part::Sum => {
                let add = cx.emit.scalar_computation(Opcode::Add, one.shape.dtype)?;
                one.linear(cx, add, &t, &of_update)?
            }
            Part::Second if dims.unique_indices => {
                let second = second(cx, one.shape.dtype)?;
                one.linear(cx, second, &t, &of_update)?
            }
            Part::Second => one.set_last(cx, t.one(), of_update.one())?,
            Part::Product if dims.unique_indices || of_update.is_zero() => {
                one.product(cx, t.one(), of_update.one())?
            }
            Part::Product => {
                return fault!(
                    "`scatter` of products has a derivative where `unique_indices=true` says that no two \
                               updates meet"
                );
            }
            Part::Greatest | Part::Least => {
                super::ordered("scatter", one.shape.dtype)?;
                one.extremum(cx, t.one(), of_update.one())?
            }
            Part::Selection | Part::Other => {
                return fault!(
                    "`scatter` has a derivative where it adds, replaces, multiplies, or takes the greatest \
                               or least"
                );
            }
        });
    }
    Ok(match &instr.shape {
        Shape::Tuple(_) => (value, Tan::of_parts(found)),
        _ => (value, found.swap_remove(0)),
    })
}

/// One array of a scatter.
struct One<'a> {
    dims: &'a ScatterDims,
    x: InstrId,
    indices: InstrId,
    update: InstrId,
    y: InstrId,
    shape: ArrayShape,
}

impl One<'_> {
    fn attrs(&self, to_apply: CompId) -> Attrs {
        Attrs::Scatter(Box::new(ScatterDims { to_apply, ..self.dims.clone() }))
    }

    /// The same scatter, by this computation, of tangents.
    fn linear(
        &self,
        cx: &mut Linearizer<'_, '_>,
        to_apply: CompId,
        t: &Tan,
        of_update: &Tan,
    ) -> Result<Tan, Fault> {
        let args = [arg(cx, self.x, t)?, Arg::Primal(self.indices), arg(cx, self.update, of_update)?];
        Ok(Tan::One(cx.linear(Opcode::Scatter, &args, self.attrs(to_apply))?))
    }

    /// The tangents of updates, added up where they go to.
    fn added(&self, cx: &mut Linearizer<'_, '_>, of_update: Tangent) -> Result<Option<Tangent>, Fault> {
        let add = cx.emit.scalar_computation(Opcode::Add, self.shape.dtype)?;
        Ok(self.linear(cx, add, &Tan::Zero, &Tan::One(of_update))?.one())
    }

    /// The tangents of the array and of the updates, each with the mask of those that count.
    fn masked(
        &self,
        cx: &mut Linearizer<'_, '_>,
        of_array: Option<(InstrId, Tangent)>,
        of_update: Option<(InstrId, Tangent)>,
    ) -> Result<Tan, Fault> {
        let mut terms = Vec::new();
        if let Some((kept, t)) = of_array {
            terms.push(Some(where_true(cx, kept, t)?));
        }
        if let Some((counts, t)) = of_update {
            let t = where_true(cx, counts, t)?;
            terms.push(self.added(cx, t)?);
        }
        cx.sum(terms)
    }

    /// Updates are numbered from 1 on; the scatter of the numbers says which stays where.
    fn set_last(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_update: Option<Tangent>,
    ) -> Result<Tan, Fault> {
        let e = &mut *cx.emit;
        let update = e.array(self.update)?.clone();
        let counts = e.iota(DType::S64, &[update.elements()], 0)?;
        let counts = e.reshape(counts, &update.dims)?;
        let one = e.splat_like(counts, 1.0)?;
        let numbers = e.add(counts, one)?;
        let nothing = e.zeros(&self.shape.with_dtype(DType::S64))?;
        let to_apply = second(cx, DType::S64)?;
        let e = &mut *cx.emit;
        let last = e.op(Opcode::Scatter, &[nothing, self.indices, numbers], self.attrs(to_apply))?;
        let kept = e.compare(Direction::Eq, last, nothing)?;
        let of_update = match of_update {
            None => None,
            Some(t) => {
                let g = gather_of(self.dims, &self.shape, &update);
                let found = gather_inside(e, last, self.indices, &g)?;
                Some((e.compare(Direction::Eq, found, numbers)?, t))
            }
        };
        self.masked(cx, t.map(|t| (kept, t)), of_update)
    }

    fn product(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_update: Option<Tangent>,
    ) -> Result<Tan, Fault> {
        let mut terms = Vec::new();
        if let Some(t) = t {
            let to_apply = cx.emit.scalar_computation(Opcode::Multiply, self.shape.dtype)?;
            let args = [Arg::Tangent(t), Arg::Primal(self.indices), Arg::Primal(self.update)];
            terms.push(Some(cx.linear(Opcode::Scatter, &args, self.attrs(to_apply))?));
        }
        if let Some(t) = of_update {
            let g = gather_of(self.dims, &self.shape, cx.emit.array(self.update)?);
            let present = gather_inside(cx.emit, self.x, self.indices, &g)?;
            let t = cx.scale(t, present)?;
            terms.push(self.added(cx, t)?);
        }
        cx.sum(terms)
    }

    fn extremum(
        &self,
        cx: &mut Linearizer<'_, '_>,
        t: Option<Tangent>,
        of_update: Option<Tangent>,
    ) -> Result<Tan, Fault> {
        let e = &mut *cx.emit;
        let exact = self.shape.dtype.accumulator();
        let kept = e.compare(Direction::Eq, self.x, self.y)?;
        let g = gather_of(self.dims, &self.shape, e.array(self.update)?);
        let found = gather_inside(e, self.y, self.indices, &g)?;
        let wins = e.compare(Direction::Eq, self.update, found)?;
        let (kept_once, won) = (e.convert(kept, exact)?, e.convert(wins, exact)?);
        let to_apply = e.scalar_computation(Opcode::Add, exact)?;
        let count = e.op(Opcode::Scatter, &[kept_once, self.indices, won], self.attrs(to_apply))?;
        let count = e.convert(count, self.shape.dtype)?;
        let tangent = self.masked(cx, t.map(|t| (kept, t)), of_update.map(|t| (wins, t)))?;
        let Tan::One(sum) = tangent else { return Ok(Tan::Zero) };
        Ok(Tan::One(unary::divide(cx, sum, count)?))
    }
}

/// The computation that gives its second argument.
fn second(cx: &mut Linearizer<'_, '_>, dtype: DType) -> Result<CompId, Fault> {
    cx.emit.computation("second", |e| {
        e.parameter(0, Shape::scalar(dtype));
        Ok(e.parameter(1, Shape::scalar(dtype)))
    })
}
