//! Powers by exponents that are known when the code runs: one loop for all types whose products are exact.

use super::like::int_like;
use crate::loop_ir::{Bin, Cmp, CodeBuilder, V};

/// x to the power of an unsigned integer of any width, digit by digit from the lowest, as long as any lane has one left.
pub(super) fn power(
    b: &mut CodeBuilder,
    one: V,
    x: V,
    exponent: V,
    multiply: impl Fn(&mut CodeBuilder, V, V) -> V,
) -> V {
    let (zero, low) = (int_like(b, exponent, 0), int_like(b, exponent, 1));
    let result = b.while_loop(
        &[one, x, exponent],
        |b, state| {
            let left = b.cmp(Cmp::Ne, state[2], zero);
            b.any(left)
        },
        |b, state| {
            let (product, base, left) = (state[0], state[1], state[2]);
            let bit = b.bin(Bin::And, left, low);
            let odd = b.cmp(Cmp::Ne, bit, zero);
            let with = multiply(b, product, base);
            let product = b.select(odd, with, product);
            let base = multiply(b, base, base);
            vec![product, base, b.bin(Bin::LShr, left, low)]
        },
    );
    result[0]
}
