//! The arrays of a running kernel, with bounds, and with a record of who touched what.

use crate::loop_ir::*;

pub struct Memory<'a> {
    kernel: &'a Kernel,
    globals: &'a mut [Vec<u8>],
    locals: Vec<Vec<u8>>,
    /// For each element of a buffer that is written: the last task that did, and who read it in this phase.
    records: Vec<Vec<Record>>,
    phase: u32,
    task: u32,
}

/// Phases and tasks count from 1; 0 is nobody.
#[derive(Clone, Copy, Default)]
struct Record {
    written: (u32, u32),
    read: (u32, u32),
    /// More than one task read it.
    shared: bool,
}

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
        Ok(Memory { kernel, globals: buffers, locals, records, phase: 0, task: 0 })
    }

    pub fn begin_task(&mut self, phase: usize, task: i64) {
        (self.phase, self.task) = (phase as u32 + 1, task as u32 + 1);
        self.locals.iter_mut().for_each(|l| l.fill(POISON));
    }

    /// Reads an element into its words.
    pub fn read(&mut self, buf: Buf, i: i64, into: &mut [u64]) -> Result<(), String> {
        self.check(buf, i)?;
        let (now, size) = ((self.phase, self.task), self.kernel.buf_elem(buf).bytes() as usize);
        let i = i as usize;
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

    pub fn write(&mut self, buf: Buf, i: i64, words: &[u64]) -> Result<(), String> {
        self.check(buf, i)?;
        let (now, size) = ((self.phase, self.task), self.kernel.buf_elem(buf).bytes() as usize);
        let i = i as usize;
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
