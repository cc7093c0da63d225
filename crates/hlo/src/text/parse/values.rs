//! Attribute values: dimension lists, slices, paddings, windows, dimension labels, pairs.

use crate::attrs::{PadDim, SliceDim, Window, WindowDim};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use std::ops::Range;

/// `{0,2}`.
pub(super) fn dims(cur: &mut Cursor<'_>) -> Parsed<Vec<usize>> {
    cur.braced("to begin the dimensions", |c| c.index("a dimension number"))
}

/// `{d}`: exactly one dimension.
pub(super) fn one_dim(cur: &mut Cursor<'_>) -> Parsed<usize> {
    cur.blank();
    let start = cur.pos;
    match dims(cur)?[..] {
        [dim] => Ok(dim),
        _ => Err(Fault::new(start..cur.pos, "exactly one dimension stands here")),
    }
}

/// `{1,3}` of extents.
pub(super) fn sizes(cur: &mut Cursor<'_>) -> Parsed<Vec<i64>> {
    cur.braced("to begin the sizes", |c| c.int("a size"))
}

/// One size in braces.
pub(super) fn size(cur: &mut Cursor<'_>) -> Parsed<i64> {
    cur.blank();
    let start = cur.pos;
    match sizes(cur)?[..] {
        [one] => Ok(one),
        ref all => Err(Fault::new(start..cur.pos, format!("{} sizes, where one belongs", all.len()))),
    }
}

/// A number from 0 to 2^64 − 1.
pub(super) fn natural(cur: &mut Cursor<'_>) -> Parsed<u64> {
    cur.blank();
    let start = cur.pos;
    while cur.byte().is_some_and(|b| b.is_ascii_digit()) {
        cur.pos += 1;
    }
    let text = cur.text(start..cur.pos);
    text.parse().map_err(|_| Fault::new(start..cur.pos, format!("`{text}` is no number below 2^64")))
}

pub(super) fn index(cur: &mut Cursor<'_>) -> Parsed<usize> {
    cur.index("a number that is not negative")
}

pub(super) fn int(cur: &mut Cursor<'_>) -> Parsed<i64> {
    cur.int("an integer")
}

pub(super) fn bits(cur: &mut Cursor<'_>) -> Parsed<u32> {
    cur.blank();
    let start = cur.pos;
    let n = cur.index("a number of bits")?;
    u32::try_from(n).map_err(|_| Fault::new(start..cur.pos, format!("{n} bits are too many")))
}

pub(super) fn boolean(cur: &mut Cursor<'_>) -> Parsed<bool> {
    match cur.peek_word() {
        Some("true" | "1") => {
            cur.word();
            Ok(true)
        }
        Some("false" | "0") => {
            cur.word();
            Ok(false)
        }
        _ => Err(cur.unexpected("true or false")),
    }
}

/// A word that a table knows.
pub(super) fn one_of<T: Copy>(table: &[(&str, T)]) -> impl FnOnce(&mut Cursor<'_>) -> Parsed<T> {
    let names: Vec<&str> = table.iter().map(|(n, _)| *n).collect();
    let expected = names.join(", ");
    let table: Vec<(String, T)> = table.iter().map(|(n, v)| (n.to_string(), *v)).collect();
    move |cur| {
        let word = cur.peek_word().unwrap_or("");
        match table.iter().find(|(n, _)| n == word) {
            Some((_, value)) => {
                cur.word();
                Ok(*value)
            }
            None => Err(cur.unexpected(expected)),
        }
    }
}

/// The whole value as it stands.
pub(super) fn verbatim(cur: &mut Cursor<'_>) -> Parsed<String> {
    let span = cur.value("a value")?;
    Ok(cur.text(span).to_string())
}

/// The bits of a float.
pub(super) fn epsilon(cur: &mut Cursor<'_>) -> Parsed<u32> {
    let span = cur.value("a number")?;
    match cur.text(span.clone()).parse::<f32>() {
        Ok(f) if f.is_finite() => Ok(f.to_bits()),
        _ => Err(Fault::new(span, "no finite number")),
    }
}

/// `{[start:limit:stride], …}`; the stride may be left out.
pub(super) fn slices(cur: &mut Cursor<'_>) -> Parsed<Vec<SliceDim>> {
    cur.braced("to begin the slices", |c| {
        c.expect(b'[', "to begin a slice")?;
        let start = c.int("where the slice begins")?;
        c.expect(b':', "after the start of a slice")?;
        let limit = c.int("where the slice ends")?;
        let stride = if c.eat(b':') { c.int("the stride")? } else { 1 };
        c.expect(b']', "to end a slice")?;
        Ok(SliceDim { start, limit, stride })
    })
}

/// `low_high_interior x …`, without blanks; the interior may be left out.
pub(super) fn paddings(cur: &mut Cursor<'_>) -> Parsed<Vec<PadDim>> {
    by_x(cur, |c| {
        let (low, high) = low_high(c)?;
        let interior = if c.eat_here(b'_') { c.int_here("the interior padding")? } else { 0 };
        Ok(PadDim { low, high, interior })
    })
}

fn low_high(cur: &mut Cursor<'_>) -> Parsed<(i64, i64)> {
    let low = cur.int_here("the low padding")?;
    if !cur.eat_here(b'_') {
        return Err(cur.unexpected("`_` and the high padding"));
    }
    Ok((low, cur.int_here("the high padding")?))
}

/// One or more of what `item` reads, with `x` between them.
fn by_x<'t, T>(cur: &mut Cursor<'t>, mut item: impl FnMut(&mut Cursor<'t>) -> Parsed<T>) -> Parsed<Vec<T>> {
    cur.blank();
    let mut out = vec![item(cur)?];
    while cur.eat_here(b'x') {
        out.push(item(cur)?);
    }
    Ok(out)
}

/// `{size=2x2 stride=1x2 pad=0_1x0_0 lhs_dilate=… rhs_dilate=… rhs_reversal=…}`.
pub(super) fn window(cur: &mut Cursor<'_>) -> Parsed<Window> {
    cur.blank();
    let start = cur.pos;
    let mut fields = Vec::new();
    cur.expect(b'{', "to begin the window")?;
    while !cur.eat(b'}') {
        let (key, span) = key(cur)?;
        if fields.iter().any(|(k, _, _)| *k == key) {
            return Err(Fault::new(span, format!("a second `{key}=`")));
        }
        let numbers: Vec<(i64, i64)> = if key == "pad" {
            by_x(cur, low_high)?
        } else {
            by_x(cur, |c| Ok((c.int_here("a number")?, 0)))?
        };
        fields.push((key, span, numbers));
        cur.eat(b',');
    }
    let span = start..cur.pos;
    let rank = fields.iter().find(|(k, _, _)| *k == "size").map_or(0, |(_, _, n)| n.len());
    let mut window = vec![WindowDim::of_size(1); rank];
    for (key, key_span, numbers) in fields {
        if numbers.len() != rank {
            let message = format!("`{key}` has {} dimensions, `size` has {rank}", numbers.len());
            return Err(Fault::new(key_span, message));
        }
        for (dim, (a, b)) in window.iter_mut().zip(numbers) {
            match key {
                "size" => dim.size = a,
                "stride" => dim.stride = a,
                "pad" => (dim.pad_low, dim.pad_high) = (a, b),
                "lhs_dilate" => dim.base_dilation = a,
                "rhs_dilate" => dim.window_dilation = a,
                "rhs_reversal" => dim.reversal = a != 0,
                _ => {
                    return Err(Fault::new(key_span, format!("a window has no `{key}`"))
                        .expected("size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal"));
                }
            }
        }
    }
    match window.iter().find(|d| d.size < 0 || d.stride < 1 || d.base_dilation < 1 || d.window_dilation < 1) {
        Some(_) => Err(Fault::new(span, "a window needs sizes from 0, and strides and dilations from 1")),
        None => Ok(window),
    }
}

/// `key=`.
pub(super) fn key<'t>(cur: &mut Cursor<'t>) -> Parsed<(&'t str, Range<usize>)> {
    cur.blank();
    let start = cur.pos;
    let key = cur.identifier("a key or `}`")?;
    let span = start..cur.pos;
    cur.expect(b'=', "after the key")?;
    Ok((key, span))
}

/// `{key=value key=value}`, commas between them or not; keys may be quoted.
pub(super) fn pairs(cur: &mut Cursor<'_>) -> Parsed<Vec<(String, String)>> {
    let mut out = Vec::new();
    cur.expect(b'{', "to begin the keys and values")?;
    while !cur.eat(b'}') {
        let name = match cur.peek() {
            Some(b'"') => {
                let name = cur.string()?;
                cur.expect(b'=', "after the key")?;
                name
            }
            _ => key(cur)?.0,
        };
        let value = cur.value("a value")?;
        out.push((name.to_string(), cur.text(value).to_string()));
        cur.eat(b',');
    }
    Ok(out)
}

/// The labels of one operand of a convolution: the places of two letters and of the spatial digits.
pub(super) struct Labels {
    pub first: usize,
    pub second: usize,
    pub spatial: Vec<usize>,
}

/// `b01f_01io->b01f`: input, kernel and output.
pub(super) fn dim_labels(cur: &mut Cursor<'_>) -> Parsed<[Labels; 3]> {
    let input = labels(cur, b'b', b'f')?;
    if !cur.eat_here(b'_') {
        return Err(cur.unexpected("`_` and the labels of the kernel"));
    }
    let kernel = labels(cur, b'i', b'o')?;
    if !cur.eat_symbol("->") {
        return Err(cur.unexpected("`->` and the labels of the output"));
    }
    Ok([input, kernel, labels(cur, b'b', b'f')?])
}

fn labels(cur: &mut Cursor<'_>, first: u8, second: u8) -> Parsed<Labels> {
    let start = cur.pos;
    let (mut a, mut b) = (None, None);
    let mut spatial: Vec<Option<usize>> = Vec::new();
    while let Some(byte) = cur.byte() {
        let place = cur.pos - start;
        let slot = match byte {
            _ if byte == first => &mut a,
            _ if byte == second => &mut b,
            b'0'..=b'9' => {
                let n = (byte - b'0') as usize;
                if spatial.len() <= n {
                    spatial.resize(n + 1, None);
                }
                &mut spatial[n]
            }
            _ => break,
        };
        if slot.replace(place).is_some() {
            return Err(Fault::new(cur.pos..cur.pos + 1, format!("a second `{}`", byte as char)));
        }
        cur.pos += 1;
    }
    let spatial: Option<Vec<usize>> = spatial.into_iter().collect();
    match (a, b, spatial) {
        (Some(first), Some(second), Some(spatial)) => Ok(Labels { first, second, spatial }),
        _ => {
            let (a, b) = (first as char, second as char);
            let message = format!("dimension labels need `{a}`, `{b}`, and digits from 0 without gaps");
            Err(Fault::new(start..cur.pos.max(start + 1), message))
        }
    }
}
