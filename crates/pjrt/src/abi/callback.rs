//! Functions of the caller that we call, and those of ours that the caller keeps.

use super::failure::Failure;
use super::memory::{Handle, Pointer};
use std::ffi::c_void;

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
    /// Calls it, with the error if there is one.
    pub fn call(self, outcome: Result<(), Failure>) {
        if let Some(function) = self.function {
            let error = outcome.map_or_else(Handle::give, |()| Handle::NULL);
            // SAFETY: the caller gave both for this call, which happens once; the error becomes the callee's.
            unsafe { function(error, self.argument) }
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
