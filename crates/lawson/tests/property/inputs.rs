//! The values modules are run on: ordinary numbers, and those that break things.
//!
//! A leaf is made from the seed and its position alone, so a module that loses an instruction keeps its inputs.

use crate::random::Rng;
use lawson::hlo::{ArrayShape, DType, Literal, Module, Scalar, Shape, Value};

/// Arguments for each parameter of the entry.
pub fn arguments(module: &Module, seed: u64, spread: Spread) -> Vec<Value> {
    let shapes = module.entry().parameter_shapes().into_iter().enumerate();
    shapes.map(|(i, shape)| value(shape, &mut stream(seed, i), spread)).collect()
}

/// What values may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Each array has a style of its own: ordinary, special numbers mixed in, small integers, any bits.
    Wild,
    /// Floats in [-1, 1) and small integers: what rounding bounds are stated for.
    Tame,
}

fn stream(seed: u64, parameter: usize) -> Rng {
    Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (parameter as u64) << 48 ^ 0x5eed)
}

fn value(shape: &Shape, rng: &mut Rng, spread: Spread) -> Value {
    match shape {
        Shape::Array(a) => Value::Array(literal(a, rng, spread)),
        Shape::Tuple(parts) => Value::Tuple(parts.iter().map(|p| value(p, rng, spread)).collect()),
        _ => Value::Token,
    }
}

/// A literal of random elements in one random style.
pub fn literal(shape: &ArrayShape, rng: &mut Rng, spread: Spread) -> Literal {
    let style = match spread {
        Spread::Tame => Style::Ordinary,
        Spread::Wild => rng.pick(&[Style::Ordinary, Style::Mixed, Style::Mixed, Style::Small, Style::Bits]),
    };
    let plain = ArrayShape::new(shape.dtype, shape.dims.clone());
    let mut bytes = Vec::with_capacity(plain.bytes() as usize);
    for _ in 0..plain.elements() {
        push_element(&mut bytes, shape.dtype, rng, style);
    }
    Literal::new(plain, bytes)
}

#[derive(Clone, Copy)]
enum Style {
    Ordinary,
    Mixed,
    Small,
    Bits,
}

fn push_element(out: &mut Vec<u8>, dtype: DType, rng: &mut Rng, style: Style) {
    let style = match style {
        Style::Mixed => rng.pick(&[Style::Ordinary, Style::Ordinary, Style::Small, Style::Bits]),
        other => other,
    };
    if let Some(composite) = dtype.composite() {
        return (0..composite.parts()).for_each(|_| push_element(out, composite.part, rng, style));
    }
    if dtype.is_pred() {
        return out.push((rng.next() >> 63) as u8);
    }
    match (style, dtype) {
        (Style::Bits, d) if d.is_float() && rng.one_in(2) => {
            out.extend(&rng.next().to_le_bytes()[..d.size()]);
        }
        (Style::Bits, d) if d.is_float() => Scalar::Float(special(d, rng)).push(d, out),
        (Style::Bits, d) => extreme(d, rng).push(d, out),
        (Style::Small, d) if d.is_float() => Scalar::Float(rng.between(-4, 4) as f64).push(d, out),
        (Style::Ordinary, d) if d.is_float() => Scalar::Float(unit(rng)).push(d, out),
        (_, d) => Scalar::Signed(rng.between(if d.is_signed() { -9 } else { 0 }, 9)).push(d, out),
    }
}

/// In [-1, 1).
fn unit(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Zeros, infinities, NaN, the ends of the range, denormals, halves, and numbers beyond the integers.
fn special(dtype: DType, rng: &mut Rng) -> f64 {
    let (tiny, huge) = match dtype {
        DType::F16 => (6e-8, 65504.0),
        DType::Bf16 => (9.2e-41, 3.38e38),
        DType::F32 => (1.4e-45, f32::MAX as f64),
        _ => (5e-324, f64::MAX),
    };
    let all =
        [0.0, 0.0, 1.0, 0.5, 1.5, 2.5, 255.5, 2147483648.0, 1.8446744073709552e19, tiny, 7.0 * tiny, huge];
    match rng.below(all.len() + 2) {
        i if i < all.len() => all[i] * rng.pick(&[1.0, -1.0]),
        i if i == all.len() => f64::INFINITY * rng.pick(&[1.0, -1.0]),
        _ => f64::NAN,
    }
}

/// Any bits, or the ends of the range.
fn extreme(dtype: DType, rng: &mut Rng) -> Scalar {
    let top = 1u64 << (dtype.bits() - 1);
    Scalar::Unsigned(match rng.below(6) {
        0 => top,
        1 => top - 1,
        2 => u64::MAX,
        3 => 1u64 << rng.below(dtype.bits() as usize),
        _ => rng.next(),
    })
}
