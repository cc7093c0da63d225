//! Routines: what [`crate::library`] computes, within the limits of an evaluation.

use super::error::{EvalError, Result};
use super::fft;
use super::machine::{Machine, unsupported};
use crate::dtype::DType;
use crate::instruction::Instruction;
use crate::library::Call;
use crate::literal::{Literal, Value};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// Evaluates a routine on its operands. f16 and bf16 are computed in f32 and rounded once.
pub fn library(machine: &mut Machine, instr: &Instruction, operands: &[Value]) -> Result<Value> {
    let arrays: Option<Vec<&Literal>> = operands.iter().map(Value::as_array).collect();
    let Some(arrays) = arrays else { return Err(EvalError::malformed("an operand is not an array")) };
    match (instr.opcode, &arrays[..]) {
        (Opcode::Fft, [x]) => fft::fft(machine, instr, x).map(Value::Array),
        _ => call(machine, instr, &arrays),
    }
}

/// Evaluates one call of a routine.
pub fn call(machine: &mut Machine, instr: &Instruction, arrays: &[&Literal]) -> Result<Value> {
    // The type that is computed in; numbers of rows and columns stay what they are.
    let wide = |dtype: DType| if dtype.is_float() { dtype.accumulator() } else { dtype };
    let shapes: Vec<Shape> = arrays.iter().map(|a| Shape::array(wide(a.dtype()), a.dims())).collect();
    let made: Vec<ArrayShape> = instr.shape.leaves().into_iter().cloned().collect();
    let call = match &instr.shape {
        Shape::Array(shape) => {
            Instruction { shape: Shape::Array(shape.with_dtype(wide(shape.dtype))), ..instr.clone() }
        }
        _ => instr.clone(),
    };
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let call = Call::of(&call, &shapes).ok_or_else(|| unsupported(instr.opcode))?;
    let elements = |shape: &ArrayShape| machine.limits.elements(shape).map(|n| n as i64);
    let read = call.operands().iter().map(elements).collect::<Result<Vec<_>>>()?;
    if !read.iter().copied().eq(arrays.iter().map(|a| a.elements() as i64)) {
        return Err(EvalError::malformed("operands do not match the operation"));
    }
    machine.charge((call.flops() as u64).saturating_mul(call.batch as u64))?;
    let wide_arrays =
        arrays.iter().map(|a| machine.convert(a, wide(a.dtype()))).collect::<Result<Vec<_>>>()?;
    let bytes: Vec<&[u8]> = wide_arrays.iter().map(Literal::bytes).collect();
    let shapes: Vec<ArrayShape> = made.iter().map(|s| s.with_dtype(wide(s.dtype))).collect();
    let mut results = shapes.iter().map(|s| machine.limits.array(s)).collect::<Result<Vec<_>>>()?;
    call.evaluate(&bytes, &mut results, || machine.go_on())?;
    let mut values = Vec::with_capacity(results.len());
    for ((bytes, shape), made) in results.into_iter().zip(shapes).zip(&made) {
        let literal = Literal::new(ArrayShape::new(shape.dtype, shape.dims), bytes);
        values.push(Value::Array(machine.convert(&literal, made.dtype)?));
    }
    match &instr.shape {
        Shape::Tuple(_) => Ok(Value::Tuple(values)),
        _ => values.pop().ok_or_else(|| EvalError::malformed("a routine without a result")),
    }
}
