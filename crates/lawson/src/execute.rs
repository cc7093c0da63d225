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
            let planned = compile::plan(module, options)?;
            let executable = compile::load(&planned, options)?;
            Ok(Prepared::Cpu { planned: Box::new(planned), executable: Box::new(executable) })
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
    Cpu {
        planned: Box<Planned>,
        executable: Box<cpu::Executable>,
    },
    Interpreter {
        module: &'m Module,
        limits: eval::Options,
    },
}

impl Prepared<'_> {
    /// Places the arguments for one or more runs.
    pub fn session(&self, args: &[Value]) -> Result<Session<'_>, Error> {
        match self {
            Prepared::Cpu { planned, executable } => {
                let leaves = args.iter().flat_map(|v| v.leaves());
                let inputs = leaves.map(|l| cpu::Buffer::from_slice(l.bytes())).collect::<Result<_, _>>();
                let inputs = inputs.map_err(|e| runtime_error(e.into()))?;
                Ok(Session::Cpu { planned, executable, inputs, outcome: None })
            }
            Prepared::Interpreter { module, limits } => {
                Ok(Session::Interpreter { module, limits, args: args.to_vec(), result: None })
            }
        }
    }

    /// What is known about a run without running.
    pub fn figures(&self) -> Figures {
        match self {
            Prepared::Cpu { planned, executable } => Figures::of(planned, executable),
            Prepared::Interpreter { .. } => Figures::default(),
        }
    }
}

/// Arguments in place, and the results of the last run.
pub enum Session<'p> {
    Cpu {
        planned: &'p Planned,
        executable: &'p cpu::Executable,
        inputs: Vec<cpu::Buffer>,
        outcome: Option<cpu::Outcome>,
    },
    Interpreter {
        module: &'p Module,
        limits: &'p eval::Options,
        args: Vec<Value>,
        result: Option<Value>,
    },
}

impl Session<'_> {
    /// Runs once. The arguments are the same each time.
    pub fn run(&mut self) -> Result<Counters, Error> {
        match self {
            Session::Cpu { executable, inputs, outcome, .. } => {
                // The results of the run before give their memory back first.
                *outcome = None;
                let inputs: Vec<&[u8]> = inputs.iter().map(|b| &b[..]).collect();
                let done = executable.run(&inputs).map_err(runtime_error)?;
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

    /// The results of the last run.
    pub fn into_result(self) -> Result<Value, Error> {
        match self {
            Session::Cpu { planned, outcome, .. } => {
                let outcome = outcome.ok_or_else(never_run)?;
                let shape = &planned.module.entry().root().shape;
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

impl Counters {
    fn of(c: &cpu::Counters) -> Counters {
        Counters { launches: Some(c.launches), phases: Some(c.phases), copies: Some(c.copies) }
    }
}

impl Figures {
    fn of(planned: &Planned, executable: &cpu::Executable) -> Figures {
        let sites = &planned.scheduled.sites;
        let total = |of: fn(&lawson_kernel::figures::Figures) -> i64| -> Option<u64> {
            sites.iter().try_fold(0u64, |sum, s| {
                Some(sum.saturating_add(s.launches?.saturating_mul(of(&s.figures).max(0) as u64)))
            })
        };
        let temp = executable.temp_bytes() as u64;
        let outputs: i64 = planned.module.entry().root().shape.leaves().iter().map(|a| a.bytes()).sum();
        Figures {
            kernels: Some(sites.len() as u64),
            bytes_moved: total(|f| f.bytes_read + f.bytes_written),
            flops: total(|f| f.flops),
            temp_bytes: Some(temp),
            peak_bytes: Some(planned.scheduled.program.arena_bytes as u64 + outputs as u64),
            ..Figures::default()
        }
    }
}
