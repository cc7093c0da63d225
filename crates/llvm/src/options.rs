//! Switches of LLVM that only its command line has. They hold for the process, and are set before any machine exists.

use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use std::ffi::{c_char, c_int};

/// Loop strength reduction takes up to a third of code generation. Loop IR keeps what differs by a constant together,
/// so addresses already fit their places in instructions, and the loops it would change gain nothing.
const SWITCHES: [&std::ffi::CStr; 2] = [c"lawson", c"-disable-lsr"];

/// Sets the switches; LLVM ends the process at one it does not know.
pub(crate) fn set() {
    let arguments: Vec<*const c_char> = SWITCHES.iter().map(|s| s.as_ptr()).collect();
    // SAFETY: the arguments are C strings that live for ever, passed with their number; no other thread uses LLVM yet.
    unsafe { LLVMParseCommandLineOptions(arguments.len() as c_int, arguments.as_ptr(), std::ptr::null()) }
}
