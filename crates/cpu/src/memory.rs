//! Buffers: aligned bytes for arguments, results and arenas, reused so that steady-state runs touch no fresh pages.
//!
//! Fresh pages cost several times what writing them does. Freed large blocks are kept and handed out again; used and
//! kept memory together never exceed the most that was in use at once. Every byte of a buffer is initialised, but
//! its first content is unspecified.

use crate::mapping::{Mapping, PAGE};
use std::alloc::Layout;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Alignment of every buffer: a cache line, and the widest vector.
pub const ALIGN: usize = 64;

#[derive(Debug, thiserror::Error)]
#[error("out of memory: {bytes} bytes")]
pub struct OutOfMemory {
    pub bytes: usize,
}

/// Owned bytes, aligned to [`ALIGN`], from 2 MiB on to 2 MiB. Dropped memory goes back to the pool.
pub struct Buffer {
    base: NonNull<u8>,
    len: usize,
    /// The block a large buffer lives in; a small one is on the heap.
    block: Option<Mapping>,
}

// SAFETY: a buffer owns plain bytes.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// `len` bytes of unspecified content.
    pub fn new(len: usize) -> Result<Buffer, OutOfMemory> {
        if len < PAGE {
            return Buffer::on_heap(len);
        }
        let block = pool().take(len).ok_or(OutOfMemory { bytes: len })?;
        let base = NonNull::new(block.base()).ok_or(OutOfMemory { bytes: len })?;
        Ok(Buffer { base, len, block: Some(block) })
    }

    /// A buffer with this content.
    pub fn from_slice(bytes: &[u8]) -> Result<Buffer, OutOfMemory> {
        let mut buffer = Buffer::new(bytes.len())?;
        buffer.copy_from_slice(bytes);
        Ok(buffer)
    }

    fn on_heap(len: usize) -> Result<Buffer, OutOfMemory> {
        // SAFETY: the layout's size is not 0.
        let base = unsafe { std::alloc::alloc_zeroed(heap_layout(len)) };
        let base = NonNull::new(base).ok_or(OutOfMemory { bytes: len })?;
        Ok(Buffer { base, len, block: None })
    }
}

/// Whole cache lines, so that writing a buffer never shares a line with its neighbour.
fn heap_layout(len: usize) -> Layout {
    Layout::from_size_align(len.max(1).next_multiple_of(ALIGN), ALIGN).expect("a small size")
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match self.block.take() {
            Some(block) => pool().give(block),
            // SAFETY: allocated with this layout in `on_heap`.
            None => unsafe { std::alloc::dealloc(self.base.as_ptr(), heap_layout(self.len)) },
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `len` initialised bytes this value owns.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: `len` initialised bytes this value owns, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), self.len) }
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes)", self.len)
    }
}

/// Bytes of large blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub used: usize,
    /// Free, kept for reuse.
    pub kept: usize,
    /// The most in use at once so far.
    pub peak: usize,
}

pub fn stats() -> Stats {
    pool().stats
}

/// Returns all kept memory to the system.
pub fn trim() {
    let mut pool = pool();
    pool.stats.kept = 0;
    pool.free.clear();
}

#[derive(Default)]
struct Pool {
    /// Oldest first.
    free: VecDeque<Mapping>,
    stats: Stats,
}

static POOL: Mutex<Pool> =
    Mutex::new(Pool { free: VecDeque::new(), stats: Stats { used: 0, kept: 0, peak: 0 } });

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// A block of at least `len` bytes, and at most an eighth more.
    fn take(&mut self, len: usize) -> Option<Mapping> {
        let fits = |m: &&Mapping| m.len() >= len && m.len() <= (len + len / 8).next_multiple_of(PAGE);
        let best = self.free.iter().rev().filter(fits).map(Mapping::len).min();
        if let Some(at) = self.free.iter().rposition(|m| Some(m.len()) == best) {
            let block = self.free.remove(at)?;
            self.stats.kept -= block.len();
            self.count(block.len());
            return Some(block);
        }
        let rounded = len.checked_next_multiple_of(PAGE)?;
        let used = self.stats.used.checked_add(rounded)?;
        while used.saturating_add(self.stats.kept) > self.stats.peak
            && let Some(oldest) = self.free.pop_front()
        {
            self.stats.kept -= oldest.len();
        }
        let block = Mapping::new(len).ok()?;
        self.count(block.len());
        Some(block)
    }

    fn count(&mut self, bytes: usize) {
        self.stats.used += bytes;
        self.stats.peak = self.stats.peak.max(self.stats.used);
    }

    fn give(&mut self, block: Mapping) {
        self.stats.used -= block.len();
        self.stats.kept += block.len();
        self.free.push_back(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_hold_their_bytes() {
        for len in [0, 1, 63, 64, 4096, PAGE, PAGE + 1, (2 << 20) + 5] {
            let mut b = Buffer::new(len).unwrap();
            assert_eq!(b.len(), len);
            assert_eq!(b.as_ptr() as usize % ALIGN, 0);
            if len >= 2 << 20 {
                assert_eq!(b.as_ptr() as usize % (2 << 20), 0);
            }
            b.fill(7);
            assert_eq!(Buffer::from_slice(&b).unwrap()[..], b[..]);
        }
        assert!(Buffer::new(1 << 60).is_err());
    }

    #[test]
    fn blocks_are_reused_within_the_peak() {
        let mut pool = Pool::default();
        let a = pool.take(1 << 20).unwrap();
        let (at, len) = (a.base(), a.len());
        pool.give(a);
        let b = pool.take((1 << 20) - 100).unwrap();
        assert_eq!(b.base(), at);
        assert!(pool.free.is_empty());
        // Too different in size: the kept block goes before used and kept exceed the peak.
        pool.give(b);
        let c = pool.take(1 << 19).unwrap();
        assert_eq!(pool.stats, Stats { used: 1 << 19, kept: 0, peak: len });
        pool.give(c);
        let d = pool.take(1 << 18).unwrap();
        assert_eq!(pool.stats, Stats { used: 1 << 18, kept: 1 << 19, peak: len });
        drop(d);
    }
}
