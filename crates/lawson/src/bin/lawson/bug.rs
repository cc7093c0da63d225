//! What happens when Lawson itself is at fault: a report, a file that replays it, exit code 3.

use crate::term;
use lawson::repro;
use std::backtrace::Backtrace;
use std::panic::{self, PanicHookInfo};

/// Makes every panic and every fatal error of LLVM a bug report. Panics of worker threads are reported too; the main
/// thread decides the exit.
pub fn install_hook() {
    // LLVM's handler prints its message and ends the process with the same code.
    lawson_llvm::fatal::on_fatal_error(Box::new(report));
    panic::set_hook(Box::new(|info| {
        term::error(&describe(info));
        report(&describe(info));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            term::note(&Backtrace::force_capture().to_string());
        }
    }));
}

/// Writes the repro of the module in work and says how to replay it.
pub fn report(bug: &str) {
    term::note("this is a bug of Lawson, not of your program");
    let here = std::env::current_dir().unwrap_or_default();
    let written = repro::write(&here, bug).or_else(|_| repro::write(&std::env::temp_dir(), bug));
    match written {
        Ok(Some((path, command))) => {
            term::note(&format!("{} holds the module; to replay it:\n  {command}", path.display()));
        }
        Ok(None) => {}
        Err(e) => term::note(&format!("the file that replays it could not be written: {e}")),
    }
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    match info.location() {
        Some(place) => format!("panic at {}:{}: {text}", place.file(), place.line()),
        None => format!("panic: {text}"),
    }
}
