//! Executables: loaded programs, their memory and their arguments.
//!
//! An executable is immutable; each run takes its own arena, so runs may be concurrent. Inputs aligned to 64 bytes
//! are read in place. Donated ones become outputs where the program allows it.

use crate::Error;
use crate::arguments::{Argument, Inputs, Limits, is_aligned, place};
use crate::check::{Interface, check};
use crate::float_env::FloatEnv;
use crate::loader::{Code, LoadError, PhaseFn};
use crate::memory::{ALIGN, Buffer};
use crate::run::{Counters, Run, Span, Trace};
use crate::threads::ThreadPool;
use lawson_hlo::Shape;
use lawson_kernel::loop_ir::{Access, Kernel};
use lawson_kernel::program::{BufId, Place, Program, Step};
use lawson_llvm::phase_symbol;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// A host function: reads arrays of these shapes, writes the array leaves of its result.
pub type CustomCall =
    Arc<dyn Fn(&[(&[u8], &Shape)], &mut [&mut [u8]], &Shape) -> Result<(), String> + Send + Sync>;

/// Host functions by `custom_call_target`.
pub type CustomCalls = BTreeMap<String, CustomCall>;

/// A loaded program.
pub struct Executable {
    pub(crate) program: Program,
    interface: Interface,
    /// In the order of the program's kernels; they point into `code`.
    pub(crate) kernels: Vec<LoadedKernel>,
    code: Vec<Code>,
    /// The constants among the program's buffers.
    constants: Vec<(BufId, Buffer)>,
    pub(crate) calls: CustomCalls,
    pool: Arc<ThreadPool>,
    pub(crate) memory: MemoryNeeds,
}

pub(crate) struct LoadedKernel {
    pub phases: Vec<(PhaseFn, i64)>,
    /// Those of them that count as parallel regions.
    pub regions: u64,
    /// For each buffer that is scratch, its place in the run's scratch memory.
    pub scratch: Vec<Option<usize>>,
}

/// What a run allocates beside its outputs, in one block: arena, scratch of the running kernel, private blocks.
#[derive(Clone, Copy)]
pub(crate) struct MemoryNeeds {
    arena: usize,
    scratch: usize,
    /// Of one thread.
    pub local: usize,
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    pub outputs: Vec<Buffer>,
    pub counters: Counters,
}

impl Executable {
    /// Loads a program whose kernels are in `objects`, as [`crate::compile_objects`] made them: what they contain
    /// is run without further question.
    pub fn load(
        program: Program,
        objects: &[Vec<u8>],
        pool: Arc<ThreadPool>,
        calls: &CustomCalls,
    ) -> Result<Executable, Error> {
        let interface = check(&program).map_err(Error::Program)?;
        let code = objects.iter().map(|o| Code::load(o)).collect::<Result<Vec<_>, _>>()?;
        let kernels = program.kernels.iter().map(|k| find(k, &code)).collect::<Result<Vec<_>, _>>()?;
        let mut constants = Vec::new();
        for (i, slot) in program.buffers.iter().enumerate() {
            if let Place::Constant(literal) = &slot.place {
                constants.push((BufId(i as u32), Buffer::from_slice(literal.bytes())?));
            }
        }
        let mut used = CustomCalls::new();
        collect_calls(&program.steps, calls, &mut used)?;
        let memory = memory_needs(&program);
        Ok(Executable { program, interface, kernels, code, constants, calls: used, pool, memory })
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

    /// As [`Executable::run`], and tells when each launch, copy and custom call ran.
    pub fn run_traced(&self, inputs: &[&[u8]]) -> Result<(Outcome, Vec<Span>), Error> {
        let mut trace = Trace { start: Instant::now(), spans: Vec::new() };
        let outcome = self.run_fresh(borrowed(inputs), &Limits::default(), Some(&mut trace))?;
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
        let session = self.pool.session();
        let total = self.memory.total(session.threads());
        let mut memory = if total == 0 { None } else { Some(Buffer::new(total)?) };
        let arena = memory.as_mut().map_or(std::ptr::without_provenance_mut(ALIGN), |m| m.as_mut_ptr());
        let place = |p: &Place| match *p {
            Place::Input(n) => inputs.bases[n],
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
            Run { exe: self, session, bases, args: Vec::new(), scratch, locals, counters, limits, trace };
        let _env = FloatEnv::enter();
        run.steps(&self.program.steps)?;
        Ok(run.counters)
    }
}

impl MemoryNeeds {
    fn total(&self, threads: usize) -> usize {
        self.arena + self.scratch + threads * self.local
    }
}

fn borrowed<'a>(inputs: &[&'a [u8]]) -> impl ExactSizeIterator<Item = Argument<'a>> {
    inputs.iter().map(|i| Argument::Borrowed(i))
}

fn find(kernel: &Kernel, code: &[Code]) -> Result<LoadedKernel, Error> {
    let phase = |i: usize, tasks: i64| {
        let symbol = phase_symbol(&kernel.name, i);
        let found = code.iter().find_map(|c| c.phase(&symbol));
        Ok((found.ok_or(LoadError::Missing(symbol))?, tasks))
    };
    let phases = kernel.phases.iter().enumerate();
    let phases = phases.map(|(i, p)| phase(i, p.tasks)).collect::<Result<_, Error>>()?;
    Ok(LoadedKernel { phases, regions: kernel.parallel_regions(), scratch: scratch_layout(kernel).0 })
}

/// The place of each scratch buffer, and the bytes of all.
fn scratch_layout(kernel: &Kernel) -> (Vec<Option<usize>>, usize) {
    let mut end = 0;
    let place = |b: &lawson_kernel::loop_ir::Buffer| {
        (b.access == Access::Scratch).then(|| {
            let at = end;
            end += ((b.len * b.elem.bytes()) as usize).next_multiple_of(ALIGN);
            at
        })
    };
    (kernel.buffers.iter().map(place).collect(), end)
}

fn memory_needs(program: &Program) -> MemoryNeeds {
    // Blocks of different threads lie two cache lines apart, for processors that fetch lines in pairs.
    let local = |k: &Kernel| match k.local_layout().1 {
        0 => 0,
        n => (n as usize + ALIGN).next_multiple_of(2 * ALIGN),
    };
    MemoryNeeds {
        arena: (program.arena_bytes.max(0) as usize).next_multiple_of(ALIGN),
        scratch: program.kernels.iter().map(|k| scratch_layout(k).1).max().unwrap_or(0),
        local: program.kernels.iter().map(local).max().unwrap_or(0),
    }
}

fn collect_calls(steps: &[Step], known: &CustomCalls, used: &mut CustomCalls) -> Result<(), Error> {
    for step in steps {
        match step {
            Step::CustomCall { target, .. } => {
                let found = known.get(target).ok_or_else(|| Error::UnknownCustomCall(target.clone()))?;
                used.insert(target.clone(), found.clone());
            }
            Step::While { cond, body, .. } => {
                collect_calls(cond, known, used)?;
                collect_calls(body, known, used)?;
            }
            Step::Conditional { branches, .. } => {
                branches.iter().try_for_each(|b| collect_calls(b, known, used))?;
            }
            Step::Launch { .. } | Step::Copy { .. } | Step::Swap { .. } => {}
        }
    }
    Ok(())
}
