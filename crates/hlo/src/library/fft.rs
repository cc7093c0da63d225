//! The discrete Fourier transform of one row, of any length.
//!
//! `X_k = Σ_j x_j e^(−2πijk/n)`; the inverse has the opposite sign and divides by n. A real transform keeps the n/2 + 1 elements
//! that do not follow from others by X_(n−k) = conj X_k; its inverse takes those, of which the first and, for an even n, the
//! last count as real. Everything is computed in f64 and rounded once at the end.
//!
//! A length is taken apart into its prime factors, the smallest first (Cooley and Tukey). One with a prime factor above
//! [`LARGEST_FACTOR`] is a convolution (Bluestein): jk = (j² + k² − (j − k)²)/2 makes the sum one of products with e^(πij²/n),
//! which transforms of a power of two compute.

use super::Real;
use crate::attrs::FftKind;
use crate::math::Function;
use std::cell::RefCell;
use std::f64::consts::FRAC_PI_4;
use std::ops::{Add, Mul, Sub};
use std::rc::Rc;

/// Transforms one row. Complex numbers are two floats each, the real part first; `n` is the length of the transform.
pub fn fft<T: Real>(kind: FftKind, x: &[T], out: &mut [T], n: usize) {
    if n == 0 {
        return;
    }
    let inverse = matches!(kind, FftKind::Ifft | FftKind::Irfft);
    let mut row = read(kind, x, n);
    // conj(F(conj x)) is the transform with the opposite sign.
    if inverse {
        row.iter_mut().for_each(|z| z.im = -z.im);
    }
    let mut transformed = transform(&row);
    if inverse {
        let scale = n as f64;
        transformed.iter_mut().for_each(|z| *z = Complex { re: z.re / scale, im: -z.im / scale });
    }
    match kind {
        FftKind::Irfft => out.iter_mut().zip(&transformed).for_each(|(o, z)| *o = T::of(z.re)),
        FftKind::Fft | FftKind::Ifft | FftKind::Rfft => {
            for (o, z) in out.chunks_exact_mut(2).zip(&transformed) {
                o.copy_from_slice(&[T::of(z.re), T::of(z.im)]);
            }
        }
    }
}

/// Transforms each column of a matrix of so many. Complex numbers are two floats each.
pub fn columns<T: Real>(kind: FftKind, x: &[T], out: &mut [T], (n, columns): (usize, usize)) {
    let ((read, of_read), (written, of_written)) = lines(kind, n);
    let mut row = vec![T::ZERO; read * of_read];
    let mut made = vec![T::ZERO; written * of_written];
    for c in 0..columns {
        take_column(x, of_read, (c, columns), &mut row);
        fft(kind, &row, &mut made, n);
        for (k, element) in made.chunks_exact(of_written).enumerate() {
            out[(k * columns + c) * of_written..][..of_written].copy_from_slice(element);
        }
    }
}

/// Column `c` of so many, of elements of `parts` floats.
fn take_column<T: Real>(x: &[T], parts: usize, (c, columns): (usize, usize), row: &mut [T]) {
    for (k, element) in row.chunks_exact_mut(parts).enumerate() {
        element.copy_from_slice(&x[(k * columns + c) * parts..][..parts]);
    }
}

/// How many elements a transform of length `n` reads and makes, each with the number of its floats.
pub fn lines(kind: FftKind, n: usize) -> ((usize, usize), (usize, usize)) {
    let half = if n == 0 { 0 } else { n / 2 + 1 };
    match kind {
        FftKind::Fft | FftKind::Ifft => ((n, 2), (n, 2)),
        FftKind::Rfft => ((n, 1), (half, 2)),
        FftKind::Irfft => ((n / 2 + 1, 2), (n, 1)),
    }
}

/// The transforms of one dimension that make one of several, in order: which of the minor-most dimensions, and its kind. Each is
/// rounded to the element type.
pub fn passes(kind: FftKind, dimensions: usize) -> Vec<(usize, FftKind)> {
    let last = dimensions.saturating_sub(1);
    let outer = |kind| (0..last).rev().map(move |d| (d, kind));
    match kind {
        FftKind::Fft | FftKind::Ifft => std::iter::once((last, kind)).chain(outer(kind)).collect(),
        FftKind::Rfft => std::iter::once((last, kind)).chain(outer(FftKind::Fft)).collect(),
        FftKind::Irfft => outer(FftKind::Ifft).chain([(last, kind)]).collect(),
    }
}

/// Additions and multiplications for one row of this length.
pub fn operations(kind: FftKind, n: i64) -> i128 {
    let logarithm = i128::from(n.max(2).ilog2()) + 1;
    let all = 5 * n as i128 * logarithm;
    match kind {
        FftKind::Fft | FftKind::Ifft => all,
        FftKind::Rfft | FftKind::Irfft => all / 2,
    }
}

/// Prime factors up to this one are transformed by their definition.
const LARGEST_FACTOR: usize = 31;

#[derive(Clone, Copy, Debug)]
struct Complex {
    re: f64,
    im: f64,
}

const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

impl Complex {
    fn conj(self) -> Complex {
        Complex { re: self.re, im: -self.im }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, y: Complex) -> Complex {
        Complex { re: self.re + y.re, im: self.im + y.im }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, y: Complex) -> Complex {
        Complex { re: self.re - y.re, im: self.im - y.im }
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, y: Complex) -> Complex {
        Complex { re: self.re * y.re - self.im * y.im, im: self.re * y.im + self.im * y.re }
    }
}

/// All `n` elements that are transformed.
fn read<T: Real>(kind: FftKind, x: &[T], n: usize) -> Vec<Complex> {
    match kind {
        FftKind::Rfft => x.iter().map(|x| Complex { re: x.wide(), im: 0.0 }).collect(),
        FftKind::Fft | FftKind::Ifft | FftKind::Irfft => {
            let (pairs, _) = x.as_chunks::<2>();
            let mut row: Vec<Complex> =
                pairs.iter().map(|[re, im]| Complex { re: re.wide(), im: im.wide() }).collect();
            if kind == FftKind::Irfft {
                row[0].im = 0.0;
                if n.is_multiple_of(2) {
                    row[n / 2].im = 0.0;
                }
                (n / 2 + 1..n).for_each(|k| row.push(row[n - k].conj()));
            }
            row
        }
    }
}

fn transform(x: &[Complex]) -> Vec<Complex> {
    let n = x.len();
    match factors(n) {
        Some(factors) => {
            let mut out = vec![ZERO; n];
            mixed_radix(x, 1, &mut out, &factors, &roots(n), 1);
            out
        }
        None => bluestein(x),
    }
}

/// The prime factors, the smallest first; `None` where one is too large.
fn factors(mut n: usize) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for p in 2..=LARGEST_FACTOR {
        while n.is_multiple_of(p) {
            all.push(p);
            n /= p;
        }
    }
    (n <= 1).then_some(all)
}

/// Transforms every `step`-th element of `x`, as many as `out` has; `roots` are those of unity whose `stride`-th powers belong
/// to this length.
fn mixed_radix(
    x: &[Complex],
    step: usize,
    out: &mut [Complex],
    factors: &[usize],
    roots: &[Complex],
    stride: usize,
) {
    let [p, rest @ ..] = factors else {
        out[0] = x[0];
        return;
    };
    let (p, part) = (*p, out.len() / *p);
    for (j, out) in out.chunks_exact_mut(part).enumerate() {
        mixed_radix(&x[j * step..], step * p, out, rest, roots, stride * p);
    }
    let mut column = [ZERO; LARGEST_FACTOR];
    for k in 0..part {
        for j in 0..p {
            column[j] = roots[j * k * stride] * out[j * part + k];
        }
        if p == 2 {
            (out[k], out[part + k]) = (column[0] + column[1], column[0] - column[1]);
            continue;
        }
        for m in 0..p {
            let term = |sum, j: usize| sum + roots[j * m % p * part * stride] * column[j];
            out[m * part + k] = (1..p).fold(column[0], term);
        }
    }
}

fn bluestein(x: &[Complex]) -> Vec<Complex> {
    let n = x.len();
    // e^(−πij²/n): j² modulo 2n indexes the roots of 2n.
    let of_both = roots(2 * n);
    let chirp: Vec<Complex> = (0..n as u128).map(|j| of_both[(j * j % (2 * n as u128)) as usize]).collect();
    let m = (2 * n - 1).next_power_of_two();
    let mut a = vec![ZERO; m];
    a.iter_mut().zip(x.iter().zip(&chirp)).for_each(|(a, (&x, &c))| *a = x * c);
    let mut b = vec![ZERO; m];
    for (j, c) in chirp.iter().enumerate() {
        b[j] = c.conj();
        b[(m - j) % m] = c.conj();
    }
    let (a, b) = (transform(&a), transform(&b));
    let product: Vec<Complex> = a.iter().zip(&b).map(|(&a, &b)| (a * b).conj()).collect();
    let sums = transform(&product);
    let scale = m as f64;
    let sum = |z: &Complex| Complex { re: z.re / scale, im: -z.im / scale };
    sums.iter().zip(&chirp).map(|(z, &c)| sum(z) * c).collect()
}

/// e^(−2πik/n) for each k below n. Those of the last lengths are kept where they are short: rows of a batch have the same.
fn roots(n: usize) -> Rc<[Complex]> {
    const KEPT: usize = 4;
    const LONGEST_KEPT: usize = 1 << 16;
    thread_local! {
        static LAST: RefCell<Vec<Rc<[Complex]>>> = const { RefCell::new(Vec::new()) };
    }
    LAST.with_borrow_mut(|last| {
        if let Some(known) = last.iter().find(|r| r.len() == n) {
            return known.clone();
        }
        let made: Rc<[Complex]> = (0..n).map(|k| root(k, n)).collect();
        if n <= LONGEST_KEPT {
            last.truncate(KEPT - 1);
            last.insert(0, made.clone());
        }
        made
    })
}

fn root(k: usize, n: usize) -> Complex {
    let (re, im) = root_of_unity(k, n, |x| (Function::Sin.apply_f64(x), Function::Cos.apply_f64(x)));
    Complex { re, im }
}

/// e^(−2πik/n), for k below n, from sine and cosine of the angle within an eighth of a turn, where they are most accurate.
pub fn root_of_unity(k: usize, n: usize, sin_cos: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let eighths = 8 * k as u128;
    let (octant, rest) = ((eighths / n as u128) as usize, (eighths % n as u128) as f64);
    let share = if octant % 2 == 1 { n as f64 - rest } else { rest };
    let (s, c) = sin_cos(share / n as f64 * FRAC_PI_4);
    let (re, im) = match octant {
        0 => (c, s),
        1 => (s, c),
        2 => (-s, c),
        3 => (-c, s),
        4 => (-c, -s),
        5 => (-s, -c),
        6 => (s, -c),
        _ => (c, -s),
    };
    (re, -im)
}
