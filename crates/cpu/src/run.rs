//! One run of an executable: its state, and what each step does.

mod routines;

use crate::Error;
use crate::arguments::Limits;
use crate::calls::CustomCalls;
use crate::float_env::{Denormals, FloatEnv};
use crate::loader::PhaseFn;
use crate::threads::Session;
use lawson_hlo::Shape;
use lawson_kernel::program::{BufId, Code, Program, Spot, Step, Workspace};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub launches: u64,
    /// Parallel regions; each launch has at least one.
    pub phases: u64,
    pub copies: u64,
    pub custom_calls: u64,
}

/// A step of a traced run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub what: Traced,
    /// Since the run began.
    pub start: Duration,
    pub took: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Traced {
    /// A launch of the program's kernel of this position.
    Launch(usize),
    /// A copy of this many bytes.
    Copy(i64),
    CustomCall(String),
}

/// What a run reads of its executable.
#[derive(Clone, Copy)]
pub struct Loaded<'e> {
    pub program: &'e Program,
    /// For each kernel of the program its position in `kernels`; a routine has none.
    pub code_of: &'e [Option<usize>],
    pub kernels: &'e [LoadedKernel],
    pub calls: &'e CustomCalls,
}

pub struct LoadedKernel {
    pub phases: Vec<(PhaseFn, i64)>,
    /// Those of them that count as parallel regions.
    pub regions: u64,
    /// How many scratch arrays it has: the first of its blocks.
    pub scratch: usize,
    /// It has loops that look at the flag of the run.
    pub open_loops: bool,
}

/// The state of one run.
pub struct Run<'e> {
    pub exe: Loaded<'e>,
    pub session: Session<'e>,
    /// The address of each of the program's buffers now.
    pub bases: Vec<*mut u8>,
    /// The addresses passed to a kernel; kept to reuse its memory.
    pub args: Vec<*mut u8>,
    /// Where kernels have the blocks that they need while they run.
    pub workspace: &'e Workspace,
    /// The run's own memory.
    pub own: *mut u8,
    pub outputs: &'e [*mut u8],
    /// The private blocks of threads in a launch; kept to reuse its memory.
    pub locals: Vec<Shared>,
    pub counters: Counters,
    pub limits: &'e Limits<'e>,
    /// Set when the run is to end: loops in kernels look at it.
    pub stop: &'e AtomicBool,
    pub trace: Option<&'e mut Trace>,
}

pub struct Trace {
    pub start: Instant,
    pub spans: Vec<Span>,
}

/// An address that threads of a parallel loop share; each uses its own part.
#[derive(Clone, Copy)]
pub struct Shared(*mut u8);

// SAFETY: sharing the address alone touches no memory. Whoever accesses memory through it does so in an `unsafe` block
// of its own, which says why no other thread accesses the same bytes.
unsafe impl Sync for Shared {}

impl Shared {
    fn get(&self) -> *mut u8 {
        self.0
    }
}

/// From this size on a copy is divided over the threads.
const PARALLEL_COPY: usize = 512 << 10;
const COPY_TASK: usize = 128 << 10;

impl Run<'_> {
    pub fn steps(&mut self, steps: &[Step]) -> Result<(), Error> {
        steps.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Launch { kernel, args } => {
                self.limits.check()?;
                self.traced(|| Traced::Launch(*kernel), |run| run.launch(*kernel, args));
                let open_loops = self.exe.code_of[*kernel].is_some_and(|c| self.exe.kernels[c].open_loops);
                if open_loops && self.stop.load(Ordering::Relaxed) {
                    // Its loops may have been left early.
                    self.limits.check()?;
                    return Err(Error::Cancelled);
                }
            }
            Step::Copy { from, to } => {
                let bytes = self.exe.program.buffers[to.index()].bytes;
                self.traced(|| Traced::Copy(bytes), |run| run.copy(*from, *to));
            }
            Step::Concatenate { pieces, rows, to } => {
                let bytes = self.exe.program.buffers[to.index()].bytes;
                self.traced(|| Traced::Copy(bytes), |run| run.concatenate(pieces, *rows, *to));
            }
            Step::Swap { a, b } => self.bases.swap(a.index(), b.index()),
            Step::While { cond, pred, body, .. } => {
                self.steps(cond)?;
                while self.read::<1>(*pred) != [0] {
                    // A trip may have no launch.
                    self.limits.check()?;
                    self.steps(body)?;
                    self.steps(cond)?;
                }
            }
            Step::Conditional { selector, predicated, branches } => {
                let index = self.branch(*selector, *predicated, branches.len());
                self.steps(&branches[index])?;
            }
            Step::CustomCall { target, args, results, shape } => {
                self.limits.check()?;
                let call = |run: &mut Self| run.call(target, args, results, shape);
                self.traced(|| Traced::CustomCall(target.clone()), call)?;
            }
        }
        Ok(())
    }

    /// Runs `f`, and notes when, if this run is traced.
    fn traced<R>(&mut self, what: impl FnOnce() -> Traced, f: impl FnOnce(&mut Self) -> R) -> R {
        let Some(start) = self.trace.as_ref().map(|t| t.start.elapsed()) else { return f(self) };
        let result = f(self);
        if let Some(trace) = &mut self.trace {
            trace.spans.push(Span { what: what(), start, took: trace.start.elapsed() - start });
        }
        result
    }

    /// The branch a conditional of `n` takes.
    fn branch(&self, selector: BufId, predicated: bool, n: usize) -> usize {
        if predicated {
            return (self.read::<1>(selector) == [0]) as usize;
        }
        usize::try_from(i32::from_le_bytes(self.read(selector))).map_or(n - 1, |i| i.min(n - 1))
    }

    fn launch(&mut self, kernel: usize, args: &[BufId]) {
        let blocks = &self.workspace.spots[kernel];
        let kernel = match (&self.exe.program.kernels[kernel].code, self.exe.code_of[kernel]) {
            (Code::Library(library), _) => return self.library(library, args),
            (Code::Planned(_) | Code::Lowered(_), Some(code)) => &self.exe.kernels[code],
            (Code::Planned(_) | Code::Lowered(_), None) => unreachable!("checked on load"),
        };
        let (own, outputs) = (self.own, self.outputs);
        // SAFETY: `Workspace::of` places each block in the run's own memory, which has the bytes it says, or in a result
        // of the size that it knows.
        let address = |spot: &Spot| unsafe {
            match *spot {
                Spot::Own(at) => own.add(at as usize),
                Spot::Output { n, at } => outputs[n].add(at as usize),
            }
        };
        let (scratch, locals) = blocks.split_at(kernel.scratch);
        self.args.clear();
        self.args.push(self.stop.as_ptr().cast());
        self.args.extend(args.iter().map(|id| self.bases[id.index()]));
        self.args.extend(scratch.iter().map(address));
        self.locals.clear();
        self.locals.extend(locals.iter().map(|spot| Shared(address(spot))));
        // SAFETY: the flag is the first, so there is one.
        let args = Shared(unsafe { self.args.as_mut_ptr().add(1) }.cast());
        let locals = &self.locals[..];
        self.counters.launches += 1;
        self.counters.phases += kernel.regions;
        for &(phase, tasks) in &kernel.phases {
            self.session.run(tasks, &|range, thread| {
                // None where the kernel has no private block.
                let local = locals.get(thread).map_or(std::ptr::null_mut(), Shared::get);
                // SAFETY: the function was generated with this signature. `program::verify`, which runs on load, checks
                // that each buffer has the size the kernel expects. `range` lies within `0..tasks`, the tasks the phase
                // was made for. The private block is this thread's: there are as many blocks as threads, or one where a
                // phase has one task, which the caller's thread runs. Tasks of one phase may run at once because lowering
                // lets no task read or write what another one writes.
                unsafe { phase(args.get().cast(), range.start, range.end, local) };
            });
        }
    }

    fn copy(&mut self, from: BufId, to: BufId) {
        let bytes = self.exe.program.buffers[to.index()].bytes as usize;
        let (from, to) = (Shared(self.bases[from.index()]), Shared(self.bases[to.index()]));
        // An argument and the result it is donated to.
        if from.get() == to.get() {
            return;
        }
        self.counters.copies += 1;
        let tasks = if bytes < PARALLEL_COPY { 1 } else { bytes.div_ceil(COPY_TASK) };
        let each = bytes.div_ceil(tasks.max(1));
        self.session.run(tasks as i64, &|range, _| {
            let (start, end) = (range.start as usize * each, (range.end as usize * each).min(bytes));
            // SAFETY: `program::verify`, which runs on load, checks that both buffers have `bytes` bytes, and `end` is at
            // most that. Each task writes a range of its own, and nobody reads it meanwhile: buffers that are live at the
            // same time do not overlap, but for an argument and its result, which are equal and returned above.
            unsafe { std::ptr::copy(from.get().add(start), to.get().add(start), end - start) };
        });
    }

    /// Tasks are ranges of the result, which may begin and end within a piece.
    fn concatenate(&mut self, pieces: &[(BufId, i64)], rows: i64, to: BufId) {
        let row: usize = pieces.iter().map(|&(_, width)| width as usize).sum();
        let bytes = row * rows as usize;
        if bytes == 0 {
            return;
        }
        self.counters.copies += 1;
        let from: Vec<(Shared, usize)> =
            pieces.iter().map(|&(id, width)| (Shared(self.bases[id.index()]), width as usize)).collect();
        let to = Shared(self.bases[to.index()]);
        let tasks = if bytes < PARALLEL_COPY { 1 } else { bytes.div_ceil(COPY_TASK) };
        let each = bytes.div_ceil(tasks);
        self.session.run(tasks as i64, &|range, _| {
            let (first, end) = (range.start as usize * each, (range.end as usize * each).min(bytes));
            for n in first / row..end.div_ceil(row) {
                let mut start = n * row;
                for &(piece, width) in &from {
                    let (lo, hi) = (start.max(first), (start + width).min(end));
                    if lo < hi {
                        // SAFETY: `program::verify`, which runs on load, checks that the piece has `rows` rows of `width`
                        // bytes, that the result has `bytes` bytes, and that the two share no memory. `n` is below `rows`
                        // and `lo..hi` is a part of the piece's row `n` and of the result. Each task writes a range of its
                        // own, and nobody reads it meanwhile.
                        unsafe {
                            let source = piece.get().add(n * width + (lo - start));
                            copy_bytes(source, to.get().add(lo), hi - lo);
                        }
                    }
                    start += width;
                }
            }
        });
    }

    /// The first bytes of a buffer.
    fn read<const N: usize>(&self, id: BufId) -> [u8; N] {
        // SAFETY: `program::verify`, which runs on load, checks that a predicate or selector has at least `N` bytes. Steps
        // run one after the other and wait for their threads, so nothing writes the buffer now.
        unsafe { self.bases[id.index()].cast::<[u8; N]>().read_unaligned() }
    }

    fn call(
        &mut self,
        target: &str,
        args: &[(BufId, Shape)],
        results: &[BufId],
        shape: &Shape,
    ) -> Result<(), Error> {
        let range = |id: BufId| (self.bases[id.index()], self.exe.program.buffers[id.index()].bytes as usize);
        let overlaps = |a: BufId, b: BufId| {
            let ((a, n), (b, m)) = (range(a), range(b));
            n > 0 && m > 0 && (a as usize) < b as usize + m && (b as usize) < a as usize + n
        };
        for (i, &r) in results.iter().enumerate() {
            let others = results[..i].iter().chain(args.iter().map(|(a, _)| a));
            if others.into_iter().any(|&o| overlaps(r, o)) {
                return Err(Error::Program(format!("custom-call {target:?} writes what it reads")));
            }
        }
        let read = |id: BufId| {
            let (base, bytes) = range(id);
            // SAFETY: `base` points to this buffer's memory, which has `bytes` bytes, all initialised, and outlives the
            // run. During the call only the results are written, and none of them overlaps it: checked above.
            unsafe { std::slice::from_raw_parts(base, bytes) }
        };
        let write = |id: &BufId| {
            let (base, bytes) = range(*id);
            // SAFETY: as for reading; that no other slice of this call overlaps it was checked above, so the reference is
            // the only one to these bytes.
            unsafe { std::slice::from_raw_parts_mut(base, bytes) }
        };
        let read: Vec<(&[u8], &Shape)> = args.iter().map(|(id, shape)| (read(*id), shape)).collect();
        let mut written: Vec<&mut [u8]> = results.iter().map(write).collect();
        self.counters.custom_calls += 1;
        let function = &self.exe.calls[target];
        let _env = FloatEnv::enter(Denormals::Keep);
        function(&read, &mut written, shape)
            .map_err(|message| Error::CustomCall { target: target.to_owned(), message })
    }
}

/// Copies `n` bytes; single elements, of which a concatenation may have many, without a call.
///
/// # Safety
/// Both pointers have `n` bytes, which do not overlap.
unsafe fn copy_bytes(from: *const u8, to: *mut u8, n: usize) {
    // SAFETY: as the caller promises; unaligned accesses of `n` bytes in all.
    unsafe {
        match n {
            4 => to.cast::<[u8; 4]>().write_unaligned(from.cast::<[u8; 4]>().read_unaligned()),
            8 => to.cast::<[u8; 8]>().write_unaligned(from.cast::<[u8; 8]>().read_unaligned()),
            _ => std::ptr::copy_nonoverlapping(from, to, n),
        }
    }
}
