//! Reads a folder of recorded programs, computes them with the interpreter, and counts which agree with XLA, for text and
//! artifacts; failures are listed by cause. `make harnesses` records JAX's primitive harnesses and runs it.

// It uses a part of it.
#[allow(dead_code)]
#[path = "../tests/support/mod.rs"]
mod support;

use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::{Module, verify};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::{difference, files, recorded, values};

/// Elements that the harnesses compute with other roundings than XLA may differ by so many tolerances.
const SLACK: f64 = 30.0;

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    for ending in [".mlir", ".mlir.bc"] {
        let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let (mut agree, mut all) = (0, 0);
        for path in files(&folder, ending) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let program = name.split('.').next().expect("a program").to_string();
            all += 1;
            match run(&path, &folder.join(format!("{program}.txt"))) {
                Ok(()) => agree += 1,
                Err(cause) => causes.entry(general(&cause)).or_default().push(format!("{program}: {cause}")),
            }
        }
        println!("{ending}: {agree} of {all} agree");
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|(_, programs)| std::cmp::Reverse(programs.len()));
        for (cause, programs) in causes {
            let first = programs[0].chars().take(200).collect::<String>();
            println!("{:5}  {cause}\n       {first}", programs.len());
        }
    }
}

fn run(path: &Path, values_of: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let module: Module = lawson_stablehlo::read(&bytes).map_err(|e| format!("read: {}", e.message))?;
    let first = |f: Vec<verify::Fault>| f[0].message.clone();
    verify::verify(&module).map_err(|f| format!("verify: {}", first(f)))?;
    verify::supported(&module).map_err(|f| format!("supported: {}", first(f)))?;
    let recorded = recorded(values_of);
    let options = Options { max_operations: Some(1 << 30), ..Options::default() };
    let found =
        evaluate(&module, &values(&recorded.arguments), &options).map_err(|e| format!("eval: {e}"))?;
    difference(&found, &recorded.results, SLACK).map_or(Ok(()), |d| Err(format!("differs: {d}")))
}

/// A cause without the numbers that differ from program to program.
fn general(cause: &str) -> String {
    if cause.starts_with("differs") {
        return "differs".into();
    }
    let mut out = String::new();
    for c in cause.chars().take(160) {
        match c {
            '0'..='9' | ',' if out.ends_with(['#', '[']) => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}
