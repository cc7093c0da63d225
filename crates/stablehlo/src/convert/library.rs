//! Linear algebra, transforms and random bits.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::{FftKind, Transpose, TriangularSolve};
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Shape};

pub fn cholesky<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let lower = f.flag(op, "lower")?;
    f.add(op, opcode, &operands, Attrs::Cholesky(lower))
}

pub fn triangular_solve<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let how = TriangularSolve {
        left_side: f.flag(op, "left_side")?,
        lower: f.flag(op, "lower")?,
        unit_diagonal: f.flag(op, "unit_diagonal")?,
        transpose_a: f.attr(op, "transpose_a", |a| {
            Some(match a.as_str()? {
                "NO_TRANSPOSE" => Transpose::No,
                "TRANSPOSE" => Transpose::Transpose,
                "ADJOINT" => Transpose::Adjoint,
                _ => return None,
            })
        })?,
    };
    f.add(op, opcode, &operands, Attrs::TriangularSolve(how))
}

pub fn fft<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let kind = f.attr(op, "fft_type", |a| {
        Some(match a.as_str()? {
            "FFT" => FftKind::Fft,
            "IFFT" => FftKind::Ifft,
            "RFFT" => FftKind::Rfft,
            "IRFFT" => FftKind::Irfft,
            _ => return None,
        })
    })?;
    let lengths = f.ints(op, "fft_length")?;
    f.add(op, opcode, &operands, Attrs::Fft { kind, lengths, inner: 0 })
}

pub fn rng_bit_generator<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let algorithm = f.attr(op, "rng_algorithm", |a| Some(format!("rng_{}", a.as_str()?.to_lowercase())))?;
    let attrs = Attrs::RngBitGenerator(algorithm);
    let shape = f.results(op)?;
    let Shape::Tuple(parts) = &shape else { return Err(f.wrong(op, "needs two results")) };
    let [Shape::Array(state), Shape::Array(out)] = &parts[..] else {
        return Err(f.wrong(op, "gives a state and an array"));
    };
    let Some(bits) = unsigned(out.dtype) else {
        return f.add_shaped(op, opcode, shape, &operands, attrs);
    };
    // Floats of these bits.
    let parts = [state.clone(), out.with_dtype(bits)].map(Shape::Array).into();
    let out = Shape::Array(out.clone());
    let made = f.add_shaped(op, opcode, Shape::Tuple(parts), &operands, attrs)?;
    let made = f.unpack(op, made, 2)?;
    let floats = f.add_shaped(op, Opcode::BitcastConvert, out, &made[1..], Attrs::None)?;
    Ok(f.pack(&[made[0], floats]))
}

/// `rng(a, b, shape)`: the result says the shape too.
pub fn rng<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let [a, b, ..] = operands[..] else { return Err(f.wrong(op, "needs two numbers")) };
    let named = |a: &Attr| Some(format!("rng_{}", a.as_str()?.to_lowercase()));
    let distribution = f.attr(op, "rng_distribution", named)?;
    let shape = f.result(op)?.clone();
    f.add_shaped(op, opcode, shape, &[a, b], Attrs::Rng(distribution))
}

/// The integers of as many bits as these floats have.
fn unsigned(dtype: DType) -> Option<DType> {
    let bits = dtype.float()?.format().bits();
    DType::ALL.iter().copied().find(|d| d.is_unsigned() && d.bits() == bits)
}
