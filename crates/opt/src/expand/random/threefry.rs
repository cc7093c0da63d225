//! Threefry-2x32 with 20 rounds: two 32-bit numbers, or one of 64, for each counter value.

use super::{add, constant, count, high, interleave, join, low, over, word, xor};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, InstrId, Opcode};

const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
/// The parity constant of the key schedule.
const PARITY: u64 = 0x1BD1_1BDA;

/// The new state and the numbers, as u32 or u64.
pub fn generate(b: &mut Builder<'_>, mut state: Vec<InstrId>, bits: &ArrayShape) -> (Vec<InstrId>, InstrId) {
    let (counted, numbers) = match split(bits) {
        _ if bits.dtype.bits() == 64 => {
            let [x, y] = block(b, &state, &bits.dims);
            (bits.dims.clone(), join(b, x, y))
        }
        // A scalar takes the first number of the pair.
        None => (bits.dims.clone(), block(b, &state, &bits.dims)[0]),
        Some(dim) => {
            let mut halved = bits.dims.clone();
            halved[dim] = (halved[dim] + 1) / 2;
            let pair = block(b, &state, &halved);
            let pairs = interleave(b, &pair, dim);
            let mut whole = halved.clone();
            whole[dim] *= 2;
            let all = b.reshape(pairs, &whole);
            let odd = whole[dim] != bits.dims[dim];
            (halved, if odd { make::slice(b, all, dim, 0, bits.dims[dim]) } else { all })
        }
    };
    let used = word(b, counted.iter().product::<i64>() as u64);
    state[1] = add(b, state[1], used);
    (state, numbers)
}

/// The dimension along which the two numbers of a counter are neighbours: the first even one, else the first of
/// the largest.
fn split(bits: &ArrayShape) -> Option<usize> {
    let largest = bits.dims.iter().max();
    let even = bits.dims.iter().position(|d| d % 2 == 0);
    even.or_else(|| bits.dims.iter().position(|d| Some(d) == largest))
}

/// The rounds, on all counter values at once.
fn block(b: &mut Builder<'_>, state: &[InstrId], dims: &[i64]) -> [InstrId; 2] {
    let index = count(b, dims);
    let start = over(b, state[1], index);
    let counter = add(b, start, index);
    let (k0, k1) = (low(b, state[0]), high(b, state[0]));
    let parity = constant(b, k0, PARITY);
    let both = xor(b, k0, k1);
    let k2 = xor(b, both, parity);
    let (mut x, mut y) = (low(b, counter), high(b, counter));
    let keys = [k0, k1, k2].map(|k| over(b, k, x));
    (x, y) = (add(b, x, keys[0]), add(b, y, keys[1]));
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x = add(b, x, y);
            let turned = rotate_left(b, y, rotation);
            y = xor(b, turned, x);
        }
        x = add(b, x, keys[(group + 1) % 3]);
        y = add(b, y, keys[(group + 2) % 3]);
        let number = constant(b, y, group as u64 + 1);
        y = add(b, y, number);
    }
    [x, y]
}

fn rotate_left(b: &mut Builder<'_>, x: InstrId, by: u32) -> InstrId {
    let (left, right) = (constant(b, x, by as u64), constant(b, x, 32 - by as u64));
    let upper = b.binary(Opcode::ShiftLeft, x, left);
    let lower = b.binary(Opcode::ShiftRightLogical, x, right);
    b.binary(Opcode::Or, upper, lower)
}
