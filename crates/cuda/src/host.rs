//! What a program does on the host: routines and registered functions. Each is a program of the host with one step; what it
//! reads is copied there, and what it makes is copied back.

use crate::error::Error;
use lawson_cpu::{self as cpu, CustomCalls, ThreadPool};
use lawson_kernel::loop_ir::Access;
use lawson_kernel::program::{BufId, BufferSlot, NamedKernel, Place, Program, Step};
use std::sync::Arc;

/// A step of the host.
pub struct HostStep {
    pub code: cpu::Executable,
    /// What it reads, with the bytes of each.
    pub reads: Vec<(BufId, usize)>,
    pub writes: Vec<BufId>,
    /// For traces.
    pub what: cpu::Traced,
}

impl HostStep {
    /// A launch of a routine.
    pub fn routine(
        (kernel, named): (usize, &NamedKernel),
        args: &[BufId],
        pool: &Arc<ThreadPool>,
    ) -> Result<HostStep, Error> {
        let mut b = Builder::default();
        let own: Vec<BufId> = named
            .parameters
            .iter()
            .zip(args)
            .map(|(p, &id)| b.buffer(id, p.len * p.elem.bytes(), p.access == Access::Read))
            .collect();
        let step = Step::Launch { kernel: 0, args: own };
        b.finish(vec![named.clone()], step, (pool, &CustomCalls::new()), cpu::Traced::Launch(kernel))
    }

    /// A call of a registered function.
    pub fn call(
        program: &Program,
        step: &Step,
        pool: &Arc<ThreadPool>,
        calls: &CustomCalls,
    ) -> Result<HostStep, Error> {
        let Step::CustomCall { target, args, results, shape } = step else {
            return Err(Error::Program("a call was expected".into()));
        };
        let mut b = Builder::default();
        let bytes = |id: BufId| program.buffers[id.index()].bytes;
        let args = args.iter().map(|(id, shape)| (b.buffer(*id, bytes(*id), true), shape.clone())).collect();
        let results = results.iter().map(|&id| b.buffer(id, bytes(id), false)).collect();
        let own = Step::CustomCall { target: target.clone(), args, results, shape: shape.clone() };
        b.finish(Vec::new(), own, (pool, calls), cpu::Traced::CustomCall(target.clone()))
    }
}

/// The program of one step.
#[derive(Default)]
struct Builder {
    buffers: Vec<BufferSlot>,
    reads: Vec<(BufId, usize)>,
    writes: Vec<BufId>,
}

impl Builder {
    /// The host's buffer for one of the device's.
    fn buffer(&mut self, id: BufId, bytes: i64, is_read: bool) -> BufId {
        let place = match is_read {
            true => {
                self.reads.push((id, bytes.max(0) as usize));
                Place::Input(self.reads.len() - 1)
            }
            false => {
                self.writes.push(id);
                Place::Output(self.writes.len() - 1)
            }
        };
        self.buffers.push(BufferSlot { bytes, place });
        BufId(self.buffers.len() as u32 - 1)
    }

    fn finish(
        self,
        kernels: Vec<NamedKernel>,
        step: Step,
        (pool, calls): (&Arc<ThreadPool>, &CustomCalls),
        what: cpu::Traced,
    ) -> Result<HostStep, Error> {
        let compiled = cpu::Compiled { code_of: vec![None; kernels.len()], ..cpu::Compiled::default() };
        let program = Program { kernels, buffers: self.buffers, steps: vec![step], ..Program::default() };
        let code = cpu::Executable::load(program, &compiled, pool.clone(), calls)?;
        Ok(HostStep { code, reads: self.reads, writes: self.writes, what })
    }
}
