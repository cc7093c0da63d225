//! What `explain` says is true: every statement of [`statements`] is checked on all programs, in several modes.
//!
//! A violation prints the statement, the program, the mode, and the sentence of the report that is wrong.

mod statements;

use lawson::explain::{Explanation, explain};
use lawson::load::{self, Loaded};
use lawson::{Error, Options};
use statements::{STATEMENTS, Seen};
use std::path::{Path, PathBuf};

/// Fusion and threads of each report that is checked.
const MODES: [(&str, usize); 5] =
    [("on", 1), ("on", 2), ("no-merger", 2), ("only-instruction", 1), ("max", 2)];

/// Modules that are only about the time of code generation, with thousands of equal instructions.
const LARGE: [&str; 2] = ["ey14", "stack1000"];

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

/// Every statement that a report on one of these modules makes and that is not so.
fn violations(paths: &[PathBuf], modes: &[(&str, usize)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for path in paths {
        let loaded = load::file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let program = path.strip_prefix(tests()).unwrap_or(path).display();
        // A program that certainly never ends has no plan and no report.
        let Ok(single) = explained(&loaded, "off", 1) else { continue };
        let pair = explained(&loaded, "off", 2).unwrap_or_else(|e| panic!("{program}: {e}"));
        for &(fusion, threads) in modes {
            let report = explained(&loaded, fusion, threads).unwrap_or_else(|e| panic!("{program}: {e}"));
            let unfused = if threads == 1 { &single } else { &pair };
            let seen = Seen { loaded: &loaded, report: &report, unfused };
            for (statement, check) in STATEMENTS {
                let place = format!("{statement}: {program} ({fusion}, {threads})");
                wrong.extend(check(&seen).into_iter().map(|w| format!("{place}: {w}")));
            }
        }
    }
    wrong
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} statements are not true\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_statement_holds_on_the_programs_of_the_tests() {
    let modules: Vec<PathBuf> = entries("programs").iter().map(|p| p.join("module.hlo")).collect();
    assert!(modules.len() > 15);
    assert_none(&violations(&modules, &MODES));
}

#[test]
fn every_statement_holds_on_programs_at_full_size() {
    let modules: Vec<PathBuf> = entries("programs").iter().map(|p| p.join("full.hlo")).collect();
    assert_none(&violations(&modules, &MODES[1..2]));
}

#[test]
fn every_statement_holds_on_the_programs_of_new_users() {
    let mut modules = entries("findings");
    let name = |p: &PathBuf| p.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    modules.retain(|p| p.extension().is_some_and(|e| e == "hlo") && !LARGE.contains(&&*name(p)));
    assert!(modules.len() > 20);
    assert_none(&violations(&modules, &MODES));
}
