//! The runtime of devices: in strict numerics the JAX programs of `tests/programs` give the interpreter's bits, submitted piece
//! by piece and as graphs, and steady runs ask for no memory. The device is emulated, or one of the machine
//! (`LAWSON_TEST_DEVICE=cuda`), where the programs at full size give the processor's bits too.

#[path = "common/device.rs"]
mod device;

use lawson::hlo::Literal;
use lawson::options::Numerics;
use lawson::{Argument, Buffer, Client, Donation, Executable, Options, RunOptions, load, npz, random_inputs};
use lawson_cuda as cuda;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Programs that take long in the emulator run once; others until their sequences are graphs.
const SLOW: &[&str] = &["mlp_train_step", "resnet_block", "attention", "mlp_layer_128x784x256", "nbody"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/programs").flatten().map(|e| e.path()).collect();
    folders.sort();
    let arguments = Arguments::from_args();
    let trial = |folder: PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let runs = if SLOW.contains(&&*name) { 1 } else { 4 };
        Trial::test(name, move || check(&folder, runs))
    };
    let full =
        folders.clone().into_iter().filter(|_| std::env::var_os(device::NAME).is_some()).map(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(format!("{name}::full"), move || check_full(&folder))
        });
    let all: Vec<Trial> = full.chain(folders.into_iter().map(trial)).collect();
    libtest_mimic::run(&arguments, all).exit();
}

fn check(folder: &Path, runs: usize) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("module.hlo"))?;
    let inputs = npz::read(&folder.join("inputs.npz"), "arg", &load::parameter_leaves(&loaded.module))?;
    let options = Options { numerics: Numerics::Strict, threads: 1, ..Options::default() };
    let expected = Client::interpreter().execute(&loaded.module, &inputs, &options)?;
    let device = apart()?;
    let client = Client::of_device(device.clone());
    let executable = client.compile(&loaded.module, &options)?;
    let buffers = inputs.iter().map(|l| client.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
    let (mut counters, mut fresh) = (Vec::new(), 0);
    for run in 0..runs {
        let arguments = lend(&client, &executable, &buffers)?;
        let outcome = executable.run_with(arguments, &RunOptions::default())?;
        counters.push(outcome.counters);
        compare(&expected, &outcome.outputs).map_err(|e| format!("run {run}: {e}"))?;
        drop(outcome);
        if run == 1 {
            fresh = device.pool().fresh;
        }
    }
    let program = &executable.native().ok_or("there is a plan")?.planned.scheduled.program;
    let told = cuda::crossing(program);
    if let Some(t) = counters[0].transfers.filter(|_| !told.varies) {
        let counted = [t.uploads, t.upload_bytes, t.downloads, t.download_bytes];
        if counted != [told.uploads, told.upload_bytes, told.downloads, told.download_bytes] {
            return Err(format!("{counted:?} were counted, and {told:?} told").into());
        }
    }
    if counters.windows(2).any(|w| w[0] != w[1]) {
        return Err(format!("runs count differently: {counters:?}").into());
    }
    if runs > 2 && device.pool().fresh != fresh {
        return Err("a steady run asks the driver for memory".into());
    }
    drop((buffers, executable, client));
    match device.pool().used {
        0 => Ok(()),
        n => Err(format!("{n} bytes are left in use").into()),
    }
}

/// The device, with a pool of memory that no other test uses: what is in use there is this test's.
fn apart() -> Result<cuda::Device, String> {
    let device = device::device()?;
    match device.ordinal() {
        Some(number) => cuda::Device::open_apart(number).map_err(|e| e.to_string()),
        None => Ok(device),
    }
}

/// At full size beside the processor, whose bits are those of the interpreter.
fn check_full(folder: &Path) -> Result<(), Failed> {
    let loaded = load::file(&folder.join("full.hlo"))?;
    let inputs = random_inputs::literals(0, &load::parameter_leaves(&loaded.module));
    let options = Options { numerics: Numerics::Strict, ..Options::default() };
    let expected = Client::cpu().execute(&loaded.module, &inputs, &options)?;
    let client = Client::of_device(device::device()?);
    let found = client.execute(&loaded.module, &inputs, &options)?;
    let found = found.iter().map(|l| client.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
    Ok(compare(&expected, &found)?)
}

/// Arguments for one run: copies that are given up where the module's header says so.
fn lend<'a>(
    client: &Client,
    executable: &Executable,
    buffers: &'a [Buffer],
) -> Result<Vec<Argument<'a>>, lawson::Error> {
    let lent = buffers.iter().zip(executable.parameters()).map(|(buffer, p)| match p.donation {
        Donation::NotAsked => Ok(Argument::Borrowed(buffer)),
        Donation::NoResult | Donation::Result(_) => {
            client.buffer_from_literal(&buffer.literal()?).map(Argument::Donated)
        }
    });
    lent.collect()
}

fn compare(expected: &[Literal], found: &[Buffer]) -> Result<(), String> {
    if expected.len() != found.len() {
        return Err("another number of outputs".into());
    }
    for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
        let found = found.literal().map_err(|e| e.to_string())?;
        // Every NaN is the same.
        let is_nan = |l: &Literal, n| l.dtype().is_float() && l.get(n).as_f64().is_nan();
        let is_same =
            |&n: &usize| expected.bits(n) == found.bits(n) || is_nan(expected, n) && is_nan(&found, n);
        if expected.bytes() != found.bytes()
            && let Some(n) = (0..expected.elements()).find(|n| !is_same(n))
        {
            let (found, expected) = (found.get(n).as_f64(), expected.get(n).as_f64());
            return Err(format!("element {n} of output {i} is {found}, not {expected}"));
        }
    }
    Ok(())
}
