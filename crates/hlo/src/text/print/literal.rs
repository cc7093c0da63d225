//! Literals as text.

use crate::dtype::DType;
use crate::literal::{Literal, Scalar, Value, read_scalar};
use crate::text::float;
use std::fmt::{self, Write};

/// Writes a value: a scalar, nested braces, or a tuple in parentheses.
pub(super) fn value(f: &mut impl Write, value: &Value) -> fmt::Result {
    match value {
        Value::Array(literal) => array(f, literal),
        Value::Tuple(parts) => {
            write!(f, "( ")?;
            for (i, part) in parts.iter().enumerate() {
                write!(f, "{}", if i > 0 { ", " } else { "" })?;
                self::value(f, part)?;
            }
            write!(f, " )")
        }
        // No text makes one: tokens have no literal.
        Value::Token => write!(f, "{{...}}"),
    }
}

fn array(f: &mut impl Write, literal: &Literal) -> fmt::Result {
    let dims = literal.dims();
    match dims {
        [] => element(f, literal, 0, true),
        _ if literal.elements() == 0 => empty(f, dims),
        _ if is_zero_but_first(literal) => element(f, literal, 0, true),
        &[n] => {
            write!(f, "{{")?;
            run(f, literal, 0, n as usize)?;
            write!(f, "}}")
        }
        _ => nested(f, literal, dims),
    }
}

/// A long array whose elements are zero, but perhaps the first: one scalar says that, to XLA too.
fn is_zero_but_first(literal: &Literal) -> bool {
    const SHORT: usize = 1024;
    literal.elements() > SHORT && literal.bytes()[literal.dtype().size()..].iter().all(|&b| b == 0)
}

/// Rank 2 and more: an odometer over all dimensions but the last, so that rank costs no call stack.
fn nested(f: &mut impl Write, literal: &Literal, dims: &[i64]) -> fmt::Result {
    let (outer, width) = (&dims[..dims.len() - 1], dims[dims.len() - 1] as usize);
    let rows = literal.elements() / width;
    write!(f, "{}", "{ ".repeat(dims.len()))?;
    for row in 0..rows {
        run(f, literal, row * width, width)?;
        // How many dimensions end with this row.
        let mut ended = 1;
        let mut count = row + 1;
        for &extent in outer.iter().rev() {
            if !count.is_multiple_of(extent as usize) {
                break;
            }
            count /= extent as usize;
            ended += 1;
        }
        write!(f, "{}", " }".repeat(ended))?;
        if row + 1 < rows {
            write!(f, ", {}", "{ ".repeat(ended))?;
        }
    }
    Ok(())
}

/// An array without elements: braces down to the first extent of 0, if they are few; else the short form.
fn empty(f: &mut impl Write, dims: &[i64]) -> fmt::Result {
    const MOST: i64 = 4096;
    let outer: Vec<i64> = dims.iter().copied().take_while(|&d| d > 0).collect();
    let count = outer.iter().try_fold(1i64, |n, &d| n.checked_mul(d).filter(|&n| n <= MOST));
    let mut text = "{}".to_string();
    if count.is_some() {
        for &extent in outer.iter().rev() {
            text = format!("{{ {} }}", vec![text; extent as usize].join(", "));
        }
    }
    f.write_str(&text)
}

fn run(f: &mut impl Write, literal: &Literal, first: usize, count: usize) -> fmt::Result {
    for i in first..first + count {
        write!(f, "{}", if i > first { ", " } else { "" })?;
        element(f, literal, i, false)?;
    }
    Ok(())
}

fn element(f: &mut impl Write, literal: &Literal, i: usize, alone: bool) -> fmt::Result {
    let dtype = literal.dtype();
    let size = dtype.size();
    let bytes = &literal.bytes()[i * size..(i + 1) * size];
    if dtype.is_complex() {
        let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
        let (re, im) = bytes.split_at(size / 2);
        return write!(f, "({}, {})", float::decode(part, re), float::decode(part, im));
    }
    if dtype.is_float() {
        return write!(f, "{}", float::decode(dtype, bytes));
    }
    match read_scalar(dtype, bytes) {
        Scalar::Pred(b) if alone => write!(f, "{b}"),
        Scalar::Pred(b) => write!(f, "{}", b as u8),
        Scalar::Signed(n) => write!(f, "{n}"),
        Scalar::Unsigned(n) => write!(f, "{n}"),
        Scalar::Float(x) => write!(f, "{x}"),
    }
}
