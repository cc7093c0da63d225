//! What happens when Lawson itself is at fault: a report, a file that replays it, exit code 3.

use crate::term;
use lawson::repro;
use std::backtrace::Backtrace;
use std::panic;

/// Says where a panic was, which the library returns as an error, and makes every fatal error of LLVM a bug report.
pub fn install_hook() {
    // LLVM's handler prints its message and ends the process with the code of a bug.
    lawson_llvm::fatal::on_fatal_error(Box::new(report));
    panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            term::note(&format!("panic at {}:{}", place.file(), place.line()));
        }
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            term::note(&Backtrace::force_capture().to_string());
        }
    }));
}

/// Writes the repro of the module in work and says how to replay it.
pub fn report(bug: &str) {
    repro::report(bug).iter().for_each(|note| term::note(note));
}
