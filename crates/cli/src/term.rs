//! Printing: results to standard output, everything else to standard error.
//!
//! A reader that goes away (`lawson … | head`) ends the program quietly; `NO_COLOR` is respected.

use lawson::{Error, output};
use std::io::{ErrorKind, IsTerminal, Write};

/// Prints results.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => Err(output::unwritten("to standard output", &e)),
    }
}

/// Prints an error message, which may have several lines.
pub fn error(message: &str) {
    note(&format!("{} {message}", paint("error:", "1;31")));
}

/// Prints a line about what goes on. A closed standard error is no reason to stop.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// The text in a colour, if standard error is a terminal that wants it.
fn paint(text: &str, code: &str) -> String {
    let plain =
        std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || !std::io::stderr().is_terminal();
    if plain { text.into() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}

/// How much the user wants to be told: `LAWSON_LOG=info` or `debug`.
pub fn log_level() -> u8 {
    match std::env::var("LAWSON_LOG").as_deref() {
        Ok("info") => 1,
        Ok("debug" | "trace") => 2,
        _ => 0,
    }
}
