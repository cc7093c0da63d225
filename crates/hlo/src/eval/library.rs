//! Routines: what [`crate::library`] computes, within the limits of an evaluation.

use super::error::{EvalError, Result};
use super::fft;
use super::machine::{Machine, unsupported};
use crate::instruction::Instruction;
use crate::library::Call;
use crate::literal::{Literal, Value};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// Evaluates a routine on its operands. f16 and bf16 are computed in f32 and rounded once.
pub fn library(machine: &mut Machine, instr: &Instruction, operands: &[Value]) -> Result<Value> {
    let arrays: Option<Vec<&Literal>> = operands.iter().map(Value::as_array).collect();
    let arrays = arrays.ok_or_else(|| EvalError::malformed("an operand is not an array"))?;
    let result = match (instr.opcode, &arrays[..]) {
        (Opcode::Fft, [x]) => fft::fft(machine, instr, x),
        _ => call(machine, instr, &arrays),
    };
    result.map(Value::Array)
}

/// Evaluates one call of a routine.
pub fn call(machine: &mut Machine, instr: &Instruction, arrays: &[&Literal]) -> Result<Literal> {
    let Shape::Array(shape) = &instr.shape else {
        return Err(EvalError::malformed("a result is not an array"));
    };
    let wide = shape.with_dtype(shape.dtype.accumulator());
    let call = Instruction { shape: Shape::Array(wide.clone()), ..instr.clone() };
    let call = Call::of(&call).ok_or_else(|| unsupported(instr.opcode))?;
    let elements = |shape: &ArrayShape| machine.limits.elements(shape).map(|n| n as i64);
    let read = call.operands().iter().map(elements).collect::<Result<Vec<_>>>()?;
    if !read.iter().copied().eq(arrays.iter().map(|a| a.elements() as i64)) {
        return Err(EvalError::malformed("operands do not match the operation"));
    }
    machine.charge((call.flops() as u64).saturating_mul(call.batch as u64))?;
    let widened = |a: &&Literal| machine.convert(a, a.dtype().accumulator());
    let arrays = arrays.iter().map(widened).collect::<Result<Vec<_>>>()?;
    let bytes: Vec<&[u8]> = arrays.iter().map(Literal::bytes).collect();
    let mut results = [machine.limits.array(&wide)?];
    call.evaluate(&bytes, &mut results, || machine.go_on())?;
    let [result] = results;
    let result = Literal::new(ArrayShape::new(wide.dtype, wide.dims), result);
    machine.convert(&result, shape.dtype)
}
