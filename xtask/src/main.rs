//! `cargo xtask`: automation for those who work on Lawson.

use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy(),
        Some("docs") => docs(),
        _ => {
            eprintln!("usage: cargo xtask tidy    check the rules of the house (see CONTRIBUTING.md)");
            eprintln!("       cargo xtask docs    write anew what documents take from the code");
            ExitCode::from(2)
        }
    }
}

/// The tests that compare the documents with the code write them when asked to.
fn docs() -> ExitCode {
    let tests = ["test", "--quiet", "--package", "lawson-cli", "--test", "docs"];
    let status = Command::new(env!("CARGO")).args(tests).env("BLESS", "1").current_dir(xtask::ROOT).status();
    if status.is_ok_and(|s| s.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn tidy() -> ExitCode {
    let faults = xtask::tidy::check(Path::new(xtask::ROOT));
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
