//! Shapes and layouts: `f32[2,<=8]{1,0:T(8)}`, `(s32[], pred[])`, `token[]`, `b(f32[2])`.

use crate::dtype::DType;
use crate::shape::{ArrayShape, Layout, Shape};
use crate::text::MAX_NESTING;
use crate::text::cursor::{Cursor, too_deep};
use crate::text::error::{Fault, Parsed};
use crate::text::nearest::nearest;
use std::ops::Range;

/// Reads a shape if one begins here; a name or an opcode is left alone.
pub(super) fn optional(cur: &mut Cursor<'_>) -> Parsed<Option<Shape>> {
    if cur.peek() == Some(b'(') || begins_leaf(cur) { shape(cur).map(Some) } else { Ok(None) }
}

/// The name of a type and `[`, or `b(`. A blank may stand between; other words before `[` count too if none
/// does, so that a misspelt type is reported as one.
fn begins_leaf(cur: &mut Cursor<'_>) -> bool {
    let mut ahead = cur.clone();
    match ahead.word() {
        Some("b") if ahead.byte() == Some(b'(') => true,
        Some(word) if ahead.byte() == Some(b'[') => !word.is_empty(),
        Some(word) => is_type(word) && ahead.peek() == Some(b'['),
        None => false,
    }
}

fn is_type(word: &str) -> bool {
    matches!(word, "token" | "opaque") || DType::from_name(word).is_some()
}

/// Reads a shape. Nested tuples are kept on a stack of their own, not on the call stack.
pub(super) fn shape(cur: &mut Cursor<'_>) -> Parsed<Shape> {
    enum Open {
        Tuple(Vec<Shape>),
        Buffer,
    }
    let mut open: Vec<Open> = Vec::new();
    loop {
        let mut done = if cur.eat(b'(') {
            if open.len() == MAX_NESTING {
                return Err(too_deep(cur.pos - 1));
            }
            if !cur.eat(b')') {
                open.push(Open::Tuple(Vec::new()));
                continue;
            }
            Shape::Tuple(Vec::new())
        } else if cur.eat_symbol("b(") {
            if open.len() == MAX_NESTING {
                return Err(too_deep(cur.pos - 1));
            }
            open.push(Open::Buffer);
            continue;
        } else {
            leaf(cur)?
        };
        // Close everything that ends here; go on with the next part of the innermost tuple.
        loop {
            match open.pop() {
                None => return Ok(done),
                Some(Open::Buffer) => {
                    cur.expect(b')', "after the shape of a buffer")?;
                    done = Shape::Buffer(Box::new(done));
                }
                Some(Open::Tuple(mut parts)) => {
                    parts.push(done);
                    if cur.eat(b',') {
                        open.push(Open::Tuple(parts));
                        break;
                    }
                    if !cur.eat(b')') {
                        return Err(cur.unexpected("`,` or `)` in a tuple shape"));
                    }
                    done = Shape::Tuple(parts);
                }
            }
        }
    }
}

/// Reads a shape that must be an array's.
fn leaf(cur: &mut Cursor<'_>) -> Parsed<Shape> {
    cur.blank();
    let start = cur.pos;
    let word = cur.identifier("a shape")?;
    let span = start..cur.pos;
    if matches!(word, "token" | "opaque") {
        cur.expect(b'[', "after the type")?;
        cur.expect(b']', "as this type has no dimensions")?;
        return Ok(if word == "token" { Shape::Token } else { Shape::Opaque });
    }
    let Some(dtype) = DType::from_name(word) else {
        return Err(unknown_type(word, span));
    };
    cur.expect(b'[', "after the element type")?;
    let mut array = ArrayShape::new(dtype, []);
    if !cur.eat(b']') {
        loop {
            dimension(cur, &mut array)?;
            if cur.eat(b']') {
                break;
            }
            if !cur.eat(b',') {
                return Err(cur.unexpected("`,` or `]` after a dimension"));
            }
        }
    }
    if !array.dynamic.contains(&true) {
        array.dynamic.clear();
    }
    array.layout = layout(cur, array.rank())?;
    Ok(Shape::Array(array))
}

/// A type that is misspelt, or that other systems have and this one does not.
fn unknown_type(word: &str, span: Range<usize>) -> Fault {
    if ["_g1", "_g2"].iter().any(|group| word.contains(group)) {
        return Fault::new(span, format!("`{word}` is a type of points on a curve, which are not supported"))
            .expected("a field, such as goldilocks");
    }
    let fault = Fault::new(span, format!("unknown element type `{word}`"));
    match nearest(word, DType::ALL.iter().map(|d| d.name())).filter(|_| word.len() > 4) {
        Some(name) => fault.expected(format!("perhaps {name}")),
        None => fault.expected(
            "pred, s4 to s64, u4 to u64, f16, bf16, f32, f64, an f8 type, c64, c128, a prime field such as babybear, \
             token or opaque",
        ),
    }
}

fn dimension(cur: &mut Cursor<'_>, array: &mut ArrayShape) -> Parsed<()> {
    if cur.peek() == Some(b'?') {
        let at = cur.pos;
        return Err(Fault::new(at..at + 1, "dimensions without a bound are not supported")
            .expected("a number, or a bound such as `<=8`"));
    }
    let bounded = cur.eat_symbol("<=");
    cur.blank();
    let start = cur.pos;
    if cur.byte().is_some_and(|b| b.is_ascii_alphabetic()) {
        let name = cur.identifier("a dimension")?;
        return Err(Fault::new(start..cur.pos, format!("the dimension `{name}` is no number"))
            .expected("its extent: shapes are known when a program is compiled"));
    }
    let extent = cur.int("a dimension")?;
    if extent < 0 {
        return Err(Fault::new(start..cur.pos, format!("the dimension {extent} is negative")));
    }
    array.dims.push(extent);
    array.dynamic.push(bounded);
    Ok(())
}

/// `{1,0:T(8,128)}`: a layout only if a digit or `:` follows the brace; otherwise the brace is not ours.
fn layout(cur: &mut Cursor<'_>, rank: usize) -> Parsed<Option<Layout>> {
    let mut ahead = cur.clone();
    if !ahead.eat(b'{') || !matches!(ahead.peek(), Some(b'0'..=b'9' | b':')) {
        return Ok(None);
    }
    *cur = ahead;
    let start = cur.pos - 1;
    let mut minor_to_major = Vec::new();
    while matches!(cur.peek(), Some(b'0'..=b'9')) {
        minor_to_major.push(cur.index("a dimension number")?);
        if !cur.eat(b',') {
            break;
        }
    }
    let rest = if cur.eat(b':') { layout_rest(cur)? } else { String::new() };
    cur.expect(b'}', "after a layout")?;
    let span = start..cur.pos;
    let mut seen = vec![false; rank];
    let orders = minor_to_major.iter().all(|&d| d < rank && !std::mem::replace(&mut seen[d], true));
    if !orders || minor_to_major.len() != rank {
        return Err(Fault::new(span, format!("this layout does not order {rank} dimensions"))
            .expected("each dimension number once, the fastest varying first"));
    }
    Ok(Some(Layout { minor_to_major, rest }))
}

/// Tiles, memory space and so on: kept as they stand, without blanks.
fn layout_rest(cur: &mut Cursor<'_>) -> Parsed<String> {
    let mut rest = String::new();
    while !matches!(cur.peek(), Some(b'}') | None) {
        let span = cur.value("a tile or memory space")?;
        rest.push_str(cur.text(span));
        if cur.eat(b',') {
            rest.push(',');
        }
    }
    if rest.is_empty() {
        return Err(cur.unexpected("a tile or memory space after `:`"));
    }
    Ok(rest)
}
