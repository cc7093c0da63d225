//! Random modules give the same bits in every way Lawson can run them.
//!
//! The interpreter says what is right. In strict numerics the kernels, unfused and fused, evaluated as Loop IR for
//! several machines, run as machine code on one thread and on two, or on a graphics processor (emulated, where there is none), must
//! agree with it bit for bit.
//!
//! `cargo test -p lawson --test property` runs fixed seeds, three times as many with `LAWSON_LONG_TESTS=1`. Further ways, after a `--`:
//! `--forever [--from SEED]` goes on until something fails; `--seed SEED` runs one; `--replay FILE` runs a saved
//! module. What fails is shrunk and saved as `.hlo` with the command that replays it. `LAWSON_TEST_SECONDS` is how long modules are
//! begun on a device of the machine (`LAWSON_TEST_DEVICE`), whose driver takes a while for the code of each; the last line says
//! how many were checked.

mod check;
#[path = "../common/device.rs"]
mod device;
mod generate;
mod inputs;
mod prune;
mod random;
mod shrink;
mod survey;

use check::{Engine, Failure, check};
use lawson::hlo::Module;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Seeds of the default run and of the long one, for each engine.
const SIMULATED: [u64; 2] = [3000, 9000];
const NATIVE: [u64; 2] = [400, 1200];
const EMULATED: [u64; 2] = [200, 2100];
/// A trial runs this many; on a device of the machine fewer, so that one sees how far it is.
const TRIAL: u64 = 100;
const TRIAL_ON_DEVICE: u64 = 20;
/// What names the seconds that modules are begun on a device of the machine.
const SECONDS: &str = "LAWSON_TEST_SECONDS";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| words.iter().position(|w| w == name).and_then(|i| words.get(i + 1)).cloned();
    let number = |name: &str| value(name).and_then(|v| v.parse().ok());
    if let Some(file) = value("--replay") {
        return replay(Path::new(&file), number("--seed"));
    }
    if words.iter().any(|w| w == "--forever") {
        return forever(number("--from").unwrap_or(1_000_000), number("--failures").unwrap_or(1));
    }
    if let Some(seed) = number("--seed") {
        return report(Engine::ALL.into_iter().try_for_each(|e| run(seed, e)));
    }
    if let Some(count) = number("--survey") {
        let s = survey::survey(0..count);
        println!("{} instructions\n{:#?}\n{:#?}", s.instructions, s.opcodes, s.dtypes);
        return ExitCode::SUCCESS;
    }
    let long = usize::from(std::env::var_os("LAWSON_LONG_TESTS").is_some());
    let on_device = std::env::var_os(device::NAME).is_some();
    let seconds = std::env::var(SECONDS).ok().and_then(|s| s.parse().ok()).map(Duration::from_secs);
    let end = seconds.map(|limit| Instant::now() + limit);
    let trials = |engine: Engine, count: [u64; 2]| {
        let on_device = on_device && engine == Engine::Emulated;
        let trial = if on_device { TRIAL_ON_DEVICE } else { TRIAL };
        (0..count[long] / trial).map(move |i| {
            let seeds = i * trial..(i + 1) * trial;
            let name = format!("{}_{:05}", engine.name(), seeds.start);
            let is_time = move || !on_device || end.is_none_or(|end| Instant::now() < end);
            let one = move |seed| {
                run(seed, engine)?;
                ON_DEVICE.fetch_add(on_device.into(), Ordering::Relaxed);
                Ok(())
            };
            Trial::test(name, move || seeds.clone().take_while(|_| is_time()).try_for_each(one))
        })
    };
    let survey = Trial::test("every_operation_occurs", || Ok(survey::check(0..SIMULATED[0])?));
    let donated = Trial::test("arguments_are_donated_and_updated_in_place", || Ok(check::donations(0..300)?));
    let all = [survey, donated]
        .into_iter()
        .chain(trials(Engine::Native, NATIVE))
        .chain(trials(Engine::Emulated, EMULATED))
        .chain(trials(Engine::Simulated, SIMULATED))
        .collect();
    let done = libtest_mimic::run(&Arguments::from_args(), all);
    if on_device {
        println!("{} of {} modules on the device", ON_DEVICE.load(Ordering::Relaxed), EMULATED[long]);
    }
    done.exit_code()
}

/// Modules that were checked on a device of the machine.
static ON_DEVICE: AtomicU64 = AtomicU64::new(0);

/// Every seed from this one on; the last line on the screen says how far it got.
fn forever(from: u64, failures: u64) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let mut failed = 0;
    for seed in from.. {
        let engine = if seed.is_multiple_of(10) { Engine::Native } else { Engine::Simulated };
        if let Err(e) = run(seed, engine) {
            eprintln!("{}\n", e.message().unwrap_or_default());
            failed += 1;
            if failed == failures {
                return ExitCode::FAILURE;
            }
        }
        if seed.is_multiple_of(100) {
            eprint!("seed {seed}, {failed} failed\r");
        }
    }
    ExitCode::SUCCESS
}

fn report(result: Result<(), Failed>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{}", e.message().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

/// Runs the module of a seed; shrinks and saves it if it fails.
fn run(seed: u64, engine: Engine) -> Result<(), Failed> {
    let module = generate::module(seed);
    // A crash of machine code leaves this behind.
    let running = if engine == Engine::Native { Some(save(&module, seed, "running")) } else { None };
    let result = check(&module, seed, engine);
    if let Some(path) = running {
        let _ = std::fs::remove_file(path);
    }
    let Err(failure) = result else { return Ok(()) };
    let (small, failure) = shrink::shrink(&module, seed, engine, failure);
    let path = save(&small, seed, engine.name());
    let command = replay_command(&path, seed);
    Err(format!("seed {seed}: {failure}\n{small}\nsaved as {}\nreplay: {command}", path.display()).into())
}

/// Writes the module with what is needed to run it again.
fn save(module: &Module, seed: u64, what: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("property");
    let path = folder.join(format!("{what}-{seed}.hlo"));
    let text = format!("// {}\n{module}", replay_command(&path, seed));
    // The report holds the text as well.
    let _ = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
    path
}

fn replay_command(path: &Path, seed: u64) -> String {
    format!("cargo test -p lawson --test property -- --seed {seed} --replay {}", path.display())
}

fn replay(file: &Path, seed: Option<u64>) -> ExitCode {
    let module = match std::fs::read_to_string(file).map(|t| Module::parse(&t)) {
        Ok(Ok(module)) => module,
        Ok(Err(e)) => return report(Err(e.to_string().into())),
        Err(e) => return report(Err(format!("{}: {e}", file.display()).into())),
    };
    let seed = seed.unwrap_or(0);
    let result: Result<(), Failure> = Engine::ALL.into_iter().try_for_each(|e| check(&module, seed, e));
    report(result.map_err(|e| e.to_string().into()))
}
