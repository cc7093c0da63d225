//! Reductions and running reductions by any computation that is done element by element, as the steps they consist of.
//!
//! A reduction is a tree: the first half of the elements with the second, until one is left. A running one takes steps of 1, 2,
//! 4 … elements. Both give what the operation gives, whose order is free.

use super::super::{Linearizer, Tan};
use super::expansion;
use super::map::lift;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, PadDim, SliceDim};
use lawson_hlo::{Attrs, CompId, DType, InstrId, Instruction, Opcode};

/// A `reduce`, with its tangents.
pub(super) fn reduce(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Reduce { dims, to_apply } = &instr.attrs else {
        return fault!("`reduce` lacks its computation");
    };
    expansion::inline(cx, "reduce", operands, tangents, |e, operands| {
        let (inputs, inits) = operands.split_at(operands.len() / 2);
        let shape = e.array(inputs[0])?.clone();
        let kept: Vec<usize> = (0..shape.rank()).filter(|d| !dims.contains(d)).collect();
        let order = [&kept[..], dims].concat();
        let kept: Vec<i64> = kept.iter().map(|&d| shape.dims[d]).collect();
        let mut n: i64 = dims.iter().map(|&d| shape.dims[d]).product();
        let (mut values, inits) = widened(e, *to_apply, inputs, inits)?;
        for x in &mut values {
            let turned = e.transpose(*x, &order)?;
            *x = e.reshape(turned, &[&kept[..], &[n]].concat())?;
        }
        while n > 1 {
            // The middle of an odd number goes with what is left of the second half.
            let half = n / 2;
            let first = halves(e, &values, 0, half)?;
            let second = halves(e, &values, n - half, half)?;
            let mut joined = combine(e, *to_apply, &first, &second, &[&kept[..], &[half]].concat())?;
            if n % 2 == 1 {
                let middle = halves(e, &values, half, 1)?;
                for (x, m) in joined.iter_mut().zip(middle) {
                    *x = e.op(Opcode::Concatenate, &[*x, m], Attrs::Dims(vec![kept.len()]))?;
                }
            }
            values = joined;
            n = half + n % 2;
        }
        let mut starts = Vec::new();
        for &init in &inits {
            starts.push(if kept.is_empty() { init } else { e.broadcast(init, &kept, &[])? });
        }
        let results = match n {
            0 => starts,
            _ => {
                for x in &mut values {
                    *x = e.reshape(*x, &kept)?;
                }
                combine(e, *to_apply, &starts, &values, &kept)?
            }
        };
        of_root(e, *to_apply, &results)
    })
}

/// A `reduce-window` whose window holds all that came before along one dimension, or all that comes after.
pub(super) fn running(
    cx: &mut Linearizer<'_, '_>,
    comp: CompId,
    (dim, reverse): (usize, bool),
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    expansion::inline(cx, "running", operands, tangents, |e, operands| {
        let (inputs, inits) = operands.split_at(operands.len() / 2);
        let dims = e.dims(inputs[0])?;
        let (mut values, inits) = widened(e, comp, inputs, inits)?;
        let n = dims[dim];
        let counts = e.iota(DType::S64, &dims, dim)?;
        let mut step = 1;
        while step < n {
            let mut shifted = Vec::new();
            for (&x, &init) in values.iter().zip(&inits) {
                let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; dims.len()];
                let by = if reverse { -step } else { step };
                padding[dim] = PadDim { low: by, high: -by, interior: 0 };
                shifted.push(e.op(Opcode::Pad, &[x, init], Attrs::Pad(padding))?);
            }
            let joined = combine(e, comp, &shifted, &values, &dims)?;
            let limit = e.splat_like(counts, if reverse { n - step } else { step } as f64)?;
            let direction = if reverse { Direction::Lt } else { Direction::Ge };
            let inside = e.compare(direction, counts, limit)?;
            for (x, joined) in values.iter_mut().zip(joined) {
                *x = e.select(inside, joined, *x)?;
            }
            step *= 2;
        }
        let mut starts = Vec::new();
        for &init in &inits {
            starts.push(e.broadcast(init, &dims, &[])?);
        }
        let results = combine(e, comp, &starts, &values, &dims)?;
        of_root(e, comp, &results)
    })
}

/// Inputs and initial values in the types of the accumulators.
fn widened(
    e: &mut Emit<'_>,
    comp: CompId,
    inputs: &[InstrId],
    inits: &[InstrId],
) -> Result<(Vec<InstrId>, Vec<InstrId>), Fault> {
    let shapes = e.graph.computation(comp).parameter_shapes();
    let types: Vec<DType> = shapes[..inits.len()].iter().map(|s| s.expect_array().dtype).collect();
    let mut convert = |xs: &[InstrId]| {
        xs.iter().zip(&types).map(|(&x, &dtype)| e.convert(x, dtype)).collect::<Result<Vec<_>, _>>()
    };
    Ok((convert(inputs)?, convert(inits)?))
}

/// So many elements of the last dimension of each array, from `start` on.
fn halves(e: &mut Emit<'_>, values: &[InstrId], start: i64, count: i64) -> Result<Vec<InstrId>, Fault> {
    let slice = |&x: &InstrId| {
        let whole = |&extent: &i64| SliceDim { start: 0, limit: extent, stride: 1 };
        let mut dims: Vec<SliceDim> = e.dims(x)?.iter().map(whole).collect();
        if let Some(last) = dims.last_mut() {
            (last.start, last.limit) = (start, start + count);
        }
        e.slice(x, dims)
    };
    values.iter().map(slice).collect()
}

/// The computation on these accumulators and elements, whose types may be other than those it takes.
fn combine(
    e: &mut Emit<'_>,
    comp: CompId,
    accumulators: &[InstrId],
    elements: &[InstrId],
    dims: &[i64],
) -> Result<Vec<InstrId>, Fault> {
    let shapes = e.graph.computation(comp).parameter_shapes();
    let types: Vec<DType> = shapes.iter().map(|s| s.expect_array().dtype).collect();
    let mut arguments = Vec::new();
    for (&x, dtype) in accumulators.iter().chain(elements).zip(types) {
        arguments.push(e.convert(x, dtype)?);
    }
    let root = lift(e, comp, &arguments, dims)?;
    e.elements(root)
}

/// The results as the computation gives them: bare, or as a tuple.
fn of_root(e: &mut Emit<'_>, comp: CompId, results: &[InstrId]) -> Result<InstrId, Fault> {
    match (e.graph.computation(comp).root().shape.as_array().is_some(), results) {
        (true, &[one]) => Ok(one),
        _ => e.tuple(results),
    }
}
