//! The real Schur form of a square matrix: an orthogonal one, a block triangular one and the transpose of the first.
//!
//! The matrix, divided by a power of two near its largest element, becomes a Hessenberg matrix, and Francis' steps with two
//! shifts make what is below its diagonal vanish, from the last element upwards; every tenth step for one element takes other
//! shifts. A block of order 2 that is left is rotated: into a triangle where its eigenvalues are real, else so that its
//! diagonal elements are equal. Where an element is not finite, or an eigenvalue takes too many steps, everything is NaN.

use super::Real;
use super::hessenberg::{hessenberg, orthogonal};
use super::householder::{Block, largest, reflect_left, reflect_right, reflector};

/// Most steps for one eigenvalue; four are usual.
const MAX_STEPS: usize = 300;
/// After how many steps other shifts are tried.
const EXCEPTION: usize = 10;

/// Makes the form of `a`, `n` × `n` row by row, in its place; gives the orthogonal factor.
pub fn schur<T: Real>(a: &mut [T], n: usize) -> Vec<T> {
    let most = largest(a.iter().copied());
    let scale = if most == T::ZERO { T::ONE } else { most.power_of_two() };
    a.iter_mut().for_each(|x| *x = *x / scale);
    let mut taus = vec![T::ZERO; n.saturating_sub(1)];
    let mut q = Vec::new();
    if most.is_finite() {
        hessenberg(a, n, &mut taus);
        q = orthogonal(a, n, &taus);
        for (i, j) in (2..n).flat_map(|i| (0..i - 1).map(move |j| (i, j))) {
            a[i * n + j] = T::ZERO;
        }
    }
    if !most.is_finite() || !(Form { h: a, q: &mut q, n }).iterate() {
        a.fill(T::NAN);
        return vec![T::NAN; n * n];
    }
    a.iter_mut().for_each(|x| *x = *x * scale);
    q
}

/// A Hessenberg matrix on its way, with the product of what it was multiplied by.
struct Form<'a, T> {
    h: &'a mut [T],
    q: &'a mut [T],
    n: usize,
}

impl<T: Real> Form<'_, T> {
    fn at(&self, i: usize, j: usize) -> T {
        self.h[i * self.n + j]
    }

    /// Tells whether everything below the blocks became zero.
    fn iterate(&mut self) -> bool {
        let whole = largest(self.h.iter().copied());
        // One beyond the last row that is not finished.
        let (mut end, mut steps) = (self.n, 0);
        while end > 1 {
            let last = end - 1;
            let first = (1..end).rev().find(|&i| {
                let beside = self.at(i, i).abs() + self.at(i - 1, i - 1).abs();
                self.at(i, i - 1).abs() <= T::EPSILON * (T::EPSILON * whole + beside)
            });
            if let Some(i) = first {
                self.h[i * self.n + i - 1] = T::ZERO;
            }
            let first = first.unwrap_or(0);
            if last - first < 2 {
                if last > first {
                    self.finish(first);
                }
                (end, steps) = (first, 0);
                continue;
            }
            steps += 1;
            if steps > MAX_STEPS {
                return false;
            }
            self.step(first, last, steps % EXCEPTION == 0);
        }
        true
    }

    /// A step with two shifts on the rows `first..=last`, at least three.
    fn step(&mut self, first: usize, last: usize, exception: bool) {
        let (sum, product) = match exception {
            true => {
                let s = self.at(last, last - 1).abs() + self.at(last - 1, last - 2).abs();
                (T::of(1.5) * s, s * s)
            }
            false => {
                let (a, b) = (self.at(last - 1, last - 1), self.at(last - 1, last));
                let (c, d) = (self.at(last, last - 1), self.at(last, last));
                (a + d, a * d - b * c)
            }
        };
        let (a, b) = (self.at(first, first), self.at(first, first + 1));
        let (c, d) = (self.at(first + 1, first), self.at(first + 1, first + 1));
        let mut start =
            vec![a * a + b * c - sum * a + product, c * (a + d - sum), c * self.at(first + 2, first + 1)];
        for k in first..last {
            let rows = k..(k + 3).min(last + 1);
            if k > first {
                start = rows.clone().map(|i| self.at(i, k - 1)).collect();
            }
            let (beta, tau) = reflector(&mut start);
            if k > first {
                rows.clone().for_each(|i| self.h[i * self.n + k - 1] = T::ZERO);
                self.h[k * self.n + k - 1] = beta;
            }
            self.reflect(rows, &start, tau, k);
        }
    }

    /// Reflects rows and columns, from column `k` on.
    fn reflect(&mut self, rows: std::ops::Range<usize>, v: &[T], tau: T, k: usize) {
        let n = self.n;
        reflect_left(self.h, Block { width: n, rows: rows.clone(), columns: k..n }, v, tau);
        let below = (rows.end + 1).min(n);
        reflect_right(self.h, Block { width: n, rows: 0..below, columns: rows.clone() }, v, tau);
        reflect_right(self.q, Block { width: n, rows: 0..n, columns: rows }, v, tau);
    }

    /// Rotates the block of the rows k and k + 1.
    fn finish(&mut self, k: usize) {
        let n = self.n;
        let block = [self.at(k, k), self.at(k, k + 1), self.at(k + 1, k), self.at(k + 1, k + 1)];
        let Some((c, s, real)) = rotation(block) else { return };
        for j in k..n {
            let (x, y) = (self.at(k, j), self.at(k + 1, j));
            self.h[k * n + j] = c * x + s * y;
            self.h[(k + 1) * n + j] = c * y - s * x;
        }
        let columns = |row: &mut [T]| {
            let (x, y) = (row[k], row[k + 1]);
            (row[k], row[k + 1]) = (c * x + s * y, c * y - s * x);
        };
        self.h.chunks_exact_mut(n).take(k + 2).for_each(columns);
        self.q.chunks_exact_mut(n).for_each(columns);
        if real {
            self.h[(k + 1) * n + k] = T::ZERO;
        } else {
            let mean = T::of(0.5) * (self.at(k, k) + self.at(k + 1, k + 1));
            self.h[k * (n + 1)] = mean;
            self.h[(k + 1) * (n + 1)] = mean;
        }
    }
}

/// Cosine and sine of the rotation `[c s; −s c]` that brings a block `[a b; c d]` to its form, and whether its eigenvalues are
/// real; nothing where it has it.
fn rotation<T: Real>([a, b, c, d]: [T; 4]) -> Option<(T, T, bool)> {
    if c == T::ZERO {
        return None;
    }
    if b == T::ZERO {
        return Some((T::ZERO, T::ONE, true));
    }
    // First the diagonal elements become equal.
    let (difference, sum) = (a - d, b + c);
    let length = difference.hypot(sum);
    let (cos, sin) = match length == T::ZERO {
        true => (T::ONE, T::ZERO),
        false => {
            let cos = (T::of(0.5) * (T::ONE + sum.abs() / length)).sqrt();
            let turned = if sum < T::ZERO { difference } else { -difference };
            (cos, turned / length / (T::of(2.0) * cos))
        }
    };
    let part = cos * sin * (d - a);
    let above = cos * cos * b - sin * sin * c + part;
    let below = cos * cos * c - sin * sin * b + part;
    if below == T::ZERO {
        return Some((cos, sin, true));
    }
    if above == T::ZERO {
        return Some((-sin, cos, true));
    }
    if (above < T::ZERO) != (below < T::ZERO) {
        return Some((cos, sin, false));
    }
    // Then the eigenvector (√above, √below) becomes the first unit vector.
    let (x, y) = (above.abs().sqrt(), below.abs().sqrt());
    let length = x.hypot(y);
    let (x, y) = (x / length, y / length);
    Some((x * cos - y * sin, x * sin + y * cos, true))
}
