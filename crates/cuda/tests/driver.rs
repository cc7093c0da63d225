//! The calls of NVIDIA's driver, executed against a library that has its interface and an emulated device behind it
//! (`fake_driver`). Each case is a process of its own, which finds that library where it looks for the driver's.

use lawson_cpu::{CompileOptions, CustomCalls, Effort, Limits, TargetSpec, ThreadPool};
use lawson_cuda::{Argument, Buffer, Compiled, Device, Error, Executable, compile, list};
use lawson_kernel::loop_ir::{Access, Bin, CodeBuilder, Elem, Kernel, Op, Type};
use lawson_kernel::program::{BufId, BufferSlot, NamedKernel, Place, Program, Step};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const N: i64 = 4096;
const BYTES: i64 = 4 * N;

/// Doubles what it reads, so many tasks of 32 elements.
fn double(name: &str, tasks: i64) -> Kernel {
    let mut b = CodeBuilder::new(name);
    let x = b.buffer("x", Elem::F32, N, Access::Read);
    let out = b.buffer("out", Elem::F32, N, Access::Write);
    b.phase(tasks, |b, task| {
        let lanes = b.i64(32);
        let at = b.mul(task, lanes);
        let v = b.load(x, at, 32, None);
        let sum = b.bin(Bin::FAdd, v, v);
        b.store(out, at, sum, None);
    });
    b.finish()
}

/// The same through an array in shared memory that is larger than blocks have without asking.
fn double_through_shared() -> Kernel {
    const THREADS: u32 = 256;
    let mut b = CodeBuilder::new("shared");
    let x = b.buffer("x", Elem::F32, N, Access::Read);
    let out = b.buffer("out", Elem::F32, N, Access::Write);
    let own = b.local("own", Elem::F32, 4 * N);
    let each = 4 * i64::from(THREADS);
    b.phase(N / each, |b, task| {
        let thread = b.op(Op::Iota(Type::vector(Elem::I64, THREADS)));
        let many = |b: &mut CodeBuilder, n: i64| {
            let n = b.i64(n);
            b.widen_to(n, THREADS)
        };
        let (four, size) = (many(b, 4), b.i64(each));
        let within = b.mul(thread, four);
        let skipped = b.mul(task, size);
        let skipped = b.widen_to(skipped, THREADS);
        let (from, last) = (b.add(within, skipped), many(b, 4 * N - each));
        let to = b.add(within, last);
        b.copy_async((own, to), (x, from), None);
        b.await_copies(None);
        for n in 0..4 {
            let n = many(b, n);
            let (place, at) = (b.add(to, n), b.add(from, n));
            let v = b.load(own, place, THREADS, None);
            let sum = b.bin(Bin::FAdd, v, v);
            b.store(out, at, sum, None);
        }
    });
    b.share_tasks(THREADS / 32);
    b.order_by_barriers();
    b.finish()
}

/// The doubled argument, in rows of two copies side by side.
fn program(doubles: Kernel) -> Program {
    let slot = |bytes, place| BufferSlot { bytes, place };
    let [x, t, u, out] = [0, 1, 2, 3].map(BufId);
    Program {
        kernels: vec![NamedKernel::from(doubles)],
        buffers: vec![
            slot(BYTES, Place::Input(0)),
            slot(BYTES, Place::Arena(0)),
            slot(BYTES, Place::Arena(BYTES)),
            slot(2 * BYTES, Place::Output(0)),
        ],
        steps: vec![
            Step::Launch { kernel: 0, args: vec![x, t] },
            Step::Copy { from: t, to: u },
            Step::Concatenate { pieces: vec![(t, BYTES / 4), (u, BYTES / 4)], rows: 4, to: out },
        ],
        arena_bytes: 2 * BYTES,
        ..Program::default()
    }
}

fn made(tasks: i64) -> (Program, Compiled, Arc<ThreadPool>) {
    made_of(double("add.1", tasks))
}

fn made_of(doubles: Kernel) -> (Program, Compiled, Arc<ThreadPool>) {
    let (program, pool) = (program(doubles), Arc::new(ThreadPool::new(1)));
    let target = TargetSpec::named("sm_90").expect("a processor");
    let options = CompileOptions { target, effort: Effort::Full };
    let compiled = compile(&program, &options, None, &pool).expect("it is code");
    (program, compiled, pool)
}

fn run(executable: &Executable, x: &Buffer) -> Result<Vec<f32>, Error> {
    let outcome = executable.run_with([Argument::Borrowed(x)], &Limits::default())?;
    let mut bytes = vec![0; outcome.outputs[0].len()];
    outcome.outputs[0].read(&mut bytes)?;
    Ok(bytes.chunks(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

fn elements() -> Vec<u8> {
    (0..N).flat_map(|i| (i as f32).to_le_bytes()).collect()
}

/// What the child of a case does; nothing where this is no child.
#[test]
fn child() {
    let Ok(case) = std::env::var("FAKE_DRIVER") else { return };
    match &*case {
        "old" | "no-device" | "none" => {
            println!("{}", list().expect_err("it does not work"));
            println!("{}", Device::open(0).expect_err("it does not work"));
        }
        "tidy" | "no-pools" => works(),
        "lost" => {
            let (device, executable) = loaded(N / 32);
            let x = Buffer::from_slice(&device, &elements()).expect("a buffer");
            for _ in 0..2 {
                run(&executable, &x).expect("it is there");
            }
            println!("{}", run(&executable, &x).expect_err("it is lost"));
            println!("{}", Buffer::new(&device, 8).expect_err("it stays lost"));
        }
        "wild" => {
            let (device, executable) = loaded(N / 32 + 1);
            let x = Buffer::from_slice(&device, &elements()).expect("a buffer");
            let fault = run(&executable, &x).expect_err("it reads what is not there");
            assert!(matches!(fault, Error::Fault { .. }), "{fault}");
            println!("{fault}");
        }
        other => panic!("no case {other}"),
    }
}

fn loaded(tasks: i64) -> (Device, Executable) {
    let device = Device::open(0).expect("a device");
    let (program, compiled, pool) = made(tasks);
    let executable = Executable::load(program, compiled, &device, &pool, &CustomCalls::new());
    (device, executable.expect("it is loaded"))
}

fn works() {
    let all = list().expect("a device");
    println!("{} {:?} {}", all[0].name, all[0].capability, lawson_cuda::version(all[0].driver));
    println!("{}", Device::open(1).expect_err("there is one"));
    let (device, executable) = loaded(N / 32);
    assert!(device.is(&Device::open(0).expect("the same")));
    let x = Buffer::from_slice(&device, &elements()).expect("a buffer");
    let row = |r: i64| (r * N / 4..(r + 1) * N / 4).map(|i| 2.0 * i as f32).collect::<Vec<_>>();
    let expected: Vec<f32> = (0..4).flat_map(|r| [row(r), row(r)].concat()).collect();
    for trip in 0..4 {
        assert_eq!(run(&executable, &x).expect("it runs"), expected, "trip {trip}");
    }
    let traced = executable.run_traced(&[&x], &Limits::default()).expect("it runs");
    assert_eq!(traced.1.len(), 3);
    assert_eq!(
        executable.run_with([Argument::Donated(x)], &Limits::default()).expect("runs").counters.graphs,
        0
    );
    let (program, compiled, pool) = made_of(double_through_shared());
    assert_eq!(compiled.kernels[0].phases[0].blocks.asked(), 16 * N);
    let through_shared =
        Executable::load(program, compiled, &device, &pool, &CustomCalls::new()).expect("code");
    let x = Buffer::from_slice(&device, &elements()).expect("a buffer");
    for trip in 0..3 {
        assert_eq!(run(&through_shared, &x).expect("it runs"), expected, "trip {trip}");
    }
    drop((through_shared, x));
    // Through pinned memory, piece by piece.
    let long: Vec<u8> = (0..6_500_000u32).map(|i| (i / 7) as u8).collect();
    let there = Buffer::from_slice(&device, &long).expect("a buffer");
    let mut back = vec![0; long.len()];
    there.read(&mut back).expect("it is there");
    assert!(back == long, "what comes back is what went there");
    let full = Buffer::new(&device, 1 << 30).expect_err("there is less");
    assert!(matches!(full, Error::OutOfMemory { used, .. } if used > 6_500_000), "{full}");
    let (program, mut compiled, pool) = made(N / 32);
    compiled.kernels[0].ptx = "no code".into();
    let broken =
        Executable::load(program, compiled, &device, &pool, &CustomCalls::new()).expect("not read yet");
    let x = Buffer::from_slice(&device, &elements()).expect("a buffer");
    println!("{}", run(&broken, &x).expect_err("it is no code"));
    // On a stream of the caller's, which is not ended with the device; in memory of the caller's.
    // SAFETY: the stream is that of a device that lives longer.
    let guest = unsafe { Device::on_stream(0, device.stream()) }.expect("a device");
    assert!(!guest.is(&device) && guest.stream() == device.stream());
    let (program, compiled, pool) = made(N / 32);
    let on_guest = Executable::load(program, compiled, &guest, &pool, &CustomCalls::new()).expect("code");
    let owned = Arc::new(Buffer::from_slice(&device, &elements()).expect("a buffer"));
    // SAFETY: the owner keeps the memory.
    let lent = unsafe { Buffer::foreign(&guest, owned.address(), BYTES as usize, Box::new(owned.clone())) };
    let lent = lent.expect("a buffer");
    for trip in 0..4 {
        assert_eq!(run(&on_guest, &lent).expect("it runs"), expected, "trip {trip}");
    }
    assert_eq!(Arc::strong_count(&owned), 2);
    drop((lent, on_guest, guest));
    assert_eq!(Arc::strong_count(&owned), 1);
    assert_eq!(run(&executable, &owned).expect("its stream is there"), expected);
    drop((there, x, broken, executable, owned));
    drop(device);
    println!("done");
}

/// What a child prints.
fn case(name: &str) -> String {
    let tests = std::env::current_exe().expect("this test");
    let library = tests.with_file_name("../examples/libfake_driver.so");
    let folder = std::env::temp_dir().join(format!("lawson-driver-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let place: PathBuf = folder.join("libcuda.so");
    if name != "none" {
        link(&library, &place);
    }
    let child = Command::new(&tests)
        .args(["--exact", "child", "--nocapture"])
        .env("LD_LIBRARY_PATH", &folder)
        .env("FAKE_DRIVER", name)
        .output()
        .expect("it starts");
    std::fs::remove_dir_all(&folder).expect("it was made");
    let text = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{name}: {text}\n{}", String::from_utf8_lossy(&child.stderr));
    text
}

fn link(library: &Path, place: &Path) {
    assert!(library.is_file(), "no {}: `cargo test` without a filter builds it", library.display());
    std::os::unix::fs::symlink(library, place).expect("a link");
}

#[test]
fn programs_run_and_nothing_is_left_behind() {
    let text = case("tidy");
    for part in [
        "fake device (9, 0) 12.8",
        "there is no device cuda:1: 1 found",
        "the driver does not take the code of kernel add.1: CUDA_ERROR_INVALID_PTX: as the fake driver has it\nptxas: it cannot",
        "left [0, 0, 0, 0, 0, 0], 0 bytes",
        "done",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(case("no-pools").contains("done"));
}

#[test]
fn what_is_missing_is_told() {
    let told = |name: &str, parts: [&str; 2]| {
        let text = case(name);
        for part in parts {
            assert_eq!(text.matches(part).count(), 2, "{part:?} is not in\n{text}");
        }
    };
    told("old", ["it is for CUDA 11.4, and Lawson needs 11.8 or newer", "install a newer driver"]);
    told("no-device", ["finds no device (CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES"]);
    if !Path::new("/dev/nvidiactl").exists() {
        told("none", ["libcuda.so.1 was not found", "install the driver"]);
    }
}

#[test]
fn a_device_that_fails_stays_lost() {
    let text = case("lost");
    assert_eq!(text.matches("the device is lost (CUDA_ERROR_UNKNOWN").count(), 2, "{text}");
    assert!(case("wild").contains("CUDA_ERROR_ILLEGAL_ADDRESS"));
}
