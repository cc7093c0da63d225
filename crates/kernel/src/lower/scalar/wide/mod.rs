//! Operations on elements of prime fields of more than 64 bits: the same storage that `hlo::math::wide` computes.
//!
//! Values are below the modulus between operations. Single elements are computed in words of 64 bits with carries, those that
//! threads of a warp have in chains of words of 32 bits ([`chains`]), vectors in limbs of 52 bits, whose products leave room for
//! the carries of several ([`limbs`]).

mod chains;
mod limbs;
mod words;

use super::like::int_like;
use super::resize::resize;
use crate::loop_ir::{Bin, Cast, Cmp, CodeBuilder, Elem, Op, Type, Un, V};
use crate::refusal::Refusal;
use lawson_hlo::attrs::Direction;
use lawson_hlo::dtype::{Storage, U256, WideField, WidePrime};
use lawson_hlo::{DType, Opcode};
use words::{Words, constant_like, select};

/// An element in every lane.
pub fn constant(b: &mut CodeBuilder, lanes: u32, storage: U256) -> V {
    let ty = Type::vector(Elem::I64, lanes);
    let words = storage.0.map(|w| b.constant(ty, w));
    b.join(words)
}

/// A binary operation; `None` where it has no meaning. The exponent of a power is an unsigned integer of any width.
pub fn binary(b: &mut CodeBuilder, opcode: Opcode, field: WideField, x: V, y: V) -> Option<V> {
    if opcode == Opcode::Power {
        return Some(power(b, field, x, y));
    }
    let (x, y) = (b.words(x), b.words(y));
    let words = match opcode {
        Opcode::Add => sum(b, field.prime, x, y),
        Opcode::Subtract => difference(b, field.prime, x, y),
        Opcode::Multiply => multiply(b, field, x, y),
        Opcode::Divide => {
            let inverse = inverse(b, field, y);
            multiply(b, field, x, inverse)
        }
        Opcode::Maximum => chosen(b, field, x, y, true),
        Opcode::Minimum => chosen(b, field, x, y, false),
        _ => return None,
    };
    Some(b.join(words))
}

/// A unary operation; `None` where it has no meaning.
pub fn unary(b: &mut CodeBuilder, opcode: Opcode, field: WideField, x: V) -> Option<V> {
    let x = b.words(x);
    let words = match opcode {
        Opcode::Negate => {
            let zero = constant_like(b, x, U256::ZERO);
            difference(b, field.prime, zero, x)
        }
        Opcode::Inverse => inverse(b, field, x),
        _ => return None,
    };
    Some(b.join(words))
}

/// A comparison of values; a mask.
pub fn compare(b: &mut CodeBuilder, direction: Direction, field: WideField, x: V, y: V) -> V {
    let (x, y) = (b.words(x), b.words(y));
    match direction {
        Direction::Eq => equal(b, x, y),
        Direction::Ne => {
            let equal = equal(b, x, y);
            b.un(Un::Not, equal)
        }
        Direction::Lt => less(b, field, x, y),
        Direction::Gt => less(b, field, y, x),
        Direction::Ge => {
            let less = less(b, field, x, y);
            b.un(Un::Not, less)
        }
        Direction::Le => {
            let greater = less(b, field, y, x);
            b.un(Un::Not, greater)
        }
    }
}

/// An integer, pred or element of the same field as an element.
///
/// # Errors
/// A type that does not convert.
pub fn from(b: &mut CodeBuilder, from: DType, into: WideField, x: V) -> Result<V, Refusal> {
    let words = if let Some(own) = from.wide_field().filter(|own| own.prime == into.prime) {
        let x = b.words(x);
        let value = value(b, own, x);
        stored(b, into, value)
    } else if from.is_pred() {
        let word = b.cast(Cast::Zext, x, Elem::I64);
        of_word(b, into, word)
    } else if from.is_unsigned() {
        let word = resize(b, from, x, Elem::I64);
        of_word(b, into, word)
    } else if from.is_signed() {
        let x = resize(b, from, x, Elem::I64);
        let zero = int_like(b, x, 0);
        let negated = b.bin(Bin::Sub, zero, x);
        let negative = b.cmp(Cmp::Slt, x, zero);
        let magnitude = b.select(negative, negated, x);
        let magnitude = of_word(b, into, magnitude);
        let zero = constant_like(b, magnitude, U256::ZERO);
        let opposite = difference(b, into.prime, zero, magnitude);
        select(b, negative, opposite, magnitude)
    } else {
        return Err(Refusal::UnsupportedType { opcode: Opcode::Convert, dtype: from });
    };
    Ok(b.join(words))
}

/// Whether an element is not zero; a mask.
pub fn is_nonzero(b: &mut CodeBuilder, x: V) -> V {
    let x = b.words(x);
    let any = x[1..].iter().fold(x[0], |any, &word| b.bin(Bin::Or, any, word));
    let zero = int_like(b, any, 0);
    b.cmp(Cmp::Ne, any, zero)
}

/// The lowest word of the value of an element.
pub fn low_word(b: &mut CodeBuilder, field: WideField, x: V) -> V {
    let x = b.words(x);
    value(b, field, x)[0]
}

fn of_word(b: &mut CodeBuilder, into: WideField, word: V) -> Words {
    let zero = int_like(b, word, 0);
    stored(b, into, [word, zero, zero, zero])
}

/// The storage of a value.
fn stored(b: &mut CodeBuilder, field: WideField, value: Words) -> Words {
    match field.storage {
        Storage::Plain => value,
        Storage::Montgomery => {
            let scale = constant_like(b, value, field.prime.r_squared());
            montgomery_product(b, field.prime, value, scale)
        }
    }
}

fn value(b: &mut CodeBuilder, field: WideField, x: Words) -> Words {
    match field.storage {
        Storage::Plain => x,
        Storage::Montgomery => {
            let one = constant_like(b, x, U256::ONE);
            montgomery_product(b, field.prime, x, one)
        }
    }
}

/// The sum, and the carry out of it.
fn add(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    if b.lanes_are_threads { chains::add(b, x, y) } else { words::add(b, x, y) }
}

/// The difference, and the borrow out of it.
fn subtract(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    if b.lanes_are_threads { chains::subtract(b, x, y) } else { words::subtract(b, x, y) }
}

/// A number below twice the modulus, modulo p.
fn reduced_once(b: &mut CodeBuilder, prime: WidePrime, x: Words) -> Words {
    let p = constant_like(b, x, prime.modulus());
    let (less, borrow) = subtract(b, x, p);
    select(b, borrow, x, less)
}

fn sum(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    // Twice the modulus is below 2^256: nothing is carried out.
    let (sum, _) = add(b, x, y);
    reduced_once(b, prime, sum)
}

fn difference(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let (difference, borrow) = subtract(b, x, y);
    let (p, zero) = (constant_like(b, x, prime.modulus()), constant_like(b, x, U256::ZERO));
    let more = select(b, borrow, p, zero);
    add(b, difference, more).0
}

fn multiply(b: &mut CodeBuilder, field: WideField, x: Words, y: Words) -> Words {
    match field.storage {
        Storage::Plain if b.lanes_are_threads => {
            let product = chains::product(b, field.prime, x, y);
            return reduced_once(b, field.prime, product);
        }
        Storage::Plain if b.ty_of(x[0]).lanes > 1 => return limbs::product_of_plain(b, field.prime, x, y),
        Storage::Plain | Storage::Montgomery => {}
    }
    let product = montgomery_product(b, field.prime, x, y);
    match field.storage {
        Storage::Montgomery => product,
        // x·y/R, times R² and divided by R again.
        Storage::Plain => {
            let scale = constant_like(b, x, field.prime.r_squared());
            montgomery_product(b, field.prime, product, scale)
        }
    }
}

/// x·y/R modulo p, of numbers below p.
fn montgomery_product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let product = match b.ty_of(x[0]).lanes {
        _ if b.lanes_are_threads => chains::montgomery_product(b, prime, x, y),
        1 => words::montgomery_product(b, prime, x, y),
        _ => return limbs::montgomery_product(b, prime, x, y),
    };
    reduced_once(b, prime, product)
}

/// x to the power of an unsigned integer.
fn power(b: &mut CodeBuilder, field: WideField, x: V, exponent: V) -> V {
    let lanes = b.ty_of(x).lanes;
    let one = constant(b, lanes, field.stored(U256::ONE));
    super::power::power(b, one, x, exponent, |b, x, y| {
        let (x, y) = (b.words(x), b.words(y));
        let product = multiply(b, field, x, y);
        b.join(product)
    })
}

/// x⁻¹ = x^(p − 2) (Fermat), which is 0 for 0: a loop over the digits of the exponent, the highest first.
fn inverse(b: &mut CodeBuilder, field: WideField, x: Words) -> Words {
    let prime = field.prime;
    let exponent = prime.modulus().minus(U256::small(2)).0;
    let mut digits = (0..256).rev().map(|n| u64::from(exponent.digit(n))).skip_while(|&digit| digit == 0);
    // The highest digit, which is one, gives x itself.
    digits.next();
    let digits: Vec<u64> = digits.collect();
    let base = match field.storage {
        Storage::Montgomery => x,
        Storage::Plain => stored(b, WideField::montgomery(prime), x),
    };
    let (first, last) = (b.i64(0), b.i64(digits.len() as i64));
    let table = b.table(digits);
    let start = b.join(base);
    let ends = b.for_loop(first, last, 1, &[start], |b, n, state| {
        let power = b.words(state[0]);
        let square = montgomery_product(b, prime, power, power);
        let digit = b.op(Op::Table { table, index: n });
        let zero = b.i64(0);
        let times = b.cmp(Cmp::Ne, digit, zero);
        let square = b.join(square);
        b.if_else(
            times,
            |b| {
                let square = b.words(square);
                let product = montgomery_product(b, prime, square, base);
                vec![b.join(product)]
            },
            |_| vec![square],
        )
    });
    let power = b.words(ends[0]);
    match field.storage {
        Storage::Montgomery => power,
        Storage::Plain => value(b, WideField::montgomery(prime), power),
    }
}

fn equal(b: &mut CodeBuilder, x: Words, y: Words) -> V {
    let bits: Vec<V> = x.iter().zip(&y).map(|(&x, &y)| b.bin(Bin::Xor, x, y)).collect();
    let any = bits[1..].iter().fold(bits[0], |any, &word| b.bin(Bin::Or, any, word));
    let zero = int_like(b, any, 0);
    b.cmp(Cmp::Eq, any, zero)
}

/// Whether the value of the first is the lesser.
fn less(b: &mut CodeBuilder, field: WideField, x: Words, y: Words) -> V {
    let (x, y) = (value(b, field, x), value(b, field, y));
    subtract(b, x, y).1
}

/// The operand with the greater or the lesser value.
fn chosen(b: &mut CodeBuilder, field: WideField, x: Words, y: Words, greater: bool) -> Words {
    let second = if greater { less(b, field, x, y) } else { less(b, field, y, x) };
    select(b, second, y, x)
}
