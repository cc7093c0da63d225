//! Eigenvalues and vectors of symmetric matrices: what is tridiagonal is decomposed by faer, and its vectors are reflected back.

use crate::element::Element;
use crate::reflectors::reflect_by_rows;
use crate::team::Team;
use crate::tridiagonal::Tridiagonal;
use faer::diag::{DiagMut, DiagRef};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{
    ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd_scratch, tridiagonal_self_adjoint_evd,
};
use faer::{Auto, MatMut, MatRef, Par};
use lawson_hlo::library::Real;
use ndarray::{ArrayView2, ArrayViewMut2, s};

/// Up to this order vectors are found without a division in halves; by the library's own bound, 128, those of 200 rows take half as
/// long again.
const UNDIVIDED: usize = 32;

/// Writes the values of `a`, `n` × `n` row by row and near one, of which one triangle is read, ascending, and its vectors as columns;
/// tells whether all are finite.
pub(crate) fn run<T: Element>(
    team: &dyn Team,
    a: &[T],
    (n, lower): (usize, bool),
    vectors: Option<&mut [T]>,
    values: &mut [T],
) -> bool {
    let zero = <T as Real>::ZERO;
    let form = Tridiagonal::of(team, n, |i, j| if lower { a[i * n + j] } else { a[j * n + i] });
    if !form.is_finite() {
        return false;
    }
    let mut columns = vec![zero; if vectors.is_some() { n * n } else { 0 }];
    let (u, asked) = match vectors {
        Some(_) => (Some(MatMut::from_column_major_slice_mut(&mut columns, n, n)), ComputeEigenvectors::Yes),
        None => (None, ComputeEigenvectors::No),
    };
    let parameters =
        SelfAdjointEvdParams { recursion_threshold: UNDIVIDED, ..<SelfAdjointEvdParams as Auto<T>>::auto() };
    // For a whole matrix, which needs more.
    let need = self_adjoint_evd_scratch::<T>(n, asked, Par::Seq, parameters.into());
    let beside: Vec<T> = form.beside.iter().copied().chain([zero]).collect();
    let done = tridiagonal_self_adjoint_evd(
        DiagRef::from_slice(&form.diagonal),
        DiagRef::from_slice(&beside),
        DiagMut::from_slice_mut(values),
        u,
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(need)),
        parameters.into(),
    );
    if let Some(vectors) = vectors {
        MatMut::from_row_major_slice_mut(&mut *vectors, n, n)
            .copy_from(MatRef::from_column_major_slice(&columns, n, n));
        let inner = n.saturating_sub(1);
        let of_reflectors = ArrayView2::from_shape((inner, inner), &form.vectors);
        let (Ok(of_reflectors), Ok(mut all)) = (of_reflectors, ArrayViewMut2::from_shape((n, n), vectors))
        else {
            return false;
        };
        if n > 1 {
            reflect_by_rows(team, of_reflectors, &form.taus, all.slice_mut(s![1.., ..]));
        }
    }
    done.is_ok()
}
