//! Literals: scalars, nested braces, tuples, and `{...}` where the elements were left out.

use super::element;
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};

/// The most bytes that the arrays given by one scalar may have together.
const MAX_FILLED_BYTES: usize = 1 << 28;

/// Reads a literal of this shape. `None` where the text leaves out any of its elements. `filled` counts the
/// bytes that no text stands for.
pub(super) fn value(cur: &mut Cursor<'_>, shape: &Shape, filled: &mut usize) -> Parsed<Option<Value>> {
    match shape {
        Shape::Array(array) => Ok(self::array(cur, array, filled)?.map(Value::Array)),
        Shape::Tuple(parts) => tuple(cur, parts, filled),
        Shape::Buffer(inner) => value(cur, inner, filled),
        Shape::Token | Shape::Opaque => Err(cur.unexpected(format!("no literal: {shape} has none"))),
    }
}

/// Recursion is bounded by the shape, whose nesting is limited.
fn tuple(cur: &mut Cursor<'_>, shapes: &[Shape], filled: &mut usize) -> Parsed<Option<Value>> {
    if eat_elided(cur) {
        return Ok(None);
    }
    cur.expect(b'(', "to begin a tuple literal")?;
    let mut parts = Some(Vec::with_capacity(shapes.len()));
    for (i, shape) in shapes.iter().enumerate() {
        if i > 0 {
            cur.expect(b',', &format!("and {} more parts of the tuple", shapes.len() - i))?;
        }
        match (value(cur, shape, filled)?, &mut parts) {
            (Some(part), Some(parts)) => parts.push(part),
            _ => parts = None,
        }
    }
    cur.expect(b')', "to end a tuple literal")?;
    Ok(parts.map(Value::Tuple))
}

fn eat_elided(cur: &mut Cursor<'_>) -> bool {
    let mut ahead = cur.clone();
    let elided = ahead.eat(b'{') && ahead.eat_symbol("...") && ahead.eat(b'}');
    if elided {
        *cur = ahead;
    }
    elided
}

fn array(cur: &mut Cursor<'_>, shape: &ArrayShape, filled: &mut usize) -> Parsed<Option<Literal>> {
    if eat_elided(cur) {
        return Ok(None);
    }
    cur.blank();
    let start = cur.pos;
    let fault =
        |cur: &Cursor<'_>, what: &str| Fault::new(start..cur.pos, format!("{what} {shape} is too large"));
    let mut bytes = Vec::new();
    if shape.is_scalar() {
        element::element(cur, shape.dtype, &mut bytes)?;
    } else if cur.peek() == Some(b'{') {
        elements(cur, shape, &mut bytes)?;
    } else {
        // XLA reads one scalar as the first element and leaves the others zero.
        element::element(cur, shape.dtype, &mut bytes)?;
        match byte_size(shape) {
            Some(size) if size <= MAX_FILLED_BYTES - *filled => {
                *filled += size;
                bytes.resize(size, 0);
            }
            _ => return Err(fault(cur, "for one scalar,").expected("a broadcast of a scalar")),
        }
    }
    // Only where the extents are beyond all memory can the sizes differ.
    match byte_size(shape) {
        Some(size) if size == bytes.len() => Ok(Some(Literal::new(shape.clone(), bytes))),
        _ => Err(fault(cur, "a literal of")),
    }
}

/// Bytes of an array; `None` when the product of its extents (each counted as 1 at least) overflows.
fn byte_size(shape: &ArrayShape) -> Option<usize> {
    let size = shape.dims.iter().try_fold(shape.dtype.size() as i64, |n, &d| n.checked_mul(d.max(1)))?;
    if shape.dims.contains(&0) { Some(0) } else { usize::try_from(size).ok() }
}

/// The elements of an array of rank 1 or more, row-major. Open braces are counted on a stack of their own.
fn elements(cur: &mut Cursor<'_>, shape: &ArrayShape, bytes: &mut Vec<u8>) -> Parsed<()> {
    let dims = &shape.dims;
    let empty = dims.contains(&0);
    cur.expect(b'{', &format!("to begin a literal of {shape}"))?;
    let mut seen: Vec<i64> = vec![0];
    let mut after_item = false;
    while let Some(&count) = seen.last() {
        let extent = dims[seen.len() - 1];
        if (after_item || count == 0) && cur.eat(b'}') {
            // `{}` stands for any array without elements, whatever its other extents.
            if count != extent && !(empty && count == 0) {
                return Err(miscounted(cur.pos - 1, shape, seen.len() - 1, &format!("only {count}")));
            }
            seen.pop();
            after_item = true;
            continue;
        }
        if after_item && !cur.eat(b',') {
            return Err(cur.unexpected("`,` or `}`"));
        }
        if count == extent {
            cur.blank();
            return Err(miscounted(cur.pos, shape, seen.len() - 1, "more"));
        }
        *seen.last_mut().expect("the loop's condition") += 1;
        after_item = seen.len() == dims.len();
        if after_item {
            element::element(cur, shape.dtype, bytes)?;
        } else {
            cur.expect(b'{', &format!("to begin dimension {} of the literal", seen.len()))?;
            seen.push(0);
        }
    }
    Ok(())
}

fn miscounted(at: usize, shape: &ArrayShape, dim: usize, found: &str) -> Fault {
    let extent = shape.dims[dim];
    Fault::new(
        at..at + 1,
        format!("dimension {dim} of a literal of {shape} has {extent} elements, found {found}"),
    )
}
