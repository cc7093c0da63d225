//! Kernels as programs of one launch.

use lawson_cpu::{CompileOptions, CustomCalls, ThreadPool, compile_and_load};
use lawson_kernel::loop_ir::{Access, Buffer, Kernel};
use lawson_kernel::program::{BufId, BufferSlot, Place, Program, Step};
use std::sync::Arc;

/// The outputs of compiled code, on two threads.
pub fn run_kernel(kernel: Kernel, options: &CompileOptions, inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let slot = |(i, b): (usize, &Buffer)| BufferSlot {
        bytes: b.len * b.elem.bytes(),
        place: if i < inputs.len() { Place::Input(i) } else { Place::Output(i - inputs.len()) },
    };
    let passed: Vec<&Buffer> = kernel.buffers.iter().filter(|b| b.access != Access::Scratch).collect();
    let program = Program {
        buffers: passed.iter().copied().enumerate().map(slot).collect(),
        steps: vec![Step::Launch { kernel: 0, args: (0..passed.len() as u32).map(BufId).collect() }],
        kernels: vec![kernel.into()],
        arena_bytes: 0,
        ..Program::default()
    };
    let exe =
        compile_and_load(program, options, None, Arc::new(ThreadPool::new(2)), &CustomCalls::new()).unwrap();
    let bytes: Vec<&[u8]> = inputs.iter().map(|v| &v[..]).collect();
    exe.run(&bytes).unwrap().outputs.iter().map(|b| b.to_vec()).collect()
}
