//! Storage words: constants, and sums and differences brought below the modulus.

use crate::loop_ir::{Bin, CodeBuilder, V};
use crate::lower::scalar::like::int_like;
use lawson_hlo::dtype::{Field, Prime};

/// A word below 2·p, modulo p: subtracting p wraps to a large word where it should not be done.
pub fn wrapped_once(b: &mut CodeBuilder, prime: Prime, word: V) -> V {
    let p = word_like(b, word, prime.modulus());
    let less = b.bin(Bin::Sub, word, p);
    b.bin(Bin::UMin, word, less)
}

/// A difference of words below p < 2^31, modulo p: where it is negative, adding p wraps to a smaller word.
pub fn raised_once(b: &mut CodeBuilder, prime: Prime, difference: V) -> V {
    let p = word_like(b, difference, prime.modulus());
    let more = b.bin(Bin::Add, difference, p);
    b.bin(Bin::UMin, difference, more)
}

/// A constant of the value's own type.
pub fn word_like(b: &mut CodeBuilder, v: V, word: u64) -> V {
    int_like(b, v, word as i64)
}

/// The element with a value, beside `like`.
pub fn stored_constant(b: &mut CodeBuilder, field: Field, like: V, value: u64) -> V {
    word_like(b, like, field.stored(value))
}
