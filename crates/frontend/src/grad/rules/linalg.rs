//! Matrices: triangular systems and factors.
//!
//! ```text
//! op(a)·x = b      t' = solve(a, b' − op(a')·x)
//! l·lᴴ = a         t' = l·φ(l⁻¹·a'·l⁻ᴴ), where φ keeps the lower triangle and half of the diagonal
//! ```
//!
//! Only the triangle that is read varies.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, DotDims, Transpose, TriangularSolve};
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Opcode};

pub(super) fn triangular_solve(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let (Attrs::TriangularSolve(how), &[a, _]) = (&instr.attrs, operands) else {
        return fault!("`triangular-solve` takes two operands");
    };
    let x = cx.emit.again(instr, operands);
    let mut terms = vec![tangents[1].one()];
    if let Some(t) = tangents[0].one() {
        let mask = triangle(cx.emit, a, how.lower, how.unit_diagonal)?;
        let t = super::choice::where_true(cx, mask, t)?;
        let t = match how.transpose_a {
            Transpose::No => t,
            Transpose::Transpose => turned(cx, t)?,
            Transpose::Adjoint => {
                let t = conjugated(cx, t)?;
                turned(cx, t)?
            }
        };
        let (t, x) = (Arg::Tangent(t), Arg::Primal(x));
        let product = matmul(cx, if how.left_side { [t, x] } else { [x, t] })?;
        terms.push(Some(cx.negate(product)?));
    }
    let Tan::One(sum) = cx.sum(terms)? else { return Ok((x, Tan::Zero)) };
    Ok((x, Tan::One(solve(cx, a, sum, *how)?)))
}

pub(super) fn cholesky(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let (&Attrs::Cholesky(lower), &[a], Some(t)) = (&instr.attrs, operands, tangents[0].one()) else {
        return fault!("`cholesky` takes one matrix");
    };
    let y = cx.emit.again(instr, operands);
    let complex = cx.emit.dtype(a)?.is_complex();
    // The upper factor is the lower one of the transposed matrix, conjugated or not: its lower triangle is read.
    let (below, diagonal) = (triangle(cx.emit, a, true, true)?, diagonal(cx.emit, a)?);
    let mut t = if lower { t } else { adjoint(cx, t, complex)? };
    let l = if lower { y } else { adjoint_value(cx.emit, y, complex)? };
    let l = {
        let whole = triangle(cx.emit, a, true, false)?;
        let zeros = cx.emit.splat_like(l, 0.0)?;
        cx.emit.select(whole, l, zeros)?
    };
    let strict = super::choice::where_true(cx, below, t)?;
    let mirrored = adjoint(cx, strict, complex)?;
    t = real_where(cx, diagonal, t, complex)?;
    let Tan::One(full) = cx.sum([Some(strict), Some(mirrored), Some(t)])? else { return Ok((y, Tan::Zero)) };
    let solve_by = |left_side, transpose_a| TriangularSolve {
        left_side,
        lower: true,
        unit_diagonal: false,
        transpose_a,
    };
    let right = solve(cx, l, full, solve_by(false, Transpose::Adjoint))?;
    let both = solve(cx, l, right, solve_by(true, Transpose::No))?;
    let half = cx.emit.splat_like(l, 0.5)?;
    let halved = cx.scale(both, half)?;
    let on_diagonal = super::choice::where_true(cx, diagonal, halved)?;
    let under = super::choice::where_true(cx, below, both)?;
    let Tan::One(phi) = cx.sum([Some(on_diagonal), Some(under)])? else { return Ok((y, Tan::Zero)) };
    let product = matmul(cx, [Arg::Primal(l), Arg::Tangent(phi)])?;
    Ok((y, Tan::One(if lower { product } else { adjoint(cx, product, complex)? })))
}

fn solve(
    cx: &mut Linearizer<'_, '_>,
    a: InstrId,
    b: Tangent,
    how: TriangularSolve,
) -> Result<Tangent, Fault> {
    cx.linear(Opcode::TriangularSolve, &[Arg::Primal(a), Arg::Tangent(b)], Attrs::TriangularSolve(how))
}

/// The product of matrices, one for each element of the batch.
fn matmul(cx: &mut Linearizer<'_, '_>, args: [Arg; 2]) -> Result<Tangent, Fault> {
    let rank = cx.shape_of(args[0])?.rank();
    let batch: Vec<usize> = (0..rank - 2).collect();
    let dims = DotDims {
        lhs_contracting: vec![rank - 1],
        rhs_contracting: vec![rank - 2],
        lhs_batch: batch.clone(),
        rhs_batch: batch,
    };
    cx.linear(Opcode::Dot, &args, Attrs::Dot(Box::new(dims)))
}

/// The permutation that exchanges rows and columns.
fn exchanged(rank: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    order
}

fn turned(cx: &mut Linearizer<'_, '_>, t: Tangent) -> Result<Tangent, Fault> {
    let rank = cx.shape_of(Arg::Tangent(t))?.rank();
    cx.linear(Opcode::Transpose, &[Arg::Tangent(t)], Attrs::Dims(exchanged(rank)))
}

fn conjugated(cx: &mut Linearizer<'_, '_>, t: Tangent) -> Result<Tangent, Fault> {
    if !cx.shape_of(Arg::Tangent(t))?.dtype.is_complex() {
        return Ok(t);
    }
    let re = cx.linear(Opcode::Real, &[Arg::Tangent(t)], Attrs::None)?;
    let im = cx.linear(Opcode::Imag, &[Arg::Tangent(t)], Attrs::None)?;
    let im = cx.negate(im)?;
    cx.linear(Opcode::Complex, &[Arg::Tangent(re), Arg::Tangent(im)], Attrs::None)
}

fn adjoint(cx: &mut Linearizer<'_, '_>, t: Tangent, complex: bool) -> Result<Tangent, Fault> {
    let t = if complex { conjugated(cx, t)? } else { t };
    turned(cx, t)
}

fn adjoint_value(e: &mut Emit<'_>, x: InstrId, complex: bool) -> Result<InstrId, Fault> {
    let order = exchanged(e.array(x)?.rank());
    let x = if complex { conjugate(e, x)? } else { x };
    e.transpose(x, &order)
}

pub(in crate::grad) fn conjugate(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    if !e.dtype(x)?.is_complex() {
        return Ok(x);
    }
    let (re, im) = (e.unary(Opcode::Real, x)?, e.unary(Opcode::Imag, x)?);
    let im = e.neg(im)?;
    e.binary(Opcode::Complex, re, im)
}

/// The real parts of a tangent where a mask is true.
fn real_where(
    cx: &mut Linearizer<'_, '_>,
    mask: InstrId,
    t: Tangent,
    complex: bool,
) -> Result<Tangent, Fault> {
    let t = super::choice::where_true(cx, mask, t)?;
    if !complex {
        return Ok(t);
    }
    let shape = cx.shape_of(Arg::Tangent(t))?;
    let re = cx.linear(Opcode::Real, &[Arg::Tangent(t)], Attrs::None)?;
    cx.linear_shaped(Opcode::Convert, &shape, &[Arg::Tangent(re)], Attrs::None)
}

/// Which elements of matrices like `a` lie in a triangle, with or without the diagonal.
fn triangle(e: &mut Emit<'_>, a: InstrId, lower: bool, strict: bool) -> Result<InstrId, Fault> {
    compare_indices(
        e,
        a,
        match (lower, strict) {
            (true, true) => Direction::Gt,
            (true, false) => Direction::Ge,
            (false, true) => Direction::Lt,
            (false, false) => Direction::Le,
        },
    )
}

fn diagonal(e: &mut Emit<'_>, a: InstrId) -> Result<InstrId, Fault> {
    compare_indices(e, a, Direction::Eq)
}

fn compare_indices(e: &mut Emit<'_>, a: InstrId, direction: Direction) -> Result<InstrId, Fault> {
    let dims = e.dims(a)?;
    let rows = e.iota(DType::S32, &dims, dims.len() - 2)?;
    let columns = e.iota(DType::S32, &dims, dims.len() - 1)?;
    e.compare(direction, rows, columns)
}
