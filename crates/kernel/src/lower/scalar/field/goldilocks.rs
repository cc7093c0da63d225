//! Arithmetic modulo p = 2^64 − 2^32 + 1, where 2^64 is ε = 2^32 − 1 and 2^96 is −1.

use super::words::word_like;
use crate::loop_ir::{Bin, Cmp, CodeBuilder, V};
use lawson_hlo::dtype::Prime;

const P: u64 = Prime::Goldilocks.modulus();
const EPSILON: u64 = 0xffff_ffff;

/// x − (p − y), which is negative where the sum is below p.
pub fn add(b: &mut CodeBuilder, x: V, y: V) -> V {
    let p = word_like(b, x, P);
    let opposite = b.bin(Bin::Sub, p, y);
    subtract(b, x, opposite)
}

/// x − y, for y at most p.
pub fn subtract(b: &mut CodeBuilder, x: V, y: V) -> V {
    let p = word_like(b, x, P);
    let difference = b.bin(Bin::Sub, x, y);
    let more = b.bin(Bin::Add, difference, p);
    let negative = b.cmp(Cmp::Ult, x, y);
    b.select(negative, more, difference)
}

/// x·y modulo p.
pub fn multiply(b: &mut CodeBuilder, x: V, y: V) -> V {
    let (low, high) = product(b, x, y);
    let (by, mask) = (word_like(b, high, 32), word_like(b, high, EPSILON));
    // high = top·2^32 + middle: the product is low − top + middle·ε.
    let top = b.bin(Bin::LShr, high, by);
    let difference = b.bin(Bin::Sub, low, top);
    let wrapped = b.bin(Bin::Sub, difference, mask);
    let borrowed = b.cmp(Cmp::Ult, low, top);
    let difference = b.select(borrowed, wrapped, difference);
    let scaled = b.bin(Bin::UMulWide, high, mask);
    let sum = b.bin(Bin::Add, difference, scaled);
    let wrapped = b.bin(Bin::Add, sum, mask);
    let carried = b.cmp(Cmp::Ult, sum, scaled);
    let sum = b.select(carried, wrapped, sum);
    let p = word_like(b, sum, P);
    let less = b.bin(Bin::Sub, sum, p);
    b.bin(Bin::UMin, sum, less)
}

/// x·y/2^64 modulo p, where x·y < 2^64·p.
///
/// p⁻¹ modulo 2^64 is 2^32 + 1, so that the quotient q and the high word of q·p are shifts and sums.
pub fn montgomery_product(b: &mut CodeBuilder, x: V, y: V) -> V {
    let (low, high) = product(b, x, y);
    let by = word_like(b, low, 32);
    let shifted = b.bin(Bin::Shl, low, by);
    let q = b.bin(Bin::Add, low, shifted);
    let carried = b.cmp(Cmp::Ult, q, low);
    let upper = b.bin(Bin::LShr, q, by);
    let multiple = b.bin(Bin::Sub, q, upper);
    let one = word_like(b, q, 1);
    let less = b.bin(Bin::Sub, multiple, one);
    let multiple = b.select(carried, less, multiple);
    subtract(b, high, multiple)
}

/// The low and the high word of x·y.
fn product(b: &mut CodeBuilder, x: V, y: V) -> (V, V) {
    if b.ty_of(x).lanes == 1 {
        return (b.bin(Bin::Mul, x, y), b.bin(Bin::UMulHi, x, y));
    }
    if x == y {
        return square(b, x);
    }
    // Vectors multiply halves; both words share the four products.
    let (by, mask) = (word_like(b, x, 32), word_like(b, x, EPSILON));
    let (x1, y1) = (b.bin(Bin::LShr, x, by), b.bin(Bin::LShr, y, by));
    let low = b.bin(Bin::UMulWide, x, y);
    let left = b.bin(Bin::UMulWide, x1, y);
    let right = b.bin(Bin::UMulWide, x, y1);
    let top = b.bin(Bin::UMulWide, x1, y1);
    let carried = b.bin(Bin::LShr, low, by);
    let middle = b.bin(Bin::Add, left, carried);
    let rest = b.bin(Bin::And, middle, mask);
    let second = b.bin(Bin::Add, right, rest);
    let (first, more) = (b.bin(Bin::LShr, middle, by), b.bin(Bin::LShr, second, by));
    let high = b.bin(Bin::Add, top, first);
    let high = b.bin(Bin::Add, high, more);
    let upper = b.bin(Bin::Shl, second, by);
    let lower = b.bin(Bin::And, low, mask);
    (b.bin(Bin::Or, upper, lower), high)
}

/// The low and the high word of x², of vectors: with x = a·2^32 + b it is a²·2^64 + ab·2^33 + b².
fn square(b: &mut CodeBuilder, x: V) -> (V, V) {
    let [half, left, right] = [32, 33, 31].map(|by| word_like(b, x, by));
    let upper = b.bin(Bin::LShr, x, half);
    let low = b.bin(Bin::UMulWide, x, x);
    let middle = b.bin(Bin::UMulWide, x, upper);
    let top = b.bin(Bin::UMulWide, upper, upper);
    let shifted = b.bin(Bin::Shl, middle, left);
    let sum = b.bin(Bin::Add, low, shifted);
    let carried = b.cmp(Cmp::Ult, sum, shifted);
    let rest = b.bin(Bin::LShr, middle, right);
    let high = b.bin(Bin::Add, top, rest);
    let one = word_like(b, x, 1);
    let more = b.bin(Bin::Add, high, one);
    (sum, b.select(carried, more, high))
}
