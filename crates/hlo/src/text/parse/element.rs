//! One element of a literal, of any type. A number outside the type's range is an error.

use crate::dtype::DType;
use crate::literal::{Scalar, push_scalar};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use crate::text::float::{self, FloatError};
use std::ops::Range;

/// Reads one element and appends its bytes.
pub(super) fn element(cur: &mut Cursor<'_>, dtype: DType, out: &mut Vec<u8>) -> Parsed<()> {
    if dtype.is_complex() {
        return complex(cur, dtype, out);
    }
    let (text, span) = number(cur, dtype)?;
    let out_of_range = || Fault::new(span.clone(), format!("{text} is out of the range of {dtype}"));
    let not_one = || Fault::new(span.clone(), format!("`{text}` is no {dtype}"));
    if dtype == DType::Pred {
        match text {
            "true" | "1" => out.push(1),
            "false" | "0" => out.push(0),
            _ => return Err(not_one().expected("true or false")),
        }
    } else if dtype.is_float() {
        match float::encode(text, dtype, out) {
            Ok(()) => {}
            Err(FloatError::Syntax) => return Err(not_one().expected("a number")),
            Err(FloatError::Range) => return Err(out_of_range()),
        }
    } else {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(not_one().expected("an integer"));
        }
        let n: i128 = text.parse().map_err(|_| out_of_range())?;
        let (low, high) = range(dtype);
        if n < low || n > high {
            return Err(out_of_range().expected(format!("{low} to {high}")));
        }
        let wide = if n < 0 { Scalar::Signed(n as i64) } else { Scalar::Unsigned(n as u64) };
        push_scalar(out, dtype, wide);
    }
    Ok(())
}

fn range(dtype: DType) -> (i128, i128) {
    let bits = dtype.bits();
    if dtype == DType::U64 {
        // XLA writes and reads the upper half as negative numbers too.
        (i64::MIN as i128, u64::MAX as i128)
    } else if dtype.is_signed() {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    }
}

/// `(re, im)`, or a real number alone.
fn complex(cur: &mut Cursor<'_>, dtype: DType, out: &mut Vec<u8>) -> Parsed<()> {
    let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
    if !cur.eat(b'(') {
        element(cur, part, out)?;
        push_scalar(out, part, Scalar::Float(0.0));
        return Ok(());
    }
    element(cur, part, out)?;
    cur.expect(b',', "between the parts of a complex number")?;
    element(cur, part, out)?;
    cur.expect(b')', "after a complex number")
}

/// The text of a number: letters, digits, points and signs, and the payload of `nan(0x1)`.
fn number<'t>(cur: &mut Cursor<'t>, dtype: DType) -> Parsed<(&'t str, Range<usize>)> {
    cur.blank();
    let start = cur.pos;
    skip_number(cur);
    if matches!(cur.text(start..cur.pos), "nan" | "-nan") && cur.eat_here(b'(') {
        skip_number(cur);
        cur.expect(b')', "after the payload of a nan")?;
    }
    if cur.pos == start {
        return Err(cur.unexpected(format!("a number of type {dtype}")));
    }
    Ok((cur.text(start..cur.pos), start..cur.pos))
}

fn skip_number(cur: &mut Cursor<'_>) {
    while cur.byte().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-')) {
        cur.pos += 1;
    }
}
