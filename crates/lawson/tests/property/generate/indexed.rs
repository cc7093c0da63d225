//! gather, scatter, sort and top-k.

use super::Generator;
use lawson::hlo::attrs::{GatherDims, ScatterDims};
use lawson::hlo::{ArrayShape, Attrs, DType, InstrId, Opcode};

/// How windows of an array and vectors of indices belong together, for gather and scatter alike.
struct Indexing {
    /// Dimensions of the array that windows lack.
    dropped: Vec<usize>,
    /// Pairs of dimensions of array and indices that are walked together.
    batching: Vec<(usize, usize)>,
    /// Which dimension each component of an index vector addresses.
    map: Vec<usize>,
    index_vector_dim: usize,
    indices: InstrId,
    /// Extents of the indices without the vectors.
    batch: Vec<i64>,
    /// Extent of a window in each dimension of the array.
    window: Vec<i64>,
}

impl Indexing {
    /// The window's extents without the dimensions that it lacks.
    fn window_dims(&self) -> Vec<i64> {
        let lacks = |d: usize| self.dropped.contains(&d) || self.batching.iter().any(|b| b.0 == d);
        (0..self.window.len()).filter(|&d| !lacks(d)).map(|d| self.window[d]).collect()
    }
}

impl Generator<'_> {
    pub(super) fn gather(&mut self, x: InstrId) -> Option<InstrId> {
        let ix = self.indexing(x)?;
        let (dims, offset_dims) = self.interleave(&ix);
        if !self.fits(&dims) {
            return None;
        }
        let attrs = GatherDims {
            offset_dims,
            collapsed_slice_dims: ix.dropped.clone(),
            start_index_map: ix.map.clone(),
            operand_batching_dims: ix.batching.iter().map(|b| b.0).collect(),
            start_indices_batching_dims: ix.batching.iter().map(|b| b.1).collect(),
            index_vector_dim: ix.index_vector_dim,
            slice_sizes: ix.window.clone(),
            indices_are_sorted: false,
        };
        Some(self.b.add(Opcode::Gather, &[x, ix.indices], Attrs::Gather(Box::new(attrs))))
    }

    pub(super) fn scatter(&mut self, x: InstrId) -> Option<InstrId> {
        let ix = self.indexing(x)?;
        let shape = self.array(x);
        let (dims, update_window_dims) = self.interleave(&ix);
        let fit: Vec<_> = self.library.reducers.iter().filter(|r| r.1 == shape.dtype).map(|r| r.0).collect();
        if !self.fits(&dims) || fit.is_empty() {
            return None;
        }
        let to_apply = self.rng.pick(&fit);
        let updates = self.like(&ArrayShape::new(shape.dtype, dims));
        let attrs = ScatterDims {
            update_window_dims,
            inserted_window_dims: ix.dropped.clone(),
            scatter_dims_to_operand_dims: ix.map.clone(),
            input_batching_dims: ix.batching.iter().map(|b| b.0).collect(),
            scatter_indices_batching_dims: ix.batching.iter().map(|b| b.1).collect(),
            index_vector_dim: ix.index_vector_dim,
            indices_are_sorted: false,
            unique_indices: false,
            to_apply,
        };
        Some(self.b.add(Opcode::Scatter, &[x, ix.indices, updates], Attrs::Scatter(Box::new(attrs))))
    }

    fn indexing(&mut self, x: InstrId) -> Option<Indexing> {
        let shape = self.array(x);
        let rank = shape.rank();
        if rank == 0 {
            return None;
        }
        let mut batch: Vec<i64> = Vec::new();
        for _ in 0..self.rng.below(3) {
            batch.push(self.rng.pick(&[1, 2, 3, 7, 16, 17, 33]));
        }
        // The first dimensions may go together.
        let mut batching = Vec::new();
        if rank > 1 && self.rng.one_in(4) {
            batch.insert(0, shape.dims[0]);
            batching.push((0, 0));
        }
        let free: Vec<usize> = (batching.len()..rank).collect();
        let mut map: Vec<usize> = free.iter().copied().filter(|_| self.rng.one_in(2)).collect();
        if map.is_empty() {
            map.push(self.rng.pick(&free));
        }
        self.rng.shuffle(&mut map);
        let (mut window, mut dropped) = (Vec::new(), Vec::new());
        for (d, &n) in shape.dims.iter().enumerate() {
            if batching.iter().any(|b| b.0 == d) {
                window.push(n.min(1));
            } else if map.contains(&d) && n > 0 && self.rng.one_in(2) {
                dropped.push(d);
                window.push(1);
            } else {
                window.push(if self.rng.one_in(2) { n } else { self.rng.between(n.min(1), n) });
            }
        }
        // The vectors may stand in any dimension, or be scalars.
        let mut dims = batch.clone();
        let bare = map.len() == 1 && self.rng.one_in(2);
        let mut index_vector_dim = dims.len();
        if !bare {
            index_vector_dim = self.rng.below(dims.len() + 1);
            dims.insert(index_vector_dim, map.len() as i64);
            let shifted = batching.iter_mut().filter(|b| b.1 >= index_vector_dim);
            shifted.for_each(|b| b.1 += 1);
        }
        if !self.fits(&dims) {
            return None;
        }
        let dtype = self.rng.pick(&[
            DType::S32,
            DType::S32,
            DType::S32,
            DType::S64,
            DType::U32,
            DType::S8,
            DType::U64,
        ]);
        let largest = shape.dims.iter().copied().max().unwrap_or(1).min(100);
        let indices = self.indices(ArrayShape::new(dtype, dims), largest);
        Some(Indexing { dropped, batching, map, index_vector_dim, indices, batch, window })
    }

    /// Integers that are mostly in range.
    fn indices(&mut self, shape: ArrayShape, largest: i64) -> InstrId {
        if self.rng.one_in(2) || shape.elements() > 64 {
            let x = self.like(&shape);
            if self.rng.one_in(2) {
                return x;
            }
            let n = self.b.splat(&shape, lawson::hlo::Scalar::Signed(largest.max(1)));
            return self.b.binary(Opcode::Remainder, x, n);
        }
        let values: Vec<i64> = (0..shape.elements()).map(|_| self.rng.between(-1, largest)).collect();
        self.literal(shape, values)
    }

    /// The dimensions of windows among those of the batch: the whole, and where the window's stand.
    fn interleave(&mut self, ix: &Indexing) -> (Vec<i64>, Vec<usize>) {
        let mut places = vec![false; ix.batch.len()];
        let window = ix.window_dims();
        places.extend(vec![true; window.len()]);
        if self.rng.one_in(2) {
            self.rng.shuffle(&mut places);
        }
        let (mut w, mut b) = (window.into_iter(), ix.batch.iter().copied());
        let dims =
            places.iter().filter_map(|&is_window| if is_window { w.next() } else { b.next() }).collect();
        let at = places.iter().enumerate().filter(|(_, w)| **w).map(|(i, _)| i).collect();
        (dims, at)
    }

    /// Sorts one or two arrays, or takes the top k. Comparators are orders on numbers; stability decides the rest.
    pub(super) fn sort(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        if shape.rank() == 0 {
            return None;
        }
        let x = self.number_only(x);
        if self.rng.one_in(4) && shape.dtype != DType::Pred {
            let k = self.rng.between(0, shape.dims[shape.rank() - 1]);
            let both = self.b.add(Opcode::TopK, &[x], Attrs::TopK { k, largest: self.rng.one_in(2) });
            self.take_apart(both);
            return None;
        }
        let fit: Vec<_> =
            self.library.comparators.iter().filter(|c| c.parameters[0] == shape.dtype).cloned().collect();
        if fit.is_empty() {
            return None;
        }
        let comparator = self.rng.pick(&fit);
        let mut operands = vec![x];
        for pair in comparator.parameters[2..].chunks(2) {
            let y = self.like(&shape.with_dtype(pair[0]));
            operands.push(y);
        }
        let dim = self.rng.below(shape.rank());
        let attrs = Attrs::Sort { dim, is_stable: self.rng.one_in(2), to_apply: comparator.comp };
        let sorted = self.b.add(Opcode::Sort, &operands, attrs);
        self.take_apart(sorted);
        None
    }
}
