//! Montgomery products in limbs of 52 bits, which is what multipliers of floats make of vectors.
//!
//! Five limbs hold 260 bits, so that the factor R is 2^260 there, while elements in memory have R = 2^256. Both operands
//! are taken times 4: 4x·4y/2^260 is x·y/2^256. The products of a column, ten at most, and the multiples of p are
//! summed in words of 64 bits before anything is carried.

use super::words::Words;
use crate::loop_ir::{Bin, Cmp, CodeBuilder, Half, Op, V};
use lawson_hlo::dtype::WidePrime;

const LIMBS: usize = 5;
const BITS: u32 = 52;
/// Both operands are taken times two to this power.
const SHIFT: u32 = (LIMBS as u32 * BITS - 256) / 2;

type Limbs = [V; LIMBS];

/// x·y/2^256 modulo p, of numbers below p.
pub fn montgomery_product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let factor = limbs(b, x);
    let columns = if x == y {
        square(b, factor)
    } else {
        let other = limbs(b, y);
        product(b, factor, other)
    };
    // Below 16·p²/2^260 + p, which is below 2·p.
    let sum = reduced(b, prime, columns);
    words(b, prime, sum)
}

/// Limbs of 4·x; bits above the 52nd are left in place, where `madd52` does not look.
fn limbs(b: &mut CodeBuilder, x: Words) -> Limbs {
    std::array::from_fn(|n| {
        if n == 0 {
            return shifted(b, Bin::Shl, x[0], SHIFT);
        }
        let first = n as u32 * BITS - SHIFT;
        let (word, within) = ((first / 64) as usize, first % 64);
        let low = shifted(b, Bin::LShr, x[word], within);
        if 64 - within >= BITS || word == 3 {
            return low;
        }
        let high = shifted(b, Bin::Shl, x[word + 1], 64 - within);
        b.bin(Bin::Or, low, high)
    })
}

fn shifted(b: &mut CodeBuilder, op: Bin, x: V, by: u32) -> V {
    let by = b.constant(b.ty_of(x), u64::from(by));
    b.bin(op, x, by)
}

/// The columns of a product, of which each is still to be carried.
fn product(b: &mut CodeBuilder, x: Limbs, y: Limbs) -> [V; 2 * LIMBS] {
    let mut columns = zeros(b, x[0]);
    for (i, &left) in x.iter().enumerate() {
        for (j, &right) in y.iter().enumerate() {
            accumulate(b, &mut columns, i + j, left, right);
        }
    }
    columns
}

/// The same of a square: products of different limbs count twice.
fn square(b: &mut CodeBuilder, x: Limbs) -> [V; 2 * LIMBS] {
    let mut columns = zeros(b, x[0]);
    for (i, &left) in x.iter().enumerate() {
        for (j, &right) in x.iter().enumerate().skip(i + 1) {
            accumulate(b, &mut columns, i + j, left, right);
        }
    }
    let mut columns = columns.map(|column| b.bin(Bin::Add, column, column));
    for (i, &limb) in x.iter().enumerate() {
        accumulate(b, &mut columns, 2 * i, limb, limb);
    }
    columns
}

fn zeros(b: &mut CodeBuilder, like: V) -> [V; 2 * LIMBS] {
    let zero = b.constant(b.ty_of(like), 0);
    [zero; 2 * LIMBS]
}

fn accumulate(b: &mut CodeBuilder, columns: &mut [V; 2 * LIMBS], at: usize, x: V, y: V) {
    columns[at] = b.op(Op::Madd52(Half::Low, x, y, columns[at]));
    columns[at + 1] = b.op(Op::Madd52(Half::High, x, y, columns[at + 1]));
}

/// The upper half of the columns, after multiples of p have made the lower half zero.
fn reduced(b: &mut CodeBuilder, prime: WidePrime, mut columns: [V; 2 * LIMBS]) -> Limbs {
    let ty = b.ty_of(columns[0]);
    let p = modulus(b, prime, columns[0]);
    let zero = b.constant(ty, 0);
    let quotient = b.constant(ty, prime.negated_inverse());
    for i in 0..LIMBS {
        let q = b.op(Op::Madd52(Half::Low, columns[i], quotient, zero));
        for (j, &limb) in p.iter().enumerate() {
            accumulate(b, &mut columns, i + j, q, limb);
        }
        let carry = shifted(b, Bin::LShr, columns[i], BITS);
        columns[i + 1] = b.bin(Bin::Add, columns[i + 1], carry);
    }
    std::array::from_fn(|n| columns[LIMBS + n])
}

fn modulus(b: &mut CodeBuilder, prime: WidePrime, like: V) -> Limbs {
    let (ty, mut p) = (b.ty_of(like), prime.modulus());
    std::array::from_fn(|_| {
        let limb = p.0[0] & ((1 << BITS) - 1);
        p = p.shifted_down(BITS);
        b.constant(ty, limb)
    })
}

/// The words of a number below 2·p, modulo p; its limbs are still to be carried.
fn words(b: &mut CodeBuilder, prime: WidePrime, x: Limbs) -> Words {
    let p = modulus(b, prime, x[0]);
    let less: Limbs = std::array::from_fn(|n| b.bin(Bin::Sub, x[n], p[n]));
    let (x, less) = (carried(b, x, Bin::LShr), carried(b, less, Bin::AShr));
    let zero = b.constant(b.ty_of(x[0]), 0);
    let negative = b.cmp(Cmp::Slt, less[LIMBS - 1], zero);
    let mask = b.constant(b.ty_of(x[0]), (1 << BITS) - 1);
    let limbs: Limbs = std::array::from_fn(|n| {
        let limb = b.select(negative, x[n], less[n]);
        if n + 1 < LIMBS { b.bin(Bin::And, limb, mask) } else { limb }
    });
    std::array::from_fn(|n| {
        // The limb in which the word begins, and the next, which begins within the word.
        let first = (64 * n as u32) / BITS;
        let low = shifted(b, Bin::LShr, limbs[first as usize], 64 * n as u32 - first * BITS);
        let high = shifted(b, Bin::Shl, limbs[first as usize + 1], (first + 1) * BITS - 64 * n as u32);
        b.bin(Bin::Or, low, high)
    })
}

/// Each limb with what those below leave over 52 bits; the bits stay there, too.
fn carried(b: &mut CodeBuilder, mut x: Limbs, down: Bin) -> Limbs {
    for n in 1..LIMBS {
        let carry = shifted(b, down, x[n - 1], BITS);
        x[n] = b.bin(Bin::Add, x[n], carry);
    }
    x
}
