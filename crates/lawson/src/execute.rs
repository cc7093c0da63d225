//! Running a verified module: the one place that dispatches on the device.
//!
//! [`execute`] does all at once. [`prepare`] compiles, [`Prepared::session`] places the arguments, and
//! [`Session::run`] runs, so that each can be timed by itself and runs repeated without new memory.

use crate::compile::{self, Planned, runtime_error};
use crate::error::{Error, ErrorCode};
use crate::memory;
use crate::options::{Device, Options};
use lawson_cpu as cpu;
use lawson_hlo::eval::{self, Reason};
use lawson_hlo::{Literal, Module, Value};
use std::time::{Duration, Instant};

/// Runs the entry of a verified, supported module on `args`, one for each parameter.
pub fn execute(module: &Module, args: &[Value], options: &Options) -> Result<Value, Error> {
    let prepared = prepare(module, options)?;
    let mut session = prepared.session(args)?;
    session.run()?;
    session.into_result()
}

/// Makes a verified, supported module ready to run.
pub fn prepare<'m>(module: &'m Module, options: &Options) -> Result<Prepared<'m>, Error> {
    memory::check_interface(module, options.max_memory)?;
    match options.device {
        Device::Interpreter => {
            memory::check_unfused(module, options.max_memory)?;
            let limits = eval::Options { max_bytes: options.max_memory, ..eval::Options::default() };
            Ok(Prepared::Interpreter { module, limits })
        }
        Device::Cpu => {
            options.machine_that_runs()?;
            let planned = compile::plan(module, options)?;
            let start = Instant::now();
            let executable = compile::load(&planned, options)?;
            let (coding, options) = (start.elapsed(), options.clone());
            Ok(Prepared::Cpu(Box::new(Native { module, options, planned, executable, coding })))
        }
        Device::Cuda => Err(not_built("cuda")),
    }
}

fn not_built(device: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("this build has no device {device}; use --device interpreter"))
}

/// A module ready to run on its device.
pub enum Prepared<'m> {
    /// Native code; nothing is interpreted.
    Cpu(Box<Native<'m>>),
    Interpreter {
        module: &'m Module,
        limits: eval::Options,
    },
}

/// A module compiled for this machine.
pub struct Native<'m> {
    /// Before the passes.
    pub module: &'m Module,
    pub options: Options,
    pub planned: Planned,
    pub executable: cpu::Executable,
    /// How long making and loading the code took.
    pub coding: Duration,
}

impl Prepared<'_> {
    /// Places the arguments for one or more runs.
    pub fn session(&self, args: &[Value]) -> Result<Session<'_>, Error> {
        match self {
            Prepared::Cpu(native) => {
                let leaves = args.iter().flat_map(|v| v.leaves());
                let inputs = leaves.map(|l| cpu::Buffer::from_slice(l.bytes())).collect::<Result<_, _>>();
                let inputs = inputs.map_err(|e| runtime_error(e.into()))?;
                Ok(Session::Cpu { native, inputs, outcome: None })
            }
            Prepared::Interpreter { module, limits } => {
                Ok(Session::Interpreter { module, limits, args: args.to_vec(), result: None })
            }
        }
    }
}

/// Arguments in place, and the results of the last run.
pub enum Session<'p> {
    Cpu { native: &'p Native<'p>, inputs: Vec<cpu::Buffer>, outcome: Option<cpu::Outcome> },
    Interpreter { module: &'p Module, limits: &'p eval::Options, args: Vec<Value>, result: Option<Value> },
}

impl Session<'_> {
    /// Runs once. The arguments are the same each time.
    pub fn run(&mut self) -> Result<Counters, Error> {
        match self {
            Session::Cpu { native, inputs, outcome } => {
                // The results of the run before give their memory back first.
                *outcome = None;
                let inputs: Vec<&[u8]> = inputs.iter().map(|b| &b[..]).collect();
                let done = native.executable.run(&inputs).map_err(runtime_error)?;
                let counters = Counters::of(&done.counters);
                *outcome = Some(done);
                Ok(counters)
            }
            Session::Interpreter { module, limits, args, result } => {
                *result = Some(eval::evaluate(module, args, limits).map_err(eval_error)?);
                Ok(Counters::default())
            }
        }
    }

    /// Runs once, and tells when each step ran; `None` where the device has no steps.
    pub fn trace(&mut self) -> Result<Option<Vec<cpu::Span>>, Error> {
        let Session::Cpu { native, inputs, .. } = self else { return Ok(None) };
        let inputs: Vec<&[u8]> = inputs.iter().map(|b| &b[..]).collect();
        let (_, spans) = native.executable.run_traced(&inputs).map_err(runtime_error)?;
        Ok(Some(spans))
    }

    /// How often a run launches each of the program's kernels, by running once.
    pub fn launches(&mut self) -> Result<Option<Vec<u64>>, Error> {
        let Some(spans) = self.trace()? else { return Ok(None) };
        let Session::Cpu { native, .. } = self else { return Ok(None) };
        let mut launches = vec![0; native.planned.scheduled.program.kernels.len()];
        for span in spans {
            if let cpu::Traced::Launch(kernel) = span.what {
                launches[kernel] += 1;
            }
        }
        Ok(Some(launches))
    }

    /// The results of the last run.
    pub fn into_result(self) -> Result<Value, Error> {
        match self {
            Session::Cpu { native, outcome, .. } => {
                let outcome = outcome.ok_or_else(never_run)?;
                let shape = &native.planned.module.entry().root().shape;
                let arrays = shape.leaves().into_iter().zip(&outcome.outputs);
                let mut leaves = arrays.map(|(array, bytes)| Literal::new(array.clone(), bytes.to_vec()));
                Value::from_leaves(shape, &mut leaves).ok_or_else(never_run)
            }
            Session::Interpreter { result, .. } => result.ok_or_else(never_run),
        }
    }
}

fn never_run() -> Error {
    Error::new(ErrorCode::Internal, "results were asked for before a run")
}

fn eval_error(e: eval::EvalError) -> Error {
    let code = match e.reason {
        Reason::Arguments => ErrorCode::Input,
        Reason::Unsupported | Reason::CustomCall => ErrorCode::Unsupported,
        Reason::Limit => ErrorCode::Limit,
        Reason::Malformed => ErrorCode::Internal,
    };
    Error::new(code, e.to_string())
}

/// What a run did; `None` where the device does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub launches: Option<u64>,
    /// Parallel regions: at least one for each launch.
    pub phases: Option<u64>,
    /// Copies and fills by the runtime.
    pub copies: Option<u64>,
}

impl Counters {
    fn of(c: &cpu::Counters) -> Counters {
        Counters { launches: Some(c.launches), phases: Some(c.phases), copies: Some(c.copies) }
    }
}
