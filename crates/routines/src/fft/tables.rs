//! What transforms of one length need: their passes, the factors between them, and memory to work in.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// 16 floats of a vector.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Line(pub [f32; 16]);

/// Of a transform of `n` complex numbers, as `m` = `n` / 16 vectors.
#[derive(Clone)]
pub struct Plan {
    pub n: usize,
    pub passes: Vec<Pass>,
    /// w_n^(l a) in lane l, for each a below m: real and imaginary parts.
    pub turns: Vec<[Line; 2]>,
    pub work: [Vec<[Line; 2]>; 2],
    /// See [`Plan::real`].
    real: Vec<[Line; 2]>,
    /// u_k = −i w_2m^k / 2 for k from 0 to m / 2, for rows of m complex numbers side by side.
    pub real_rows: Vec<[f32; 2]>,
}

/// A pass of a transform of vectors: sums of `radix` of them, `stride` times `length`.
#[derive(Clone)]
pub struct Pass {
    pub radix: usize,
    pub length: usize,
    pub stride: usize,
    /// w^(p i), for each p below `length` and i below `radix`; w is of the order `radix` · `length`.
    pub turns: Vec<[f32; 2]>,
}

impl Plan {
    /// So many complex numbers fill blocks of 16 vectors, and the caches near a core hold them.
    pub const LENGTHS: RangeInclusive<usize> = 256..=1 << 15;

    /// Of `n` complex numbers, a power of two among [`Plan::LENGTHS`].
    pub fn new(n: usize) -> Plan {
        let m = n / 16;
        let (mut passes, mut left, mut stride) = (Vec::new(), m, 1);
        while left > 1 {
            let radix = if left.ilog2().is_multiple_of(3) { 8 } else { 4 };
            let length = left / radix;
            let turns = (0..left).map(|at| turn((at / radix) * (at % radix), left)).collect();
            passes.push(Pass { radix, length, stride, turns });
            (left, stride) = (length, stride * radix);
        }
        let turns = (0..m).map(|a| lines(|l| turn(l * a, n))).collect();
        let empty = vec![[Line([0.0; 16]); 2]; m];
        let real_rows = (0..=m / 2).map(|k| of_pairs(k, m)).collect();
        Plan { n, passes, turns, work: [empty.clone(), empty], real: Vec::new(), real_rows }
    }

    /// u_k = −i w_2n^k / 2 for k from 1 to n / 2, eight in a line, each part twice.
    pub fn real(&mut self) -> &[[Line; 2]] {
        if self.real.is_empty() {
            let n = self.n;
            self.real = (0..n / 16).map(|t| lines(|l| of_pairs(1 + 8 * t + l / 2, n))).collect();
        }
        &self.real
    }
}

/// e^(−2πi k / n)
fn turn(k: usize, n: usize) -> [f32; 2] {
    let (sin, cos) = (TAU * (k % n) as f64 / n as f64).sin_cos();
    [cos as f32, -sin as f32]
}

/// −i w_2n^k / 2
fn of_pairs(k: usize, n: usize) -> [f32; 2] {
    let [re, im] = turn(k, 2 * n);
    [im / 2.0, -re / 2.0]
}

fn lines(f: impl Fn(usize) -> [f32; 2]) -> [Line; 2] {
    [0, 1].map(|part| Line(std::array::from_fn(|l| f(l)[part])))
}
