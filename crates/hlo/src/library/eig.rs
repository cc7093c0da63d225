//! Eigenvalues and eigenvectors of a square matrix that need not be symmetric, as real and imaginary parts.
//!
//! They are read off the Schur form: the vector of an eigenvalue solves a triangular system, whose diagonal elements are kept
//! away from zero, and is multiplied by the orthogonal factor. Left vectors are those of the transpose. Vectors have length
//! one, and of complex ones the largest element is real. Where an element is not finite everything is NaN.

use super::Real;
use super::householder::{largest, norm};
use super::schur::schur;

/// The parts of complex numbers.
#[derive(Debug)]
pub struct Parts<'a, T> {
    pub re: &'a mut [T],
    pub im: &'a mut [T],
}

/// Writes the eigenvalues of `a`, `n` × `n` row by row, and the vectors that are asked for as columns.
pub fn eig<T: Real>(
    a: &[T],
    n: usize,
    values: Parts<'_, T>,
    left: Option<Parts<'_, T>>,
    right: Option<Parts<'_, T>>,
) {
    let most = largest(a.iter().copied());
    let scale = if most.is_finite() && most > T::ZERO { most.power_of_two() } else { T::ONE };
    let mut form: Vec<T> = a.iter().map(|&x| x / scale).collect();
    let q = schur(&mut form, n);
    if form.iter().any(|x| x.is_nan()) {
        for parts in [Some(values), left, right].into_iter().flatten() {
            parts.re.fill(T::NAN);
            parts.im.fill(T::NAN);
        }
        return;
    }
    let Parts { re, im } = values;
    for j in 0..n {
        re[j] = form[j * (n + 1)] * scale;
        im[j] = T::ZERO;
    }
    for j in 1..n {
        if form[j * n + j - 1] != T::ZERO {
            let part = imaginary(&form, n, j) * scale;
            (im[j - 1], im[j]) = (part, -part);
        }
    }
    if let Some(out) = right {
        vectors(&form, &q, n, false, out);
    }
    if let Some(out) = left {
        // Read backwards, the transpose of the form has blocks above the diagonal again.
        let turned: Vec<T> = (0..n * n).map(|at| form[(n - 1 - at % n) * n + n - 1 - at / n]).collect();
        let q: Vec<T> = (0..n * n).map(|at| q[at / n * n + n - 1 - at % n]).collect();
        vectors(&turned, &q, n, true, out);
    }
}

/// The imaginary part of the eigenvalues of the block that ends in row j.
fn imaginary<T: Real>(form: &[T], n: usize, j: usize) -> T {
    form[(j - 1) * n + j].abs().sqrt() * form[j * n + j - 1].abs().sqrt()
}

/// Writes the vectors of a block triangular matrix, multiplied by `q`. Those of a turned matrix are in reverse order and
/// conjugate.
fn vectors<T: Real>(form: &[T], q: &[T], n: usize, turned: bool, out: Parts<'_, T>) {
    let mut j = 0;
    while j < n {
        let pair = j + 1 < n && form[(j + 1) * n + j] != T::ZERO;
        let last = if pair { j + 1 } else { j };
        let [re, im] = normal(solve(form, n, last, pair).map(|x| multiply(q, n, &x)));
        for i in 0..n {
            // The value with a positive imaginary part comes first.
            let place = if turned { n - 1 - last } else { j };
            let sign = if turned { -T::ONE } else { T::ONE };
            out.re[i * n + place] = re[i];
            out.im[i * n + place] = if pair { sign * im[i] } else { T::ZERO };
            if pair {
                out.re[i * n + place + 1] = re[i];
                out.im[i * n + place + 1] = -sign * im[i];
            }
        }
        j = last + 1;
    }
}

/// A complex number.
type Complex<T> = [T; 2];

/// The parts of the vector for the eigenvalue of row `last`, of a pair that with positive imaginary part.
fn solve<T: Real>(form: &[T], n: usize, last: usize, pair: bool) -> [Vec<T>; 2] {
    let at = |i: usize, j: usize| form[i * n + j];
    let (mut re, mut im) = (vec![T::ZERO; n], vec![T::ZERO; n]);
    let value = at(last, last);
    let mut part = T::ZERO;
    let mut open = last;
    if pair {
        part = imaginary(form, n, last);
        let above = at(last - 1, last);
        let most = above.abs() + part;
        (re[last - 1], im[last]) = (above / most, part / most);
        open = last - 1;
    } else {
        re[last] = T::ONE;
    }
    let most = largest(form.iter().copied());
    let least = T::EPSILON * if most == T::ZERO { T::ONE } else { most };
    let huge = T::ONE / T::EPSILON;
    while open > 0 {
        let i = open - 1;
        let block = i > 0 && at(i, i - 1) != T::ZERO;
        let rest = |i: usize| -> Complex<T> {
            (open..=last).fold([T::ZERO; 2], |[x, y], k| [x - at(i, k) * re[k], y - at(i, k) * im[k]])
        };
        if block {
            let (above, below) = ([at(i - 1, i), T::ZERO], [at(i, i - 1), T::ZERO]);
            let diagonal = |i: usize| [at(i, i) - value, -part];
            let ([a, d], [x, y]) = ([diagonal(i - 1), diagonal(i)], [rest(i - 1), rest(i)]);
            let determinant = away_from_zero(subtract(times(a, d), times(above, below)), least * least);
            let first = divide(subtract(times(d, x), times(above, y)), determinant);
            let second = divide(subtract(times(a, y), times(below, x)), determinant);
            ([re[i - 1], im[i - 1]], [re[i], im[i]]) = (first, second);
            open = i - 1;
        } else {
            let diagonal = away_from_zero([at(i, i) - value, -part], least);
            [re[i], im[i]] = divide(rest(i), diagonal);
            open = i;
        }
        let most = largest(re[open..=i].iter().chain(&im[open..=i]).copied());
        if most > huge {
            re.iter_mut().chain(&mut im).for_each(|x| *x = *x / most);
        }
    }
    [re, im]
}

fn times<T: Real>([a, b]: Complex<T>, [c, d]: Complex<T>) -> Complex<T> {
    [a * c - b * d, a * d + b * c]
}

fn subtract<T: Real>([a, b]: Complex<T>, [c, d]: Complex<T>) -> Complex<T> {
    [a - c, b - d]
}

fn divide<T: Real>(x: Complex<T>, [c, d]: Complex<T>) -> Complex<T> {
    let length = c.hypot(d);
    let (c, d) = (c / length, d / length);
    times(x, [c, -d]).map(|part| part / length)
}

/// The number, or the least one that is divided by.
fn away_from_zero<T: Real>([a, b]: Complex<T>, least: T) -> Complex<T> {
    if a.hypot(b) < least { [least, T::ZERO] } else { [a, b] }
}

fn multiply<T: Real>(q: &[T], n: usize, x: &[T]) -> Vec<T> {
    let product = |row: &[T]| row.iter().zip(x).fold(T::ZERO, |sum, (&q, &x)| sum + q * x);
    q.chunks_exact(n).map(product).collect()
}

/// The vector of length one whose largest element is real.
pub fn normal<T: Real>([mut re, mut im]: [Vec<T>; 2]) -> [Vec<T>; 2] {
    let length = norm(re.iter().chain(&im).copied());
    let size = |i: usize| re[i].hypot(im[i]);
    let most = (1..re.len()).fold(0, |best, i| if size(i) > size(best) { i } else { best });
    let (c, s) = match im.iter().all(|&x| x == T::ZERO) {
        true => (T::ONE, T::ZERO),
        false => (re[most] / size(most), im[most] / size(most)),
    };
    for (re, im) in re.iter_mut().zip(&mut im) {
        let (x, y) = (*re / length, *im / length);
        (*re, *im) = (x * c + y * s, y * c - x * s);
    }
    im[most] = T::ZERO;
    [re, im]
}
