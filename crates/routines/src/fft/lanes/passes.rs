//! Passes of a transform of lines, which are vectors of complex numbers: sums of a few of them, by which they become those of parts.
//!
//! After Stockham: of n = r m lines, a pass makes y[r p + i] = w_n^(p i) Σ_j w_r^(i j) x[p + m j] for each p below m and i below r,
//! and the next one does the same with m lines for each i. Its results are in order when no pass is left.

use crate::instructions::{Call, Instructions};
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
pub const PRIMES: [usize; 10] = [31, 29, 23, 19, 17, 13, 11, 7, 5, 3];
const LARGEST_PRIME: usize = PRIMES[0];

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

/// Sums of `R` numbers.
trait Dft<S: Instructions, const R: usize> {
    fn of(&self, s: S, a: [C<S>; R]) -> [C<S>; R];
}

struct Dft2;

impl<S: Instructions> Dft<S, 2> for Dft2 {
    #[inline(always)]
    fn of(&self, s: S, [a, b]: [C<S>; 2]) -> [C<S>; 2] {
        [add(s, a, b), sub(s, a, b)]
    }
}

struct Dft4;

impl<S: Instructions> Dft<S, 4> for Dft4 {
    #[inline(always)]
    fn of(&self, s: S, a: [C<S>; 4]) -> [C<S>; 4] {
        dft4(s, a)
    }
}

#[inline(always)]
pub fn dft4<S: Instructions>(s: S, [a, b, c, d]: [C<S>; 4]) -> [C<S>; 4] {
    let (t, u) = (add(s, a, c), sub(s, a, c));
    let (v, w) = (add(s, b, d), sub(s, b, d));
    [add(s, t, v), sub_i(s, u, w), sub(s, t, v), add_i(s, u, w)]
}

#[inline(always)]
pub fn dft8<S: Instructions>(s: S, a: [C<S>; 8]) -> [C<S>; 8] {
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

struct Dft8;

impl<S: Instructions> Dft<S, 8> for Dft8 {
    #[inline(always)]
    fn of(&self, s: S, a: [C<S>; 8]) -> [C<S>; 8] {
        dft8(s, a)
    }
}

/// Of an odd number of elements: those that lie alike from both ends share their products with cosines and sines.
struct Odd<'a, T>(&'a [[T; 2]]);

impl<S: Instructions, const R: usize> Dft<S, R> for Odd<'_, S::Float> {
    #[inline(always)]
    fn of(&self, s: S, a: [C<S>; R]) -> [C<S>; R] {
        let roots = self.0;
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
                even =
                    C { re: s.mul_add(w.re, sums[j].re, even.re), im: s.mul_add(w.re, sums[j].im, even.im) };
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
}

/// What a pass reads. All methods of these traits have to be inlined: a closure would be compiled without the instructions.
pub trait Source<S: Instructions> {
    fn get(&self, s: S, k: usize) -> C<S>;
}

impl<S: Instructions> Source<S> for &[C<S>] {
    #[inline(always)]
    fn get(&self, _: S, k: usize) -> C<S> {
        self[k]
    }
}

/// Where the lines of a pass go.
pub trait Sink<S: Instructions> {
    fn put(&mut self, s: S, k: usize, line: C<S>);
}

impl<S: Instructions> Sink<S> for &mut [C<S>] {
    #[inline(always)]
    fn put(&mut self, _: S, k: usize, line: C<S>) {
        self[k] = line;
    }
}

/// Runs a pass; `from` has the lines, `to` gets them and is given back.
pub fn pass<S, F, T>(s: S, pass: &Pass<S::Float>, from: F, to: T) -> T
where
    S: Instructions,
    F: Source<S>,
    T: Sink<S>,
{
    match pass.radix {
        2 => s.call(OfRadix { pass, from, to, dft: Dft2 }),
        4 => s.call(OfRadix { pass, from, to, dft: Dft4 }),
        8 => s.call(OfRadix { pass, from, to, dft: Dft8 }),
        3 => s.call(OfRadix::<_, _, _, _, 3> { pass, from, to, dft: Odd(&pass.roots) }),
        5 => s.call(OfRadix::<_, _, _, _, 5> { pass, from, to, dft: Odd(&pass.roots) }),
        7 => s.call(OfRadix::<_, _, _, _, 7> { pass, from, to, dft: Odd(&pass.roots) }),
        11 => s.call(OfRadix::<_, _, _, _, 11> { pass, from, to, dft: Odd(&pass.roots) }),
        13 => s.call(OfRadix::<_, _, _, _, 13> { pass, from, to, dft: Odd(&pass.roots) }),
        _ => s.call(OfPrime { pass, from, to }),
    }
}

/// Runs passes; the first of the two arrays has the lines before and afterwards.
pub fn between<S: Instructions>(s: S, all: &[Pass<S::Float>], [here, there]: &mut [&mut [C<S>]; 2]) {
    for p in all {
        pass(s, p, &**here, &mut **there);
        std::mem::swap(here, there);
    }
}

/// Runs passes, the first of which has the lines of `from`; afterwards the first of the two arrays has them.
pub fn after<S, F>(s: S, all: &[Pass<S::Float>], from: F, lines: &mut [&mut [C<S>]; 2])
where
    S: Instructions,
    F: Source<S>,
{
    let here = &mut *lines[0];
    match all {
        // Of one line there is nothing to sum.
        [] => here[0] = from.get(s, 0),
        [first, ..] => drop(pass(s, first, from, here)),
    }
    between(s, all.get(1..).unwrap_or_default(), lines);
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
    F: Source<S>,
    T: Sink<S>,
    D: Dft<S, R>,
{
    type Result = T;

    #[inline(always)]
    fn call(mut self, s: S) -> T {
        let Pass { length, stride, .. } = *self.pass;
        let zero = s.splat(<S::Float as Real>::ZERO);
        for (p, turns) in self.pass.turns.as_chunks::<R>().0.iter().enumerate() {
            for q in 0..stride {
                let mut a = [C { re: zero, im: zero }; R];
                for (i, a) in a.iter_mut().enumerate() {
                    *a = self.from.get(s, q + stride * (p + length * i));
                }
                let b = self.dft.of(s, a);
                for (i, &b) in b.iter().enumerate() {
                    let made = if i == 0 || p == 0 { b } else { mul(s, b, all(s, turns[i])) };
                    self.to.put(s, q + stride * (R * p + i), made);
                }
            }
        }
        self.to
    }
}

/// Sums of a prime number of lines that have no function of their own.
struct OfPrime<'a, X, F, T> {
    pass: &'a Pass<X>,
    from: F,
    to: T,
}

impl<S, F, T> Call<S> for OfPrime<'_, S::Float, F, T>
where
    S: Instructions,
    F: Source<S>,
    T: Sink<S>,
{
    type Result = T;

    #[inline(always)]
    fn call(mut self, s: S) -> T {
        let Pass { radix, length, stride, .. } = *self.pass;
        let zero = s.splat(<S::Float as Real>::ZERO);
        // Sums of what lies alike from both ends, and differences.
        let [mut sums, mut differences] = [[C { re: zero, im: zero }; LARGEST_PRIME]; 2];
        for p in 0..length {
            let turns = &self.pass.turns[p * radix..][..radix];
            for q in 0..stride {
                let line = |i: usize| q + stride * (p + length * i);
                let out = |i: usize| q + stride * (radix * p + i);
                let first = self.from.get(s, line(0));
                let mut all_of_them = first;
                for j in 1..=radix / 2 {
                    let (a, b) = (self.from.get(s, line(j)), self.from.get(s, line(radix - j)));
                    (sums[j], differences[j]) = (add(s, a, b), sub(s, a, b));
                    all_of_them = add(s, all_of_them, sums[j]);
                }
                self.to.put(s, out(0), all_of_them);
                for k in 1..=radix / 2 {
                    let (mut even, mut odd) = (first, C { re: zero, im: zero });
                    let mut power = 0;
                    for j in 1..=radix / 2 {
                        power += k;
                        if power >= radix {
                            power -= radix;
                        }
                        let w = all(s, self.pass.roots[power]);
                        let (sum, d) = (sums[j], differences[j]);
                        even =
                            C { re: s.mul_add(w.re, sum.re, even.re), im: s.mul_add(w.re, sum.im, even.im) };
                        odd = C { re: s.mul_add(w.im, d.re, odd.re), im: s.mul_add(w.im, d.im, odd.im) };
                    }
                    let (low, high) = (add_i(s, even, odd), sub_i(s, even, odd));
                    self.to.put(s, out(k), mul(s, low, all(s, turns[k])));
                    self.to.put(s, out(radix - k), mul(s, high, all(s, turns[radix - k])));
                }
            }
        }
        self.to
    }
}
