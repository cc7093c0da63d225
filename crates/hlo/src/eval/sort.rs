//! sort and topk.
//!
//! The sort is always stable, whatever the attributes ask ([`super::order`]).

use super::elementwise::ScalarOp;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::order;
use super::reducer::Reducer;
use super::walk::Walk;
use super::word::Word;
use crate::attrs::{Attrs, CompareOrder, Direction};
use crate::dtype::DType;
use crate::ids::CompId;
use crate::literal::{Literal, Value};
use crate::math::composite::part_count;
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// Sorts the operands together along `dim`; the comparator takes two elements of each operand in turn.
pub fn sort(
    machine: &mut Machine,
    operands: &[&Literal],
    dim: usize,
    to_apply: CompId,
    shape: &Shape,
) -> Result<Value> {
    let mut comparator = Reducer::new(machine.module, to_apply)?;
    let dims = operands.first().map_or(&[][..], |x| x.dims());
    if comparator.arity() != 2 * operands.iter().map(|x| part_count(x.dtype())).sum::<usize>()
        || operands.iter().any(|x| x.dims() != dims)
    {
        return Err(EvalError::malformed("operands do not match the comparator"));
    }
    // The words of each operand, one list for each part.
    let words = |x: &&Literal| x.parts().iter().map(|p| machine.load(p)).collect::<Result<Vec<_>>>();
    let words = operands.iter().map(words).collect::<Result<Vec<_>>>()?;
    let mut sorted = words.clone();
    let (starts, n, stride) = lines(operands[0].shape(), dim)?;
    let mut args = Vec::with_capacity(comparator.arity());
    for start in starts {
        let at = |i: usize| start + i * stride;
        let order = order::sorted(n, |a, b| {
            args.clear();
            for parts in &words {
                args.extend(parts.iter().map(|w| w[at(a)]));
                args.extend(parts.iter().map(|w| w[at(b)]));
            }
            let mut less = [0];
            comparator.apply(machine, &args, &mut less)?;
            Ok::<_, EvalError>(less[0] != 0)
        })?;
        for (to, from) in order.into_iter().enumerate() {
            let lists = sorted.iter_mut().flatten().zip(words.iter().flatten());
            lists.for_each(|(s, w)| s[at(to)] = w[at(from)]);
        }
    }
    let arrays = operands.iter().zip(&sorted).map(|(x, parts)| {
        let part = |w: &Vec<Word>| machine.array(&x.shape().with_dtype(x.dtype().part()), w);
        let parts = parts.iter().map(part).collect::<Result<Vec<_>>>()?;
        Ok(Value::Array(Literal::from_parts(x.dtype(), &parts)))
    });
    let mut parts = arrays.collect::<Result<Vec<_>>>()?;
    Ok(match shape {
        Shape::Tuple(_) => Value::Tuple(parts),
        _ => parts.swap_remove(0),
    })
}

/// The `k` largest (or smallest) elements of each row with their indices, first come first among equals.
/// Floats are in total order.
pub fn topk(machine: &mut Machine, x: &Literal, k: i64, largest: bool) -> Result<Value> {
    let Some((&extent, outer)) = x.dims().split_last().filter(|(n, _)| (0..=**n).contains(&k)) else {
        return Err(EvalError::malformed(format!("the top {k} of {}", x.shape())));
    };
    let direction = if largest { Direction::Gt } else { Direction::Lt };
    let order = if x.dtype().is_float() { CompareOrder::TotalOrder } else { CompareOrder::Default };
    let attrs = Attrs::Compare { direction, order };
    let before = ScalarOp::new(Opcode::Compare, &attrs, &[x.dtype(); 2], DType::Pred)?;
    let words = machine.load(x)?;
    let rows: i64 = outer.iter().product();
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    for row in 0..rows as usize {
        let row = &words[row * extent as usize..][..extent as usize];
        let less = |a: usize, b: usize| Ok::<_, EvalError>(before.apply([row[a], row[b], 0]) != 0);
        let order = order::sorted(row.len(), less)?;
        values.extend(order[..k as usize].iter().map(|&i| row[i]));
        indices.extend(order[..k as usize].iter().map(|&i| i as Word));
    }
    let dims = [outer, &[k]].concat();
    Ok(Value::Tuple(vec![
        Value::Array(machine.array(&ArrayShape::new(x.dtype(), dims.clone()), &values)?),
        Value::Array(machine.array(&ArrayShape::new(DType::S32, dims), &indices)?),
    ]))
}

/// The first position of each line along `dim`, and the length and stride of lines.
fn lines(shape: &ArrayShape, dim: usize) -> Result<(Vec<usize>, usize, usize)> {
    let strides = shape.strides();
    let (Some(&n), Some(&stride)) = (shape.dims.get(dim), strides.get(dim)) else {
        return Err(EvalError::malformed(format!("no dimension {dim} in {shape}")));
    };
    let mut dims = shape.dims.clone();
    dims[dim] = n.min(1);
    let starts = Walk::new(&dims, [0], [&strides]).map(|[at]| at as usize).collect();
    Ok((starts, n as usize, stride as usize))
}
