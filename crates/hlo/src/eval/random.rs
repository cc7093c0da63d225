//! rng-bit-generator: counter-based random bits, bit for bit those of XLA.
//!
//! The state is a u64 vector: a key, then a counter. Threefry-2x32 with 20 rounds has a counter of 64 bits.
//! Philox-4x32 with 10 rounds has one of 128 bits, its low word first; a state of two words holds the low word
//! only, and the key stands for the high one. `rng_default` is Philox. Types narrower than 32 bits take the
//! low bits of a 32-bit number each.

use super::error::{EvalError, Result};
use super::machine::Machine;
use super::walk::Walk;
use super::word::{Word, load_range, narrow};
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape, row_major_strides};

/// The new state and an array of random bits.
pub fn rng_bit_generator(
    machine: &mut Machine,
    algorithm: &str,
    state: &Literal,
    shape: &Shape,
) -> Result<Value> {
    let bits = match shape {
        Shape::Tuple(parts) => parts.get(1).and_then(Shape::as_array),
        _ => None,
    };
    let bits = bits.ok_or_else(|| EvalError::malformed("the result has no array of bits"))?;
    if !state.dtype().is_u64() || state.elements() < 2 || !bits.dtype.is_integer() {
        return Err(EvalError::unsupported(format!("random {bits} from a state {}", state.shape())));
    }
    let mut words: Vec<Word> = Vec::new();
    load_range(state, 0, state.elements(), &mut words);
    let wide = bits.dtype.bits() == 64;
    let mut out = match algorithm {
        "rng_three_fry" if wide => threefry_64(machine, &mut words, bits)?,
        "rng_three_fry" => threefry_32(machine, &mut words, bits)?,
        "rng_philox" | "rng_default" => philox(machine, &mut words, bits, wide)?,
        _ => return Err(EvalError::unsupported(format!("the random algorithm {algorithm}"))),
    };
    out.iter_mut().for_each(|w| *w = narrow(bits.dtype, *w));
    let state = machine.array(state.shape(), &words)?;
    Ok(Value::Tuple(vec![Value::Array(state), Value::Array(machine.array(bits, &out)?)]))
}

/// One block of Threefry-2x32 with 20 rounds.
fn threefry(key: u64, counter: u64) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let (k0, k1) = (key as u32, (key >> 32) as u32);
    let keys = [k0, k1, k0 ^ k1 ^ 0x1BD1_1BDA];
    let mut a = (counter as u32).wrapping_add(keys[0]);
    let mut b = ((counter >> 32) as u32).wrapping_add(keys[1]);
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            a = a.wrapping_add(b);
            b = b.rotate_left(rotation) ^ a;
        }
        a = a.wrapping_add(keys[(group + 1) % 3]);
        b = b.wrapping_add(keys[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    [a, b]
}

/// One 64-bit number for each counter value.
fn threefry_64(machine: &Machine, state: &mut [u64], bits: &ArrayShape) -> Result<Vec<Word>> {
    let mut out = machine.limits.words(bits)?;
    for (i, word) in out.iter_mut().enumerate() {
        let [a, b] = threefry(state[0], state[1].wrapping_add(i as u64));
        *word = a as u64 | (b as u64) << 32;
    }
    state[1] = state[1].wrapping_add(out.len() as u64);
    Ok(out)
}

/// Two 32-bit numbers for each counter value. Counters run over the shape with one dimension halved: the first
/// even one, else the first of the largest. Along it the two numbers of a counter are neighbours.
fn threefry_32(machine: &Machine, state: &mut [u64], bits: &ArrayShape) -> Result<Vec<Word>> {
    let mut out = machine.limits.words(bits)?;
    let largest = bits.dims.iter().max();
    let split = bits.dims.iter().position(|d| d % 2 == 0);
    let Some(split) = split.or_else(|| bits.dims.iter().position(|d| Some(d) == largest)) else {
        out[0] = threefry(state[0], state[1])[0] as Word;
        state[1] = state[1].wrapping_add(1);
        return Ok(out);
    };
    let mut halved = bits.dims.clone();
    halved[split] = (halved[split] + 1) / 2;
    let strides = row_major_strides(&halved);
    let mut walk = Walk::new(&bits.dims, [], []);
    for word in &mut out {
        let index = walk.index().iter().enumerate();
        let counter: i64 = index.map(|(d, &i)| (if d == split { i / 2 } else { i }) * strides[d]).sum();
        let half = walk.index()[split] as usize % 2;
        *word = threefry(state[0], state[1].wrapping_add(counter as u64))[half] as Word;
        walk.next();
    }
    state[1] = state[1].wrapping_add(halved.iter().product::<i64>() as u64);
    Ok(out)
}

/// One block of Philox-4x32 with 10 rounds.
fn philox_block(key: u64, counter: u128) -> [u32; 4] {
    let mut x = [counter as u32, (counter >> 32) as u32, (counter >> 64) as u32, (counter >> 96) as u32];
    let mut key = [key as u32, (key >> 32) as u32];
    for _ in 0..10 {
        let (p, q) = (x[0] as u64 * 0xD251_1F53, x[2] as u64 * 0xCD9E_8D57);
        x = [(q >> 32) as u32 ^ x[1] ^ key[0], q as u32, (p >> 32) as u32 ^ x[3] ^ key[1], p as u32];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    x
}

/// Four 32-bit or two 64-bit numbers for each counter value.
fn philox(machine: &Machine, state: &mut [u64], bits: &ArrayShape, wide: bool) -> Result<Vec<Word>> {
    let mut out = machine.limits.words(bits)?;
    let high = if state.len() > 2 { state[2] } else { state[0] };
    let mut counter = (high as u128) << 64 | state[1] as u128;
    for words in out.chunks_mut(if wide { 2 } else { 4 }) {
        let block = philox_block(state[0], counter).map(|x| x as Word);
        counter = counter.wrapping_add(1);
        let numbers = if wide { [block[0] | block[1] << 32, block[2] | block[3] << 32, 0, 0] } else { block };
        words.iter_mut().zip(numbers).for_each(|(w, n)| *w = n);
    }
    state[1] = counter as u64;
    if state.len() > 2 {
        state[2] = (counter >> 64) as u64;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the Random123 library.
    #[test]
    fn blocks_match_the_published_vectors() {
        assert_eq!(threefry(0, 0), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(threefry(u64::MAX, u64::MAX), [0x1cb9_96fc, 0xbb00_2be7]);
        assert_eq!(philox_block(0, 0), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox_block(u64::MAX, u128::MAX), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    }
}
