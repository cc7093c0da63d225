//! Shapes: arrays with dimensions and a layout, tuples, tokens.
//!
//! Dimensions are in elements. Inside Lawson every array is row-major; a layout is kept only so that text
//! round-trips and so that import can turn it into an explicit transpose.

use crate::dtype::DType;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Largest number of elements of one array that the verifier lets through: 2^40.
pub const MAX_ELEMENTS: i64 = 1 << 40;

/// The order of dimensions in memory, minor-most first, with the parts Lawson keeps but does not use.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Layout {
    /// Dimension numbers, fastest varying first.
    pub minor_to_major: Vec<usize>,
    /// What followed the order in the text (`:T(8,128)S(1)` …), without the colon, verbatim; mostly empty.
    pub rest: String,
}

impl Layout {
    /// The row-major layout of `rank` dimensions.
    pub fn row_major(rank: usize) -> Layout {
        Layout { minor_to_major: (0..rank).rev().collect(), rest: String::new() }
    }

    pub fn is_row_major(&self) -> bool {
        self.minor_to_major.iter().rev().copied().eq(0..self.minor_to_major.len())
    }
}

/// An array shape: element type, dimensions, and the layout its text gave, if any.
#[derive(Clone, Eq, Debug)]
pub struct ArrayShape {
    pub dtype: DType,
    /// Extents in elements, major first. None is negative.
    pub dims: Vec<i64>,
    /// `true` where the extent is an upper bound (`<=8`); empty means all static.
    pub dynamic: Vec<bool>,
    pub layout: Option<Layout>,
}

/// Compares lists element by element, not as slices. Slices are compared by `memcmp`, to which an empty `Vec` gives a
/// pointer to no memory; most of these lists are empty, and a `memcmp` of masked vector loads takes hundreds of cycles
/// for such an address, even though it reads no byte.
impl PartialEq for ArrayShape {
    fn eq(&self, other: &ArrayShape) -> bool {
        self.same(other) && self.dynamic.iter().eq(&other.dynamic) && self.layout == other.layout
    }
}

impl Hash for ArrayShape {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (self.dtype, &self.dims, &self.dynamic, &self.layout).hash(h);
    }
}

impl ArrayShape {
    pub fn new(dtype: DType, dims: impl Into<Vec<i64>>) -> ArrayShape {
        ArrayShape { dtype, dims: dims.into(), dynamic: Vec::new(), layout: None }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Number of elements, `None` when it overflows an `i64`.
    pub fn checked_elements(&self) -> Option<i64> {
        if self.dims.contains(&0) {
            return Some(0);
        }
        self.dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d))
    }

    /// Number of elements of a verified shape.
    pub fn elements(&self) -> i64 {
        self.dims.iter().product()
    }

    /// Bytes of a dense buffer of this (verified) shape.
    pub fn bytes(&self) -> i64 {
        self.elements() * self.dtype.size() as i64
    }

    /// Row-major strides in elements.
    pub fn strides(&self) -> Vec<i64> {
        row_major_strides(&self.dims)
    }

    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }

    pub fn is_dynamic(&self) -> bool {
        self.dynamic.iter().any(|&d| d)
    }

    /// Dimension numbers in the order of memory, slowest varying first; row-major where no layout is known.
    pub fn major_to_minor(&self) -> Vec<usize> {
        match &self.layout {
            Some(layout) if layout.minor_to_major.len() == self.rank() => {
                layout.minor_to_major.iter().rev().copied().collect()
            }
            _ => (0..self.rank()).collect(),
        }
    }

    /// Same element type and dimensions, whatever the layout.
    pub fn same(&self, other: &ArrayShape) -> bool {
        self.dtype == other.dtype && self.same_dims(other)
    }

    /// Same dimensions.
    pub fn same_dims(&self, other: &ArrayShape) -> bool {
        self.dims.iter().eq(&other.dims)
    }

    /// The same dimensions with another element type.
    pub fn with_dtype(&self, dtype: DType) -> ArrayShape {
        ArrayShape { dtype, ..self.clone() }
    }
}

/// Row-major strides in elements of an array of these dimensions.
pub fn row_major_strides(dims: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; dims.len()];
    for i in (0..dims.len().saturating_sub(1)).rev() {
        strides[i] = strides[i + 1].saturating_mul(dims[i + 1]);
    }
    strides
}

/// The shape of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    Array(ArrayShape),
    Tuple(Vec<Shape>),
    Token,
    Opaque,
    /// `b(shape)`, a mutable buffer: read and printed only.
    Buffer(Box<Shape>),
}

impl Shape {
    pub fn array(dtype: DType, dims: impl Into<Vec<i64>>) -> Shape {
        Shape::Array(ArrayShape::new(dtype, dims))
    }

    pub fn scalar(dtype: DType) -> Shape {
        Shape::array(dtype, Vec::new())
    }

    /// The array shape, if this is one.
    pub fn as_array(&self) -> Option<&ArrayShape> {
        match self {
            Shape::Array(a) => Some(a),
            _ => None,
        }
    }

    /// The array shape of a value known (by the verifier) to be an array.
    ///
    /// # Panics
    /// If it is not one.
    #[track_caller]
    pub fn expect_array(&self) -> &ArrayShape {
        self.as_array().unwrap_or_else(|| panic!("expected an array shape, found {self}"))
    }

    /// The array leaves in depth-first order: the order of `out0`, `out1`, … and of flattened parameters.
    pub fn leaves(&self) -> Vec<&ArrayShape> {
        fn walk<'a>(s: &'a Shape, out: &mut Vec<&'a ArrayShape>) {
            match s {
                Shape::Array(a) => out.push(a),
                Shape::Tuple(parts) => parts.iter().for_each(|p| walk(p, out)),
                Shape::Buffer(inner) => walk(inner, out),
                Shape::Token | Shape::Opaque => {}
            }
        }
        if let Shape::Array(a) = self {
            return vec![a];
        }
        let mut out = Vec::new();
        walk(self, &mut out);
        out
    }

    /// Same structure, element types and dimensions, whatever the layouts.
    pub fn same(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Array(a), Shape::Array(b)) => a.same(b),
            (Shape::Tuple(a), Shape::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
            }
            (Shape::Token, Shape::Token) | (Shape::Opaque, Shape::Opaque) => true,
            (Shape::Buffer(a), Shape::Buffer(b)) => a.same(b),
            _ => false,
        }
    }

    /// This shape with every layout dropped.
    pub fn without_layout(&self) -> Shape {
        match self {
            Shape::Array(a) => Shape::Array(ArrayShape { layout: None, ..a.clone() }),
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(Shape::without_layout).collect()),
            other => other.clone(),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{")?;
        for (i, d) in self.minor_to_major.iter().enumerate() {
            write!(f, "{}{d}", if i > 0 { "," } else { "" })?;
        }
        if !self.rest.is_empty() {
            write!(f, ":{}", self.rest)?;
        }
        write!(f, "}}")
    }
}

impl fmt::Display for ArrayShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.dtype)?;
        for (i, d) in self.dims.iter().enumerate() {
            let bound = if self.dynamic.get(i) == Some(&true) { "<=" } else { "" };
            write!(f, "{}{bound}{d}", if i > 0 { "," } else { "" })?;
        }
        write!(f, "]")?;
        match &self.layout {
            Some(layout) if !self.dims.is_empty() || !layout.rest.is_empty() => write!(f, "{layout}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Array(a) => write!(f, "{a}"),
            Shape::Tuple(parts) => {
                write!(f, "(")?;
                for (i, p) in parts.iter().enumerate() {
                    if i > 0 {
                        write!(f, ", ")?;
                        if i % 5 == 0 {
                            write!(f, "/*index={i}*/")?;
                        }
                    }
                    write!(f, "{p}")?;
                }
                write!(f, ")")
            }
            Shape::Token => write!(f, "token[]"),
            Shape::Opaque => write!(f, "opaque[]"),
            Shape::Buffer(inner) => write!(f, "b({inner})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_hlo() {
        let a = ArrayShape { layout: Some(Layout::row_major(2)), ..ArrayShape::new(DType::F32, [2, 3]) };
        let t = Shape::Tuple(vec![Shape::Array(a), Shape::scalar(DType::Pred), Shape::Token]);
        assert_eq!(t.to_string(), "(f32[2,3]{1,0}, pred[], token[])");
        assert_eq!(t.leaves().len(), 2);
    }

    #[test]
    fn overflow_is_seen() {
        assert_eq!(ArrayShape::new(DType::F32, [i64::MAX, 2]).checked_elements(), None);
        assert_eq!(ArrayShape::new(DType::F32, [i64::MAX, 2, 0]).checked_elements(), Some(0));
    }
}
