//! Conversions and copies that lose nothing.

use super::query::{dtype, through};
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::Width;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

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
    let integers = from.has_bitwise() && to.is_integer();
    let saturates = integers && between.is_float() && !from.fits_in(to);
    (from.fits_in(between) && !saturates).then(|| convert(b, instr, x))
}

fn convert_truncate(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let middle = instr.operands[0];
    let x = through(b, middle, Opcode::Convert)?;
    let chain = [dtype(b, x)?, dtype(b, middle)?, instr.shape.as_array()?.dtype];
    // Each keeps low bits of the one before; a sub-byte or pred type would not do just that.
    let widths = chain.map(|d| d.integer_width().filter(|w| *w >= Width::W8));
    let [Some(first), Some(second), Some(third)] = widths else { return None };
    (first >= second && second >= third).then(|| convert(b, instr, x))
}

fn convert(b: &mut Builder<'_>, instr: &Instruction, x: InstrId) -> InstrId {
    b.convert(x, instr.shape.expect_array().dtype)
}

fn bitcast_bitcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let middle = instr.operands[0];
    let x = through(b, middle, Opcode::BitcastConvert)?;
    let result = instr.shape.as_array()?;
    // Words that become elements of a field are taken modulo p.
    if dtype(b, middle)?.is_field() && dtype(b, x)? != dtype(b, middle)? {
        return None;
    }
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
    let own = dtype(b, x)?.float()?.format();
    (exponent_bits >= own.exponent && mantissa_bits >= own.mantissa).then_some(x)
}

/// Arrays are values here: which ones share a buffer is decided at buffer assignment.
fn copy(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    Some(instr.operands[0])
}
