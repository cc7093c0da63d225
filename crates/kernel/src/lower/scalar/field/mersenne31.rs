//! Products modulo 2^31 − 1, where 2^31 is 1: the digits above the 31st are added to those below.

use super::products::Wide;
use super::words::{word_like, wrapped_once};
use crate::loop_ir::{Bin, CodeBuilder, V};
use lawson_hlo::dtype::Prime;

/// x·y modulo p.
pub fn multiply(b: &mut CodeBuilder, x: V, y: V) -> V {
    // With one factor doubled, the digits from the 31st on are the high word.
    let twice = b.bin(Bin::Add, x, x);
    let (x, y) = (Wide::of(b, twice), Wide::of(b, y));
    let product = x.times(b, y);
    let (high, low) = (product.high(b), product.low(b));
    let by = word_like(b, low, 1);
    let low = b.bin(Bin::LShr, low, by);
    let sum = b.bin(Bin::Add, high, low);
    wrapped_once(b, Prime::Mersenne31, sum)
}
