//! Decompositions of the matrices in the last two dimensions, one for each index of those before, and what follows from them:
//! solutions, inverses and determinants of any square matrix. What needs a positive definite one is cheaper by
//! [`crate::tensor::linalg::cholesky`].
//!
//! They are computed in f32 or f64: f16 and bf16 are converted, integers are taken as floats, and complex numbers are refused.
//! Results have derivatives where they are unique but for signs: of `qr` and `lu` those of square matrices (of `qr` also of
//! tall ones), of `eigh` and `svd` those of different values; second derivatives are there too, higher ones are refused.
//! Operations that pack factors or give other vectors (`eig`) have none.

mod decompose;
mod derivative;
mod solve;

pub use decompose::{eig, eigh, lu, qr, svd};
pub use solve::{det, inv, slogdet, solve};
