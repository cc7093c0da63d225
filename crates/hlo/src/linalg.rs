//! Routines of linear algebra that text has as custom calls: their targets and options.
//!
//! What they read and make is told in `docs/linear-algebra.md`; [`crate::library`] has their meaning.

use crate::dtype::DType;
use crate::shape::{ArrayShape, Shape};
use std::fmt;

/// What is computed of each matrix of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linalg {
    Eig {
        left: bool,
        right: bool,
    },
    /// Of a symmetric matrix, of which one triangle is read.
    Eigh {
        vectors: bool,
        lower: bool,
    },
    Hessenberg,
    /// The product of the reflectors that the others pack.
    HouseholderProduct,
    Lu,
    /// With exchanged columns.
    PivotedQr,
    Qr,
    Schur {
        vectors: bool,
    },
    Svd {
        vectors: bool,
        full: bool,
    },
    /// Of a symmetric matrix, of which one triangle is read.
    Tridiagonal {
        lower: bool,
    },
}

/// Every routine by target, with its default options; what prints is the first target of a routine.
pub const TARGETS: &[(&str, Linalg)] = &[
    ("lawson.eig", Linalg::Eig { left: true, right: true }),
    ("lawson.eigh", Linalg::Eigh { vectors: true, lower: true }),
    ("lawson.hessenberg", Linalg::Hessenberg),
    ("ProductOfElementaryHouseholderReflectors", Linalg::HouseholderProduct),
    ("lawson.lu", Linalg::Lu),
    ("LuDecomposition", Linalg::Lu),
    ("lawson.geqp3", Linalg::PivotedQr),
    ("Qr", Linalg::Qr),
    ("lawson.schur", Linalg::Schur { vectors: true }),
    ("lawson.svd", Linalg::Svd { vectors: true, full: true }),
    ("lawson.tridiagonal", Linalg::Tridiagonal { lower: true }),
];

impl Linalg {
    /// The routine of a target without options; `None` where there is none of that name.
    pub fn of_target(target: &str) -> Option<Linalg> {
        TARGETS.iter().find(|(name, _)| *name == target).map(|&(_, routine)| routine)
    }

    /// With the options of a `backend_config`: JSON or a dictionary of MLIR, in quotes or not.
    ///
    /// # Errors
    /// An option that the routine does not have, or that is no boolean.
    pub fn with_config(mut self, config: &str) -> Result<Linalg, String> {
        let plain: String = config.chars().filter(|c| !matches!(c, '"' | '\\' | '{' | '}')).collect();
        for option in plain.split(',').map(str::trim).filter(|o| !o.is_empty()) {
            let (name, value) = option.split_once([':', '=']).unwrap_or((option, ""));
            let (name, value) = (name.trim(), value.trim());
            let value = match value {
                "true" => true,
                "false" => false,
                _ => return Err(format!("option `{name}` of {self} needs true or false, not `{value}`")),
            };
            match self.option(name) {
                Some(option) => *option = value,
                None => return Err(format!("{self} has no option `{name}`")),
            }
        }
        Ok(self)
    }

    fn option(&mut self, name: &str) -> Option<&mut bool> {
        match (self, name) {
            (Linalg::Eigh { lower, .. } | Linalg::Tridiagonal { lower }, "lower") => Some(lower),
            (Linalg::Eigh { vectors, .. }, "vectors") => Some(vectors),
            (Linalg::Eig { left, .. }, "left") => Some(left),
            (Linalg::Eig { right, .. }, "right") => Some(right),
            (Linalg::Schur { vectors }, "vectors") => Some(vectors),
            (Linalg::Svd { vectors, .. }, "compute_uv") => Some(vectors),
            (Linalg::Svd { full, .. }, "full_matrices") => Some(full),
            _ => None,
        }
    }

    /// The target that prints.
    pub fn target(&self) -> &'static str {
        let same =
            |(_, routine): &&(&str, Linalg)| std::mem::discriminant(routine) == std::mem::discriminant(self);
        TARGETS.iter().find(same).map_or("", |(name, _)| name)
    }

    /// The results for one matrix of so many rows and columns.
    pub fn results(self, dtype: DType, (m, n): (i64, i64)) -> Vec<ArrayShape> {
        let k = m.min(n);
        let array = |dims: &[i64]| ArrayShape::new(dtype, dims);
        let indices = |n: i64| ArrayShape::new(DType::S32, [n]);
        let (matrix, values) = (|| array(&[m, n]), || array(&[k]));
        // Of Hermitian matrices, and of lengths.
        let reals = || ArrayShape::new(dtype.part(), [k]);
        // One less than the order, but of an empty matrix.
        let beside = || array(&[(n - 1).max(0)]);
        match self {
            Linalg::HouseholderProduct => vec![matrix()],
            Linalg::Qr => vec![matrix(), values()],
            Linalg::PivotedQr => vec![matrix(), indices(n), values()],
            Linalg::Lu => vec![matrix(), indices(k), indices(m)],
            Linalg::Eigh { vectors: true, .. } => vec![matrix(), reals()],
            Linalg::Eigh { vectors: false, .. } => vec![reals()],
            Linalg::Svd { vectors: false, .. } => vec![reals()],
            Linalg::Svd { full: true, .. } => vec![reals(), array(&[m, m]), array(&[n, n])],
            Linalg::Svd { full: false, .. } => vec![reals(), array(&[m, k]), array(&[k, n])],
            Linalg::Eig { left, right } if dtype.is_complex() => {
                let vectors = (0..left as usize + right as usize).map(|_| matrix());
                [values()].into_iter().chain(vectors).collect()
            }
            Linalg::Eig { left, right } => {
                let vectors = (0..2 * (left as usize + right as usize)).map(|_| matrix());
                [values(), values()].into_iter().chain(vectors).collect()
            }
            Linalg::Schur { vectors: true } => vec![matrix(), matrix()],
            Linalg::Schur { vectors: false } => vec![matrix()],
            Linalg::Hessenberg => vec![matrix(), beside()],
            Linalg::Tridiagonal { .. } => {
                let real = ArrayShape::new(dtype.part(), beside().dims);
                vec![matrix(), reals(), real, beside()]
            }
        }
    }

    /// Every option with its value.
    pub fn options(&self) -> Vec<(&'static str, bool)> {
        match *self {
            Linalg::Eigh { vectors, lower } => vec![("lower", lower), ("vectors", vectors)],
            Linalg::Tridiagonal { lower } => vec![("lower", lower)],
            Linalg::Eig { left, right } => vec![("left", left), ("right", right)],
            Linalg::Schur { vectors } => vec![("vectors", vectors)],
            Linalg::Svd { vectors, full } => vec![("compute_uv", vectors), ("full_matrices", full)],
            Linalg::Hessenberg | Linalg::HouseholderProduct | Linalg::Lu | Linalg::PivotedQr | Linalg::Qr => {
                vec![]
            }
        }
    }

    /// The options as JSON, where there are any.
    pub fn config(&self) -> Option<String> {
        let options: Vec<String> = self.options().iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
        (!options.is_empty()).then(|| format!("{{{}}}", options.join(",")))
    }
}

/// The shape of results for each element of a batch of these dimensions: a tuple of several.
pub fn batched(results: Vec<ArrayShape>, batch: &[i64]) -> Shape {
    let array = |a: ArrayShape| Shape::array(a.dtype, [batch, &a.dims].concat());
    let mut shapes: Vec<Shape> = results.into_iter().map(array).collect();
    match (shapes.len(), shapes.pop()) {
        (1, Some(result)) => result,
        (_, last) => Shape::Tuple(shapes.into_iter().chain(last).collect()),
    }
}

impl fmt::Display for Linalg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.target())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_json_and_as_a_dictionary() {
        let svd = Linalg::of_target("lawson.svd").expect("a target");
        let wanted = Ok(Linalg::Svd { vectors: true, full: false });
        assert_eq!(svd.with_config(r#"{"full_matrices":false}"#), wanted);
        assert_eq!(svd.with_config(r#""{\"full_matrices\": false, \"compute_uv\": true}""#), wanted);
        assert_eq!(svd.with_config("{full_matrices = false}"), wanted);
        assert_eq!(svd.with_config("\"\""), Ok(svd));
        assert_eq!(svd.with_config("{lower=true}"), Err("lawson.svd has no option `lower`".into()));
        let error = "option `compute_uv` of lawson.svd needs true or false, not `1`";
        assert_eq!(svd.with_config("{compute_uv=1}"), Err(error.into()));
    }

    #[test]
    fn what_prints_reads_back() {
        for &(_, routine) in TARGETS {
            let again = Linalg::of_target(routine.target()).expect("a target");
            assert_eq!(again.with_config(&routine.config().unwrap_or_default()), Ok(routine));
        }
    }
}
