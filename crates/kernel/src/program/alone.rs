//! A kernel as a program of its own, to be run and timed apart from the others.

use super::{BufId, BufferSlot, NamedKernel, Place, Program, Step};
use crate::region::Array;

/// The program that launches a kernel once: its inputs are the arguments, its outputs the results, in their order. `None` for
/// one that is no planned region.
pub fn alone(kernel: NamedKernel) -> Option<Program> {
    let region = &kernel.source()?.region;
    let bytes = |a: &Array| a.elements.saturating_mul(a.dtype.size() as i64);
    let inputs = region.inputs.iter().enumerate();
    let inputs = inputs.map(|(n, a)| BufferSlot { bytes: bytes(a), place: Place::Input(n) });
    let outputs = region.outputs.iter().enumerate();
    let outputs = outputs.map(|(n, a)| BufferSlot { bytes: bytes(a), place: Place::Output(n) });
    let buffers: Vec<BufferSlot> = inputs.chain(outputs).collect();
    let output = |o: u32| BufId(region.inputs.len() as u32 + o);
    // A result that updates an input starts as a copy of it.
    let copies = region.aliases.iter().map(|&(o, i)| Step::Copy { from: BufId(i), to: output(o) });
    let launch = Step::Launch { kernel: 0, args: (0..buffers.len() as u32).map(BufId).collect() };
    let steps = copies.chain([launch]).collect();
    Some(Program { kernels: vec![kernel], buffers, steps, ..Program::default() })
}
