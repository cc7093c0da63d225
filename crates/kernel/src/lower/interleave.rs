//! Vectors whose elements take turns in memory: element `j` of vector `k` of `n` goes to place `n · j + k`.
//!
//! Written one by one they would be `n` scatters. Shuffles put them in the order of memory first, so that whole vectors are
//! stored: a round for each prime factor `p` of `n`. Loaded the other way round.
//!
//! Of two vectors each result is one shuffle of both. An odd number of them has no factor in common with the lanes, so that what
//! one result takes of all vectors lies in different lanes: `p − 1` choices between two vectors lane by lane, which processors do
//! faster than shuffles of two vectors, and one shuffle of one.

use super::emit::Emit;
use crate::loop_ir::{Op, V};
use crate::plan::least_factor;

/// Of so many vectors a result is taken by shuffles of two: choosing first was measured to take a fifth longer.
const FEW: usize = 3;

/// The vectors in the order of memory.
pub(super) fn interleaved(cx: &mut Emit<'_>, vectors: &[V]) -> Vec<V> {
    let p = least_factor(vectors.len());
    if p == vectors.len() {
        return merged(cx, vectors);
    }
    let every = |first: usize| vectors.iter().skip(first).step_by(p).copied().collect::<Vec<_>>();
    let parts: Vec<Vec<V>> = (0..p).map(|first| interleaved(cx, &every(first))).collect();
    (0..vectors.len() / p)
        .flat_map(|n| merged(cx, &parts.iter().map(|part| part[n]).collect::<Vec<_>>()))
        .collect()
}

/// The vectors whose elements take turns in these, which are in the order of memory.
pub(super) fn deinterleaved(cx: &mut Emit<'_>, vectors: &[V]) -> Vec<V> {
    let (n, p) = (vectors.len(), least_factor(vectors.len()));
    if n < 2 {
        return vectors.to_vec();
    }
    let lanes = cx.b.ty_of(vectors[0]).lanes as usize;
    let mut parts = Vec::new();
    for first in 0..p {
        // Every `p`-th element, of `p` vectors at a time.
        let of = |lane: usize| ((lane * p + first) / lanes, (lane * p + first) % lanes);
        let part: Vec<V> = vectors.chunks(p).map(|group| picked(cx, group, of)).collect();
        parts.push(deinterleaved(cx, &part));
    }
    (0..n).map(|k| parts[k % p][k / p]).collect()
}

/// The elements of some vectors in turn, as as many vectors.
fn merged(cx: &mut Emit<'_>, vectors: &[V]) -> Vec<V> {
    let (n, lanes) = (vectors.len(), cx.b.ty_of(vectors[0]).lanes as usize);
    if n == 2 {
        let place = |first: usize| move |lane: usize| ((first + lane) % n, (first + lane) / n);
        return (0..n).map(|k| shuffled(cx, vectors, place(k * lanes))).collect();
    }
    // Element `j` of vector `k` to the lane in which it is in whichever result has it.
    let mut placed = Vec::new();
    for (k, &v) in vectors.iter().enumerate() {
        let mut order = vec![0; lanes];
        (0..lanes).for_each(|j| order[(n * j + k) % lanes] = j as u32);
        placed.push(cx.b.op(Op::Shuffle { a: v, b: v, lanes: order }));
    }
    (0..n).map(|k| chosen(cx, &placed, |lane| (k * lanes + lane) % n)).collect()
}

/// A vector of elements of others, an odd number of vectors or two: `of` gives for each lane the vector and the element.
fn picked(cx: &mut Emit<'_>, vectors: &[V], of: impl Fn(usize) -> (usize, usize)) -> V {
    let lanes = cx.b.ty_of(vectors[0]).lanes as usize;
    if vectors.len() <= FEW {
        return shuffled(cx, vectors, of);
    }
    let mut source = vec![0; lanes];
    (0..lanes).map(&of).for_each(|(vector, element)| source[element] = vector);
    let a = chosen(cx, vectors, |lane| source[lane]);
    cx.b.op(Op::Shuffle { a, b: a, lanes: (0..lanes).map(|lane| of(lane).1 as u32).collect() })
}

/// The same by shuffles of two vectors, one less than vectors.
fn shuffled(cx: &mut Emit<'_>, vectors: &[V], of: impl Fn(usize) -> (usize, usize)) -> V {
    let lanes = cx.b.ty_of(vectors[0]).lanes as usize;
    let mut merged = vectors[0];
    for (k, &b) in vectors.iter().enumerate().skip(1) {
        // Lanes of vectors up to `k` are in place afterwards; the first round puts those of vector 0 in place too.
        let from = |lane: usize| match of(lane) {
            (vector, element) if vector == k => lanes + element,
            (0, element) if k == 1 => element,
            _ => lane,
        };
        let order = (0..lanes).map(|lane| from(lane) as u32).collect();
        merged = cx.b.op(Op::Shuffle { a: merged, b, lanes: order });
    }
    merged
}

/// Each lane of the vector that `of` gives for it.
fn chosen(cx: &mut Emit<'_>, vectors: &[V], of: impl Fn(usize) -> usize) -> V {
    let lanes = cx.b.ty_of(vectors[0]).lanes as usize;
    let mut merged = vectors[0];
    for (k, &b) in vectors.iter().enumerate().skip(1) {
        let from = |lane: usize| if of(lane) == k { lanes + lane } else { lane };
        let order = (0..lanes).map(|lane| from(lane) as u32).collect();
        merged = cx.b.op(Op::Shuffle { a: merged, b, lanes: order });
    }
    merged
}
