//! Executables: programs with their code and constants on a device, and what a run of one needs.
//!
//! A run submits its work and returns: results are there when what reads them is submitted, or waits. Runs may be concurrent;
//! each has memory of its own. Between runs nothing is copied: arguments and results stay on the device.

use crate::buffer::Buffer;
use crate::compile::Compiled;
use crate::device::Device;
use crate::driver::Address;
use crate::error::Error;
use crate::graphs::Graphs;
use crate::kernels::{ALIGN, Kernel};
use crate::plan::{Node, Planner};
use crate::run::{Counters, Effect, Loaded, Run, Trace};
use lawson_cpu::{CustomCalls, Limits, Span, ThreadPool};
use lawson_kernel::program::{self, BufId, Code, Place, Program};
use std::sync::Arc;
use std::time::Instant;

/// A program on a device.
pub struct Executable {
    device: Device,
    program: Program,
    /// Bytes of each argument and result. An argument no buffer names may have any size.
    inputs: Vec<Option<usize>>,
    outputs: Vec<usize>,
    /// For each kernel of the program its position in `kernels`; a routine has none.
    code_of: Vec<Option<usize>>,
    nodes: Vec<Node>,
    // Before the kernels: graphs end before what they launch is unloaded.
    graphs: Graphs<Effect>,
    kernels: Vec<Kernel>,
    reused: usize,
    constants: Vec<(BufId, Buffer)>,
    scratch_bytes: u64,
    /// It has loops that look at the flag of the run.
    open_loops: bool,
}

/// An array leaf of a run's arguments.
#[derive(Debug)]
pub enum Argument<'a> {
    Borrowed(&'a Buffer),
    /// Becomes a result where the program says so.
    Donated(Buffer),
}

impl Argument<'_> {
    fn buffer(&self) -> &Buffer {
        match self {
            Argument::Borrowed(buffer) => buffer,
            Argument::Donated(buffer) => buffer,
        }
    }
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    pub outputs: Vec<Buffer>,
    pub counters: Counters,
}

impl Executable {
    /// Puts a program on a device, with the code that [`crate::compile()`] made of its kernels.
    ///
    /// # Errors
    /// It breaks a rule, calls what is not registered, or memory is out.
    pub fn load(
        program: Program,
        compiled: Compiled,
        device: &Device,
        pool: &Arc<ThreadPool>,
        calls: &CustomCalls,
    ) -> Result<Executable, Error> {
        let interface = program::verify(&program).map_err(|faults| Error::Program(faults.join("; ")))?;
        let is_routine = |k: &program::NamedKernel| matches!(k.code, Code::Library(_));
        if !program.kernels.iter().map(is_routine).eq(compiled.code_of.iter().map(Option::is_none)) {
            return Err(Error::Program("its code is that of another program".into()));
        }
        let mut constants = Vec::new();
        for (i, slot) in program.buffers.iter().enumerate() {
            if let Place::Constant(literal) = &slot.place {
                constants.push((BufId(i as u32), Buffer::from_slice(device, literal.bytes())?));
            }
        }
        let mut planner = Planner { program: &program, pool, calls, sequences: 0 };
        let nodes = planner.nodes(&program.steps)?;
        let kernels: Vec<Kernel> =
            compiled.kernels.into_iter().map(|code| Kernel::new(device, code)).collect();
        let size = |n: i64| n.max(0) as usize;
        Ok(Executable {
            device: device.clone(),
            inputs: interface.inputs.into_iter().map(|n| n.map(size)).collect(),
            outputs: interface.outputs.into_iter().map(size).collect(),
            code_of: compiled.code_of,
            nodes,
            graphs: Graphs::new(device.clone()),
            scratch_bytes: kernels.iter().map(|k| k.scratch_bytes).max().unwrap_or(0),
            open_loops: kernels.iter().any(|k| k.code.open_loops),
            kernels,
            reused: compiled.reused,
            constants,
            program,
        })
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Distinct codes of kernels, and how many of them were taken from a cache.
    pub fn codes(&self) -> (usize, usize) {
        (self.kernels.len(), self.reused)
    }

    /// Bytes of PTX.
    pub fn code_bytes(&self) -> usize {
        self.kernels.iter().map(|k| k.code.ptx.len()).sum()
    }

    /// Bytes that a run allocates beside its outputs: the flag that ends loops, arena, scratch of the running kernel.
    pub fn temp_bytes(&self) -> usize {
        let flag = if self.open_loops { ALIGN } else { 0 };
        (flag + self.arena_bytes() + self.scratch_bytes) as usize
    }

    fn arena_bytes(&self) -> u64 {
        (self.program.arena_bytes.max(0) as u64).next_multiple_of(ALIGN)
    }

    /// Runs the program; results of donated arguments take their memory over.
    ///
    /// # Errors
    /// An argument of another size or device, the limits, out of memory, a lost device, and what the host's steps meet. What
    /// kernels do wrong may be told by a later call.
    pub fn run_with<'a>(
        &self,
        arguments: impl IntoIterator<Item = Argument<'a>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Error> {
        self.run_fresh(arguments, limits, None)
    }

    /// As [`Executable::run_with`], step by step, and tells when each ran.
    ///
    /// # Errors
    /// As [`Executable::run_with`].
    pub fn run_traced(
        &self,
        arguments: &[&Buffer],
        limits: &Limits<'_>,
    ) -> Result<(Outcome, Vec<Span>), Error> {
        self.device.wait()?;
        let mut trace = Trace { start: Instant::now(), spans: Vec::new() };
        let arguments = arguments.iter().map(|b| Argument::Borrowed(b));
        let outcome = self.run_fresh(arguments, limits, Some(&mut trace))?;
        Ok((outcome, trace.spans))
    }

    /// As [`Executable::run_with`], into the caller's memory.
    ///
    /// # Errors
    /// As [`Executable::run_with`]; an output of another size or device.
    pub fn run_into<'a>(
        &self,
        arguments: impl IntoIterator<Item = Argument<'a>>,
        outputs: &[&Buffer],
        limits: &Limits<'_>,
    ) -> Result<Counters, Error> {
        let arguments: Vec<Argument<'a>> = arguments.into_iter().collect();
        if outputs.len() != self.outputs.len() {
            let (found, expected) = (outputs.len(), self.outputs.len());
            return Err(Error::Program(format!("{found} outputs given, expected {expected}")));
        }
        for (n, (buffer, &bytes)) in outputs.iter().zip(&self.outputs).enumerate() {
            self.check("output", n, buffer, Some(bytes))?;
        }
        let (inputs, _) = self.place(&arguments, |_| None)?;
        self.check_bytes(limits, 0)?;
        let outputs: Vec<Address> = outputs.iter().map(|b| b.address()).collect();
        self.run_at(&inputs, &outputs, limits, None)
    }

    fn run_fresh<'a>(
        &self,
        arguments: impl IntoIterator<Item = Argument<'a>>,
        limits: &Limits<'_>,
        trace: Option<&mut Trace>,
    ) -> Result<Outcome, Error> {
        let mut arguments: Vec<Argument<'a>> = arguments.into_iter().collect();
        let donation =
            |input: usize| self.program.donations.iter().find(|d| d.input == input).map(|d| d.output);
        let (inputs, mut taken) = self.place(&arguments, donation)?;
        let fresh = self.outputs.iter().enumerate().filter(|(n, _)| !taken.iter().any(|t| t.1 == *n));
        self.check_bytes(limits, fresh.map(|(_, &bytes)| bytes).sum())?;
        // From the last one on, so that each is where it was.
        taken.sort_unstable_by_key(|(input, _)| std::cmp::Reverse(*input));
        let given_up = taken.into_iter().map(|(input, output)| (output, arguments.swap_remove(input)));
        let mut given_up: Vec<(usize, Argument<'a>)> = given_up.collect();
        let output = |(n, &bytes)| {
            let place = given_up.iter().position(|(output, _)| *output == n);
            match place.map(|place| given_up.swap_remove(place).1) {
                Some(Argument::Donated(buffer)) => Ok(buffer),
                Some(Argument::Borrowed(_)) | None => Buffer::new(&self.device, bytes),
            }
        };
        let outputs: Vec<Buffer> = self.outputs.iter().enumerate().map(output).collect::<Result<_, _>>()?;
        let addresses: Vec<Address> = outputs.iter().map(Buffer::address).collect();
        let counters = self.run_at(&inputs, &addresses, limits, trace)?;
        // Arguments that are given up go now: what is submitted later cannot overtake what reads them.
        drop(arguments);
        Ok(Outcome { outputs, counters })
    }

    /// The addresses of all arguments, and which of them become which outputs.
    fn place<'b, 'a: 'b, A: std::borrow::Borrow<Argument<'a>> + 'b>(
        &self,
        arguments: impl IntoIterator<Item = &'b A>,
        donation: impl Fn(usize) -> Option<usize>,
    ) -> Result<(Vec<Address>, Vec<(usize, usize)>), Error> {
        let (mut bases, mut taken) = (Vec::new(), Vec::new());
        for (n, argument) in arguments.into_iter().enumerate() {
            let argument: &Argument<'_> = argument.borrow();
            let buffer = argument.buffer();
            self.check("input", n, buffer, self.inputs.get(n).copied().flatten())?;
            bases.push(buffer.address());
            // What the caller lent stays the caller's.
            let is_given = matches!(argument, Argument::Donated(buffer) if !buffer.is_lent());
            if let Some(output) = donation(n).filter(|_| is_given) {
                taken.push((n, output));
            }
        }
        if bases.len() < self.inputs.len() {
            let (found, expected) = (bases.len(), self.inputs.len());
            return Err(Error::Program(format!("{found} inputs given, expected {expected}")));
        }
        Ok((bases, taken))
    }

    fn check(&self, what: &str, n: usize, buffer: &Buffer, bytes: Option<usize>) -> Result<(), Error> {
        if !buffer.device().is(&self.device) {
            return Err(Error::Program(format!("{what} {n} is on another device")));
        }
        match bytes {
            Some(bytes) if bytes != buffer.len() => {
                Err(Error::Program(format!("{what} {n} has {} bytes, expected {bytes}", buffer.len())))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a run that needs more memory than it may take, before it takes any.
    fn check_bytes(&self, limits: &Limits<'_>, outputs: usize) -> Result<(), Error> {
        let needed = (self.temp_bytes() + outputs) as u64;
        match limits.max_bytes {
            Some(limit) if needed > limit => Err(Error::Limit { needed, limit }),
            _ => Ok(()),
        }
    }

    /// What a run reads of this.
    fn loaded(&self) -> Loaded<'_> {
        Loaded {
            device: &self.device,
            program: &self.program,
            code_of: &self.code_of,
            kernels: &self.kernels,
            graphs: &self.graphs,
            open_loops: self.open_loops,
        }
    }

    fn run_at(
        &self,
        inputs: &[Address],
        outputs: &[Address],
        limits: &Limits<'_>,
        trace: Option<&mut Trace>,
    ) -> Result<Counters, Error> {
        let total = self.temp_bytes();
        let mut memory = if total == 0 { None } else { Some(Buffer::new(&self.device, total)?) };
        let base = memory.as_ref().map_or(self.device.zero(), Buffer::address);
        let (mut flag, mut arena) = (self.device.zero(), base);
        if let Some(memory) = memory.as_mut().filter(|_| self.open_loops) {
            flag = memory.address();
            arena = flag + ALIGN;
            self.device.checked(|driver, stream| driver.write(stream, flag, &[0]))?;
        }
        let place = |p: &Place| match *p {
            Place::Input(n) => inputs[n],
            Place::Output(n) => outputs[n],
            Place::Arena(at) => arena + at.max(0) as u64,
            Place::Constant(_) => 0,
        };
        let mut bases: Vec<Address> = self.program.buffers.iter().map(|b| place(&b.place)).collect();
        for (id, constant) in &self.constants {
            bases[id.index()] = constant.address();
        }
        let scratch = arena + self.arena_bytes();
        let mut run =
            Run { exe: self.loaded(), bases, scratch, flag, counters: Counters::default(), limits, trace };
        run.nodes(&self.nodes)?;
        Ok(run.counters)
    }
}
