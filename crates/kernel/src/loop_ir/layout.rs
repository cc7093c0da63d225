//! Where the arrays of a task lie.

use super::{Kernel, Local};
use std::collections::BTreeMap;

impl Kernel {
    /// Byte offset of each local in the task's private block, each aligned to 64, and the block's size.
    pub fn local_layout(&self) -> (Vec<i64>, i64) {
        self.layout(|_| None)
    }

    /// The same where those of different parts share memory: for tasks of one thread, since threads that share a task
    /// may be in different parts of it.
    pub fn shared_layout(&self) -> (Vec<i64>, i64) {
        self.layout(|l| l.part)
    }

    /// Locals of all parts first, then each part from there on.
    fn layout(&self, part: impl Fn(&Local) -> Option<u32>) -> (Vec<i64>, i64) {
        let bytes = |l: &Local| (l.len * l.elem.bytes() + 63) / 64 * 64;
        let common: i64 = self.locals.iter().filter(|l| part(l).is_none()).map(bytes).sum();
        let mut ends: BTreeMap<Option<u32>, i64> = BTreeMap::new();
        let mut place = |l: &Local| {
            let first = if part(l).is_none() { 0 } else { common };
            let end = ends.entry(part(l)).or_insert(first);
            *end += bytes(l);
            *end - bytes(l)
        };
        let offsets = self.locals.iter().map(&mut place).collect();
        (offsets, ends.into_values().max().unwrap_or(0))
    }
}
