//! Products in limbs of 52 bits, which is what multipliers of floats make of vectors.
//!
//! Five limbs hold 260 bits, so that the factor R of Montgomery products is 2^260 there, while elements in memory have R = 2^256. Both
//! operands are taken times 4: 4x·4y/2^260 is x·y/2^256. The products of a column, ten at most, and the multiples of p are
//! summed in words of 64 bits before anything is carried.

use super::words::Words;
use crate::loop_ir::{Bin, Cmp, CodeBuilder, Half, Op, V};
use lawson_hlo::dtype::{U256, WidePrime};

const LIMBS: usize = 5;
const BITS: u32 = 52;
/// Both operands are taken times two to this power.
const SHIFT: u32 = (LIMBS as u32 * BITS - 256) / 2;

type Limbs = [V; LIMBS];

/// x·y/2^256 modulo p, of numbers below p.
pub fn montgomery_product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let columns = columns(b, [x, y], SHIFT);
    // Below 16·p²/2^260 + p, which is below 2·p.
    let sum = reduced(b, prime, columns);
    words(b, prime, sum)
}

/// x·y modulo p, of numbers below p, by [`WidePrime::reciprocal`]: 16·m is divided by 2^260 where m is by 2^256. Of the product for
/// the quotient the lowest columns are left out, less than 2^-48 of it.
pub fn product_of_plain(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    /// The first column that a quotient is made of.
    const FIRST: usize = LIMBS - 1;
    let columns = columns(b, [x, y], 0);
    let total = carried(b, columns, Bin::LShr);
    // Of limbs that are carried, but not cut off at 52 bits, only the limb itself may be moved down.
    let mask = b.constant(b.ty_of(total[0]), (1 << BITS) - 1);
    let (first, within) = ((WidePrime::QUOTIENT_FROM / BITS) as usize, WidePrime::QUOTIENT_FROM % BITS);
    let upper: Limbs = std::array::from_fn(|n| {
        let low = b.bin(Bin::And, total[first + n], mask);
        let low = shifted(b, Bin::LShr, low, within);
        let high = shifted(b, Bin::Shl, total[first + n + 1], BITS - within);
        b.bin(Bin::Or, low, high)
    });
    let reciprocal = constant(b, prime.reciprocal(), LIMBS as u32 * BITS - 256, total[0]);
    let mut sums = zeros(b, total[0]);
    for (i, j) in pairs(|n| n + 1 >= FIRST) {
        if i + j >= FIRST {
            sums[i + j] = b.op(Op::Madd52(Half::Low, upper[i], reciprocal[j], sums[i + j]));
        }
        sums[i + j + 1] = b.op(Op::Madd52(Half::High, upper[i], reciprocal[j], sums[i + j + 1]));
    }
    let quotient = carried::<{ LIMBS + 1 }>(b, std::array::from_fn(|n| sums[FIRST + n]), Bin::LShr);
    let p = modulus(b, prime, total[0]);
    let mut sums = zeros(b, total[0]);
    for (i, j) in pairs(|n| n < LIMBS) {
        sums[i + j] = b.op(Op::Madd52(Half::Low, quotient[i + 1], p[j], sums[i + j]));
        if i + j + 1 < LIMBS {
            sums[i + j + 1] = b.op(Op::Madd52(Half::High, quotient[i + 1], p[j], sums[i + j + 1]));
        }
    }
    let rest: Limbs = std::array::from_fn(|n| {
        let of_total = b.bin(Bin::And, total[n], mask);
        b.bin(Bin::Sub, of_total, sums[n])
    });
    let rest = carried(b, rest, Bin::AShr).map(|limb| b.bin(Bin::And, limb, mask));
    words(b, prime, rest)
}

/// The pairs of limbs whose sum is such.
fn pairs(of: impl Fn(usize) -> bool) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..LIMBS).flat_map(|i| (0..LIMBS).map(move |j| (i, j)));
    all.filter(move |(i, j)| of(i + j))
}

/// The columns of a product of operands that are taken times two to a power, of which each is still to be carried.
fn columns(b: &mut CodeBuilder, [x, y]: [Words; 2], shift: u32) -> [V; 2 * LIMBS] {
    let factor = limbs(b, x, shift);
    if x == y {
        return square(b, factor);
    }
    let other = limbs(b, y, shift);
    product(b, factor, other)
}

/// Limbs of x times two to a power; bits above the 52nd are left in place, where `madd52` does not look.
fn limbs(b: &mut CodeBuilder, x: Words, shift: u32) -> Limbs {
    std::array::from_fn(|n| {
        if n == 0 {
            return shifted(b, Bin::Shl, x[0], shift);
        }
        let first = n as u32 * BITS - shift;
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
    constant(b, prime.modulus(), 0, like)
}

/// A number times two to a power, below 2^260.
fn constant(b: &mut CodeBuilder, number: U256, shift: u32, like: V) -> Limbs {
    let ty = b.ty_of(like);
    let digit = |n: u32| n.checked_sub(shift).is_some_and(|n| n < 256 && number.digit(n));
    let limb = |n: u32| (0..BITS).map(|k| u64::from(digit(n * BITS + k)) << k).sum();
    std::array::from_fn(|n| b.constant(ty, limb(n as u32)))
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
fn carried<const N: usize>(b: &mut CodeBuilder, mut x: [V; N], down: Bin) -> [V; N] {
    for n in 1..N {
        let carry = shifted(b, down, x[n - 1], BITS);
        x[n] = b.bin(Bin::Add, x[n], carry);
    }
    x
}
