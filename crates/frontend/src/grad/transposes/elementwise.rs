//! Element by element. The product of cotangent and tangent is not conjugated.

use super::super::Transposer;
use super::super::tape::Linear;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{ArrayShape, InstrId, Opcode};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    _shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    for (n, arg) in op.operands.iter().enumerate() {
        let Some(t) = arg.tangent() else { continue };
        let dtype = cx.shape(t).dtype;
        let other = |cx: &Transposer<'_, '_>, n: usize| {
            let missing = || Fault(format!("`{}` of tangents is not linear", op.opcode));
            cx.primal(op, n).ok_or_else(missing)
        };
        let back = match (op.opcode, n) {
            (Opcode::Add, _) | (Opcode::Subtract, 0) => ct,
            (Opcode::Subtract | Opcode::Negate, _) => cx.emit.neg(ct)?,
            (Opcode::Multiply, _) => {
                let by = other(cx, 1 - n)?;
                cx.emit.mul(ct, by)?
            }
            (Opcode::Divide, 0) => {
                let by = other(cx, 1)?;
                cx.emit.div(ct, by)?
            }
            (Opcode::Select, 1 | 2) => {
                let p = other(cx, 0)?;
                let zeros = cx.emit.splat_like(ct, 0.0)?;
                let (yes, no) = if n == 1 { (ct, zeros) } else { (zeros, ct) };
                cx.emit.select(p, yes, no)?
            }
            (Opcode::Convert, _) => cx.emit.convert(ct, dtype)?,
            (Opcode::ReducePrecision, _) => cx.emit.op(Opcode::ReducePrecision, &[ct], op.attrs.clone())?,
            (Opcode::Real, _) => cx.emit.convert(ct, dtype)?,
            (Opcode::Imag, _) if !dtype.is_complex() => continue,
            (Opcode::Imag, _) => {
                let (zeros, negative) = (cx.emit.splat_like(ct, 0.0)?, cx.emit.neg(ct)?);
                cx.emit.binary(Opcode::Complex, zeros, negative)?
            }
            (Opcode::Complex, 0) => cx.emit.unary(Opcode::Real, ct)?,
            (Opcode::Complex, _) => {
                let im = cx.emit.unary(Opcode::Imag, ct)?;
                cx.emit.neg(im)?
            }
            (opcode, n) => return fault!("`{opcode}` is not linear in operand {n}"),
        };
        cx.contribute(t, back)?;
    }
    Ok(())
}
