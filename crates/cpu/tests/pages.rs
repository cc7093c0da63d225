//! Memory is reused: after the first run no page is touched for the first time. Alone in its process, because the pool
//! of blocks is shared.
#![cfg(target_os = "linux")]

use lawson_cpu::{CompileOptions, CustomCalls, Effort, TargetSpec, ThreadPool, compile_and_load, memory};
use lawson_kernel::program::{BufId, BufferSlot, Place, Program, Step};
use std::sync::Arc;

#[test]
fn steady_runs_touch_no_fresh_pages() {
    const BYTES: i64 = 16 << 20;
    let slot = |place| BufferSlot { bytes: BYTES, place };
    let program = Program {
        kernels: vec![],
        buffers: vec![slot(Place::Input(0)), slot(Place::Arena(0)), slot(Place::Output(0))],
        steps: vec![Step::Copy { from: BufId(0), to: BufId(1) }, Step::Copy { from: BufId(1), to: BufId(2) }],
        arena_bytes: BYTES,
        ..Program::default()
    };
    let options = CompileOptions { target: TargetSpec::host().unwrap(), effort: Effort::Fast };
    let exe =
        compile_and_load(program, &options, None, Arc::new(ThreadPool::new(1)), &CustomCalls::new()).unwrap();
    let input = vec![1u8; BYTES as usize];
    // The input is not aligned to 64 bytes as a rule, so three blocks are in use at once.
    let run = || drop(exe.run(&[&input]).unwrap());
    run();
    let peak = memory::stats().peak;
    let before = faults();
    (0..10).for_each(|_| run());
    let fresh = faults() - before;
    assert!(fresh < 10, "{fresh} page faults");
    assert_eq!(memory::stats().peak, peak);
    memory::trim();
    assert_eq!((memory::stats().used, memory::stats().kept), (0, 0));
}

/// Page faults of this thread so far: the tenth field, the eighth behind the command's name in brackets.
fn faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    fields.split(' ').nth(7).unwrap().parse().unwrap()
}
