//! Decompositions that iterate, by faer, but for singular values alone: of matrices that are divided by a power of two near their
//! largest element first.
//!
//! What is not finite, and what faer gives up on, is left to the reference algorithm, which makes NaN of it.

use crate::element::Element;
use crate::singular_values;
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::{Auto, MatMut, MatRef, Par};
use lawson_hlo::library::{Call, Input, Output, Real, Routine, largest, normal};
use lawson_hlo::linalg::Linalg;

/// Up to this order singular vectors are found without a division in halves; by the library's own bound, 128, those of 100 rows
/// take more than twice as long.
const UNDIVIDED: usize = 32;

/// Computes one matrix, if this is the place for it: tells whether it did.
pub fn run<T: Element>(call: &Call, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) -> bool {
    use Input::Elements as In;
    use Output::Elements as Out;
    let size = (call.rows as usize, call.columns as usize);
    match (call.routine, operands, results) {
        (Routine::Linalg(Linalg::Eigh { lower }), [In(a)], [Out(vectors), Out(values)]) => {
            symmetric(a, (size.0, lower), vectors, values)
        }
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values)]) => {
            let Some((a, scale)) = scaled(a) else { return false };
            let done = singular_values::run(&a, size, values);
            values.iter_mut().for_each(|x| *x *= scale);
            done
        }
        (Routine::Linalg(Linalg::Svd { full, .. }), [In(a)], [Out(values), Out(left), Out(right)]) => {
            singular(a, size, values, [left, right], full)
        }
        (Routine::Linalg(Linalg::Eig { left, .. }), [In(a)], [Out(re), Out(im), vectors @ ..]) => {
            general(a, size.0, [re, im], left, vectors)
        }
        _ => false,
    }
}

/// A matrix whose largest element is near one, and what it was divided by; nothing where there is none.
fn scaled<T: Element>(a: &[T]) -> Option<(Vec<T>, T)> {
    let most = largest(a.iter().copied());
    if !most.is_finite() || most == T::ZERO {
        return None;
    }
    let scale = most.power_of_two();
    Some((a.iter().map(|&x| x / scale).collect(), scale))
}

fn symmetric<T: Element>(a: &[T], (n, lower): (usize, bool), vectors: &mut [T], values: &mut [T]) -> bool {
    // The library reads the lower triangle, and works on columns: of a matrix row by row it takes twice as long.
    let triangle = (0..n * n).map(|at| match (at % n, at / n) {
        (i, j) if j > i => T::ZERO,
        (i, j) => {
            if lower {
                a[i * n + j]
            } else {
                a[j * n + i]
            }
        }
    });
    let Some((a, scale)) = scaled(&triangle.collect::<Vec<T>>()) else { return false };
    let a = MatRef::from_column_major_slice(&a, n, n);
    let mut columns = vec![T::ZERO; n * n];
    let out = MatMut::from_column_major_slice_mut(&mut columns, n, n);
    let need = evd::self_adjoint_evd_scratch::<T>(n, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let diagonal = DiagMut::from_slice_mut(values);
    let done = evd::self_adjoint_evd(a, diagonal, Some(out), Par::Seq, stack, Default::default()).is_ok();
    MatMut::from_row_major_slice_mut(vectors, n, n)
        .copy_from(MatRef::from_column_major_slice(&columns, n, n));
    values.iter_mut().for_each(|x| *x *= scale);
    done
}

fn singular<T: Element>(
    a: &[T],
    (m, n): (usize, usize),
    values: &mut [T],
    [u, vt]: [&mut [T]; 2],
    full: bool,
) -> bool {
    let Some((a, scale)) = scaled(a) else { return false };
    let (left, right) = if full { (m, n) } else { (m.min(n), m.min(n)) };
    let which = if full { ComputeSvdVectors::Full } else { ComputeSvdVectors::Thin };
    // Row by row, the matrix and the right vectors are columns of transposes, which the library works on.
    let parameters = SvdParams { recursion_threshold: UNDIVIDED, ..<SvdParams as Auto<T>>::auto() };
    let need = svd::svd_scratch::<T>(n, m, which, which, Par::Seq, parameters.into());
    let mut memory = MemBuffer::new(need);
    let a = MatRef::from_column_major_slice(&a, n, m);
    let mut columns = vec![T::ZERO; u.len()];
    let diagonal = DiagMut::from_slice_mut(values);
    let done = svd::svd(
        a,
        diagonal,
        Some(MatMut::from_column_major_slice_mut(vt, n, right)),
        Some(MatMut::from_column_major_slice_mut(&mut columns, m, left)),
        Par::Seq,
        MemStack::new(&mut memory),
        parameters.into(),
    );
    MatMut::from_row_major_slice_mut(u, m, left)
        .copy_from(MatRef::from_column_major_slice(&columns, m, left));
    values.iter_mut().for_each(|x| *x *= scale);
    done.is_ok()
}

fn general<T: Element>(
    a: &[T],
    n: usize,
    [re, im]: [&mut [T]; 2],
    left: bool,
    results: &mut [Output<'_, T>],
) -> bool {
    let Some((a, scale)) = scaled(a) else { return false };
    // Of a complex pair the real parts, then the imaginary ones.
    let mut packed: Vec<Vec<T>> = results.chunks_exact(2).map(|_| vec![T::ZERO; n * n]).collect();
    let mut vectors = packed.iter_mut().map(|x| MatMut::from_row_major_slice_mut(x, n, n));
    let u_left = if left { vectors.next() } else { None };
    let u_right = vectors.next();
    let asked = |u: &Option<_>| if u.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let need = evd::evd_scratch::<T>(n, asked(&u_left), asked(&u_right), Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let matrix = MatRef::from_row_major_slice(&a, n, n);
    let (s_re, s_im) = (DiagMut::from_slice_mut(&mut *re), DiagMut::from_slice_mut(&mut *im));
    let done = evd::evd_real(matrix, s_re, s_im, u_left, u_right, Par::Seq, stack, Default::default());
    if done.is_err() {
        return false;
    }
    for (packed, parts) in packed.iter().zip(results.chunks_exact_mut(2)) {
        let [Output::Elements(x), Output::Elements(y)] = parts else { return false };
        unpack(packed, n, im, [x, y]);
    }
    // The value with a positive imaginary part comes first.
    let mut j = 0;
    while j < n {
        if im[j] == T::ZERO {
            j += 1;
            continue;
        }
        if im[j] < T::ZERO {
            im.swap(j, j + 1);
            for part in results.iter_mut() {
                if let Output::Elements(x) = part {
                    x.chunks_exact_mut(n).for_each(|row| row.swap(j, j + 1));
                }
            }
        }
        j += 2;
    }
    re.iter_mut().chain(im).for_each(|x| *x *= scale);
    true
}

/// Writes vectors of length one, of which pairs share two columns of `packed`.
fn unpack<T: Real>(packed: &[T], n: usize, im: &[T], [x, y]: [&mut [T]; 2]) {
    let column = |j: usize| -> Vec<T> { (0..n).map(|i| packed[i * n + j]).collect() };
    let mut j = 0;
    while j < n {
        let pair = im[j] != T::ZERO;
        let imaginary = if pair { column(j + 1) } else { vec![T::ZERO; n] };
        let [re, part] = normal([column(j), imaginary]);
        for i in 0..n {
            (x[i * n + j], y[i * n + j]) = (re[i], part[i]);
            if pair {
                (x[i * n + j + 1], y[i * n + j + 1]) = (re[i], -part[i]);
            }
        }
        j += 1 + pair as usize;
    }
}
