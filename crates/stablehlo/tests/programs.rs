//! Recorded programs of JAX are read, verified and computed, with XLA's results.

mod support;

use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::{Module, verify};
use std::path::Path;
use support::{difference, files, folder, recorded, values};

/// Verifies and evaluates; says what is wrong.
fn check(module: &Module, values_of: &Path) -> Result<(), String> {
    let faults = |f: Vec<verify::Fault>| f.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; ");
    verify::verify(module).map_err(faults)?;
    verify::supported(module).map_err(faults)?;
    let recorded = recorded(values_of);
    let found =
        evaluate(module, &values(&recorded.arguments), &Options::default()).map_err(|e| e.to_string())?;
    match difference(&found, &recorded.results, 1.0) {
        Some(difference) => Err(difference),
        None => Ok(()),
    }
}

/// Each file with that ending, read by `read`, checked with its recorded values.
fn check_all(ending: &str, read: impl Fn(&Path) -> Result<Module, String>) {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files(&folder(), ending) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let program = name.split('.').next().expect("a program");
        let result = read(&path).and_then(|m| check(&m, &folder().join(format!("{program}.txt"))));
        if let Err(e) = result {
            failures.push(format!("{name}: {e}"));
        }
        count += 1;
    }
    assert!(count >= 28, "{count} programs");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn artifact(path: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(path).expect("an artifact");
    lawson_stablehlo::read_artifact(&bytes).map_err(|e| e.to_string())
}

fn text(path: &Path) -> Result<Module, String> {
    let text = std::fs::read_to_string(path).expect("a text");
    lawson_stablehlo::read_text(&text).map_err(|e| e.to_string())
}

#[test]
fn artifacts_have_the_results_of_xla() {
    check_all(".mlir.bc", artifact);
}

#[test]
fn texts_have_the_results_of_xla() {
    check_all(".mlir", text);
}
