//! Arithmetic with neutral elements, and of a value with itself.

use super::query::{dtype, either, is, is_exact, is_minus_zero, splat, through};
use super::{Rule, exact, in_mode};
use crate::make;
use crate::options::Numerics;
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::{WideArithmetic, WideField};
use lawson_hlo::identity::identity;
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact("add-zero", "x + 0 → x; of floats only x + -0.0", &[Opcode::Add], add_zero),
    in_mode(Numerics::Fast, exact("add-plus-zero", "x + 0.0 → x", &[Opcode::Add], add_plus_zero)),
    exact("subtract-zero", "x - 0 → x", &[Opcode::Subtract], subtract_zero),
    exact("subtract-self", "x - x → 0, of integers and fields", &[Opcode::Subtract], subtract_self),
    exact("multiply-one", "x · 1 → x", &[Opcode::Multiply], multiply_one),
    exact("multiply-zero", "x · 0 → 0, of integers and fields", &[Opcode::Multiply], multiply_zero),
    exact("divide-one", "x / 1 → x", &[Opcode::Divide], divide_one),
    exact("divide-power-of-two", "x / 2^k → x · 2^-k, of floats", &[Opcode::Divide], divide_power_of_two),
    in_mode(
        Numerics::Fast,
        exact("divide-constant", "x / c → x · (1/c)", &[Opcode::Divide], divide_constant),
    ),
    in_mode(
        Numerics::Fast,
        exact(
            "divide-broadcast",
            "x / broadcast(y) → x · broadcast(1 / y)",
            &[Opcode::Divide],
            divide_broadcast,
        ),
    ),
    exact("negate-negate", "-(-x) → x", &[Opcode::Negate], negate_negate),
    exact("negate-product", "-(x · c) → x · -c", &[Opcode::Negate], negate_product),
    exact("multiply-negated", "-x · c → x · -c", &[Opcode::Multiply], multiply_negated),
    exact("extremum-self", "max(x, x) → x", &[Opcode::Maximum, Opcode::Minimum], extremum_self),
    exact("extremum-bound", "max(x, least value) → x", &[Opcode::Maximum, Opcode::Minimum], extremum_bound),
    exact(
        "associate-constants",
        "(x + c) + d → x + (c + d), of integers and fields; likewise ·, and, or, xor",
        &[Opcode::Add, Opcode::Multiply, Opcode::And, Opcode::Or, Opcode::Xor],
        associate_constants,
    ),
];

fn add_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    // In pred, add is or.
    either(instr, |y| is_minus_zero(b, y) || (is_exact(b, y) && is(b, y, 0))).map(|(x, _)| x)
}

fn add_plus_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is(b, y, 0)).map(|(x, _)| x)
}

fn subtract_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    // x - 0.0 keeps -0.0, as -0.0 - 0.0 is -0.0.
    is(b, instr.operands[1], 0).then_some(instr.operands[0])
}

fn subtract_self(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let shape = b.array(x).clone();
    (x == y && (shape.dtype.is_integer() || shape.dtype.is_field())).then(|| make::splat(b, &shape, 0))
}

fn multiply_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is(b, y, 1)).map(|(x, _)| x)
}

fn multiply_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    // A float may be infinite, NaN or negative.
    either(instr, |y| is_exact(b, y) && is(b, y, 0)).map(|(_, zero)| zero)
}

fn divide_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    is(b, instr.operands[1], 1).then_some(instr.operands[0])
}

fn divide_power_of_two(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let Some(Scalar::Float(f)) = splat(b, y) else { return None };
    let reciprocal = 1.0 / f;
    // A power of two has no fraction bits; its reciprocal must be a number of the type too.
    let power = f.is_normal() && f.to_bits() << 12 == 0;
    let exact = round(dtype(b, y)?, reciprocal) == reciprocal && reciprocal != 0.0 && reciprocal.is_finite();
    (power && exact && f != 1.0).then(|| multiply_by(b, x, reciprocal))
}

fn divide_constant(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let Some(Scalar::Float(f)) = splat(b, y) else { return None };
    let reciprocal = round(dtype(b, y)?, 1.0 / f);
    reciprocal.is_normal().then(|| multiply_by(b, x, reciprocal))
}

/// One division for many elements. A divisor so small that its reciprocal is infinite, in f32 below 2^-128, gives an
/// infinity or NaN where division gives a number.
fn divide_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, divisor] = instr.operands[..] else { return None };
    let y = through(b, divisor, Opcode::Broadcast)?;
    let (few, shape) = (b.array(y).clone(), b.array(divisor).clone());
    // What is rounded to 16 bits twice is wrong by too much. A constant that got here has no reciprocal.
    let wide = (few.dtype.is_f32() || few.dtype.is_f64()) && splat(b, divisor).is_none();
    if !wide || few.elements() * 2 > shape.elements() {
        return None;
    }
    let Attrs::Dims(dims) = b.get(divisor).attrs.clone() else { return None };
    let one = make::splat(b, &few, 1);
    let reciprocal = b.binary(Opcode::Divide, one, y);
    let all = b.broadcast(reciprocal, &shape.dims, &dims);
    Some(b.binary(Opcode::Multiply, x, all))
}

fn multiply_by(b: &mut Builder<'_>, x: InstrId, factor: f64) -> InstrId {
    let shape = b.array(x).clone();
    let factor = b.splat(&shape, Scalar::Float(factor));
    b.binary(Opcode::Multiply, x, factor)
}

/// The number of this type nearest to `f`.
fn round(dtype: DType, f: f64) -> f64 {
    Literal::scalar(dtype, Scalar::Float(f)).get(0).as_f64()
}

fn negate_negate(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    through(b, instr.operands[0], Opcode::Negate)
}

fn negate_product(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let product = b.get(instr.operands[0]).clone();
    if product.opcode != Opcode::Multiply {
        return None;
    }
    let (x, c) = scaled(b, &product)?;
    Some(multiply_by(b, x, -c))
}

/// The derivative of a difference is negated, and then scaled.
fn multiply_negated(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (x, c) = scaled(b, instr)?;
    let x = through(b, x, Opcode::Negate)?;
    Some(multiply_by(b, x, -c))
}

/// What a product scales, and by which number.
fn scaled(b: &Builder<'_>, product: &Instruction) -> Option<(InstrId, f64)> {
    let (x, c) = either(product, |y| matches!(splat(b, y), Some(Scalar::Float(_))))?;
    match splat(b, c) {
        Some(Scalar::Float(c)) => Some((x, c)),
        _ => None,
    }
}

fn extremum_self(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    (instr.operands[0] == instr.operands[1]).then_some(instr.operands[0])
}

fn extremum_bound(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let neutral = identity(instr.opcode, instr.shape.as_array()?.dtype)?;
    let bound = |y: InstrId| splat(b, y) == Some(neutral);
    either(instr, bound).map(|(x, _)| x)
}

fn associate_constants(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (inner, d) = either(instr, |y| is_exact(b, y) && splat(b, y).is_some())?;
    let inner = b.get(inner).clone();
    if inner.opcode != instr.opcode {
        return None;
    }
    let (x, c) = either(&inner, |y| splat(b, y).is_some())?;
    let both = constant_binary(b, instr.opcode, c, d)?;
    Some(b.binary(instr.opcode, x, both))
}

/// The operation on two splats of integers, wrapping, or of elements of a field.
fn constant_binary(b: &mut Builder<'_>, opcode: Opcode, x: InstrId, y: InstrId) -> Option<InstrId> {
    let shape = b.array(x).clone();
    let (x, y) = (splat(b, x)?, splat(b, y)?);
    if let (Some(field), Scalar::Wide(x), Scalar::Wide(y)) = (shape.dtype.wide_field(), x, y) {
        let values = WideArithmetic::new(WideField::plain(field.prime));
        let value = match opcode {
            Opcode::Add => values.add(x, y),
            Opcode::Multiply => values.multiply(x, y),
            _ => return None,
        };
        return Some(b.splat(&shape, Scalar::Wide(value)));
    }
    let (x, y) = (x.as_i128()?, y.as_i128()?);
    let pred = shape.dtype.is_pred();
    // Values of a field are below 2^64, and so are results modulo p.
    let modulo = |n: u128| shape.dtype.field().map(|f| (n % u128::from(f.prime.modulus())) as i128);
    let value = match opcode {
        Opcode::Add if shape.dtype.is_field() => modulo(x as u128 + y as u128)?,
        Opcode::Multiply if shape.dtype.is_field() => modulo(x as u128 * y as u128)?,
        Opcode::Add if pred => x | y,
        Opcode::Add => x.wrapping_add(y),
        Opcode::Multiply => x.wrapping_mul(y),
        Opcode::And => x & y,
        Opcode::Or => x | y,
        Opcode::Xor => x ^ y,
        _ => return None,
    };
    let scalar = match shape.dtype.is_field() {
        true => Scalar::Unsigned(value as u64),
        false => Scalar::Signed(value as i64),
    };
    let scalar = Literal::scalar(shape.dtype, scalar);
    let c = b.constant(scalar);
    Some(if shape.is_scalar() { c } else { b.broadcast(c, &shape.dims, &[]) })
}
