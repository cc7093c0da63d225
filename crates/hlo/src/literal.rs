//! Literals: shared immutable arrays of elements, and values built of them.
//!
//! Bytes are row-major, little-endian, one element after another; pred and sub-byte integers take a byte each
//! (pred 0 or 1; s4 sign-extended, u4 zero-extended).

use crate::dtype::{DType, U256, WideArithmetic};
use crate::scalar::{Bits, Scalar};
use crate::shape::{ArrayShape, Shape};
use std::sync::Arc;

/// An array of known elements. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    shape: ArrayShape,
    bytes: Arc<[u8]>,
}

impl Literal {
    /// A literal of these bytes.
    ///
    /// # Panics
    /// If the number of bytes is not that of the shape.
    pub fn new(shape: ArrayShape, bytes: impl Into<Arc<[u8]>>) -> Literal {
        let bytes = bytes.into();
        assert_eq!(bytes.len() as i64, shape.bytes(), "a literal of {shape}");
        Literal { shape: ArrayShape { layout: None, ..shape }, bytes }
    }

    /// A literal of a field, or of an extension of one, of these storage words, each modulo p.
    ///
    /// # Panics
    /// If the type is no field, or the number of bytes is not that of the shape.
    pub fn of_storage(shape: ArrayShape, bytes: &[u8]) -> Literal {
        if let Some(field) = shape.dtype.wide_field() {
            let of = WideArithmetic::new(field);
            let reduced =
                bytes.as_chunks::<32>().0.iter().flat_map(|b| of.reduced(U256::from_bytes(*b)).to_bytes());
            return Literal::new(shape, reduced.collect::<Vec<u8>>());
        }
        let part = shape.dtype.part();
        let modulus = part.field().expect("a field").prime.modulus();
        let mut reduced = Vec::with_capacity(bytes.len());
        for word in bytes.chunks_exact(part.size()) {
            let mut wide = [0; 8];
            wide[..word.len()].copy_from_slice(word);
            let word = u64::from_le_bytes(wide) % modulus;
            reduced.extend_from_slice(&word.to_le_bytes()[..part.size()]);
        }
        Literal::new(shape, reduced)
    }

    /// A literal with every element set to `value`, converted to the element type.
    pub fn splat(shape: ArrayShape, value: Scalar) -> Literal {
        let mut one = Vec::new();
        value.push(shape.dtype, &mut one);
        let bytes = one.repeat(shape.elements() as usize);
        Literal::new(shape, bytes)
    }

    /// A rank-0 literal.
    pub fn scalar(dtype: DType, value: Scalar) -> Literal {
        Literal::splat(ArrayShape::new(dtype, []), value)
    }

    /// A literal of these elements, row-major, each converted to the element type.
    pub fn from_scalars(shape: ArrayShape, values: impl IntoIterator<Item = Scalar>) -> Literal {
        let mut bytes = Vec::with_capacity(shape.bytes() as usize);
        values.into_iter().for_each(|v| v.push(shape.dtype, &mut bytes));
        Literal::new(shape, bytes)
    }

    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    pub fn dtype(&self) -> DType {
        self.shape.dtype
    }

    pub fn dims(&self) -> &[i64] {
        &self.shape.dims
    }

    pub fn elements(&self) -> usize {
        self.shape.elements() as usize
    }

    /// All elements as they lie in a buffer: what files and devices take. Values are read with [`Literal::get`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, to be filled by a device or a file; copied first if another literal shares them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        Arc::make_mut(&mut self.bytes)
    }

    /// The same elements under other dimensions of the same count.
    pub fn reshaped(&self, dims: impl Into<Vec<i64>>) -> Literal {
        Literal::new(ArrayShape::new(self.dtype(), dims), self.bytes.clone())
    }

    /// Element `i` in row-major order.
    pub fn get(&self, i: usize) -> Scalar {
        Scalar::read(self.dtype(), self.element_bytes(i))
    }

    /// Element `i` as a literal of rank 0.
    pub fn element(&self, i: usize) -> Literal {
        Literal::new(ArrayShape::new(self.dtype(), []), self.element_bytes(i))
    }

    /// The bits of element `i`.
    pub fn bits(&self, i: usize) -> Bits {
        let mut bits = [0; 32];
        let bytes = self.element_bytes(i);
        bits[..bytes.len()].copy_from_slice(bytes);
        U256::from_bytes(bits).0
    }

    pub(crate) fn element_bytes(&self, i: usize) -> &[u8] {
        let size = self.dtype().size();
        &self.bytes[i * size..(i + 1) * size]
    }

    /// All elements, row-major.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        (0..self.elements()).map(|i| self.get(i))
    }

    /// The common element, if all elements have the same bytes (an empty literal has none).
    pub fn splat_value(&self) -> Option<Scalar> {
        let size = self.dtype().size();
        let first = self.bytes.get(..size)?;
        self.bytes.chunks_exact(size).all(|c| c == first).then(|| self.get(0))
    }

    /// The parts of a composite's elements, one literal of the same dimensions for each; a literal of any other type is
    /// its own only part.
    pub fn parts(&self) -> Vec<Literal> {
        let Some(composite) = self.dtype().composite() else { return vec![self.clone()] };
        let (size, shape) = (composite.part.size(), self.shape.with_dtype(composite.part));
        let part = |n: usize| {
            let elements = self.bytes.chunks_exact(self.dtype().size());
            let bytes: Vec<u8> = elements.flat_map(|e| &e[n * size..(n + 1) * size]).copied().collect();
            Literal::new(shape.clone(), bytes)
        };
        (0..composite.parts()).map(part).collect()
    }

    /// The literal whose elements have these parts: what [`Literal::parts`] takes apart.
    ///
    /// # Panics
    /// If number or types of the parts are not those of the type, or their dimensions differ.
    pub fn from_parts(dtype: DType, parts: &[Literal]) -> Literal {
        let Some(composite) = dtype.composite() else {
            assert!(parts.len() == 1 && parts[0].dtype() == dtype, "one part of {dtype}");
            return parts[0].clone();
        };
        let shape = parts[0].shape().with_dtype(dtype);
        let fits = |p: &Literal| p.dtype() == composite.part && p.dims() == shape.dims;
        assert!(parts.len() == composite.parts() && parts.iter().all(fits), "the parts of {shape}");
        let mut bytes = Vec::with_capacity(shape.bytes() as usize);
        for i in 0..shape.elements() as usize {
            parts.iter().for_each(|p| bytes.extend_from_slice(p.element_bytes(i)));
        }
        Literal::new(shape, bytes)
    }
}

/// A value of any shape: what a module is called with and what it returns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Array(Literal),
    Tuple(Vec<Value>),
    Token,
}

impl Value {
    pub fn shape(&self) -> Shape {
        match self {
            Value::Array(l) => Shape::Array(l.shape().clone()),
            Value::Tuple(parts) => Shape::Tuple(parts.iter().map(Value::shape).collect()),
            Value::Token => Shape::Token,
        }
    }

    /// The array, if this is one.
    pub fn as_array(&self) -> Option<&Literal> {
        match self {
            Value::Array(l) => Some(l),
            _ => None,
        }
    }

    /// The array of a value known (by the verifier) to be one.
    ///
    /// # Panics
    /// If it is not one.
    #[track_caller]
    pub fn expect_array(&self) -> &Literal {
        self.as_array().expect("an array value")
    }

    /// The array leaves in depth-first order.
    pub fn leaves(&self) -> Vec<&Literal> {
        match self {
            Value::Array(l) => vec![l],
            Value::Tuple(parts) => parts.iter().flat_map(Value::leaves).collect(),
            Value::Token => Vec::new(),
        }
    }

    /// Builds a value of `shape` from its leaves; `None` when there are too few.
    pub fn from_leaves(shape: &Shape, leaves: &mut impl Iterator<Item = Literal>) -> Option<Value> {
        Some(match shape {
            Shape::Array(_) => Value::Array(leaves.next()?),
            Shape::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|p| Value::from_leaves(p, leaves)).collect::<Option<_>>()?)
            }
            Shape::Buffer(inner) => Value::from_leaves(inner, leaves)?,
            Shape::Token | Shape::Opaque => Value::Token,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_round_trip() {
        for (d, v) in [
            (DType::S4, Scalar::Signed(-8)),
            (DType::U4, Scalar::Unsigned(15)),
            (DType::U64, Scalar::Unsigned(u64::MAX)),
            (DType::Bf16, Scalar::Float(1.5)),
            (DType::Pred, Scalar::Pred(true)),
        ] {
            let l = Literal::splat(ArrayShape::new(d, [2, 2]), v);
            assert_eq!(l.get(3), v);
            assert_eq!(l.splat_value(), Some(v));
        }
    }

    #[test]
    fn composites_are_taken_apart_and_put_together() {
        let shape = ArrayShape::new(DType::C64, [3]);
        let values = [Scalar::Complex(1.0, 2.0), Scalar::Complex(3.0, 4.0), Scalar::Complex(-0.0, 0.5)];
        let whole = Literal::from_scalars(shape, values);
        let parts = whole.parts();
        let floats = |l: &Literal| l.scalars().map(Scalar::as_f64).collect::<Vec<_>>();
        assert_eq!((floats(&parts[0]), floats(&parts[1])), (vec![1.0, 3.0, -0.0], vec![2.0, 4.0, 0.5]));
        assert_eq!(Literal::from_parts(DType::C64, &parts), whole);
        assert_eq!(whole.scalars().collect::<Vec<_>>(), values);
        assert_eq!((whole.splat_value(), whole.bits(0)), (None, [0x4000_0000_3f80_0000, 0, 0, 0]));
    }
}
