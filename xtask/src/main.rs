//! `cargo xtask`: automation for those who work on Lawson.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy(),
        _ => {
            eprintln!("usage: cargo xtask tidy    check the rules of the house (see CONTRIBUTING.md)");
            ExitCode::from(2)
        }
    }
}

fn tidy() -> ExitCode {
    let faults = xtask::tidy::check(Path::new(xtask::ROOT));
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
