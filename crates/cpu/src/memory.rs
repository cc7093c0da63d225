//! Buffers: aligned bytes for arguments, results and arenas, reused so that steady-state runs touch no fresh pages.
//!
//! Fresh pages cost several times what writing them does. Freed blocks are kept and handed out again: large ones, which
//! are mapped, by size, small ones, which are on the heap, by size class. Used and kept memory together never exceed the
//! most that was in use at once (of each size class). Every byte of a buffer is initialised, but its first content is
//! unspecified.

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
    /// Taken only when it is dropped.
    block: Option<Block>,
}

/// What a buffer lives in.
enum Block {
    Mapped(Mapping),
    Heap(Small),
}

// SAFETY: a buffer owns plain bytes.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// `len` bytes of unspecified content.
    pub fn new(len: usize) -> Result<Buffer, OutOfMemory> {
        let failed = OutOfMemory { bytes: len };
        let (base, block) = if len < PAGE {
            let block = pool().take_small(Small::class(len)).ok_or(failed)?;
            (Some(block.base), Block::Heap(block))
        } else {
            let block = pool().take(len).ok_or(failed)?;
            (NonNull::new(block.base()), Block::Mapped(block))
        };
        Ok(Buffer { base: base.ok_or(OutOfMemory { bytes: len })?, len, block: Some(block) })
    }

    /// A buffer with this content.
    pub fn from_slice(bytes: &[u8]) -> Result<Buffer, OutOfMemory> {
        let mut buffer = Buffer::new(bytes.len())?;
        buffer.copy_from_slice(bytes);
        Ok(buffer)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match self.block.take() {
            Some(Block::Mapped(block)) => pool().give(block),
            Some(Block::Heap(block)) => pool().small[block.class].push(block),
            None => {}
        }
    }
}

/// A block on the heap, of [`ALIGN`] bytes times a power of two: whole cache lines, so that writing a buffer never
/// shares a line with its neighbour.
struct Small {
    base: NonNull<u8>,
    class: usize,
}

// SAFETY: a block is plain memory that this value owns alone.
unsafe impl Send for Small {}

/// Classes of blocks below [`PAGE`] and that size itself.
const CLASSES: usize = (PAGE / ALIGN).ilog2() as usize + 1;

impl Small {
    /// The class of the least block that holds so many bytes, fewer than [`PAGE`].
    fn class(len: usize) -> usize {
        len.div_ceil(ALIGN).next_power_of_two().ilog2() as usize
    }

    fn layout(class: usize) -> Layout {
        Layout::from_size_align(ALIGN << class, ALIGN).expect("a small size")
    }

    fn new(class: usize) -> Option<Small> {
        // SAFETY: the layout's size is not 0.
        let base = unsafe { std::alloc::alloc_zeroed(Small::layout(class)) };
        Some(Small { base: NonNull::new(base)?, class })
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `new`.
        unsafe { std::alloc::dealloc(self.base.as_ptr(), Small::layout(self.class)) }
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

/// What the pool holds. Bytes are those of large blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub used: usize,
    /// Free, kept for reuse.
    pub kept: usize,
    /// The most in use at once so far.
    pub peak: usize,
    /// Blocks, large and small, that came from the system so far, because none was kept that fits.
    pub fresh: u64,
}

pub fn stats() -> Stats {
    pool().stats
}

/// Returns all kept memory to the system.
pub fn trim() {
    let mut pool = pool();
    pool.stats.kept = 0;
    pool.free.clear();
    pool.small.iter_mut().for_each(Vec::clear);
}

#[derive(Default)]
struct Pool {
    /// Oldest first.
    free: VecDeque<Mapping>,
    /// By class.
    small: [Vec<Small>; CLASSES],
    stats: Stats,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    free: VecDeque::new(),
    small: [const { Vec::new() }; CLASSES],
    stats: Stats { used: 0, kept: 0, peak: 0, fresh: 0 },
});

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
        self.stats.fresh += 1;
        self.count(block.len());
        Some(block)
    }

    fn take_small(&mut self, class: usize) -> Option<Small> {
        self.small[class].pop().or_else(|| {
            self.stats.fresh += 1;
            Small::new(class)
        })
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
        assert_eq!(pool.stats, Stats { used: 1 << 19, kept: 0, peak: len, fresh: 2 });
        pool.give(c);
        let d = pool.take(1 << 18).unwrap();
        assert_eq!(pool.stats, Stats { used: 1 << 18, kept: 1 << 19, peak: len, fresh: 3 });
        drop(d);
    }

    #[test]
    fn small_blocks_are_reused_by_class() {
        let classes: Vec<usize> = [0, 1, 64, 65, 4096, PAGE - 1].map(Small::class).into();
        assert_eq!(classes, [0, 0, 0, 1, 6, CLASSES - 1]);
        let mut pool = Pool::default();
        let a = pool.take_small(3).unwrap();
        let at = a.base;
        pool.small[3].push(a);
        assert_eq!(pool.take_small(3).unwrap().base, at);
        assert_eq!(pool.stats.fresh, 1);
        assert_ne!(pool.take_small(2).unwrap().class, 3);
        assert_eq!(pool.stats.fresh, 2);
    }
}
