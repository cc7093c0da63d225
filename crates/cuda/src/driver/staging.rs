//! Transfers through pinned memory, in pieces: while one is on its way, the next is copied on the host.

use super::functions::Functions;
use crate::error::Error;
use cudarc::driver::sys::{CUdeviceptr, CUevent, CUstream};
use std::ffi::c_void;

/// Bytes of a piece: large enough that what it costs to begin one does not matter, small enough to stay in a cache.
const PIECE: usize = 1 << 20;
const PIECES: usize = 4;
/// Smaller transfers to the host are left to the driver, which has such memory too.
const SMALL: usize = 64 << 10;
/// Events that tell no time cost less.
const NO_TIMING: u32 = 2;

/// Pinned memory of a device, whose context has to be current in all calls.
pub struct Staging {
    f: &'static Functions,
    /// Made for the first transfer that needs them.
    pieces: Vec<Piece>,
}

struct Piece {
    memory: *mut u8,
    /// The last transfer from or to it.
    event: CUevent,
}

// SAFETY: the memory is owned by this alone, and any thread may use an event.
unsafe impl Send for Staging {}

impl Staging {
    pub fn new(f: &'static Functions) -> Staging {
        Staging { f, pieces: Vec::new() }
    }

    fn prepare(&mut self) -> Result<(), Error> {
        while self.pieces.len() < PIECES {
            let (mut memory, mut event): (*mut c_void, CUevent) =
                (std::ptr::null_mut(), std::ptr::null_mut());
            // SAFETY: each writes one handle.
            unsafe {
                self.f.check("cuMemHostAlloc", (self.f.allocate_host)(&mut memory, PIECE, 0))?;
                let made = self.f.check("cuEventCreate", (self.f.event_create)(&mut event, NO_TIMING));
                if let Err(e) = made {
                    (self.f.free_host)(memory);
                    return Err(e);
                }
            }
            self.pieces.push(Piece { memory: memory.cast(), event });
        }
        Ok(())
    }

    /// Copies to the device; the bytes may change when it returns.
    pub fn write(&mut self, stream: CUstream, to: CUdeviceptr, bytes: &[u8]) -> Result<(), Error> {
        let f = self.f;
        self.prepare()?;
        for (n, part) in bytes.chunks(PIECE).enumerate() {
            let piece = &self.pieces[n % PIECES];
            // SAFETY: the piece has `PIECE` bytes; the transfer that used it before is done when its event is. It is not used
            // again before the event that is recorded behind this transfer.
            unsafe {
                f.check("cuEventSynchronize", (f.event_wait)(piece.event))?;
                std::ptr::copy_nonoverlapping(part.as_ptr(), piece.memory, part.len());
                let at = to + (n * PIECE) as CUdeviceptr;
                f.check("cuMemcpyHtoDAsync", (f.to_device)(at, piece.memory.cast(), part.len(), stream))?;
                f.check("cuEventRecord", (f.event_record)(piece.event, stream))?;
            }
        }
        Ok(())
    }

    /// Copies to the host; the bytes are there when it returns.
    pub fn read(&mut self, stream: CUstream, from: CUdeviceptr, bytes: &mut [u8]) -> Result<(), Error> {
        let f = self.f;
        if bytes.len() <= SMALL {
            // SAFETY: the caller's memory has these bytes, and nobody else touches them until the stream is done.
            unsafe {
                f.check(
                    "cuMemcpyDtoHAsync",
                    (f.to_host)(bytes.as_mut_ptr().cast(), from, bytes.len(), stream),
                )?;
                return f.check("cuStreamSynchronize", (f.stream_wait)(stream));
            }
        }
        self.prepare()?;
        let pieces = &self.pieces;
        let submit = |n: usize, len: usize| {
            let piece = &pieces[n % PIECES];
            let at = from + (n * PIECE) as CUdeviceptr;
            // SAFETY: the piece has `PIECE` bytes, which were copied out, or written, before: its event was waited for.
            unsafe {
                f.check("cuMemcpyDtoHAsync", (f.to_host)(piece.memory.cast(), at, len, stream))?;
                f.check("cuEventRecord", (f.event_record)(piece.event, stream))
            }
        };
        let lens: Vec<usize> = bytes.chunks(PIECE).map(<[u8]>::len).collect();
        for (n, &len) in lens.iter().enumerate().take(PIECES) {
            // SAFETY: an event that was created here.
            f.check("cuEventSynchronize", unsafe { (f.event_wait)(pieces[n].event) })?;
            submit(n, len)?;
        }
        for (n, part) in bytes.chunks_mut(PIECE).enumerate() {
            let piece = &pieces[n % PIECES];
            // SAFETY: the transfer to the piece is done when its event is, and it has at least so many bytes.
            unsafe {
                f.check("cuEventSynchronize", (f.event_wait)(piece.event))?;
                std::ptr::copy_nonoverlapping(piece.memory, part.as_mut_ptr(), part.len());
            }
            if let Some(&len) = lens.get(n + PIECES) {
                submit(n + PIECES, len)?;
            }
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        for piece in &self.pieces {
            // SAFETY: both were made in `prepare`, and transfers are done when the event is. A device that is lost answers
            // with an error, and its driver frees the memory.
            unsafe {
                (self.f.event_wait)(piece.event);
                (self.f.event_destroy)(piece.event);
                (self.f.free_host)(piece.memory.cast());
            }
        }
    }
}
