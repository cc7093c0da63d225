//! Quotients by powers of two, modulo p = r·2^j + 1 with r = 2^(31 − j) − 1: 2^−n is −r·2^(j − n), so that shifts divide.

use super::words::{raised_once, word_like};
use crate::loop_ir::{Bin, Cmp, CodeBuilder, V};
use lawson_hlo::dtype::Prime;

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

/// x·2^−n, or its opposite: with x = high·2^n + low it is high − low·r·2^(j − n).
pub fn divided(b: &mut CodeBuilder, prime: Prime, x: V, (n, negative): (u32, bool)) -> V {
    let [by, above, up, mask] =
        [n, 31 - digits(prime), 31 - n, 0x7fff_ffff].map(|w| word_like(b, x, w.into()));
    let high = b.bin(Bin::LShr, x, by);
    let shifted = b.bin(Bin::Shl, x, up);
    let more = b.bin(Bin::And, shifted, mask);
    let less = b.bin(Bin::LShr, more, above);
    let low = b.bin(Bin::Sub, more, less);
    let (left, right) = if negative { (low, high) } else { (high, low) };
    let difference = b.bin(Bin::Sub, left, right);
    let element = raised_once(b, prime, difference);
    b.set_signed((element, prime), difference);
    element
}
