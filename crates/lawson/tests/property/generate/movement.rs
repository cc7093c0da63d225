//! Operations that move elements.

use super::Generator;
use lawson::hlo::attrs::{PadDim, SliceDim};
use lawson::hlo::{ArrayShape, Attrs, DType, InstrId, Opcode};

impl Generator<'_> {
    pub(super) fn reshape(&mut self, x: InstrId) -> InstrId {
        let mut dims = self.array(x).dims;
        for _ in 0..1 + self.rng.below(2) {
            match self.rng.below(5) {
                0 => dims.insert(self.rng.below(dims.len() + 1), 1),
                1 => dims.retain(|&d| d != 1),
                2 => dims = vec![dims.iter().product()],
                3 if dims.len() > 1 => {
                    let at = self.rng.below(dims.len() - 1);
                    let joined = dims[at] * dims.remove(at + 1);
                    dims[at] = joined;
                }
                _ => self.split(&mut dims),
            }
        }
        self.b.reshape(x, &dims)
    }

    /// Splits one dimension in two.
    fn split(&mut self, dims: &mut Vec<i64>) {
        if dims.is_empty() {
            return;
        }
        let at = self.rng.below(dims.len());
        let factor = self.rng.pick(&[2, 3, 4, 5, 7, 16]);
        if dims[at] > 0 && dims[at] % factor == 0 {
            let rest = dims[at] / factor;
            let pair = if self.rng.one_in(2) { [factor, rest] } else { [rest, factor] };
            dims.splice(at..at + 1, pair);
        }
    }

    pub(super) fn broadcast(&mut self, x: InstrId) -> InstrId {
        let mut dims = self.array(x).dims;
        let mut mapping: Vec<usize> = (0..dims.len()).collect();
        for _ in 0..1 + self.rng.below(2) {
            let extent = if self.style.extents.is_empty() { 1 } else { self.rng.pick(&self.style.extents) };
            let at = self.rng.below(dims.len() + 1);
            dims.insert(at, extent);
            if !self.fits(&dims) {
                dims[at] = 1;
            }
            mapping.iter_mut().filter(|d| **d >= at).for_each(|d| *d += 1);
        }
        // Two dimensions may exchange places on the way.
        if mapping.len() > 1 && self.rng.one_in(4) {
            let (i, j) = (mapping[0], mapping[1]);
            mapping.swap(0, 1);
            dims.swap(i, j);
        }
        self.b.broadcast(x, &dims, &mapping)
    }

    pub(super) fn transpose(&mut self, x: InstrId) -> InstrId {
        let rank = self.array(x).rank();
        if self.rng.one_in(3) {
            let dims = self.rng.subset(rank);
            return self.b.add(Opcode::Reverse, &[x], Attrs::Dims(dims));
        }
        let order = self.rng.permutation(rank);
        self.b.transpose(x, &order)
    }

    pub(super) fn slice(&mut self, x: InstrId) -> InstrId {
        let mut ranges = Vec::new();
        for n in self.array(x).dims {
            let start = self.rng.between(0, n);
            let limit = self.rng.between(start, n);
            let stride = self.rng.pick(&[1, 1, 1, 2, 3, 7]);
            // Empty results are welcome, but not often.
            let keep = limit > start || self.rng.one_in(16);
            let whole = SliceDim { start: 0, limit: n, stride };
            ranges.push(if keep && !self.rng.one_in(3) { SliceDim { start, limit, stride } } else { whole });
        }
        self.b.add(Opcode::Slice, &[x], Attrs::Slice(ranges))
    }

    pub(super) fn concatenate(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        if shape.rank() == 0 {
            return None;
        }
        let dim = self.rng.below(shape.rank());
        let mut pieces = vec![x];
        for _ in 0..self.rng.below(4) {
            let mut other = shape.clone();
            if !self.style.extents.is_empty() {
                other.dims[dim] = self.rng.pick(&self.style.extents);
            }
            let y = if self.rng.one_in(4) { x } else { self.like(&other) };
            pieces.push(y);
            let mut dims = shape.dims.clone();
            dims[dim] = pieces.iter().map(|&p| self.b.array(p).dims[dim]).sum();
            if !self.fits(&dims) {
                pieces.pop();
            }
        }
        self.rng.shuffle(&mut pieces);
        Some(self.b.add(Opcode::Concatenate, &pieces, Attrs::Dims(vec![dim])))
    }

    pub(super) fn pad(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let value = self.scalar(shape.dtype);
        let (mut padding, mut dims) = (Vec::new(), Vec::new());
        for &n in &shape.dims {
            let mut p = PadDim {
                low: self.rng.pick(&[0, 0, 1, 2, -1, 5]),
                high: self.rng.pick(&[0, 0, 1, -1, -2, 3]),
                interior: self.rng.pick(&[0, 0, 0, 1, 2]),
            };
            let inner = n + (n - 1).max(0) * p.interior;
            if inner + p.low + p.high < 0 {
                p = PadDim { low: 1, high: 0, interior: 0 };
            }
            dims.push(n + (n - 1).max(0) * p.interior + p.low + p.high);
            padding.push(p);
        }
        if !self.fits(&dims) {
            padding.iter_mut().for_each(|p| *p = PadDim { low: 0, high: 0, interior: 0 });
        }
        self.b.add(Opcode::Pad, &[x, value], Attrs::Pad(padding))
    }

    /// dynamic-slice or dynamic-update-slice.
    pub(super) fn dynamic_slice(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let mut sizes = Vec::new();
        for &n in &shape.dims {
            sizes.push(if self.rng.one_in(3) { n } else { self.rng.between(n.min(1), n) });
        }
        let update = self.rng.one_in(2);
        let mut operands = vec![x];
        if update {
            let part = ArrayShape::new(shape.dtype, sizes.clone());
            operands.push(self.like(&part));
        }
        let index = self.rng.pick(&[DType::S32, DType::S32, DType::S64, DType::U32, DType::S8, DType::U8]);
        for &n in &shape.dims {
            let start = if self.rng.one_in(2) {
                let i = self.rng.between(-1, n.min(100));
                self.literal(ArrayShape::new(index, []), [i])
            } else {
                self.scalar(index)
            };
            operands.push(start);
        }
        match update {
            true => self.b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None),
            false => self.b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes)),
        }
    }
}
