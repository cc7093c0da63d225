//! scan: a computation applied slice by slice along a dimension, with carries.

use super::error::{EvalError, Result};
use super::machine::Machine;
use super::movement::{View, copy, read};
use crate::ids::CompId;
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape};

/// Operands are the inputs, then `carries` initial carries; the computation takes a slice of each input (without
/// dimension `dim`) and the carries, and gives a slice of each output and the carries of the next step.
pub fn scan(
    machine: &mut Machine,
    operands: Vec<Value>,
    (dim, carries, is_reverse): (usize, usize, bool),
    to_apply: CompId,
    shape: &Shape,
) -> Result<Value> {
    let malformed = || EvalError::malformed("operands do not match the computation or the result");
    let results: Vec<&ArrayShape> = match shape {
        Shape::Tuple(parts) => {
            parts.iter().map(Shape::as_array).collect::<Option<_>>().ok_or_else(malformed)?
        }
        other => vec![other.as_array().ok_or_else(malformed)?],
    };
    let inputs = operands.len().checked_sub(carries).ok_or_else(malformed)?;
    let outputs = results.len().checked_sub(carries).ok_or_else(malformed)?;
    let mut carried: Vec<Value> = operands[inputs..].to_vec();
    let inputs: Vec<&Literal> =
        operands[..inputs].iter().map(Value::as_array).collect::<Option<_>>().ok_or_else(malformed)?;
    let shapes = inputs.iter().map(|x| x.dims()).chain(results[..outputs].iter().map(|s| &s.dims[..]));
    let mut lengths = shapes.map(|dims| dims.get(dim).copied());
    let n = lengths.next().flatten().ok_or_else(malformed)?;
    if lengths.any(|other| other != Some(n)) {
        return Err(malformed());
    }

    let mut stacked = Vec::new();
    for output in &results[..outputs] {
        stacked.push(machine.limits.array(output)?);
    }
    for step in 0..n {
        let at = if is_reverse { n - 1 - step } else { step };
        let mut args = Vec::with_capacity(operands.len());
        for x in &inputs {
            let (start, strides, slice) = cut(x.shape(), dim, at);
            args.push(Value::Array(read(machine.limits, x, View { start, strides: &strides }, &slice)?));
        }
        args.append(&mut carried);
        let mut parts = match machine.computation(to_apply, args)? {
            Value::Tuple(parts) => parts,
            single => vec![single],
        };
        if parts.len() != results.len() {
            return Err(malformed());
        }
        carried = parts.split_off(outputs);
        for ((bytes, shape), part) in stacked.iter_mut().zip(&results).zip(&parts) {
            let (start, strides, slice) = cut(shape, dim, at);
            let part = part.as_array().filter(|p| p.shape().same(&slice)).ok_or_else(malformed)?;
            let (target, source) = (View { start, strides: &strides }, &slice.strides());
            let source = (part.bytes(), View { start: 0, strides: source });
            copy(&slice.dims, shape.dtype.size(), (bytes, target), source);
        }
    }
    let stacked = stacked.into_iter().zip(&results);
    let stacked = stacked.map(|(bytes, &shape)| Value::Array(Literal::new(shape.clone(), bytes)));
    let mut parts: Vec<Value> = stacked.chain(carried).collect();
    Ok(match shape {
        Shape::Tuple(_) => Value::Tuple(parts),
        _ => parts.swap_remove(0),
    })
}

/// Slice `at` of a dimension: where it starts, its strides, and its shape without that dimension.
fn cut(shape: &ArrayShape, dim: usize, at: i64) -> (i64, Vec<i64>, ArrayShape) {
    let (mut strides, mut dims) = (shape.strides(), shape.dims.clone());
    let start = at * strides.remove(dim);
    dims.remove(dim);
    (start, strides, ArrayShape::new(shape.dtype, dims))
}
