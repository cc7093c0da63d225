//! Floats of 8 and 4 bits by integer arithmetic, lane by lane the same as [`Format::widen`], [`Format::exact`] and
//! [`Format::encode`].

use super::*;
use lawson_hlo::dtype::{Format, Specials};

/// The bits of a quiet not-a-number.
const NAN: i64 = 0x7fc0_0000;

/// The f32 of a code in a byte, whose bits above the format's are ignored.
pub fn decode(b: &mut CodeBuilder, v: V, format: Format) -> V {
    let wide = b.cast(Cast::Zext, v, Elem::I32);
    let (bits, mantissa) = (format.bits(), format.mantissa);
    let mask = int_like(b, wide, (1 << bits) - 1);
    let code = if bits < 8 { b.bin(Bin::And, wide, mask) } else { wide };
    let magnitude = if format.sign_bit(true) == 0 {
        code
    } else {
        let mask = int_like(b, code, format.sign_bit(true) as i64 - 1);
        b.bin(Bin::And, code, mask)
    };
    // A normal number: the exponent has another bias.
    let shift = int_like(b, code, (23 - mantissa).into());
    let moved = b.bin(Bin::Shl, magnitude, shift);
    let bias = int_like(b, code, i64::from(127 - format.bias) << 23);
    let normal = b.bin(Bin::Add, moved, bias);
    // A subnormal one: so many times the least.
    let (least, subnormal) = if mantissa == 0 {
        (int_like(b, code, 1), int_like(b, code, 0x40_0000))
    } else {
        let count = b.cast(Cast::SignedToFloat, magnitude, Elem::F32);
        let unit = float_like(b, count, 2f64.powi(1 - format.bias - mantissa as i32));
        let value = b.bin(Bin::FMul, count, unit);
        (int_like(b, code, 1 << mantissa), to_bits(b, value))
    };
    let is_small = b.cmp(Cmp::Ult, magnitude, least);
    let value = b.select(is_small, subnormal, normal);
    let value = match (format.infinity(), format.quiet_nan()) {
        (Some(infinity), _) => {
            // The mantissa stays: that of a not-a-number says which.
            let (limit, plain) = (int_like(b, code, infinity as i64), int_like(b, code, 0x7f80_0000));
            let special = b.bin(Bin::Or, moved, plain);
            let is_finite = b.cmp(Cmp::Ult, magnitude, limit);
            b.select(is_finite, value, special)
        }
        (None, Some(quiet)) => {
            let (of, code) = if format.has_signed_nan() { (quiet, magnitude) } else { (quiet, code) };
            let (quiet, nan) = (int_like(b, code, of as i64), int_like(b, code, NAN));
            let is_nan = b.cmp(Cmp::Eq, code, quiet);
            b.select(is_nan, nan, value)
        }
        (None, None) => value,
    };
    let value = match format.sign_bit(true) {
        0 => value,
        sign => {
            let up = int_like(b, code, (32 - bits).into());
            let sign = int_like(b, code, sign as i64);
            let negative = b.bin(Bin::And, code, sign);
            let negative = b.bin(Bin::Shl, negative, up);
            b.bin(Bin::Or, value, negative)
        }
    };
    from_bits(b, value)
}

/// The code of an f32 that the format can hold, in a byte: bits that were a code are that code again.
pub fn exact(b: &mut CodeBuilder, v: V, format: Format) -> V {
    let code = encode(b, v, format);
    let Some(infinity) = format.infinity() else { return code };
    let bits = to_bits(b, v);
    let (down, mask) = (int_like(b, bits, (23 - format.mantissa).into()), format.mantissa_mask() as i64);
    let (mask, infinity) = (int_like(b, bits, mask), int_like(b, bits, infinity as i64));
    let payload = b.bin(Bin::LShr, bits, down);
    let payload = b.bin(Bin::And, payload, mask);
    let (up, sign) = (32 - format.bits(), int_like(b, bits, format.sign_bit(true) as i64));
    let up = int_like(b, bits, up.into());
    let negative = b.bin(Bin::LShr, bits, up);
    let negative = b.bin(Bin::And, negative, sign);
    let nan = b.bin(Bin::Or, payload, infinity);
    let nan = b.bin(Bin::Or, nan, negative);
    let nan = b.cast(Cast::Trunc, nan, Elem::I8);
    let is_nan = b.cmp(Cmp::FNe, v, v);
    b.select(is_nan, nan, code)
}

/// The code nearest to an f32, in a byte.
pub fn encode(b: &mut CodeBuilder, v: V, format: Format) -> V {
    let bits = to_bits(b, v);
    let size = int_like(b, bits, 0x7fff_ffff);
    let magnitude = b.bin(Bin::And, bits, size);
    let is_nan = b.cmp(Cmp::FNe, v, v);
    let sign = match format.sign_bit(true) {
        0 => int_like(b, bits, 0),
        mask => {
            let (down, mask) =
                (int_like(b, bits, (32 - format.bits()).into()), int_like(b, bits, mask as i64));
            let high = b.bin(Bin::LShr, bits, down);
            b.bin(Bin::And, high, mask)
        }
    };
    let quiet = format.quiet_nan().unwrap_or(format.sign_bit(true));
    let nan = int_like(b, bits, quiet as i64);
    let nan = if format.has_signed_nan() { b.bin(Bin::Or, nan, sign) } else { nan };
    let code = if format.sign_bit(true) == 0 {
        power_of_two(b, v, magnitude, nan)
    } else {
        let code = nearest(b, magnitude, format);
        let greatest = int_like(b, bits, format.greatest() as i64);
        let is_beyond = b.cmp(Cmp::Ult, greatest, code);
        let signed = b.bin(Bin::Or, code, sign);
        let signed = if format.specials == Specials::MinusZero {
            let zero = int_like(b, bits, 0);
            let is_zero = b.cmp(Cmp::Eq, code, zero);
            b.select(is_zero, zero, signed)
        } else {
            signed
        };
        let beyond = match (format.infinity(), format.quiet_nan()) {
            (Some(infinity), _) => {
                let infinity = int_like(b, bits, infinity as i64);
                b.bin(Bin::Or, infinity, sign)
            }
            (None, Some(_)) => nan,
            (None, None) => b.bin(Bin::Or, greatest, sign),
        };
        b.select(is_beyond, beyond, signed)
    };
    let code = b.select(is_nan, nan, code);
    b.cast(Cast::Trunc, code, Elem::I8)
}

/// The code of a magnitude, rounded to even; those beyond the largest are greater than it.
fn nearest(b: &mut CodeBuilder, magnitude: V, format: Format) -> V {
    let dropped = 23 - format.mantissa;
    let (by, one) = (int_like(b, magnitude, dropped.into()), int_like(b, magnitude, 1));
    let odd = b.bin(Bin::LShr, magnitude, by);
    let odd = b.bin(Bin::And, odd, one);
    let half = int_like(b, magnitude, (1 << (dropped - 1)) - 1);
    let up = b.bin(Bin::Add, half, odd);
    let sum = b.bin(Bin::Add, magnitude, up);
    let kept = b.bin(Bin::LShr, sum, by);
    let bias = int_like(b, magnitude, i64::from(127 - format.bias) << format.mantissa);
    let normal = b.bin(Bin::Sub, kept, bias);
    // The last place of the sum is that of the subnormal numbers.
    let least = i64::from(128 - format.bias);
    let unit = int_like(b, magnitude, (least + i64::from(dropped)) << 23);
    let (value, far) = (from_bits(b, magnitude), from_bits(b, unit));
    let sum = b.bin(Bin::FAdd, value, far);
    let sum = to_bits(b, sum);
    let subnormal = b.bin(Bin::Sub, sum, unit);
    let least = int_like(b, magnitude, least << 23);
    let is_small = b.cmp(Cmp::Ult, magnitude, least);
    b.select(is_small, subnormal, normal)
}

/// The exponent, of half a power of two the greater one; zero and negative numbers have none.
fn power_of_two(b: &mut CodeBuilder, v: V, magnitude: V, nan: V) -> V {
    let (half, by) = (int_like(b, magnitude, 1 << 22), int_like(b, magnitude, 23));
    let sum = b.bin(Bin::Add, magnitude, half);
    let code = b.bin(Bin::LShr, sum, by);
    // All between the two least numbers is rounded to the greater one.
    let (second, least) = (int_like(b, magnitude, 1 << 23), int_like(b, magnitude, 1 << 22));
    let (one, none) = (int_like(b, magnitude, 1), int_like(b, magnitude, 0));
    let (is_small, is_more) = (b.cmp(Cmp::Ult, magnitude, second), b.cmp(Cmp::Ult, least, magnitude));
    let small = b.select(is_more, one, none);
    let code = b.select(is_small, small, code);
    let zero = float_like(b, v, 0.0);
    let has_one = b.cmp(Cmp::FLt, zero, v);
    b.select(has_one, code, nan)
}
