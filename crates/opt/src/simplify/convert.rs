//! Conversions and copies that lose nothing.

use super::query::{dtype, through};
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact("convert-same", "convert(x) to its own type → x", &[Opcode::Convert], convert_same),
    exact(
        "convert-convert",
        "convert(convert(x)) → convert(x), if the first is exact",
        &[Opcode::Convert],
        convert_convert,
    ),
    exact(
        "convert-truncate",
        "truncation of a truncation → one, of integers",
        &[Opcode::Convert],
        convert_truncate,
    ),
    exact("bitcast-same", "bitcast-convert(x) to its own type → x", &[Opcode::BitcastConvert], convert_same),
    exact(
        "bitcast-bitcast",
        "bitcast-convert twice, of one width → once",
        &[Opcode::BitcastConvert],
        bitcast_bitcast,
    ),
    exact(
        "reduce-precision-same",
        "reduce-precision to its own precision → x",
        &[Opcode::ReducePrecision],
        reduce_precision,
    ),
    exact("copy", "copy(x) → x", &[Opcode::Copy], copy),
];

fn convert_same(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    b.shape(x).same(&instr.shape).then_some(x)
}

fn convert_convert(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let middle = instr.operands[0];
    let x = through(b, middle, Opcode::Convert)?;
    let (from, between, to) = (dtype(b, x)?, dtype(b, middle)?, instr.shape.as_array()?.dtype);
    // A float saturates where an integer wraps.
    let integers = !from.is_float() && !to.is_float() && to != DType::Pred;
    let saturates = integers && between.is_float() && !is_exact(from, to);
    (is_exact(from, between) && !saturates).then(|| convert(b, instr, x))
}

fn convert_truncate(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let middle = instr.operands[0];
    let x = through(b, middle, Opcode::Convert)?;
    let chain = [dtype(b, x)?, dtype(b, middle)?, instr.shape.as_array()?.dtype];
    // Each keeps low bits of the one before; a sub-byte or pred type would not do just that.
    let integers = chain.iter().all(|d| d.is_integer() && d.bits() >= 8);
    let narrowing = chain[0].bits() >= chain[1].bits() && chain[1].bits() >= chain[2].bits();
    (integers && narrowing).then(|| convert(b, instr, x))
}

fn convert(b: &mut Builder<'_>, instr: &Instruction, x: InstrId) -> InstrId {
    b.convert(x, instr.shape.expect_array().dtype)
}

/// Every value of `from` is a value of `to`.
fn is_exact(from: DType, to: DType) -> bool {
    if to == DType::Pred
        || to.is_complex()
        || from.is_complex()
        || from.is_small_float()
        || to.is_small_float()
    {
        return false;
    }
    if from == DType::Pred {
        return to.bits() > 1;
    }
    let fraction = |d| match d {
        DType::F16 => 11,
        DType::Bf16 => 8,
        DType::F32 => 24,
        _ => 53,
    };
    match (from.is_float(), to.is_float()) {
        (true, true) => matches!((from, to), (DType::F16 | DType::Bf16, DType::F32) | (_, DType::F64)),
        (false, true) => {
            // bf16 and f32 reach beyond any integer of their fraction's width; so does f16.
            from.bits() - from.is_signed() as u32 <= fraction(to)
        }
        (true, false) => false,
        (false, false) => match (from.is_signed(), to.is_signed()) {
            (true, true) | (false, false) => from.bits() <= to.bits(),
            (false, true) => from.bits() < to.bits(),
            (true, false) => false,
        },
    }
}

fn bitcast_bitcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let middle = instr.operands[0];
    let x = through(b, middle, Opcode::BitcastConvert)?;
    let result = instr.shape.as_array()?;
    if b.array(x).dims != result.dims || dtype(b, x)?.bits() != result.dtype.bits() {
        return None;
    }
    if dtype(b, x)?.size() != dtype(b, middle)?.size() {
        // Through narrower or wider elements and back: the same bytes all the same.
        return (dtype(b, x)? == result.dtype).then_some(x);
    }
    let shape = Shape::Array(result.clone());
    Some(b.add_shaped(Opcode::BitcastConvert, shape, &[x], Attrs::None))
}

fn reduce_precision(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::ReducePrecision { exponent_bits, mantissa_bits } = instr.attrs else { return None };
    let x = instr.operands[0];
    let own = match dtype(b, x)? {
        DType::F16 => (5, 10),
        DType::Bf16 => (8, 7),
        DType::F32 => (8, 23),
        DType::F64 => (11, 52),
        _ => return None,
    };
    (exponent_bits >= own.0 && mantissa_bits >= own.1).then_some(x)
}

/// Arrays are values here: which ones share a buffer is decided at buffer assignment.
fn copy(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    Some(instr.operands[0])
}
