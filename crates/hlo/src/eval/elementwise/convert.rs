//! Conversions between element types, and reduce-precision.
//!
//! To an integer, floats truncate and saturate at the bounds of the type, NaN gives 0; integers wrap. To pred,
//! what differs from zero (NaN does) is true. To floats everything rounds once. Of fields it is the value that is converted,
//! modulo p; words of any bits become storage modulo p by `bitcast-convert`.

use super::super::word::{Class, Wide, Word, integer_to_odd, low_bits, round_to_odd};
use super::Fun;
use super::field;
use super::real::Real;
use crate::dtype::{DType, Float, TypeKind};
use crate::math::field::Arithmetic;
use half::{bf16, f16};

/// The conversion of words of one type to another; `None` for types that are not computed with.
pub fn convert(from: DType, to: DType) -> Option<Fun> {
    if let Some(into) = to.field().filter(|_| !from.is_field()) {
        return field::from(from, into);
    }
    match Class::of(from)? {
        Class::Field(own) => field::to(own, to),
        Class::Float32 => from_float(|x: f32| x as f64, to),
        Class::Float64 => from_float(|x: f64| x, to),
        Class::Signed => from_integer(|w| i64::of(w) as i128, to),
        Class::Unsigned | Class::Pred => from_integer(|w| w as i128, to),
    }
}

/// From a float; `widen` is exact.
fn from_float<F: Real>(widen: fn(F) -> f64, to: DType) -> Option<Fun> {
    Some(match to.kind() {
        TypeKind::Pred => Fun::one(|w| (F::of(w) != F::default()).word()),
        TypeKind::Signed(width) => {
            let bits = width.bits();
            let (least, greatest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
            Fun::one(move |w| (widen(F::of(w)) as i64).clamp(least, greatest).word())
        }
        TypeKind::Unsigned(width) => {
            let greatest = u64::MAX >> (64 - width.bits());
            Fun::one(move |w| (widen(F::of(w)) as u64).min(greatest))
        }
        TypeKind::Float(Float::F16 | Float::Bf16 | Float::Small(_)) => {
            Fun::one(move |w| round_to_odd(widen(F::of(w))).word())
        }
        TypeKind::Float(Float::F32) => Fun::one(move |w| (widen(F::of(w)) as f32).word()),
        TypeKind::Float(Float::F64) => Fun::one(move |w| widen(F::of(w)).word()),
        TypeKind::Field(_) | TypeKind::Composite(_) => return None,
    })
}

/// From an integer or pred; `value` is its number. Narrowing wraps integers.
fn from_integer(value: fn(Word) -> i128, to: DType) -> Option<Fun> {
    Some(match to.kind() {
        TypeKind::Pred => Fun::one(|w| (w != 0).word()),
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => Fun::one(|w| w),
        TypeKind::Float(Float::F16 | Float::Bf16 | Float::Small(_)) => {
            Fun::one(move |w| integer_to_odd(value(w)).word())
        }
        TypeKind::Float(Float::F32) => Fun::one(move |w| (value(w) as f32).word()),
        TypeKind::Float(Float::F64) => Fun::one(move |w| (value(w) as f64).word()),
        TypeKind::Field(_) | TypeKind::Composite(_) => return None,
    })
}

/// The same bits as an element of another type of the same width.
pub fn bitcast(from: DType, to: DType) -> Option<Fun> {
    if from.bits() != to.bits() {
        return None;
    }
    let own = raw_bits(from)?;
    if let Some(field) = to.field() {
        let of = Arithmetic::new(field);
        return Some(Fun::one(move |w| of.reduced(low_bits(own(w), from.bits()))));
    }
    let back = from_raw_bits(to)?;
    Some(Fun::one(move |w| back(own(w))))
}

/// A function of words.
type OfWord = Box<dyn Fn(Word) -> Word>;

/// From the word of an element to its bits; those above its width may be anything.
fn raw_bits(dtype: DType) -> Option<OfWord> {
    Some(match dtype.kind() {
        TypeKind::Float(Float::F16) => Box::new(|w| f16::from_f32(f32::of(w)).to_bits() as Word),
        TypeKind::Float(Float::Bf16) => Box::new(|w| bf16::from_f32(f32::of(w)).to_bits() as Word),
        TypeKind::Float(Float::Small(format)) => Box::new(move |w| format.exact(f32::of(w))),
        TypeKind::Pred
        | TypeKind::Signed(_)
        | TypeKind::Unsigned(_)
        | TypeKind::Field(_)
        | TypeKind::Float(Float::F32 | Float::F64) => Box::new(|w| w),
        TypeKind::Composite(_) => return None,
    })
}

/// From bits to a word, which is still to be narrowed.
fn from_raw_bits(dtype: DType) -> Option<OfWord> {
    Some(match dtype.kind() {
        TypeKind::Float(Float::F16) => Box::new(|w| f16::from_bits(w as u16).to_f32().word()),
        TypeKind::Float(Float::Bf16) => Box::new(|w| bf16::from_bits(w as u16).to_f32().word()),
        TypeKind::Float(Float::Small(format)) => Box::new(move |w| format.widen(w).word()),
        TypeKind::Float(Float::F32) => Box::new(|w| w & 0xffff_ffff),
        TypeKind::Pred | TypeKind::Signed(_) | TypeKind::Unsigned(_) | TypeKind::Float(Float::F64) => {
            Box::new(|w| w)
        }
        TypeKind::Field(_) | TypeKind::Composite(_) => return None,
    })
}

/// Rounds to a float with fewer exponent and mantissa bits, kept in its own type: ties to even; beyond the
/// largest exponent infinity, below the least normal one zero with the sign. NaN stays NaN.
pub fn reduce_precision(dtype: DType, exponent_bits: u32, mantissa_bits: u32) -> Option<Fun> {
    // Floats of 8 bits and fewer as f32.
    let computed = if dtype.is_small_float() { DType::F32 } else { dtype };
    let own = computed.float()?.format();
    let (own_exponent, own_mantissa) = (own.exponent, own.mantissa);
    let format = Format {
        sign: 1 << (own_exponent + own_mantissa),
        mantissa: own_mantissa,
        infinity: ((1 << own_exponent) - 1) << own_mantissa,
        drop: own_mantissa.saturating_sub(mantissa_bits),
        exponents: (exponent_bits < own_exponent).then(|| {
            let bias = (1u64 << (own_exponent - 1)) - 1;
            let reduced_bias = (1u64 << exponent_bits.max(1) >> 1) - 1;
            (bias - reduced_bias, bias + reduced_bias)
        }),
    };
    let (own, back) = (raw_bits(computed)?, from_raw_bits(computed)?);
    Some(Fun::one(move |w| back(format.round(own(w)))))
}

/// A float format, and what reduce-precision does to its bits.
#[derive(Clone, Copy)]
struct Format {
    sign: u64,
    mantissa: u32,
    infinity: u64,
    /// Mantissa bits dropped.
    drop: u32,
    /// The biased exponents that are lost below and kept above: (at most this is zero, above this infinite).
    exponents: Option<(u64, u64)>,
}

impl Format {
    fn round(self, bits: u64) -> u64 {
        let sign = bits & self.sign;
        let mut x = bits & !self.sign;
        if x > self.infinity {
            return bits;
        }
        if self.drop > 0 {
            let last = (x >> self.drop) & 1;
            x += last + (1 << (self.drop - 1)) - 1;
            x &= !((1 << self.drop) - 1);
        }
        if let Some((zero, greatest)) = self.exponents {
            let exponent = x >> self.mantissa;
            if exponent > greatest {
                x = self.infinity;
            } else if exponent <= zero {
                x = 0;
            }
        }
        sign | x
    }
}
