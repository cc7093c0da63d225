//! The JAX programs of `tests/programs` as code for the oldest graphics processor, executed by the emulator of PTX: in strict
//! numerics they give the interpreter's bits (`on_device` runs that for a newer one). With `--nocapture` the counters of each
//! launch are printed.

#[path = "../../llvm/tests/common/emulate.rs"]
mod emulate;

use lawson::compile;
use lawson::hlo::Literal;
use lawson::options::Numerics;
use lawson::{Client, Options, load, npz};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::program;
use lawson_ptx::{Counters, Flow};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

const TARGET: &str = "sm_75";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/programs").flatten().map(|e| e.path()).collect();
    folders.sort();
    let arguments = Arguments::from_args();
    let shown = arguments.nocapture;
    let trial = |folder: PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || check(&folder, shown))
    };
    libtest_mimic::run(&arguments, folders.into_iter().map(trial).collect()).exit();
}

/// What a launch moved, and what its warps waited for.
fn told(c: &Counters) -> String {
    let flow = |f: Flow| format!("{} bytes in {} sectors", f.bytes, f.sectors);
    format!(
        "{}: {} blocks of {}, {} instructions, read {}, wrote {}, shared {} + {} with {} conflicts, {} of {} branches diverge, \
         {} waits of warps",
        c.kernel,
        c.blocks,
        c.threads,
        c.warp_instructions,
        flow(c.global.read),
        flow(c.global.written),
        c.shared.loads,
        c.shared.stores,
        c.shared.conflicts,
        c.divergent_branches,
        c.branches,
        c.warp_barriers
    )
}

fn check(folder: &Path, shown: bool) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("module.hlo"))?;
    let inputs = npz::read(&folder.join("inputs.npz"), "arg", &load::parameter_leaves(&loaded.module))?;
    let options =
        Options { target: Some(TARGET.into()), numerics: Numerics::Strict, threads: 1, ..Options::default() };
    let expected = Client::interpreter().execute(&loaded.module, &inputs, &options)?;
    let planned = compile::plan(&loaded.module, &options)?;
    let bytes: Vec<&[u8]> = inputs.iter().map(|l| l.bytes()).collect();
    let program = &planned.scheduled.program;
    let run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| {
        let phases = emulate::run(kernel, buffers, TARGET, emulate::FEW_BLOCKS)?;
        if shown {
            phases.iter().for_each(|c| println!("{}", told(c)));
        }
        Ok(())
    };
    let found = program::evaluate_by(program, &bytes, program::eval::Options::default(), &mut { run })?;
    for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
        let found = Literal::new(expected.shape().clone(), &found[..]);
        // Every NaN is the same.
        let is_same = |n: usize| {
            let is_nan = |l: &Literal| l.dtype().is_float() && l.get(n).as_f64().is_nan();
            expected.bits(n) == found.bits(n) || is_nan(expected) && is_nan(&found)
        };
        if expected.bytes() != found.bytes()
            && let Some(n) = (0..expected.elements()).find(|&n| !is_same(n))
        {
            let (found, expected) = (found.get(n).as_f64(), expected.get(n).as_f64());
            return Err(format!("element {n} of output {i} is {found}, not {expected}").into());
        }
    }
    if expected.len() == found.len() { Ok(()) } else { Err("another number of outputs".into()) }
}
