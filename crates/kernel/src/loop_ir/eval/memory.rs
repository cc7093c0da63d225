//! The arrays of a running kernel, with bounds, and with a record of who touched what.

use crate::loop_ir::*;
use std::collections::VecDeque;

pub struct Memory<'a> {
    kernel: &'a Kernel,
    globals: &'a mut [Vec<u8>],
    locals: Vec<Vec<u8>>,
    /// What is being copied: what is in no group yet, and groups, the oldest first.
    copies: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
    /// The part whose locals hold values.
    part: Option<u32>,
    /// Who touched the elements of locals, then of buffers, where barriers order a phase; how many barriers there were.
    touched: Vec<Vec<Touched>>,
    barriers: u64,
    /// For each element of a buffer that is written: the last task that did, and who read it in this phase.
    records: Vec<Vec<Record>>,
    phase: u32,
    task: u32,
}

/// An element that a lane copies.
struct Copy {
    to: Buf,
    at: i64,
    words: [u64; 4],
    lane: (usize, usize),
}

/// Phases and tasks count from 1; 0 is nobody.
#[derive(Clone, Copy, Default)]
struct Record {
    written: (u32, u32),
    read: (u32, u32),
    /// More than one task read it.
    shared: bool,
}

/// After so many barriers.
#[derive(Clone, Copy, Default)]
struct Touched {
    barriers: u64,
    written: Option<Thread>,
    read: Option<Thread>,
}

/// The number of a thread of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    One(usize),
    /// More than one.
    Several,
}

impl Thread {
    /// Whether another thread may be among those that did something.
    fn meets(self, done: Option<Thread>) -> bool {
        done.is_some_and(|done| done != self || done == Thread::Several)
    }

    fn and(self, other: Option<Thread>) -> Thread {
        if other.is_none_or(|other| other == self) { self } else { Thread::Several }
    }
}

/// Threads of a warp of a graphics processor.
const WARP: usize = crate::target::WARP as usize;

const POISON: u8 = 0xff;

/// The machine looks cells up before it comes here.
const UNRESOLVED: &str = "a cell of a segment table is no array";

impl<'a> Memory<'a> {
    pub fn new(kernel: &'a Kernel, buffers: &'a mut [Vec<u8>]) -> Result<Memory<'a>, String> {
        if buffers.len() != kernel.buffers.len() {
            return Err(format!("{} buffers for {}", buffers.len(), kernel.buffers.len()));
        }
        let mut records = Vec::new();
        for (b, bytes) in kernel.buffers.iter().zip(buffers.iter_mut()) {
            let size = (b.len * b.elem.bytes()) as usize;
            match b.access {
                Access::Read | Access::ReadWrite if b.len > 0 && bytes.len() != size => {
                    return Err(format!("{} has {} bytes, not {size}", b.name, bytes.len()));
                }
                Access::Read | Access::ReadWrite => {}
                Access::Write | Access::Scratch => *bytes = vec![POISON; size],
            }
            let len = if b.access == Access::Read { 0 } else { b.len as usize };
            records.push(vec![Record::default(); len]);
        }
        let locals = kernel.locals.iter().map(|l| vec![POISON; (l.len * l.elem.bytes()) as usize]).collect();
        let ordered = kernel.phases.iter().any(|p| p.by_barriers);
        let lengths = kernel.locals.iter().map(|l| l.len as usize).chain(records.iter().map(Vec::len));
        let touched = lengths.map(|n| vec![Touched::default(); if ordered { n } else { 0 }]).collect();
        Ok(Memory {
            kernel,
            globals: buffers,
            locals,
            copies: Vec::new(),
            groups: VecDeque::new(),
            part: None,
            touched,
            barriers: 0,
            records,
            phase: 0,
            task: 0,
        })
    }

    pub fn begin_task(&mut self, phase: usize, task: i64) {
        (self.phase, self.task) = (phase as u32 + 1, task as u32 + 1);
        self.locals.iter_mut().for_each(|l| l.fill(POISON));
        self.copies.clear();
        self.groups.clear();
        self.part = None;
        self.barrier();
    }

    /// Ends what the locals of other parts hold: they may share memory.
    fn enter_part(&mut self, local: usize) {
        let part = self.kernel.locals[local].part;
        if part.is_none() || part == self.part {
            return;
        }
        self.part = part;
        for (bytes, l) in self.locals.iter_mut().zip(&self.kernel.locals) {
            if l.part.is_some() && l.part != part {
                bytes.fill(POISON);
            }
        }
    }

    /// All threads of the task are here.
    pub fn barrier(&mut self) {
        self.barriers += 1;
    }

    /// Notes that a lane of so many is read or written. What is narrower than the threads of the task every warp has for itself,
    /// and the first one stores it.
    fn touch(
        &mut self,
        buf: Buf,
        i: usize,
        (lane, lanes): (usize, usize),
        writes: bool,
    ) -> Result<(), String> {
        let phase = &self.kernel.phases[self.phase as usize - 1];
        let array = match buf {
            Buf::Local(n) => n as usize,
            Buf::Global(n) => self.kernel.locals.len() + n as usize,
            Buf::Cell { .. } => return Ok(()),
        };
        let Some(touched) = self.touched[array].get_mut(i).filter(|_| phase.by_barriers) else {
            return Ok(());
        };
        if touched.barriers != self.barriers {
            *touched = Touched { barriers: self.barriers, ..Touched::default() };
        }
        let threads = phase.warps as usize * WARP;
        let thread = match lanes {
            _ if lanes >= threads => Thread::One(lane / (lanes / threads)),
            _ if !writes => Thread::Several,
            _ => Thread::One(lane / lanes.div_ceil(WARP)),
        };
        if thread.meets(touched.written) || writes && thread.meets(touched.read) {
            let does = if writes { "writes" } else { "reads" };
            return Err(format!("{does} element {i} that another thread uses, and no barrier is between"));
        }
        match writes {
            true => touched.written = Some(thread),
            false => touched.read = Some(thread.and(touched.read)),
        }
        Ok(())
    }

    /// Reads an element into the words of a lane.
    pub fn read(&mut self, buf: Buf, i: i64, into: &mut [u64], lane: (usize, usize)) -> Result<(), String> {
        self.check(buf, i)?;
        let (now, size) = ((self.phase, self.task), self.kernel.buf_elem(buf).bytes() as usize);
        let i = i as usize;
        self.touch(buf, i, lane, false)?;
        let bytes = match buf {
            Buf::Global(n) => {
                if let Some(r) = self.records[n as usize].get_mut(i) {
                    if r.written.0 == now.0 && r.written != now {
                        return Err(format!(
                            "reads element {i} that task {} of the phase writes",
                            r.written.1 - 1
                        ));
                    }
                    r.shared = r.read.0 == now.0 && (r.shared || r.read != now);
                    r.read = now;
                }
                &self.globals[n as usize]
            }
            Buf::Local(n) => &self.locals[n as usize],
            Buf::Cell { .. } => return Err(UNRESOLVED.to_string()),
        };
        for (into, bytes) in into.iter_mut().zip(bytes[i * size..][..size].chunks(8)) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            *into = u64::from_le_bytes(word);
        }
        Ok(())
    }

    /// Writes the words of a lane to an element.
    pub fn write(&mut self, buf: Buf, i: i64, words: &[u64], lane: (usize, usize)) -> Result<(), String> {
        self.check(buf, i)?;
        let (now, size) = ((self.phase, self.task), self.kernel.buf_elem(buf).bytes() as usize);
        let i = i as usize;
        self.touch(buf, i, lane, true)?;
        if let Buf::Local(n) = buf {
            self.enter_part(n as usize);
        }
        let mut element = [0; 32];
        element.chunks_exact_mut(8).zip(words).for_each(|(e, w)| e.copy_from_slice(&w.to_le_bytes()));
        let bytes = match buf {
            Buf::Global(n) => {
                let r = &mut self.records[n as usize][i];
                let other = |who: (u32, u32)| who.0 == now.0 && who != now;
                let same = self.globals[n as usize][i * size..][..size] == element[..size];
                let clash = (other(r.written) && !same) || other(r.read) || (r.shared && r.read.0 == now.0);
                if clash {
                    return Err(format!("writes element {i} that another task of the phase uses"));
                }
                r.written = now;
                &mut self.globals[n as usize]
            }
            Buf::Local(n) => &mut self.locals[n as usize],
            Buf::Cell { .. } => return Err(UNRESOLVED.to_string()),
        };
        bytes[i * size..][..size].copy_from_slice(&element[..size]);
        Ok(())
    }

    /// Begins to copy an element, or a zero: until the lane waits for it, nothing is there.
    pub fn copy_async(
        &mut self,
        (to, at): (Buf, i64),
        from: Option<(Buf, i64)>,
        lane: (usize, usize),
    ) -> Result<(), String> {
        let mut words = [0; 4];
        if let Some((from, i)) = from {
            self.read(from, i, &mut words, lane)?;
        }
        self.write(to, at, &[u64::MAX; 4], lane)?;
        self.copies.push(Copy { to, at, words, lane });
        Ok(())
    }

    pub fn group_copies(&mut self) {
        self.groups.push_back(std::mem::take(&mut self.copies));
    }

    /// All copies are there; with `but`, those of all groups but so many of the last ones.
    pub fn await_copies(&mut self, but: Option<u32>) -> Result<(), String> {
        let done = self.groups.len().saturating_sub(but.unwrap_or(0) as usize);
        let mut copies: Vec<Copy> = self.groups.drain(..done).flatten().collect();
        if but.is_none() {
            copies.append(&mut self.copies);
        }
        copies.into_iter().try_for_each(|c| self.write(c.to, c.at, &c.words, c.lane))
    }

    fn check(&self, buf: Buf, i: i64) -> Result<(), String> {
        let len = match buf {
            Buf::Global(n) => self.kernel.buffers[n as usize].len,
            Buf::Local(n) => self.kernel.locals[n as usize].len,
            Buf::Cell { .. } => return Err(UNRESOLVED.to_string()),
        };
        if (0..len).contains(&i) { Ok(()) } else { Err(format!("element {i} of {len}")) }
    }

    /// Every element of every output has been written.
    pub fn all_outputs_written(&self) -> Result<(), String> {
        for (b, records) in self.kernel.buffers.iter().zip(&self.records) {
            let missing = records.iter().position(|r| r.written == (0, 0));
            if let (Access::Write, Some(i)) = (b.access, missing) {
                return Err(format!("element {i} of output {} is never written", b.name));
            }
        }
        Ok(())
    }
}
