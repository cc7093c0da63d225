//! Numbers of four words with carries between them.

use crate::loop_ir::{Bin, CodeBuilder, Elem, V};
use lawson_hlo::dtype::{U256, WidePrime};

/// Words of I64, the least significant first.
pub type Words = [V; 4];

/// A number in every lane of another.
pub fn constant_like(b: &mut CodeBuilder, like: Words, number: U256) -> Words {
    let ty = b.ty_of(like[0]);
    number.0.map(|word| b.constant(ty, word))
}

/// `mask ? x : y`
pub fn select(b: &mut CodeBuilder, mask: V, x: Words, y: Words) -> Words {
    std::array::from_fn(|n| b.select(mask, x[n], y[n]))
}

/// The sum, and the carry out of it.
pub fn add(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    let mut carry = none(b, x[0]);
    let words = std::array::from_fn(|n| {
        let (word, out) = b.add_carry(x[n], y[n], carry);
        carry = out;
        word
    });
    (words, carry)
}

/// The difference, and the borrow out of it.
pub fn subtract(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    let mut borrow = none(b, x[0]);
    let words = std::array::from_fn(|n| {
        let (word, out) = b.sub_borrow(x[n], y[n], borrow);
        borrow = out;
        word
    });
    (words, borrow)
}

/// No carry.
fn none(b: &mut CodeBuilder, like: V) -> V {
    let ty = b.ty_of(like).with_elem(Elem::I1);
    b.constant(ty, 0)
}

/// x·y/2^256 modulo p or p more, word by word of x: a row of products is added, then the multiple of p that makes the lowest word
/// zero, which is dropped.
pub fn montgomery_product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let p = constant_like(b, x, prime.modulus());
    let ty = b.ty_of(x[0]);
    let quotient = b.constant(ty, prime.negated_inverse());
    let mut total: Option<Words> = None;
    for &word in &x {
        let mut row = times_word(b, y, word);
        if let Some(total) = total {
            row = plus_words(b, row, total);
        }
        let q = b.bin(Bin::Mul, row[0], quotient);
        let multiple = times_word(b, p, q);
        let mut carry = none(b, row[0]);
        let words: [V; 5] = std::array::from_fn(|n| {
            let (word, out) = b.add_carry(row[n], multiple[n], carry);
            carry = out;
            word
        });
        total = Some([words[1], words[2], words[3], words[4]]);
    }
    total.unwrap_or(x)
}

/// The five words of a product with one word.
fn times_word(b: &mut CodeBuilder, x: Words, by: V) -> [V; 5] {
    let low = x.map(|word| b.bin(Bin::Mul, word, by));
    let high = x.map(|word| b.bin(Bin::UMulHi, word, by));
    let mut carry = none(b, by);
    let mut words = [low[0], low[0], low[0], low[0], low[0]];
    for n in 1..4 {
        (words[n], carry) = b.add_carry(low[n], high[n - 1], carry);
    }
    let zero = b.constant(b.ty_of(by), 0);
    words[4] = b.add_carry(high[3], zero, carry).0;
    words
}

/// x + y, which is below 2^320.
fn plus_words(b: &mut CodeBuilder, x: [V; 5], y: Words) -> [V; 5] {
    let mut carry = none(b, x[0]);
    let zero = b.constant(b.ty_of(x[0]), 0);
    std::array::from_fn(|n| {
        let (word, out) = b.add_carry(x[n], if n < 4 { y[n] } else { zero }, carry);
        carry = out;
        word
    })
}
