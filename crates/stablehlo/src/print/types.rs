//! Types as MLIR writes them.

use crate::error::{Error, Place, Result};
use lawson_hlo::dtype::{Algebra, DType, Float, TypeKind};
use lawson_hlo::{ArrayShape, Shape};

/// The arrays and tokens of a value, in order: each is a value of its own in StableHLO.
pub fn leaves(shape: &Shape) -> Vec<&Shape> {
    match shape {
        Shape::Tuple(parts) => parts.iter().flat_map(leaves).collect(),
        other => vec![other],
    }
}

/// The type of an array or a token.
pub fn of(shape: &Shape) -> Result<String> {
    match shape {
        Shape::Array(array) => tensor(array),
        Shape::Token => Ok("!stablehlo.token".into()),
        other => Err(Error::unsupported(Place::Unknown, format!("{other} has no type in StableHLO"))),
    }
}

pub fn tensor(array: &ArrayShape) -> Result<String> {
    let dims: String = array.dims.iter().map(|d| format!("{d}x")).collect();
    Ok(format!("tensor<{dims}{}>", element(array.dtype)?))
}

/// The element type.
pub fn element(dtype: DType) -> Result<String> {
    let none = || Err(Error::unsupported(Place::Unknown, format!("StableHLO has no element type {dtype}")));
    let width = dtype.bits();
    match dtype.kind() {
        TypeKind::Pred => Ok("i1".into()),
        TypeKind::Signed(_) => Ok(format!("i{width}")),
        TypeKind::Unsigned(_) => Ok(format!("ui{width}")),
        TypeKind::Float(float) => Ok(match float {
            Float::F16 | Float::Bf16 | Float::F32 | Float::F64 => dtype.name().into(),
            // Only the `f` is small.
            Float::Small(_) => format!("f{}", dtype.name()[1..].to_ascii_uppercase()),
        }),
        TypeKind::Composite(composite) => match composite.algebra {
            Algebra::Complex => Ok(format!("complex<{}>", element(composite.part)?)),
            Algebra::Extension(_) | Algebra::Words(_) => none(),
        },
        TypeKind::Field(_) => none(),
    }
}
