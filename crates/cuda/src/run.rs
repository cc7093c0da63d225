//! One run of an executable: what is submitted for each node, and what the host has to know meanwhile.

use crate::device::Device;
use crate::driver::{Address, Rows, Stream};
use crate::error::Error;
use crate::graphs::Graphs;
use crate::host::HostStep;
use crate::kernels::Kernel;
use crate::plan::{Node, Sequence, Work};
use lawson_cpu::{self as cpu, Limits, Span, Traced};
use lawson_kernel::program::{BufId, Program};
use std::time::{Duration, Instant};

/// What a run did, or submitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub launches: u64,
    /// Parallel regions; each launch has at least one.
    pub phases: u64,
    /// Within the device.
    pub copies: u64,
    /// Routines and registered functions, which the host computes.
    pub host_steps: u64,
    /// Copies from the host to the device, and their bytes.
    pub uploads: u64,
    pub upload_bytes: u64,
    /// Copies to the host, and their bytes; conditions of loops and branches are among them.
    pub downloads: u64,
    pub download_bytes: u64,
    /// Sequences that were submitted as a graph.
    pub graphs: u64,
}

impl Counters {
    fn add(&mut self, more: &Counters) {
        self.launches += more.launches;
        self.phases += more.phases;
        self.copies += more.copies;
        self.host_steps += more.host_steps;
        self.uploads += more.uploads;
        self.upload_bytes += more.upload_bytes;
        self.downloads += more.downloads;
        self.download_bytes += more.download_bytes;
        self.graphs += more.graphs;
    }
}

/// What a run reads of its executable.
#[derive(Clone, Copy)]
pub struct Loaded<'e> {
    pub device: &'e Device,
    pub program: &'e Program,
    /// For each kernel of the program its position in `kernels`; a routine has none.
    pub code_of: &'e [Option<usize>],
    pub kernels: &'e [Kernel],
    pub graphs: &'e Graphs<Effect>,
    /// It has loops that look at the flag of the run.
    pub open_loops: bool,
}

/// What submitting a sequence means to a run.
pub struct Effect {
    counted: Counters,
    /// Buffers that are in other places afterwards.
    moved: Vec<(BufId, Address)>,
}

/// The state of one run.
pub struct Run<'e> {
    pub exe: Loaded<'e>,
    /// The address of each of the program's buffers now.
    pub bases: Vec<Address>,
    pub scratch: Address,
    /// Loops of kernels end when it is set.
    pub flag: Address,
    pub counters: Counters,
    pub limits: &'e Limits<'e>,
    pub trace: Option<&'e mut Trace>,
}

pub struct Trace {
    pub start: Instant,
    pub spans: Vec<Span>,
}

/// How long the host looks all the time, before it looks now and then.
const BUSY: Duration = Duration::from_millis(2);
/// How often the host looks whether a kernel with a loop without an end is done, or to be ended.
const PERIOD: Duration = Duration::from_micros(200);

impl Run<'_> {
    pub fn nodes(&mut self, nodes: &[Node]) -> Result<(), Error> {
        nodes.iter().try_for_each(|n| self.node(n))
    }

    fn node(&mut self, node: &Node) -> Result<(), Error> {
        self.limits.check()?;
        match node {
            Node::Sequence(sequence) => self.sequence(sequence),
            Node::Host(step) => self.host(step),
            Node::While { cond, pred, body, trips } => {
                self.nodes(cond)?;
                let mut done = 0;
                // The number of trips that a program states is believed.
                while match trips {
                    Some(trips) => done < *trips,
                    None => self.read::<1>(*pred)? != [0],
                } {
                    // A trip may have no work.
                    self.limits.check()?;
                    self.nodes(body)?;
                    self.nodes(cond)?;
                    done += 1;
                }
                Ok(())
            }
            Node::Conditional { selector, predicated, branches } => {
                let last = branches.len() - 1;
                let index = match predicated {
                    true => (self.read::<1>(*selector)? == [0]) as usize,
                    false => {
                        let index = i32::from_le_bytes(self.read(*selector)?);
                        usize::try_from(index).map_or(last, |i| i.min(last))
                    }
                };
                self.nodes(&branches[index])
            }
        }
    }

    /// The first bytes of a buffer, when they are there.
    fn read<const N: usize>(&mut self, id: BufId) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.download(id, &mut bytes)?;
        Ok(bytes)
    }

    fn download(&mut self, id: BufId, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.counters.downloads += 1;
        self.counters.download_bytes += bytes.len() as u64;
        let from = self.bases[id.index()];
        self.exe.device.checked(|driver, stream| driver.read(stream, from, bytes))
    }

    fn host(&mut self, step: &HostStep) -> Result<(), Error> {
        let start = Instant::now();
        let mut read = Vec::new();
        for &(id, bytes) in &step.reads {
            let mut buffer = cpu::Buffer::new(bytes)?;
            self.download(id, &mut buffer)?;
            read.push(buffer);
        }
        let arguments = read.iter().map(|b| cpu::Argument::Borrowed(b));
        let made = step.code.run_with(arguments, self.limits)?;
        for (&id, bytes) in step.writes.iter().zip(&made.outputs) {
            if bytes.is_empty() {
                continue;
            }
            self.counters.uploads += 1;
            self.counters.upload_bytes += bytes.len() as u64;
            let to = self.bases[id.index()];
            self.exe.device.checked(|driver, stream| driver.write(stream, to, bytes))?;
        }
        self.counters.host_steps += 1;
        self.note(step.what.clone(), start);
        Ok(())
    }

    /// Notes a step that is done, if this run is traced.
    fn note(&mut self, what: Traced, since: Instant) {
        if let Some(trace) = &mut self.trace {
            let start = since.duration_since(trace.start);
            trace.spans.push(Span { what, start, took: since.elapsed() });
        }
    }

    fn sequence(&mut self, sequence: &Sequence) -> Result<(), Error> {
        let device = self.exe.device;
        if self.trace.is_some() || self.exe.open_loops || sequence.submissions == 0 {
            // In its parts: they are waited for.
            device.checked(|_, stream| self.submit(&sequence.work, stream))?;
            return if self.exe.open_loops { self.watch() } else { Ok(()) };
        }
        // Even of a single launch a graph is worth it: it takes the host 1.8 µs, a launch 3.6 (H200, driver 580).
        let touched = sequence.buffers.iter().map(|b| self.bases[b.index()]);
        let key = (sequence.id, touched.chain([self.scratch]).collect());
        let graphs = self.exe.graphs;
        let (effect, as_graph) = graphs.run(key, &mut |stream| self.effect(sequence, stream))?;
        effect.moved.iter().for_each(|(id, at)| self.bases[id.index()] = *at);
        self.counters.add(&effect.counted);
        self.counters.graphs += as_graph as u64;
        Ok(())
    }

    /// Submits a sequence, and says what that means, without doing it.
    fn effect(&mut self, sequence: &Sequence, stream: Stream) -> Result<Effect, Error> {
        let (bases, counters) = (self.bases.clone(), std::mem::take(&mut self.counters));
        let submitted = self.submit(&sequence.work, stream);
        let counted = std::mem::replace(&mut self.counters, counters);
        let after = std::mem::replace(&mut self.bases, bases);
        submitted?;
        let moved = after.into_iter().enumerate().filter(|(n, at)| self.bases[*n] != *at);
        Ok(Effect { counted, moved: moved.map(|(n, at)| (BufId(n as u32), at)).collect() })
    }

    fn submit(&mut self, work: &[Work], stream: Stream) -> Result<(), Error> {
        for w in work {
            let start = self.trace.as_ref().map(|_| Instant::now());
            let what = match w {
                Work::Launch { kernel, args } => {
                    self.launch(*kernel, args, stream)?;
                    Traced::Launch(*kernel)
                }
                Work::Copy { from, to } => {
                    let bytes = self.bytes(*to);
                    let (from, to) = (self.bases[from.index()], self.bases[to.index()]);
                    // An argument and the result it is donated to may be one.
                    if from != to && bytes > 0 {
                        self.counters.copies += 1;
                        self.copy(stream, &Rows::whole(from, to, bytes))?;
                    }
                    Traced::Copy(bytes as i64)
                }
                Work::Concatenate { pieces, rows, to } => {
                    self.concatenate(pieces, *rows as usize, *to, stream)?;
                    Traced::Copy(self.bytes(*to) as i64)
                }
                Work::Swap { a, b } => {
                    self.bases.swap(a.index(), b.index());
                    continue;
                }
                Work::Repeat { cond, body, trips } => {
                    self.submit(cond, stream)?;
                    for _ in 0..*trips {
                        self.submit(body, stream)?;
                        self.submit(cond, stream)?;
                    }
                    continue;
                }
            };
            if let Some(start) = start {
                self.exe.device.driver().wait(stream)?;
                self.note(what, start);
            }
        }
        Ok(())
    }

    fn bytes(&self, id: BufId) -> usize {
        self.exe.program.buffers[id.index()].bytes.max(0) as usize
    }

    fn copy(&self, stream: Stream, rows: &Rows) -> Result<(), Error> {
        self.exe.device.driver().copy(stream, rows)
    }

    fn launch(&mut self, kernel: usize, args: &[BufId], stream: Stream) -> Result<(), Error> {
        let Some(code) = self.exe.code_of[kernel] else {
            return Err(Error::Program("a routine is launched on the device".into()));
        };
        let kernel = &self.exe.kernels[code];
        self.counters.launches += 1;
        self.counters.phases += kernel.code.regions;
        let mut words = Vec::with_capacity(args.len() + 2);
        words.push(self.flag);
        words.extend(args.iter().map(|id| self.bases[id.index()]));
        kernel.launch(stream, &mut words, self.scratch)
    }

    /// Each piece is a copy of rows, side by side with the others.
    fn concatenate(
        &mut self,
        pieces: &[(BufId, i64)],
        rows: usize,
        to: BufId,
        stream: Stream,
    ) -> Result<(), Error> {
        let row: usize = pieces.iter().map(|&(_, width)| width as usize).sum();
        if row * rows == 0 {
            return Ok(());
        }
        self.counters.copies += 1;
        let mut to = self.bases[to.index()];
        for &(piece, width) in pieces.iter().filter(|(_, width)| *width > 0) {
            let (from, width) = (self.bases[piece.index()], width as usize);
            self.copy(stream, &Rows { from, to, width, rows, from_pitch: width, to_pitch: row })?;
            to += width as u64;
        }
        Ok(())
    }

    /// Waits for kernels whose loops may have no end, and ends them where a limit says so. The flag is written by another
    /// stream: this one is busy.
    fn watch(&self) -> Result<(), Error> {
        let device = self.exe.device;
        let since = Instant::now();
        while !device.checked(|driver, stream| driver.is_done(stream))? {
            if let Err(over) = self.limits.check() {
                device.checked(|driver, stream| {
                    let other = driver.stream()?;
                    let set = driver.write(other, self.flag, &[1]).and_then(|()| driver.wait(other));
                    driver.end_stream(other);
                    set.and_then(|()| driver.wait(stream))
                })?;
                return Err(over.into());
            }
            match since.elapsed() < BUSY {
                true => std::thread::yield_now(),
                false => std::thread::park_timeout(PERIOD),
            }
        }
        Ok(())
    }
}
