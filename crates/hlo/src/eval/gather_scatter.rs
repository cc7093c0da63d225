//! gather and scatter.
//!
//! gather clamps start indices so that each slice fits. scatter applies updates in row-major order of the
//! updates; a window that does not fit as a whole is dropped as a whole.

use super::dynamic::clamp_start;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::movement::{View, copy};
use super::reducer::Reducer;
use super::walk::Walk;
use super::word::Word;
use crate::attrs::{GatherDims, ScatterDims};
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape};

pub fn gather(
    machine: &mut Machine,
    x: &Literal,
    indices: &Literal,
    dims: &GatherDims,
    shape: &ArrayShape,
) -> Result<Literal> {
    let (operand_strides, out_strides) = (x.shape().strides(), shape.strides());
    let batch_dims = others(shape.rank(), &[&dims.offset_dims]);
    let vectors = Vectors::new(machine, indices, dims.index_vector_dim)?;
    // Operand dimensions that appear in the result, in the order of offset_dims.
    let windowed = others(x.dims().len(), &[&dims.collapsed_slice_dims, &dims.operand_batching_dims]);
    if batch_dims.len() != vectors.batch_dims.len() || windowed.len() != dims.offset_dims.len() {
        return Err(EvalError::malformed("dimension numbers do not match the shapes"));
    }
    let window = pick(&dims.slice_sizes, &windowed);
    let from_strides = pick(&operand_strides, &windowed);
    let to_strides = pick(&out_strides, &dims.offset_dims);
    let batching = batching(&vectors, &dims.start_indices_batching_dims)?;
    let mut out = machine.limits.array(shape)?;

    let extents = pick(&shape.dims, &batch_dims);
    let mut walk = Walk::new(&extents, [0, 0], [&pick(&out_strides, &batch_dims), &vectors.strides]);
    let mut start = 0;
    loop {
        for (&d, &b) in dims.operand_batching_dims.iter().zip(&batching) {
            start += walk.index()[b] * operand_strides[d];
        }
        let Some([to, at]) = walk.next() else { break };
        for (i, &d) in dims.start_index_map.iter().enumerate() {
            let last = x.dims()[d] - dims.slice_sizes[d];
            start += clamp_start(vectors.get(at, i), vectors.unsigned, last) * operand_strides[d];
        }
        let target = View { start: to, strides: &to_strides };
        let source = View { start, strides: &from_strides };
        copy(&window, shape.dtype.size(), (&mut out, target), (x.bytes(), source));
        start = 0;
    }
    Ok(Literal::new(shape.clone(), out))
}

pub fn scatter(
    machine: &mut Machine,
    operands: &[&Literal],
    dims: &ScatterDims,
    shape: &Shape,
) -> Result<Value> {
    let n = operands.len() / 2;
    let mut combiner = Reducer::new(machine.module, dims.to_apply)?;
    if operands.len() != 2 * n + 1 || n == 0 || combiner.arity() != 2 * n {
        return Err(EvalError::malformed("operands do not match the combiner"));
    }
    let (inputs, indices, updates) = (&operands[..n], operands[n], &operands[n + 1..]);
    let (base, update_dims) = (inputs[0].dims(), updates[0].dims());
    let strides = inputs[0].shape().strides();
    let vectors = Vectors::new(machine, indices, dims.index_vector_dim)?;
    let scatter_dims = others(update_dims.len(), &[&dims.update_window_dims]);
    let windowed = others(base.len(), &[&dims.inserted_window_dims, &dims.input_batching_dims]);
    if scatter_dims.len() != vectors.batch_dims.len() || windowed.len() != dims.update_window_dims.len() {
        return Err(EvalError::malformed("dimension numbers do not match the shapes"));
    }
    // The extent of an update's window in each operand dimension.
    let mut window = vec![1; base.len()];
    // For each update dimension, its stride in the operand and in the indices.
    let mut to_strides = vec![0; update_dims.len()];
    let mut index_strides = vec![0; update_dims.len()];
    for (&d, &u) in windowed.iter().zip(&dims.update_window_dims) {
        window[d] = update_dims[u];
        to_strides[u] = strides[d];
    }
    for (&u, &s) in scatter_dims.iter().zip(&vectors.strides) {
        index_strides[u] = s;
    }
    for (&d, &b) in
        dims.input_batching_dims.iter().zip(&batching(&vectors, &dims.scatter_indices_batching_dims)?)
    {
        to_strides[scatter_dims[b]] += strides[d];
    }
    let mut words = inputs.iter().map(|x| machine.load(x)).collect::<Result<Vec<_>>>()?;
    let updates = updates.iter().map(|x| machine.load(x)).collect::<Result<Vec<_>>>()?;
    let (mut args, mut joined) = (vec![0; 2 * n], vec![0; n]);
    let walk = Walk::new(update_dims, [0, 0], [&to_strides, &index_strides]);
    for (u, [mut to, at]) in walk.enumerate() {
        let mut fits = true;
        for (i, &d) in dims.scatter_dims_to_operand_dims.iter().enumerate() {
            let start = vectors.get(at, i) as i64;
            fits &= (0..=base[d] - window[d]).contains(&start);
            to += if fits { start * strides[d] } else { 0 };
        }
        if fits {
            let to = to as usize;
            for i in 0..n {
                (args[i], args[n + i]) = (words[i][to], updates[i][u]);
            }
            combiner.apply(machine, &args, &mut joined)?;
            (0..n).for_each(|i| words[i][to] = joined[i]);
        }
    }
    let arrays = words.iter().zip(inputs).map(|(w, x)| Ok(Value::Array(machine.array(x.shape(), w)?)));
    let mut parts = arrays.collect::<Result<Vec<_>>>()?;
    Ok(match shape {
        Shape::Tuple(_) => Value::Tuple(parts),
        _ => parts.swap_remove(0),
    })
}

/// An array of index vectors.
struct Vectors {
    words: Vec<Word>,
    unsigned: bool,
    /// The dimensions that are not the vector's, and their strides.
    batch_dims: Vec<usize>,
    strides: Vec<i64>,
    vector_stride: i64,
}

impl Vectors {
    fn new(machine: &Machine, indices: &Literal, vector_dim: usize) -> Result<Vectors> {
        if !indices.dtype().is_integer() {
            return Err(EvalError::malformed(format!("indices of type {}", indices.dtype())));
        }
        let all = indices.shape().strides();
        let batch_dims = others(indices.dims().len(), &[&[vector_dim]]);
        Ok(Vectors {
            words: machine.load(indices)?,
            unsigned: indices.dtype().is_unsigned(),
            strides: pick(&all, &batch_dims),
            batch_dims,
            // A vector dimension past the last one stands for an extent of one.
            vector_stride: all.get(vector_dim).copied().unwrap_or(0),
        })
    }

    /// Component `i` of the vector at a position.
    fn get(&self, at: i64, i: usize) -> Word {
        self.words[(at + i as i64 * self.vector_stride) as usize]
    }
}

/// For each batching dimension of the indices, which of their batch dimensions it is.
fn batching(vectors: &Vectors, dims: &[usize]) -> Result<Vec<usize>> {
    let find = |d: &usize| vectors.batch_dims.iter().position(|b| b == d);
    dims.iter()
        .map(|d| find(d).ok_or_else(|| EvalError::malformed("a batching dimension is not a batch dimension")))
        .collect()
}

/// The dimensions below `rank` in none of these lists.
fn others(rank: usize, lists: &[&[usize]]) -> Vec<usize> {
    (0..rank).filter(|d| lists.iter().all(|list| !list.contains(d))).collect()
}

fn pick(of: &[i64], dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|&d| of[d]).collect()
}
