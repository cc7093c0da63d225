//! Eigenvalues and eigenvectors of a complex matrix.
//!
//! The matrix, divided by a power of two near its largest part, is made Hessenberg by reflectors and triangular by QR steps with
//! Wilkinson's shift; vectors of the triangle are solved for and turned back. They have length one and a real largest component.
//! Where an element is not finite, or a value takes too many steps, everything is NaN.

use super::Real;
use super::complex_householder::{reflect_left, reflect_right, reflector};
use super::householder::Block;
use super::number::Number;
use super::pair::{Pair, abs, add, direction, largest_part, length, mul, sub};

/// Most steps for one eigenvalue; three are usual.
const MAX_STEPS: usize = 60;

/// After so many steps without success the shift is another one.
const STEPS_OF_A_SHIFT: usize = 10;

/// Writes the eigenvalues of `a`, `n` × `n` row by row, and the vectors that are asked for, as columns.
pub fn eig<T: Real>(a: &[T], n: usize, values: &mut [T], left: Option<&mut [T]>, right: Option<&mut [T]>) {
    let (a, _) = a.as_chunks::<2>();
    let (values, _) = values.as_chunks_mut::<2>();
    let mut t = a.to_vec();
    let Some((q, scale)) = triangle(&mut t, n) else {
        values.fill([T::NAN; 2]);
        [left, right].into_iter().flatten().for_each(|vectors| vectors.fill(T::NAN));
        return;
    };
    (0..n).for_each(|i| values[i] = t[i * (n + 1)].map(|part| part * scale));
    for (vectors, is_left) in [(left, true), (right, false)] {
        let Some(vectors) = vectors else { continue };
        let (vectors, _) = vectors.as_chunks_mut();
        for k in 0..n {
            let x = turned(&q, &of_triangle(&t, n, k, is_left), n);
            x.into_iter().enumerate().for_each(|(i, x)| vectors[i * n + k] = x);
        }
    }
}

/// Makes a triangle of a matrix, which is that times the number that comes with it; and gives the basis in which it is that, as columns.
/// Nothing where something is not finite, or a value takes too many steps.
pub fn triangle<T: Real>(t: &mut [Pair<T>], n: usize) -> Option<(Vec<Pair<T>>, T)> {
    let most = largest_part(t);
    let scale = if most > T::ZERO { most.power_of_two() } else { T::ONE };
    t.iter_mut().flatten().for_each(|part| *part = *part / scale);
    let mut q: Vec<Pair<T>> =
        (0..n * n).map(|at| real(if at % (n + 1) == 0 { T::ONE } else { T::ZERO })).collect();
    if !most.is_finite() {
        return None;
    }
    hessenberg(t, &mut q, n);
    triangular(t, &mut q, n).then_some((q, scale))
}

fn real<T: Real>(x: T) -> Pair<T> {
    [x, T::ZERO]
}

/// Makes zeros below the diagonal but one; `q` goes through the same from the right.
fn hessenberg<T: Real>(a: &mut [Pair<T>], q: &mut [Pair<T>], n: usize) {
    for k in 1..n.saturating_sub(1) {
        let (v, tau) = reflect_column(a, n, k);
        (k + 1..n).for_each(|i| a[i * n + k - 1] = real(T::ZERO));
        reflect_right(q, Block { width: n, rows: 0..n, columns: k..n }, &v, tau);
    }
}

/// Reflects the matrix from both sides so that zeros are below row k in the column before it, where what was there stays; gives the
/// reflector.
pub fn reflect_column<T: Real>(a: &mut [Pair<T>], n: usize, k: usize) -> (Vec<Pair<T>>, Pair<T>) {
    let mut v: Vec<Pair<T>> = (k..n).map(|i| a[i * n + k - 1]).collect();
    let (beta, tau) = reflector(&mut v);
    a[k * n + k - 1] = real(beta);
    reflect_left(a, Block { width: n, rows: k..n, columns: k..n }, &v, tau.conjugate());
    reflect_right(a, Block { width: n, rows: 0..n, columns: k..n }, &v, tau);
    (v, tau)
}

/// Makes zeros below the diagonal. Tells whether it could.
fn triangular<T: Real>(h: &mut [Pair<T>], q: &mut [Pair<T>], n: usize) -> bool {
    let (mut last, mut steps) = (n.saturating_sub(1), 0);
    while last > 0 {
        // The largest part of the matrix is near one: what is less than ε² of it is nothing.
        let is_small = |h: &[Pair<T>], i: usize| {
            let around = abs(h[(i - 1) * (n + 1)]) + abs(h[i * (n + 1)]);
            abs(h[i * n + i - 1]) <= T::EPSILON * (T::EPSILON + around)
        };
        let first = (1..=last).rev().find(|&i| is_small(h, i)).unwrap_or(0);
        if first > 0 {
            h[first * n + first - 1] = [T::ZERO; 2];
        }
        if first == last {
            (last, steps) = (last - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MAX_STEPS {
            return false;
        }
        let shift = match steps % STEPS_OF_A_SHIFT {
            0 => add(h[last * (n + 1)], real(abs(h[last * n + last - 1]))),
            _ => shift(h, n, last),
        };
        step(h, q, n, (first, last), shift);
    }
    true
}

/// The eigenvalue of the last two rows that is nearer to the last element.
fn shift<T: Real>(h: &[Pair<T>], n: usize, last: usize) -> Pair<T> {
    let at = |i: usize, j: usize| h[i * n + j];
    let (d, product) = (at(last, last), mul(at(last - 1, last), at(last, last - 1)));
    let half = sub(at(last - 1, last - 1), d).map(|part| part * T::of(0.5));
    let root = root(add(mul(half, half), product));
    // Of the two sums the greater one, in which nothing cancels.
    let (sum, other) = (add(half, root), sub(half, root));
    let divisor = if abs(sum) < abs(other) { other } else { sum };
    if divisor == [T::ZERO; 2] { d } else { sub(d, product.over(divisor)) }
}

/// The square root with a real part that is not negative.
fn root<T: Real>(x: Pair<T>) -> Pair<T> {
    let size = abs(x);
    if size == T::ZERO {
        return x;
    }
    let greater = ((size + x[0].abs()) * T::of(0.5)).sqrt();
    let lesser = x[1] / (T::of(2.0) * greater);
    if x[0] < T::ZERO { [lesser.abs(), greater.with_sign(x[1])] } else { [greater, lesser] }
}

/// One QR step on the rows `first..=last`.
fn step<T: Real>(
    h: &mut [Pair<T>],
    q: &mut [Pair<T>],
    n: usize,
    (first, last): (usize, usize),
    shift: Pair<T>,
) {
    (first..=last).for_each(|i| h[i * (n + 1)] = sub(h[i * (n + 1)], shift));
    let mut rotations = Vec::with_capacity(last - first);
    for k in first..last {
        let (a, b) = (h[k * (n + 1)], h[(k + 1) * n + k]);
        let size = abs(a).hypot(abs(b));
        let (c, s) = match size == T::ZERO {
            true => (real(T::ONE), [T::ZERO; 2]),
            false => (a.map(|part| part / size), b.map(|part| part / size)),
        };
        for j in k..n {
            let (x, y) = (h[k * n + j], h[(k + 1) * n + j]);
            h[k * n + j] = add(mul(c.conjugate(), x), mul(s.conjugate(), y));
            h[(k + 1) * n + j] = sub(mul(c, y), mul(s, x));
        }
        h[(k + 1) * n + k] = [T::ZERO; 2];
        rotations.push((c, s));
    }
    for (k, (c, s)) in (first..).zip(rotations) {
        let columns = |m: &mut [Pair<T>], rows: usize| {
            for i in 0..rows {
                let (x, y) = (m[i * n + k], m[i * n + k + 1]);
                m[i * n + k] = add(mul(x, c), mul(y, s));
                m[i * n + k + 1] = sub(mul(y, c.conjugate()), mul(x, s.conjugate()));
            }
        };
        columns(h, k + 2);
        columns(q, n);
    }
    (first..=last).for_each(|i| h[i * (n + 1)] = add(h[i * (n + 1)], shift));
}

/// A vector of the triangle for its value of number `k`.
fn of_triangle<T: Real>(t: &[Pair<T>], n: usize, k: usize, is_left: bool) -> Vec<Pair<T>> {
    let mut x = vec![[T::ZERO; 2]; n];
    x[k] = real(T::ONE);
    // A left vector is one of the adjoint, which is solved downwards.
    let at = |i: usize, j: usize| if is_left { t[j * n + i].conjugate() } else { t[i * n + j] };
    let open: Vec<usize> = if is_left { (k + 1..n).collect() } else { (0..k).rev().collect() };
    for i in open {
        let known = if is_left { k..i } else { i + 1..k + 1 };
        let sum = known.fold([T::ZERO; 2], |sum, j| add(sum, mul(at(i, j), x[j])));
        let mut divisor = sub(at(k, k), at(i, i));
        if abs(divisor) < T::EPSILON {
            // Equal values, or nearly.
            divisor = real(T::EPSILON);
        }
        x[i] = sum.over(divisor);
        let size = abs(x[i]);
        if size * T::EPSILON > T::ONE {
            x.iter_mut().flatten().for_each(|part| *part = *part / size);
        }
    }
    x
}

/// The vector in the basis of the matrix, of length one, its largest component real.
fn turned<T: Real>(q: &[Pair<T>], x: &[Pair<T>], n: usize) -> Vec<Pair<T>> {
    let row = |row: &[Pair<T>]| row.iter().zip(x).fold([T::ZERO; 2], |sum, (&q, &x)| add(sum, mul(q, x)));
    let mut vector: Vec<Pair<T>> = q.chunks_exact(n).map(row).collect();
    let size = length(&vector);
    let most = (1..n).fold(0, |best, i| if abs(vector[best]) < abs(vector[i]) { i } else { best });
    let (turn, _) = direction(vector[most]);
    vector.iter_mut().for_each(|x| *x = mul(*x, turn.conjugate()).map(|part| part / size));
    vector[most][1] = T::ZERO;
    vector
}
