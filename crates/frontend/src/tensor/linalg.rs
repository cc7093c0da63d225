//! Linear algebra of the matrices in the last two dimensions, one for each index of those before.
//!
//! Cholesky factors, triangular systems, and what follows from both for symmetric (of complex numbers Hermitian)
//! positive definite matrices: solutions, inverses, determinants. Integers are taken as f32. Where a matrix is not
//! positive definite, the factor and all that follows from it are NaN.
//!
//! In what follows from Cholesky factors, n is the extent of the matrices; each takes O(n³) operations.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::Tensor;
//! use lawson::tensor::linalg::{cholesky, solve_positive_definite};
//!
//! let a = Tensor::from([[4f32, 2.0], [2.0, 2.0]]);
//! assert_eq!(cholesky(&a).to_vec(), Ok(vec![2f32, 0.0, 1.0, 1.0]));
//! let b = Tensor::from([8f32, 6.0]);
//! assert_eq!(solve_positive_definite(&a, &b).to_vec(), Ok(vec![1f32, 2.0]));
//! ```

use super::elementwise::{Place, broadcast_dims, stretch};
use super::operand::{AsTensor, Promoted, promoted};
use super::promote::inexact;
use super::{Axes, Tensor};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
pub use lawson_hlo::attrs::Transpose;
use lawson_hlo::attrs::TriangularSolve;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode};
use std::panic::Location;

/// The lower triangular matrix L with L Lᵀ = A (of complex numbers its conjugate), with zeros above the diagonal, of
/// `[…, n, n]`. A is taken as the mean of itself and its transpose, as JAX does, so that its derivative is symmetric.
///
/// The result carries an error where the matrices are not square.
#[track_caller]
pub fn cholesky(a: &Tensor) -> Tensor {
    let factor = floating(Location::caller(), "cholesky", &[a], |e, ids| {
        let shape = e.array(ids[0])?.clone();
        square("cholesky", &shape)?;
        // Halves in the wide type have a sum that is finite, and rounded once.
        let wide = e.convert(ids[0], shape.dtype.accumulator())?;
        let half = e.splat_like(wide, 0.5)?;
        let halved = e.mul(wide, half)?;
        let transposed = adjoint(e, halved)?;
        let mean = e.add(halved, transposed)?;
        let factor = e.op(Opcode::Cholesky, &[mean], Attrs::Cholesky(true))?;
        e.convert(factor, shape.dtype)
    });
    factor.tril(0)
}

/// How [`solve_triangular`] takes its matrix. The default is the upper triangle as it is, on the left, as in SciPy
/// and JAX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Triangular {
    /// Which triangle is read, before it is transposed.
    pub lower: bool,
    /// Whether A is taken as it is, transposed or adjoint.
    pub transpose: Transpose,
    /// The diagonal counts as ones and is not read.
    pub unit_diagonal: bool,
    /// Solves x A = b.
    pub right_side: bool,
}

impl Default for Triangular {
    fn default() -> Triangular {
        Triangular { lower: false, transpose: Transpose::No, unit_diagonal: false, right_side: false }
    }
}

/// The solution x of A x = b with a triangle A of `[…, n, n]`: for `b` of `[…, n, k]`, or a vector `[n]`. Batch
/// dimensions broadcast. The other triangle is not read.
///
/// The result carries an error that shows both shapes where they do not fit.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::linalg::{Triangular, solve_triangular};
///
/// let (a, b) = (Tensor::from([[2f32, 0.0], [1.0, 4.0]]), Tensor::from([4f32, 10.0]));
/// let how = Triangular { lower: true, ..Triangular::default() };
/// assert_eq!(solve_triangular(&a, &b, &how).to_vec(), Ok(vec![2f32, 2.0]));
/// ```
#[track_caller]
pub fn solve_triangular(a: &Tensor, b: &Tensor, how: &Triangular) -> Tensor {
    solved(Location::caller(), "solve_triangular", a, b, |e, a, b| triangular(e, a, b, how))
}

/// The solution x of A x = b by the factor L of [`cholesky`]: L (Lᵀ x) = b. Dimensions are those of
/// [`solve_triangular`].
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::linalg::{cho_solve, cholesky};
///
/// let (a, b) = (Tensor::from([[4f32, 0.0], [0.0, 9.0]]), Tensor::from([8f32, 27.0]));
/// assert_eq!(cho_solve(&cholesky(&a), &b).to_vec(), Ok(vec![2f32, 3.0]));
/// ```
#[track_caller]
pub fn cho_solve(factor: &Tensor, b: &Tensor) -> Tensor {
    solved(Location::caller(), "cho_solve", factor, b, |e, a, b| {
        let lower = Triangular { lower: true, ..Triangular::default() };
        let half = triangular(e, a, b, &lower)?;
        triangular(e, a, half, &Triangular { transpose: Transpose::Adjoint, ..lower })
    })
}

/// The solution x of A x = b for a positive definite A. Dimensions are those of [`solve_triangular`].
#[track_caller]
pub fn solve_positive_definite(a: &Tensor, b: &Tensor) -> Tensor {
    let place = Location::caller();
    match promoted(place, "solve_positive_definite", &[a.operand(), b.operand()], inexact) {
        Ok(Promoted { kind, .. }) => cho_solve(&cholesky(&a.astype(kind.dtype)), b),
        Err(e) => Tensor::failed(e),
    }
}

/// The inverse of a positive definite matrix.
///
/// The result carries an error where the matrices are not square; so do the determinants.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::linalg::{det_positive_definite, inv_positive_definite, logdet_positive_definite};
///
/// let a = Tensor::from([[4f32, 0.0], [0.0, 4.0]]);
/// assert_eq!(inv_positive_definite(&a).to_vec(), Ok(vec![0.25f32, 0.0, 0.0, 0.25]));
/// assert!((det_positive_definite(&a).item::<f32>()? - 16.0).abs() < 1e-4);
/// assert!((logdet_positive_definite(&a).item::<f32>()? - 16f32.ln()).abs() < 1e-5);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn inv_positive_definite(a: &Tensor) -> Tensor {
    let factor = cholesky(a);
    match factor.dims().last() {
        Some(&n) => cho_solve(&factor, &Tensor::eye(n, n, 0, factor.dtype())),
        None => factor,
    }
}

/// The logarithm of the determinant of a positive definite matrix: of `[…, n, n]` one number for each.
#[track_caller]
pub fn logdet_positive_definite(a: &Tensor) -> Tensor {
    2.0 * cholesky(a).diagonal(0).log().sum_axes(-1)
}

/// The determinant of a positive definite matrix: of `[…, n, n]` one number for each.
#[track_caller]
pub fn det_positive_definite(a: &Tensor) -> Tensor {
    cholesky(a).diagonal(0).prod_axes(-1).square()
}

/// The length of vectors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Norm {
    /// The sum of absolute values.
    One,
    /// The square root of the sum of squares.
    Two,
    /// The largest absolute value.
    Infinity,
    /// The least absolute value.
    NegativeInfinity,
    /// (Σ |x|ᵖ)^(1/p).
    P(f64),
}

impl Tensor {
    /// The square root of the sum of squares of all elements.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::tensor::linalg::Norm;
    ///
    /// let x = Tensor::from([[3f32, -4.0], [0.0, 1.0]]);
    /// assert_eq!(x.norm().item(), Ok(26f32.sqrt()));
    /// assert_eq!(x.norm_axes(Norm::Two, 1).to_vec(), Ok(vec![5f32, 1.0]));
    /// assert_eq!(x.norm_axes(Norm::One, 0).to_vec(), Ok(vec![3f32, 5.0]));
    /// assert_eq!(x.norm_axes(Norm::Infinity, 0).to_vec(), Ok(vec![3f32, 4.0]));
    /// ```
    #[track_caller]
    pub fn norm(&self) -> Tensor {
        self.flatten().norm_axes(Norm::Two, 0)
    }

    /// The norm of the vectors along these dimensions, which go.
    ///
    /// The result carries an error where the array has no such axis.
    #[track_caller]
    pub fn norm_axes(&self, norm: Norm, axes: impl Axes) -> Tensor {
        let x = if self.dtype().is_continuous() { self.clone() } else { self.astype(inexact(self.dtype())) };
        match norm {
            Norm::One => x.abs().sum_axes(axes),
            Norm::Two if x.dtype().is_complex() => x.abs().square().sum_axes(axes).sqrt(),
            Norm::Two => x.square().sum_axes(axes).sqrt(),
            Norm::Infinity => x.abs().max_axes(axes),
            Norm::NegativeInfinity => x.abs().min_axes(axes),
            Norm::P(p) => x.abs().pow(p).sum_axes(axes).pow(1.0 / p),
        }
    }
}

/// What `f` makes of operands in the floating-point type that they have in common.
fn floating(
    place: Place,
    name: &str,
    operands: &[&Tensor],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Tensor {
    let all: Vec<_> = operands.iter().map(|t| t.operand()).collect();
    let Promoted { tensors, kind } = match promoted(place, name, &all, inexact) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    Tensor::apply(place, &tensors, |e, ids| {
        let ids = ids.iter().map(|&id| e.convert(id, kind.dtype)).collect::<Result<Vec<_>, _>>()?;
        f(e, &ids)
    })
}

/// A solution for matrices or one vector, with batch dimensions that broadcast.
fn solved(
    place: Place,
    name: &str,
    a: &Tensor,
    b: &Tensor,
    f: impl FnOnce(&mut Emit<'_>, InstrId, InstrId) -> Result<InstrId, Fault>,
) -> Tensor {
    floating(place, name, &[a, b], |e, ids| {
        let (of_a, of_b) = (e.array(ids[0])?.clone(), e.array(ids[1])?.clone());
        square(name, &of_a)?;
        let vector = of_b.rank() == 1;
        let mut dims = of_b.dims.clone();
        if vector {
            dims.push(1);
        }
        let [batch @ .., _, _] = &dims[..] else {
            return fault!("`{name}` of {of_a} and {of_b}, which is no matrix or vector");
        };
        let of_batch = &of_a.dims[..of_a.rank() - 2];
        let Some(common) = broadcast_dims(of_batch, batch) else {
            return fault!("`{name}` of {of_a} and {of_b}, whose batch dimensions do not broadcast");
        };
        let own = &of_a.dims[of_a.rank() - 2..];
        let a = stretch(e, ids[0], &[&common, own].concat())?;
        let b = e.reshape(ids[1], &dims)?;
        let b = stretch(e, b, &[&common, &dims[dims.len() - 2..]].concat())?;
        let wrong = |why: Fault| Fault(format!("`{name}` of {of_a} and {of_b}: {why}"));
        let x = f(e, a, b).map_err(wrong)?;
        let mut found = e.dims(x)?;
        if vector {
            found.pop();
        }
        e.reshape(x, &found)
    })
}

fn triangular(e: &mut Emit<'_>, a: InstrId, b: InstrId, how: &Triangular) -> Result<InstrId, Fault> {
    let attrs = TriangularSolve {
        left_side: !how.right_side,
        lower: how.lower,
        unit_diagonal: how.unit_diagonal,
        transpose_a: how.transpose,
    };
    e.op(Opcode::TriangularSolve, &[a, b], Attrs::TriangularSolve(attrs))
}

/// # Errors
/// The last two dimensions are not those of square matrices.
fn square(name: &str, shape: &ArrayShape) -> Result<(), Fault> {
    match shape.dims[..] {
        [.., m, n] if m == n => Ok(()),
        _ => fault!("`{name}` of {shape}, which is no square matrix"),
    }
}

/// The matrices transposed, of complex numbers conjugated.
fn adjoint(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let rank = e.array(x)?.rank();
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    let x = super::contract::conjugated(e, x)?;
    e.transpose(x, &order)
}
