//! Executables: loaded programs, their memory and their arguments.
//!
//! An executable is immutable; each run takes its own arena, so runs may be concurrent. Inputs aligned to 64 bytes
//! are read in place. Donated ones become outputs where the program allows it.

use crate::Error;
use crate::arguments::{Argument, Inputs, Interface, Limits, is_aligned, place};
use crate::calls::{CustomCalls, collect};
use crate::code_cache::CodeCache;
use crate::compile::{self, CompileOptions, Compiled, KernelCode};
use crate::float_env::{Denormals, FloatEnv};
use crate::loader::{Code, LoadError};
use crate::memory::{ALIGN, Buffer};
use crate::run::{Counters, Loaded, LoadedKernel, Run, Span, Trace};
use crate::stop::watched;
use crate::threads::ThreadPool;
use lawson_kernel::program::{BufId, NamedKernel, Place, Program, Workspace};
use std::sync::Arc;
use std::time::Instant;

/// Compiles all kernels and loads them.
pub fn compile_and_load(
    program: Program,
    options: &CompileOptions,
    cache: Option<&dyn CodeCache>,
    pool: Arc<ThreadPool>,
    calls: &CustomCalls,
) -> Result<Executable, Error> {
    let compiled = compile::compile(&program, options, cache, &pool)?;
    Executable::load(program, &compiled, pool, calls)
}

/// A loaded program.
pub struct Executable {
    program: Program,
    interface: Interface,
    /// For each kernel of the program its position in `kernels`; a routine has none.
    code_of: Vec<Option<usize>>,
    /// They point into `code`.
    kernels: Vec<LoadedKernel>,
    code: Vec<Code>,
    /// Of the codes, those that a cache had.
    reused: usize,
    /// The constants among the program's buffers.
    constants: Vec<(BufId, Buffer)>,
    calls: CustomCalls,
    pool: Arc<ThreadPool>,
    denormals: Denormals,
    /// For runs on all threads.
    workspace: Workspace,
    /// For runs that found the pool taken.
    alone: Workspace,
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    pub outputs: Vec<Buffer>,
    pub counters: Counters,
}

impl Executable {
    /// Loads a program with the code that [`crate::compile()`] made of its kernels: it is run without further question.
    pub fn load(
        program: Program,
        compiled: &Compiled,
        pool: Arc<ThreadPool>,
        calls: &CustomCalls,
    ) -> Result<Executable, Error> {
        let interface = Interface::of(&program)?;
        let code = compiled.objects.iter().map(|o| Code::load(o)).collect::<Result<Vec<_>, _>>()?;
        let kernels = compiled.codes.iter().map(|k| find(k, &code)).collect::<Result<Vec<_>, _>>()?;
        let is_routine = |k: &NamedKernel| matches!(k.code, lawson_kernel::program::Code::Library(_));
        if !program.kernels.iter().map(is_routine).eq(compiled.code_of.iter().map(Option::is_none)) {
            return Err(Error::Program("its code is that of another program".into()));
        }
        let mut constants = Vec::new();
        for (i, slot) in program.buffers.iter().enumerate() {
            if let Place::Constant(literal) = &slot.place {
                constants.push((BufId(i as u32), Buffer::from_slice(literal.bytes())?));
            }
        }
        let mut used = CustomCalls::new();
        collect(&program.steps, calls, &mut used)?;
        let workspace = |threads| Workspace::of(&program, &blocks(compiled, threads));
        let (workspace, alone) = (workspace(pool.threads()), workspace(1));
        let code_of = compiled.code_of.clone();
        let reused = compiled.reused;
        Ok(Executable {
            program,
            interface,
            code_of,
            kernels,
            code,
            reused,
            constants,
            calls: used,
            pool,
            denormals: Denormals::default(),
            workspace,
            alone,
        })
    }

    /// The same program with this treatment of denormals in its kernels; functions that it calls find them kept.
    pub fn with_denormals(self, denormals: Denormals) -> Executable {
        Executable { denormals, ..self }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Distinct codes of kernels, and how many of them were taken from a cache.
    pub fn codes(&self) -> (usize, usize) {
        (self.kernels.len(), self.reused)
    }

    /// Bytes of code and its constants, in whole pages.
    pub fn code_bytes(&self) -> usize {
        self.code.iter().map(Code::size).sum()
    }

    /// Bytes a run allocates beside its outputs.
    pub fn temp_bytes(&self) -> usize {
        self.workspace.bytes as usize
    }

    /// Bytes of each array leaf of the result.
    pub fn output_bytes(&self) -> &[usize] {
        &self.interface.outputs
    }

    /// Runs the program on the array leaves of its arguments.
    pub fn run(&self, inputs: &[&[u8]]) -> Result<Outcome, Error> {
        self.run_with(borrowed(inputs), &Limits::default())
    }

    /// As [`Executable::run`], within limits, where arguments may be donated: an output takes over the memory of the
    /// argument that the program's donations name. Donated memory is consumed, also when the run fails.
    pub fn run_with<'a>(
        &self,
        arguments: impl ExactSizeIterator<Item = Argument<'a>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Error> {
        self.run_fresh(arguments, limits, None)
    }

    /// As [`Executable::run_with`], and tells when each launch, copy and custom call ran.
    pub fn run_traced<'a>(
        &self,
        arguments: impl ExactSizeIterator<Item = Argument<'a>>,
        limits: &Limits<'_>,
    ) -> Result<(Outcome, Vec<Span>), Error> {
        let mut trace = Trace { start: Instant::now(), spans: Vec::new() };
        let outcome = self.run_fresh(arguments, limits, Some(&mut trace))?;
        Ok((outcome, trace.spans))
    }

    /// Runs into new buffers, and those of donated arguments.
    fn run_fresh<'a>(
        &self,
        arguments: impl ExactSizeIterator<Item = Argument<'a>>,
        limits: &Limits<'_>,
        trace: Option<&mut Trace>,
    ) -> Result<Outcome, Error> {
        let sizes = &self.interface.outputs;
        let mut taken: Vec<Option<Buffer>> = Vec::with_capacity(sizes.len());
        taken.resize_with(sizes.len(), || None);
        let inputs = place(&self.interface, &self.program.donations, arguments, Some(&mut taken))?;
        let fresh = taken.iter().zip(sizes).filter(|(o, _)| o.is_none()).map(|(_, n)| n).sum();
        self.check_bytes(limits, fresh, &inputs)?;
        let mut outputs = Vec::with_capacity(sizes.len());
        for (taken, &bytes) in taken.into_iter().zip(sizes) {
            outputs.push(taken.map_or_else(|| Buffer::new(bytes), Ok)?);
        }
        let bases: Vec<*mut u8> = outputs.iter_mut().map(|b: &mut Buffer| b.as_mut_ptr()).collect();
        let counters = self.run_at(&inputs, &bases, limits, trace)?;
        Ok(Outcome { outputs, counters })
    }

    /// As [`Executable::run_with`], into the caller's memory: best aligned to 64 bytes, else it is copied to.
    pub fn run_into<'a>(
        &self,
        arguments: impl ExactSizeIterator<Item = Argument<'a>>,
        outputs: &mut [&mut [u8]],
        limits: &Limits<'_>,
    ) -> Result<Counters, Error> {
        let sizes = &self.interface.outputs;
        if outputs.len() != sizes.len() {
            return Err(Error::Count { what: "output", found: outputs.len(), expected: sizes.len() });
        }
        let inputs = place(&self.interface, &[], arguments, None)?;
        let unaligned = outputs.iter().filter(|o| !is_aligned(o)).map(|o| o.len()).sum();
        self.check_bytes(limits, unaligned, &inputs)?;
        let mut staged = Vec::new();
        let mut bases = Vec::new();
        for (index, (out, &expected)) in outputs.iter_mut().zip(sizes).enumerate() {
            if out.len() != expected {
                return Err(Error::Size { what: "output", index, found: out.len(), expected });
            }
            if is_aligned(out) {
                bases.push(out.as_mut_ptr());
            } else {
                let mut buffer = Buffer::new(expected)?;
                bases.push(buffer.as_mut_ptr());
                staged.push((index, buffer));
            }
        }
        let counters = self.run_at(&inputs, &bases, limits, None)?;
        for (index, buffer) in staged {
            outputs[index].copy_from_slice(&buffer);
        }
        Ok(counters)
    }

    /// What a run reads of this.
    fn loaded(&self) -> Loaded<'_> {
        let (program, code_of, kernels) = (&self.program, &self.code_of[..], &self.kernels[..]);
        Loaded { program, code_of, kernels, calls: &self.calls }
    }

    /// Refuses a run that needs more memory than it may take, before it takes any.
    fn check_bytes(&self, limits: &Limits<'_>, outputs: usize, inputs: &Inputs) -> Result<(), Error> {
        let needed = (self.temp_bytes() + outputs + inputs.copied) as u64;
        match limits.max_bytes {
            Some(limit) if needed > limit => Err(Error::Limit { needed, limit }),
            _ => Ok(()),
        }
    }

    /// Runs with outputs at these addresses, each aligned and of the right size.
    fn run_at(
        &self,
        inputs: &Inputs,
        outputs: &[*mut u8],
        limits: &Limits<'_>,
        trace: Option<&mut Trace>,
    ) -> Result<Counters, Error> {
        let session = self.pool.session().with_denormals(self.denormals);
        let workspace = if session.threads() == 1 { &self.alone } else { &self.workspace };
        let total = workspace.bytes as usize;
        let mut memory = if total == 0 { None } else { Some(Buffer::new(total)?) };
        let own = memory.as_mut().map_or(std::ptr::without_provenance_mut(ALIGN), |m| m.as_mut_ptr());
        let place = |p: &Place| match *p {
            Place::Input(n) => inputs.bases[n],
            Place::Output(n) => outputs[n],
            // SAFETY: checked on load: the offset lies in the arena.
            Place::Arena(at) => unsafe { own.add(at as usize) },
            Place::Constant(_) => std::ptr::null_mut(),
        };
        let mut bases: Vec<*mut u8> = self.program.buffers.iter().map(|b| place(&b.place)).collect();
        for (id, constant) in &self.constants {
            bases[id.index()] = constant.as_ptr().cast_mut();
        }
        let counters = Counters::default();
        let loops = self.kernels.iter().any(|k| k.open_loops);
        watched(limits, loops, |stop| {
            let mut run = Run {
                exe: self.loaded(),
                session,
                bases,
                args: Vec::new(),
                workspace,
                own,
                outputs,
                locals: Vec::new(),
                counters,
                limits,
                stop,
                trace,
            };
            let _env = FloatEnv::enter(self.denormals);
            run.steps(&self.program.steps)?;
            Ok(run.counters)
        })
    }
}

/// What each kernel needs while it runs: its scratch arrays, then a private block for each thread that may run its tasks.
fn blocks(compiled: &Compiled, threads: usize) -> Vec<Vec<i64>> {
    let of = |k: &KernelCode| {
        // A single task is the caller's.
        let threads = if k.phases.iter().all(|p| p.tasks <= 1) { 1 } else { threads };
        // Blocks of different threads lie two cache lines apart, for processors that fetch lines in pairs.
        let local = match (k.local, threads) {
            (n, 1) => n,
            (n, _) => (n as usize + ALIGN).next_multiple_of(2 * ALIGN) as i64,
        };
        let locals = std::iter::repeat_n(local, if k.local == 0 { 0 } else { threads });
        k.scratch.iter().copied().chain(locals).collect()
    };
    compiled.code_of.iter().map(|code| code.map_or(Vec::new(), |c| of(&compiled.codes[c]))).collect()
}

fn borrowed<'a>(inputs: &[&'a [u8]]) -> impl ExactSizeIterator<Item = Argument<'a>> {
    inputs.iter().map(|i| Argument::Borrowed(i))
}

fn find(kernel: &KernelCode, code: &[Code]) -> Result<LoadedKernel, Error> {
    let mut phases = Vec::new();
    for phase in &kernel.phases {
        let found = code.iter().find_map(|c| c.phase(&phase.symbol));
        phases.push((found.ok_or_else(|| LoadError::Missing(phase.symbol.clone()))?, phase.tasks));
    }
    let (regions, open_loops) = (kernel.regions, kernel.open_loops);
    Ok(LoadedKernel { phases, regions, scratch: kernel.scratch.len(), open_loops })
}
