//! Anonymous memory mappings with page protections; unmapped on drop.

use std::io;
use std::ops::Range;
use std::ptr::NonNull;

/// The smallest unit of protection on every host Lawson runs on (64 KiB pages included).
pub const PAGE: usize = 64 << 10;

/// Pages the kernel can serve with one huge page.
pub const HUGE_PAGE: usize = 2 << 20;

/// Zeroed memory of its own, readable and writable until protected.
pub struct Mapping {
    base: NonNull<u8>,
    len: usize,
    writable: bool,
}

// SAFETY: a mapping is plain memory that this value owns alone.
unsafe impl Send for Mapping {}
// SAFETY: shared access only reads.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// At least `len` bytes (not 0), aligned to [`PAGE`]; from [`HUGE_PAGE`] on aligned to that, and asking for huge
    /// pages.
    pub fn new(len: usize) -> io::Result<Mapping> {
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let len = len.checked_next_multiple_of(PAGE).ok_or_else(too_large)?;
        let align = if len >= HUGE_PAGE { HUGE_PAGE } else { PAGE };
        let reserved = len.checked_add(align).ok_or_else(too_large)?;
        let (prot, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh anonymous mapping at an address the kernel chooses.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), reserved, prot, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start: *mut u8 = start.cast();
        let head = (start as usize).next_multiple_of(align) - start as usize;
        let tail = reserved - head - len;
        // SAFETY: `head + len + tail` is what was mapped; only the parts around the aligned middle go.
        let base = unsafe {
            let base = start.add(head);
            if head > 0 {
                libc::munmap(start.cast(), head);
            }
            if tail > 0 {
                libc::munmap(base.add(len).cast(), tail);
            }
            if align == HUGE_PAGE {
                // Advice: a kernel without huge pages refuses it, and nothing is lost.
                libc::madvise(base.cast(), len, libc::MADV_HUGEPAGE);
            }
            base
        };
        Ok(Mapping { base: NonNull::new(base).ok_or_else(too_large)?, len, writable: true })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    /// The memory, before any protection.
    ///
    /// # Panics
    /// After [`Mapping::protect`].
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        assert!(self.writable, "a protected mapping");
        // SAFETY: `len` zeroed or written bytes that this value owns, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), self.len) }
    }

    /// Makes the mapping read-only, and `code`, whole pages of it, executable.
    pub fn protect(&mut self, code: Range<usize>) -> io::Result<()> {
        assert!([code.start, code.end].iter().all(|at| at.is_multiple_of(PAGE)) && code.end <= self.len);
        self.writable = false;
        for (range, prot) in [(0..self.len, libc::PROT_READ), (code, libc::PROT_READ | libc::PROT_EXEC)] {
            if range.is_empty() {
                continue;
            }
            // SAFETY: pages of this mapping, that nothing borrows.
            let rc = unsafe { libc::mprotect(self.base.as_ptr().add(range.start).cast(), range.len(), prot) };
            if rc != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and nothing borrows it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment() {
        for len in [1, PAGE + 1, HUGE_PAGE, HUGE_PAGE + 1, 3 * HUGE_PAGE] {
            let mut m = Mapping::new(len).unwrap();
            let align = if len >= HUGE_PAGE { HUGE_PAGE } else { PAGE };
            assert_eq!(m.base() as usize % align, 0);
            assert!(m.len() >= len);
            m.bytes_mut()[len - 1] = 1;
        }
    }

    #[test]
    fn absurd_sizes_fail() {
        assert!(Mapping::new(usize::MAX).is_err());
        assert!(Mapping::new(1 << 60).is_err());
    }
}
