//! Floats of any format up to 64 bits, rounded once in each of PTX's modes.
//!
//! [`encode`] rounds the exact value m·2^e; everything else brings its value into that form. `f64` holds the elements of
//! all smaller formats exactly, so it is what operations on them compute in.

/// The bits of the mantissa without the leading one, and of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub mantissa: u32,
    pub exponent: u32,
}

pub const F16: Format = Format { mantissa: 10, exponent: 5 };
pub const BF16: Format = Format { mantissa: 7, exponent: 8 };
pub const F32: Format = Format { mantissa: 23, exponent: 8 };
pub const F64: Format = Format { mantissa: 52, exponent: 11 };
/// The ten upper bits of the mantissa of an `f32`; a value is shifted by 13 to lie in a register.
pub const TF32: Format = Format { mantissa: 10, exponent: 8 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `.rn`: to nearest, ties to even.
    Even,
    /// `.rna`: to nearest, ties away from zero.
    Away,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    pub fn bits(self) -> u32 {
        1 + self.exponent + self.mantissa
    }

    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The NaN that results of operations are: all bits below the sign set (0x7fffffff for `f32`).
    pub fn nan(self) -> u64 {
        (1 << (self.bits() - 1)) - 1
    }

    fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// Whether those bits are a denormal number.
    pub fn is_subnormal(self, bits: u64) -> bool {
        bits & self.infinity() == 0 && bits & self.nan() != 0
    }

    /// Zero of the same sign for a denormal number, as `.ftz` does.
    pub fn flush(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign() } else { bits }
    }
}

/// m·2^e with something more below it if `sticky`, rounded once; a `sticky` value has at least two bits more than fit.
pub fn encode(negative: bool, m: u128, e: i32, sticky: bool, format: Format, mode: Mode) -> u64 {
    let sign = if negative { format.sign() } else { 0 };
    if m == 0 {
        return sign;
    }
    let smallest = 1 - format.bias();
    let mantissa = format.mantissa as i32;
    let leading = 127 - m.leading_zeros() as i32;
    let quantum = (leading + e).max(smallest) - mantissa;
    let shift = quantum - e;
    let (mut kept, above_half, half, inexact) = if shift <= 0 {
        (m << -shift, false, false, sticky)
    } else if shift > 127 {
        (0, false, false, true)
    } else {
        let rest = m & ((1 << shift) - 1);
        let middle = 1u128 << (shift - 1);
        let above = rest > middle || rest == middle && sticky;
        (m >> shift, above, rest == middle && !sticky, rest != 0 || sticky)
    };
    let up = match mode {
        Mode::Even => above_half || half && kept & 1 == 1,
        Mode::Away => above_half || half,
        Mode::Zero => false,
        Mode::Down => negative && inexact,
        Mode::Up => !negative && inexact,
    };
    kept += u128::from(up);
    // A carry out of the mantissa raises the exponent by itself.
    let biased = i64::from(quantum + mantissa + format.bias() - 1);
    if biased >= 1 << format.exponent {
        return sign | overflow(negative, format, mode);
    }
    let bits = ((biased as u64) << mantissa) + kept as u64;
    if bits >= format.infinity() { sign | overflow(negative, format, mode) } else { sign | bits }
}

fn overflow(negative: bool, format: Format, mode: Mode) -> u64 {
    let to_infinity = match mode {
        Mode::Even | Mode::Away => true,
        Mode::Zero => false,
        Mode::Down => negative,
        Mode::Up => !negative,
    };
    if to_infinity { format.infinity() } else { format.infinity() - 1 }
}

/// The nearest `f64`, rounded in a mode; NaN is the format's own.
pub fn from_f64(x: f64, format: Format, mode: Mode) -> u64 {
    from_f64_sticky(x, false, format, mode)
}

/// The same for a value that is a little further from zero than `x` if `sticky`.
pub fn from_f64_sticky(x: f64, sticky: bool, format: Format, mode: Mode) -> u64 {
    if x.is_nan() {
        return format.nan();
    }
    let sign = if x.is_sign_negative() { format.sign() } else { 0 };
    if x.is_infinite() {
        return sign | format.infinity();
    }
    let (m, e) = parts(x);
    encode(x.is_sign_negative(), m, e, sticky, format, mode)
}

/// The absolute value of a finite number as m·2^e.
fn parts(x: f64) -> (u128, i32) {
    let bits = x.to_bits();
    let mantissa = bits & ((1 << 52) - 1);
    match ((bits >> 52) & 0x7ff) as i32 {
        0 => (mantissa.into(), -1074),
        exponent => ((mantissa | 1 << 52).into(), exponent - 1075),
    }
}

/// The value of the bits of a format of at most 32 bits, exactly.
pub fn to_f64(bits: u64, format: Format) -> f64 {
    let negative = bits & format.sign() != 0;
    let mantissa = bits & ((1 << format.mantissa) - 1);
    let exponent = (bits >> format.mantissa) & ((1 << format.exponent) - 1);
    let size = if exponent == (1 << format.exponent) - 1 {
        if mantissa == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let (m, e) = match exponent {
            0 => (mantissa, 1),
            e => (mantissa | 1 << format.mantissa, e as i32),
        };
        m as f64 * power_of_two(e - format.bias() - format.mantissa as i32)
    };
    if negative { -size } else { size }
}

/// 2^e for exponents of normal numbers.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// a·b + c rounded once to a format of at most 16 bits, or of 32 bits where `a·b` is exact.
pub fn fused(a: f64, b: f64, c: f64, format: Format, mode: Mode) -> u64 {
    let product = a * b;
    let sum = product + c;
    if !sum.is_finite() || sum == 0.0 {
        return from_f64(sum, format, mode);
    }
    // What the sum lost, exactly (Knuth's TwoSum); products of short mantissas are exact.
    let back = sum - product;
    let lost = (product - (sum - back)) + (c - back);
    if lost == 0.0 {
        return from_f64(sum, format, mode);
    }
    // Towards zero, with a mark that something is left.
    let away = (lost > 0.0) != (sum > 0.0);
    let truncated = if away { f64::from_bits(sum.to_bits() - 1) } else { sum };
    from_f64_sticky(truncated, true, format, mode)
}

/// An integral value by rounding; the sign of zero stays.
pub fn integral(x: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Even => x.round_ties_even(),
        Mode::Away => x.round(),
        Mode::Zero => x.trunc(),
        Mode::Down => x.floor(),
        Mode::Up => x.ceil(),
    }
}
