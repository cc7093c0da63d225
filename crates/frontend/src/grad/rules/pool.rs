//! Pooling: of each window its greatest or least element. And its transpose, `select-and-scatter`.
//!
//! ```text
//! y = reduce-window-maximum(x)      t' = t at the position that each window keeps
//!                                   transposed: select-and-scatter(x, ct), which reads x alone
//! y = select-and-scatter(x, s)      t' = select-and-scatter(x, s'); transposed: ct at these positions
//! ```

use super::super::linearize::Arg;
use super::super::{Linearizer, Structured, Tan, Tangent, Transposer};
use super::reduce;
use super::reducer::{self, Part};
use super::selection::{nowhere, position_type, positions, take_flat, take_flat_tangent};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, Window};
use lawson_hlo::{ArrayShape, Attrs, CompId, InstrId, Instruction, Opcode};
use rustc_hash::FxHashMap;

/// What pooling keeps, of tangents.
pub(super) fn kept(
    cx: &mut Linearizer<'_, '_>,
    part: Part,
    window: &Window,
    x: InstrId,
    t: Tangent,
    result: &ArrayShape,
) -> Result<Option<Tangent>, Fault> {
    let better = if part == Part::Greatest { Direction::Ge } else { Direction::Le };
    let x = cx.emit.convert(x, result.dtype)?;
    let select = reducer::comparison(cx.emit, better, result.dtype)?;
    if cx.is_forward() {
        let at = kept_positions(cx.emit, x, window, select)?;
        return take_flat_tangent(cx, t, at);
    }
    let pool = Pool { x, t, window: window.clone(), select };
    let made = cx.structured(Box::new(pool), std::slice::from_ref(result));
    Ok(Some(made[0]))
}

/// The elements of a tangent that windows over `x` keep: `select` says which of two.
struct Pool {
    x: InstrId,
    t: Tangent,
    window: Window,
    select: CompId,
}

impl Structured for Pool {
    fn operands(&self) -> Vec<Tangent> {
        vec![self.t]
    }

    fn residuals(&self) -> Vec<InstrId> {
        vec![self.x]
    }

    fn apply(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        operands: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault> {
        let at = kept_positions(emit, residuals[&self.x], &self.window, self.select)?;
        Ok(vec![take_flat(emit, operands[0], at)?])
    }

    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault> {
        let Some(ct) = cotangents[0] else { return Ok(()) };
        let x = cx.residual(self.x);
        let dtype = cx.emit.dtype(x)?;
        let zero = cx.emit.scalar(dtype, 0.0);
        let scatter = cx.emit.scalar_computation(Opcode::Add, dtype)?;
        let attrs = Attrs::SelectAndScatter { window: self.window.clone(), select: self.select, scatter };
        let ct = cx.emit.op(Opcode::SelectAndScatter, &[x, ct, zero], attrs)?;
        cx.contribute(self.t, ct)
    }
}

/// The position of what each window keeps, negative where it holds no element.
pub(in crate::grad) fn kept_positions(
    e: &mut Emit<'_>,
    x: InstrId,
    window: &Window,
    select: CompId,
) -> Result<InstrId, Fault> {
    let shape = e.array(x)?.clone();
    let dtype = position_type(&shape.dims);
    let all: Vec<usize> = (0..shape.rank()).collect();
    let (counts, start) = (positions(e, &shape.dims, &all)?, nowhere(e, dtype));
    let zero = e.scalar(shape.dtype, 0.0);
    let to_apply = reducer::comparator_positions(e, select, shape.dtype, dtype)?;
    let attrs = Attrs::ReduceWindow { window: window.clone(), to_apply };
    let made = e.op(Opcode::ReduceWindow, &[x, counts, zero, start], attrs)?;
    e.element(made, 1)
}

/// Linear in the source and in the initial value; where the source goes is constant between steps.
pub(super) fn select_and_scatter(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::SelectAndScatter { scatter, .. } = instr.attrs else {
        return fault!("`select-and-scatter` lacks its computations");
    };
    let y = cx.emit.again(instr, operands);
    if cx.emit.graph.computation(scatter).as_simple_binary() != Some(Opcode::Add) {
        return fault!("`select-and-scatter` has a derivative where it adds");
    }
    let shape = cx.emit.array(y)?.clone();
    let zero = cx.emit.scalar(shape.dtype, 0.0);
    let mut terms = Vec::new();
    if let Some(t) = tangents[1].one() {
        let args = [Arg::Primal(operands[0]), Arg::Tangent(t), Arg::Primal(zero)];
        terms.push(Some(cx.linear(Opcode::SelectAndScatter, &args, instr.attrs.clone())?));
    }
    if let Some(t) = tangents[2].one() {
        terms.push(Some(reduce::initial(cx, t, &shape)?));
    }
    Ok((y, cx.sum(terms)?))
}
