//! Literals: shared immutable arrays of elements, and values built of them.
//!
//! Bytes are row-major, little-endian, one element after another; pred and sub-byte integers take a byte each
//! (pred 0 or 1; s4 sign-extended, u4 zero-extended).

use crate::dtype::DType;
use crate::shape::{ArrayShape, Shape};
use half::{bf16, f16};
use std::sync::Arc;

/// An array of known elements. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    shape: ArrayShape,
    bytes: Arc<[u8]>,
}

/// One element, as the widest type of its class. Floats of any width are exact in an `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Pred(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl Scalar {
    /// The number as a float; integers beyond 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Pred(b) => b as u8 as f64,
            Scalar::Signed(i) => i as f64,
            Scalar::Unsigned(u) => u as f64,
            Scalar::Float(f) => f,
        }
    }

    /// The integer (pred: 0 or 1), `None` for a float.
    pub fn as_i128(self) -> Option<i128> {
        match self {
            Scalar::Pred(b) => Some(b as i128),
            Scalar::Signed(i) => Some(i as i128),
            Scalar::Unsigned(u) => Some(u as i128),
            Scalar::Float(_) => None,
        }
    }
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

    /// A literal with every element set to `value`, converted to the element type.
    pub fn splat(shape: ArrayShape, value: Scalar) -> Literal {
        let mut one = Vec::new();
        push_scalar(&mut one, shape.dtype, value);
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
        values.into_iter().for_each(|v| push_scalar(&mut bytes, shape.dtype, v));
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

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes to write to; copied first if another literal shares them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        Arc::make_mut(&mut self.bytes)
    }

    /// The same elements under other dimensions of the same count.
    pub fn reshaped(&self, dims: impl Into<Vec<i64>>) -> Literal {
        Literal::new(ArrayShape::new(self.dtype(), dims), self.bytes.clone())
    }

    /// Element `i` in row-major order. Complex and small-float elements give their raw bits.
    pub fn get(&self, i: usize) -> Scalar {
        let size = self.dtype().size();
        read_scalar(self.dtype(), &self.bytes[i * size..(i + 1) * size])
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
}

/// Reads one element from exactly its bytes.
pub fn read_scalar(dtype: DType, b: &[u8]) -> Scalar {
    use DType::*;
    fn le<const N: usize>(b: &[u8]) -> [u8; N] {
        b[..N].try_into().expect("element width")
    }
    match dtype {
        Pred => Scalar::Pred(b[0] != 0),
        S1 | S2 | S4 | S8 => Scalar::Signed(b[0] as i8 as i64),
        S16 => Scalar::Signed(i16::from_le_bytes(le(b)) as i64),
        S32 => Scalar::Signed(i32::from_le_bytes(le(b)) as i64),
        S64 => Scalar::Signed(i64::from_le_bytes(le(b))),
        U1 | U2 | U4 | U8 => Scalar::Unsigned(b[0] as u64),
        U16 => Scalar::Unsigned(u16::from_le_bytes(le(b)) as u64),
        U32 => Scalar::Unsigned(u32::from_le_bytes(le(b)) as u64),
        U64 => Scalar::Unsigned(u64::from_le_bytes(le(b))),
        F16 => Scalar::Float(f16::from_le_bytes(le(b)).to_f64()),
        Bf16 => Scalar::Float(bf16::from_le_bytes(le(b)).to_f64()),
        F32 => Scalar::Float(f32::from_le_bytes(le(b)) as f64),
        F64 => Scalar::Float(f64::from_le_bytes(le(b))),
        F4E2M1Fn | F8E3M4 | F8E4M3 | F8E4M3Fn | F8E4M3B11Fnuz | F8E4M3Fnuz | F8E5M2 | F8E5M2Fnuz
        | F8E8M0Fnu => Scalar::Unsigned(b[0] as u64),
        C64 | C128 => Scalar::Unsigned(u64::from_le_bytes(le(b))),
    }
}

/// Appends one element of the given type; integers wrap to the width, floats round to nearest even.
pub fn push_scalar(out: &mut Vec<u8>, dtype: DType, value: Scalar) {
    use DType::*;
    let int = || match value {
        Scalar::Pred(b) => b as i64,
        Scalar::Signed(i) => i,
        Scalar::Unsigned(u) => u as i64,
        Scalar::Float(f) => f as i64,
    };
    match dtype {
        Pred => out.push(match value {
            Scalar::Pred(b) => b as u8,
            Scalar::Float(f) => (f != 0.0) as u8,
            _ => (int() != 0) as u8,
        }),
        S1 | S2 | S4 => {
            let shift = 64 - dtype.bits();
            out.push((int() << shift >> shift) as i8 as u8)
        }
        U1 | U2 | U4 => out.push(int() as u8 & ((1u8 << dtype.bits()) - 1)),
        S8 | U8 | F4E2M1Fn | F8E3M4 | F8E4M3 | F8E4M3Fn | F8E4M3B11Fnuz | F8E4M3Fnuz | F8E5M2
        | F8E5M2Fnuz | F8E8M0Fnu => out.push(int() as u8),
        S16 | U16 => out.extend((int() as i16).to_le_bytes()),
        S32 | U32 => out.extend((int() as i32).to_le_bytes()),
        S64 => out.extend(int().to_le_bytes()),
        U64 => out.extend(match value {
            Scalar::Float(f) => (f as u64).to_le_bytes(),
            _ => int().to_le_bytes(),
        }),
        F16 => out.extend(f16::from_f64(value.as_f64()).to_le_bytes()),
        Bf16 => out.extend(bf16::from_f64(value.as_f64()).to_le_bytes()),
        F32 => out.extend((value.as_f64() as f32).to_le_bytes()),
        F64 => out.extend(value.as_f64().to_le_bytes()),
        C64 | C128 => out.extend(std::iter::repeat_n(0u8, dtype.size())),
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
    fn narrow_integers_wrap() {
        assert_eq!(Literal::scalar(DType::S4, Scalar::Signed(9)).get(0), Scalar::Signed(-7));
    }
}
