//! Fusion pays, and so does each of its passes, by the cost model: on every program what is predicted with everything on
//! is not above what is predicted without fusion, or with one pass switched off. `make decisions` compares times.

use lawson::Options;
use lawson::explain::explain;
use lawson::load;
use std::path::{Path, PathBuf};

/// Decisions are made one after the other, and each looks only near: one may stand in the way of a later, better one.
const SLACK: f64 = 1.12;

/// Where that goes further. `instruction` gives a cheap producer to each of its users, which the merger would not have
/// done, since it sees whole kernels.
const KNOWN: [(&str, &str); 1] = [("metropolis", "no-instruction")];

const SPECS: [&str; 9] = [
    "off",
    "only-instruction",
    "no-instruction",
    "no-merger",
    "no-multi-output",
    "no-horizontal",
    "no-staged",
    "no-dot",
    "no-loop",
];

/// Modules of pieces, which say nothing about fusion, and one that never ends.
const OTHERS: [&str; 6] = ["inf", "ey10", "ey12", "ey14", "concat_doubling12", "stack1000"];

/// What is predicted of one run, in µs; `None` where the number of launches depends on data.
fn predicted(loaded: &load::Loaded, spec: &str) -> Option<f64> {
    let fusion = spec.parse().expect("a specification");
    let options = Options { target: Some("zen4".into()), threads: 1, fusion, ..Options::default() };
    let e = explain(loaded, &options).unwrap_or_else(|e| panic!("{}: {spec}: {e}", loaded.file));
    e.kernels.iter().all(|k| k.launches.is_some()).then_some(e.totals.predicted_us)
}

/// Compares all programs; gives the number of comparisons.
fn compare(modules: &[(String, PathBuf)]) -> usize {
    let (mut slower, mut compared) = (Vec::new(), 0);
    for (name, path) in modules {
        let loaded = load::file(path).unwrap_or_else(|e| panic!("{e}"));
        let Some(on) = predicted(&loaded, "on") else { continue };
        for spec in SPECS {
            let Some(other) = predicted(&loaded, spec) else { continue };
            compared += 1;
            if on > SLACK * other && !KNOWN.contains(&(name, spec)) {
                slower.push(format!("{name}: {on:.1} µs with all, {other:.1} µs with {spec}"));
            }
        }
    }
    assert!(slower.is_empty(), "{slower:#?}");
    compared
}

fn entries(folder: &str) -> impl Iterator<Item = (String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let entries = std::fs::read_dir(root).expect("a folder of tests").map(|e| e.expect("an entry").path());
    entries.map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path))
}

#[test]
fn all_passes_together_are_best_on_the_programs_of_the_tests() {
    let modules: Vec<_> = entries("programs").map(|(name, path)| (name, path.join("module.hlo"))).collect();
    let compared = compare(&modules);
    assert!(compared > 150, "{compared}");
}

#[test]
fn all_passes_together_are_best_on_the_programs_of_new_users() {
    let is_program = |(name, path): &(String, PathBuf)| {
        path.extension().is_some_and(|e| e == "hlo") && !OTHERS.contains(&&**name)
    };
    let modules: Vec<_> = entries("findings").filter(is_program).collect();
    let compared = compare(&modules);
    assert!(compared > 150, "{compared}");
}
