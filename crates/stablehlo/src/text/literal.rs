//! `dense<…>`: the elements of an array, as nested lists, as one that all are, or as hexadecimal bytes.

use super::Reader;
use super::cursor::{Cursor, int};
use crate::error::Result;
use crate::ir::{Attr, Dense, Type};
use lawson_hlo::dtype::{DType, TypeKind};
use lawson_hlo::{ArrayShape, Scalar};
use std::sync::Arc;

impl Reader<'_> {
    /// What follows `dense`: `<…> : type`. The type says how the elements are read.
    pub fn dense(&mut self) -> Result<Attr> {
        let at = self.cursor.clone();
        let elements = self.cursor.balanced()?;
        let start = self.cursor.pos - 1 - elements.len();
        self.cursor.expect(":")?;
        let ty = self.ty()?;
        let Type::Shape(shape) = &ty else { return Ok(Attr::Other(format!("elements of {ty}").into())) };
        let Some(shape) = shape.as_array() else {
            return at.fail(format!("the elements of an array are {ty}"));
        };
        let mut inner = Cursor { text: &self.cursor.text[..start + elements.len()], pos: start };
        let dense = read(&mut inner, shape)?;
        Ok(Attr::Dense(Arc::new(dense)))
    }

    /// What follows `dense_resource`: `<key> : type`, with the bytes at the end of the text.
    pub fn dense_resource(&mut self) -> Result<Attr> {
        let at = self.cursor.clone();
        let key = self.cursor.balanced()?.trim().to_string();
        self.cursor.expect(":")?;
        let ty = self.ty()?;
        let Some(shape) = ty.shape().and_then(|s| s.as_array()) else {
            return at.fail(format!("the elements of an array are {ty}"));
        };
        let Some(bytes) = self.resources.get(&*key) else {
            return at.fail(format!("the text has no resource {key}: print it with large constants"));
        };
        // The first four bytes say how the rest is aligned.
        match bytes.get(4..).and_then(|b| Dense::from_memory(shape.clone(), b)) {
            Some(dense) => Ok(Attr::Dense(Arc::new(dense))),
            None => {
                at.fail(format!("resource {key} has {} bytes, which are not those of {shape}", bytes.len()))
            }
        }
    }
}

/// The elements of an array of this shape, which the rest of the cursor's text holds.
fn read(cursor: &mut Cursor, shape: &ArrayShape) -> Result<Dense> {
    let at = cursor.clone();
    let Some(elements) = shape.checked_elements().and_then(|n| usize::try_from(n).ok()) else {
        return at.fail(format!("too many elements in {shape}"));
    };
    let wrong = |n: String| at.fail(format!("{n} elements are given for {shape}"));
    match cursor.peek() {
        Some(b'"') => {
            let text = cursor.string()?;
            let Some(bytes) = hex(&text) else { return at.fail("these are no hexadecimal bytes") };
            match Dense::from_memory(shape.clone(), &bytes) {
                Some(dense) => Ok(dense),
                None => wrong(format!("{} bytes of", bytes.len())),
            }
        }
        None if elements == 0 => Ok(Dense { shape: shape.clone(), bytes: Arc::new([]), splat: false }),
        Some(b'[') => {
            let mut bytes = Vec::new();
            list(cursor, shape.dtype, &mut bytes)?;
            match bytes.len() / shape.dtype.size() {
                n if n == elements => Ok(Dense { shape: shape.clone(), bytes: bytes.into(), splat: false }),
                n => wrong(n.to_string()),
            }
        }
        _ => {
            let mut bytes = Vec::new();
            element(cursor, shape.dtype, &mut bytes)?;
            if elements == 0 {
                bytes.clear();
            }
            Ok(Dense { shape: shape.clone(), bytes: bytes.into(), splat: elements > 1 })
        }
    }
}

/// Elements between brackets, nested in any way.
fn list(cursor: &mut Cursor, dtype: DType, bytes: &mut Vec<u8>) -> Result<()> {
    let mut depth = 0;
    loop {
        match cursor.peek() {
            Some(b'[') => depth += 1,
            Some(b']') => depth -= 1,
            Some(b',') => {}
            _ => {
                element(cursor, dtype, bytes)?;
                continue;
            }
        }
        cursor.pos += 1;
        if depth == 0 {
            return Ok(());
        }
    }
}

/// One element: a number, its bits in hexadecimal, `true`, or the two parts of a complex number.
fn element(cursor: &mut Cursor, dtype: DType, bytes: &mut Vec<u8>) -> Result<()> {
    let at = cursor.clone();
    match dtype.kind() {
        TypeKind::Composite(composite) => {
            cursor.expect("(")?;
            element(cursor, composite.part, bytes)?;
            cursor.expect(",")?;
            element(cursor, composite.part, bytes)?;
            cursor.expect(")")
        }
        TypeKind::Pred => {
            let value = if cursor.eat_word("true") {
                true
            } else if cursor.eat_word("false") {
                false
            } else {
                integer(cursor, dtype)? != 0
            };
            bytes.push(value as u8);
            Ok(())
        }
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => {
            Scalar::Signed(integer(cursor, dtype)?).push(dtype, bytes);
            Ok(())
        }
        TypeKind::Float(_) => {
            let text = cursor.number().unwrap_or("");
            if text.starts_with("0x") {
                let fits = |bits: &i128| bits >> dtype.bits() == 0;
                let Some(bits) = int(text).filter(fits) else {
                    return at.fail(format!("{text} has more bits than {dtype}"));
                };
                bytes.extend_from_slice(&(bits as u64).to_le_bytes()[..dtype.size()]);
                return Ok(());
            }
            // Rounded once: what is printed of an f32 names it exactly among those.
            let value = match dtype.is_f32() {
                true => text.parse::<f32>().ok().map(f64::from),
                false => text.parse::<f64>().ok(),
            };
            match value {
                Some(value) => Scalar::Float(value).push(dtype, bytes),
                None => return at.fail(format!("a number is expected, not {}", at.shown())),
            }
            Ok(())
        }
        TypeKind::Field(_) => at.fail(format!("elements of {dtype} have no text")),
    }
}

/// An integer that the type has; signed ones as their bits, too: `255` is -1 of eight bits.
fn integer(cursor: &mut Cursor, dtype: DType) -> Result<i64> {
    let at = cursor.clone();
    let value = int(cursor.number().unwrap_or(""));
    let unsigned = dtype.is_unsigned();
    let bits = if dtype.is_pred() { 1 } else { dtype.bits() };
    let least = if unsigned { 0 } else { -(1i128 << (bits - 1)) };
    match value {
        Some(value) if (least..1 << bits).contains(&value) => Ok(value as i64),
        Some(value) => at.fail(format!("{value} is no value of {dtype}")),
        None => at.fail(format!("an integer is expected, not {}", at.shown())),
    }
}

/// The bytes of `0x01ff…`.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |b: u8| (b as char).to_digit(16);
    digits.chunks_exact(2).map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}
