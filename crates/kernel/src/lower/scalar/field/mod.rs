//! Operations on elements of prime fields: the same storage words that `hlo::math::field` computes, in vector code.
//!
//! Values are below the modulus between operations. A file for each way to multiply; what is the same for all is here.

mod goldilocks;
mod mersenne31;
mod montgomery31;
mod powers_of_two;
mod products;
mod sums;
mod words;

pub use sums::ProductSum;

use super::field_elem;
use super::like::int_like;
use super::resize::resize;
use crate::loop_ir::{Bin, Cast, Cmp, CodeBuilder, Elem, Form, V};
use crate::refusal::Refusal;
use lawson_hlo::dtype::{Field, Prime, Storage};
use lawson_hlo::math::field::Arithmetic;
use lawson_hlo::{DType, Opcode};
use words::{raised_once, stored_constant, word_like, wrapped_once};

/// A binary operation; `None` where it has no meaning. The exponent of a power is an unsigned integer of any width.
pub fn binary(b: &mut CodeBuilder, opcode: Opcode, field: Field, x: V, y: V) -> Option<V> {
    Some(match opcode {
        Opcode::Add => match [x, y].map(|v| b.form((v, field.prime), Form::Opposite)) {
            [_, Some(y)] => subtract(b, field, x, y),
            [Some(x), None] => subtract(b, field, y, x),
            [None, None] => match [x, y].map(|v| b.form((v, field.prime), Form::AtMostModulus)) {
                [_, Some(y)] => add(b, field, x, y),
                [Some(x), None] => add(b, field, y, x),
                [None, None] => add(b, field, x, y),
            },
        },
        Opcode::Subtract => match b.form((y, field.prime), Form::Opposite) {
            Some(y) => add(b, field, x, y),
            None => {
                let y = b.form((y, field.prime), Form::AtMostModulus).unwrap_or(y);
                subtract(b, field, x, y)
            }
        },
        Opcode::Multiply => multiply(b, field, x, y),
        Opcode::Divide => {
            let inverse = inverse(b, field, y);
            multiply(b, field, x, inverse)
        }
        Opcode::Power => power(b, field, x, y),
        Opcode::Maximum => chosen(b, field, x, y, true),
        Opcode::Minimum => chosen(b, field, x, y, false),
        _ => return None,
    })
}

/// A unary operation; `None` where it has no meaning.
pub fn unary(b: &mut CodeBuilder, opcode: Opcode, field: Field, x: V) -> Option<V> {
    Some(match opcode {
        Opcode::Negate => opposite(b, field, x),
        Opcode::Inverse => inverse(b, field, x),
        _ => return None,
    })
}

/// The value of an element, as an unsigned integer of the width of its storage.
pub fn value(b: &mut CodeBuilder, field: Field, x: V) -> V {
    match field.storage {
        Storage::Plain => x,
        // A Montgomery product divides by R.
        Storage::Montgomery => {
            let one = word_like(b, x, 1);
            montgomery_product(b, field.prime, x, one)
        }
    }
}

/// Any word as a storage word: modulo p.
pub fn reduced(b: &mut CodeBuilder, field: Field, mut word: V) -> V {
    let parameters = field.prime.parameters();
    // The largest word is below 3·p, of 64 bits below 2·p.
    for _ in 0..(parameters.word.greatest_unsigned() / parameters.modulus) {
        word = wrapped_once(b, field.prime, word);
    }
    word
}

/// An integer or pred as an element.
///
/// # Errors
/// A type that does not convert.
pub fn from(b: &mut CodeBuilder, from: DType, into: Field, x: V) -> Result<V, Refusal> {
    if let Some(own) = from.field() {
        if own.prime != into.prime {
            return Err(Refusal::UnsupportedType { opcode: Opcode::Convert, dtype: from });
        }
        let value = value(b, own, x);
        return Ok(stored(b, into, value));
    }
    if from.is_pred() {
        let byte = b.cast(Cast::Zext, x, Elem::I8);
        return Ok(from_unsigned(b, into, byte));
    }
    if !from.is_integer() {
        return Err(Refusal::UnsupportedType { opcode: Opcode::Convert, dtype: from });
    }
    if !from.is_signed() {
        return Ok(from_unsigned(b, into, x));
    }
    let wide = if from.is_long_integer() { Elem::I64 } else { Elem::I32 };
    let x = resize(b, from, x, wide);
    let zero = int_like(b, x, 0);
    let negated = b.bin(Bin::Sub, zero, x);
    let negative = b.cmp(Cmp::Slt, x, zero);
    let magnitude = b.select(negative, negated, x);
    let magnitude = from_unsigned(b, into, magnitude);
    let opposite = negate(b, into, magnitude);
    Ok(b.select(negative, opposite, magnitude))
}

/// An unsigned integer of any width, modulo p.
fn from_unsigned(b: &mut CodeBuilder, into: Field, x: V) -> V {
    let (have, word) = (b.ty_of(x).elem, field_elem(into));
    if have.bits() <= word.bits() {
        let x = resize(b, DType::U8, x, word);
        return stored(b, into, x);
    }
    // low + high·2^32
    let by = int_like(b, x, 32);
    let high = b.bin(Bin::LShr, x, by);
    let (low, high) = (resize(b, DType::U64, x, word), resize(b, DType::U64, high, word));
    let (low, high) = (stored(b, into, low), stored(b, into, high));
    let scale = stored_constant(b, into, low, (1 << 32) % into.prime.modulus());
    let high = multiply(b, into, high, scale);
    add(b, into, low, high)
}

/// The element whose value is this word, modulo p.
fn stored(b: &mut CodeBuilder, field: Field, word: V) -> V {
    match field.storage {
        Storage::Plain => reduced(b, field, word),
        Storage::Montgomery => {
            let scale = word_like(b, word, field.prime.r_squared());
            montgomery_product(b, field.prime, word, scale)
        }
    }
}

/// x + y, for y at most p.
fn add(b: &mut CodeBuilder, field: Field, x: V, y: V) -> V {
    match field.prime {
        Prime::Goldilocks => goldilocks::add(b, x, y),
        Prime::BabyBear | Prime::KoalaBear | Prime::Mersenne31 => {
            let sum = b.bin(Bin::Add, x, y);
            let p = word_like(b, sum, field.prime.modulus());
            let less = b.bin(Bin::Sub, sum, p);
            let reduced = wrapped_once(b, field.prime, sum);
            b.set_form((reduced, field.prime), Form::Unreduced, sum);
            b.set_form((reduced, field.prime), Form::Signed, less);
            reduced
        }
    }
}

/// x − y, for y at most p.
fn subtract(b: &mut CodeBuilder, field: Field, x: V, y: V) -> V {
    match field.prime {
        Prime::Goldilocks => goldilocks::subtract(b, x, y),
        Prime::BabyBear | Prime::KoalaBear | Prime::Mersenne31 => {
            let difference = b.bin(Bin::Sub, x, y);
            let reduced = raised_once(b, field.prime, difference);
            b.set_form((reduced, field.prime), Form::Signed, difference);
            reduced
        }
    }
}

fn negate(b: &mut CodeBuilder, field: Field, x: V) -> V {
    let (zero, p) = (word_like(b, x, 0), word_like(b, x, field.prime.modulus()));
    let opposite = b.bin(Bin::Sub, p, x);
    let is_zero = b.cmp(Cmp::Eq, x, zero);
    b.select(is_zero, zero, opposite)
}

/// −x, as something that can be subtracted instead.
fn opposite(b: &mut CodeBuilder, field: Field, x: V) -> V {
    let opposite = negate(b, field, x);
    b.set_form((opposite, field.prime), Form::Opposite, x);
    opposite
}

/// x·y; in plain storage the left factor is the one that other products share.
fn multiply(b: &mut CodeBuilder, field: Field, x: V, y: V) -> V {
    if let Some(simple) = by_constant(b, field, x, y) {
        return simple;
    }
    match (field.prime, field.storage) {
        (Prime::Mersenne31, _) => mersenne31::multiply(b, x, y),
        (Prime::Goldilocks, Storage::Plain) => goldilocks::multiply(b, x, y),
        (_, Storage::Montgomery) => montgomery_product(b, field.prime, x, y),
        (Prime::BabyBear | Prime::KoalaBear, Storage::Plain) => {
            // x·R, which all products by x share, times y and divided by R; a constant brings its R along.
            let (x, y) = if b.const_bits(y).is_some() { (y, x) } else { (x, y) };
            let x = match b.const_bits(x) {
                Some(constant) => word_like(b, y, Field::montgomery(field.prime).stored(constant)),
                None => {
                    let scale = word_like(b, x, field.prime.r_squared());
                    montgomery_product(b, field.prime, x, scale)
                }
            };
            montgomery_product(b, field.prime, x, y)
        }
    }
}

/// The product by a constant that sums or shifts make: ±2, ±3, ±4, ±2^−n; `None` for other factors.
fn by_constant(b: &mut CodeBuilder, field: Field, x: V, y: V) -> Option<V> {
    let (x, constant) = match b.const_bits(y) {
        Some(constant) => (x, constant),
        None => (y, b.const_bits(x)?),
    };
    let (p, value) = (field.prime.modulus(), Arithmetic::new(field).value(constant));
    if let times @ 2..=4 = value.min(p - value) {
        let twice = add(b, field, x, x);
        let multiple = match times {
            2 => twice,
            3 => add(b, field, twice, x),
            _ => add(b, field, twice, twice),
        };
        return Some(if times == value { multiple } else { opposite(b, field, multiple) });
    }
    match field.prime {
        Prime::BabyBear | Prime::KoalaBear => {}
        Prime::Mersenne31 | Prime::Goldilocks => return None,
    }
    Some(match powers_of_two::exponent(field.prime, value)? {
        (1, false) => powers_of_two::halved(b, field.prime, x),
        (1, true) => {
            let half = powers_of_two::halved(b, field.prime, x);
            opposite(b, field, half)
        }
        exponent => powers_of_two::divided(b, field.prime, x, exponent),
    })
}

/// x·y/R modulo p, where x·y < R·p.
fn montgomery_product(b: &mut CodeBuilder, prime: Prime, x: V, y: V) -> V {
    match prime {
        Prime::Goldilocks => goldilocks::montgomery_product(b, x, y),
        Prime::BabyBear | Prime::KoalaBear | Prime::Mersenne31 => montgomery31::product(b, prime, x, y),
    }
}

/// x to the power of an unsigned integer.
fn power(b: &mut CodeBuilder, field: Field, x: V, exponent: V) -> V {
    if let Some(exponent) = b.const_bits(exponent) {
        return power_constant(b, field, x, exponent);
    }
    let one = stored_constant(b, field, x, 1);
    super::power::power(b, one, x, exponent, |b, x, y| multiply(b, field, x, y))
}

/// By windows of four digits (Knuth, "The Art of Computer Programming", volume 2, section 4.6.3).
fn power_constant(b: &mut CodeBuilder, field: Field, x: V, exponent: u64) -> V {
    const DIGITS: u32 = 4;
    if exponent == 0 {
        return stored_constant(b, field, x, 1);
    }
    let mut odd = vec![x];
    let mut square = None;
    let mut result: Option<V> = None;
    let mut bit = 64 - exponent.leading_zeros();
    while bit > 0 {
        bit -= 1;
        if exponent >> bit & 1 == 0 {
            result = result.map(|r| multiply(b, field, r, r));
            continue;
        }
        // The longest window that begins here and ends with a one.
        let end = (bit.saturating_sub(DIGITS - 1)..=bit).find(|&e| exponent >> e & 1 == 1).unwrap_or(bit);
        let window = exponent >> end & ((1 << (bit - end + 1)) - 1);
        while odd.len() as u64 <= window / 2 {
            let square = *square.get_or_insert_with(|| multiply(b, field, x, x));
            let next = multiply(b, field, odd[odd.len() - 1], square);
            odd.push(next);
        }
        let power = odd[(window / 2) as usize];
        result = Some(match result {
            None => power,
            Some(mut r) => {
                for _ in end..=bit {
                    r = multiply(b, field, r, r);
                }
                multiply(b, field, r, power)
            }
        });
        bit = end;
    }
    result.unwrap_or(x)
}

/// x⁻¹ = x^(p − 2) (Fermat), which is 0 for 0.
fn inverse(b: &mut CodeBuilder, field: Field, x: V) -> V {
    if let Some(constant) = b.const_bits(x) {
        let inverse = Arithmetic::new(field).inverse(constant);
        return word_like(b, x, inverse);
    }
    power_constant(b, field, x, field.prime.modulus() - 2)
}

/// The operand with the greater or the smaller value.
fn chosen(b: &mut CodeBuilder, field: Field, x: V, y: V, greater: bool) -> V {
    if field.storage == Storage::Plain {
        return b.bin(if greater { Bin::UMax } else { Bin::UMin }, x, y);
    }
    let (vx, vy) = (value(b, field, x), value(b, field, y));
    let first = if greater { b.cmp(Cmp::Ult, vy, vx) } else { b.cmp(Cmp::Ult, vx, vy) };
    b.select(first, x, y)
}
