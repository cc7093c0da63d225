//! Numbers and arrays of them as they lie in an artifact.

use super::cursor::Cursor;
use crate::error::Result;
use crate::ir::{Attr, Dense, Type};
use lawson_hlo::Scalar;
use lawson_hlo::dtype::{DType, TypeKind};
use std::sync::Arc;

/// An integer of this type; truth values are integers of one bit.
pub fn integer(ty: &Type, cursor: &mut Cursor) -> Result<Attr> {
    let Some(dtype) = element(ty).filter(|d| d.is_integer() || d.is_pred()) else {
        return cursor.fail(format!("an integer is {ty}"));
    };
    let bits = bits(dtype, cursor)?;
    Ok(match dtype.kind() {
        TypeKind::Pred => Attr::Bool(bits & 1 == 1),
        TypeKind::Signed(width) => {
            let unused = 64 - width.bits();
            Attr::Int(((bits << unused) as i64) >> unused)
        }
        TypeKind::Unsigned(_) => Attr::Int(bits as i64),
        TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => Attr::Unit,
    })
}

/// A floating-point number of this type, as its bits.
pub fn float(ty: &Type, cursor: &mut Cursor) -> Result<Attr> {
    let Some(dtype) = element(ty).filter(|d| d.is_float()) else {
        return cursor.fail(format!("a floating-point number is {ty}"));
    };
    Ok(Attr::Float(Scalar::from_bits(dtype, [bits(dtype, cursor)?, 0, 0, 0]).as_f64()))
}

/// The bits of a number of a known width: one byte, or a signed number that is cut to the width.
fn bits(dtype: DType, cursor: &mut Cursor) -> Result<u64> {
    let width = dtype.bits();
    let bits = if width <= 8 { cursor.byte()? as u64 } else { cursor.signed()? as u64 };
    Ok(bits & (u64::MAX >> (64 - width)))
}

fn element(ty: &Type) -> Option<DType> {
    match ty {
        Type::Element(dtype) => Some(*dtype),
        _ => None,
    }
}

/// An array that is no value of the program: `array<i64: 1, 2>`.
pub fn array(ty: &Type, n: u64, cursor: &mut Cursor) -> Result<Attr> {
    let at = *cursor;
    let blob = cursor.blob()?;
    let Some(dtype) = element(ty).filter(|d| d.is_integer() || d.is_pred()) else {
        return Ok(Attr::Other("an array of other elements than integers".into()));
    };
    if Some(blob.len() as u64) != n.checked_mul(dtype.size() as u64) {
        return at.fail(format!("{n} elements of {dtype} in {} bytes", blob.len()));
    }
    let values =
        blob.chunks_exact(dtype.size()).map(|b| Scalar::read(dtype, b).as_i128().unwrap_or(0) as i64);
    Ok(Attr::Ints(values.collect()))
}

/// The elements of an array: all, or one where they are all the same.
pub fn dense(ty: &Type, cursor: &mut Cursor) -> Result<Attr> {
    let at = *cursor;
    let blob = cursor.blob()?;
    let Some(shape) = ty.shape().and_then(|s| s.as_array()) else {
        return Ok(Attr::Other(format!("elements of {ty}").into()));
    };
    match Dense::from_memory(shape.clone(), blob) {
        Some(dense) => Ok(Attr::Dense(Arc::new(dense))),
        None => at.fail(format!("{} bytes of elements for {shape}", blob.len())),
    }
}
