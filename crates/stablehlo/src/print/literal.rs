//! The elements of constants.

use super::types;
use crate::error::Result;
use lawson_hlo::Literal;
use lawson_hlo::dtype::TypeKind;
use std::fmt::Write;

/// Longer arrays of whole bytes are written as hexadecimal bytes.
const LISTED: usize = 32;

/// `dense<…> : type`
pub fn dense(literal: &Literal) -> Result<String> {
    let ty = types::tensor(literal.shape())?;
    let whole_bytes = literal.dtype().bits().is_multiple_of(8);
    let elements = if literal.elements() == 0 {
        String::new()
    } else if literal.splat_value().is_some() {
        element(literal, 0)
    } else if whole_bytes && literal.elements() > LISTED {
        format!("\"{}\"", hex(literal.bytes().iter()))
    } else {
        nested(literal, literal.dims(), 0)
    };
    Ok(format!("dense<{elements}> : {ty}"))
}

fn nested(literal: &Literal, dims: &[i64], start: usize) -> String {
    let Some((&extent, inner)) = dims.split_first() else { return element(literal, start) };
    let step = inner.iter().product::<i64>() as usize;
    let parts: Vec<String> = (0..extent as usize).map(|i| nested(literal, inner, start + i * step)).collect();
    format!("[{}]", parts.join(", "))
}

/// One element; floats as their bits, so that nothing is rounded.
fn element(literal: &Literal, i: usize) -> String {
    let (dtype, size) = (literal.dtype(), literal.dtype().size());
    let bytes = &literal.bytes()[i * size..(i + 1) * size];
    match dtype.kind() {
        TypeKind::Pred => (bytes[0] != 0).to_string(),
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => {
            literal.get(i).as_i128().unwrap_or_default().to_string()
        }
        TypeKind::Composite(_) => {
            let (re, im) = bytes.split_at(size / 2);
            format!("({}, {})", hex(re.iter().rev()), hex(im.iter().rev()))
        }
        TypeKind::Float(_) | TypeKind::Field(_) => hex(bytes.iter().rev()),
    }
}

/// `0x01FF`
fn hex<'a>(bytes: impl Iterator<Item = &'a u8>) -> String {
    let mut text = String::from("0x");
    bytes.for_each(|b| {
        let _ = write!(text, "{b:02X}");
    });
    text
}
