//! Types: those that Lawson has are shapes, others keep their name until something uses them.

use lawson_hlo::{DType, Shape};
use std::fmt;
use std::sync::Arc;

/// How many dimensions an array may have.
const MAX_RANK: usize = 64;

/// How many parts a tuple may have in all.
const MAX_PARTS: usize = 256;

/// Arguments and results of a function.
#[derive(Debug)]
pub struct Signature {
    pub inputs: Vec<Type>,
    pub outputs: Vec<Type>,
}

/// The type of a value or an attribute. Cloning is cheap.
#[derive(Clone, Debug)]
pub enum Type {
    /// An array, a tuple or a token.
    Shape(Arc<Shape>),
    /// A number by itself: the type of `1 : i64`.
    Element(DType),
    Function(Arc<Signature>),
    /// What Lawson has no values of, in words: `the dynamic shape tensor<?xf32>`.
    Refused(Arc<str>),
}

impl Type {
    pub fn of(shape: Shape) -> Type {
        Type::Shape(Arc::new(shape))
    }

    pub fn refused(why: impl Into<Arc<str>>) -> Type {
        Type::Refused(why.into())
    }

    pub fn shape(&self) -> Option<&Shape> {
        match self {
            Type::Shape(shape) => Some(shape),
            _ => None,
        }
    }

    /// Complex numbers with parts of this type.
    pub fn complex(part: &Type) -> Type {
        let complex = match part {
            Type::Element(part) => DType::complex_of(*part),
            Type::Refused(why) => return Type::Refused(why.clone()),
            _ => None,
        };
        complex.map_or_else(|| Type::refused(format!("complex numbers of {part}")), Type::Element)
    }

    /// An array of this type and these extents, where such values can be.
    pub fn tensor(element: &Type, dims: Vec<i64>) -> Type {
        match element {
            _ if dims.len() > MAX_RANK => {
                Type::refused(format!("an array of {} dimensions: {MAX_RANK} are the most", dims.len()))
            }
            _ if dims.iter().any(|&d| d < 0) => Type::refused("a dynamic shape: shapes must be static"),
            Type::Element(dtype) => Type::of(Shape::array(*dtype, dims)),
            Type::Refused(why) => Type::Refused(why.clone()),
            _ => Type::refused("an array of something else than numbers"),
        }
    }

    /// A tuple of these.
    pub fn tuple(parts: &[Type]) -> Type {
        let mut shapes = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Type::Shape(shape) => shapes.push(shape.clone()),
                Type::Refused(why) => return Type::Refused(why.clone()),
                _ => return Type::refused("a tuple of something else than arrays"),
            }
        }
        let size: usize = shapes.iter().map(|s| size(s)).sum();
        if size > MAX_PARTS {
            return Type::refused(format!("a tuple of more than {MAX_PARTS} parts"));
        }
        Type::of(Shape::Tuple(shapes.iter().map(|s| (**s).clone()).collect()))
    }
}

/// The number of parts, of parts of parts, and so on; bounded since tuples are where they are made.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Tuple(parts) => 1 + parts.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Shape(shape) => write!(f, "{shape}"),
            Type::Element(dtype) => write!(f, "{dtype}"),
            Type::Function(_) => f.write_str("a function"),
            Type::Refused(why) => f.write_str(why),
        }
    }
}

/// The element type that MLIR writes like this: `i32`, `ui8`, `f8E4M3FN`.
pub fn dtype(name: &str) -> Option<DType> {
    let number = |prefix: char, width: &str| DType::from_name(&format!("{prefix}{width}"));
    match name {
        "i1" => DType::from_name("pred"),
        "index" => number('s', "64"),
        _ => match name.split_at(name.find(|c: char| c.is_ascii_digit())?) {
            ("i" | "si", width) => number('s', width),
            ("ui", width) => number('u', width),
            ("f" | "bf", _) => DType::from_name(&name.to_ascii_lowercase()).filter(|d| d.is_float()),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_element_types() {
        let name = |mlir: &str| dtype(mlir).map(DType::name);
        let known = [("i1", "pred"), ("i32", "s32"), ("si4", "s4"), ("ui64", "u64"), ("index", "s64")];
        for (mlir, hlo) in known.into_iter().chain([("bf16", "bf16"), ("f8E4M3B11FNUZ", "f8e4m3b11fnuz")]) {
            assert_eq!(name(mlir), Some(hlo));
        }
        assert!(["s32", "c64", "babybear", "f80", "i7", "tensor"].iter().all(|n| dtype(n).is_none()));
    }
}
