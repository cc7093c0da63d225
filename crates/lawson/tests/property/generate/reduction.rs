//! Operations that combine many elements: reduce, windows, products.

use super::Generator;
use lawson::hlo::attrs::{ConvDims, DotDims, Window, WindowDim};
use lawson::hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Opcode, Shape};

/// Most multiplications of one product.
const MAX_WORK: i64 = 100_000;

impl Generator<'_> {
    pub(super) fn reduce(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let mut dims = self.rng.subset(shape.rank());
        if dims.is_empty() && shape.rank() > 0 && !self.rng.one_in(8) {
            dims.push(self.rng.below(shape.rank()));
        }
        if self.rng.one_in(6) && !self.style.smooth {
            return self.reduce_pair(x, &shape, dims);
        }
        let to_apply = self.reducer(shape.dtype)?;
        let init = self.scalar(shape.dtype);
        Some(self.b.add(Opcode::Reduce, &[x, init], Attrs::Reduce { dims, to_apply }))
    }

    /// A reduction of two arrays at once, such as an argmax.
    fn reduce_pair(&mut self, x: InstrId, shape: &ArrayShape, dims: Vec<usize>) -> Option<InstrId> {
        let fit: Vec<_> = self.library.pairs.iter().filter(|p| p.1[0] == shape.dtype).copied().collect();
        if fit.is_empty() {
            return None;
        }
        let (to_apply, dtypes) = self.rng.pick(&fit);
        let y = self.like(&shape.with_dtype(dtypes[1]));
        let inits = dtypes.map(|d| self.scalar(d));
        let both = self.b.add(Opcode::Reduce, &[x, y, inits[0], inits[1]], Attrs::Reduce { dims, to_apply });
        self.take_apart(both);
        None
    }

    pub(super) fn reducer(&mut self, dtype: DType) -> Option<CompId> {
        let fit: Vec<CompId> = self.library.reducers.iter().filter(|r| r.1 == dtype).map(|r| r.0).collect();
        (!fit.is_empty()).then(|| self.rng.pick(&fit))
    }

    /// reduce-window or select-and-scatter.
    pub(super) fn window(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let mut window: Window = Vec::new();
        for &n in &shape.dims {
            let mut w = self.window_dim(n);
            w.reversal = false;
            window.push(w);
        }
        let dims = positions(&window, &shape.dims)?;
        let work: i64 = window.iter().map(|w| w.size).product::<i64>() * dims.iter().product::<i64>();
        if !self.fits(&dims) || work > MAX_WORK {
            return None;
        }
        let to_apply = self.reducer(shape.dtype)?;
        let init = self.scalar(shape.dtype);
        if self.rng.one_in(3) && shape.dtype != DType::Pred && !self.style.smooth {
            window.iter_mut().for_each(|w| (w.base_dilation, w.window_dilation) = (1, 1));
            let dims = positions(&window, &shape.dims)?;
            let select = self.library.comparators.iter().find(|c| c.parameters[..] == [shape.dtype; 2])?.comp;
            let source = self.like(&ArrayShape::new(shape.dtype, dims));
            let attrs = Attrs::SelectAndScatter { window, select, scatter: to_apply };
            return Some(self.b.add(Opcode::SelectAndScatter, &[x, source, init], attrs));
        }
        Some(self.b.add(Opcode::ReduceWindow, &[x, init], Attrs::ReduceWindow { window, to_apply }))
    }

    fn window_dim(&mut self, extent: i64) -> WindowDim {
        let size = if self.rng.one_in(8) { extent.clamp(1, 70) } else { self.rng.pick(&[1, 1, 2, 3, 4]) };
        if self.rng.one_in(3) {
            return WindowDim::of_size(size);
        }
        WindowDim {
            stride: self.rng.pick(&[1, 1, 2, 3]),
            pad_low: self.rng.pick(&[0, 0, 1, 2, size - 1]),
            pad_high: self.rng.pick(&[0, 0, 1, 3]),
            base_dilation: self.rng.pick(&[1, 1, 1, 2]),
            window_dilation: self.rng.pick(&[1, 1, 1, 2]),
            reversal: self.rng.one_in(8),
            ..WindowDim::of_size(size)
        }
    }

    pub(super) fn dot(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        if shape.dtype == DType::Pred || shape.rank() == 0 {
            return None;
        }
        let mut order = self.rng.permutation(shape.rank());
        let batches = self.rng.pick(&[0, 0, 0, 1, 2]).min(order.len());
        let lhs_batch: Vec<usize> = order.drain(..batches).collect();
        let contracted = self.rng.pick(&[0, 1, 1, 1, 1, 2]).min(order.len());
        let lhs_contracting: Vec<usize> = order.drain(..contracted).collect();
        // The right operand: its dimensions in any order.
        let mut right: Vec<(i64, Option<usize>)> = lhs_batch
            .iter()
            .chain(&lhs_contracting)
            .enumerate()
            .map(|(i, &d)| (shape.dims[d], Some(i)))
            .collect();
        for _ in 0..self.rng.pick(&[0, 1, 1, 1, 2]) {
            right.push((self.rng.pick(&self.style.extents), None));
        }
        if !self.rng.one_in(3) {
            self.rng.shuffle(&mut right);
        }
        let rhs_dims: Vec<i64> = right.iter().map(|r| r.0).collect();
        let free: i64 = right.iter().filter(|r| r.1.is_none()).map(|r| r.0).product();
        let left: i64 = order.iter().chain(&lhs_batch).map(|&d| shape.dims[d]).product();
        if !self.fits(&rhs_dims)
            || left * free > self.style.max_elements
            || shape.elements() * free > MAX_WORK
        {
            return None;
        }
        let y = self.like(&ArrayShape::new(shape.dtype, rhs_dims));
        let place = |i: usize| right.iter().position(|r| r.1 == Some(i)).expect("each was put there");
        let rhs_batch = (0..batches).map(place).collect();
        let rhs_contracting = (batches..batches + contracted).map(place).collect();
        let attrs = Attrs::Dot(Box::new(DotDims { lhs_contracting, rhs_contracting, lhs_batch, rhs_batch }));
        Some(self.product(Opcode::Dot, [x, y], attrs))
    }

    pub(super) fn convolution(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let rank = shape.rank();
        if shape.dtype == DType::Pred || !(2..=4).contains(&rank) {
            return None;
        }
        let (input, kernel, output) =
            (self.rng.permutation(rank), self.rng.permutation(rank), self.rng.permutation(rank));
        let features = shape.dims[input[1]];
        let groups = self.rng.pick(&[1, 1, 1, features.max(1)]);
        let mut kernel_dims = vec![0; rank];
        kernel_dims[kernel[0]] = features / groups;
        kernel_dims[kernel[1]] = groups * self.rng.pick(&[1, 2, 3]);
        let mut window: Window = Vec::new();
        for s in 2..rank {
            let mut w = self.window_dim(shape.dims[input[s]]);
            w.size = w.size.min(9);
            kernel_dims[kernel[s]] = w.size;
            window.push(w);
        }
        let spatial: Vec<i64> = input[2..].iter().map(|&d| shape.dims[d]).collect();
        let mut dims = positions(&window, &spatial)?;
        dims.extend([shape.dims[input[0]], kernel_dims[kernel[1]]]);
        let work: i64 = dims.iter().product::<i64>() * kernel_dims.iter().product::<i64>();
        if !self.fits(&dims) || !self.fits(&kernel_dims) || work > MAX_WORK {
            return None;
        }
        let y = self.like(&ArrayShape::new(shape.dtype, kernel_dims));
        let attrs = ConvDims {
            window,
            input_batch: input[0],
            input_feature: input[1],
            input_spatial: input[2..].to_vec(),
            kernel_input_feature: kernel[0],
            kernel_output_feature: kernel[1],
            kernel_spatial: kernel[2..].to_vec(),
            output_batch: output[0],
            output_feature: output[1],
            output_spatial: output[2..].to_vec(),
            feature_group_count: groups,
            batch_group_count: 1,
        };
        Some(self.product(Opcode::Convolution, [x, y], Attrs::Convolution(Box::new(attrs))))
    }

    /// The product in the type of its operands, or in a wider one.
    fn product(&mut self, opcode: Opcode, operands: [InstrId; 2], attrs: Attrs) -> InstrId {
        let id = self.b.add(opcode, &operands, attrs.clone());
        let shape = self.array(id);
        let wider: Option<DType> = match shape.dtype {
            DType::F16 | DType::Bf16 => Some(DType::F32),
            DType::S8 | DType::S16 | DType::S4 => Some(DType::S32),
            DType::U8 | DType::U4 => Some(DType::U32),
            DType::F32 => Some(DType::F64),
            _ => None,
        };
        match wider {
            Some(d) if self.rng.one_in(3) => {
                self.b.truncate(id.index());
                self.b.add_shaped(opcode, Shape::Array(shape.with_dtype(d)), &operands, attrs)
            }
            _ => id,
        }
    }
}

/// The extents of the window's positions.
fn positions(window: &Window, dims: &[i64]) -> Option<Vec<i64>> {
    window.iter().zip(dims).map(|(w, &n)| w.output_extent(n).filter(|&n| n >= 0)).collect()
}
