//! Which algorithm a decomposition has.

use super::{
    Input, Output, Real, complex_eig, complex_eigh, complex_householder, complex_schur, complex_svd,
};
use super::{complex_tridiagonal, eig, eigh, hessenberg, householder, lu, qr, schur, svd, tridiagonal};
use crate::linalg::Linalg;

/// Computes a decomposition of a real matrix.
pub fn real<T: Real>(
    how: Linalg,
    size: (usize, usize),
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) {
    use Input::{Elements as In, Indices as InIndices};
    use Output::{Elements as Out, Indices};
    let n = size.0;
    match (how, operands, results) {
        (Linalg::Qr, [In(a)], [Out(packed), Out(taus)]) => {
            packed.copy_from_slice(a);
            qr::qr(packed, size, taus);
        }
        (Linalg::HouseholderProduct, [In(packed), In(taus)], [Out(q)]) => {
            q.copy_from_slice(packed);
            householder::product(q, size, taus);
        }
        (Linalg::PivotedQr, [In(a), InIndices(first)], [Out(packed), Indices(order), Out(taus)]) => {
            packed.copy_from_slice(a);
            order.copy_from_slice(first);
            qr::pivoted_qr(packed, size, order, taus);
        }
        (Linalg::Lu, [In(a)], [Out(factors), Indices(pivots), Indices(permutation)]) => {
            factors.copy_from_slice(a);
            lu::lu(factors, size, pivots, permutation);
        }
        (Linalg::Eigh { lower, .. }, [In(a)], [Out(vectors), Out(values)]) => {
            vectors.copy_from_slice(a);
            eigh::eigh(vectors, (n, lower), values, true);
        }
        (Linalg::Eigh { lower, .. }, [In(a)], [Out(values)]) => {
            eigh::eigh(&mut a.to_vec(), (n, lower), values, false);
        }
        (Linalg::Svd { .. }, [In(a)], [Out(values)]) => svd::svd(a, size, values, None),
        (Linalg::Svd { full, .. }, [In(a)], [Out(values), Out(left), Out(right)]) => {
            svd::svd(a, size, values, Some(svd::Vectors { left, right, full }));
        }
        (Linalg::Eig { left, right }, [In(a)], [Out(re), Out(im), vectors @ ..]) => {
            let mut parts = vectors.chunks_exact_mut(2).filter_map(|pair| match pair {
                [Out(re), Out(im)] => Some(eig::Parts { re, im }),
                _ => None,
            });
            let left = if left { parts.next() } else { None };
            let right = if right { parts.next() } else { None };
            eig::eig(a, n, eig::Parts { re, im }, left, right);
        }
        (Linalg::Schur { .. }, [In(a)], [Out(form), vectors @ ..]) => {
            form.copy_from_slice(a);
            let q = schur::schur(form, n);
            if let [Out(vectors)] = vectors {
                vectors.copy_from_slice(&q);
            }
        }
        (Linalg::Hessenberg, [In(a)], [Out(packed), Out(taus)]) => {
            packed.copy_from_slice(a);
            hessenberg::hessenberg(packed, n, taus);
        }
        (Linalg::Tridiagonal { lower }, [In(a)], [Out(packed), Out(diagonal), Out(beside), Out(taus)]) => {
            packed.copy_from_slice(a);
            let result = tridiagonal::Tridiagonal { diagonal, beside, taus };
            tridiagonal::tridiagonal(packed, n, lower, result);
        }
        (_, operands, results) => wrong(operands.len(), results.len()),
    }
}

/// As [`real`], of a complex one.
pub fn complex<T: Real>(
    how: Linalg,
    size: (usize, usize),
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) {
    use Input::{Elements as In, Indices as InIndices};
    use Output::{Elements as Out, Indices};
    match (how, operands, results) {
        (Linalg::Qr, [In(a)], [Out(packed), Out(taus)]) => {
            packed.copy_from_slice(a);
            complex_householder::qr(packed, size, taus);
        }
        (Linalg::PivotedQr, [In(a), InIndices(first)], [Out(packed), Indices(order), Out(taus)]) => {
            packed.copy_from_slice(a);
            order.copy_from_slice(first);
            complex_householder::pivoted_qr(packed, size, order, taus);
        }
        (Linalg::HouseholderProduct, [In(packed), In(taus)], [Out(q)]) => {
            q.copy_from_slice(packed);
            complex_householder::product(q, size, taus);
        }
        (Linalg::Lu, [In(a)], [Out(factors), Indices(pivots), Indices(permutation)]) => {
            factors.copy_from_slice(a);
            lu::lu(factors.as_chunks_mut::<2>().0, size, pivots, permutation);
        }
        (Linalg::Eigh { lower, .. }, [In(a)], [Out(vectors), Out(values)]) => {
            vectors.copy_from_slice(a);
            complex_eigh::eigh(vectors, size.0, lower, values);
        }
        (Linalg::Eigh { lower, .. }, [In(a)], [Out(values)]) => {
            complex_eigh::eigh(&mut a.to_vec(), size.0, lower, values);
        }
        (Linalg::Schur { .. }, [In(a)], [Out(form), vectors @ ..]) => {
            form.copy_from_slice(a);
            let q = complex_schur::schur(form, size.0);
            if let [Out(vectors)] = vectors {
                vectors.copy_from_slice(q.as_flattened());
            }
        }
        (Linalg::Hessenberg, [In(a)], [Out(packed), Out(taus)]) => {
            packed.copy_from_slice(a);
            complex_schur::hessenberg(packed, size.0, taus);
        }
        (Linalg::Eig { left, right }, [In(a)], [Out(values), vectors @ ..]) => {
            let mut vectors = vectors.iter_mut().filter_map(|v| match v {
                Out(v) => Some(&mut **v),
                Indices(_) => None,
            });
            let left = if left { vectors.next() } else { None };
            let right = if right { vectors.next() } else { None };
            complex_eig::eig(a, size.0, values, left, right);
        }
        (Linalg::Tridiagonal { lower }, [In(a)], [Out(packed), Out(diagonal), Out(beside), Out(taus)]) => {
            packed.copy_from_slice(a);
            let result = tridiagonal::Tridiagonal { diagonal, beside, taus };
            complex_tridiagonal::tridiagonal(packed, size.0, lower, result);
        }
        (Linalg::Svd { .. }, [In(a)], [Out(values)]) => complex_svd::svd(a, size, values, None),
        (Linalg::Svd { full, .. }, [In(a)], [Out(values), Out(left), Out(right)]) => {
            complex_svd::svd(a, size, values, Some(svd::Vectors { left, right, full }));
        }
        (_, operands, results) => wrong(operands.len(), results.len()),
    }
}

pub fn wrong(operands: usize, results: usize) {
    unreachable!("{operands} operands and {results} results")
}
