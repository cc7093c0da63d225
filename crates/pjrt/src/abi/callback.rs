//! Functions of the caller that we call, and those of ours that the caller keeps.

use super::failure::Failure;
use super::memory::{Handle, Pointer};
use std::ffi::c_void;
use std::num::NonZeroUsize;

/// Called when an event has come, with its error or null, which becomes the callee's, and the argument given with it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Callback {
    function: Option<unsafe extern "C" fn(Handle<Failure>, *mut c_void)>,
    argument: *mut c_void,
}

// SAFETY: the C API lets events come on any thread.
unsafe impl Send for Callback {}

impl Callback {
    /// Calls it, without an error.
    pub fn call(self) {
        if let Some(function) = self.function {
            // SAFETY: the caller gave both for this call, which happens once.
            unsafe { function(Handle::NULL, self.argument) }
        }
    }
}

/// Called when memory of the caller's is no longer used, with its address and the argument given with it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OnDelete {
    function: Option<unsafe extern "C" fn(Pointer<u8>, *mut c_void)>,
    argument: *mut c_void,
}

// SAFETY: the C API lets buffers end on any thread.
unsafe impl Send for OnDelete {}
// SAFETY: it is only called by its owner.
unsafe impl Sync for OnDelete {}

impl OnDelete {
    /// Calls it.
    pub fn call(self, memory: Pointer<u8>) {
        if let Some(function) = self.function {
            // SAFETY: the caller gave both for this call, which happens once.
            unsafe { function(memory, self.argument) }
        }
    }
}

/// Frees what a serialized object lives in.
pub type Deleter<T> = Option<unsafe extern "C" fn(Handle<T>)>;

/// The deleter of objects that were given away.
pub unsafe extern "C" fn delete<T: Send + Sync>(object: Handle<T>) {
    object.destroy();
}

/// The function of the plugin's half in Python that programs call back into. It is given the number of what to call, where the
/// operands and the results begin, and room for a message, which is for the answers that are not 0: its length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HostCall {
    address: NonZeroUsize,
}

type HostCallFn = unsafe extern "C" fn(i64, *const Pointer<u8>, *const *mut u8, *mut u8, usize) -> usize;

/// What a message may be long.
const MESSAGE: usize = 4096;

impl HostCall {
    /// The function at an address, which the plugin's half in Python gave as an option; none at 0.
    pub fn at(address: usize) -> Option<HostCall> {
        NonZeroUsize::new(address).map(|address| HostCall { address })
    }

    /// Calls what has this number.
    ///
    /// # Errors
    /// What it says.
    pub fn call(self, number: i64, operands: &[&[u8]], results: &mut [&mut [u8]]) -> Result<(), String> {
        let operands: Vec<Pointer<u8>> = operands.iter().map(|bytes| Pointer::lend(bytes)).collect();
        let results: Vec<*mut u8> = results.iter_mut().map(|bytes| bytes.as_mut_ptr()).collect();
        let mut message = vec![0u8; MESSAGE];
        // SAFETY: the option that gives the address promises that such a function is there as long as the client lives.
        let function = unsafe { std::mem::transmute::<usize, HostCallFn>(self.address.get()) };
        // SAFETY: the function knows the sizes of operands and results by the number, and is told that of the message.
        let said =
            unsafe { function(number, operands.as_ptr(), results.as_ptr(), message.as_mut_ptr(), MESSAGE) };
        match said.min(MESSAGE) {
            0 => Ok(()),
            len => Err(String::from_utf8_lossy(&message[..len]).into_owned()),
        }
    }
}
