//! Switches of LLVM that only its command line has. They hold for the process: LLVM 19 reads them when it makes the passes
//! of a module, from globals that are parsed once and cannot be set back, and its C interface has none for a target
//! machine. So they are set once, before any machine exists, to the same for every target, and a switch may stand here
//! only if every target wants it. What a target has for itself goes into its machine (features, level of effort).

use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use std::ffi::{c_char, c_int};

/// Beside the name of the program:
///
/// - Loop strength reduction takes up to a third of code generation. Loop IR keeps what differs by a constant together,
///   so addresses already fit their places in instructions, and the loops it would change gain nothing.
/// - The scheduler after register allocation takes a fourteenth of code generation. Processors that reorder instructions gain
///   nothing: over 191 operations and programs the code was 1 to 3 % faster without it.
/// - LLVM's scheduler takes the tiles of products apart, whose loads and sums Loop IR has in the order in which they are best
///   done (products took up to 16 % longer with it), and does not order long chains ([`crate::emit`] does).
const SWITCHES: [&std::ffi::CStr; 4] =
    [c"lawson", c"-disable-lsr", c"-disable-post-ra", c"-enable-misched=false"];

/// Sets the switches; LLVM ends the process at one it does not know.
pub(crate) fn set() {
    let arguments: Vec<*const c_char> = SWITCHES.iter().map(|s| s.as_ptr()).collect();
    // SAFETY: the arguments are C strings that live for ever, passed with their number; no other thread uses LLVM yet.
    unsafe { LLVMParseCommandLineOptions(arguments.len() as c_int, arguments.as_ptr(), std::ptr::null()) }
}
