//! Slices whose start is computed. Where the start is the same for all examples, the batch dimension is taken whole; where
//! each example has its own, a slice becomes a gather and an update a scatter.

use super::super::{Batched, Batcher};
use super::Made;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::{GatherDims, ScatterDims, SliceDim};
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar, Shape};

pub(super) fn slice(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::DynamicSlice(sizes) = &instr.attrs else { return fault!("`dynamic-slice` has no sizes") };
    let of_operand = batched[0] == Batched::Yes;
    let extents = example_dims(cx, operands[0], &batched[0])?;
    let starts = Starts::new(cx, &operands[1..], &batched[1..], &extents, sizes)?;
    if !starts.batched {
        let sizes = if of_operand { cx.with_batch(sizes) } else { sizes.clone() };
        let starts = starts.plain(cx, of_operand)?;
        let all = [&operands[..1], &starts].concat();
        let sliced = cx.emit.op(Opcode::DynamicSlice, &all, Attrs::DynamicSlice(sizes))?;
        return Ok((cx.fit(sliced, &batched[0], &Batched::Yes)?, Batched::Yes));
    }
    let rank = sizes.len();
    let (indices, moved) = starts.vectors(cx)?;
    let shift = usize::from(of_operand);
    let one = cx.size.min(1);
    let dims = GatherDims {
        offset_dims: (1..=rank).collect(),
        collapsed_slice_dims: Vec::new(),
        start_index_map: moved.iter().map(|d| d + shift).collect(),
        operand_batching_dims: if of_operand { vec![0] } else { Vec::new() },
        start_indices_batching_dims: if of_operand { vec![0] } else { Vec::new() },
        index_vector_dim: 1,
        slice_sizes: if of_operand { [&[one], &sizes[..]].concat() } else { sizes.clone() },
        indices_are_sorted: false,
    };
    let gathered = cx.emit.op(Opcode::Gather, &[operands[0], indices], Attrs::Gather(Box::new(dims)))?;
    Ok((gathered, Batched::Yes))
}

pub(super) fn update_slice(
    cx: &mut Batcher<'_, '_>,
    _: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let extents = example_dims(cx, operands[0], &batched[0])?;
    let sizes = example_dims(cx, operands[1], &batched[1])?;
    let starts = Starts::new(cx, &operands[2..], &batched[2..], &extents, &sizes)?;
    let (x, update) = (cx.spread(operands[0], &batched[0])?, cx.spread(operands[1], &batched[1])?);
    if !starts.batched {
        let starts = starts.plain(cx, true)?;
        let all = [&[x, update][..], &starts].concat();
        return Ok((cx.emit.op(Opcode::DynamicUpdateSlice, &all, Attrs::None)?, Batched::Yes));
    }
    let (indices, moved) = starts.clamped(cx, &extents, &sizes)?.vectors(cx)?;
    let dtype = cx.emit.dtype(x)?;
    let to_apply = cx.emit.computation("replace", |e| {
        e.parameter(0, Shape::scalar(dtype));
        Ok(e.parameter(1, Shape::scalar(dtype)))
    })?;
    let dims = ScatterDims {
        update_window_dims: (1..=sizes.len()).collect(),
        inserted_window_dims: Vec::new(),
        scatter_dims_to_operand_dims: moved.iter().map(|d| d + 1).collect(),
        input_batching_dims: vec![0],
        scatter_indices_batching_dims: vec![0],
        index_vector_dim: 1,
        indices_are_sorted: false,
        unique_indices: true,
        to_apply,
    };
    let all = [x, indices, update];
    Ok((cx.emit.op(Opcode::Scatter, &all, Attrs::Scatter(Box::new(dims)))?, Batched::Yes))
}

/// The dimensions of one example.
fn example_dims(cx: &Batcher<'_, '_>, x: InstrId, batched: &Batched) -> Result<Vec<i64>, Fault> {
    Ok(cx.emit.dims(x)?[usize::from(*batched == Batched::Yes)..].to_vec())
}

/// The starts of slices, one for each dimension of an example.
struct Starts {
    /// `[]`, or `[batch]` where it is the example's own.
    each: Vec<(InstrId, Batched)>,
    /// Dimensions that are not taken whole: elsewhere a start can only be 0.
    moved: Vec<usize>,
    /// Whether one that matters is batched.
    batched: bool,
    dtype: DType,
}

impl Starts {
    /// Of one operand for each dimension, or one vector of them.
    fn new(
        cx: &mut Batcher<'_, '_>,
        operands: &[InstrId],
        batched: &[Batched],
        extents: &[i64],
        sizes: &[i64],
    ) -> Result<Starts, Fault> {
        let dtype = operands.first().map_or(Ok(DType::S32), |&x| cx.emit.dtype(x))?;
        let mut each: Vec<(InstrId, Batched)> =
            operands.iter().copied().zip(batched.iter().cloned()).collect();
        if let [(vector, of)] = &each[..]
            && cx.emit.array(*vector)?.rank() == 1 + usize::from(*of == Batched::Yes)
        {
            let (vector, of) = (*vector, of.clone());
            each = (0..extents.len())
                .map(|i| Ok((entry(cx, vector, &of, i)?, of.clone())))
                .collect::<Result<_, Fault>>()?;
        }
        let moved: Vec<usize> = (0..extents.len()).filter(|&d| sizes[d] != extents[d]).collect();
        let batched = moved.iter().any(|&d| each[d].1 == Batched::Yes);
        Ok(Starts { each, moved, batched, dtype })
    }

    /// Scalars for an operation whose starts are the same for all examples.
    fn plain(&self, cx: &mut Batcher<'_, '_>, with_batch: bool) -> Result<Vec<InstrId>, Fault> {
        let zero = || Literal::scalar(self.dtype, Scalar::zero(self.dtype));
        let mut all = Vec::new();
        if with_batch {
            all.push(cx.emit.constant(zero()));
        }
        for (x, of) in &self.each {
            all.push(if *of == Batched::Yes { cx.emit.constant(zero()) } else { *x });
        }
        Ok(all)
    }

    /// The starts that move, as one vector for each example, and their dimensions.
    fn vectors(&self, cx: &mut Batcher<'_, '_>) -> Result<(InstrId, Vec<usize>), Fault> {
        let mut columns = Vec::with_capacity(self.moved.len());
        for &d in &self.moved {
            let (x, of) = &self.each[d];
            let column = cx.spread(*x, of)?;
            columns.push(cx.emit.reshape(column, &[cx.size, 1])?);
        }
        let vectors = match columns[..] {
            [one] => one,
            _ => cx.emit.op(Opcode::Concatenate, &columns, Attrs::Dims(vec![1]))?,
        };
        Ok((vectors, self.moved.clone()))
    }

    /// Starts moved to where the slice lies inside: a scatter drops what does not.
    fn clamped(mut self, cx: &mut Batcher<'_, '_>, extents: &[i64], sizes: &[i64]) -> Result<Starts, Fault> {
        for &d in &self.moved {
            let x = self.each[d].0;
            let greatest = greatest(self.dtype).min(i128::from(extents[d] - sizes[d]));
            let zero = cx.emit.constant(Literal::scalar(self.dtype, Scalar::zero(self.dtype)));
            let last = cx.emit.constant(Literal::scalar(self.dtype, Scalar::Signed(greatest as i64)));
            self.each[d].0 = cx.emit.op(Opcode::Clamp, &[zero, x, last], Attrs::None)?;
        }
        Ok(self)
    }
}

/// The greatest number of an integer type.
fn greatest(dtype: DType) -> i128 {
    let bits = dtype.bits() - u32::from(dtype.is_signed());
    (1i128 << bits) - 1
}

/// Entry `i` of a vector, for each example where it is batched.
fn entry(cx: &mut Batcher<'_, '_>, vector: InstrId, of: &Batched, i: usize) -> Result<InstrId, Fault> {
    let one = SliceDim { start: i as i64, limit: i as i64 + 1, stride: 1 };
    let whole = SliceDim { start: 0, limit: cx.size, stride: 1 };
    let (dims, left) = match of {
        Batched::Yes => (vec![whole, one], vec![cx.size]),
        _ => (vec![one], Vec::new()),
    };
    let cut = cx.emit.slice(vector, dims)?;
    cx.emit.reshape(cut, &left)
}
