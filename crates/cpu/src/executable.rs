//! Executables: loaded programs, their memory and their arguments.
//!
//! An executable is immutable; each run takes its own arena, so runs may be concurrent. Inputs aligned to 64 bytes
//! are read in place.

use crate::Error;
use crate::calls::{CustomCalls, collect};
use crate::compile::{self, CompileOptions, Compiled, KernelCode};
use crate::float_env::FloatEnv;
use crate::loader::{Code, LoadError};
use crate::memory::{ALIGN, Buffer};
use crate::run::{Counters, Loaded, LoadedKernel, Run, Span, Trace};
use crate::threads::ThreadPool;
use lawson_kernel::program::{self, BufId, Place, Program};
use std::sync::Arc;
use std::time::Instant;

/// Compiles all kernels and loads them.
pub fn compile_and_load(
    program: Program,
    options: &CompileOptions,
    pool: Arc<ThreadPool>,
    calls: &CustomCalls,
) -> Result<Executable, Error> {
    let compiled = compile::compile(&program, options, &pool)?;
    Executable::load(program, &compiled, pool, calls)
}

/// A loaded program.
pub struct Executable {
    program: Program,
    interface: Interface,
    /// For each kernel of the program its position in `kernels`.
    code_of: Vec<usize>,
    /// They point into `code`.
    kernels: Vec<LoadedKernel>,
    code: Vec<Code>,
    /// The constants among the program's buffers.
    constants: Vec<(BufId, Buffer)>,
    calls: CustomCalls,
    pool: Arc<ThreadPool>,
    memory: MemoryNeeds,
}

/// Bytes of each argument and result. An argument no buffer names may have any size.
struct Interface {
    inputs: Vec<Option<usize>>,
    outputs: Vec<usize>,
}

/// What a run allocates beside its outputs, in one block: arena, scratch of the running kernel, private blocks.
#[derive(Clone, Copy)]
struct MemoryNeeds {
    arena: usize,
    scratch: usize,
    /// Of one thread.
    local: usize,
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
        if compiled.code_of.len() != program.kernels.len() {
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
        let memory = MemoryNeeds::of(&program, compiled);
        let code_of = compiled.code_of.clone();
        Ok(Executable { program, interface, code_of, kernels, code, constants, calls: used, pool, memory })
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Bytes of code and its constants, in whole pages.
    pub fn code_bytes(&self) -> usize {
        self.code.iter().map(Code::size).sum()
    }

    /// Bytes a run allocates beside its outputs.
    pub fn temp_bytes(&self) -> usize {
        self.memory.total(self.pool.threads())
    }

    /// Runs the program on the array leaves of its arguments.
    pub fn run(&self, inputs: &[&[u8]]) -> Result<Outcome, Error> {
        self.run_fresh(inputs, None)
    }

    /// As [`Executable::run`], and tells when each launch, copy and custom call ran.
    pub fn run_traced(&self, inputs: &[&[u8]]) -> Result<(Outcome, Vec<Span>), Error> {
        let mut trace = Trace { start: Instant::now(), spans: Vec::new() };
        let outcome = self.run_fresh(inputs, Some(&mut trace))?;
        Ok((outcome, trace.spans))
    }

    /// Runs into new buffers.
    fn run_fresh(&self, inputs: &[&[u8]], trace: Option<&mut Trace>) -> Result<Outcome, Error> {
        let sizes = &self.interface.outputs;
        let mut outputs = sizes.iter().map(|&n| Buffer::new(n)).collect::<Result<Vec<_>, _>>()?;
        let bases: Vec<*mut u8> = outputs.iter_mut().map(|b| b.as_mut_ptr()).collect();
        let counters = self.run_at(inputs, &bases, trace)?;
        Ok(Outcome { outputs, counters })
    }

    /// As [`Executable::run`], into the caller's memory: best aligned to 64 bytes, else it is copied to.
    pub fn run_into(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<Counters, Error> {
        let sizes = &self.interface.outputs;
        if outputs.len() != sizes.len() {
            return Err(Error::Count { what: "output", found: outputs.len(), expected: sizes.len() });
        }
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
        let counters = self.run_at(inputs, &bases, None)?;
        for (index, buffer) in staged {
            outputs[index].copy_from_slice(&buffer);
        }
        Ok(counters)
    }

    /// What a run reads of this.
    fn loaded(&self) -> Loaded<'_> {
        let (program, code_of, kernels) = (&self.program, &self.code_of[..], &self.kernels[..]);
        Loaded { program, code_of, kernels, calls: &self.calls, local: self.memory.local }
    }

    /// Runs with outputs at these addresses, each aligned and of the right size.
    fn run_at(
        &self,
        inputs: &[&[u8]],
        outputs: &[*mut u8],
        trace: Option<&mut Trace>,
    ) -> Result<Counters, Error> {
        let expected = &self.interface.inputs;
        if inputs.len() < expected.len() {
            return Err(Error::Count { what: "input", found: inputs.len(), expected: expected.len() });
        }
        let mut staged = Vec::new();
        let mut bases = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.iter().enumerate() {
            if let Some(&Some(expected)) = expected.get(index)
                && input.len() != expected
            {
                return Err(Error::Size { what: "input", index, found: input.len(), expected });
            }
            if is_aligned(input) || expected.get(index).is_none_or(|e| e.is_none()) {
                bases.push(input.as_ptr().cast_mut());
            } else {
                let buffer = Buffer::from_slice(input)?;
                bases.push(buffer.as_ptr().cast_mut());
                staged.push(buffer);
            }
        }
        let session = self.pool.session();
        let mut memory = Buffer::new(self.memory.total(session.threads()))?;
        let arena = memory.as_mut_ptr();
        let place = |p: &Place| match *p {
            Place::Input(n) => bases[n],
            Place::Output(n) => outputs[n],
            // SAFETY: checked on load: the offset lies in the arena.
            Place::Arena(at) => unsafe { arena.add(at as usize) },
            Place::Constant(_) => std::ptr::null_mut(),
        };
        let mut bases: Vec<*mut u8> = self.program.buffers.iter().map(|b| place(&b.place)).collect();
        for (id, constant) in &self.constants {
            bases[id.index()] = constant.as_ptr().cast_mut();
        }
        // SAFETY: `memory` is as large as `total`, which is at least arena and scratch.
        let scratch = unsafe { arena.add(self.memory.arena) };
        // SAFETY: as above.
        let locals = unsafe { scratch.add(self.memory.scratch) };
        let counters = Counters::default();
        let mut run =
            Run { exe: self.loaded(), session, bases, args: Vec::new(), scratch, locals, counters, trace };
        let _env = FloatEnv::enter();
        run.steps(&self.program.steps)?;
        Ok(run.counters)
    }
}

impl Interface {
    fn of(program: &Program) -> Result<Interface, Error> {
        let sizes = program::verify(program).map_err(|faults| Error::Program(faults.join("; ")))?;
        // None is below zero.
        let size = |n: i64| n.max(0) as usize;
        let inputs = sizes.inputs.into_iter().map(|n| n.map(size)).collect();
        Ok(Interface { inputs, outputs: sizes.outputs.into_iter().map(size).collect() })
    }
}

impl MemoryNeeds {
    fn of(program: &Program, compiled: &Compiled) -> MemoryNeeds {
        // Blocks of different threads lie two cache lines apart, for processors that fetch lines in pairs.
        let local = |k: &KernelCode| match k.local {
            0 => 0,
            n => (n as usize + ALIGN).next_multiple_of(2 * ALIGN),
        };
        MemoryNeeds {
            arena: (program.arena_bytes.max(0) as usize).next_multiple_of(ALIGN),
            scratch: compiled.codes.iter().map(|k| scratch_layout(k).1).max().unwrap_or(0),
            local: compiled.codes.iter().map(local).max().unwrap_or(0),
        }
    }

    fn total(&self, threads: usize) -> usize {
        self.arena + self.scratch + threads * self.local
    }
}

fn is_aligned(bytes: &[u8]) -> bool {
    (bytes.as_ptr() as usize).is_multiple_of(ALIGN)
}

fn find(kernel: &KernelCode, code: &[Code]) -> Result<LoadedKernel, Error> {
    let mut phases = Vec::new();
    for phase in &kernel.phases {
        let found = code.iter().find_map(|c| c.phase(&phase.symbol));
        phases.push((found.ok_or_else(|| LoadError::Missing(phase.symbol.clone()))?, phase.tasks));
    }
    Ok(LoadedKernel { phases, regions: kernel.regions, scratch: scratch_layout(kernel).0 })
}

/// The place of each scratch array, and the bytes of all.
fn scratch_layout(kernel: &KernelCode) -> (Vec<usize>, usize) {
    let mut end = 0;
    let mut place = |bytes: i64| {
        let at = end;
        end += (bytes as usize).next_multiple_of(ALIGN);
        at
    };
    let places = kernel.scratch.iter().map(|&bytes| place(bytes)).collect();
    (places, end)
}
