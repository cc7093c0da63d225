//! How large and how deep shapes may be, so that no later stage overflows a number or the stack.

use crate::shape::{ArrayShape, MAX_ELEMENTS, Shape};

/// How deep tuples, and how deep calls, may nest.
pub const MAX_NESTING: usize = 1000;

/// How many parts a tuple shape may have in all.
pub const MAX_PARTS: usize = 1 << 16;

/// Refuses shapes that are too large or not well formed.
pub(crate) fn shape(shape: &Shape) -> Result<(), String> {
    if let Shape::Array(a) = shape {
        return array(a);
    }
    nesting([shape])?;
    shape.leaves().into_iter().try_for_each(array)
}

/// Refuses values with too many parts in all, or too deep a nesting: the shapes of a tuple's operands, before it is
/// made. (Sixty lines of text can state a tuple of 2^60 parts.)
pub(crate) fn nesting<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Result<(), String> {
    // Not recursive: the nesting is what is being checked.
    let mut work: Vec<(&Shape, usize)> = Vec::new();
    let mut parts = 0;
    for shape in shapes {
        work.push((shape, 0));
        while let Some((shape, depth)) = work.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                return Err(format!("has a tuple of more than {MAX_PARTS} parts"));
            }
            if depth >= MAX_NESTING {
                return Err(format!("has tuples nested more than {MAX_NESTING} deep"));
            }
            match shape {
                Shape::Tuple(inner) => work.extend(inner.iter().map(|s| (s, depth + 1))),
                Shape::Buffer(inner) => work.push((inner, depth + 1)),
                Shape::Array(_) | Shape::Token | Shape::Opaque => {}
            }
        }
    }
    Ok(())
}

fn array(a: &ArrayShape) -> Result<(), String> {
    if a.dims.iter().any(|&d| d < 0) {
        return Err(format!("has a negative dimension: {a}"));
    }
    // Empty dimensions count as one: nobody has to look for them before multiplying the others.
    let volume = a.dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d.max(1)));
    if volume.is_none_or(|n| n > MAX_ELEMENTS) {
        return Err(format!("has more than 2^{} elements: {a}", MAX_ELEMENTS.ilog2()));
    }
    if !a.dynamic.is_empty() && a.dynamic.len() != a.rank() {
        return Err(format!("does not say of each dimension whether it is dynamic: {a}"));
    }
    match &a.layout {
        Some(layout) if !is_permutation(&layout.minor_to_major, a.rank()) => {
            Err(format!("has a layout that does not order its {} dimensions: {a}", a.rank()))
        }
        _ => Ok(()),
    }
}

fn is_permutation(order: &[usize], n: usize) -> bool {
    let mut seen = vec![false; n];
    order.len() == n && order.iter().all(|&d| d < n && !std::mem::replace(&mut seen[d], true))
}
