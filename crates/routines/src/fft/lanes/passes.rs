//! Passes of a transform of lines, which are vectors of complex numbers: sums of a few of them, by which they become those of parts.
//!
//! After Stockham: of n = r m lines, a pass makes y[r p + i] = w_n^(p i) Σ_j w_r^(i j) x[p + m j] for each p below m and i below r,
//! and the next one does the same with m lines for each i. Its results are in order when no pass is left.

use super::instructions::{Call, Instructions};
use lawson_hlo::library::Real;

/// A vector of complex numbers.
pub struct C<S: Instructions> {
    pub re: S::Vector,
    pub im: S::Vector,
}

impl<S: Instructions> Clone for C<S> {
    fn clone(&self) -> C<S> {
        *self
    }
}

impl<S: Instructions> Copy for C<S> {}

/// Sums of `radix` lines, `stride` times `length`.
#[derive(Clone)]
pub struct Pass<T> {
    pub radix: usize,
    pub length: usize,
    pub stride: usize,
    /// w^(p i), for each p below `length` and i below `radix`; w is of the order `radix` · `length`.
    pub turns: Vec<[T; 2]>,
    /// w_radix^k
    pub roots: Vec<[T; 2]>,
}

/// Odd numbers of elements that a pass sums.
pub const PRIMES: [usize; 5] = [13, 11, 7, 5, 3];

#[inline(always)]
pub fn add<S: Instructions>(s: S, a: C<S>, b: C<S>) -> C<S> {
    C { re: s.add(a.re, b.re), im: s.add(a.im, b.im) }
}

#[inline(always)]
pub fn sub<S: Instructions>(s: S, a: C<S>, b: C<S>) -> C<S> {
    C { re: s.sub(a.re, b.re), im: s.sub(a.im, b.im) }
}

/// `a − i b`
#[inline(always)]
fn sub_i<S: Instructions>(s: S, a: C<S>, b: C<S>) -> C<S> {
    C { re: s.add(a.re, b.im), im: s.sub(a.im, b.re) }
}

/// `a + i b`
#[inline(always)]
fn add_i<S: Instructions>(s: S, a: C<S>, b: C<S>) -> C<S> {
    C { re: s.sub(a.re, b.im), im: s.add(a.im, b.re) }
}

#[inline(always)]
pub fn mul<S: Instructions>(s: S, a: C<S>, b: C<S>) -> C<S> {
    C { re: s.sub_mul(a.im, b.im, s.mul(a.re, b.re)), im: s.mul_add(a.im, b.re, s.mul(a.re, b.im)) }
}

/// The same number in all lanes.
#[inline(always)]
pub fn all<S: Instructions>(s: S, [re, im]: [S::Float; 2]) -> C<S> {
    C { re: s.splat(re), im: s.splat(im) }
}

#[inline(always)]
fn dft2<S: Instructions>(s: S, [a, b]: [C<S>; 2]) -> [C<S>; 2] {
    [add(s, a, b), sub(s, a, b)]
}

#[inline(always)]
pub fn dft4<S: Instructions>(s: S, [a, b, c, d]: [C<S>; 4]) -> [C<S>; 4] {
    let (t, u) = (add(s, a, c), sub(s, a, c));
    let (v, w) = (add(s, b, d), sub(s, b, d));
    [add(s, t, v), sub_i(s, u, w), sub(s, t, v), add_i(s, u, w)]
}

#[inline(always)]
fn dft8<S: Instructions>(s: S, a: [C<S>; 8]) -> [C<S>; 8] {
    let e = dft4(s, [a[0], a[2], a[4], a[6]]);
    let o = dft4(s, [a[1], a[3], a[5], a[7]]);
    let h = s.splat(S::Float::of(std::f64::consts::FRAC_1_SQRT_2));
    // (1 − i) / √2, and −(1 + i) / √2
    let first: C<S> = C { re: s.mul(h, s.add(o[1].re, o[1].im)), im: s.mul(h, s.sub(o[1].im, o[1].re)) };
    let third: C<S> = C { re: s.mul(h, s.sub(o[3].im, o[3].re)), im: s.mul(h, s.add(o[3].re, o[3].im)) };
    [
        add(s, e[0], o[0]),
        add(s, e[1], first),
        sub_i(s, e[2], o[2]),
        C { re: s.add(e[3].re, third.re), im: s.sub(e[3].im, third.im) },
        sub(s, e[0], o[0]),
        sub(s, e[1], first),
        add_i(s, e[2], o[2]),
        C { re: s.sub(e[3].re, third.re), im: s.add(e[3].im, third.im) },
    ]
}

/// Of an odd number of elements: those that lie alike from both ends share their products with cosines and sines.
#[inline(always)]
fn dft_odd<S: Instructions, const R: usize>(s: S, a: [C<S>; R], roots: &[[S::Float; 2]]) -> [C<S>; R] {
    let mut out = a;
    let (mut sums, mut differences) = (a, a);
    for j in 1..=R / 2 {
        sums[j] = add(s, a[j], a[R - j]);
        differences[j] = sub(s, a[j], a[R - j]);
        out[0] = add(s, out[0], sums[j]);
    }
    for k in 1..=R / 2 {
        let mut even = a[0];
        // The imaginary parts of the roots are negative sines.
        let w = s.splat(roots[k][1]);
        let mut odd = C { re: s.mul(w, differences[1].re), im: s.mul(w, differences[1].im) };
        for j in 1..=R / 2 {
            let w = all(s, roots[j * k % R]);
            even = C { re: s.mul_add(w.re, sums[j].re, even.re), im: s.mul_add(w.re, sums[j].im, even.im) };
            if j > 1 {
                let d = differences[j];
                odd = C { re: s.mul_add(w.im, d.re, odd.re), im: s.mul_add(w.im, d.im, odd.im) };
            }
        }
        out[k] = add_i(s, even, odd);
        out[R - k] = sub_i(s, even, odd);
    }
    out
}

/// Runs a pass; `from` has the lines, `to` gets them.
#[inline(always)]
pub fn pass<S, F, T>(s: S, pass: &Pass<S::Float>, from: F, to: T)
where
    S: Instructions,
    F: Fn(usize) -> C<S>,
    T: FnMut(usize, C<S>),
{
    match pass.radix {
        2 => s.call(OfRadix { pass, from, to, dft: dft2::<S> }),
        4 => s.call(OfRadix { pass, from, to, dft: dft4::<S> }),
        8 => s.call(OfRadix { pass, from, to, dft: dft8::<S> }),
        3 => odd::<S, F, T, 3>(s, pass, from, to),
        5 => odd::<S, F, T, 5>(s, pass, from, to),
        7 => odd::<S, F, T, 7>(s, pass, from, to),
        11 => odd::<S, F, T, 11>(s, pass, from, to),
        _ => odd::<S, F, T, 13>(s, pass, from, to),
    }
}

#[inline(always)]
fn odd<S, F, T, const R: usize>(s: S, pass: &Pass<S::Float>, from: F, to: T)
where
    S: Instructions,
    F: Fn(usize) -> C<S>,
    T: FnMut(usize, C<S>),
{
    s.call(OfRadix { pass, from, to, dft: |s: S, a: [C<S>; R]| dft_odd(s, a, &pass.roots) });
}

struct OfRadix<'a, X, F, T, D, const R: usize> {
    pass: &'a Pass<X>,
    from: F,
    to: T,
    dft: D,
}

impl<S, F, T, D, const R: usize> Call<S> for OfRadix<'_, S::Float, F, T, D, R>
where
    S: Instructions,
    F: Fn(usize) -> C<S>,
    T: FnMut(usize, C<S>),
    D: Fn(S, [C<S>; R]) -> [C<S>; R],
{
    type Result = ();

    #[inline(always)]
    fn call(mut self, s: S) {
        let Pass { length, stride, .. } = *self.pass;
        for (p, turns) in self.pass.turns.as_chunks::<R>().0.iter().enumerate() {
            for q in 0..stride {
                let a = std::array::from_fn(|i| (self.from)(q + stride * (p + length * i)));
                let b = (self.dft)(s, a);
                for (i, &b) in b.iter().enumerate() {
                    let made = if i == 0 || p == 0 { b } else { mul(s, b, all(s, turns[i])) };
                    (self.to)(q + stride * (R * p + i), made);
                }
            }
        }
    }
}
