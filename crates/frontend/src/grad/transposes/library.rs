//! Triangular systems, Fourier transforms and number-theoretic ones.

use super::super::Transposer;
use super::super::rules::conjugate;
use super::super::tape::Linear;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, FftKind, Ntt, PadDim, Transpose, TriangularSolve};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    _shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    match &op.attrs {
        Attrs::TriangularSolve(how) => {
            let (Some(t), Some(a)) = (op.operands[1].tangent(), cx.primal(op, 0)) else {
                return fault!("`triangular-solve` is linear in its second operand");
            };
            let (a, transpose_a) = match how.transpose_a {
                Transpose::No => (a, Transpose::Transpose),
                Transpose::Transpose => (a, Transpose::No),
                Transpose::Adjoint => (conjugate(cx.emit, a)?, Transpose::No),
            };
            let how = TriangularSolve { transpose_a, ..*how };
            let back = cx.emit.op(Opcode::TriangularSolve, &[a, ct], Attrs::TriangularSolve(how))?;
            cx.contribute(t, back)
        }
        Attrs::Fft { kind, lengths, inner } => {
            let Some(t) = op.operands[0].tangent() else { return fault!("`fft` of no tangent") };
            let back = match kind {
                FftKind::Fft | FftKind::Ifft => cx.emit.op(Opcode::Fft, &[ct], op.attrs.clone())?,
                FftKind::Rfft => of_rfft(cx.emit, (lengths, *inner), ct)?,
                FftKind::Irfft => of_irfft(cx.emit, (lengths, *inner), ct)?,
            };
            cx.contribute(t, back)
        }
        Attrs::Ntt(how) => {
            let Some(t) = op.operands[0].tangent() else { return fault!("`ntt` of no tangent") };
            let back = of_ntt(cx.emit, *how, ct)?;
            cx.contribute(t, back)
        }
        _ => fault!("`{}` lacks its attributes", op.opcode),
    }
}

/// The matrix of powers of the root is symmetric. That of the powers of the coset, by which coefficients are scaled, goes to its
/// other side.
fn of_ntt(e: &mut Emit<'_>, how: Ntt, ct: InstrId) -> Result<InstrId, Fault> {
    let ct = if how.inverse { of_coset(e, how, ct)? } else { ct };
    let made = e.op(Opcode::Ntt, &[ct], Attrs::Ntt(Ntt { coset: 1, ..how }))?;
    if how.inverse { Ok(made) } else { of_coset(e, how, made) }
}

/// Element `j` of the minor dimension times the power `j` of the coset, or of its inverse for an inverse transform.
fn of_coset(e: &mut Emit<'_>, how: Ntt, x: InstrId) -> Result<InstrId, Fault> {
    if how.coset == 1 {
        return Ok(x);
    }
    let shape = e.array(x)?.clone();
    let mut coset = e.constant(Literal::scalar(shape.dtype.part(), Scalar::Unsigned(how.coset)));
    if how.inverse {
        coset = e.unary(Opcode::Inverse, coset)?;
    }
    let (base, exponents) = (e.broadcast(coset, &[how.length], &[])?, e.iota(DType::U64, &[how.length], 0)?);
    let powers = e.binary(Opcode::Power, base, exponents)?;
    let powers = e.broadcast(powers, &shape.dims, &[shape.rank() - 1])?;
    e.mul(x, powers)
}

/// The half that is kept, with zeros for the other, is transformed; only real parts had an effect.
fn of_rfft(e: &mut Emit<'_>, (lengths, inner): (&[i64], usize), ct: InstrId) -> Result<InstrId, Fault> {
    let shape = e.array(ct)?.clone();
    let Some(&last) = lengths.last() else { return fault!("`fft` lacks its lengths") };
    let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; shape.rank()];
    let along = shape.rank() - 1 - inner;
    padding[along].high = last - shape.dims[along];
    let zero = e.scalar(shape.dtype, 0.0);
    let whole = e.op(Opcode::Pad, &[ct, zero], Attrs::Pad(padding))?;
    let attrs = Attrs::Fft { kind: FftKind::Fft, lengths: lengths.to_vec(), inner };
    let transformed = e.op(Opcode::Fft, &[whole], attrs)?;
    e.unary(Opcode::Real, transformed)
}

/// Each stored element stands for itself and for its mirror image, but for the first, and the middle one of an even number.
fn of_irfft(e: &mut Emit<'_>, (lengths, inner): (&[i64], usize), ct: InstrId) -> Result<InstrId, Fault> {
    let Some(&last) = lengths.last() else { return fault!("`fft` lacks its lengths") };
    let attrs = Attrs::Fft { kind: FftKind::Rfft, lengths: lengths.to_vec(), inner };
    let transformed = e.op(Opcode::Fft, &[ct], attrs)?;
    let back = conjugate(e, transformed)?;
    let dims = e.dims(back)?;
    let counts = e.iota(DType::S64, &dims, dims.len() - 1 - inner)?;
    let (zero, middle) = (e.splat_like(counts, 0.0)?, e.splat_like(counts, last as f64 / 2.0)?);
    let first = e.compare(Direction::Eq, counts, zero)?;
    let mut alone = first;
    if last % 2 == 0 {
        let middle = e.compare(Direction::Eq, counts, middle)?;
        alone = e.binary(Opcode::Or, first, middle)?;
    }
    let real = e.dtype(ct)?;
    let parts = ArrayShape::new(real, dims);
    let scale = 1.0 / lengths.iter().product::<i64>() as f64;
    let (once, twice) = (e.splat(&parts, scale)?, e.splat(&parts, 2.0 * scale)?);
    let weights = e.select(alone, once, twice)?;
    let dtype = e.dtype(back)?;
    let weights = e.convert(weights, dtype)?;
    e.mul(back, weights)
}
