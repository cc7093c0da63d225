//! Prints what a launch, a parallel loop, a run and a module cost on this machine. `cargo run --release --example
//! overheads`

use lawson_cpu::{CompileOptions, CustomCalls, Effort, TargetSpec, ThreadPool, compile_and_load};
use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem, Kernel};
use lawson_kernel::program::{BufId, BufferSlot, Place, Program, Step};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let options =
        CompileOptions { target: TargetSpec::host().expect("a supported CPU"), effort: Effort::Full };
    for threads in [1, 2] {
        let pool = Arc::new(ThreadPool::new(threads));
        for tasks in [1, threads as i64, 16] {
            let start = Instant::now();
            let exe = compile_and_load(launches(tasks), &options, None, pool.clone(), &CustomCalls::new())
                .expect("a valid program");
            let compile = start.elapsed();
            let input = [0u8; 8];
            let run = median(|| drop(exe.run(&[&input]).expect("it runs")));
            println!("{threads} threads, {tasks:2} tasks: launch {:?}, compile {compile:?}", run / LAUNCHES);
        }
        let loops = median(|| {
            let mut session = pool.session();
            (0..LAUNCHES).for_each(|_| session.run(threads as i64, &|_, _| {}));
        });
        println!("{threads} threads: empty parallel loop {:?}", loops / LAUNCHES);
    }
    let pool = Arc::new(ThreadPool::new(1));
    let empty = Program {
        kernels: Vec::new(),
        buffers: Vec::new(),
        steps: Vec::new(),
        arena_bytes: 0,
        ..Program::default()
    };
    let exe = compile_and_load(empty, &options, None, pool, &CustomCalls::new()).expect("a valid program");
    println!("empty run {:?}", median(|| drop(exe.run(&[]).expect("it runs"))));
}

const LAUNCHES: u32 = 1000;

/// The median of 50 times.
fn median(mut f: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        f();
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..50).map(time).collect();
    times.sort();
    times[25]
}

/// Many launches of a kernel that does next to nothing.
fn launches(tasks: i64) -> Program {
    let launch = Step::Launch { kernel: 0, args: vec![BufId(0), BufId(1)] };
    let slot = |bytes, place| BufferSlot { bytes, place };
    Program {
        kernels: vec![kernel(tasks).into()],
        buffers: vec![slot(8, Place::Input(0)), slot(8 * tasks, Place::Arena(0))],
        steps: vec![launch; LAUNCHES as usize],
        arena_bytes: (8 * tasks + 63) / 64 * 64,
        ..Program::default()
    }
}

fn kernel(tasks: i64) -> Kernel {
    let mut b = CodeBuilder::new("tiny");
    let x = b.buffer("x", Elem::I64, 1, Access::Read);
    let out = b.buffer("out", Elem::I64, tasks, Access::Write);
    b.phase(tasks, |b, task| {
        let zero = b.i64(0);
        let v = b.load(x, zero, 1, None);
        b.store(out, task, v, None);
    });
    b.finish()
}
