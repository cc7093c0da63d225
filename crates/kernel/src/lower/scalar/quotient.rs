//! Quotients by what is the same in all lanes: by its reciprocal, with the bits of a division.
//!
//! ```text
//! r = 1 / y                     once
//! q = x·r
//! x/y = q + r·(x − q·y)         rounded once, as the remainder is
//! ```
//!
//! N. Brisebarre, J.-M. Muller and S. K. Raina: Accelerating Correctly Rounded Floating-Point Division When the Divisor Is Known in
//! Advance, IEEE Transactions on Computers 53(8), 2004. For x and y in [1, 2) the sum before its last rounding is within
//! 5·2⁻⁴⁸/y of the quotient, which is a multiple of 2⁻⁴⁸/y, and not zero, away from the middle between two numbers. All 46.5 million
//! pairs up to 8·2⁻⁴⁸/y from one have the bits of a division: `make test-long` tries them.

use super::like::{int_like, to_bits};
use super::rounded;
use crate::loop_ir::{Bin, Cmp, CodeBuilder, Op, Un, V};
use lawson_hlo::DType;

/// Divisors are in 2⁻²⁴..2²⁴ and dividends +0 or in 2⁻¹⁰⁰..2¹⁰⁰ but for their signs, so that nothing overflows and every remainder is
/// a normal number or a multiple of the least one. A vector with another dividend is divided.
const DIVISORS: [f32; 2] = [5.960_464_5e-8, 16_777_216.0];
const DIVIDENDS: [f32; 2] = [7.888_609e-31, 1.267_650_6e30];

/// x / y of elements of a type that are f32 in registers, where y is the same in all lanes.
pub fn by_reciprocal(b: &mut CodeBuilder, dtype: DType, x: V, y: V) -> V {
    let alike = b.ty_of(x).lanes > 1 && b.ty_of(y).lanes == 1;
    let v = if alike { quotient(b, x, y) } else { divided(b, x, y) };
    rounded(b, v, dtype)
}

fn divided(b: &mut CodeBuilder, x: V, y: V) -> V {
    let lanes = b.ty_of(x).lanes.max(b.ty_of(y).lanes);
    let [x, y] = [x, y].map(|v| b.widen_to(v, lanes));
    b.bin(Bin::FDiv, x, y)
}

/// A vector by a scalar.
fn quotient(b: &mut CodeBuilder, x: V, y: V) -> V {
    let lanes = b.ty_of(x).lanes;
    let one = b.constant(b.ty_of(y), 1f32.to_bits().into());
    let reciprocal = b.bin(Bin::FDiv, one, y);
    let [r, divisor] = [reciprocal, y].map(|v| b.widen_to(v, lanes));
    let q = b.bin(Bin::FMul, x, r);
    let minus = b.un(Un::FNeg, q);
    let remainder = b.op(Op::Fma(minus, divisor, x));
    let quotient = b.op(Op::Fma(remainder, r, q));

    let bits = to_bits(b, x);
    let zero = int_like(b, bits, 0);
    let (outside, number) = (outside(b, bits, DIVIDENDS), b.cmp(Cmp::Ne, bits, zero));
    let extreme = b.bin(Bin::And, outside, number);
    let extreme = b.any(extreme);
    let divisor_bits = to_bits(b, y);
    let far = self::outside(b, divisor_bits, DIVISORS);
    let rare = b.bin(Bin::Or, extreme, far);
    b.if_else(rare, |b| vec![divided(b, x, y)], |_| vec![quotient])[0]
}

/// Whether numbers with these bits are not in a range, but for their signs.
fn outside(b: &mut CodeBuilder, bits: V, [from, to]: [f32; 2]) -> V {
    let (from, to) = (i64::from(from.to_bits()), i64::from(to.to_bits()));
    let [magnitude, from, span] = [i64::from(i32::MAX), from, to - from].map(|n| int_like(b, bits, n));
    let magnitude = b.bin(Bin::And, bits, magnitude);
    let above = b.bin(Bin::Sub, magnitude, from);
    b.cmp(Cmp::Ule, span, above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, Elem, eval};

    const LANES: usize = 16;

    /// The quotients of vectors of dividends, each by its divisor, evaluated.
    fn quotients(x: &[[f32; LANES]], y: &[f32]) -> Vec<f32> {
        let mut b = CodeBuilder::new("quotients");
        let rows = x.len() as i64;
        let from = b.buffer("x", Elem::F32, rows * LANES as i64, Access::Read);
        let by = b.buffer("y", Elem::F32, rows, Access::Read);
        let to = b.buffer("q", Elem::F32, rows * LANES as i64, Access::Write);
        let task = b.open_phase(rows);
        let lanes = b.i64(LANES as i64);
        let at = b.bin(Bin::Mul, task, lanes);
        let (x_at, y_at) = (b.load(from, at, LANES as u32, None), b.load(by, task, 1, None));
        let q = quotient(&mut b, x_at, y_at);
        b.store(to, at, q, None);
        b.close_phase(task);
        let kernel = b.finish();
        let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<u8>>();
        let mut buffers = vec![bytes(x.as_flattened()), bytes(y), vec![0; x.len() * LANES * 4]];
        eval::evaluate(&kernel, &mut buffers).expect("it runs");
        buffers[2].as_chunks::<4>().0.iter().map(|c| f32::from_ne_bytes(*c)).collect()
    }

    fn are_divisions(x: &[[f32; LANES]], y: &[f32]) {
        let found = quotients(x, y);
        for (n, q) in found.iter().enumerate() {
            let (x, y) = (x[n / LANES][n % LANES], y[n / LANES]);
            let same = q.to_bits() == (x / y).to_bits() || q.is_nan() && (x / y).is_nan();
            assert!(same, "{x:e} / {y:e} is {:e}, not {q:e}", x / y);
        }
    }

    #[test]
    fn all_kinds_of_numbers_are_divided() {
        let mut values =
            vec![f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45, 0.0, 1.0, 3.0, 0.1];
        for edge in DIVISORS.into_iter().chain(DIVIDENDS) {
            values.extend([edge, edge.next_down(), edge.next_up()]);
        }
        values.extend(values.clone().into_iter().map(|v| -v));
        // Each dividend alone among ones, and many kinds beside each other.
        let alone = |&x: &f32| std::array::from_fn(|n| if n == 5 { x } else { 1.0 });
        let mut rows: Vec<[f32; LANES]> = values.iter().map(alone).collect();
        rows.extend(values.as_chunks::<LANES>().0);
        for &y in &values {
            are_divisions(&rows, &vec![y; rows.len()]);
        }
    }

    /// Dividends x of 24 bits with 2ˢ·x = m·y + d, m odd and 0 < |d| ≤ 8: their quotients are d·2⁻ˢ/y from the middle between two
    /// numbers.
    fn hard_dividends(y: i64) -> Vec<f32> {
        let mut hard = Vec::new();
        let common = 1 << y.trailing_zeros();
        let modulus = y / common;
        for s in [24, 25] {
            let inverse = inverse((1 << s) / common, modulus);
            for d in (-8..=8i64).filter(|&d| d != 0 && d % common == 0) {
                let first = (d / common).rem_euclid(modulus) * inverse % modulus;
                let least = first + ((1 << 23) - first + modulus - 1) / modulus * modulus;
                let all = (least..1 << 24).step_by(modulus as usize);
                // Quotients below one have a digit more.
                let of_digits = all.filter(|&x| (x < y) == (s == 25) && ((x << s) - d) / y % 2 == 1);
                hard.extend(of_digits.map(|x| x as f32));
            }
        }
        hard
    }

    #[test]
    fn quotients_between_two_numbers_are_rounded_as_divisions_round_them() {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for divisor in ((1i64 << 23) + 1..1 << 24).step_by(1999) {
            for chunk in hard_dividends(divisor).chunks(LANES) {
                x.push(std::array::from_fn(|n| chunk[n % chunk.len()]));
                y.push(divisor as f32);
            }
        }
        assert!(x.len() > 1000);
        are_divisions(&x, &y);
    }

    /// The same of the formula, with `make test-long` for all divisors.
    #[test]
    fn the_formula_rounds_all_hard_quotients_as_divisions() {
        let all = std::env::var_os("LAWSON_LONG_TESTS").is_some();
        let mut tried = 0u64;
        for divisor in ((1i64 << 23) + 1..1 << 24).step_by(if all { 1 } else { 97 }) {
            let y = divisor as f32;
            let r = 1.0 / y;
            for x in hard_dividends(divisor) {
                let q = x * r;
                assert_eq!((-q).mul_add(y, x).mul_add(r, q), x / y, "{x} / {y}");
                tried += 1;
            }
        }
        assert!(tried > if all { 40_000_000 } else { 400_000 }, "{tried}");
    }

    /// The inverse of a modulo an odd number.
    fn inverse(a: i64, modulus: i64) -> i64 {
        let (mut r, mut t) = ([modulus, a % modulus], [0, 1]);
        while r[1] != 0 {
            let q = r[0] / r[1];
            r = [r[1], r[0] - q * r[1]];
            t = [t[1], t[0] - q * t[1]];
        }
        t[0].rem_euclid(modulus)
    }
}
