//! Linear algebra on whole matrices, and transforms.

use super::Generator;
use lawson::hlo::attrs::{CompareOrder, Direction, FftKind, Transpose, TriangularSolve};
use lawson::hlo::{ArrayShape, Attrs, DType, InstrId, Opcode, Scalar, Shape};

/// Largest order of a matrix: a little more than one block.
const MAX_ORDER: i64 = 40;

impl Generator<'_> {
    /// A factor, a solution with the value as right-hand sides, or the magnitudes of a transform.
    pub(super) fn routine(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        if self.rng.one_in(3) {
            return self.transform(x);
        }
        let dtype = if shape.dtype.is_float() { shape.dtype } else { DType::F32 };
        let x = self.b.convert(x, dtype);
        let [batch @ .., rows, columns] = &shape.dims[..] else { return None };
        let left_side = self.rng.one_in(2);
        let order = if left_side { *rows } else { *columns };
        let a = ArrayShape::new(dtype, [batch, &[order, order]].concat());
        if order > MAX_ORDER || !self.fits(&a.dims) {
            return None;
        }
        let a = self.dominant(&a);
        if self.rng.one_in(2) {
            return Some(self.b.add(Opcode::Cholesky, &[a], Attrs::Cholesky(left_side)));
        }
        let transposes = [Transpose::No, Transpose::Transpose, Transpose::Adjoint];
        let how = TriangularSolve {
            left_side,
            lower: self.rng.one_in(2),
            unit_diagonal: self.rng.one_in(3),
            transpose_a: self.rng.pick(&transposes),
        };
        Some(self.b.add(Opcode::TriangularSolve, &[a, x], Attrs::TriangularSolve(how)))
    }

    /// Transforms of any dimension, of real numbers or of complex ones.
    fn transform(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let inner = self.rng.below(shape.rank().max(1));
        let length = shape.dims.iter().rev().nth(inner).copied().filter(|n| (1..=MAX_ORDER).contains(n))?;
        let dtype = if shape.dtype.is_f64() { DType::F64 } else { DType::F32 };
        let x = self.b.convert(x, dtype);
        let lengths = vec![length];
        let made = if self.rng.one_in(2) {
            self.b.add(Opcode::Fft, &[x], Attrs::Fft { kind: FftKind::Rfft, lengths, inner })
        } else {
            let z = self.b.add(Opcode::Complex, &[x, x], Attrs::None);
            let kind = self.rng.pick(&[FftKind::Fft, FftKind::Ifft]);
            self.b.add(Opcode::Fft, &[z], Attrs::Fft { kind, lengths, inner })
        };
        let part = self.rng.pick(&[Opcode::Abs, Opcode::Real, Opcode::Imag]);
        Some(self.b.add(part, &[made], Attrs::None))
    }

    /// Matrices whose diagonal is mostly as large as all of a row of tame numbers.
    fn dominant(&mut self, shape: &ArrayShape) -> InstrId {
        let x = self.like(shape);
        if self.rng.one_in(4) {
            return x;
        }
        let rank = shape.rank();
        let index = ArrayShape::new(DType::S32, shape.dims.clone());
        let along = |cx: &mut Self, dim: usize| {
            cx.b.add_shaped(Opcode::Iota, Shape::Array(index.clone()), &[], Attrs::Iota(dim))
        };
        let (i, j) = (along(self, rank - 2), along(self, rank - 1));
        let equal = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
        let on = self.b.add(Opcode::Compare, &[i, j], equal);
        let large = self.b.splat(shape, Scalar::Float((1 + MAX_ORDER) as f64));
        self.b.add(Opcode::Select, &[on, large, x], Attrs::None)
    }
}
