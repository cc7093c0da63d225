//! cbrt and rsqrt.

use super::words::Words;
use super::{Ops, Ty};

/// 1/√x: two correctly rounded steps. Infinite with the sign of x at ±0.
pub fn rsqrt<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let root = o.sqrt(x);
    let one = o.num(x, 1.0);
    o.fdiv(one, root)
}

/// The cube root, odd.
///
/// A third of the bits of |x|, subtracted from a constant, are those of y ≈ |x|^-⅓ to 3 %. With h = 1 − |x|·y³ the
/// root is y·(1 − h)^-⅓; a last Newton step on r = |x|·y² removes the rounding errors.
pub fn cbrt<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let wide = o.ty(x) == Ty::F64;
    let size = o.fabs(x);
    // So much larger, no rounding error of what follows is denormal.
    let (least, up, down) =
        if wide { (1e-280, 2f64.powi(150), 2f64.powi(-50)) } else { (1e-28, 2f64.powi(54), 2f64.powi(-18)) };
    let small = o.less_c(size, least);
    let scaled = o.mul_c(size, up);
    let a = o.select(small, scaled, size);

    let y = seed(o, a);
    let minus = o.fneg(a);
    let h = residual(o, minus, y);
    let q = o.poly(h, SERIES);
    let yh = o.fmul(y, h);
    let mut y = o.fma(yh, q, y);
    if wide {
        let h = residual(o, minus, y);
        let yh = o.fmul(y, h);
        y = o.fma_c(yh, 1.0 / 3.0, y);
    }

    let y2 = o.fmul(y, y);
    let r = o.fmul(a, y2);
    let r2 = o.fmul(r, r);
    let error = o.fnma(r2, r, a);
    let slope = o.mul_c(y2, 1.0 / 3.0);
    let r = o.fma(error, slope, r);

    let scaled = o.mul_c(r, down);
    let r = o.select(small, scaled, r);
    let sign = o.sign(x);
    let r = o.flip(r, sign);
    let finite = o.less_c(size, f64::INFINITY);
    o.select(finite, r, x)
}

/// y ≈ a^-⅓ with |1 − a·y³| at most 0.1022.
#[inline(always)]
fn seed<O: Ops>(o: &mut O, a: O::V) -> O::V {
    let bits = o.to_bits(a);
    let bits = if o.ty(a) == Ty::F64 {
        // The same constant for the high half, whose exponent field is 3 bits longer; 0x5555_5556 is 2³²/3.
        let high = o.lshr_c(bits, 32);
        let third = o.word(high, 0x5555_5556);
        let third = o.imul(high, third);
        let third = o.lshr_c(third, 32);
        let high = o.c_isub(SEED_F64, third);
        o.shl_c(high, 32)
    } else {
        let bits = o.to_float(bits);
        let bits = o.linear(bits, -1.0 / 3.0, SEED_F32);
        o.to_int(bits)
    };
    o.from_bits(bits)
}

/// 1 − a·y³ from −a; multiplied in this order, because y³ is infinite for a = 0.
#[inline(always)]
fn residual<O: Ops>(o: &mut O, minus_a: O::V, y: O::V) -> O::V {
    let ay = o.fmul(minus_a, y);
    let ay2 = o.fmul(ay, y);
    o.fma_plus(ay2, y, 1.0)
}

/// Found by a scan for the least greatest residual.
const SEED_F32: f64 = 1_419_900_000.0;
const SEED_F64: i64 = ((1_419_900_000 - (127 << 23) / 3 * 4) >> 3) + (1023 << 20) / 3 * 4;

/// ((1 − h)^-⅓ − 1) / h for |h| ≤ 0.103, error 2^-18.4 of the root (fitted as in exp.rs).
const SERIES: &[f64] = &[0.3333297073841095, 0.22350016236305237, 0.17442724108695984];

#[cfg(test)]
mod tests {
    use super::super::Function;

    #[test]
    fn special_values_are_their_own_cube_roots() {
        for x in [0.0, f64::INFINITY] {
            for x in [x, -x] {
                assert_eq!(Function::Cbrt.apply_f64(x).to_bits(), x.to_bits());
                assert_eq!(Function::Cbrt.apply_f32(x as f32).to_bits(), (x as f32).to_bits());
            }
        }
        assert!(Function::Cbrt.apply_f64(f64::NAN).is_nan() && Function::Cbrt.apply_f32(f32::NAN).is_nan());
    }
}
