//! Decompositions that iterate, by faer, but for those of symmetric matrices and for singular values: of matrices that are divided by a
//! power of two near their largest element first.
//!
//! What is not finite, and what faer gives up on, is left to the reference algorithm, which makes NaN of it.

use crate::element::Element;
use crate::scalar::{Scalar, numbers, numbers_mut};
use crate::scaling::{scaled, unscaled};
use crate::team::Team;
use crate::{eigenvalues, singular_vectors};
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::{MatMut, MatRef, Par};
use lawson_hlo::library::{Call, Input, Output, Real, Routine, normal};
use lawson_hlo::linalg::Linalg;
use num_complex::Complex;

/// Computes one matrix, if this is the place for it: tells whether it did.
pub fn run<T: Element>(
    call: &Call,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) -> bool {
    use Input::Elements as In;
    use Output::Elements as Out;
    let (size, complex) = ((call.rows as usize, call.columns as usize), call.dtype.is_complex());
    match (call.routine, operands, results) {
        (Routine::Linalg(Linalg::Eigh { lower, .. }), [In(a)], [Out(vectors), Out(values)]) => {
            match complex {
                true => hermitian(numbers(a), (size.0, lower), Some(numbers_mut(vectors)), values),
                false => symmetric(team, a, (size.0, lower), Some(vectors), values),
            }
        }
        (Routine::Linalg(Linalg::Eigh { lower, .. }), [In(a)], [Out(values)]) => match complex {
            true => hermitian(numbers(a), (size.0, lower), None, values),
            false => symmetric(team, a, (size.0, lower), None, values),
        },
        (Routine::Linalg(Linalg::Svd { .. }), operands, results) => {
            singular_vectors::run(call, team, operands, results)
        }
        (Routine::Linalg(Linalg::Eig { left, .. }), [In(a)], [Out(values), vectors @ ..]) if complex => {
            complex_general(numbers(a), size.0, numbers_mut(values), left, vectors)
        }
        (Routine::Linalg(Linalg::Eig { left, .. }), [In(a)], [Out(re), Out(im), vectors @ ..]) => {
            general(a, size.0, [re, im], left, vectors)
        }
        _ => false,
    }
}

fn symmetric<T: Element>(
    team: &dyn Team,
    a: &[T],
    (n, lower): (usize, bool),
    vectors: Option<&mut [T]>,
    values: &mut [T],
) -> bool {
    // The other triangle may have anything.
    let read = |i: usize, j: usize| if lower { j <= i } else { i <= j };
    let triangle: Vec<T> =
        (0..n * n).map(|at| if read(at / n, at % n) { a[at] } else { <T as Real>::ZERO }).collect();
    let Some((a, scale)) = scaled(&triangle) else { return false };
    let done = eigenvalues::run(team, &a, (n, lower), vectors, values);
    values.iter_mut().for_each(|x| *x *= scale);
    done
}

fn hermitian<T: Element>(
    a: &[Complex<T>],
    (n, lower): (usize, bool),
    vectors: Option<&mut [Complex<T>]>,
    values: &mut [T],
) -> bool {
    let zero = Complex::of_real(<T as Real>::ZERO);
    // The library reads the lower triangle, and works on columns: of a matrix row by row it takes twice as long.
    let triangle = (0..n * n).map(|at| match (at % n, at / n) {
        (i, j) if j > i => zero,
        (i, j) if i == j => Complex::of_real(a[at].re),
        (i, j) if lower => a[i * n + j],
        (i, j) => a[j * n + i].conjugate(),
    });
    let Some((a, scale)) = scaled(&triangle.collect::<Vec<_>>()) else { return false };
    let a = MatRef::from_column_major_slice(&a, n, n);
    let mut columns = vec![zero; if vectors.is_some() { n * n } else { 0 }];
    let mut diagonal = vec![zero; n];
    let (out, asked) = match vectors {
        Some(_) => (Some(MatMut::from_column_major_slice_mut(&mut columns, n, n)), ComputeEigenvectors::Yes),
        None => (None, ComputeEigenvectors::No),
    };
    let need = evd::self_adjoint_evd_scratch::<Complex<T>>(n, asked, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let found = DiagMut::from_slice_mut(&mut diagonal);
    let done = evd::self_adjoint_evd(a, found, out, Par::Seq, stack, Default::default()).is_ok();
    if let Some(vectors) = vectors {
        MatMut::from_row_major_slice_mut(vectors, n, n)
            .copy_from(MatRef::from_column_major_slice(&columns, n, n));
    }
    unscaled(values, &diagonal, scale);
    done
}

/// Values and vectors of a complex matrix, which are as long as one and have a real largest component.
fn complex_general<T: Element>(
    a: &[Complex<T>],
    n: usize,
    values: &mut [Complex<T>],
    left: bool,
    results: &mut [Output<'_, T>],
) -> bool {
    let Some((a, scale)) = scaled(a) else { return false };
    let zero = Complex::of_real(<T as Real>::ZERO);
    let mut found: Vec<Vec<Complex<T>>> = results.iter().map(|_| vec![zero; n * n]).collect();
    let mut vectors = found.iter_mut().map(|x| MatMut::from_column_major_slice_mut(x, n, n));
    let u_left = if left { vectors.next() } else { None };
    let u_right = vectors.next();
    let asked = |u: &Option<_>| if u.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let need =
        evd::evd_scratch::<Complex<T>>(n, asked(&u_left), asked(&u_right), Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let matrix = MatRef::from_row_major_slice(&a, n, n);
    let s = DiagMut::from_slice_mut(&mut *values);
    if evd::evd_cplx(matrix, s, u_left, u_right, Par::Seq, stack, Default::default()).is_err() {
        return false;
    }
    for (columns, out) in found.iter().zip(results) {
        let Output::Elements(out) = out else { return false };
        let out: &mut [Complex<T>] = numbers_mut(out);
        for (j, column) in columns.chunks_exact(n).enumerate() {
            let [re, im] = [column.iter().map(|x| x.re).collect(), column.iter().map(|x| x.im).collect()];
            let [re, im] = normal([re, im]);
            for i in 0..n {
                out[i * n + j] = Complex::new(re[i], im[i]);
            }
        }
    }
    values.iter_mut().for_each(|x| *x = x.times(scale));
    true
}

fn general<T: Element>(
    a: &[T],
    n: usize,
    [re, im]: [&mut [T]; 2],
    left: bool,
    results: &mut [Output<'_, T>],
) -> bool {
    let Some((a, scale)) = scaled::<T>(a) else { return false };
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
