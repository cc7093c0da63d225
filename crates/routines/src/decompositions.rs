//! Decompositions that iterate, by faer, but for singular values alone: of matrices that are divided by a power of two near their
//! largest element first.
//!
//! What is not finite, and what faer gives up on, is left to the reference algorithm, which makes NaN of it.

use crate::element::Element;
use crate::reflectors::{Panel, is_tall};
use crate::scalar::{Scalar, numbers, numbers_mut};
use crate::{eigenvalues, reflectors, singular_values};
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::{Auto, MatMut, MatRef, Par};
use lawson_hlo::library::{Call, Input, Output, Real, Routine, largest, normal};
use lawson_hlo::linalg::Linalg;
use num_complex::Complex;

/// Up to this order singular vectors are found without a division in halves; by the library's own bound, 128, those of 100 rows
/// take more than twice as long.
const UNDIVIDED: usize = 32;

/// Computes one matrix, if this is the place for it: tells whether it did.
pub fn run<T: Element>(call: &Call, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) -> bool {
    use Input::Elements as In;
    use Output::Elements as Out;
    let (size, complex) = ((call.rows as usize, call.columns as usize), call.dtype.is_complex());
    match (call.routine, operands, results) {
        (Routine::Linalg(Linalg::Eigh { lower, .. }), [In(a)], [Out(vectors), Out(values)]) => {
            match complex {
                true => hermitian(numbers(a), (size.0, lower), Some(numbers_mut(vectors)), values),
                false => symmetric(a, (size.0, lower), Some(vectors), values),
            }
        }
        (Routine::Linalg(Linalg::Eigh { lower, .. }), [In(a)], [Out(values)]) => match complex {
            true => hermitian(numbers(a), (size.0, lower), None, values),
            false => symmetric(a, (size.0, lower), None, values),
        },
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values)]) if complex => {
            singular::<Complex<T>>(numbers(a), size, values, None)
        }
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values)]) => {
            if is_tall(size) {
                return tall(call, a, size, [values]);
            }
            if is_tall((size.1, size.0)) {
                return tall(call, &transpose(a, size), (size.1, size.0), [values]);
            }
            let Some((a, scale)) = scaled::<T>(a) else { return false };
            let done = singular_values::run(&a, size, values);
            values.iter_mut().for_each(|x| *x *= scale);
            done
        }
        (Routine::Linalg(Linalg::Svd { full: true, .. }), [In(a)], [Out(values), Out(left), Out(right)]) => {
            let thin = Call { routine: Routine::Linalg(Linalg::Svd { full: false, vectors: true }), ..*call };
            match complex {
                true => full::<Complex<T>>(&thin, a, values, [numbers_mut(left), numbers_mut(right)]),
                false => full::<T>(&thin, a, values, [left, right]),
            }
        }
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values), Out(left), Out(right)]) => {
            match complex {
                true => {
                    let vectors = [numbers_mut(left), numbers_mut(right)];
                    singular::<Complex<T>>(numbers(a), size, values, Some(vectors))
                }
                false if is_tall(size) => tall(call, a, size, [values, left, right]),
                false if is_tall((size.1, size.0)) => {
                    // Of the transpose the other vectors, each in a column where there it is in a row.
                    let (least, most) = size;
                    let mut of_right = vec![T::ZERO; right.len()];
                    let done = tall(call, &transpose(a, size), (most, least), [values, &mut of_right, left]);
                    right.copy_from_slice(&transpose(&of_right, (most, least)));
                    left.copy_from_slice(&transpose(left, (least, least)));
                    done
                }
                false => singular::<T>(a, size, values, Some([left, right])),
            }
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

/// A matrix whose largest part is near one, and what it was divided by; nothing where there is none.
fn scaled<S: Scalar>(a: &[S]) -> Option<(Vec<S>, S::Part)> {
    let parts: &[S::Part] = bytemuck::cast_slice(a);
    let most = largest(parts.iter().copied());
    if !most.is_finite() || most == <S::Part as Real>::ZERO {
        return None;
    }
    let scale = most.power_of_two();
    let mut divided = a.to_vec();
    let parts: &mut [S::Part] = bytemuck::cast_slice_mut(&mut divided);
    parts.iter_mut().for_each(|x| *x /= scale);
    Some((divided, scale))
}

/// Values that a library left on a diagonal: they are real.
fn unscaled<S: Scalar>(values: &mut [S::Part], diagonal: &[S], scale: S::Part) {
    values.iter_mut().zip(diagonal).for_each(|(value, &x)| *value = x.real() * scale);
}

fn symmetric<T: Element>(
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
    let done = eigenvalues::run(&a, (n, lower), vectors, values);
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

fn transpose<S: Copy>(a: &[S], (rows, columns): (usize, usize)) -> Vec<S> {
    (0..columns * rows).map(|at| a[at % rows * columns + at / rows]).collect()
}

/// The values of a tall matrix are those of its triangular factor, as are the right vectors; the left ones are those of the factor,
/// with zeros below, as the reflectors change them.
fn tall<T: Element, const N: usize>(
    call: &Call,
    a: &[T],
    (m, n): (usize, usize),
    mut results: [&mut [T]; N],
) -> bool {
    let (mut packed, mut taus) = (vec![T::ZERO; m * n], vec![T::ZERO; n]);
    if !reflectors::qr(a, &mut packed, (m, n), &mut taus) {
        return false;
    }
    let factor: Vec<T> = (0..n * n).map(|at| if at % n < at / n { T::ZERO } else { packed[at] }).collect();
    let call = Call { rows: n as i64, columns: n as i64, ..*call };
    let mut of_factor: Vec<Output<'_, T>> = Vec::new();
    for x in &mut results {
        let len = x.len().min(n * n);
        of_factor.push(Output::Elements(&mut x[..len]));
    }
    let operands = [Input::Elements(&factor[..])];
    if call.is_small() || !run(&call, &operands, &mut of_factor) {
        call.run(&operands, &mut of_factor);
    }
    if let [_, left, _] = &mut results[..] {
        left[n * n..].fill(T::ZERO);
        reflectors::apply(&packed, (m, n), &taus, (left, n));
    }
    true
}

/// All singular vectors: those of `thin`, and others that are perpendicular to them. (faer's own of some wide matrices, of 5 × 60 and
/// of 20 × 39 among them, are not.)
fn full<S: Panel>(thin: &Call, a: &[S::Part], values: &mut [S::Part], [left, right]: [&mut [S]; 2]) -> bool {
    let (m, n) = (thin.rows as usize, thin.columns as usize);
    let k = m.min(n);
    let zero = S::of_real(<S::Part as Real>::ZERO);
    let (mut of_left, mut of_right) = (vec![zero; m * k], vec![zero; k * n]);
    let operands = [Input::Elements(a)];
    let parts: [&mut [S::Part]; 2] =
        [bytemuck::cast_slice_mut(&mut of_left), bytemuck::cast_slice_mut(&mut of_right)];
    let [first, last] = parts.map(Output::Elements);
    let mut results = [Output::Elements(values), first, last];
    if thin.is_small() {
        thin.run(&operands, &mut results);
    } else if !run(thin, &operands, &mut results) {
        return false;
    }
    // Right vectors are columns of the adjoint.
    let adjoint = |x: Vec<S>| -> Vec<S> { x.into_iter().map(S::conjugate).collect() };
    let columns = adjoint(transpose(&of_right, (k, n)));
    let (Some(of_left), Some(columns)) = (completed(of_left, (m, k)), completed(columns, (n, k))) else {
        return false;
    };
    left.copy_from_slice(&of_left);
    right.copy_from_slice(&adjoint(transpose(&columns, (n, n))));
    true
}

/// A square matrix that begins with these columns, which are perpendicular and as long as one, as are the others.
fn completed<S: Panel>(columns: Vec<S>, (m, k): (usize, usize)) -> Option<Vec<S>> {
    if m == k {
        return Some(columns);
    }
    let [zero, one] = [<S::Part as Real>::ZERO, <S::Part as Real>::ONE].map(S::of_real);
    let (mut packed, mut taus) = (vec![zero; m * k], vec![zero; k]);
    if !reflectors::qr(&columns, &mut packed, (m, k), &mut taus) {
        return None;
    }
    let mut all = vec![zero; m * m];
    (k..m).for_each(|i| all[i * m + i] = one);
    reflectors::apply(&packed, (m, k), &taus, (&mut all, m));
    for (row, columns) in all.chunks_exact_mut(m).zip(columns.chunks_exact(k)) {
        row[..k].copy_from_slice(columns);
    }
    Some(all)
}

/// Left vectors are written as columns, the adjoints of right ones as rows.
fn singular<S: Scalar>(
    a: &[S],
    (m, n): (usize, usize),
    values: &mut [S::Part],
    vectors: Option<[&mut [S]; 2]>,
) -> bool {
    let Some((a, scale)) = scaled(a) else { return false };
    let zero = S::of_real(<S::Part as Real>::ZERO);
    let mut diagonal = vec![zero; m.min(n)];
    let which = match &vectors {
        None => ComputeSvdVectors::No,
        Some(_) => ComputeSvdVectors::Thin,
    };
    // Row by row, the matrix and the right vectors are columns of transposes, which the library works on: of a = u s vᴴ the transpose
    // has the left vectors v̄ and the right ones ū.
    let parameters = SvdParams { recursion_threshold: UNDIVIDED, ..<SvdParams as Auto<S>>::auto() };
    let need = svd::svd_scratch::<S>(n, m, which, which, Par::Seq, parameters.into());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let a = MatRef::from_column_major_slice(&a, n, m);
    let found = DiagMut::from_slice_mut(&mut diagonal);
    let done = match vectors {
        None => svd::svd(a, found, None, None, Par::Seq, stack, parameters.into()).is_ok(),
        Some([left, right]) => {
            let mut columns = vec![zero; left.len()];
            let (of_left, of_right) = (left.len() / m.max(1), right.len() / n.max(1));
            let right = MatMut::from_column_major_slice_mut(right, n, of_right);
            let conjugates = MatMut::from_column_major_slice_mut(&mut columns, m, of_left);
            let done = svd::svd(a, found, Some(right), Some(conjugates), Par::Seq, stack, parameters.into());
            for (i, row) in left.chunks_exact_mut(of_left.max(1)).enumerate() {
                row.iter_mut().enumerate().for_each(|(j, x)| *x = columns[j * m + i].conjugate());
            }
            done.is_ok()
        }
    };
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
