//! How much crosses from one part of an order to the next, were it cut there.

use lawson_hlo::{Computation, InstrId};
use rustc_hash::FxHashMap;

/// For each position of an order of maps over the same elements, the end included, the bytes of an element of each value
/// that is made before it and used from there on.
pub fn crossing(comp: &Computation, users: &[Vec<InstrId>], order: &[InstrId]) -> Vec<i64> {
    let position: FxHashMap<InstrId, usize> = order.iter().enumerate().map(|(n, &id)| (id, n)).collect();
    let mut change = vec![0i64; order.len() + 1];
    for (n, id) in order.iter().enumerate() {
        if let Some(last) = users[id.index()].iter().filter_map(|u| position.get(u)).max() {
            let bytes = comp[*id].shape.as_array().map_or(0, |a| a.dtype.size() as i64);
            change[n + 1] += bytes;
            change[last + 1] -= bytes;
        }
    }
    let mut alive = 0;
    let running = change.iter().map(|c| {
        alive += c;
        alive
    });
    running.collect()
}
