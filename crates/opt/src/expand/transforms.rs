//! Fourier transforms of several dimensions, and of what a transpose makes, become transforms along one dimension each, wherever it
//! lies: nothing is moved to the end and back.
//!
//! ```text
//! y = c64[2,8,8] fft(x), fft_type=FFT, fft_length={8,8}  →  r = c64[2,8,8] fft(x), fft_type=FFT, fft_length={8}
//!                                                           y = c64[2,8,8] fft(r), fft_type=FFT, fft_length={8}, inner_dimensions=1
//!
//! t = c64[4,8] transpose(x), dimensions={1,0}            →  f = c64[8,4] fft(x), fft_type=FFT, fft_length={8}, inner_dimensions=1
//! y = c64[4,8] fft(t), fft_type=FFT, fft_length={8}         y = c64[4,8] transpose(f), dimensions={1,0}
//! ```
//!
//! The second is what `jax.numpy.fft` writes, with a transpose behind it that moves the dimension back.

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::builder::Builder;
use lawson_hlo::library::passes;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander =
    Expander { name: "transforms", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

fn of(instr: &Instruction) -> Option<(FftKind, &[i64], usize)> {
    match &instr.attrs {
        Attrs::Fft { kind, lengths, inner } => Some((*kind, lengths, *inner)),
        _ => None,
    }
}

/// The order of the dimensions, if what makes the operand is a transpose that moves one that is transformed.
fn order<'a>(operand: &'a Instruction, lengths: &[i64], inner: usize) -> Option<&'a [usize]> {
    match &operand.attrs {
        Attrs::Dims(order) if operand.opcode == Opcode::Transpose => {
            let end = order.len() - inner;
            (end - lengths.len()..end).any(|d| order[d] != d).then_some(order)
        }
        _ => None,
    }
}

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    of(instr).is_some_and(|(_, lengths, inner)| {
        lengths.len() > 1 || order(comp.operand(instr, 0), lengths, inner).is_some()
    })
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let (kind, lengths, inner) = of(instr).expect("checked by applies");
    let operand = b.get(operands[0]);
    let order = order(operand, lengths, inner).map(<[usize]>::to_vec);
    let mut value = if order.is_some() { operand.operands[0] } else { operands[0] };
    let rank = b.array(value).rank();
    let first = rank - inner - lengths.len();
    for (d, kind) in passes(kind, lengths.len()) {
        let dim = order.as_ref().map_or(first + d, |order| order[first + d]);
        let attrs = Attrs::Fft { kind, lengths: vec![lengths[d]], inner: rank - 1 - dim };
        value = b.add(Opcode::Fft, &[value], attrs);
    }
    match order {
        Some(order) => b.transpose(value, &order),
        None => value,
    }
}
