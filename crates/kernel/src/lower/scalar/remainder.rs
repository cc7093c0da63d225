//! The remainder of floats: exact, by long division of the mantissas.

use super::unary::copy_sign;
use super::*;
use crate::loop_ir::Un;

/// x − y·trunc(x / y), which is always exact, with the sign of x.
///
/// Doubles the rest once for each step between the exponents, at most 2098 times, and subtracts the divisor where it
/// fits: integer operations on all lanes at once, until every lane is done. The remainder by infinity is x;
/// NaN operands, infinite x and zero y give NaN.
pub fn remainder(b: &mut CodeBuilder, x: V, y: V) -> V {
    let (size, divisor) = (b.un(Un::FAbs, x), b.un(Un::FAbs, y));
    let (zero, infinity) = (float_like(b, x, 0.0), float_like(b, x, f64::INFINITY));
    let finite = b.cmp(Cmp::FLt, size, infinity);
    let nonzero = b.cmp(Cmp::FLt, zero, divisor);
    let defined = b.bin(Bin::And, finite, nonzero);
    let limited = b.cmp(Cmp::FLt, divisor, infinity);
    let reaches = b.cmp(Cmp::FLe, divisor, size);
    let divides = b.bin(Bin::And, limited, reaches);
    let divides = b.bin(Bin::And, divides, defined);

    let (own, of) = (Parts::of(b, size), Parts::of(b, divisor));
    let none = int_like(b, own.mantissa, 0);
    let apart = b.bin(Bin::Sub, own.exponent, of.exponent);
    let steps = b.select(divides, apart, none);
    let first = fits_once(b, own.mantissa, of.mantissa);
    let rest = divide(b, first, steps, of.mantissa);
    let rest = scaled(b, rest, of.exponent, x);

    let rest = b.select(divides, rest, size);
    let signed = copy_sign(b, rest, x);
    let nan = float_like(b, x, f64::NAN);
    // `nonzero` is false for NaN, too.
    b.select(defined, signed, nan)
}

/// Bits of the mantissa, and bias.
fn format(elem: Elem) -> (i64, i64) {
    if matches!(elem, Elem::F32 | Elem::I32) { (23, 127) } else { (52, 1023) }
}

/// A positive number as `mantissa · 2^(exponent − bias − bits)`, the mantissa with its leading one in place.
struct Parts {
    mantissa: V,
    exponent: V,
}

impl Parts {
    fn of(b: &mut CodeBuilder, x: V) -> Parts {
        let (stored, _) = format(b.ty_of(x).elem);
        let least = float_like(b, x, if stored == 23 { f32::MIN_POSITIVE as f64 } else { f64::MIN_POSITIVE });
        let denormal = b.cmp(Cmp::FLt, x, least);
        let factor = float_like(b, x, 2f64.powi(stored as i32 + 1));
        let raised = b.bin(Bin::FMul, x, factor);
        let normal = b.select(denormal, raised, x);
        let bits = to_bits(b, normal);
        let (shift, by) = (int_like(b, bits, stored), int_like(b, bits, stored + 1));
        let (mask, leading) = (int_like(b, bits, (1 << stored) - 1), int_like(b, bits, 1 << stored));
        let field = b.bin(Bin::LShr, bits, shift);
        let lowered = b.bin(Bin::Sub, field, by);
        let exponent = b.select(denormal, lowered, field);
        let mantissa = b.bin(Bin::And, bits, mask);
        let mantissa = b.bin(Bin::Or, mantissa, leading);
        Parts { mantissa, exponent }
    }
}

/// `rest` less the divisor, where that fits.
fn fits_once(b: &mut CodeBuilder, rest: V, divisor: V) -> V {
    let fits = b.cmp(Cmp::Sle, divisor, rest);
    let less = b.bin(Bin::Sub, rest, divisor);
    b.select(fits, less, rest)
}

/// `rest · 2^steps` modulo the divisor.
fn divide(b: &mut CodeBuilder, rest: V, steps: V, divisor: V) -> V {
    let (none, one) = (int_like(b, rest, 0), int_like(b, rest, 1));
    let active = |b: &mut CodeBuilder, rest: V, steps: V| {
        let left = b.cmp(Cmp::Slt, none, steps);
        // Nothing more comes of a rest of zero.
        let some = b.cmp(Cmp::Ne, rest, none);
        b.bin(Bin::And, left, some)
    };
    b.while_loop(
        &[rest, steps],
        |b, s| {
            let active = active(b, s[0], s[1]);
            b.any(active)
        },
        |b, s| {
            let active = active(b, s[0], s[1]);
            let twice = b.bin(Bin::Add, s[0], s[0]);
            let next = fits_once(b, twice, divisor);
            vec![b.select(active, next, s[0]), b.bin(Bin::Sub, s[1], one)]
        },
    )[0]
}

/// `mantissa · 2^(exponent − bias − bits)` as a float, which can hold it; in steps that are exact.
fn scaled(b: &mut CodeBuilder, mantissa: V, exponent: V, like: V) -> V {
    let elem = b.ty_of(like).elem;
    let (stored, bias) = format(elem);
    let whole = b.cast(Cast::SignedToFloat, mantissa, elem);
    let unit = float_like(b, like, 2f64.powi(-(stored as i32)));
    let v = b.bin(Bin::FMul, whole, unit);
    // The power may be below the least normal number; its halves are not.
    let (offset, one) = (int_like(b, exponent, bias), int_like(b, exponent, 1));
    let shift = int_like(b, exponent, stored);
    let power = b.bin(Bin::Sub, exponent, offset);
    let half = b.bin(Bin::AShr, power, one);
    let other = b.bin(Bin::Sub, power, half);
    [half, other].into_iter().fold(v, |v, power| {
        let field = b.bin(Bin::Add, power, offset);
        let bits = b.bin(Bin::Shl, field, shift);
        let factor = from_bits(b, bits);
        b.bin(Bin::FMul, v, factor)
    })
}
