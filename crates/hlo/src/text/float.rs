//! Floats as text: every float type, both ways, exactly.
//!
//! A printed number is the shortest that reads back to the same bits, laid out as C's `%g` does
//! (`1e-05`, `0.001`, `784`). Not-a-numbers keep sign and payload: `nan`, `-nan`, `nan(0x1)`.

use crate::dtype::{Float, Format};
use half::{bf16, f16};

/// Why a text is no float of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatError {
    Syntax,
    Range,
}

/// Appends the bytes of the float nearest to the number in `text`.
pub(super) fn encode(text: &str, float: Float, out: &mut Vec<u8>) -> Result<(), FloatError> {
    let format = float.format();
    let negative = text.starts_with('-');
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    let bits = if magnitude == "inf" {
        format.infinity().ok_or(FloatError::Range)? | format.sign_bit(negative)
    } else if let Some(payload) = magnitude.strip_prefix("nan") {
        nan(format, negative, payload)?
    } else {
        finite(text, float)?
    };
    out.extend_from_slice(&bits.to_le_bytes()[..format.bits().div_ceil(8) as usize]);
    Ok(())
}

fn nan(format: Format, negative: bool, payload: &str) -> Result<u64, FloatError> {
    let quiet = format.quiet_nan().ok_or(FloatError::Range)?;
    if !format.has_nan_payload() {
        let sign = if format.has_signed_nan() { format.sign_bit(negative) } else { 0 };
        return if payload.is_empty() { Ok(quiet | sign) } else { Err(FloatError::Range) };
    }
    let sign = format.sign_bit(negative);
    if payload.is_empty() {
        return Ok(quiet | sign);
    }
    let digits = payload.strip_prefix("(0x").and_then(|p| p.strip_suffix(')')).ok_or(FloatError::Syntax)?;
    if digits.starts_with('+') {
        return Err(FloatError::Syntax);
    }
    let payload = u64::from_str_radix(digits, 16).map_err(|_| FloatError::Syntax)?;
    if payload == 0 || payload > format.mantissa_mask() {
        return Err(FloatError::Range);
    }
    Ok(format.infinity().unwrap_or(0) | sign | payload)
}

fn finite(text: &str, float: Float) -> Result<u64, FloatError> {
    // Rust also reads `+1`, `infinity` and `NaN`; HLO does not.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if !plain || text.starts_with('+') {
        return Err(FloatError::Syntax);
    }
    let wide: f64 = text.parse().map_err(|_| FloatError::Syntax)?;
    let (bits, is_finite) = match float {
        Float::F64 => (wide.to_bits(), wide.is_finite()),
        Float::F32 => {
            let f: f32 = text.parse().map_err(|_| FloatError::Syntax)?;
            (f.to_bits() as u64, f.is_finite())
        }
        Float::F16 => {
            let f = f16::from_f64(wide);
            (f.to_bits() as u64, f.is_finite())
        }
        Float::Bf16 => {
            let f = bf16::from_f64(wide);
            (f.to_bits() as u64, f.is_finite())
        }
        Float::Small(format) => return format.nearest(wide).ok_or(FloatError::Range),
    };
    if is_finite { Ok(bits) } else { Err(FloatError::Range) }
}

/// The text of the float with these bytes.
pub(super) fn decode(float: Float, bytes: &[u8]) -> String {
    let mut wide = [0u8; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    let value = match float {
        Float::F64 => f64::from_bits(bits),
        Float::F32 => f32::from_bits(bits as u32) as f64,
        Float::F16 => f16::from_bits(bits as u16).to_f64(),
        Float::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        Float::Small(format) => format.decode(bits),
    };
    if value.is_nan() {
        return nan_text(float.format(), bits);
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    if value == 0.0 && value.is_sign_negative() {
        // XLA reads `-0` as an integer and drops the sign.
        return "-0.0".into();
    }
    if float.format().bits() <= 16 && value.fract() == 0.0 && value.abs() < 1e5 {
        // Rather 448 than 450, which reads back to the same bits of an 8-bit type.
        return format!("{value}");
    }
    // The precisions after which XLA changes to exponents.
    match float {
        Float::F64 => layout(&format!("{value:e}"), 15, 17),
        Float::F32 => layout(&format!("{:e}", f32::from_bits(bits as u32)), 6, 9),
        Float::F16 => layout(&shortest(float, value, bytes), 5, 5),
        Float::Bf16 | Float::Small(_) => layout(&shortest(float, value, bytes), 4, 4),
    }
}

fn nan_text(format: Format, bits: u64) -> String {
    let negative = format.has_signed_nan() && bits & format.sign_bit(true) != 0;
    let sign = if negative { "-" } else { "" };
    let payload = bits & format.mantissa_mask();
    let quiet = format.quiet_nan().unwrap_or(0) & format.mantissa_mask();
    if !format.has_nan_payload() || payload == quiet {
        return format!("{sign}nan");
    }
    format!("{sign}nan({payload:#x})")
}

/// The fewest digits, in scientific form, that read back to the same bytes.
fn shortest(float: Float, value: f64, bytes: &[u8]) -> String {
    for digits in 0..17 {
        let text = format!("{value:.digits$e}");
        let mut back = Vec::with_capacity(bytes.len());
        if encode(&text, float, &mut back).is_ok() && back == bytes {
            return text;
        }
    }
    format!("{value:e}")
}

/// Lays out a number in scientific form (`-1.5e-7`) as `%g` would with precision `few` (or `many`, if it
/// has more digits than `few`).
fn layout(scientific: &str, few: usize, many: usize) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let digits = match digits.trim_end_matches('0') {
        "" => "0",
        kept => kept,
    };
    let precision = if digits.len() <= few { few } else { many } as i32;
    if exponent < -4 || exponent >= precision {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let direction = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{direction}{:02}", exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        format!("{sign}{digits}{}", "0".repeat(whole - digits.len()))
    } else {
        format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    fn encode(text: &str, dtype: DType, out: &mut Vec<u8>) -> Result<(), FloatError> {
        super::encode(text, dtype.float().expect("a float"), out)
    }

    fn decode(dtype: DType, bytes: &[u8]) -> String {
        super::decode(dtype.float().expect("a float"), bytes)
    }

    fn round_trip(dtype: DType, bytes: &[u8]) {
        let text = decode(dtype, bytes);
        let mut back = Vec::new();
        assert_eq!(encode(&text, dtype, &mut back), Ok(()), "{dtype} {text}");
        assert_eq!(back, bytes, "{dtype} {text}");
    }

    #[test]
    fn every_narrow_float_round_trips() {
        for &d in DType::ALL.iter().filter(|d| d.is_float() && d.bits() <= 16) {
            for bits in 0..1u32 << d.bits() {
                round_trip(d, &bits.to_le_bytes()[..d.size()]);
            }
        }
    }

    #[test]
    fn wide_floats_round_trip() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            round_trip(DType::F64, &bits.to_le_bytes());
            round_trip(DType::F32, &((bits >> 32) as u32).to_le_bytes());
        }
        for f in [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), -0.0, f32::INFINITY] {
            round_trip(DType::F32, &f.to_le_bytes());
        }
        for f in [f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), -0.0, f64::NEG_INFINITY] {
            round_trip(DType::F64, &f.to_le_bytes());
        }
    }

    #[test]
    fn laid_out_as_xla_does() {
        let text = |f: f32| decode(DType::F32, &f.to_le_bytes());
        for (f, expected) in [
            (1e-5, "1e-05"),
            (0.001, "0.001"),
            (784.0, "784"),
            (-1e30, "-1e+30"),
            (1e6, "1e+06"),
            (1234567.0, "1234567"),
            (0.5, "0.5"),
            (-0.0, "-0.0"),
            (0.0, "0"),
            (f32::NAN, "nan"),
            (123456.5, "123456.5"),
        ] {
            assert_eq!(text(f), expected);
        }
        assert_eq!(decode(DType::F64, &1e-300f64.to_le_bytes()), "1e-300");
        assert_eq!(decode(DType::F32, &0x7fc00001u32.to_le_bytes()), "nan(0x400001)");
    }

    #[test]
    fn out_of_range_is_told_from_nonsense() {
        let mut out = Vec::new();
        assert_eq!(encode("1e39", DType::F32, &mut out), Err(FloatError::Range));
        assert_eq!(encode("65520", DType::F16, &mut out), Err(FloatError::Range));
        assert_eq!(encode("65504", DType::F16, &mut out), Ok(()));
        assert_eq!(encode("inf", DType::F8E4M3Fn, &mut out), Err(FloatError::Range));
        assert_eq!(encode("nan", DType::F4E2M1Fn, &mut out), Err(FloatError::Range));
        assert_eq!(encode("-1", DType::F8E8M0Fnu, &mut out), Err(FloatError::Range));
        for bad in ["", "-", "1.2.3", "infinity", "NaN", "+1", "0x10", "nan(1)", "nan(0x+1)", "e5"] {
            assert_eq!(encode(bad, DType::F32, &mut out), Err(FloatError::Syntax), "{bad}");
        }
    }
}
