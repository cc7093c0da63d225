//! sin, cos and tan.
//!
//! sin and cos take x modulo π to an angle z in [−π/2, π/2] with sin z = sin x or cos x ([`super::reduce`]); one odd
//! polynomial serves both. tan works modulo π/2 as a quotient of a sine and a cosine.

use super::reduce::{eighth_turn, half_turn};
use super::words::Words;
use super::{Ops, Ty};

pub fn sin<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let z = half_turn(o, x, false);
    let result = sine(o, z);
    // The polynomial turns −0 into 0.
    let zero = o.num(x, 0.0);
    let zero = o.feq(x, zero);
    o.select(zero, x, result)
}

pub fn cos<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let z = half_turn(o, x, true);
    sine(o, z)
}

pub fn tan<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let result = eighth_turn(o, x, tangent);
    let zero = o.num(x, 0.0);
    let zero = o.feq(x, zero);
    o.select(zero, x, result)
}

/// sin z for |z| ≤ π/2; never above 1 in magnitude.
#[inline(always)]
fn sine<O: Ops>(o: &mut O, z: O::V) -> O::V {
    let wide = o.ty(z) == Ty::F64;
    let z2 = o.fmul(z, z);
    let q = o.poly(z2, if wide { SIN_F64 } else { SIN_F32 });
    let z3 = o.fmul(z2, z);
    let result = o.fma(z3, q, z);
    if !wide {
        return result;
    }
    // For f32 every z was tried; for f64 about one in 10⁹ near the peak needs the limit.
    let result = o.max_c(result, -1.0);
    o.min_c(result, 1.0)
}

/// tan r, or −1/tan r where the integer `odd` has bit 0 set, for |r| ≤ π/4.
#[inline(always)]
fn tangent<O: Ops>(o: &mut O, r: O::V, odd: O::V) -> O::V {
    let wide = o.ty(r) == Ty::F64;
    let r2 = o.fmul(r, r);
    let q = o.poly(r2, if wide { SIN_QUARTER_F64 } else { SIN_QUARTER_F32 });
    let r3 = o.fmul(r2, r);
    let sin = o.fma(r3, q, r);
    let q = o.poly(r2, if wide { COS_QUARTER_F64 } else { COS_QUARTER_F32 });
    let q = o.fma_plus(r2, q, -0.5);
    let cos = o.fma_plus(r2, q, 1.0);

    let sign = o.shl_c(odd, if wide { 63 } else { 31 });
    let zero = o.word(sign, 0);
    let odd = o.ilt(sign, zero);
    let above = o.select(odd, cos, sin);
    let below = o.select(odd, sin, cos);
    let quotient = o.fdiv(above, below);
    o.flip(quotient, sign)
}

// Fitted as in exp.rs; errors are relative to the sine or cosine.

/// (sin z − z) / z³ in z², |z| ≤ π/2. A search near the fit (error 2^-27.2) for the last bits: with its roundings no
/// z gives more than 1, and π/2 gives 1, so that cos 0 = 1.
const SIN_F32: &[f64] = &[-0.16666666, 0.008333121, -0.00019810665, 2.60483e-6];

/// As above from a fit of error 2^-61.5: within 1.83 ulp near the peak, and 1 at π/2.
const SIN_F64: &[f64] = &[
    -0.16666666666666666,
    0.008333333333333219,
    -0.0001984126984121252,
    2.7557319211563676e-6,
    -2.505210690694476e-8,
    1.6058941168101497e-10,
    -7.643024647215804e-13,
    2.7214845471658466e-15,
];

/// (sin r − r) / r³ in r², |r| ≤ π/4, error 2^-27.9.
const SIN_QUARTER_F32: &[f64] = &[-0.16666655242443085, 0.008332189172506332, -0.00019518285989761353];

/// (cos r − 1 + r²/2) / r⁴ in r², |r| ≤ π/4, error 2^-33.
const COS_QUARTER_F32: &[f64] = &[0.04166664555668831, -0.0013887310633435845, 2.4432563805021346e-05];

/// As above, error 2^-57.9.
const SIN_QUARTER_F64: &[f64] = &[
    -0.1666666666666663,
    0.008333333333321905,
    -0.0001984126982944405,
    2.755731357694981e-06,
    -2.5050741492933534e-08,
    1.589589710574435e-10,
];

/// As above, error 2^-63.9.
const COS_QUARTER_F64: &[f64] = &[
    0.041666666666666595,
    -0.0013888888888873342,
    2.4801587289001615e-05,
    -2.7557314216728164e-07,
    2.0875705328553536e-09,
    -1.1358744465157552e-11,
];
