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
            return f64::NAN.copysign(sign);
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

    /// The f32 of a code of at most 8 bits; of IEEE formats not-a-numbers keep their mantissa.
    pub fn widen(self, code: u64) -> f32 {
        let value = self.decode(code) as f32;
        if !(value.is_nan() && self.has_nan_payload()) {
            return value;
        }
        let mantissa = ((code & self.mantissa_mask()) as u32) << (23 - self.mantissa);
        let negative = code & self.sign_bit(true) != 0;
        f32::from_bits(0x7f80_0000 | mantissa | u32::from(negative) << 31)
    }

    /// The code of which [`Format::widen`] made the value.
    pub fn exact(self, value: f32) -> u64 {
        match self.infinity() {
            Some(infinity) if value.is_nan() => {
                let mantissa = u64::from(value.to_bits() >> (23 - self.mantissa)) & self.mantissa_mask();
                infinity | mantissa | self.sign_bit(value.is_sign_negative())
            }
            _ => self.encode(value),
        }
    }

    /// The code nearest to `value` (ties to even; of powers of two upwards), for formats of at most 8 bits. Beyond the largest
    /// value it is that of infinity, else not-a-number, else the largest; not-a-number becomes minus zero where there is
    /// none. In a format without a sign zero and negative numbers are not-a-numbers.
    pub fn encode(self, value: f32) -> u64 {
        let (bits, negative) = (value.to_bits() & 0x7fff_ffff, value.is_sign_negative());
        let sign = self.sign_bit(negative);
        let nan = match self.quiet_nan() {
            Some(nan) if self.has_signed_nan() => nan | sign,
            Some(nan) => nan,
            None => self.sign_bit(true),
        };
        if value.is_nan() {
            return nan;
        }
        if !self.is_signed() {
            // Half a power of two rounds up, and all between the two least numbers to the greater one.
            let code = match bits {
                ..0x80_0000 => u64::from(bits > 0x40_0000),
                _ => (u64::from(bits) + (1 << 22)) >> 23,
            };
            return if value <= 0.0 || code >= nan { nan } else { code };
        }
        let least = (128 - self.bias) as u32;
        let magnitude = if bits < least << 23 {
            // The last place of the sum is that of the subnormal numbers.
            let one = f32::from_bits((least + 23 - self.mantissa) << 23);
            u64::from((f32::from_bits(bits) + one).to_bits() - one.to_bits())
        } else {
            let dropped = 23 - self.mantissa;
            let half = (1 << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
            u64::from((bits + half) >> dropped) - (((127 - self.bias) as u64) << self.mantissa)
        };
        match self.greatest() {
            greatest if magnitude > greatest => match (self.infinity(), self.quiet_nan()) {
                (Some(infinity), _) => infinity | sign,
                (None, Some(_)) => nan,
                (None, None) => greatest | sign,
            },
            _ if magnitude == 0 && self.specials == Specials::MinusZero => 0,
            _ => magnitude | sign,
        }
    }

    /// As [`Format::encode`]; what is rounded is rounded once.
    pub fn encode_wide(self, value: f64) -> u64 {
        self.encode(round_to_odd(value))
    }

    /// The code of a value that is to be written exactly or nearly so: `None` beyond the largest.
    pub fn nearest(self, value: f64) -> Option<u64> {
        let (most, below) = (self.decode(self.greatest()), self.decode(self.greatest() - 1));
        // The largest value stands for what is beyond it where nothing else does.
        let fits = self.specials != Specials::Finite || value.abs() < most + (most - below) / 2.0;
        Some(self.encode_wide(value)).filter(|&code| fits && self.decode(code).is_finite())
    }

    /// The code of the largest finite value.
    pub fn greatest(self) -> u64 {
        match self.specials {
            Specials::Ieee => (self.magnitude_mask() & !self.mantissa_mask()) - 1,
            Specials::AllOnes => self.magnitude_mask() - 1,
            Specials::MinusZero | Specials::Finite => self.magnitude_mask(),
        }
    }
}

/// `x` as an f32, rounded so that a further rounding to a float of fewer digits gives the correctly rounded result:
/// what is not exact goes to the neighbour with an odd mantissa.
pub fn round_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = near as f64;
    if back == x || x.is_nan() { near } else { odd_neighbour(near, back.abs() > x.abs()) }
}

/// Of the two numbers around an inexact one the odd one, given the nearer and whether it is the larger.
pub fn odd_neighbour(near: f32, larger: bool) -> f32 {
    match near.to_bits() {
        odd if odd & 1 == 1 => near,
        even => f32::from_bits(if larger { even - 1 } else { even + 1 }),
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
        format(d).nearest(value)
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
        assert_eq!(encode(DType::F8E4M3Fn, 464.0), Some(0x7e));
        assert_eq!(encode(DType::F8E4M3Fn, 480.0), None);
        assert_eq!(encode(DType::F8E8M0Fnu, 0.0), None);
        assert_eq!(encode(DType::F8E4M3Fnuz, -0.0), Some(0));
    }

    #[test]
    fn what_is_beyond_becomes_what_the_format_has() {
        assert_eq!(format(DType::F8E5M2).encode_wide(-1e9), 0xfc);
        assert_eq!(format(DType::F8E4M3Fn).encode_wide(1e9), 0x7f);
        assert_eq!(format(DType::F8E4M3Fnuz).encode_wide(f64::NAN), 0x80);
        assert_eq!(format(DType::F4E2M1Fn).encode_wide(-1e9), 0xf);
        assert_eq!(format(DType::F8E8M0Fnu).encode_wide(-1.0), 0xff);
    }

    #[test]
    fn all_codes_read_back() {
        for d in DType::ALL.iter().filter(|d| d.is_small_float()) {
            let f = format(*d);
            for code in 0..1u64 << f.bits() {
                let value = f.decode(code);
                assert!(
                    value.is_nan() || value.is_infinite() || f.nearest(value) == Some(code),
                    "{d} {code:#x}"
                );
            }
        }
    }

    /// FNV-1a, of the bytes that ml_dtypes and XLA:CPU make.
    fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
        let mix = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
    }

    #[test]
    fn every_code_and_every_16_bit_float_are_converted_as_by_ml_dtypes() {
        // Recorded with ml_dtypes 0.5: the values of all codes as f32 (one not-a-number), the codes of all f16 and all bf16.
        // Not-a-numbers of f4e2m1fn are minus zero, as XLA has it.
        for (dtype, values, of_f16, of_bf16) in [
            (DType::F4E2M1Fn, 0x2403_bb76_b85d_fea5, 0xa8ad_acf8_a822_4d2d, 0xf97f_db8e_ed49_986d),
            (DType::F8E3M4, 0xf479_36f1_9e54_9625, 0xde84_9e1a_d9c5_5e25, 0xd9fc_11fb_e423_f925),
            (DType::F8E4M3, 0x225e_af47_99a2_7e65, 0xf9e3_1c9f_19fb_6325, 0x27fc_d773_a5ef_9165),
            (DType::F8E4M3Fn, 0xdad1_d9c5_0f74_9ca5, 0xbd57_1fcb_cd35_1aa5, 0xfcf9_b068_35fb_1295),
            (DType::F8E4M3B11Fnuz, 0xd90d_7a60_0530_d158, 0xdbf5_8453_dd7e_d9a5, 0x97e5_6740_791c_b325),
            (DType::F8E4M3Fnuz, 0xf518_51cb_11c6_3018, 0x5baa_f26b_4d46_d9a5, 0xb470_b8fe_ac94_b325),
            (DType::F8E5M2, 0x6c1e_56b6_fb09_c905, 0xbd84_6ad2_7363_4325, 0xdc7c_834c_4593_4ea5),
            (DType::F8E5M2Fnuz, 0x94ae_6fc4_93d4_9818, 0xf336_d4e1_e12e_dda5, 0xaf07_a31a_a01e_3025),
            (DType::F8E8M0Fnu, 0x6d2c_8b41_c3f0_e5a5, 0xf66e_04a4_93e7_7b06, 0x29ac_22fd_87f3_649b),
        ] {
            let f = format(dtype);
            let value = |code| f.decode(code) as f32;
            let bits = |x: f32| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
            let all = (0..1u64 << f.bits()).flat_map(|code| bits(value(code)).to_le_bytes());
            assert_eq!(hash(all), values, "{dtype}");
            let f16 = (0..=u16::MAX).map(|x| f.encode(half::f16::from_bits(x).to_f32()) as u8);
            assert_eq!(hash(f16), of_f16, "{dtype} of f16");
            let bf16 = (0..=u16::MAX).map(|x| f.encode(half::bf16::from_bits(x).to_f32()) as u8);
            assert_eq!(hash(bf16), of_bf16, "{dtype} of bf16");
        }
    }
}
