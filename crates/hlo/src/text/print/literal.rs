//! Literals as text.

use crate::dtype::{Algebra, Composite, DType, TypeKind};
use crate::literal::{Literal, Value};
use crate::scalar::Scalar;
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
    literal.elements() > SHORT
        && (1..literal.elements()).all(|i| literal.element_bytes(i).iter().all(|&b| b == 0))
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
    match literal.get(i) {
        Scalar::Pred(b) if alone => write!(f, "{b}"),
        _ => bytes(f, literal.dtype(), literal.element_bytes(i)),
    }
}

/// The element with these bytes, exactly: not-a-numbers with their payload.
fn bytes(f: &mut impl Write, dtype: DType, b: &[u8]) -> fmt::Result {
    match dtype.kind() {
        TypeKind::Pred => write!(f, "{}", b[0]),
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => match Scalar::read(dtype, b).as_i128() {
            Some(n) => write!(f, "{n}"),
            None => Err(fmt::Error),
        },
        TypeKind::Float(float) => write!(f, "{}", float::decode(float, b)),
        TypeKind::Field(_)
        | TypeKind::Composite(Composite { algebra: Algebra::Extension(_) | Algebra::Words(_), .. }) => {
            write!(f, "{}", Scalar::read(dtype, b))
        }
        TypeKind::Composite(Composite { part, algebra: Algebra::Complex }) => {
            let (re, im) = b.split_at(part.size());
            write!(f, "(")?;
            bytes(f, part, re)?;
            write!(f, ", ")?;
            bytes(f, part, im)?;
            write!(f, ")")
        }
    }
}
