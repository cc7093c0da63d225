//! Executables: compiled programs, which own all they need and run on buffers.
//!
//! Types, shapes and number of arguments are checked on each call, before anything happens. Runs may be concurrent: each
//! takes an arena of its own, from the pool of memory, which steady runs leave as they found it.

use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::compile::Planned;
use crate::deep;
use crate::error::{Error, ErrorCode};
use crate::figures::Figures;
use crate::options::{Device, Options};
use crate::run::{Argument, Counters, Outcome, Pending, RunOptions};
use lawson_cpu as cpu;
use lawson_hlo::{ArrayShape, Module, Shape};
use lawson_opt::buffers::Wanted;
use std::sync::Arc;
use std::time::Duration;

/// A compiled program. Cloning is cheap; clones are the same program.
///
/// ```
/// use lawson::{Client, ErrorCode, Options, RunOptions, load};
///
/// let client = Client::cpu();
/// let module = load::parse("ENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }")?;
/// let double = client.compile(&module, &Options::default())?;
/// let (x, mut y) = (client.buffer(&[1f32, 2.0], &[2])?, client.buffer(&[0f32; 2], &[2])?);
///
/// assert_eq!(double.run([&x])?[0].to_vec(), Ok(vec![2f32, 4.0]));
/// double.run_into([&x], std::slice::from_mut(&mut y), &RunOptions::default())?; // no output is allocated
/// assert_eq!(y.to_vec(), Ok(vec![2f32, 4.0]));
/// let outcome = double.start([&x], &RunOptions::default())?.wait()?; // beside the caller
/// assert_eq!(outcome.counters.launches, Some(1));
///
/// let little = RunOptions { memory_limit: Some(4), ..RunOptions::default() };
/// assert_eq!(double.run_with([&x], &little).expect_err("8 bytes").code, ErrorCode::Limit);
/// assert_eq!(double.parameters()[0].name, "x");
/// assert_eq!(double.memory_stats().outputs, 8);
/// assert_eq!(double.cost_analysis().bytes_moved, Some(16));
/// # Ok::<(), lawson::Error>(())
/// ```
#[derive(Clone)]
pub struct Executable {
    inner: Arc<Inner>,
}

struct Inner {
    device: Device,
    parameters: Vec<Parameter>,
    /// The shape of the result.
    result: Shape,
    /// Its array leaves.
    outputs: Vec<Arc<ArrayShape>>,
    native: Option<Native>,
    backend: Box<dyn Backend>,
}

/// What was known of a program before code was made, for devices that run plans.
pub struct Native {
    /// What it was compiled with.
    pub options: Options,
    /// The plan.
    pub planned: Planned,
    /// How long making and loading the code took.
    pub coding: Duration,
}

/// An array leaf of the parameters, and so an argument of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The parameter's name in the module; of a part of a tuple with its index, as in `state{1,0}`.
    pub name: String,
    /// Element type and dimensions.
    pub shape: ArrayShape,
    /// What giving up the argument is good for.
    pub donation: Donation,
}

/// What becomes of a parameter's memory when its argument is donated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Donation {
    /// The header does not speak of it: the memory goes back to the pool.
    NotAsked,
    /// The header asks for it, but no result can take it without a wrong value: the memory goes back to the pool.
    NoResult,
    /// It is the memory of the result of this number. For a borrowed argument that result has memory of its own, which
    /// starts as a copy where the program updates it in place; `must-alias` changes nothing of that.
    Result(usize),
}

/// Bytes a program needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryStats {
    /// Of the arguments.
    pub arguments: u64,
    /// Of the results.
    pub outputs: u64,
    /// Of the outputs that donated arguments become.
    pub donated: u64,
    /// What a run takes beside its outputs.
    pub temporaries: u64,
    /// Code and its constants, in whole pages.
    pub code: u64,
}

impl Executable {
    pub(crate) fn new(
        module: &Module,
        device: Device,
        (native, backend): (Option<Native>, Box<dyn Backend>),
    ) -> Executable {
        let entry = module.entry();
        let mut parameters = Vec::new();
        for id in entry.parameters() {
            let instr = &entry[id];
            leaves(&instr.shape, &mut Vec::new(), &mut |path, shape| {
                let index: Vec<String> = path.iter().map(usize::to_string).collect();
                let part = if path.is_empty() { String::new() } else { format!("{{{}}}", index.join(",")) };
                let shape = ArrayShape { layout: None, ..shape.clone() };
                let name = format!("{}{part}", instr.name);
                parameters.push(Parameter { name, shape, donation: Donation::NotAsked });
            });
        }
        Wanted::of(module).inputs().for_each(|n| parameters[n].donation = Donation::NoResult);
        if let Some(native) = &native {
            for d in &native.planned.scheduled.program.donations {
                parameters[d.input].donation = Donation::Result(d.output);
            }
        }
        let result = entry.root().shape.without_layout();
        let outputs = result.leaves().into_iter().cloned().map(Arc::new).collect();
        Executable { inner: Arc::new(Inner { device, parameters, result, outputs, native, backend }) }
    }

    /// What it runs on.
    pub fn device(&self) -> Device {
        self.inner.device
    }

    /// One for each argument of a run: array leaves, tuples flattened depth first.
    pub fn parameters(&self) -> &[Parameter] {
        &self.inner.parameters
    }

    /// The shape of the result; a run gives its array leaves, depth first.
    pub fn result(&self) -> &Shape {
        &self.inner.result
    }

    /// The plan, where there is one: not on the interpreter.
    pub fn native(&self) -> Option<&Native> {
        self.inner.native.as_ref()
    }

    /// Distinct codes of kernels, and how many of them were taken from a folder of code.
    pub fn codes(&self) -> (usize, usize) {
        self.inner.backend.needs().codes
    }

    /// Runs the program.
    ///
    /// # Errors
    /// An argument that does not fit its parameter, by name, with [`ErrorCode::Input`]; out of memory; a failing
    /// custom-call.
    pub fn run<'a, A>(&self, arguments: impl IntoIterator<Item = A>) -> Result<Vec<Buffer>, Error>
    where
        A: Into<Argument<'a>>,
    {
        Ok(self.run_with(arguments, &RunOptions::default())?.outputs)
    }

    /// As [`Executable::run`], within limits, and says what it did.
    ///
    /// # Errors
    /// As [`Executable::run`], and those of the limits.
    pub fn run_with<'a, A>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        options: &RunOptions,
    ) -> Result<Outcome, Error>
    where
        A: Into<Argument<'a>>,
    {
        let mut arguments: Vec<Argument<'_>> = arguments.into_iter().map(Into::into).collect();
        self.check(&arguments)?;
        deep::caught(|| self.run_checked(&mut arguments, options))
    }

    /// As [`Executable::run_with`], beside the caller, on a thread of its own. Arguments are held as long as it takes.
    ///
    /// # Errors
    /// As [`Executable::run`] at once for wrong arguments; all else when it is waited for.
    pub fn start<'a, A>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        options: &RunOptions,
    ) -> Result<Pending, Error>
    where
        A: Into<Argument<'a>>,
    {
        let mut arguments: Vec<Argument<'_>> = arguments.into_iter().map(|a| a.into().into_owned()).collect();
        self.check(&arguments)?;
        let (own, options, cancel) = (self.clone(), options.clone(), options.cancel.clone());
        let thread = std::thread::Builder::new().name("lawson-run".into());
        let thread = thread
            .spawn(move || deep::caught(|| own.run_checked(&mut arguments, &options)))
            .map_err(|e| Error::new(ErrorCode::Limit, format!("no thread to run on: {e}")))?;
        Ok(Pending { cancel, thread })
    }

    /// As [`Executable::run_with`], into buffers of the caller, which no other run may hold: no output is allocated, and no
    /// argument becomes one.
    ///
    /// # Errors
    /// As [`Executable::run_with`]; an output of another shape, or that cannot be written.
    pub fn run_into<'a, A>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        outputs: &mut [Buffer],
        options: &RunOptions,
    ) -> Result<Counters, Error>
    where
        A: Into<Argument<'a>>,
    {
        let mut arguments: Vec<Argument<'_>> = arguments.into_iter().map(Into::into).collect();
        self.check(&arguments)?;
        let shapes = &self.inner.outputs;
        self.check_number("output", outputs.len(), shapes.len())?;
        for (n, (output, shape)) in outputs.iter().zip(shapes).enumerate() {
            self.check_buffer(&|| format!("output {n}"), output, shape)?;
        }
        deep::caught(|| self.inner.backend.run_into(&mut arguments, outputs, options))
    }

    /// Runs once, and tells when each step ran; `None` where the device has no steps.
    ///
    /// # Errors
    /// As [`Executable::run`].
    pub fn trace(
        &self,
        arguments: &[&Buffer],
        options: &RunOptions,
    ) -> Result<Option<Vec<cpu::Span>>, Error> {
        let all: Vec<Argument<'_>> = arguments.iter().copied().map(Argument::from).collect();
        self.check(&all)?;
        self.inner.backend.trace(arguments, options)
    }

    /// As [`Executable::run_with`], and tells when each step ran; of none where the device has no steps, or does not tell in a run
    /// that gives results.
    ///
    /// # Errors
    /// As [`Executable::run_with`].
    pub fn run_traced<'a, A>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        options: &RunOptions,
    ) -> Result<(Outcome, Vec<cpu::Span>), Error>
    where
        A: Into<Argument<'a>>,
    {
        let mut arguments: Vec<Argument<'_>> = arguments.into_iter().map(Into::into).collect();
        self.check(&arguments)?;
        deep::caught(|| self.inner.backend.run_traced(&mut arguments, &self.inner.outputs, options))
    }

    /// How often a run launches each of the program's kernels, by running once.
    ///
    /// # Errors
    /// As [`Executable::run`].
    pub fn launches(&self, arguments: &[&Buffer], options: &RunOptions) -> Result<Option<Vec<u64>>, Error> {
        let (Some(spans), Some(native)) = (self.trace(arguments, options)?, self.native()) else {
            return Ok(None);
        };
        let mut launches = vec![0; native.planned.scheduled.program.kernels.len()];
        for span in spans {
            if let cpu::Traced::Launch(kernel) = span.what {
                launches[kernel] += 1;
            }
        }
        Ok(Some(launches))
    }

    /// What the program needs; without code and temporaries on the interpreter.
    pub fn memory_stats(&self) -> MemoryStats {
        let outputs: Vec<u64> = self.inner.outputs.iter().map(|a| a.bytes() as u64).collect();
        let donated = self.inner.parameters.iter().map(|p| match p.donation {
            Donation::Result(n) => outputs[n],
            Donation::NotAsked | Donation::NoResult => 0,
        });
        let needs = self.inner.backend.needs();
        MemoryStats {
            arguments: self.inner.parameters.iter().map(|p| p.shape.bytes() as u64).sum(),
            donated: donated.sum(),
            outputs: outputs.iter().sum(),
            temporaries: needs.temporaries,
            code: needs.code,
        }
    }

    /// What the plan says of a run; nothing on the interpreter.
    pub fn cost_analysis(&self) -> Figures {
        self.figures(None)
    }

    /// The same, with the launches of each of the program's kernels that a run counted, where the plan does not know.
    pub fn figures(&self, launches: Option<&[u64]>) -> Figures {
        self.native().map_or_else(Figures::default, |n| {
            Figures::of(&n.planned, n.options.threads, self.inner.backend.needs().temporaries, launches)
        })
    }

    fn run_checked(&self, arguments: &mut [Argument<'_>], options: &RunOptions) -> Result<Outcome, Error> {
        self.inner.backend.run(arguments, &self.inner.outputs, options)
    }

    fn check(&self, arguments: &[Argument<'_>]) -> Result<(), Error> {
        let parameters = &self.inner.parameters;
        self.check_number("argument", arguments.len(), parameters.len())?;
        for (n, (argument, p)) in arguments.iter().zip(parameters).enumerate() {
            self.check_buffer(
                &|| format!("argument {n}, parameter {},", p.name),
                argument.buffer(),
                &p.shape,
            )?;
        }
        Ok(())
    }

    fn check_number(&self, what: &str, found: usize, expected: usize) -> Result<(), Error> {
        if found == expected {
            return Ok(());
        }
        let names: Vec<&str> = self.inner.parameters.iter().map(|p| &*p.name).collect();
        let s = if expected == 1 { "" } else { "s" };
        let of = if what == "argument" { format!(" ({})", names.join(", ")) } else { String::new() };
        Err(input_error(format!("the program has {expected} {what}{s}{of}, {found} are given")))
    }

    fn check_buffer(
        &self,
        what: &dyn Fn() -> String,
        buffer: &Buffer,
        shape: &ArrayShape,
    ) -> Result<(), Error> {
        if !buffer.shape().same(shape) {
            return Err(input_error(format!("{} is {}, not {shape}", what(), buffer.shape())));
        }
        if buffer.device() != self.inner.device {
            let (found, own) = (buffer.device(), self.inner.device);
            return Err(input_error(format!("{} is on device {found}, the program on {own}", what())));
        }
        Ok(())
    }
}

/// Calls `f` with the index path and shape of each array leaf, depth first.
fn leaves(shape: &Shape, path: &mut Vec<usize>, f: &mut impl FnMut(&[usize], &ArrayShape)) {
    match shape {
        Shape::Array(array) => f(path, array),
        Shape::Tuple(parts) => {
            for (n, part) in parts.iter().enumerate() {
                path.push(n);
                leaves(part, path, f);
                path.pop();
            }
        }
        Shape::Buffer(inner) => leaves(inner, path, f),
        Shape::Token | Shape::Opaque => {}
    }
}

fn input_error(message: String) -> Error {
    Error::new(ErrorCode::Input, message)
}
