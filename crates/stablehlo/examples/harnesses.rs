//! Reads a folder of programs, computes them with the interpreter, and counts which agree with the recorded results, for
//! text and artifacts; failures are listed by cause. `make harnesses` records JAX's primitive harnesses and runs it. Programs
//! without recorded values check themselves by calls of `check.expect_eq` and the like, as StableHLO's test data do.

// It uses a part of it.
#[allow(dead_code)]
#[path = "../tests/support/mod.rs"]
mod support;

use lawson_hlo::eval::{CustomCallFn, Options, evaluate};
use lawson_hlo::{Literal, Module, Scalar, Shape, Value, verify};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{difference, files, recorded, values};

/// By how many tolerances elements may differ.
const SLACK: f64 = 1.0;

/// So many programs are shown of each cause.
const SHOWN: usize = 6;

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
        if all == 0 {
            continue;
        }
        println!("{ending}: {agree} of {all} agree");
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|(_, programs)| std::cmp::Reverse(programs.len()));
        for (cause, programs) in causes {
            println!("{:5}  {cause}", programs.len());
            for program in programs.iter().take(SHOWN) {
                println!("       {}", program.chars().take(200).collect::<String>());
            }
        }
    }
}

fn run(path: &Path, values_of: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let module: Module = lawson_stablehlo::read(&bytes).map_err(|e| format!("read: {}", e.message))?;
    let first = |f: Vec<verify::Fault>| f[0].message.clone();
    verify::verify(&module).map_err(|f| format!("verify: {}", first(f)))?;
    // Calls that compare complex numbers are no operations of any device.
    if values_of.exists() {
        verify::supported(&module).map_err(|f| format!("supported: {}", first(f)))?;
    }
    let options = Options { max_operations: Some(1 << 30), custom_calls: checks(), ..Options::default() };
    let recorded = values_of.exists().then(|| recorded(values_of));
    let arguments = recorded.as_ref().map_or(Vec::new(), |r| values(&r.arguments));
    let found = evaluate(&module, &arguments, &options).map_err(|e| match e.to_string() {
        failed if failed.contains(DIFFERS) => failed,
        other => format!("eval: {other}"),
    })?;
    let Some(recorded) = recorded else { return Ok(()) };
    difference(&found, &recorded.results, SLACK).map_or(Ok(()), |d| Err(format!("{DIFFERS} {d}")))
}

const DIFFERS: &str = "differs:";

/// Calls that compare two values; a third says how far apart elements may be.
fn checks() -> FxHashMap<String, Arc<CustomCallFn>> {
    let names = ["check.expect_eq", "check.expect_close", "check.expect_almost_eq"];
    let check = |operands: &[Value], _: &Shape| {
        let found = match operands {
            [a @ Value::Array(_), Value::Array(b)] => difference(a, std::slice::from_ref(b), SLACK),
            [Value::Array(a), Value::Array(b), Value::Array(apart)] => {
                distance(a, b, apart.parts()[0].scalars())
            }
            _ => return Err("two arrays are compared".to_string()),
        };
        found.map_or(Ok(Value::Tuple(Vec::new())), |d| Err(format!("{DIFFERS} {d}")))
    };
    names.into_iter().map(|name| (name.to_string(), Arc::new(check) as Arc<CustomCallFn>)).collect()
}

/// The first elements that are further apart than that.
fn distance(a: &Literal, b: &Literal, mut apart: impl Iterator<Item = Scalar>) -> Option<String> {
    let apart = apart.next().map_or(0.0, Scalar::as_f64);
    let (a, b) = (a.parts(), b.parts());
    let mut pairs = a
        .iter()
        .zip(&b)
        .flat_map(|(a, b)| a.scalars().zip(b.scalars()).map(|(a, b)| (a.as_f64(), b.as_f64())));
    let near = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= apart;
    pairs.find(|&(a, b)| !near(a, b)).map(|(a, b)| format!("an element is {a:?}, not {b:?}"))
}

/// A cause without the numbers that differ from program to program.
fn general(cause: &str) -> String {
    if cause.contains(DIFFERS) {
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
