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

/// What jaxlib reads of an artifact, printed as text in either form, is the same module.
#[test]
fn artifacts_are_the_modules_that_jaxlib_reads() {
    let mut compared = 0;
    for path in files(&folder(), ".1.17.0.mlir.bc") {
        let of_artifact = artifact(&path).map(|mut module| {
            // The texts have no places.
            for instr in module.computations.iter_mut().flat_map(|c| &mut c.instrs) {
                instr.notes.is_some().then(|| instr.notes_mut().metadata.clear());
            }
            lawson_hlo::text::print(&module)
        });
        for form in [".portable.mlir", ".generic.mlir"] {
            let name = path.to_string_lossy().replace(".1.17.0.mlir.bc", form);
            let of_text = text(Path::new(&name)).map(|m| lawson_hlo::text::print(&m));
            assert_eq!(of_text, of_artifact, "{name}");
        }
        compared += 1;
    }
    assert!(compared >= 28, "{compared} programs");
}

#[test]
fn printed_modules_are_read_back_and_have_the_same_results() {
    let printed = |path: &Path| {
        let module = text(path)?;
        let again = lawson_stablehlo::print(&module).map_err(|e| e.to_string())?;
        lawson_stablehlo::read_text(&again).map_err(|e| format!("{e}\n{again}"))
    };
    check_all(".plain.mlir", printed);
}

/// Each instruction knows the line of the program and of the text it comes from.
#[test]
fn instructions_know_their_lines() {
    let module = text(&folder().join("attention.mlir")).expect("a module");
    let exponential = module.computations.iter().flat_map(|c| &c.instrs).find(|i| &*i.name == "exponential");
    let exponential = exponential.expect("softmax has one");
    let [line] = &module.locations(&exponential.origin)[..] else { panic!("one line") };
    assert!(line.starts_with("record_stablehlo.py:"), "{line}");
    let notes = exponential.notes.as_ref().expect("where it comes from");
    assert_eq!(notes.metadata("op_name"), Some("jit(attention)/exp"));
    let source = &module.sources[exponential.origin.sources()[0] as usize];
    let file = std::fs::read_to_string(folder().join("attention.mlir")).expect("a text");
    assert!(file.lines().nth(source.line as usize - 1).is_some_and(|l| l.contains("stablehlo.exponential")));
}
