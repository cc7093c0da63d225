//! Philox-4x32 with 10 rounds: four 32-bit numbers, or two of 64, for each value of a 128-bit counter.

use super::{add, carry, constant, count, high, interleave, join, low, over, word, xor};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, DType, InstrId, Opcode};

const MULTIPLIERS: [u64; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// What the two halves of the key grow by in each round.
const STEPS: [u64; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The new state and the numbers, as u32 or u64.
pub fn generate(b: &mut Builder<'_>, mut state: Vec<InstrId>, bits: &ArrayShape) -> (Vec<InstrId>, InstrId) {
    let wide = bits.dtype.bits() == 64;
    let each = if wide { 2 } else { 4 };
    let n = bits.elements();
    let blocks = (n + each - 1) / each;
    // A state of two words holds the low half of the counter; the key stands for the high one.
    let upper = state.get(2).copied().unwrap_or(state[0]);
    let x = block(b, state[0], state[1], upper, blocks);
    let numbers = match wide {
        true => vec![join(b, x[0], x[1]), join(b, x[2], x[3])],
        false => x.to_vec(),
    };
    let all = interleave(b, &numbers, 0);
    let flat = b.reshape(all, &[blocks * each]);
    let cut = if blocks * each == n { flat } else { make::slice(b, flat, 0, 0, n) };

    let used = word(b, blocks as u64);
    let next = add(b, state[1], used);
    if state.len() > 2 {
        let over = carry(b, next, used);
        state[2] = add(b, state[2], over);
    }
    state[1] = next;
    (state, b.reshape(cut, &bits.dims))
}

/// The rounds, on `n` consecutive counter values.
fn block(b: &mut Builder<'_>, key: InstrId, lower: InstrId, upper: InstrId, n: i64) -> [InstrId; 4] {
    let index = count(b, &[n]);
    let start = over(b, lower, index);
    let lower = add(b, start, index);
    let wrapped = carry(b, lower, index);
    let upper = over(b, upper, index);
    let upper = add(b, upper, wrapped);
    let mut x = [low(b, lower), high(b, lower), low(b, upper), high(b, upper)];
    let mut key = [low(b, key), high(b, key)];
    for _ in 0..10 {
        let (p, q) = (product(b, x[0], MULTIPLIERS[0]), product(b, x[2], MULTIPLIERS[1]));
        let keys = key.map(|k| over(b, k, x[0]));
        x = [mixed(b, q, x[1], keys[0]), low(b, q), mixed(b, p, x[3], keys[1]), low(b, p)];
        for (k, step) in key.iter_mut().zip(STEPS) {
            let step = constant(b, *k, step);
            *k = add(b, *k, step);
        }
    }
    x
}

/// The full product of a u32 array and a constant.
fn product(b: &mut Builder<'_>, x: InstrId, factor: u64) -> InstrId {
    let wide = b.convert(x, DType::U64);
    let factor = constant(b, wide, factor);
    b.binary(Opcode::Multiply, wide, factor)
}

/// The high half of a product, mixed with a number and a key.
fn mixed(b: &mut Builder<'_>, product: InstrId, x: InstrId, key: InstrId) -> InstrId {
    let upper = high(b, product);
    let upper = xor(b, upper, x);
    xor(b, upper, key)
}
