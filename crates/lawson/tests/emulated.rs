//! The JAX programs of `tests/programs` as code for graphics processors, executed by the emulator of PTX: in strict numerics they
//! give the interpreter's bits. Those of `module.hlo` are for the oldest one (`on_device` runs them for a newer one); those of
//! `blocks.hlo`, for the newest, fill several blocks, with elements that are no multiple of what a warp has. With `--nocapture` the
//! counters of each launch are printed.

#[path = "../../llvm/tests/common/emulate.rs"]
mod emulate;

use lawson::compile;
use lawson::hlo::Literal;
use lawson::load::Loaded;
use lawson::options::Numerics;
use lawson::{Client, Options, load, npz, random_inputs};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::program;
use lawson_ptx::{Counters, Flow};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

const OLDEST: &str = "sm_75";
const NEWEST: &str = "sm_90";
/// Blocks that a launch has at least where it has several.
const SEVERAL: u64 = 3;
/// Lanes of a warp.
const WARP: i64 = 32;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/programs").flatten().map(|e| e.path()).collect();
    folders.sort();
    let arguments = Arguments::from_args();
    let shown = arguments.nocapture;
    let trials = |folder: PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let small = folder.clone();
        [
            Trial::test(format!("{name}::blocks"), move || blocks(&folder, shown)),
            Trial::test(name, move || recorded(&small, shown)),
        ]
    };
    libtest_mimic::run(&arguments, folders.into_iter().flat_map(trials).collect()).exit();
}

/// The recorded program on so few blocks that each warp has several tasks.
fn recorded(folder: &Path, shown: bool) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("module.hlo"))?;
    let inputs = npz::read(&folder.join("inputs.npz"), "arg", &load::parameter_leaves(&loaded.module))?;
    launched(&loaded, &inputs, (OLDEST, emulate::FEW_BLOCKS), shown).map(drop)
}

/// The program at a size that has several blocks and a remainder, on as many blocks as it has tasks for.
fn blocks(folder: &Path, shown: bool) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("blocks.hlo"))?;
    let inputs = random_inputs::literals(0, &load::parameter_leaves(&loaded.module));
    let launches = launched(&loaded, &inputs, (NEWEST, i64::MAX), shown)?;
    if launches.iter().any(|l| l.blocks >= SEVERAL && l.has_remainder) {
        return Ok(());
    }
    Err(format!("no launch has {SEVERAL} blocks and a remainder: {launches:?}").into())
}

/// A launch, as far as it is about sizes.
#[derive(Debug)]
struct Launched {
    blocks: u64,
    /// Whether one of its arrays has more elements than a warp lanes, and no multiple of them.
    has_remainder: bool,
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

/// The launches of a program for a processor, on at most so many blocks each, after its values were compared.
fn launched(
    loaded: &Loaded,
    inputs: &[Literal],
    (target, most): (&str, i64),
    shown: bool,
) -> Result<Vec<Launched>, Failed> {
    let options =
        Options { target: Some(target.into()), numerics: Numerics::Strict, threads: 1, ..Options::default() };
    let expected = Client::interpreter().execute(&loaded.module, inputs, &options)?;
    let planned = compile::plan(&loaded.module, &options)?;
    let bytes: Vec<&[u8]> = inputs.iter().map(|l| l.bytes()).collect();
    let program = &planned.scheduled.program;
    let mut launches = Vec::new();
    let mut run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| {
        let has_remainder = kernel.buffers.iter().any(|b| b.len > WARP && b.len % WARP != 0);
        for c in emulate::run(kernel, buffers, target, most)? {
            if shown {
                println!("{}", told(&c));
            }
            launches.push(Launched { blocks: c.blocks, has_remainder });
        }
        Ok(())
    };
    let found = program::evaluate_by(program, &bytes, program::eval::Options::default(), &mut run)?;
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
    if expected.len() == found.len() { Ok(launches) } else { Err("another number of outputs".into()) }
}
