//! Equations, inverses and determinants by LU factors.

use super::decompose::{TIMES, lu_of, square, triangles};
use crate::tensor::elementwise::broadcast_dims;
use crate::tensor::linalg::{Triangular, solve_triangular};
use crate::tensor::operand::{AsTensor, Promoted, promoted};
use crate::tensor::promote::inexact;
use crate::tensor::{Tensor, where_};
use std::panic::Location;

/// The solution x of A x = b for square matrices A of `[…, n, n]`: for `b` of `[…, n, k]`, or a vector `[n]`. Where A is
/// singular it is infinite or NaN.
///
/// The result carries an error that shows both shapes where they do not fit.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::solve;
///
/// let (a, b) = (Tensor::from([[0f32, 2.0], [4.0, 0.0]]), Tensor::from([6f32, 8.0]));
/// assert_eq!(solve(&a, &b).to_vec(), Ok(vec![2f32, 3.0]));
/// ```
#[track_caller]
pub fn solve(a: &Tensor, b: &Tensor) -> Tensor {
    let common = match promoted(Location::caller(), "solve", &[a.operand(), b.operand()], inexact) {
        Ok(Promoted { kind, .. }) => kind.dtype,
        Err(e) => return Tensor::failed(e),
    };
    // Real matrices are factored as such.
    let of_matrix = if a.dtype().is_complex() { common } else { common.part() };
    let (factors, _, order) = lu_of(&square("solve", &a.astype(of_matrix)), TIMES);
    let (l, u) = triangles(&factors);
    let b = b.astype(common);
    let vector = b.rank() == 1;
    let sides = if vector { b.expand_dims(-1) } else { b };
    let moved = rows(&sides, &order);
    let first = Triangular { lower: true, unit_diagonal: true, ..Triangular::default() };
    let x = solve_triangular(&u, &solve_triangular(&l, &moved, &first), &Triangular::default());
    if vector { x.squeeze(-1) } else { x }
}

/// The rows of right-hand sides in another order for each matrix, whose batch dimensions they get.
fn rows(sides: &Tensor, order: &Tensor) -> Tensor {
    let (of, at) = (sides.dims().to_vec(), order.dims().to_vec());
    let ([.., n, k], [batch @ .., _]) = (&of[..], &at[..]) else { return sides.clone() };
    // Where they do not broadcast, the equations say so.
    let Some(common) = broadcast_dims(&of[..of.len() - 2], batch) else { return sides.clone() };
    let whole = [&common[..], &[*n, *k]].concat();
    let order = order.expand_dims(-1).broadcast_to(&whole);
    sides.broadcast_to(&whole).take_along_axis(&order, -2)
}

/// The inverse of square matrices; infinite or NaN of singular ones.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::inv;
///
/// let a = Tensor::from([[0f32, 2.0], [4.0, 0.0]]);
/// assert_eq!(inv(&a).to_vec(), Ok(vec![0f32, 0.25, 0.5, 0.0]));
/// ```
#[track_caller]
pub fn inv(a: &Tensor) -> Tensor {
    let a = square("inv", a);
    match a.dims().last() {
        Some(&n) => solve(&a, &Tensor::eye(n, n, 0, a.dtype())),
        None => solve(&a, &a),
    }
}

/// The determinant of square matrices: of `[…, n, n]` one number for each. Its derivative is NaN where a matrix is singular.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::{det, slogdet};
///
/// let a = Tensor::from([[0f32, 2.0], [4.0, 1.0]]);
/// assert_eq!(det(&a).item(), Ok(-8f32));
/// let (sign, logarithm) = slogdet(&a);
/// assert_eq!((sign.item(), logarithm.item()), (Ok(-1f32), Ok(8f32.ln())));
/// ```
#[track_caller]
pub fn det(a: &Tensor) -> Tensor {
    let (factors, pivots, _) = lu_of(&square("det", a), TIMES);
    let diagonal = factors.diagonal(0);
    diagonal.prod_axes(-1) * parity(&pivots).astype(factors.dtype())
}

/// The sign of the determinant, and the logarithm of its absolute value: 0 and -inf of singular matrices.
#[track_caller]
pub fn slogdet(a: &Tensor) -> (Tensor, Tensor) {
    let (factors, pivots, _) = lu_of(&square("slogdet", a), TIMES);
    let diagonal = factors.diagonal(0);
    let sign = diagonal.sign().prod_axes(-1) * parity(&pivots).astype(factors.dtype());
    (sign, diagonal.abs().log().sum_axes(-1))
}

/// 1 where the number of exchanged rows is even, else −1.
fn parity(pivots: &Tensor) -> Tensor {
    let n = pivots.dims().last().copied().unwrap_or(0);
    let stays = pivots.equal(Tensor::arange(0..n, pivots.dtype()));
    where_(stays, 1i32, -1i32).prod_axes(-1)
}
