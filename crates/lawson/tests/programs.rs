//! The JAX programs of `tests/programs`, each on every device, against XLA's results.
//!
//! One test for each program and line of [`RUNS`]. Tolerances are those of the program's `meta.json`: rtol, an atol of
//! rtol × max|expected|, and the fraction of elements that may differ.

use lawson::compare::{self, Tolerance};
use lawson::hlo::{ArrayShape, DType, Literal};
use lawson::options::Numerics::{self, Fast, Standard, Strict};
use lawson::options::{Device, FusionSpec};
use lawson::{Client, Options, load, npz};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// How each program runs.
type Run = (Device, usize, &'static str, Numerics);

const RUNS: &[Run] = &[
    (Device::Interpreter, 1, "on", Standard),
    (Device::Cpu, 1, "on", Standard),
    (Device::Cpu, 1, "off", Standard),
    (Device::Cpu, 2, "on", Standard),
    (Device::Cpu, 2, "off", Standard),
    (Device::Cpu, 2, "chance-1", Standard),
    (Device::Cpu, 2, "on", Strict),
    (Device::Cpu, 2, "on", Fast),
];

const PROGRAMS: usize = 21;

fn main() {
    let arguments = Arguments::from_args();
    let folders = folders();
    let mut trials: Vec<Trial> = folders.iter().flat_map(|f| RUNS.iter().map(|run| trial(f, *run))).collect();
    let count = folders.len();
    trials.push(Trial::test("all_programs_are_there", move || {
        if count == PROGRAMS { Ok(()) } else { Err(format!("{count} programs, not {PROGRAMS}").into()) }
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/programs").flatten().map(|e| e.path()).collect();
    found.retain(|p| p.join("module.hlo").is_file());
    found.sort();
    found
}

fn trial(folder: &Path, (device, threads, fusion, numerics): Run) -> Trial {
    let program = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{program}::{}_{threads}_{fusion}_{}", device.name(), numerics.name());
    let folder = folder.to_path_buf();
    let options = move || -> Result<Options, String> {
        let fusion: FusionSpec = fusion.parse()?;
        Ok(Options { threads, fusion, numerics, ..Options::default() })
    };
    Trial::test(name, move || check(&folder, device, &options()?))
}

fn check(folder: &Path, device: Device, options: &Options) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("module.hlo"))?;
    loaded.check_supported()?;
    let inputs = npz::read(&folder.join("inputs.npz"), "arg", &load::parameter_leaves(&loaded.module))?;
    let expected = npz::read(&folder.join("outputs.npz"), "out", &load::result_leaves(&loaded.module))?;
    let result = Client::new(device)?.execute(&loaded.module, &inputs, options)?;
    let meta = Meta::read(folder)?;
    let mut wrong = Vec::new();
    for (i, (actual, expected)) in result.iter().zip(&expected).enumerate() {
        let comparison = compare::compare(i, actual, expected, &meta.tolerance(expected));
        if !comparison.agrees {
            wrong.push(comparison.to_string());
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

struct Meta {
    rtol: f64,
    max_mismatch: f64,
}

impl Meta {
    fn read(folder: &Path) -> Result<Meta, Failed> {
        let text = std::fs::read_to_string(folder.join("meta.json"))?;
        let json: serde_json::Value = serde_json::from_str(&text)?;
        let number = |key: &str| json[key].as_f64().ok_or(format!("meta.json has no {key}"));
        Ok(Meta { rtol: number("rtol")?, max_mismatch: number("max_mismatch")? })
    }

    fn tolerance(&self, expected: &Literal) -> Tolerance {
        let largest = expected.scalars().map(|s| s.as_f64().abs()).fold(0.0, f64::max);
        let ArrayShape { dtype, .. } = expected.shape();
        let atol = if *dtype == DType::Pred { 0.0 } else { self.rtol * largest };
        Tolerance {
            rtol: Some(self.rtol),
            atol: Some(atol),
            max_mismatch: self.max_mismatch,
            ..Tolerance::default()
        }
    }
}
