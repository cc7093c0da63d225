//! Random matrices with orthonormal columns or rows: the orthogonal factor of normal ones.
//!
//! ```text
//! z = q · r, r upper triangular with a positive diagonal: q is uniform among all such matrices
//! ```
//!
//! That factor is unique, so any algorithm gives it (Mezzadri, "How to generate random matrices from the classical compact
//! groups", 2007). Here it is Cholesky's of zᵀ · z, three times, the first with a shift that keeps it positive definite
//! (Fukaya et al., "Shifted Cholesky QR for computing the QR factorization of ill-conditioned matrices", 2020), in f64.

use super::normal;
use crate::tensor::Tensor;
use crate::tensor::linalg::{Transpose, Triangular, cholesky, solve_triangular};
use lawson_hlo::DType;

/// A matrix `[rows, columns]` whose columns, or where there are fewer rows its rows, are of length 1 and orthogonal: each with
/// the same probability (Haar's measure). f16, bf16, f32 or f64.
///
/// Carries an error where the type is another, or `key` is no key.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, Tensor, random};
///
/// let q = random::orthogonal(&random::key(0), 6, 4, DType::F32);
/// let product = q.t().matmul(&q);
/// assert!((product - Tensor::eye(4, 4, 0, DType::F32)).abs().max().item::<f32>()? < 1e-6);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn orthogonal(key: &Tensor, rows: i64, columns: i64, dtype: DType) -> Tensor {
    let (long, short) = (rows.max(columns), rows.min(columns));
    let z = normal(key, [long, short], dtype);
    if short < 1 || z.error().is_some() {
        return z.reshape([rows, columns]);
    }
    let z = z.astype(DType::F64);
    let (m, n) = (long as f64, short as f64);
    let shift = 11.0 * (m * n + n * (n + 1.0)) * (f64::EPSILON / 2.0);
    let shift = z.square().sum() * shift * Tensor::eye(short, short, 0, DType::F64);
    let first = orthogonalised(&z, |gram| gram + shift);
    let q = (0..2).fold(first, |q, _| orthogonalised(&q, |gram| gram)).astype(dtype);
    if rows < columns { q.t() } else { q }
}

/// q · L⁻ᵀ with L the Cholesky factor of what `f` makes of qᵀ · q.
#[track_caller]
fn orthogonalised(q: &Tensor, f: impl FnOnce(Tensor) -> Tensor) -> Tensor {
    let factor = cholesky(&f(q.t().matmul(q)));
    let how = Triangular {
        lower: true,
        transpose: Transpose::Transpose,
        right_side: true,
        ..Triangular::default()
    };
    solve_triangular(&factor, q, &how)
}
