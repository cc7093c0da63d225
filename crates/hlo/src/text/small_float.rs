//! The formats of floats, and the values of the 8-bit and narrower ones.

use crate::dtype::DType;

/// How a float type lays out its bits.
pub(super) struct Format {
    bits: u32,
    mantissa: u32,
    bias: i32,
    specials: Specials,
}

/// Which codes are not finite numbers.
#[derive(PartialEq)]
enum Specials {
    /// All ones in the exponent: infinity, and not-a-numbers with a payload.
    Ieee,
    /// Only all ones in exponent and mantissa: not a number; no infinity.
    AllOnes,
    /// Only the code of minus zero: not a number; no infinity, no minus zero.
    MinusZero,
    /// None.
    Finite,
}

impl Format {
    pub fn of(dtype: DType) -> Format {
        use Specials::*;
        let (mantissa, bias, specials) = match dtype {
            DType::F64 => (52, 1023, Ieee),
            DType::F16 => (10, 15, Ieee),
            DType::Bf16 => (7, 127, Ieee),
            DType::F8E5M2 => (2, 15, Ieee),
            DType::F8E4M3 => (3, 7, Ieee),
            DType::F8E3M4 => (4, 3, Ieee),
            DType::F8E4M3Fn => (3, 7, AllOnes),
            DType::F8E4M3B11Fnuz => (3, 11, MinusZero),
            DType::F8E4M3Fnuz => (3, 8, MinusZero),
            DType::F8E5M2Fnuz => (2, 16, MinusZero),
            DType::F8E8M0Fnu => (0, 127, AllOnes),
            DType::F4E2M1Fn => (1, 1, Finite),
            _ => (23, 127, Ieee),
        };
        Format { bits: dtype.bits(), mantissa, bias, specials }
    }

    pub fn mantissa_mask(&self) -> u64 {
        (1 << self.mantissa) - 1
    }

    fn is_signed(&self) -> bool {
        self.mantissa > 0
    }

    /// All bits but the sign.
    fn magnitude_mask(&self) -> u64 {
        let width = self.bits - self.is_signed() as u32;
        (1 << width) - 1
    }

    pub fn infinity(&self) -> Option<u64> {
        (self.specials == Specials::Ieee).then(|| self.magnitude_mask() & !self.mantissa_mask())
    }

    /// The code printed as `nan`.
    pub fn quiet_nan(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.infinity()? | 1 << (self.mantissa - 1)),
            Specials::AllOnes => Some(self.magnitude_mask()),
            Specials::MinusZero => Some(1 << (self.bits - 1)),
            Specials::Finite => None,
        }
    }

    pub fn has_nan_payload(&self) -> bool {
        self.specials == Specials::Ieee
    }

    pub fn has_signed_nan(&self) -> bool {
        self.is_signed() && self.specials != Specials::MinusZero
    }
}

/// The value of a code of an 8-bit or narrower type.
pub(super) fn decode(dtype: DType, code: u8) -> f64 {
    let f = Format::of(dtype);
    let code = code as u64 & if f.bits == 8 { 0xff } else { (1 << f.bits) - 1 };
    let magnitude = code & f.magnitude_mask();
    let sign = if code == magnitude { 1.0 } else { -1.0 };
    if f.infinity().is_some_and(|inf| magnitude > inf)
        || f.specials == Specials::AllOnes && magnitude == f.magnitude_mask()
        || f.specials == Specials::MinusZero && magnitude == 0 && sign < 0.0
    {
        return f64::NAN;
    }
    if f.infinity() == Some(magnitude) {
        return sign * f64::INFINITY;
    }
    let exponent = (magnitude >> f.mantissa) as i32;
    let fraction = (magnitude & f.mantissa_mask()) as f64 / (1u64 << f.mantissa) as f64;
    // A type without mantissa has no zero and no subnormals either.
    let subnormal = exponent == 0 && f.mantissa > 0;
    let (exponent, fraction) =
        if subnormal { (1 - f.bias, fraction) } else { (exponent - f.bias, 1.0 + fraction) };
    sign * fraction * 2f64.powi(exponent)
}

/// The code of the finite value nearest to `value` (ties to even); `None` beyond the largest.
pub(super) fn encode(dtype: DType, value: f64) -> Option<u8> {
    let f = Format::of(dtype);
    if !f.is_signed() && value <= 0.0 {
        return None;
    }
    let magnitude = value.abs();
    let finite = |code: u64| {
        let v = decode(dtype, code as u8);
        v.is_finite().then_some(v)
    };
    // Magnitudes grow with their codes, so the neighbours of the value are consecutive codes.
    let last = (0..=f.magnitude_mask()).rev().find(|&c| finite(c).is_some())?;
    let above = (0..=last).find(|&c| finite(c).is_some_and(|v| v >= magnitude));
    let code = match above {
        None => {
            let (max, below) = (finite(last)?, finite(last - 1)?);
            if magnitude >= max + (max - below) / 2.0 {
                return None;
            }
            last
        }
        Some(0) => 0,
        Some(high) => {
            let (a, b) = (finite(high - 1)?, finite(high)?);
            let (down, up) = (magnitude - a, b - magnitude);
            if down < up || down == up && (high - 1).is_multiple_of(2) { high - 1 } else { high }
        }
    };
    let negative = value.is_sign_negative() && !(f.specials == Specials::MinusZero && code == 0);
    Some((code | (negative as u64) << (f.bits - 1)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (d, code, value) in [
            (DType::F8E4M3Fn, 0x7e, 448.0),
            (DType::F8E5M2, 0x7b, 57344.0),
            (DType::F8E5M2Fnuz, 0x7f, 57344.0),
            (DType::F8E4M3Fnuz, 0x7f, 240.0),
            (DType::F8E4M3B11Fnuz, 0x7f, 30.0),
            (DType::F8E4M3, 0x77, 240.0),
            (DType::F8E3M4, 0x6f, 15.5),
            (DType::F8E4M3Fn, 0x01, 0.001953125),
            (DType::F4E2M1Fn, 0x7, 6.0),
            (DType::F4E2M1Fn, 0xf, -6.0),
            (DType::F8E8M0Fnu, 127, 1.0),
        ] {
            assert_eq!(decode(d, code), value, "{d}");
            assert_eq!(encode(d, value), Some(code), "{d}");
        }
    }

    #[test]
    fn rounds_to_nearest_even_and_refuses_beyond_the_largest() {
        assert_eq!(encode(DType::F4E2M1Fn, 2.5), encode(DType::F4E2M1Fn, 2.0));
        assert_eq!(encode(DType::F4E2M1Fn, 3.5), encode(DType::F4E2M1Fn, 4.0));
        assert_eq!(encode(DType::F8E4M3Fn, 463.0), Some(0x7e));
        assert_eq!(encode(DType::F8E4M3Fn, 480.0), None);
        assert_eq!(encode(DType::F8E8M0Fnu, 0.0), None);
        assert_eq!(encode(DType::F8E4M3Fnuz, -0.0), Some(0));
    }
}
