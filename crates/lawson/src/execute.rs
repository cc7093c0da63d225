//! Running a verified module: the one place that dispatches on the device.
//!
//! [`execute`] does all at once. [`prepare`] compiles, [`Prepared::session`] places the arguments, and
//! [`Session::run`] runs, so that each can be timed by itself and runs repeated without new memory.

use crate::compile::{self, runtime_error};
use crate::error::{Error, ErrorCode};
use crate::memory;
use crate::options::{Device, Options};
use lawson_hlo::eval::{self, Reason};
use lawson_hlo::{Literal, Module, Value};

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
        Device::Cpu => on_cpu(module, args, options),
        Device::Cuda => Err(not_built("cuda")),
    }
}

fn not_built(device: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("this build has no device {device}; use --device interpreter"))
}

/// A module ready to run on its device.
pub enum Prepared<'m> {
    Interpreter { module: &'m Module, limits: eval::Options },
}

impl Prepared<'_> {
    /// Places the arguments for one or more runs.
    pub fn session(&self, args: &[Value]) -> Result<Session<'_>, Error> {
        match self {
            Prepared::Interpreter { module, limits } => {
                Ok(Session::Interpreter { module, limits, args: args.to_vec(), result: None })
            }
        }
    }

    /// What is known about a run without running.
    pub fn figures(&self) -> Figures {
        match self {
            Prepared::Interpreter { .. } => Figures::default(),
        }
    }
}

/// Arguments in place, and the results of the last run.
pub enum Session<'p> {
    Interpreter { module: &'p Module, limits: &'p eval::Options, args: Vec<Value>, result: Option<Value> },
}

impl Session<'_> {
    /// Runs once. The arguments are the same each time.
    pub fn run(&mut self) -> Result<Counters, Error> {
        match self {
            Session::Interpreter { module, limits, args, result } => {
                *result = Some(eval::evaluate(module, args, limits).map_err(eval_error)?);
                Ok(Counters::default())
            }
        }
    }

    /// The results of the last run.
    pub fn into_result(self) -> Result<Value, Error> {
        match self {
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

/// What is known about a run from the plan; `None` where the device has no plan or trip counts are unknown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// Compiled entries, each call site counted.
    pub kernels: Option<u64>,
    /// Bytes that kernels read and write.
    pub bytes_moved: Option<u64>,
    /// The same if each instruction after simplification were its own kernel.
    pub bytes_unfused: Option<u64>,
    pub flops: Option<u64>,
    /// Bytes a run allocates beside its outputs.
    pub temp_bytes: Option<u64>,
    /// Arena and outputs.
    pub peak_bytes: Option<u64>,
    /// What the cost model expects.
    pub predicted_us: Option<f64>,
    /// What the machine's bandwidth and arithmetic permit.
    pub limit_us: Option<f64>,
}

/// Compiles and runs native code; nothing is interpreted.
fn on_cpu(module: &Module, args: &[Value], options: &Options) -> Result<Value, Error> {
    let planned = compile::plan(module, options)?;
    let executable = compile::load(&planned, options)?;
    let inputs: Vec<&[u8]> = args.iter().flat_map(|v| v.leaves()).map(Literal::bytes).collect();
    let outcome = executable.run(&inputs).map_err(runtime_error)?;
    let shape = &module.entry().root().shape;
    let arrays = shape.leaves().into_iter().zip(&outcome.outputs);
    let mut leaves = arrays.map(|(array, bytes)| Literal::new(array.clone(), bytes.to_vec()));
    Value::from_leaves(shape, &mut leaves)
        .ok_or_else(|| Error::new(ErrorCode::Internal, "the program has fewer results than the module"))
}
