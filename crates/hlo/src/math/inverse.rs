//! atan, atan2, asin and acos.

use super::words::Words;
use super::{Ops, Ty};

/// The angle in (−π/2, π/2) with this tangent.
pub fn atan<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let one = o.num(x, 1.0);
    let angle = first_quadrant(o, size, one);
    let sign = o.sign(x);
    o.flip(angle, sign)
}

/// The angle of the point (x, y), with the sign of y; signed zeros and infinities as in C.
pub fn atan2<O: Ops>(o: &mut O, y: O::V, x: O::V) -> O::V {
    let (mut high, mut wide) = (o.fabs(y), o.fabs(x));
    if o.ty(x) == Ty::F64 {
        // Neither may the sum of two huge numbers overflow nor that of two denormals be rough.
        let sum = o.fadd(high, wide);
        let fits = o.less_c(sum, f64::INFINITY);
        let one = o.num(x, 1.0);
        let scale = o.num(x, 1.0 / 16.0);
        let scale = o.select(fits, one, scale);
        let tiny = o.less_c(sum, 1e-290);
        let scale = o.select_c(tiny, (1u64 << 60) as f64, scale);
        high = o.fmul(high, scale);
        wide = o.fmul(wide, scale);
    }
    let angle = first_quadrant(o, high, wide);
    // On the diagonal the quotient may be 0/0 or ∞/∞; the angle of the origin counts as 0.
    let same = o.feq(high, wide);
    let zero = o.num(x, 0.0);
    let origin = o.feq(high, zero);
    let quarter = o.num(x, PI / 4.0);
    let diagonal = o.select(origin, zero, quarter);
    let angle = o.select(same, diagonal, angle);
    // The sign bit of x: −0 counts as negative.
    let sign = o.sign(x);
    let zero = o.word(sign, 0);
    let right = o.ieq(sign, zero);
    let left = from_pi(o, angle, 1.0);
    let angle = o.select(right, angle, left);
    let sign = o.sign(y);
    o.flip(angle, sign)
}

/// The angle of (x, y) for x, y ≥ 0, not both 0 or infinite, by way of the smaller over the greater.
#[inline(always)]
fn first_quadrant<O: Ops>(o: &mut O, y: O::V, x: O::V) -> O::V {
    let steep = o.flt(x, y);
    let max = o.select(steep, y, x);
    let min = o.select(steep, x, y);
    let angle = ratio(o, min, max);
    let complement = from_pi(o, angle, 0.5);
    o.select(steep, complement, angle)
}

/// atan t with t = min/max. For f64 the angle beyond atan 0.41 is taken from atan 9/16, by
/// t' = (min − 9/16·max)/(max + 9/16·min).
#[inline(always)]
fn ratio<O: Ops>(o: &mut O, min: O::V, max: O::V) -> O::V {
    if o.ty(min) == Ty::F32 {
        let t = o.fdiv(min, max);
        return odd(o, t, ATAN_F32);
    }
    let limit = o.mul_c(max, 0.41);
    let far = o.flt(limit, min);
    let above = o.fma_c(max, -0.5625, min);
    let below = o.fma_c(min, 0.5625, max);
    let above = o.select(far, above, min);
    let below = o.select(far, below, max);
    let t = o.fdiv(above, below);
    let angle = odd(o, t, ATAN_F64);
    let low = o.add_c(angle, ATAN_9_16.1);
    let shifted = o.add_c(low, ATAN_9_16.0);
    o.select(far, shifted, angle)
}

/// `part`·π − a, for a part that is a power of two: π keeps two parts.
#[inline(always)]
fn from_pi<O: Ops>(o: &mut O, a: O::V, part: f64) -> O::V {
    let low = pi_low(o, a);
    let rest = o.add_c(a, -part * low);
    o.c_sub(part * PI, rest)
}

/// π less its rounded value.
#[inline(always)]
fn pi_low<O: Ops>(o: &O, like: O::V) -> f64 {
    if o.ty(like) == Ty::F64 { 1.2246467991473532e-16 } else { -8.742277657347586e-08 }
}

/// The angle in [−π/2, π/2] with this sine; NaN outside [−1, 1].
///
/// Above ½: π/2 − 2·asin √((1 − |x|)/2).
pub fn asin<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let (small, root, rest) = half_angle(o, size);
    let near = o.fadd(root, rest);
    // (π/2 − δ − 2s) is exact for large s; δ keeps it below 1 where the result is, so that it rounds as finely.
    let delta = 1.0 / 64.0;
    let right = o.num(x, PI / 2.0 - delta);
    let far = o.fma_c(root, -2.0, right);
    let low = pi_low(o, x);
    let rest = o.add_c(rest, -0.25 * low - 0.5 * delta);
    let far = o.fma_c(rest, -2.0, far);
    let angle = o.select(small, near, far);
    let sign = o.sign(x);
    o.flip(angle, sign)
}

/// The angle in [0, π] with this cosine; NaN outside [−1, 1].
pub fn acos<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let (small, root, rest) = half_angle(o, size);
    let sign = o.sign(x);
    // |x| ≤ ½: π/2 − asin x.
    let middle = o.flip(rest, sign);
    let low = pi_low(o, x);
    let middle = o.add_c(middle, -0.5 * low);
    let middle = o.fadd(middle, x);
    let middle = o.c_sub(PI / 2.0, middle);
    // Otherwise twice the half angle, or π less that.
    let half = o.fadd(root, rest);
    let right = o.fadd(half, half);
    let left = from_pi(o, right, 1.0);
    let zero = o.word(sign, 0);
    let positive = o.ieq(sign, zero);
    let outer = o.select(positive, right, left);
    o.select(small, middle, outer)
}

/// (|x| < ½, s, s³·q(s²)) with s = |x| or √((1 − |x|)/2): asin s is the sum of the last two.
#[inline(always)]
fn half_angle<O: Ops>(o: &mut O, size: O::V) -> (O::V, O::V, O::V) {
    let small = o.less_c(size, 0.5);
    let square = o.fmul(size, size);
    let half = o.linear(size, -0.5, 0.5);
    let root = o.sqrt(half);
    let s2 = o.select(small, square, half);
    let s = o.select(small, size, root);
    let q = o.poly(s2, if o.ty(size) == Ty::F64 { ASIN_F64 } else { ASIN_F32 });
    let s3 = o.fmul(s, s2);
    let rest = o.fmul(s3, q);
    (small, s, rest)
}

/// t + t³·q(t²)
#[inline(always)]
fn odd<O: Ops>(o: &mut O, t: O::V, q: &[f64]) -> O::V {
    let t2 = o.fmul(t, t);
    let q = o.poly(t2, q);
    let t3 = o.fmul(t2, t);
    o.fma(t3, q, t)
}

const PI: f64 = std::f64::consts::PI;
/// atan 9/16 in two parts.
const ATAN_9_16: (f64, f64) = (0.5123894603107377, -2.5462781472855804e-17);

// Fitted as in exp.rs.

/// (atan t − t) / t³ in t², t ≤ 1, error 2^-25.8.
const ATAN_F32: &[f64] = &[
    -0.33333152532577515,
    0.1999376267194748,
    -0.14210952818393707,
    0.1066555306315422,
    -0.07551177591085434,
    0.04319893568754196,
    -0.016359632834792137,
    0.0029185456223785877,
];

/// As above, t ≤ 0.4142, error 2^-59.4.
const ATAN_F64: &[f64] = &[
    -0.333333333333332,
    0.19999999999953663,
    -0.14285714280197798,
    0.1111111078337274,
    -0.09090897753277641,
    0.07692060122513743,
    -0.06663102974045139,
    0.058478817770601314,
    -0.050392733196898264,
    0.038063846346972526,
    -0.01790653016272574,
];

/// (asin s − s) / s³ in s², s ≤ ½, error 2^-27.6.
const ASIN_F32: &[f64] = &[
    0.16666752099990845,
    0.0749531090259552,
    0.04546889290213585,
    0.024186190217733383,
    0.042155809700489044,
];

/// As above, error 2^-59.9.
const ASIN_F64: &[f64] = &[
    0.1666666666666676,
    0.07499999999970881,
    0.044642857174539606,
    0.03038194271104235,
    0.022372214901047037,
    0.017351613482283465,
    0.013980803921289696,
    0.011399040721790389,
    0.010779572095484375,
    0.0037088414109868245,
    0.021701838036757525,
    -0.02099152561398523,
    0.03262413844927634,
];
