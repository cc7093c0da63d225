//! From a verified module to an executable: passes, schedule, code.

use crate::code_folder::CodeFolder;
use crate::deep::{self, STACK_BYTES};
use crate::error::{Error, ErrorCode};
use crate::memory;
use crate::options::{Effort, FusionBase, Options};
use crate::tuning::Tuning;
use lawson_cpu as cpu;
use lawson_cuda as cuda;
use lawson_hlo::{Attrs, Instruction, Module};
use lawson_kernel::cost;
use lawson_kernel::program::{Code, NamedKernel};
use lawson_kernel::target::Target;
use lawson_opt::pipeline::{self, PIPELINE};
use lawson_opt::report::Report;
use lawson_opt::schedule::{Depth, Scheduled, schedule_planned};
use lawson_opt::{Diagnostic, DiagnosticKind, Pass, PassContext};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A module after all passes, with its program: everything that is known before code is made.
pub struct Planned {
    /// After all passes.
    pub module: Module,
    /// Its program.
    pub scheduled: Scheduled,
    /// What the passes did.
    pub report: Report,
    /// The machine it is planned for.
    pub target: Target,
    /// The machine that times are predicted for: the same, or the host as it was measured.
    pub prices: Target,
    /// How long that took.
    pub planning: Duration,
    /// What measuring plans found out, where it was asked for.
    pub tuning: Option<Tuning>,
}

/// Runs the pipeline and schedules the result. Starts no code generation.
pub fn plan(module: &Module, options: &Options) -> Result<Planned, Error> {
    plan_with(module, options, PIPELINE)
}

/// Runs these passes and schedules the result.
pub fn plan_with(module: &Module, options: &Options, passes: &[Pass]) -> Result<Planned, Error> {
    let start = Instant::now();
    deep::run(|| {
        let cx = PassContext::new(options.passes()?);
        finish(module.clone(), cx, options, passes, (Depth::Program, start))
    })
}

/// The plan as far as figures need it: there is no program to run.
pub fn figures(module: &Module, options: &Options) -> Result<Planned, Error> {
    let start = Instant::now();
    deep::run(|| {
        let cx = PassContext::new(options.passes()?);
        finish(module.clone(), cx, options, PIPELINE, (Depth::Figures, start))
    })
}

/// The plan, and the figures of that of another mode of fusion, made beside it on a thread of its own; what is the same
/// for both happens once.
pub fn plan_both(module: &Module, options: &Options, other: &Options) -> Result<[Planned; 2], Error> {
    deep::run(|| plan_both_here(module, options, other))
}

fn plan_both_here(module: &Module, options: &Options, other: &Options) -> Result<[Planned; 2], Error> {
    let given = |o: &Options| o.fusion.base == FusionBase::Given;
    if given(options) != given(other) {
        return Ok([plan(module, options)?, figures(module, other)?]);
    }
    let start = Instant::now();
    let (first, rest) = pipeline::halves();
    let mut module = module.clone();
    let mut cx = PassContext::new(options.passes()?);
    pipeline::run(&mut cx, &mut module, first).map_err(|d| diagnosed(&module, &d))?;
    let simplified = module.clone();
    let mut left = Some((simplified, PassContext::new(other.passes()?)));
    let make = |(module, cx)| finish(module, cx, other, rest, (Depth::Figures, Instant::now()));
    let mut beside = None;
    let planned = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("lawson-plan".into()).stack_size(STACK_BYTES);
        // Where no thread is to be had, it is made afterwards.
        let _beside = thread.spawn_scoped(scope, || beside = left.take().map(make));
        finish(module, cx, options, rest, (Depth::Program, start))
    })?;
    match beside.or_else(|| left.map(make)) {
        Some(other) => Ok([planned, other?]),
        None => Err(Error::new(ErrorCode::Internal, "a plan was not finished")),
    }
}

/// Runs passes, the last of several, and schedules the result.
fn finish(
    mut module: Module,
    mut cx: PassContext,
    options: &Options,
    passes: &[Pass],
    (depth, start): (Depth, Instant),
) -> Result<Planned, Error> {
    let target = options.machine()?.target;
    pipeline::run(&mut cx, &mut module, passes).map_err(|d| diagnosed(&module, &d))?;
    let scheduled = schedule_planned(&module, (&target, options.numerics), cx.plans, depth)
        .map_err(|d| diagnosed(&module, &[d]))?;
    memory::check_program(&scheduled.program, options.max_memory)?;
    let planning = start.elapsed();
    let (prices, report) = (target.clone(), cx.report);
    let planned = Planned { module, scheduled, report, prices, target, planning, tuning: None };
    Ok(match options.measured()? {
        Some(measured) => planned.priced_for(measured),
        None => planned,
    })
}

impl Planned {
    /// The same plan with the times of this machine.
    fn priced_for(mut self, machine: Target) -> Planned {
        let count = |kernel: &NamedKernel| match &kernel.code {
            Code::Planned(p) => Some(cost::figures::count(&p.region, &p.plan, &machine)),
            Code::Library(l) => Some(cost::library(&l.call, l.exact, &machine)),
            Code::Lowered(_) => None,
        };
        let counted: Vec<_> = self.scheduled.program.kernels.iter().map(count).collect();
        for site in &mut self.scheduled.sites {
            if let Some(figures) = &counted[site.kernel] {
                site.figures = figures.clone();
            }
        }
        Planned { prices: machine, ..self }
    }
}

/// Compiles a planned module to code of the processor this runs on, whatever machine it is planned for; what the folder
/// has is not compiled. The code may call these functions.
pub fn load(
    planned: &Planned,
    options: &Options,
    folder: Option<&CodeFolder>,
    calls: &cpu::CustomCalls,
) -> Result<cpu::Executable, Error> {
    let how = cpu::CompileOptions { target: host(folder)?, effort: effort(options) };
    let program = planned.scheduled.program.clone();
    let cache = folder.map(|f| f as &dyn cpu::CodeCache);
    let loaded = cpu::compile_and_load(program, &how, cache, pool(options.threads), calls);
    loaded.map(|e| e.with_denormals(options.denormals)).map_err(|e| match e {
        cpu::Error::UnknownCustomCall(target) => unregistered(&planned.module, &target),
        e => runtime_error(&e),
    })
}

/// The error of a custom-call that no function is registered for, with its line.
pub fn unregistered(module: &Module, target: &str) -> Error {
    let calls = |i: &&Instruction| matches!(&i.attrs, Attrs::CustomCall(call) if call.target == target);
    let call = module.computations.iter().find_map(|c| c.instrs.iter().find(calls));
    let place = call.map_or(String::new(), |call| {
        let source = call.origin.sources().first().and_then(|&s| module.sources.get(s as usize));
        match (source.map_or(0, |s| s.line), source.and_then(|s| s.location.as_ref())) {
            (0, Some(location)) => format!("{location}: {}: ", call.name),
            (0, None) => format!("{}: ", call.name),
            (line, _) => format!("line {line}: {}: ", call.name),
        }
    });
    let what = match target {
        t if t.starts_with("lapack_") || t.starts_with("blas_") => {
            "; it is a routine of LAPACK, which JAX calls for linear algebra (decompositions, eigenvalues, triangular \
             solves), and Lawson has none of them; the operations `cholesky` and `triangular-solve` of HLO it has"
        }
        t if ["cu", "hip", "__cu", "triton"].iter().any(|p| t.starts_with(p)) => {
            "; it is a routine for graphics processors: lower the program for the cpu"
        }
        _ => "",
    };
    let message = format!(
        "{place}no function is registered for custom-call \"{target}\"{what}; a program that embeds Lawson registers its \
         own with Client::with_custom_call"
    );
    Error::new(ErrorCode::Unsupported, message)
}

/// The processor this runs on, as code generation needs it; kept in the folder.
pub(crate) fn host(folder: Option<&CodeFolder>) -> Result<cpu::TargetSpec, Error> {
    cpu::host(folder.map(|f| f as &dyn cpu::CodeCache))
        .map_err(|e| Error::new(ErrorCode::Unsupported, e.to_string()))
}

/// How much work code generation does.
pub fn effort(options: &Options) -> cpu::Effort {
    match options.effort {
        Effort::Fast => cpu::Effort::Fast,
        Effort::Full => cpu::Effort::Full,
    }
}

/// The thread pool of that many threads; kept, because its threads are.
pub(crate) fn pool(threads: usize) -> Arc<cpu::ThreadPool> {
    static POOLS: OnceLock<Mutex<Vec<Arc<cpu::ThreadPool>>>> = OnceLock::new();
    let mut pools = POOLS.get_or_init(Mutex::default).lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = pools.iter().find(|p| p.threads() == threads) {
        return found.clone();
    }
    let pool = Arc::new(cpu::ThreadPool::new(threads));
    pools.push(pool.clone());
    pool
}

/// What the runtime says, with the code a user sees.
pub fn runtime_error(e: &cpu::Error) -> Error {
    let code = match e {
        cpu::Error::Memory(_) | cpu::Error::Limit { .. } => ErrorCode::Limit,
        cpu::Error::Cancelled => ErrorCode::Cancelled,
        cpu::Error::TimedOut => ErrorCode::TimedOut,
        cpu::Error::UnknownCustomCall(_) => ErrorCode::Unsupported,
        cpu::Error::CustomCall { .. } => ErrorCode::CustomCall,
        _ => ErrorCode::Internal,
    };
    Error::new(code, e.to_string())
}

/// What the runtime of devices says, with the code a user sees.
pub fn device_error(e: &cuda::Error) -> Error {
    use cuda::Error::*;
    let code = match e {
        Host(host) => return runtime_error(&host.0),
        NoDriver
        | NoEmulator
        | DriverTooOld { .. }
        | NoDevice { .. }
        | NoSuchDevice { .. }
        | DeviceTooOld { .. }
        | Lost { .. } => ErrorCode::Device,
        OutOfMemory { .. } | Limit { .. } => ErrorCode::Limit,
        Fault { .. } | Code { .. } | Driver { .. } | Program(_) => ErrorCode::Internal,
    };
    Error::new(code, e.to_string())
}

/// What passes have to say, each with its line in the input.
pub fn diagnosed(module: &Module, diagnostics: &[Diagnostic]) -> Error {
    let bug = diagnostics.iter().any(|d| d.kind == DiagnosticKind::Bug);
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            let source = d.origin.sources().first().and_then(|&s| module.sources.get(s as usize));
            match source {
                Some(s) if s.line > 0 => format!("line {}: {}: {}", s.line, s.name, d.message),
                _ => match &d.instruction {
                    Some(name) => format!("{name}: {}", d.message),
                    None => format!("{}: {}", d.pass, d.message),
                },
            }
        })
        .collect();
    Error::new(if bug { ErrorCode::Internal } else { ErrorCode::Unsupported }, lines.join("\n"))
}
