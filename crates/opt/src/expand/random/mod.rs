//! `rng-bit-generator` becomes plain integer arithmetic, so that random numbers fuse like anything else.
//!
//! ```text
//! r = (u64[2], u32[1000]) rng-bit-generator(state), algorithm=rng_three_fry
//! →
//! i = u64[500] iota()      counter = state[1] + i      20 rounds of add, shift, or, xor on u32[500]
//! r = tuple({state[0], state[1] + 500}, interleave of the two numbers of each round)
//! ```
//!
//! The state is a u64 vector: a key, then a counter; bit for bit what the interpreter and XLA make of it.
//! A state of another form is left as it is.

mod philox;
mod threefry;

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Scalar,
};
use lawson_hlo::{Literal, Shape};

pub const EXPANDER: Expander =
    Expander { name: "rng-bit-generator", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::RngBitGenerator(algorithm) = &instr.attrs else { return false };
    let Some(state) = comp.operand(instr, 0).shape.as_array() else { return false };
    let vector = state.dtype.is_u64() && state.rank() == 1 && state.dims[0] >= 2;
    let known = ["rng_three_fry", "rng_philox", "rng_default"].contains(&algorithm.as_str());
    vector && known && bits_shape(instr).is_some()
}

fn bits_shape(instr: &Instruction) -> Option<&ArrayShape> {
    match &instr.shape {
        Shape::Tuple(parts) => parts.get(1)?.as_array(),
        _ => None,
    }
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::RngBitGenerator(algorithm) = &instr.attrs else { unreachable!("checked by applies") };
    let bits = bits_shape(instr).expect("checked by applies").clone();
    if bits.elements() == 0 {
        let none = b.constant(Literal::new(bits, []));
        return make::tuple(b, &[operands[0], none]);
    }
    let state: Vec<InstrId> = (0..b.array(operands[0]).dims[0])
        .map(|i| {
            let word = make::slice(b, operands[0], 0, i, i + 1);
            b.reshape(word, &[])
        })
        .collect();
    let (state, numbers) = match algorithm.as_str() {
        "rng_three_fry" => threefry::generate(b, state, &bits),
        _ => philox::generate(b, state, &bits),
    };
    let numbers = b.convert(numbers, bits.dtype);
    let words: Vec<InstrId> = state.into_iter().map(|w| b.reshape(w, &[1])).collect();
    let state = b.add(Opcode::Concatenate, &words, Attrs::Dims(vec![0]));
    make::tuple(b, &[state, numbers])
}

/// An unsigned constant of the shape and type of `like`.
fn constant(b: &mut Builder<'_>, like: InstrId, value: u64) -> InstrId {
    let shape = b.array(like).clone();
    b.splat(&shape, Scalar::Unsigned(value))
}

/// A u64 scalar constant.
fn word(b: &mut Builder<'_>, value: u64) -> InstrId {
    b.constant(Literal::scalar(DType::U64, Scalar::Unsigned(value)))
}

fn add(b: &mut Builder<'_>, x: InstrId, y: InstrId) -> InstrId {
    b.binary(Opcode::Add, x, y)
}

fn xor(b: &mut Builder<'_>, x: InstrId, y: InstrId) -> InstrId {
    b.binary(Opcode::Xor, x, y)
}

fn low(b: &mut Builder<'_>, x: InstrId) -> InstrId {
    b.convert(x, DType::U32)
}

fn high(b: &mut Builder<'_>, x: InstrId) -> InstrId {
    let half = constant(b, x, 32);
    let x = b.binary(Opcode::ShiftRightLogical, x, half);
    b.convert(x, DType::U32)
}

/// The u64 of two u32 halves.
fn join(b: &mut Builder<'_>, low: InstrId, high: InstrId) -> InstrId {
    let (low, high) = (b.convert(low, DType::U64), b.convert(high, DType::U64));
    let half = constant(b, high, 32);
    let high = b.binary(Opcode::ShiftLeft, high, half);
    b.binary(Opcode::Or, low, high)
}

/// A scalar over the shape of `like`.
fn over(b: &mut Builder<'_>, scalar: InstrId, like: InstrId) -> InstrId {
    let dims = b.array(like).dims.clone();
    if dims.is_empty() { scalar } else { b.broadcast(scalar, &dims, &[]) }
}

/// 0, 1, 2 … in row-major order over these dimensions, as u64.
fn count(b: &mut Builder<'_>, dims: &[i64]) -> InstrId {
    let n = dims.iter().product();
    let flat = make::iota(b, ArrayShape::new(DType::U64, [n]), 0);
    b.reshape(flat, dims)
}

/// `x < y` as a u64: the carry of an addition.
fn carry(b: &mut Builder<'_>, x: InstrId, y: InstrId) -> InstrId {
    let less = make::compare(b, Direction::Lt, x, y);
    b.convert(less, DType::U64)
}

/// Puts arrays of one shape side by side along a new dimension after `dim`.
fn interleave(b: &mut Builder<'_>, parts: &[InstrId], dim: usize) -> InstrId {
    let mut dims = b.array(parts[0]).dims.clone();
    dims.insert(dim + 1, 1);
    let parts: Vec<InstrId> = parts.iter().map(|&p| b.reshape(p, &dims)).collect();
    b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![dim + 1]))
}
