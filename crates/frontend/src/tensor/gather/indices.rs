//! Index vectors of gathers and scatters: one integer type, counted from the start, within bounds or not.

use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::dtype::{Algebra, TypeKind};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar};

/// What an index beyond the bounds means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexMode {
    /// What is read there is NaN, of integers the least signed or the largest unsigned number, of pred true. What is
    /// written is dropped.
    Fill,
    /// The nearest index within the bounds.
    Clip,
    /// The index modulo the extent.
    Wrap,
    /// There is none: the program says so. What is read elsewhere is unspecified.
    PromiseInBounds,
}

/// Indices of the same dimensions as vectors along a new last dimension; with [`IndexMode::Fill`] whether all of each
/// are within the bounds. `wraps`: negative ones count from the end.
pub(super) fn index_vectors(
    e: &mut Emit<'_>,
    indices: &[InstrId],
    extents: &[i64],
    mode: IndexMode,
    wraps: bool,
) -> Result<(InstrId, Option<InstrId>), Fault> {
    let wide = indices.iter().map(|&i| e.dtype(i)).collect::<Result<Vec<_>, _>>()?;
    let wide = wide.iter().any(|d| d.bits() == 64) || extents.iter().any(|&n| n > i64::from(i32::MAX));
    let dtype = if wide { DType::S64 } else { DType::S32 };
    let mut parts = Vec::new();
    let mut valid: Option<InstrId> = None;
    for (&index, &extent) in indices.iter().zip(extents) {
        let index = signed(e, index, dtype)?;
        let counted = if mode == IndexMode::Wrap {
            modulo(e, index, extent)?
        } else if wraps {
            let zero = e.splat_like(index, 0.0)?;
            let from_end = plus(e, index, extent)?;
            let negative = e.compare(Direction::Lt, index, zero)?;
            e.select(negative, from_end, index)?
        } else {
            index
        };
        let counted = match mode {
            IndexMode::Clip => clamped(e, counted, extent)?,
            IndexMode::Fill | IndexMode::Wrap | IndexMode::PromiseInBounds => counted,
        };
        if mode == IndexMode::Fill {
            let within = within(e, counted, extent)?;
            valid = Some(match valid {
                Some(valid) => e.binary(Opcode::And, valid, within)?,
                None => within,
            });
        }
        let mut dims = e.dims(counted)?;
        dims.push(1);
        parts.push(e.reshape(counted, &dims)?);
    }
    let vectors = match parts[..] {
        [] => return fault!("indices are needed along a dimension at least"),
        [one] => one,
        _ => {
            let last = e.array(parts[0])?.rank() - 1;
            e.op(Opcode::Concatenate, &parts, Attrs::Dims(vec![last]))?
        }
    };
    Ok((vectors, valid))
}

/// As a signed type; unsigned numbers that it lacks as its largest.
fn signed(e: &mut Emit<'_>, index: InstrId, dtype: DType) -> Result<InstrId, Fault> {
    let from = e.dtype(index)?;
    if !from.is_signed() && from.bits() >= dtype.bits() {
        let greatest = if dtype.bits() == 64 { i64::MAX as u64 } else { i32::MAX as u64 };
        let most = e.constant(Literal::scalar(from, Scalar::Unsigned(greatest)));
        let dims = e.dims(index)?;
        let most = if dims.is_empty() { most } else { e.broadcast(most, &dims, &[])? };
        let least = e.binary(Opcode::Minimum, index, most)?;
        return e.convert(least, dtype);
    }
    e.convert(index, dtype)
}

fn number(e: &mut Emit<'_>, like: InstrId, value: i64) -> Result<InstrId, Fault> {
    let ArrayShape { dtype, dims, .. } = e.array(like)?.clone();
    let scalar = e.constant(Literal::scalar(dtype, Scalar::Signed(value)));
    if dims.is_empty() { Ok(scalar) } else { e.broadcast(scalar, &dims, &[]) }
}

fn plus(e: &mut Emit<'_>, index: InstrId, extent: i64) -> Result<InstrId, Fault> {
    let extent = number(e, index, extent)?;
    e.add(index, extent)
}

fn clamped(e: &mut Emit<'_>, index: InstrId, extent: i64) -> Result<InstrId, Fault> {
    let (low, high) = (number(e, index, 0)?, number(e, index, (extent - 1).max(0))?);
    e.op(Opcode::Clamp, &[low, index, high], Attrs::None)
}

/// The remainder with the sign of the extent.
fn modulo(e: &mut Emit<'_>, index: InstrId, extent: i64) -> Result<InstrId, Fault> {
    let by = number(e, index, extent.max(1))?;
    let remainder = e.binary(Opcode::Remainder, index, by)?;
    let zero = number(e, index, 0)?;
    let negative = e.compare(Direction::Lt, remainder, zero)?;
    let above = e.add(remainder, by)?;
    e.select(negative, above, remainder)
}

fn within(e: &mut Emit<'_>, index: InstrId, extent: i64) -> Result<InstrId, Fault> {
    let (zero, extent) = (number(e, index, 0)?, number(e, index, extent)?);
    let above = e.compare(Direction::Ge, index, zero)?;
    let below = e.compare(Direction::Lt, index, extent)?;
    e.binary(Opcode::And, above, below)
}

/// What was read where `valid`, else what [`IndexMode::Fill`] says. Dimension `i` of `valid` is `map[i]` of what was
/// read.
pub(super) fn filled(
    e: &mut Emit<'_>,
    read: InstrId,
    valid: InstrId,
    map: &[usize],
) -> Result<InstrId, Fault> {
    let ArrayShape { dtype, dims, .. } = e.array(read)?.clone();
    let fill = match dtype.kind() {
        TypeKind::Pred => Scalar::Pred(true),
        TypeKind::Signed(width) => Scalar::Signed(width.signed_range().0),
        TypeKind::Unsigned(width) => Scalar::Unsigned(width.greatest_unsigned()),
        TypeKind::Float(_) => Scalar::Float(f64::NAN),
        TypeKind::Field(_) => Scalar::Unsigned(0),
        TypeKind::Composite(composite) => match composite.algebra {
            Algebra::Complex => Scalar::Complex(f64::NAN, 0.0),
            Algebra::Extension(_) | Algebra::Words(_) => Scalar::zero(dtype),
        },
    };
    let mut fill = e.constant(Literal::scalar(dtype, fill));
    let mut valid = valid;
    if !dims.is_empty() {
        fill = e.broadcast(fill, &dims, &[])?;
    }
    if map.len() < dims.len() {
        valid = e.broadcast(valid, &dims, map)?;
    }
    e.select(valid, read, fill)
}
