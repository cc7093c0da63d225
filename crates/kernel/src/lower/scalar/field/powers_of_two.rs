//! Quotients by powers of two, modulo p = r·2^j + 1 with r = 2^(31 − j) − 1: 2^−n is −r·2^(j − n), so that shifts divide.

use super::words::{word_like, wrapped_once};
use crate::loop_ir::{Bin, Cmp, CodeBuilder, Form, V};
use lawson_hlo::dtype::Prime;

/// Digits of the words whose products processors have in one step, without the sign.
const WORD: u32 = 15;

/// The n of a value ±2^−n, at most j, and whether it is negative.
pub fn exponent(prime: Prime, value: u64) -> Option<(u32, bool)> {
    let p = prime.modulus();
    // 2^−n is p less r·2^(j − n).
    let of = |less: u64| (1..=digits(prime)).find(|&n| less == (p - 1) >> n);
    of(p - value).map(|n| (n, false)).or_else(|| of(value).map(|n| (n, true)))
}

/// The digits j.
fn digits(prime: Prime) -> u32 {
    (prime.modulus() - 1).trailing_zeros()
}

/// x/2: of an odd x that of x + p.
pub fn halved(b: &mut CodeBuilder, prime: Prime, x: V) -> V {
    let [zero, one, half_of_one] = [0, 1, prime.modulus().div_ceil(2)].map(|w| word_like(b, x, w));
    let (digit, half) = (b.bin(Bin::And, x, one), b.bin(Bin::LShr, x, one));
    let odd = b.cmp(Cmp::Ne, digit, zero);
    let more = b.bin(Bin::Add, half, half_of_one);
    b.select(odd, more, half)
}

/// x·2^−n, or its opposite.
///
/// With x = high·2^n + low the opposite is low·r·2^(j − n) − high. Where low is zero it is taken as p − high, so that it is a
/// word from 0 to p, of which p stands for zero: what is added to such a word, or has it subtracted, is corrected once.
pub fn divided(b: &mut CodeBuilder, prime: Prime, x: V, (n, negative): (u32, bool)) -> V {
    let (j, p) = (digits(prime), word_like(b, x, prime.modulus()));
    let [by, digits_of_low, zero] = [u64::from(n), (1 << n) - 1, 0].map(|w| word_like(b, x, w));
    let high = b.bin(Bin::LShr, x, by);
    let low = b.bin(Bin::And, x, digits_of_low);
    let some = b.cmp(Cmp::Ne, low, zero);
    let shifted = |b: &mut CodeBuilder, word: V, digits: u32| {
        let by = word_like(b, word, digits.into());
        b.bin(Bin::Shl, word, by)
    };
    let odd = (1 << (31 - j)) - 1;
    let (from, less) = if n == j {
        // r·low is 2^(31 − j)·low less low, which goes with high.
        (shifted(b, low, 31 - j), b.bin(Bin::Add, high, low))
    } else if n < WORD && 31 - j < WORD {
        // Processors multiply such numbers in one step.
        let odd = word_like(b, low, odd);
        let times = b.bin(Bin::Mul, low, odd);
        (shifted(b, times, j - n), high)
    } else {
        let (more, less) = (shifted(b, low, 31 - n), shifted(b, low, j - n));
        (b.bin(Bin::Sub, more, less), high)
    };
    let from = b.select(some, from, p);
    let opposite = b.bin(Bin::Sub, from, less);
    if negative {
        let element = wrapped_once(b, prime, opposite);
        let below_zero = b.bin(Bin::Sub, opposite, p);
        b.set_form((element, prime), Form::Signed, below_zero);
        b.set_form((element, prime), Form::AtMostModulus, opposite);
        return element;
    }
    // As zero is p here, this is below p.
    let element = b.bin(Bin::Sub, p, opposite);
    b.set_form((element, prime), Form::Opposite, opposite);
    element
}
