//! Up to 16 short rows, side by side in lanes.
//!
//! Rows of m complex numbers are transposed to m vectors, transformed by the passes, and transposed back. Real rows of 2 m numbers
//! are such rows of m pairs; what that takes before or after is in lanes too.

use super::{C, LANES, add, all, load, mul, pass, store, sub, transposed};
use super::{IN_LINES, Source};
use crate::fft::tables::{Line, Plan};
use lawson_hlo::attrs::FftKind;
use std::arch::x86_64::*;

/// Transforms rows; tells whether all results are finite.
#[target_feature(enable = "avx512f")]
pub fn transform(plan: &mut Plan, kind: FftKind, x: &[f32], y: &mut [f32]) -> bool {
    let Plan { passes, work: [from, to], real_rows, .. } = plan;
    let m = from.len();
    // A real row has an element more in its transform.
    let (read, written) = match kind {
        FftKind::Fft | FftKind::Ifft => (2 * m, 2 * m),
        FftKind::Rfft => (2 * m, 2 * m + 2),
        FftKind::Irfft => (2 * m + 2, 2 * m),
    };
    // Inverse transforms exchange real and imaginary parts before and after.
    let inverse = matches!(kind, FftKind::Ifft | FftKind::Irfft);
    match kind {
        FftKind::Ifft => take_rows::<true>(from, x, read),
        FftKind::Fft | FftKind::Rfft | FftKind::Irfft => take_rows::<false>(from, x, read),
    }
    if kind == FftKind::Irfft {
        let last = from_column(x, (read, 2 * m));
        of_half(from, last, real_rows);
    }
    for p in passes.iter() {
        pass::<IN_LINES>(p, Source { lines: from, row: &[] }, to);
        std::mem::swap(from, to);
    }
    let last = if kind == FftKind::Rfft { to_half(from, real_rows) } else { [0.0; LANES] };
    let mut check = match inverse {
        true => give_rows::<true>(from, y, written, 1.0 / m as f32),
        false => give_rows::<false>(from, y, written, 1.0),
    };
    if kind == FftKind::Rfft {
        for (row, value) in y.chunks_exact_mut(written).zip(last) {
            (row[2 * m], row[2 * m + 1]) = (value, 0.0);
        }
        check = _mm512_fmadd_ps(load(&last), _mm512_setzero_ps(), check);
    }
    _mm512_reduce_add_ps(check) == 0.0
}

/// Element `at` of each row of so many.
fn from_column(x: &[f32], (row, at): (usize, usize)) -> [f32; LANES] {
    let mut column = [0.0; LANES];
    column.iter_mut().zip(x.chunks_exact(row)).for_each(|(to, row)| *to = row[at]);
    column
}

/// The complex numbers of rows of `read` floats, as many as there are lines; real and imaginary parts may change places.
#[target_feature(enable = "avx512f")]
fn take_rows<const SWAP: bool>(lines: &mut [[Line; 2]], x: &[f32], read: usize) {
    // Where there are fewer rows, the last one takes the place of others.
    let last = (x.len() / read).saturating_sub(1);
    for (block, lines) in lines.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut row = [_mm512_setzero_ps(); LANES];
        for (r, v) in row.iter_mut().enumerate() {
            if let Some(x) = x[r.min(last) * read + 16 * block..].first_chunk() {
                *v = load(x);
            }
        }
        let columns = transposed(&row);
        for (line, parts) in lines.iter_mut().zip(columns.as_chunks::<2>().0) {
            store(&mut line[SWAP as usize].0, parts[0]);
            store(&mut line[!SWAP as usize].0, parts[1]);
        }
    }
}

/// The lines as rows of `written` floats; where the parts change places, times a factor. Gives zero times the results, summed up:
/// NaN if one of them is not finite.
#[target_feature(enable = "avx512f")]
fn give_rows<const SWAP: bool>(lines: &[[Line; 2]], y: &mut [f32], written: usize, scale: f32) -> __m512 {
    let (zero, scale) = (_mm512_setzero_ps(), _mm512_set1_ps(scale));
    let mut check = zero;
    let rows = y.len() / written;
    for (block, lines) in lines.as_chunks::<8>().0.iter().enumerate() {
        let mut columns = [zero; LANES];
        for (line, parts) in lines.iter().zip(columns.as_chunks_mut::<2>().0) {
            *parts = [load(&line[SWAP as usize].0), load(&line[!SWAP as usize].0)];
            if SWAP {
                *parts = parts.map(|v| _mm512_mul_ps(v, scale));
            }
        }
        for (r, &v) in transposed(&columns).iter().enumerate() {
            check = _mm512_fmadd_ps(v, zero, check);
            if r < rows
                && let Some(y) = y[r * written + 16 * block..].first_chunk_mut()
            {
                store(y, v);
            }
        }
    }
    check
}

/// Of the transforms of pairs, those of the real rows but for their last elements, which are real and given back: X of Z, see
/// `of_real`.
#[target_feature(enable = "avx512f")]
fn to_half(lines: &mut [[Line; 2]], turns: &[[f32; 2]]) -> [f32; LANES] {
    let m = lines.len();
    let first = at(lines, 0);
    for (k, &u) in turns.iter().enumerate().skip(1) {
        let (low, high) = halves(at(lines, k), at(lines, m - k), all(u));
        put(lines, m - k, high);
        put(lines, k, low);
    }
    put(lines, 0, C { re: _mm512_add_ps(first.re, first.im), im: _mm512_setzero_ps() });
    let mut last = [0.0; LANES];
    store(&mut last, _mm512_sub_ps(first.re, first.im));
    last
}

/// Of the transforms of real rows, with their last elements, those of the pairs: Z of X, see `to_complex`. The parts change places.
#[target_feature(enable = "avx512f")]
fn of_half(lines: &mut [[Line; 2]], last: [f32; LANES], turns: &[[f32; 2]]) {
    let m = lines.len();
    let (first, last, half) = (at(lines, 0).re, load(&last), _mm512_set1_ps(0.5));
    let swapped = |v: C| C { re: v.im, im: v.re };
    for (k, &[re, im]) in turns.iter().enumerate().skip(1) {
        let (low, high) = halves(at(lines, k), at(lines, m - k), all([re, -im]));
        put(lines, m - k, swapped(high));
        put(lines, k, swapped(low));
    }
    let re = _mm512_mul_ps(half, _mm512_add_ps(first, last));
    let im = _mm512_mul_ps(half, _mm512_sub_ps(first, last));
    put(lines, 0, swapped(C { re, im }));
}

/// (a + b*) / 2 + u (a − b*), and the conjugate of (a + b*) / 2 − u (a − b*).
#[target_feature(enable = "avx512f")]
#[inline]
fn halves(a: C, b: C, u: C) -> (C, C) {
    let half = _mm512_set1_ps(0.5);
    let b = conjugate(b);
    let (sum, turned) = (add(a, b), mul(sub(a, b), u));
    let sum = C { re: _mm512_mul_ps(half, sum.re), im: _mm512_mul_ps(half, sum.im) };
    (add(sum, turned), conjugate(sub(sum, turned)))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn conjugate(a: C) -> C {
    C { re: a.re, im: _mm512_sub_ps(_mm512_setzero_ps(), a.im) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn at(lines: &[[Line; 2]], k: usize) -> C {
    C { re: load(&lines[k][0].0), im: load(&lines[k][1].0) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn put(lines: &mut [[Line; 2]], k: usize, v: C) {
    store(&mut lines[k][0].0, v.re);
    store(&mut lines[k][1].0, v.im);
}
