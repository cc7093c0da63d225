//! Questions rules ask about operands.

use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::TypeKind;
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar, Value};

/// The literal of a constant.
pub fn literal<'b>(b: &'b Builder<'_>, id: InstrId) -> Option<&'b Literal> {
    match &b.get(id).attrs {
        Attrs::Constant(Some(Value::Array(l))) => Some(l),
        _ => None,
    }
}

/// The one value of all elements: of a constant, or of a constant broadcast.
pub fn splat(b: &Builder<'_>, id: InstrId) -> Option<Scalar> {
    let instr = b.get(id);
    let id = if instr.opcode == Opcode::Broadcast { instr.operands[0] } else { id };
    let l = literal(b, id)?;
    l.splat_value()
}

/// Every element is this small number; of a float, with this sign of zero too.
pub fn is(b: &Builder<'_>, id: InstrId, n: i64) -> bool {
    match splat(b, id) {
        Some(Scalar::Float(f)) => f == n as f64 && f.is_sign_negative() == (n < 0),
        Some(s) => s.as_i128() == Some(n as i128),
        None => false,
    }
}

/// Every element is -0.0.
pub fn is_minus_zero(b: &Builder<'_>, id: InstrId) -> bool {
    matches!(splat(b, id), Some(Scalar::Float(f)) if f == 0.0 && f.is_sign_negative())
}

/// Every bit of every element is set (pred: true).
pub fn is_all_ones(b: &Builder<'_>, id: InstrId) -> bool {
    let Some((value, dtype)) = splat(b, id).zip(dtype(b, id)) else { return false };
    match dtype.kind() {
        TypeKind::Pred => value == Scalar::Pred(true),
        TypeKind::Signed(_) => value == Scalar::Signed(-1),
        TypeKind::Unsigned(width) => value == Scalar::Unsigned(width.greatest_unsigned()),
        TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => false,
    }
}

/// Integers, pred and elements of prime fields, where arithmetic is exact.
pub fn is_exact(b: &Builder<'_>, id: InstrId) -> bool {
    dtype(b, id).is_some_and(|d| d.has_bitwise() || d.field().is_some() || d.wide_field().is_some())
}

pub fn dtype(b: &Builder<'_>, id: InstrId) -> Option<DType> {
    b.shape(id).as_array().map(|a| a.dtype)
}

/// The instruction behind an operand, if it has this opcode.
pub fn made_by<'b>(b: &'b Builder<'_>, id: InstrId, opcode: Opcode) -> Option<&'b Instruction> {
    Some(b.get(id)).filter(|i| i.opcode == opcode)
}

/// The operand of an operand that has this opcode.
pub fn through(b: &Builder<'_>, id: InstrId, opcode: Opcode) -> Option<InstrId> {
    made_by(b, id, opcode).map(|i| i.operands[0])
}

/// The two operands of a commutative operation, such that the second satisfies `test`.
pub fn either(instr: &Instruction, test: impl Fn(InstrId) -> bool) -> Option<(InstrId, InstrId)> {
    let [x, y] = instr.operands[..] else { return None };
    if test(y) {
        Some((x, y))
    } else if test(x) {
        Some((y, x))
    } else {
        None
    }
}

/// The dimension numbers of broadcast, transpose, reverse or concatenate.
pub fn dims(instr: &Instruction) -> &[usize] {
    match &instr.attrs {
        Attrs::Dims(dims) => dims,
        _ => &[],
    }
}

/// The extents of an array.
pub fn extents(instr: &Instruction) -> &[i64] {
    &instr.shape.expect_array().dims
}
