//! The JAX programs of `tests/programs` as code for graphics processors, executed by the emulator of PTX: in strict
//! numerics they give the interpreter's bits.

#[path = "../../llvm/tests/common/emulate.rs"]
mod emulate;

use lawson::compile;
use lawson::options::Numerics;
use lawson::{Client, Options, load, npz};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::program;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

const TARGETS: [&str; 2] = ["sm_75", "sm_90"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/programs").flatten().map(|e| e.path()).collect();
    folders.sort();
    let all = folders.iter().flat_map(|f| TARGETS.map(|target| (f.clone(), target)));
    let trial = |(folder, target): (PathBuf, &'static str)| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(format!("{name}::{target}"), move || check(&folder, target))
    };
    libtest_mimic::run(&Arguments::from_args(), all.map(trial).collect()).exit();
}

fn check(folder: &Path, target: &str) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("module.hlo"))?;
    let inputs = npz::read(&folder.join("inputs.npz"), "arg", &load::parameter_leaves(&loaded.module))?;
    let options = Options {
        target: Some(target.into()),
        numerics: Numerics::Strict,
        threads: 1,
        ..Options::default()
    };
    let expected = Client::interpreter().execute(&loaded.module, &inputs, &options)?;
    let planned = compile::plan(&loaded.module, &options)?;
    let bytes: Vec<&[u8]> = inputs.iter().map(|l| l.bytes()).collect();
    let program = &planned.scheduled.program;
    let run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| emulate::run(kernel, buffers, target).map(drop);
    let found = program::evaluate_by(program, &bytes, program::eval::Options::default(), &mut { run })?;
    for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
        let size = expected.dtype().bytes() as usize;
        let chunks = expected.bytes().chunks(size).zip(found.chunks(size));
        let differs = |n: usize| {
            let found = lawson::hlo::Literal::new(expected.shape().clone(), &found[..]);
            let (a, b) = (expected.get(n).as_f64(), found.get(n).as_f64());
            !(expected.dtype().is_float() && a.is_nan() && b.is_nan())
        };
        let wrong = chunks.enumerate().find(|(n, (e, f))| e != f && differs(*n));
        if let Some((n, (e, f))) = wrong {
            return Err(format!("element {n} of output {i} is {f:x?}, not {e:x?}").into());
        }
    }
    if expected.len() == found.len() { Ok(()) } else { Err("another number of outputs".into()) }
}
