//! What the rules share: the operation under judgement, its operands by kind, and checks of dimension lists.

use super::ShapeError;
use super::callee::Callees;
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// `return fail!("takes {n} operands")`: an error with that text.
macro_rules! fail {
    ($($arg:tt)*) => { Err($crate::infer::ShapeError(format!($($arg)*))) };
}
pub(super) use fail;

/// One operation and what its rule may look at.
pub(super) struct Site<'a, 'm> {
    pub callees: &'a Callees<'m>,
    pub opcode: Opcode,
    pub attrs: &'a Attrs,
    pub operands: &'a [&'a Shape],
}

impl<'a> Site<'a, '_> {
    /// The operands, if there are exactly `N`.
    pub fn operands<const N: usize>(&self) -> Result<[&'a Shape; N], ShapeError> {
        match self.operands.try_into() {
            Ok(all) => Ok(all),
            Err(_) => {
                let s = if N == 1 { "" } else { "s" };
                fail!("takes {N} operand{s}, not {}", self.operands.len())
            }
        }
    }

    /// The operands as arrays, if there are exactly `N` and all are.
    pub fn arrays<const N: usize>(&self) -> Result<[&'a ArrayShape; N], ShapeError> {
        self.operands::<N>()?;
        let all = self.all_arrays()?;
        all.try_into().map_err(|_| ShapeError("has too few operands".into()))
    }

    /// Any number of operands, all arrays.
    pub fn all_arrays(&self) -> Result<Vec<&'a ArrayShape>, ShapeError> {
        (0..self.operands.len()).map(|i| self.array(i)).collect()
    }

    /// Operand `i` as an array.
    pub fn array(&self, i: usize) -> Result<&'a ArrayShape, ShapeError> {
        match self.operands.get(i) {
            Some(Shape::Array(a)) => Ok(a),
            Some(other) => fail!("needs an array as operand {i}, not {other}"),
            None => fail!("lacks operand {i}"),
        }
    }

    /// The error for attributes that belong to another opcode: only a hand-made module can have them.
    pub fn wrong_attrs<T>(&self) -> Result<T, ShapeError> {
        fail!("lacks its attributes")
    }

    /// The `dimensions={}` list; none at all counts as empty.
    pub fn dims(&self) -> Result<&'a [usize], ShapeError> {
        match self.attrs {
            Attrs::Dims(dims) => Ok(dims),
            Attrs::None => Ok(&[]),
            _ => self.wrong_attrs(),
        }
    }
}

/// Refuses a dimension number beyond `rank`.
pub(super) fn in_range(what: &str, dim: usize, rank: usize) -> Result<(), ShapeError> {
    if dim >= rank {
        return fail!("has dimension {dim} in {what}, of {rank} dimension{}", plural(rank));
    }
    Ok(())
}

/// Refuses dimension numbers that repeat or lie beyond `rank`. The mask says which occur.
pub(super) fn distinct(what: &str, dims: &[usize], rank: usize) -> Result<Vec<bool>, ShapeError> {
    let mut seen = vec![false; rank];
    for &d in dims {
        in_range(what, d, rank)?;
        if seen[d] {
            return fail!("has dimension {d} twice in {what}");
        }
        seen[d] = true;
    }
    Ok(seen)
}

/// Refuses dimension numbers that do not increase, or lie beyond `rank`. The mask says which occur.
pub(super) fn increasing(what: &str, dims: &[usize], rank: usize) -> Result<Vec<bool>, ShapeError> {
    let seen = distinct(what, dims, rank)?;
    if !dims.is_sorted() {
        return fail!("needs {what} in increasing order, not {dims:?}");
    }
    Ok(seen)
}

/// The dimensions outside the mask.
pub(super) fn without(dims: &[i64], mask: &[bool]) -> Vec<i64> {
    dims.iter().zip(mask).filter(|(_, m)| !**m).map(|(&d, _)| d).collect()
}

/// All arrays have the dimensions of the first.
pub(super) fn same_dims(arrays: &[&ArrayShape]) -> Result<(), ShapeError> {
    match arrays.iter().find(|a| a.dims != arrays[0].dims) {
        Some(other) => fail!("needs operands of the same dimensions, not {} and {other}", arrays[0]),
        None => Ok(()),
    }
}

/// Both have the same element type.
pub(super) fn same_dtype(a: &ArrayShape, b: &ArrayShape) -> Result<(), ShapeError> {
    if a.dtype != b.dtype {
        return fail!("needs operands of one element type, not {a} and {b}");
    }
    Ok(())
}

/// Refuses an element type outside a class, e.g. `needs integers, not f32[2]`.
pub(super) fn class(ok: bool, what: &str, shape: &ArrayShape) -> Result<(), ShapeError> {
    if !ok {
        return fail!("needs {what}, not {shape}");
    }
    Ok(())
}

/// Equal, or both floating point: what a reduction allows between its operands and its accumulator.
pub(super) fn same_but_precision(a: DType, b: DType) -> bool {
    a == b || (a.is_float() && b.is_float())
}

/// One shape is itself, several are a tuple: how variadic operations return.
pub(super) fn one_or_tuple(mut shapes: Vec<Shape>) -> Shape {
    match shapes.len() {
        1 => shapes.remove(0),
        _ => Shape::Tuple(shapes),
    }
}

pub(super) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
