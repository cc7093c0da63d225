//! The order of reductions in `strict` numerics, and that of sorts. This file is the rule; code generation mirrors it.
//!
//! A reduction combines elements k = 0 … n−1, where k is the row-major index over the reduced dimensions, in
//! operand order. Which of two orders applies depends on the operand's logical shape alone:
//!
//! - **Columns** (the operand's last dimension is kept): chunks of 256 consecutive k, each folded left to
//!   right, beginning with its first element.
//! - **Rows** (the last dimension is among the reduced ones): chunks of 4096 consecutive k, each in 64 lanes.
//!   Lane j folds the elements with k ≡ j (mod 64) in increasing k; then for h = 32, 16, 8, 4, 2, 1 lane j < h
//!   becomes combine(lane j, lane j+h). A lane without elements is absent: combining with it changes nothing.
//!
//! Chunk results join by adjacent pairs, (c0 c1) (c2 c3) …, an odd last one passing on as it is, again and again
//! until one is left. The initial value comes in once, last, as combine(init, total). A reduction of nothing is
//! init. combine(a, b) has the earlier element on the left; variadic reducers combine tuples of elements.

/// Length of a chunk in the order for columns.
pub const COLUMN_CHUNK: usize = 256;
/// Length of a chunk in the order for rows.
pub const ROW_CHUNK: usize = 4096;
/// Number of lanes of a chunk in the order for rows.
pub const LANES: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReductionOrder {
    MinorKept,
    MinorReduced,
}

impl ReductionOrder {
    /// The order of a reduction of `dims` of an operand of that rank.
    pub fn of(rank: usize, dims: &[usize]) -> ReductionOrder {
        if rank > 0 && dims.contains(&(rank - 1)) {
            ReductionOrder::MinorReduced
        } else {
            ReductionOrder::MinorKept
        }
    }
}

/// Combines `init` and elements `0..n` in the given order.
pub fn fold<T: Clone, E>(
    order: ReductionOrder,
    n: usize,
    init: T,
    mut element: impl FnMut(usize) -> T,
    mut combine: impl FnMut(T, T) -> Result<T, E>,
) -> Result<T, E> {
    match order {
        ReductionOrder::MinorKept => {
            let mut partials: Vec<T> = Vec::new();
            for start in (0..n).step_by(COLUMN_CHUNK) {
                let mut acc = element(start);
                for k in start + 1..n.min(start + COLUMN_CHUNK) {
                    acc = combine(acc, element(k))?;
                }
                partials.push(acc);
            }
            with_init(init, partials, combine)
        }
        ReductionOrder::MinorReduced => fold_rows((LANES, ROW_CHUNK), n, init, element, combine),
    }
}

/// The order for rows with so many lanes, a power of two, in chunks of so many elements: what devices whose threads share a row may take for it outside of
/// `strict`.
pub fn fold_rows<T: Clone, E>(
    (count, chunk): (usize, usize),
    n: usize,
    init: T,
    mut element: impl FnMut(usize) -> T,
    mut combine: impl FnMut(T, T) -> Result<T, E>,
) -> Result<T, E> {
    let mut partials: Vec<T> = Vec::new();
    let mut lanes: Vec<T> = Vec::with_capacity(count);
    for start in (0..n).step_by(chunk) {
        let end = n.min(start + chunk);
        lanes.clear();
        lanes.extend((start..end.min(start + count)).map(&mut element));
        for k in start + count..end {
            let j = (k - start) % count;
            lanes[j] = combine(lanes[j].clone(), element(k))?;
        }
        partials.push(halve(&mut lanes, count, &mut combine)?);
    }
    with_init(init, partials, combine)
}

/// The results of chunks, joined, after the initial value.
fn with_init<T: Clone, E>(
    init: T,
    partials: Vec<T>,
    mut combine: impl FnMut(T, T) -> Result<T, E>,
) -> Result<T, E> {
    match join(partials, &mut combine)? {
        Some(total) => combine(init, total),
        None => Ok(init),
    }
}

/// The stable order of `0..n` under `less`: a merge sort that moves an element forward only past those it is less than.
/// A comparator that contradicts itself gives some permutation.
pub fn sorted<E>(n: usize, mut less: impl FnMut(usize, usize) -> Result<bool, E>) -> Result<Vec<usize>, E> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut merged: Vec<usize> = Vec::with_capacity(n);
    let mut width = 1;
    while width < n {
        merged.clear();
        for start in (0..n).step_by(2 * width) {
            let (middle, end) = (n.min(start + width), n.min(start + 2 * width));
            let (mut left, mut right) = (start, middle);
            while left < middle && right < end {
                if less(order[right], order[left])? {
                    merged.push(order[right]);
                    right += 1;
                } else {
                    merged.push(order[left]);
                    left += 1;
                }
            }
            merged.extend_from_slice(&order[left..middle]);
            merged.extend_from_slice(&order[right..end]);
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Ok(order)
}

/// Reduces the present lanes (those below `lanes.len()`, at least one, of `count`) to one.
fn halve<T: Clone, E>(
    lanes: &mut [T],
    count: usize,
    combine: &mut impl FnMut(T, T) -> Result<T, E>,
) -> Result<T, E> {
    let mut present = lanes.len();
    let mut h = count / 2;
    while h > 0 {
        for j in 0..present.saturating_sub(h) {
            lanes[j] = combine(lanes[j].clone(), lanes[j + h].clone())?;
        }
        present = present.min(h);
        h /= 2;
    }
    Ok(lanes[0].clone())
}

/// Joins chunk results by adjacent pairs until one is left; `None` of none.
fn join<T: Clone, E>(
    mut partials: Vec<T>,
    combine: &mut impl FnMut(T, T) -> Result<T, E>,
) -> Result<Option<T>, E> {
    while partials.len() > 1 {
        let pairs = partials.len() / 2;
        for p in 0..pairs {
            partials[p] = combine(partials[2 * p].clone(), partials[2 * p + 1].clone())?;
        }
        if partials.len() % 2 == 1 {
            partials.swap(pairs, 2 * pairs);
            partials.truncate(pairs + 1);
        } else {
            partials.truncate(pairs);
        }
    }
    Ok(partials.pop())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The shape of the combination as text: `(a b)` for combine(a, b).
    fn text(order: ReductionOrder, n: usize) -> String {
        let pair = |a: String, b: String| Ok::<_, Infallible>(format!("({a} {b})"));
        let Ok(s) = fold(order, n, "i".to_string(), |k| k.to_string(), pair);
        s
    }

    #[test]
    fn nothing_gives_init() {
        assert_eq!(text(ReductionOrder::MinorKept, 0), "i");
        assert_eq!(text(ReductionOrder::MinorReduced, 0), "i");
    }

    #[test]
    fn columns_fold_left_to_right_with_init_last() {
        assert_eq!(text(ReductionOrder::MinorKept, 1), "(i 0)");
        assert_eq!(text(ReductionOrder::MinorKept, 4), "(i (((0 1) 2) 3))");
    }

    #[test]
    fn rows_halve_the_lanes_that_are_present() {
        // Three lanes: h = 2 joins 0 with 2, h = 1 joins that with 1.
        assert_eq!(text(ReductionOrder::MinorReduced, 3), "(i ((0 2) 1))");
        assert_eq!(text(ReductionOrder::MinorReduced, 5), "(i (((0 4) 2) (1 3)))");
        // 66 elements: lanes 0 and 1 hold two each.
        let s = text(ReductionOrder::MinorReduced, 66);
        assert!(s.starts_with("(i (((((((0 64) 32) (16 48)) "), "{s}");
        assert!(s.contains("((1 65) 33)"), "{s}");
    }

    #[test]
    fn chunks_join_by_adjacent_pairs() {
        // Five chunks, the last of one element: ((c0 c1) (c2 c3)) c4.
        let s = text(ReductionOrder::MinorKept, 4 * COLUMN_CHUNK + 1);
        let fold = |c: usize| {
            let first = (c * COLUMN_CHUNK).to_string();
            (c * COLUMN_CHUNK + 1..(c + 1) * COLUMN_CHUNK).fold(first, |a, k| format!("({a} {k})"))
        };
        let expected = format!("(i ((({} {}) ({} {})) 1024))", fold(0), fold(1), fold(2), fold(3));
        assert_eq!(s, expected);
    }

    #[test]
    fn the_minor_dimension_decides() {
        assert_eq!(ReductionOrder::of(2, &[0]), ReductionOrder::MinorKept);
        assert_eq!(ReductionOrder::of(2, &[1]), ReductionOrder::MinorReduced);
        assert_eq!(ReductionOrder::of(3, &[2, 0]), ReductionOrder::MinorReduced);
        assert_eq!(ReductionOrder::of(0, &[]), ReductionOrder::MinorKept);
    }
}
