//! One example after the other, by a loop: for operations that have no form for many at once.
//!
//! ```text
//! while (i: s32[], operands…, results…) i < batch:  results[i] = operation(operands[i])
//! ```

use super::super::{Batched, Batcher};
use super::Made;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar, Shape};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let mut results = Vec::new();
    for leaf in array_leaves(&instr.shape)? {
        let zero = Literal::scalar(leaf.dtype, Scalar::zero(leaf.dtype));
        let (zero, dims) = (cx.emit.constant(zero), cx.with_batch(&leaf.dims));
        results.push(cx.emit.broadcast(zero, &dims, &[])?);
    }
    let first = cx.emit.constant(number(0));
    let mut state = vec![first];
    let (mut shapes, mut flags) = (Vec::new(), Vec::new());
    for (&x, of) in operands.iter().zip(batched) {
        let shape = cx.emit.shape(x).clone();
        array_leaves(&shape)?;
        flags.extend(of.leaves(&shape));
        shapes.push(shape);
        state.extend(cx.emit.leaves(x)?);
    }
    let inputs = state.len();
    state.extend(results);
    let start = cx.emit.tuple(&state)?;
    let shape = cx.emit.shape(start).clone();
    let size = cx.size;
    let condition = cx.emit.computation("examples_left", |e| {
        let state = e.parameter(0, shape.clone());
        let i = e.element(state, 0)?;
        let n = e.constant(number(size));
        e.compare(Direction::Lt, i, n)
    })?;
    let body = cx.emit.computation("example", |e| {
        let state = e.parameter(0, shape.clone());
        let mut state = e.elements(state)?;
        let i = state[0];
        let mut leaves = Vec::with_capacity(flags.len());
        for (&x, &of) in state[1..inputs].iter().zip(&flags) {
            leaves.push(if of { read(e, x, i)? } else { x });
        }
        let mut leaves = leaves.into_iter();
        let arguments = shapes.iter().map(|s| e.of_leaves(s, &mut leaves));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let made = e.again(instr, &arguments);
        let made = e.leaves(made)?;
        for (result, x) in state[inputs..].iter_mut().zip(made) {
            *result = write(e, *result, x, i)?;
        }
        let one = e.constant(number(1));
        state[0] = e.add(i, one)?;
        e.tuple(&state)
    })?;
    let done = cx.emit.op(Opcode::While, &[start], Attrs::While { condition, body })?;
    let results = cx.emit.elements(done)?.split_off(inputs);
    let shape = cx.spread_shape(&instr.shape);
    let made = cx.emit.of_leaves(&shape, &mut results.into_iter())?;
    Ok((made, Batched::all(&instr.shape)))
}

/// The arrays of a value, if there is nothing else in it.
fn array_leaves(shape: &Shape) -> Result<Vec<ArrayShape>, Fault> {
    match shape {
        Shape::Array(a) => Ok(vec![a.clone()]),
        Shape::Tuple(parts) => {
            let parts = parts.iter().map(array_leaves).collect::<Result<Vec<_>, _>>()?;
            Ok(parts.concat())
        }
        other => fault!("{other} cannot be batched: it is no array"),
    }
}

fn number(value: i64) -> Literal {
    Literal::scalar(DType::S32, Scalar::Signed(value))
}

/// Example `i`.
fn read(e: &mut Emit<'_>, x: InstrId, i: InstrId) -> Result<InstrId, Fault> {
    let mut sizes = e.dims(x)?;
    sizes[0] = 1;
    let starts = starts(e, i, sizes.len());
    let row =
        e.op(Opcode::DynamicSlice, &[&[x], &starts[..]].concat(), Attrs::DynamicSlice(sizes.clone()))?;
    e.reshape(row, &sizes[1..])
}

/// An array whose example `i` is this one.
fn write(e: &mut Emit<'_>, all: InstrId, x: InstrId, i: InstrId) -> Result<InstrId, Fault> {
    let dims: Vec<i64> = std::iter::once(1).chain(e.dims(x)?).collect();
    let row = e.reshape(x, &dims)?;
    let starts = starts(e, i, dims.len());
    e.op(Opcode::DynamicUpdateSlice, &[&[all, row], &starts[..]].concat(), Attrs::None)
}

fn starts(e: &mut Emit<'_>, i: InstrId, rank: usize) -> Vec<InstrId> {
    let zero = e.constant(number(0));
    std::iter::once(i).chain(std::iter::repeat_n(zero, rank - 1)).collect()
}
