//! Functions in Python that programs call, behind one function of the plugin's half in Python.
//!
//! A program holds what it calls, by its number, as long as it lives. Operands and results cross with their sizes, which the other
//! side compares with its own. Nothing is called once Python has begun to end.

use super::memory::Slice;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering};

/// What the option `python_callback` is the address of.
#[repr(C)]
struct Door {
    enter: Enter,
    /// Not 0 as long as Python runs.
    open: AtomicU32,
    /// What Python calls before it ends: [`Finish`].
    finish: AtomicUsize,
}

/// What is asked: a number to hold or 0, and the number of who holds it, with operands and results, and room for a message, which is for the answers that are not 0: its
/// length.
type Enter = unsafe extern "C" fn(
    u32,
    i64,
    i64,
    *const Slice<u8>,
    usize,
    *const Written,
    usize,
    *mut u8,
    usize,
) -> usize;

/// Waits until nothing goes on beside the caller.
pub type Finish = extern "C" fn();

/// Bytes that are to be written.
#[repr(C)]
struct Written {
    start: *mut u8,
    len: usize,
}

const CALL: u32 = 0;
const HOLD: u32 = 1;
const RELEASE: u32 = 2;

/// What a message may be long.
const MESSAGE: usize = 4096;

/// The plugin's half in Python.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Python {
    door: NonZeroUsize,
}

impl Python {
    /// Behind the door at an address, which the plugin's half in Python gave as an option; none at 0. It is told what to call before
    /// it ends.
    pub fn at(address: usize, finish: Finish) -> Option<Python> {
        let python = Python { door: NonZeroUsize::new(address)? };
        python.door().finish.store(finish as usize, Ordering::Release);
        Some(python)
    }

    fn door(&self) -> &Door {
        // SAFETY: the option that gives the address promises that a door is there as long as the process lives.
        unsafe { &*(self.door.get() as *const Door) }
    }

    /// What has this number, held until the value ends.
    ///
    /// # Errors
    /// There is none.
    pub fn hold(self, number: i64) -> Result<Held, String> {
        static HOLDERS: AtomicI64 = AtomicI64::new(1);
        let holder = HOLDERS.fetch_add(1, Ordering::Relaxed);
        self.ask(HOLD, (number, holder), &[], &mut [])?;
        Ok(Held { python: self, holder })
    }

    fn ask(
        self,
        what: u32,
        (number, holder): (i64, i64),
        operands: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> Result<(), String> {
        let door = self.door();
        if door.open.load(Ordering::Acquire) == 0 {
            return Err("Python has ended".into());
        }
        let operands: Vec<Slice<u8>> = operands.iter().map(|bytes| Slice::lend(bytes)).collect();
        let written = |bytes: &mut &mut [u8]| Written { start: bytes.as_mut_ptr(), len: bytes.len() };
        let results: Vec<Written> = results.iter_mut().map(written).collect();
        let mut message = vec![0u8; MESSAGE];
        // SAFETY: the function is told all sizes, and reads and writes within them.
        let said = unsafe {
            (door.enter)(
                what,
                number,
                holder,
                operands.as_ptr(),
                operands.len(),
                results.as_ptr(),
                results.len(),
                message.as_mut_ptr(),
                MESSAGE,
            )
        };
        match said.min(MESSAGE) {
            0 => Ok(()),
            len => Err(String::from_utf8_lossy(&message[..len]).into_owned()),
        }
    }
}

/// A function in Python, held.
#[derive(Debug)]
pub struct Held {
    python: Python,
    holder: i64,
}

impl Held {
    /// Calls it.
    ///
    /// # Errors
    /// What it says.
    pub fn call(&self, operands: &[&[u8]], results: &mut [&mut [u8]]) -> Result<(), String> {
        self.python.ask(CALL, (0, self.holder), operands, results)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Python that has ended holds nothing.
        drop(self.python.ask(RELEASE, (0, self.holder), &[], &mut []));
    }
}
