//! One element of a literal, of any type. A number outside the type's range is an error.

use crate::dtype::{Algebra, DType, Float, TypeKind, U256, WideField, Width};
use crate::scalar::Scalar;
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use crate::text::float::{self, FloatError};
use std::ops::Range;

/// Reads one element and appends its bytes.
pub(super) fn element(cur: &mut Cursor<'_>, dtype: DType, out: &mut Vec<u8>) -> Parsed<()> {
    match dtype.kind() {
        TypeKind::Pred => pred(cur, dtype, out),
        TypeKind::Signed(width) => {
            let half = 1i128 << (width.bits() - 1);
            integer(cur, dtype, (-half, half - 1), out)
        }
        // XLA writes and reads the upper half of u64 as negative numbers too.
        TypeKind::Unsigned(Width::W64) => integer(cur, dtype, (i64::MIN as i128, u64::MAX as i128), out),
        TypeKind::Unsigned(
            width @ (Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32),
        ) => integer(cur, dtype, (0, (1i128 << width.bits()) - 1), out),
        TypeKind::Float(float) => self::float(cur, dtype, float, out),
        TypeKind::Field(field) => {
            let most = i128::from(field.prime.modulus()) - 1;
            integer(cur, dtype, (-most, most), out)
        }
        TypeKind::Composite(composite) => match composite.algebra {
            Algebra::Complex => complex(cur, composite.part, out),
            Algebra::Extension(e) => extension(cur, composite.part, e.degree, out),
            Algebra::Words(field) => wide(cur, dtype, field, out),
        },
    }
}

fn pred(cur: &mut Cursor<'_>, dtype: DType, out: &mut Vec<u8>) -> Parsed<()> {
    let (text, span) = number(cur, dtype)?;
    match text {
        "true" | "1" => out.push(1),
        "false" | "0" => out.push(0),
        _ => return Err(not_one(text, span, dtype).expected("true or false")),
    }
    Ok(())
}

fn float(cur: &mut Cursor<'_>, dtype: DType, float: Float, out: &mut Vec<u8>) -> Parsed<()> {
    let (text, span) = number(cur, dtype)?;
    float::encode(text, float, out).map_err(|e| match e {
        FloatError::Syntax => not_one(text, span, dtype).expected("a number"),
        FloatError::Range => out_of_range(text, span, dtype),
    })
}

fn integer(cur: &mut Cursor<'_>, dtype: DType, (low, high): (i128, i128), out: &mut Vec<u8>) -> Parsed<()> {
    let (text, span) = number(cur, dtype)?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(not_one(text, span, dtype).expected("an integer"));
    }
    let n: i128 = text.parse().map_err(|_| out_of_range(text, span.clone(), dtype))?;
    if n < low || n > high {
        return Err(out_of_range(text, span, dtype).expected(format!("{low} to {high}")));
    }
    let wide = if n < 0 { Scalar::Signed(n as i64) } else { Scalar::Unsigned(n as u64) };
    wide.push(dtype, out);
    Ok(())
}

/// The value of an element; that of `-n` is p − n.
fn wide(cur: &mut Cursor<'_>, dtype: DType, field: WideField, out: &mut Vec<u8>) -> Parsed<()> {
    let (text, span) = number(cur, dtype)?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(not_one(text, span, dtype).expected("an integer"));
    }
    let p = field.prime.modulus();
    let Some(n) = U256::from_decimal(digits).filter(|n| n.is_below(p)) else {
        let most = p.minus(U256::ONE).0;
        return Err(out_of_range(text, span, dtype).expected(format!("-{most} to {most}")));
    };
    let value = if digits.len() < text.len() && !n.is_zero() { p.minus(n).0 } else { n };
    Scalar::Wide(value).push(dtype, out);
    Ok(())
}

fn not_one(text: &str, span: Range<usize>, dtype: DType) -> Fault {
    Fault::new(span, format!("`{text}` is no {dtype}"))
}

fn out_of_range(text: &str, span: Range<usize>, dtype: DType) -> Fault {
    Fault::new(span, format!("{text} is out of the range of {dtype}"))
}

/// `(re, im)`, or a real number alone.
fn complex(cur: &mut Cursor<'_>, part: DType, out: &mut Vec<u8>) -> Parsed<()> {
    if !cur.eat(b'(') {
        element(cur, part, out)?;
        Scalar::Float(0.0).push(part, out);
        return Ok(());
    }
    element(cur, part, out)?;
    cur.expect(b',', "between the parts of a complex number")?;
    element(cur, part, out)?;
    cur.expect(b')', "after a complex number")
}

/// `(c0 c1 …)`, the constant coefficient first, or an element of the prime field alone.
fn extension(cur: &mut Cursor<'_>, part: DType, degree: u32, out: &mut Vec<u8>) -> Parsed<()> {
    if !cur.eat(b'(') {
        element(cur, part, out)?;
        (1..degree).for_each(|_| Scalar::Unsigned(0).push(part, out));
        return Ok(());
    }
    for n in 0..degree {
        element(cur, part, out)?;
        if n + 1 < degree && cur.peek() == Some(b',') {
            return Err(cur.unexpected("the next coefficient; they are divided by blanks, not by commas"));
        }
    }
    cur.expect(b')', &format!("after the {degree} coefficients"))
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
