//! Operations that move elements.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{PadDim, SliceDim};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

/// `reshape`: the result says all.
pub fn stated<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let shape = f.result(op)?.clone();
    if f.body.shape(x).same(&shape) {
        return Ok(x);
    }
    f.add_shaped(op, opcode, shape, &[x], Attrs::None)
}

/// `broadcast_in_dim`. A dimension of one element that is stretched goes first: HLO stretches none.
pub fn broadcast_in_dim<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let dims = f.dims(op, "broadcast_dimensions")?;
    let shape = f.result(op)?.clone();
    let (from, Some(to)) = (f.array(op, x)?, shape.as_array()) else {
        return Err(f.wrong(op, "gives something else than an array"));
    };
    if dims.len() != from.rank() || dims.iter().any(|&d| d >= to.rank()) {
        return Err(f.wrong(op, format!("maps the dimensions of {from} to {dims:?} of {to}")));
    }
    let stays = |(i, d): (usize, &usize)| from.dims[i] == to.dims[*d] || from.dims[i] != 1;
    let kept: Vec<usize> = dims.iter().enumerate().filter(|&p| stays(p)).map(|(i, _)| i).collect();
    let (mut x, mut dims) = (x, dims);
    if kept.len() < from.rank() {
        let extents: Vec<i64> = kept.iter().map(|&i| from.dims[i]).collect();
        x = f.add_shaped(op, Opcode::Reshape, Shape::array(from.dtype, extents), &[x], Attrs::None)?;
        dims = kept.iter().map(|&i| dims[i]).collect();
    }
    let same = f.body.shape(x).same(&shape) && dims.iter().copied().eq(0..dims.len());
    if same {
        return Ok(x);
    }
    f.add_shaped(op, opcode, shape, &[x], Attrs::Dims(dims))
}

/// `broadcast`: new dimensions before the old ones.
pub fn broadcast<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let new = f.ints(op, "broadcast_sizes")?.len();
    let rank = f.array(op, x)?.rank();
    let shape = f.result(op)?.clone();
    f.add_shaped(op, opcode, shape, &[x], Attrs::Dims((new..new + rank).collect()))
}

/// Operations with a list of dimensions, or one, under that name.
fn with_dims<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode, name: &str) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let dims = match f.dims(op, name) {
        Ok(dims) => dims,
        Err(_) => vec![f.dim(op, name)?],
    };
    f.add(op, opcode, &operands, Attrs::Dims(dims))
}

pub fn transpose<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    with_dims(f, op, opcode, "permutation")
}

pub fn reverse<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    with_dims(f, op, opcode, "dimensions")
}

pub fn along<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    with_dims(f, op, opcode, "dimension")
}

pub fn iota<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let dim = f.dim(op, "iota_dimension")?;
    let shape = f.result(op)?.clone();
    f.add_shaped(op, opcode, shape, &[], Attrs::Iota(dim))
}

pub fn slice<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let (starts, limits) = (f.ints(op, "start_indices")?, f.ints(op, "limit_indices")?);
    let strides = f.ints(op, "strides")?;
    if starts.len() != limits.len() || starts.len() != strides.len() {
        return Err(f.wrong(op, "has starts, limits and strides of different numbers"));
    }
    let ranges = starts.iter().zip(&limits).zip(&strides);
    let ranges = ranges.map(|((&start, &limit), &stride)| SliceDim { start, limit, stride }).collect();
    f.add(op, opcode, &[x], Attrs::Slice(ranges))
}

pub fn dynamic_slice<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let sizes = f.ints(op, "slice_sizes")?;
    f.add(op, opcode, &operands, Attrs::DynamicSlice(sizes))
}

pub fn pad<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let (low, high) = (f.ints(op, "edge_padding_low")?, f.ints(op, "edge_padding_high")?);
    let interior = f.ints(op, "interior_padding")?;
    if low.len() != high.len() || low.len() != interior.len() {
        return Err(f.wrong(op, "has paddings of different numbers"));
    }
    let padding = low.iter().zip(&high).zip(&interior);
    let padding = padding.map(|((&low, &high), &interior)| PadDim { low, high, interior }).collect();
    f.add(op, opcode, &operands, Attrs::Pad(padding))
}
