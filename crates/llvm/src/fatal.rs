//! LLVM's fatal errors end the process. This turns them into a report and exit code 3, a bug of ours.

use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::ffi::{CStr, c_char};
use std::io::Write;
use std::sync::OnceLock;

/// What a fatal error calls before the process ends, with LLVM's message.
pub type Callback = Box<dyn Fn(&str) + Send + Sync>;

static CALLBACK: OnceLock<Callback> = OnceLock::new();

/// Registers what to do before the process ends, such as writing a repro. Only the first call counts.
///
/// The callback runs on the thread whose compilation failed; it must not compile anything.
pub fn on_fatal_error(callback: Callback) {
    let _ = CALLBACK.set(callback);
}

/// Installs the handler; LLVM keeps one for the process.
pub(crate) fn install() {
    // SAFETY: `handler` has the C signature LLVM expects, and never returns.
    unsafe { LLVMInstallFatalErrorHandler(Some(handler)) }
}

extern "C" fn handler(reason: *const c_char) {
    // SAFETY: LLVM passes a C string that lives during the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    eprintln!("lawson: internal error in code generation: {reason}");
    if let Some(callback) = CALLBACK.get() {
        callback(&reason);
    }
    let _ = std::io::stdout().flush();
    // Not `std::process::exit`: other threads may be inside LLVM, whose global destructors must not run under them.
    // SAFETY: ends the process; nothing runs after.
    unsafe { libc::_exit(3) }
}
