//! What `explain` says is true: every statement of [`statements`] is checked on all programs, in several modes.
//!
//! A violation prints the statement, the program, the mode, and the sentence of the report that is wrong.

#[path = "../../../opt/tests/support/modules.rs"]
mod modules;
mod statements;
#[allow(dead_code)]
#[path = "../../../opt/tests/support/values.rs"]
mod values;

use lawson::explain::{Explanation, explain};
use lawson::load::{self, Loaded};
use lawson::{Error, Options};
use statements::{STATEMENTS, Seen};
use std::path::{Path, PathBuf};

/// Fusion and threads of each report that is checked.
const MODES: [(&str, usize); 6] =
    [("on", 1), ("on", 2), ("no-merger", 2), ("only-instruction", 1), ("max", 2), ("off", 1)];

/// Modules that are only about the time of code generation, with thousands of equal instructions.
const LARGE: [&str; 2] = ["ey14", "stack1000"];

/// Random modules; the environment variable [`LONG`] asks for the long campaign (`make test-long`).
const RANDOM: u64 = 20;
const RANDOM_LONG: u64 = 2000;
const LONG: &str = "LAWSON_LONG_TESTS";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn entries(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tests().join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn explained(loaded: &Loaded, fusion: &str, threads: usize) -> Result<Explanation, Error> {
    let fusion = fusion.parse().expect("a specification");
    explain(loaded, &Options { target: Some("zen4".into()), threads, fusion, ..Options::default() })
}

/// Every statement that a report on this program makes and that is not so.
fn violations(loaded: &Loaded, modes: &[(&str, usize)]) -> Vec<String> {
    let program = &loaded.file;
    // A program that certainly never ends has no plan and no report.
    let Ok(single) = explained(loaded, "off", 1) else { return Vec::new() };
    let pair = explained(loaded, "off", 2).unwrap_or_else(|e| panic!("{program}: {e}"));
    let mut wrong = Vec::new();
    for &(fusion, threads) in modes {
        let report = explained(loaded, fusion, threads).unwrap_or_else(|e| panic!("{program}: {e}"));
        let unfused = if threads == 1 { &single } else { &pair };
        let seen = Seen { loaded, report: &report, unfused };
        for (statement, check) in STATEMENTS {
            let place = format!("{statement}: {program} ({fusion}, {threads})");
            wrong.extend(check(&seen).into_iter().map(|w| format!("{place}: {w}")));
        }
    }
    wrong
}

fn of_files(paths: &[PathBuf], modes: &[(&str, usize)]) -> Vec<String> {
    let loaded =
        paths.iter().map(|path| load::file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
    loaded.flat_map(|loaded| violations(&loaded, modes)).collect()
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} statements are not true\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_statement_holds_on_the_programs_of_the_tests() {
    let modules: Vec<PathBuf> = entries("programs").iter().map(|p| p.join("module.hlo")).collect();
    assert!(modules.len() > 15);
    assert_none(&of_files(&modules, &MODES));
}

#[test]
fn every_statement_holds_on_programs_at_full_size() {
    let modules: Vec<PathBuf> = entries("programs").iter().map(|p| p.join("full.hlo")).collect();
    assert_none(&of_files(&modules, &MODES[1..2]));
}

#[test]
fn every_statement_holds_on_the_programs_of_new_users() {
    let mut modules = entries("findings");
    let name = |p: &PathBuf| p.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    modules.retain(|p| p.extension().is_some_and(|e| e == "hlo") && !LARGE.contains(&&*name(p)));
    assert!(modules.len() > 20);
    assert_none(&of_files(&modules, &MODES));
}

#[test]
fn every_statement_holds_on_random_modules() {
    let count = if std::env::var_os(LONG).is_some() { RANDOM_LONG } else { RANDOM };
    let wrong = (0..count).flat_map(|seed| {
        let text = modules::random(seed).to_string();
        let loaded = load::text_of(format!("seed {seed}"), text).unwrap_or_else(|e| panic!("{e}"));
        violations(&loaded, &MODES)
    });
    assert_none(&wrong.collect::<Vec<_>>());
}

/// Those of full size are planned, as in `crates/opt/tests/residuals.rs`; here residuals are decided on.
#[test]
fn every_statement_holds_on_derivatives() {
    let modules = entries("residuals");
    assert!(modules.len() > 15);
    assert_none(&of_files(&modules, &MODES[1..2]));
}
