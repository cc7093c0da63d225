//! One module, run in every way: all must give the interpreter's bits.
//!
//! NaN payloads and signs are unspecified; all else is compared bit for bit, in strict numerics. In standard numerics,
//! where the order of a reduction is free, and in fast ones, smooth modules may differ by [`bound`].

use crate::device;
use crate::generate;
use crate::inputs::{self, Spread};
use lawson::Options;
use lawson::compile::{self, Planned};
use lawson::hlo::eval;
use lawson::hlo::module::Donor;
use lawson::hlo::verify::{supported, verify};
use lawson::hlo::{Attrs, DType, InstrId, Instruction, Literal, Module, Opcode, Shape, Value};
use lawson::options::{Effort, FusionBase, FusionSpec, Numerics};
use lawson_cpu::{Argument, Limits};
use lawson_kernel::program;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// How kernels are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// By the evaluator of Loop IR, for the vectors of any machine.
    Simulated,
    /// As machine code, on one thread and on two.
    Native,
    /// On a graphics processor, which is emulated where there is none.
    Emulated,
}

impl Engine {
    pub const ALL: [Engine; 3] = [Engine::Simulated, Engine::Native, Engine::Emulated];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Simulated => "simulated",
            Engine::Native => "native",
            Engine::Emulated => "emulated",
        }
    }
}

/// What went wrong. A smaller module with a failure of the same kind shows the same bug, most likely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The module is not well formed: a bug of the generator, or of the verifier.
    Module,
    /// Its text does not read back.
    Text,
    Interpreter,
    /// It does not compile or run.
    Error,
    /// A panic.
    Panic,
    /// Other bits.
    Differs,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

fn failure<T>(kind: FailureKind, message: impl fmt::Display) -> Result<T, Failure> {
    Err(Failure { kind, message: message.to_string() })
}

/// Runs the module on the inputs of the seed in all ways of the engine.
pub fn check(module: &Module, seed: u64, engine: Engine) -> Result<(), Failure> {
    match catch_unwind(AssertUnwindSafe(|| run_all(module, seed, engine))) {
        Ok(result) => result,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()));
            failure(FailureKind::Panic, format!("panic: {}", text.unwrap_or_default()))
        }
    }
}

/// The module, some with all arguments as donors: then it is run with them donated too.
fn run_all(module: &Module, seed: u64, engine: Engine) -> Result<(), Failure> {
    if seed % 5 < 2 || !module.header.donors.is_empty() {
        return run_as_it_is(module, seed, engine);
    }
    run_as_it_is(&with_donors(module), seed, engine)
}

/// Whether enough of these modules have results that take the memory of arguments, also in kernels that read and write it.
pub fn donations(seeds: std::ops::Range<u64>) -> Result<(), String> {
    let (mut donated, mut in_place) = (0, 0);
    for seed in seeds.clone() {
        let module = with_donors(&generate::module(seed));
        let planned =
            compile::plan(&module, &variants(seed, Engine::Native)[1]).map_err(|e| e.to_string())?;
        let program = &planned.scheduled.program;
        donated += program.donations.len();
        in_place += program.kernels.iter().filter(|k| k.name.contains("_in_place")).count();
    }
    let enough =
        donated as u64 > (seeds.end - seeds.start) / 4 && in_place as u64 > (seeds.end - seeds.start) / 20;
    if enough { Ok(()) } else { Err(format!("{donated} donations, {in_place} kernels in place")) }
}

fn with_donors(module: &Module) -> Module {
    let mut donating = module.clone();
    let numbers = 0..module.entry().parameter_shapes().len();
    donating.header.donors =
        numbers.map(|parameter| Donor { parameter, parameter_index: Vec::new() }).collect();
    donating
}

fn run_as_it_is(module: &Module, seed: u64, engine: Engine) -> Result<(), Failure> {
    if let Err(faults) = verify(module).and_then(|()| supported(module)) {
        return failure(FailureKind::Module, &faults[0]);
    }
    let text = module.to_string();
    match Module::parse(&text) {
        Ok(read) if read.to_string() == text => {}
        Ok(read) => return failure(FailureKind::Text, format!("prints again as\n{read}")),
        Err(e) => return failure(FailureKind::Text, e),
    }
    // Wild numbers soon make everything NaN: some seeds have none.
    let smooth = generate::is_smooth(seed);
    let spread = if smooth || seed.is_multiple_of(3) { Spread::Tame } else { Spread::Wild };
    let args = inputs::arguments(module, seed, spread);
    let limits = eval::Options { max_bytes: 1 << 30, ..eval::Options::default() };
    let expected = match eval::evaluate(module, &args, &limits) {
        Ok(value) => value,
        Err(e) => return failure(FailureKind::Interpreter, format!("interpreter: {e}")),
    };
    let mut variants = variants(seed, engine);
    let mut largest = 0.0;
    let is_f32 = |i: &Instruction| i.shape.leaves().iter().any(|l| l.dtype == DType::F32);
    let has_f32 = module.computations.iter().any(|c| c.instrs.iter().any(is_f32));
    if smooth {
        let last = variants[variants.len() - 1].clone();
        for numerics in [Numerics::Standard, Numerics::Fast] {
            variants.push(Options { numerics, ..last.clone() });
        }
        largest = largest_value(module, &args, &limits).or_else(|e| failure(FailureKind::Interpreter, e))?;
    }
    for (i, options) in variants.iter().enumerate() {
        let how = describe(engine, options);
        let planned =
            compile::plan(module, options).or_else(|e| failure(FailureKind::Error, format!("{how}: {e}")))?;
        let found = match engine {
            Engine::Simulated => simulated(&planned, &args, i % 2 == 1),
            Engine::Native => native(&planned, &args, code(seed)),
            Engine::Emulated => emulated(&planned, &args, options),
        };
        let results = found.or_else(|e| failure(FailureKind::Error, format!("{how}: {e}")))?;
        for (what, leaves) in results {
            let allowed = |d: DType| match options.numerics {
                Numerics::Strict => None,
                // A value in f64 may be made of sums in f32, added in another order.
                Numerics::Standard | Numerics::Fast if d == DType::F64 && has_f32 => {
                    bound(DType::F32, largest)
                }
                Numerics::Standard | Numerics::Fast => bound(d, largest),
            };
            compare(&expected, &leaves, &allowed)
                .or_else(|e| failure(FailureKind::Differs, format!("{how}{what}: {e}")))?;
        }
    }
    Ok(())
}

/// How far a float of a smooth module may be from the interpreter's in standard or fast numerics: some thousand units in the
/// last place of the largest number that occurs. It is normwise because sums may cancel.
fn bound(dtype: DType, largest: f64) -> Option<f64> {
    let unit = match dtype {
        DType::F32 => f64::from(f32::EPSILON),
        DType::F64 => f64::EPSILON,
        _ => return None,
    };
    Some(2000.0 * unit * largest.max(1.0))
}

/// The largest finite float among all values of the entry.
fn largest_value(module: &Module, args: &[Value], limits: &eval::Options) -> Result<f64, String> {
    let mut all = module.clone();
    let entry = &mut all.computations[module.entry.index()];
    let values: Vec<InstrId> =
        entry.iter().filter(|(_, i)| i.shape.as_array().is_some()).map(|(id, _)| id).collect();
    let shape = Shape::Tuple(values.iter().map(|&v| entry[v].shape.clone()).collect());
    let origin = entry.root().origin.clone();
    entry.root = InstrId(entry.instrs.len() as u32);
    entry.instrs.push(Instruction::new("all_values", Opcode::Tuple, shape, values, Attrs::None, origin));
    let value = eval::evaluate(&all, args, limits).map_err(|e| e.to_string())?;
    let floats = value.leaves().into_iter().filter(|l| l.dtype().is_float()).cloned().collect::<Vec<_>>();
    let finite = floats.iter().flat_map(|l| l.scalars().map(|s| s.as_f64().abs())).filter(|v| v.is_finite());
    Ok(finite.fold(0.0, f64::max))
}

/// Without fusion and with; on machines with short and long vectors, with little and much effort.
fn variants(seed: u64, engine: Engine) -> Vec<Options> {
    let base = Options {
        numerics: Numerics::Strict,
        threads: 2,
        // Code of either kind is made of plans of either kind.
        effort: if seed % 8 == 3 { Effort::Fast } else { Effort::Full },
        max_memory: 1 << 30,
        ..Options::default()
    };
    let max = FusionSpec { base: FusionBase::Max, ..FusionSpec::default() };
    let chance = FusionSpec { base: FusionBase::Chance(seed), ..FusionSpec::default() };
    let fused = match seed % 4 {
        0 => max,
        2 => chance,
        _ => FusionSpec::default(),
    };
    let (off, on) = (Options { fusion: FusionSpec::OFF, ..base.clone() }, Options { fusion: fused, ..base });
    match engine {
        Engine::Simulated => {
            let targets = ["zen4", "haswell", "neon"];
            let target = |i: u64| Some(targets[(i % 3) as usize].into());
            vec![Options { target: target(seed), ..off }, Options { target: target(seed / 3), ..on }]
        }
        Engine::Native if seed % 2 == 1 => {
            let target = Some(halves().into_os_string());
            vec![Options { target: target.clone(), ..off }, Options { target, ..on }]
        }
        Engine::Native => vec![off, on],
        Engine::Emulated => {
            let target = |i: u64| Some(["sm_75", "sm_80", "sm_90"][(i % 3) as usize].into());
            vec![Options { target: target(seed), ..off }, Options { target: target(seed / 3), ..on }]
        }
    }
}

/// The description of this machine as one that takes vectors for two halves, with a cache so small that they are used: of
/// a file that is written once.
fn halves() -> PathBuf {
    static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("halves.json");
        let text = r#"{"base": "host", "name": "halves", "half_vectors": true, "l2": 256}"#;
        std::fs::write(&path, text).expect("a file for a test");
        path
    });
    FILE.clone()
}

fn describe(engine: Engine, o: &Options) -> String {
    match engine {
        Engine::Simulated | Engine::Emulated => {
            let target = o.target.as_deref().unwrap_or("host".as_ref()).display();
            format!(
                "{} for {target}, fusion {}, {}, compiled {}",
                engine.name(),
                o.fusion,
                o.numerics.name(),
                o.effort.name()
            )
        }
        Engine::Native => {
            format!("native, fusion {}, {}, compiled {}", o.fusion, o.numerics.name(), o.effort.name())
        }
    }
}

type Runs = Vec<(String, Vec<Vec<u8>>)>;

/// Most statements of one launch.
const MAX_STEPS: u64 = 20_000_000;

fn simulated(planned: &Planned, args: &[Value], reverse: bool) -> Result<Runs, String> {
    let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
    let program = &planned.scheduled.program;
    let run = |donated| {
        let options = program::eval::Options {
            reverse,
            donated,
            max_steps: MAX_STEPS,
            ..program::eval::Options::default()
        };
        program::evaluate(program, &inputs, options)
    };
    let mut runs = vec![(String::new(), run(false)?)];
    if !program.donations.is_empty() {
        runs.push((", donated".into(), run(true)?));
    }
    Ok(runs)
}

/// Until what is submitted are graphs, where that makes a difference; and with arguments that are given up.
fn emulated(planned: &Planned, args: &[Value], options: &Options) -> Result<Runs, String> {
    let told = |e: lawson_cuda::Error| e.to_string();
    let device = device::device()?;
    let cpu = options.target.as_deref().and_then(|t| t.to_str()).unwrap_or("sm_90");
    let target = lawson_cpu::TargetSpec::named(cpu).ok_or("no such processor")?;
    let how = lawson_cpu::CompileOptions { target, effort: lawson_cpu::Effort::Full };
    let program = &planned.scheduled.program;
    let compiled = lawson_cuda::compile(program, &how, None, &pool(1)).map_err(told)?;
    let calls = lawson_cpu::CustomCalls::new();
    let executable = lawson_cuda::Executable::load(program.clone(), compiled, &device, &pool(1), &calls);
    let executable = executable.map_err(told)?;
    let inputs = || {
        let leaves = args.iter().flat_map(|a| a.leaves());
        leaves.map(|l| lawson_cuda::Buffer::from_slice(&device, l.bytes())).collect::<Result<Vec<_>, _>>()
    };
    let bytes = |o: lawson_cuda::Outcome| {
        let read = o.outputs.iter().map(|b| {
            let mut bytes = vec![0; b.len()];
            b.read(&mut bytes).map(|()| bytes)
        });
        read.collect::<Result<Vec<_>, _>>()
    };
    let limits = lawson_cpu::Limits::default();
    let kept = inputs().map_err(told)?;
    let mut runs = Vec::new();
    for run in 0..if program.steps.len() > 1 { 3 } else { 1 } {
        let lent = kept.iter().map(lawson_cuda::Argument::Borrowed);
        let outcome = executable.run_with(lent, &limits).map_err(told)?;
        runs.push((format!(", run {run}"), bytes(outcome).map_err(told)?));
    }
    if !program.donations.is_empty() {
        let given = inputs().map_err(told)?.into_iter().map(lawson_cuda::Argument::Donated);
        let outcome = executable.run_with(given, &limits).map_err(told)?;
        runs.push((", donated".into(), bytes(outcome).map_err(told)?));
    }
    Ok(runs)
}

/// Which code is made: seldom that which takes longer.
fn code(seed: u64) -> lawson_cpu::Effort {
    if seed.is_multiple_of(8) { lawson_cpu::Effort::Full } else { lawson_cpu::Effort::Fast }
}

fn native(planned: &Planned, args: &[Value], effort: lawson_cpu::Effort) -> Result<Runs, String> {
    let spec = lawson_cpu::TargetSpec::host().map_err(|e| e.to_string())?;
    let how = lawson_cpu::CompileOptions { target: spec, effort };
    let program = &planned.scheduled.program;
    let compiled = lawson_cpu::compile(program, &how, None, &pool(1)).map_err(|e| e.to_string())?;
    let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
    let mut runs = Vec::new();
    for threads in [1, 2] {
        let calls = lawson_cpu::CustomCalls::new();
        let executable = lawson_cpu::Executable::load(program.clone(), &compiled, pool(threads), &calls);
        let executable = executable.map_err(|e| e.to_string())?;
        let bytes = |o: lawson_cpu::Outcome| o.outputs.iter().map(|b| b.to_vec()).collect();
        let outcome = executable.run(&inputs).map_err(|e| e.to_string())?;
        runs.push((format!(", {threads} threads"), bytes(outcome)));
        if program.donations.is_empty() {
            continue;
        }
        let donated = inputs.iter().map(|i| lawson_cpu::Buffer::from_slice(i).map(Argument::Donated));
        let donated = donated.collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
        let outcome =
            executable.run_with(donated.into_iter(), &Limits::default()).map_err(|e| e.to_string())?;
        runs.push((format!(", {threads} threads, donated"), bytes(outcome)));
    }
    Ok(runs)
}

/// A pool of that many threads, kept for this thread of the test.
fn pool(threads: usize) -> std::sync::Arc<lawson_cpu::ThreadPool> {
    thread_local! {
        static POOLS: [std::sync::Arc<lawson_cpu::ThreadPool>; 2] =
            [1, 2].map(|n| std::sync::Arc::new(lawson_cpu::ThreadPool::new(n)));
    }
    POOLS.with(|pools| pools[threads - 1].clone())
}

fn compare(
    expected: &Value,
    found: &[Vec<u8>],
    allowed: &dyn Fn(DType) -> Option<f64>,
) -> Result<(), String> {
    let leaves = expected.leaves();
    if leaves.len() != found.len() {
        return Err(format!("{} outputs, not {}", found.len(), leaves.len()));
    }
    for (n, (x, bytes)) in leaves.into_iter().zip(found).enumerate() {
        if x.bytes() == &bytes[..] {
            continue;
        }
        if x.bytes().len() != bytes.len() {
            return Err(format!("output {n} has {} bytes, not {}", bytes.len(), x.bytes().len()));
        }
        let y = Literal::new(x.shape().clone(), &bytes[..]);
        let wrong: Vec<usize> = (0..x.elements()).filter(|&i| !same(x, &y, i, allowed(x.dtype()))).collect();
        if let Some(&i) = wrong.first() {
            let (count, all, shape) = (wrong.len(), x.elements(), x.shape());
            let (x, y) = (show(x, i), show(&y, i));
            return Err(format!(
                "output {n}, {shape}: {count} of {all} elements differ, first element {i}: {y}, but the interpreter says {x}"
            ));
        }
    }
    Ok(())
}

fn same(x: &Literal, y: &Literal, i: usize, allowed: Option<f64>) -> bool {
    let size = x.dtype().size();
    let range = i * size..(i + 1) * size;
    if let Some(allowed) = allowed
        && (x.get(i).as_f64() - y.get(i).as_f64()).abs() <= allowed
    {
        return true;
    }
    x.bytes()[range.clone()] == y.bytes()[range] || (is_nan(x, i) && is_nan(y, i))
}

fn is_nan(x: &Literal, i: usize) -> bool {
    x.dtype().is_float() && x.get(i).as_f64().is_nan()
}

fn show(x: &Literal, i: usize) -> String {
    let size = x.dtype().size();
    let bits: String = x.bytes()[i * size..(i + 1) * size].iter().rev().map(|b| format!("{b:02x}")).collect();
    match x.dtype() {
        DType::Pred => bits,
        d if d.is_float() => format!("{} (0x{bits})", x.get(i).as_f64()),
        _ => format!("{} (0x{bits})", x.get(i).as_i128().unwrap_or_default()),
    }
}
