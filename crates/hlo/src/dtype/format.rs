//! The formats of floats, and the values of the 8-bit and narrower ones.

/// How a float type lays out its bits: sign (where there is one), exponent, mantissa.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Stored bits of the mantissa; a type without any has no sign, no zero and no subnormals.
    pub mantissa: u32,
    /// What is subtracted from the exponent's bits.
    pub bias: i32,
    pub specials: Specials,
}

/// Which codes are not finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Specials {
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
    /// Bits of one element.
    pub const fn bits(self) -> u32 {
        self.exponent + self.mantissa + self.is_signed() as u32
    }

    /// The mantissa's bits.
    pub fn mantissa_mask(self) -> u64 {
        (1 << self.mantissa) - 1
    }

    const fn is_signed(self) -> bool {
        self.mantissa > 0
    }

    /// All bits but the sign.
    fn magnitude_mask(self) -> u64 {
        (1 << (self.exponent + self.mantissa)) - 1
    }

    /// The sign bit, set or not; a type without a sign has none.
    pub fn sign_bit(self, negative: bool) -> u64 {
        if self.is_signed() { (negative as u64) << (self.bits() - 1) } else { 0 }
    }

    /// The code of infinity, where there is one.
    pub fn infinity(self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.magnitude_mask() & !self.mantissa_mask()),
            Specials::AllOnes | Specials::MinusZero | Specials::Finite => None,
        }
    }

    /// The code printed as `nan`.
    pub fn quiet_nan(self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.infinity()? | 1 << (self.mantissa - 1)),
            Specials::AllOnes => Some(self.magnitude_mask()),
            Specials::MinusZero => Some(1 << (self.bits() - 1)),
            Specials::Finite => None,
        }
    }

    /// Whether not-a-numbers differ by their mantissa.
    pub fn has_nan_payload(self) -> bool {
        self.specials == Specials::Ieee
    }

    /// Whether not-a-numbers have a sign.
    pub fn has_signed_nan(self) -> bool {
        self.is_signed() && self.specials != Specials::MinusZero
    }

    /// The value of a code; for formats of at most 16 bits, whose values an f64 holds exactly.
    pub fn decode(self, code: u64) -> f64 {
        let code = code & ((1 << self.bits()) - 1);
        let magnitude = code & self.magnitude_mask();
        let sign = if code == magnitude { 1.0 } else { -1.0 };
        if self.infinity().is_some_and(|inf| magnitude > inf)
            || self.specials == Specials::AllOnes && magnitude == self.magnitude_mask()
            || self.specials == Specials::MinusZero && magnitude == 0 && sign < 0.0
        {
            return f64::NAN;
        }
        if self.infinity() == Some(magnitude) {
            return sign * f64::INFINITY;
        }
        let exponent = (magnitude >> self.mantissa) as i32;
        let fraction = (magnitude & self.mantissa_mask()) as f64 / (1u64 << self.mantissa) as f64;
        let subnormal = exponent == 0 && self.mantissa > 0;
        let (exponent, fraction) =
            if subnormal { (1 - self.bias, fraction) } else { (exponent - self.bias, 1.0 + fraction) };
        sign * fraction * 2f64.powi(exponent)
    }

    /// The code of the finite value nearest to `value` (ties to even); `None` beyond the largest. For formats of at
    /// most 8 bits, of which all codes are tried.
    pub fn encode(self, value: f64) -> Option<u64> {
        if !self.is_signed() && value <= 0.0 {
            return None;
        }
        let magnitude = value.abs();
        let finite = |code: u64| Some(self.decode(code)).filter(|v| v.is_finite());
        // Magnitudes grow with their codes, so the neighbours of the value are consecutive codes.
        let last = (0..=self.magnitude_mask()).rev().find(|&c| finite(c).is_some())?;
        let above = (0..=last).find(|&c| finite(c).is_some_and(|v| v >= magnitude));
        let code = match above {
            None => {
                let (max, below) = (finite(last)?, finite(last - 1)?);
                if magnitude.is_nan() || magnitude >= max + (max - below) / 2.0 {
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
        let negative = value.is_sign_negative() && !(self.specials == Specials::MinusZero && code == 0);
        Some(code | self.sign_bit(negative))
    }

    /// As [`Format::encode`], and what it has for values beyond: infinity, else not-a-number, else the largest.
    /// Values that a type without sign or zero cannot hold become not-a-number.
    pub fn encode_any(self, value: f64) -> u64 {
        let sign = self.sign_bit(value.is_sign_negative());
        let nan = self.quiet_nan().map(|nan| if self.has_signed_nan() { nan | sign } else { nan });
        match self.encode(value) {
            Some(code) => code,
            None if value.is_nan() => nan.unwrap_or(0),
            None => self.infinity().map(|inf| inf | sign).or(nan).unwrap_or(self.magnitude_mask() | sign),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    fn format(d: DType) -> Format {
        d.float().expect("a float").format()
    }

    fn encode(d: DType, value: f64) -> Option<u64> {
        format(d).encode(value)
    }

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
            assert_eq!(format(d).decode(code), value, "{d}");
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

    #[test]
    fn what_is_beyond_becomes_what_the_format_has() {
        assert_eq!(format(DType::F8E5M2).encode_any(-1e9), 0xfc);
        assert_eq!(format(DType::F8E4M3Fn).encode_any(1e9), 0x7f);
        assert_eq!(format(DType::F8E4M3Fnuz).encode_any(f64::NAN), 0x80);
        assert_eq!(format(DType::F4E2M1Fn).encode_any(-1e9), 0xf);
        assert_eq!(format(DType::F8E8M0Fnu).encode_any(-1.0), 0xff);
    }

    #[test]
    fn all_codes_read_back() {
        for d in DType::ALL.iter().filter(|d| d.is_small_float()) {
            let f = format(*d);
            for code in 0..1u64 << f.bits() {
                let value = f.decode(code);
                assert!(
                    value.is_nan() || value.is_infinite() || f.encode(value) == Some(code),
                    "{d} {code:#x}"
                );
            }
        }
    }
}
