//! Fourier transforms: of several dimensions one after the other, each as the routine computes a batch of rows.

use super::error::{EvalError, Result};
use super::library::call;
use super::machine::Machine;
use super::movement::transpose;
use crate::attrs::{Attrs, FftKind};
use crate::instruction::Instruction;
use crate::library::passes;
use crate::literal::{Literal, Value};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// Evaluates a transform.
pub fn fft(machine: &mut Machine, instr: &Instruction, x: &Literal) -> Result<Literal> {
    let (Attrs::Fft { kind, lengths, inner }, Shape::Array(shape)) = (&instr.attrs, &instr.shape) else {
        return Err(EvalError::malformed("a transform without lengths"));
    };
    let kept = shape.rank() - lengths.len() - inner;
    let mut value = x.clone();
    for (d, kind) in passes(*kind, lengths.len()) {
        value = of_dimension(machine, instr, &value, kept + d, (kind, lengths[d]))?;
    }
    Ok(value)
}

fn of_dimension(
    machine: &mut Machine,
    instr: &Instruction,
    x: &Literal,
    d: usize,
    (kind, length): (FftKind, i64),
) -> Result<Literal> {
    let rank = x.dims().len();
    let mut swapped: Vec<usize> = (0..rank).collect();
    swapped.swap(d, rank - 1);
    let turn = |machine: &Machine, x: &Literal| {
        let dims: Vec<i64> = swapped.iter().map(|&d| x.dims()[d]).collect();
        transpose(machine.limits, x, &swapped, &ArrayShape::new(x.dtype(), dims))
    };
    let rows = if d == rank - 1 { x.clone() } else { turn(machine, x)? };
    let mut dims = rows.dims().to_vec();
    let complex = if x.dtype().is_complex() { Some(x.dtype()) } else { crate::DType::complex_of(x.dtype()) };
    let complex = complex.ok_or_else(|| EvalError::malformed("a transform of no float"))?;
    let dtype = match kind {
        FftKind::Fft | FftKind::Ifft => complex,
        FftKind::Rfft => {
            dims[rank - 1] = if length == 0 { 0 } else { length / 2 + 1 };
            complex
        }
        FftKind::Irfft => {
            dims[rank - 1] = length;
            complex.part()
        }
    };
    let attrs = Attrs::Fft { kind, lengths: vec![length], inner: 0 };
    let shape = Shape::array(dtype, dims);
    let pass = Instruction { opcode: Opcode::Fft, attrs, shape, ..instr.clone() };
    let Value::Array(made) = call(machine, &pass, &[&rows])? else {
        return Err(EvalError::malformed("a transform of several results"));
    };
    if d == rank - 1 { Ok(made) } else { turn(machine, &made) }
}
