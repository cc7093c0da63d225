//! Vectors whose elements take turns in memory: element `j` of vector `k` of `n` goes to place `n · j + k`.
//!
//! Written one by one they would be `n` scatters. Shuffles put them in the order of memory first, so that whole vectors are
//! stored: one round for each factor of two (as an odd-even merge), and `m − 1` shuffles for each vector of an odd factor `m`.
//! Loaded the other way round, for powers of two.

use super::emit::Emit;
use crate::loop_ir::{Op, V};

/// The vectors in the order of memory.
pub(super) fn interleaved(cx: &mut Emit<'_>, vectors: &[V]) -> Vec<V> {
    let lanes = cx.b.ty_of(vectors[0]).lanes as usize;
    match vectors.len() {
        1 => vectors.to_vec(),
        n if n.is_multiple_of(2) => {
            let half = |first: usize| vectors.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
            let (even, odd) = (interleaved(cx, &half(0)), interleaved(cx, &half(1)));
            even.into_iter().zip(odd).flat_map(|(a, b)| pair(cx, a, b, lanes)).collect()
        }
        n => (0..n).map(|k| gathered(cx, vectors, (k * lanes, lanes))).collect(),
    }
}

/// The vectors whose elements take turns in these, which are in the order of memory; their number is a power of two.
pub(super) fn deinterleaved(cx: &mut Emit<'_>, vectors: &[V]) -> Vec<V> {
    if vectors.len() < 2 {
        return vectors.to_vec();
    }
    let lanes = cx.b.ty_of(vectors[0]).lanes;
    let [even, odd] = [0, 1].map(|first| {
        let every_second: Vec<u32> = (0..lanes).map(|lane| 2 * lane + first).collect();
        let shuffle = |pair: &[V; 2]| Op::Shuffle { a: pair[0], b: pair[1], lanes: every_second.clone() };
        let half: Vec<V> = vectors.as_chunks::<2>().0.iter().map(|pair| cx.b.op(shuffle(pair))).collect();
        deinterleaved(cx, &half)
    });
    even.into_iter().zip(odd).flat_map(|(a, b)| [a, b]).collect()
}

/// The elements of two vectors in turn, as two vectors.
fn pair(cx: &mut Emit<'_>, a: V, b: V, lanes: usize) -> [V; 2] {
    [0, lanes / 2].map(|first| {
        let of = |k: usize| if k.is_multiple_of(2) { first + k / 2 } else { lanes + first + k / 2 };
        cx.b.op(Op::Shuffle { a, b, lanes: (0..lanes).map(|k| of(k) as u32).collect() })
    })
}

/// The vector of places `first` to `first + lanes`.
fn gathered(cx: &mut Emit<'_>, vectors: &[V], (first, lanes): (usize, usize)) -> V {
    let n = vectors.len();
    let mut merged = vectors[0];
    for (k, &b) in vectors.iter().enumerate().skip(1) {
        // Lanes of vectors up to `k` are in place afterwards; the first round puts those of vector 0 in place too.
        let of = |lane: usize| {
            let (vector, element) = ((first + lane) % n, (first + lane) / n);
            match vector {
                v if v == k => lanes + element,
                0 if k == 1 => element,
                _ => lane,
            }
        };
        let order = (0..lanes).map(|lane| of(lane) as u32).collect();
        merged = cx.b.op(Op::Shuffle { a: merged, b, lanes: order });
    }
    merged
}
