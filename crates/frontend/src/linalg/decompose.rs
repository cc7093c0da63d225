//! The decompositions: the routine of each, and the derivative that goes with it.

use super::derivative;
use crate::error::Fault;
use crate::fault;
use crate::grad::custom_jvp;
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::promote::inexact;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::linalg::Linalg;
use lawson_hlo::{Attrs, InstrId, Opcode};
use std::panic::Location;

/// How often a decomposition can be differentiated.
pub(super) const TIMES: u32 = 2;

/// Q and R with A = Q R: of `[…, m, n]` matrices `[…, m, k]`, whose columns are orthonormal, and `[…, k, n]`, zero below the
/// diagonal, with k the smaller of m and n. The signs are those of Householder's reflectors.
///
/// The results carry an error where `a` has no matrices, or complex numbers; so do those of the other decompositions. There is
/// no derivative for matrices with more columns than rows.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::qr;
///
/// let (q, r) = qr(&Tensor::from([[3f64, 1.0], [4.0, 2.0]]));
/// assert_eq!(r.to_vec::<f64>()?[0], -5.0);
/// let product = q.matmul(&r).to_vec::<f64>()?;
/// assert!(product.iter().zip([3.0, 1.0, 4.0, 2.0]).all(|(x, y)| (x - y).abs() < 1e-14));
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn qr(a: &Tensor) -> (Tensor, Tensor) {
    qr_of(a, TIMES)
}

#[track_caller]
pub(super) fn qr_of(a: &Tensor, times: u32) -> (Tensor, Tensor) {
    let a = &floats("qr", a);
    match *a.dims() {
        [.., m, n] if m >= n && times > 0 => {
            let jvp = move |(a,): &(Tensor,), (t,): &(Tensor,)| derivative::qr(qr_of(a, times - 1), t);
            custom_jvp(factors, jvp)(a)
        }
        _ => factors(a),
    }
}

#[track_caller]
fn factors(a: &Tensor) -> (Tensor, Tensor) {
    let mut made = routine(a, 2, |e, a| {
        let made = e.op(Opcode::Linalg, &[a], Attrs::Linalg(Linalg::Qr))?;
        let (packed, taus) = (e.element(made, 0)?, e.element(made, 1)?);
        let dims = e.dims(packed)?;
        let rank = dims.len();
        let k = dims[rank - 2].min(dims[rank - 1]);
        let left = first(e, packed, rank - 1, k)?;
        let q = e.op(Opcode::Linalg, &[left, taus], Attrs::Linalg(Linalg::HouseholderProduct))?;
        Ok(vec![q, first(e, packed, rank - 2, k)?])
    });
    let r = made.pop().expect("two results").triu(0);
    (made.swap_remove(0), r)
}

/// The order of the rows of A, L and U with `A[order] = L U`: of `[…, m, n]` matrices `s32[…, m]`, `[…, m, k]` with ones on the
/// diagonal and zeros above, and `[…, k, n]` with zeros below, with k the smaller of m and n.
///
/// Matrices that are not square have no derivative.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::lu;
///
/// let (order, l, u) = lu(&Tensor::from([[1f32, 3.0], [4.0, 8.0]]));
/// assert_eq!(order.to_vec(), Ok(vec![1i32, 0]));
/// assert_eq!(l.to_vec(), Ok(vec![1f32, 0.0, 0.25, 1.0]));
/// assert_eq!(u.to_vec(), Ok(vec![4f32, 8.0, 0.0, 1.0]));
/// ```
#[track_caller]
pub fn lu(a: &Tensor) -> (Tensor, Tensor, Tensor) {
    let (factors, _, order) = lu_of(a, TIMES);
    let (l, u) = triangles(&factors);
    (order, l, u)
}

/// Both triangles in one matrix, the exchanges and the order of rows.
#[track_caller]
pub(super) fn lu_of(a: &Tensor, times: u32) -> (Tensor, Tensor, Tensor) {
    let a = &floats("lu", a);
    let packed = |a: &Tensor| three(decomposed(a, Linalg::Lu, 3));
    match *a.dims() {
        [.., m, n] if m == n && times > 0 => {
            let jvp = move |(a,): &(Tensor,), (t,): &(Tensor,)| derivative::lu(lu_of(a, times - 1), t);
            custom_jvp(packed, jvp)(a)
        }
        _ => packed(a),
    }
}

/// L and U of a packed matrix.
pub(super) fn triangles(factors: &Tensor) -> (Tensor, Tensor) {
    let [.., m, n] = *factors.dims() else { return (factors.clone(), factors.clone()) };
    let k = m.min(n);
    let lower = factors.slice_in_dim(0, k, -1).tril(-1) + Tensor::eye(m, k, 0, factors.dtype());
    (lower, factors.slice_in_dim(0, k, -2).triu(0))
}

/// Eigenvalues in ascending order and eigenvectors as columns, of symmetric matrices `[…, n, n]`: `[…, n]` and `[…, n, n]`. A is
/// taken as the mean of itself and its transpose, so that its derivative is symmetric.
///
/// The derivative of vectors is infinite where eigenvalues are equal.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::eigh;
///
/// let (values, vectors) = eigh(&Tensor::from([[2f64, 1.0], [1.0, 2.0]]));
/// let values = values.to_vec::<f64>()?;
/// assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14);
/// assert!((vectors.to_vec::<f64>()?[0].abs() - 0.5f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn eigh(a: &Tensor) -> (Tensor, Tensor) {
    eigh_of(a, TIMES)
}

#[track_caller]
fn eigh_of(a: &Tensor, times: u32) -> (Tensor, Tensor) {
    let a = &square("eigh", a);
    let plain = |a: &Tensor| {
        let half = a.astype(a.dtype().accumulator()) * 0.5;
        let mean = &half + half.swapaxes(-1, -2);
        let mut made = decomposed(&mean, Linalg::Eigh { vectors: true, lower: true }, 2);
        let values = made.pop().expect("two results");
        (values.astype(a.dtype()), made.swap_remove(0).astype(a.dtype()))
    };
    if times == 0 || a.error().is_some() {
        return plain(a);
    }
    let jvp = move |(a,): &(Tensor,), (t,): &(Tensor,)| derivative::eigh(eigh_of(a, times - 1), t);
    custom_jvp(plain, jvp)(a)
}

/// U, the singular values in descending order, and Vᵀ with A = U diag(s) Vᵀ: of `[…, m, n]` matrices `[…, m, k]`, `[…, k]` and
/// `[…, k, n]`, with k the smaller of m and n.
///
/// The derivative of vectors is infinite where values are equal, or zero.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::svd;
///
/// let (u, s, vt) = svd(&Tensor::from([[0f32, 2.0], [3.0, 0.0]]));
/// assert_eq!(s.to_vec(), Ok(vec![3f32, 2.0]));
/// assert_eq!((u * s).matmul(vt).to_vec(), Ok(vec![0f32, 2.0, 3.0, 0.0]));
/// ```
#[track_caller]
pub fn svd(a: &Tensor) -> (Tensor, Tensor, Tensor) {
    svd_of(a, TIMES)
}

#[track_caller]
fn svd_of(a: &Tensor, times: u32) -> (Tensor, Tensor, Tensor) {
    let a = &floats("svd", a);
    let plain = |a: &Tensor| {
        let (s, u, vt) = three(decomposed(a, Linalg::Svd { vectors: true, full: false }, 3));
        (u, s, vt)
    };
    if times == 0 || a.error().is_some() {
        return plain(a);
    }
    let jvp = move |(a,): &(Tensor,), (t,): &(Tensor,)| derivative::svd(svd_of(a, times - 1), t);
    custom_jvp(plain, jvp)(a)
}

/// The complex eigenvalues of `[…, n, n]` matrices in no order, and right eigenvectors of length one as columns.
///
/// There is no derivative. Complex numbers of narrower parts than f32 there are none: of f16 and bf16 they are c64.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::linalg::eig;
///
/// let (values, _) = eig(&Tensor::from([[0f32, -2.0], [2.0, 0.0]]));
/// assert_eq!(values.abs().to_vec(), Ok(vec![2f32, 2.0]));
/// ```
#[track_caller]
pub fn eig(a: &Tensor) -> (Tensor, Tensor) {
    let a = square("eig", a);
    let made = decomposed(&a.astype(a.dtype().accumulator()), Linalg::Eig { left: false, right: true }, 4);
    let together = |re: &Tensor, im: &Tensor| {
        Tensor::apply(Location::caller(), &[re, im], |e, ids| e.binary(Opcode::Complex, ids[0], ids[1]))
    };
    (together(&made[0], &made[1]), together(&made[2], &made[3]))
}

/// Matrices of floats; an error where there are none.
#[track_caller]
pub(super) fn floats(name: &str, a: &Tensor) -> Tensor {
    let dtype = inexact(a.dtype());
    if a.error().is_some() || dtype.is_float() && a.rank() >= 2 {
        return a.astype(dtype);
    }
    Tensor::apply(Location::caller(), &[a], |e, ids| {
        let shape = e.array(ids[0])?;
        fault!("`{name}` of {shape}: needs matrices of floating-point numbers")
    })
}

/// As [`floats`], square ones.
#[track_caller]
pub(super) fn square(name: &str, a: &Tensor) -> Tensor {
    match *a.dims() {
        [.., m, n] if m != n && a.error().is_none() => Tensor::apply(Location::caller(), &[a], |e, ids| {
            let shape = e.array(ids[0])?;
            fault!("`{name}` of {shape}, which is no square matrix")
        }),
        _ => floats(name, a),
    }
}

/// The results of a routine.
#[track_caller]
fn decomposed(a: &Tensor, how: Linalg, count: usize) -> Vec<Tensor> {
    routine(a, count, |e, a| {
        let made = e.op(Opcode::Linalg, &[a], Attrs::Linalg(how))?;
        e.elements(made)
    })
}

/// What is made of matrices, computed in f32 where floats are narrower.
#[track_caller]
fn routine(
    a: &Tensor,
    count: usize,
    f: impl FnOnce(&mut Emit<'_>, InstrId) -> Result<Vec<InstrId>, Fault>,
) -> Vec<Tensor> {
    Tensor::apply_many(Location::caller(), &[a], count, |e, ids| {
        let dtype = e.dtype(ids[0])?;
        let wide = e.convert(ids[0], dtype.accumulator())?;
        let made = f(e, wide)?;
        let narrow = |id| if e.dtype(id)?.is_float() { e.convert(id, dtype) } else { Ok(id) };
        made.into_iter().map(narrow).collect()
    })
}

fn three(made: Vec<Tensor>) -> (Tensor, Tensor, Tensor) {
    let made: Result<[Tensor; 3], _> = made.try_into();
    let Ok([a, b, c]) = made else { unreachable!("three results were asked for") };
    (a, b, c)
}

/// The first so many rows or columns.
fn first(e: &mut Emit<'_>, a: InstrId, axis: usize, count: i64) -> Result<InstrId, Fault> {
    let dims = e.dims(a)?;
    let limit = |d: usize| if d == axis { count } else { dims[d] };
    let ranges = (0..dims.len()).map(|d| SliceDim { start: 0, limit: limit(d), stride: 1 }).collect();
    e.slice(a, ranges)
}
