//! What happens between a program and a device, on one that is emulated: where arrays are, what crosses, what is an error.

use lawson::hlo::{ArrayShape, DType, Module};
use lawson::options::Numerics;
use lawson::{Buffer, Client, Device, Error, ErrorCode, Executable, Options, RunOptions, Transfers, load};
use lawson_cuda as cuda;
use lawson_cuda::driver::emulated::{Emulated, Options as Emulation};
use std::sync::Arc;
use std::time::Duration;

const DOUBLE: &str =
    "HloModule m\nENTRY e {\n  x = f32[4096] parameter(0)\n  ROOT y = f32[4096] add(x, x)\n}\n";

fn client(options: Emulation) -> (Client, Arc<Emulated>) {
    let (device, driver) = cuda::Device::emulated(options).expect("a device");
    (Client::of_device(device), driver)
}

fn module(text: &str) -> Module {
    load::text_of("m".into(), text.into()).expect("well formed").module
}

fn compiled(client: &Client, text: &str, options: &Options) -> Executable {
    client.compile(&module(text), options).unwrap_or_else(|e| panic!("{e}"))
}

fn ones(client: &Client, n: usize) -> Result<Buffer, Error> {
    client.buffer(&vec![1f32; n], &[n as i64])
}

fn transfers(e: &Executable, arguments: &[&Buffer]) -> Transfers {
    let outcome = e.run_with(arguments.iter().copied(), &RunOptions::default()).expect("runs");
    outcome.counters.transfers.expect("a device counts them")
}

#[test]
fn arrays_stay_on_the_device_until_somebody_asks() {
    let (client, driver) = client(Emulation::default());
    let double = compiled(&client, DOUBLE, &Options::default());
    let x = ones(&client, 4096).expect("a buffer");
    let before = driver.tally();
    let mut y = double.run([&x]).expect("runs").remove(0);
    for _ in 0..5 {
        y = double.run([&y]).expect("runs").remove(0);
    }
    assert_eq!((driver.tally().uploads, driver.tally().downloads), (before.uploads, before.downloads));
    assert_eq!((y.device(), y.to_vec::<f32>().expect("floats")[4095]), (Device::CudaEmulated, 64.0));
    assert_eq!(y.as_slice::<f32>().expect("floats")[0], 64.0);
    assert_eq!(driver.tally().downloads, before.downloads + 1, "copied once");
    // What is written is copied anew.
    y.copy_from_slice(&[3f32; 4096]).expect("nobody holds it");
    assert_eq!(y.to_vec::<f32>().expect("floats")[7], 3.0);
    double.run_into([&x], std::slice::from_mut(&mut y), &RunOptions::default()).expect("runs");
    assert_eq!(y.to_vec::<f32>().expect("floats")[7], 2.0);
}

#[test]
fn donated_memory_is_that_of_the_result() {
    let (device, _) = cuda::Device::emulated(Emulation::default()).expect("a device");
    let client = Client::of_device(device.clone());
    let text = DOUBLE.replace("HloModule m", "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }");
    let double = compiled(&client, &text, &Options::default());
    let mut x = ones(&client, 4096).expect("a buffer");
    let (used, fresh) = (device.pool().used, device.pool().fresh);
    for _ in 0..3 {
        x = double.run([x]).expect("runs").remove(0);
    }
    assert_eq!((device.pool().used, device.pool().fresh), (used, fresh));
    assert_eq!(x.to_vec::<f32>().expect("floats")[1], 8.0);
}

#[test]
fn what_the_host_computes_is_copied_and_counted() {
    let (client, _) = client(Emulation::default());
    let client = client.with_custom_call("twice", |operands, results| {
        let from = operands[0].as_slice::<f32>()?;
        results[0].as_mut_slice::<f32>()?.iter_mut().zip(from).for_each(|(to, x)| *to = 2.0 * x);
        Ok(())
    });
    let text = "HloModule m\nENTRY e {\n  x = f32[8] parameter(0)\n  a = f32[8] add(x, x)\n  \
                c = f32[8] custom-call(a), custom_call_target=\"twice\"\n  ROOT d = f32[8] multiply(c, x)\n}\n";
    let e = compiled(&client, text, &Options::default());
    let x = ones(&client, 8).expect("a buffer");
    let found = transfers(&e, &[&x]);
    let expected =
        Transfers { host_steps: 1, uploads: 1, upload_bytes: 32, downloads: 1, download_bytes: 32 };
    assert_eq!(found, expected);
    assert_eq!(e.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats"), [4.0; 8]);
    let program = &e.native().expect("a plan").planned.scheduled.program;
    let told = cuda::crossing(program);
    assert_eq!((told.host_steps, told.uploads, told.download_bytes), (vec!["twice".to_string()], 1, 32));
    // A routine, in each mode: of a matrix that is too large for operations on its elements.
    let text = "HloModule m\nENTRY e {\n  x = f32[5,5] parameter(0)\n  ROOT l = f32[5,5] cholesky(x), lower=true\n}\n";
    let matrix = |corner: [f32; 4]| -> Vec<f32> {
        let mut a: Vec<f32> = (0..25).map(|at| f32::from(u8::from(at % 6 == 0))).collect();
        [0, 1, 5, 6].into_iter().zip(corner).for_each(|(at, x)| a[at] = x);
        a
    };
    for numerics in [Numerics::Strict, Numerics::Fast] {
        let e = compiled(&client, text, &Options { numerics, ..Options::default() });
        let x = client.buffer(&matrix([4.0, 2.0, 2.0, 2.0]), &[5, 5]).expect("a buffer");
        assert_eq!(transfers(&e, &[&x]).host_steps, 1);
        let factor = matrix([2.0, 0.0, 1.0, 1.0]);
        assert_eq!(e.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats"), factor);
    }
}

/// Doubles until the sum is large: the trips are not known.
const UNTIL: &str = "HloModule m
add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b) }
c { s = (f32[256]) parameter(0)\n  x = f32[256] get-tuple-element(s), index=0\n  z = f32[] constant(0)
  sum = f32[] reduce(x, z), dimensions={0}, to_apply=add\n  m = f32[] constant(5000)\n  ROOT p = pred[] compare(sum, m), direction=LT }
b { s = (f32[256]) parameter(0)\n  x = f32[256] get-tuple-element(s), index=0\n  y = f32[256] add(x, x)\n  ROOT t = (f32[256]) tuple(y) }
ENTRY e { x = f32[256] parameter(0)\n  t = (f32[256]) tuple(x)\n  w = (f32[256]) while(t), condition=c, body=b
  ROOT r = f32[256] get-tuple-element(w), index=0 }
";

#[test]
fn the_host_reads_conditions_and_nothing_else() {
    let (client, _) = client(Emulation::default());
    // 256 · 2^n is 5,000 or more from n = 5 on.
    let e = compiled(
        &client,
        UNTIL,
        &Options { fusion: "no-loop".parse().expect("a mode"), ..Options::default() },
    );
    let x = ones(&client, 256).expect("a buffer");
    let found = transfers(&e, &[&x]);
    let expected = Transfers { downloads: 6, download_bytes: 6, ..Transfers::default() };
    assert_eq!(found, expected);
    assert_eq!(e.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats")[255], 32.0);
    let text = "HloModule m
l { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT p = pred[] compare(a, b), direction=LT }
t { x = f32[64] parameter(0)\n  n = f32[64] negate(x)\n  ROOT y = f32[64] sort(n), dimensions={0}, to_apply=l }
f { x = f32[64] parameter(0)\n  e = f32[64] exponential(x)\n  ROOT y = f32[64] sort(e), dimensions={0}, to_apply=l }
ENTRY e { p = pred[] parameter(0)\n  x = f32[64] parameter(1)\n  ROOT r = f32[64] conditional(p, x, x), true_computation=t, false_computation=f }
";
    let (client, driver) = self::client(Emulation::default());
    let fusion = "off".parse().expect("a mode");
    let e = compiled(&client, text, &Options { fusion, ..Options::default() });
    let x = ones(&client, 64).expect("a buffer");
    let yes = client.buffer_from_bytes(&ArrayShape::new(DType::Pred, []), &[1]).expect("a buffer");
    assert_eq!(driver.tally().modules, 0, "nothing is loaded before it runs");
    let t = transfers(&e, &[&yes, &x]);
    assert_eq!((t.downloads, t.download_bytes), (1, 1));
    let codes = e.codes().0;
    assert!(driver.tally().modules < codes, "the branch that was not taken is not loaded: {codes} codes");
    assert_eq!(e.run([&yes, &x]).expect("runs")[0].to_vec::<f32>().expect("floats")[3], -1.0);
}

#[test]
fn runs_that_go_on_for_long_end_in_time() {
    let (client, _) = client(Emulation::default());
    let endless = UNTIL.replace("constant(5000)", "constant(inf)").replace("add(x, x)", "multiply(x, x)");
    let e = compiled(
        &client,
        &endless,
        &Options { fusion: "no-loop".parse().expect("a mode"), ..Options::default() },
    );
    let x = ones(&client, 256).expect("a buffer");
    let soon = RunOptions { time_limit: Some(Duration::from_millis(20)), ..RunOptions::default() };
    assert_eq!(e.run_with([&x], &soon).expect_err("it never ends").code, ErrorCode::TimedOut);
    let cancelled = RunOptions::default();
    let pending = e.start([&x], &cancelled).expect("it starts");
    pending.cancel();
    assert_eq!(pending.wait().expect_err("it was cancelled").code, ErrorCode::Cancelled);
    let little = RunOptions { memory_limit: Some(8), ..RunOptions::default() };
    let refused = e.run_with([&x], &little).expect_err("its result has more");
    assert!(refused.code == ErrorCode::Limit && refused.message.contains("device memory"), "{refused}");
}

#[test]
fn a_kernel_without_an_end_is_ended() {
    // One kernel with a loop whose trips nobody counts: none for a negative number, else all of them.
    let text = "HloModule m
c { p = (s32[], f32[64]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  z = s32[] constant(0)
  ROOT r = pred[] compare(i, z), direction=GE }
b { p = (s32[], f32[64]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  x = f32[64] get-tuple-element(p), index=1
  y = f32[64] sine(x)\n  ROOT t = (s32[], f32[64]) tuple(i, y) }
ENTRY e { i = s32[] parameter(0)\n  x = f32[64] parameter(1)\n  a = (s32[], f32[64]) tuple(i, x)
  w = (s32[], f32[64]) while(a), condition=c, body=b\n  ROOT r = f32[64] get-tuple-element(w), index=1 }
";
    let start = |client: &Client| {
        let e = compiled(client, text, &Options::default());
        assert_eq!(e.cost_analysis().kernels, Some(1));
        let arguments = [client.buffer(&[-1i32], &[]), ones(client, 64)].map(|b| b.expect("a buffer"));
        e.start(&arguments, &RunOptions::default()).expect("it starts")
    };
    // A device that is done with it only when the flag is set.
    let (client, driver) = client(Emulation { endless: true, ..Emulation::default() });
    let pending = start(&client);
    while driver.tally().polls < 3 && !pending.is_done() {
        std::thread::yield_now();
    }
    pending.cancel();
    assert_eq!(pending.wait().map(|_| ()).expect_err("it was cancelled").code, ErrorCode::Cancelled);
    assert!(driver.tally().polls >= 3, "the host asked whether it was done");
    let (client, _) = self::client(Emulation::default());
    let outputs = start(&client).wait().expect("no trip").outputs;
    assert_eq!(outputs[0].to_vec::<f32>().expect("floats"), [1.0; 64]);
}

#[test]
fn out_of_memory_is_an_error_and_what_was_kept_makes_room() {
    let (client, _) = client(Emulation { memory_bytes: 1 << 20, ..Emulation::default() });
    let double = compiled(&client, DOUBLE, &Options::default());
    let mut held = Vec::new();
    let full = loop {
        match ones(&client, 4096) {
            Ok(buffer) => held.push(buffer),
            Err(e) => break e,
        }
    };
    assert!(
        full.code == ErrorCode::Limit && full.message.starts_with("out of device memory: 16384"),
        "{full}"
    );
    assert_eq!(double.run([&held[0]]).expect_err("there is no room for the result").code, ErrorCode::Limit);
    held.truncate(16);
    // Kept blocks are of another size: they go.
    let large = ones(&client, 100_000).expect("there is room now");
    assert_eq!(large.to_vec::<f32>().expect("floats")[99_999], 1.0);
    drop(large);
    assert_eq!(double.run([&held[0]]).expect("runs")[0].to_vec::<f32>().expect("floats")[0], 2.0);
}

#[test]
fn a_lost_device_is_an_error_and_the_process_goes_on() {
    let (client, _) = client(Emulation { lost_after: Some(2), ..Emulation::default() });
    let double = compiled(&client, DOUBLE, &Options::default());
    let x = ones(&client, 4096).expect("a buffer");
    let y = double.run([&x]).expect("runs").remove(0);
    double.run([&x]).expect("runs");
    let lost = double.run([&x]).expect_err("it is lost");
    assert!(lost.code == ErrorCode::Device && lost.message.contains("make a new client"), "{lost}");
    // All that uses it says so.
    for found in
        [double.run([&x]).map(|_| ()), y.host().map(|_| ()), ones(&client, 4096).map(|_| ()), y.wait()]
    {
        let e = found.expect_err("it is lost");
        assert!(e.code == ErrorCode::Device && e.message.contains("lost"), "{e}");
    }
    drop((x, y, double, client));
    let (again, _) = self::client(Emulation::default());
    for client in [again, Client::cpu()] {
        let double = compiled(&client, DOUBLE, &Options::default());
        let x = ones(&client, 4096).expect("a buffer");
        assert_eq!(double.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats")[0], 2.0);
    }
}

#[test]
fn code_is_for_the_device() {
    let (client, _) = client(Emulation { capability: (7, 5), ..Emulation::default() });
    let double = compiled(&client, DOUBLE, &Options::default());
    let x = ones(&client, 4096).expect("a buffer");
    assert_eq!(double.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats")[0], 2.0);
    assert_eq!(client.options_for(&Options::default()).expect("a target").target, Some("sm_75".into()));
    let wrong = |target: &str, part: &str| {
        let options = Options { target: Some(target.into()), ..Options::default() };
        let e = client.compile(&module(DOUBLE), &options).map(|_| ()).expect_err(target);
        assert!(e.code == ErrorCode::Option && e.message.contains(part), "{e}");
    };
    wrong("h100", "does not run on emulated device, which has compute capability 7.5");
    wrong("zen4", "is no graphics processor");
    wrong("host", "is the host");
    let here = Client::cpu().buffer(&[1f32; 4096], &[4096]).expect("a buffer");
    let e = double.run([&here]).expect_err("it is elsewhere");
    assert_eq!(e.message, "argument 0, parameter x, is on device cpu, the program on cuda-emulated");
}

#[test]
fn runs_at_once_have_memory_of_their_own() {
    let (client, driver) = client(Emulation::default());
    let text = "HloModule m\nadd { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b) }\n\
                ENTRY e {\n  x = f32[64,32] parameter(0)\n  z = f32[] constant(0)\n  \
                s = f32[64] reduce(x, z), dimensions={1}, to_apply=add\n  b = f32[64,32] broadcast(s), dimensions={0}\n  \
                y = f32[64,32] subtract(x, b)\n  ROOT r = f32[32] reduce(y, z), dimensions={0}, to_apply=add\n}\n";
    let options = Options { fusion: "off".parse().expect("a mode"), ..Options::default() };
    let e = compiled(&client, text, &options);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (e, client) = (&e, &client);
            scope.spawn(move || {
                let x = client.buffer(&[thread as f32; 64 * 32], &[64, 32]).expect("a buffer");
                for _ in 0..6 {
                    let out = e.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats");
                    assert_eq!(out, [-31.0 * 64.0 * thread as f32; 32]);
                }
            });
        }
    });
    assert!(driver.tally().graphs > 0, "steady runs submit graphs");
}

#[test]
fn loops_of_known_trips_ask_the_device_nothing() {
    let (client, driver) = client(Emulation::default());
    let text = "HloModule m
c { s = (s32[], f32[256]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  n = s32[] constant(40)
  ROOT p = pred[] compare(i, n), direction=LT }
b { s = (s32[], f32[256]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  one = s32[] constant(1)
  j = s32[] add(i, one)\n  x = f32[256] get-tuple-element(s), index=1\n  r = f32[256] reverse(x), dimensions={0}
  y = f32[256] add(r, x)\n  h = f32[256] constant({...})\n  z = f32[256] multiply(y, h)\n  ROOT t = (s32[], f32[256]) tuple(j, z) }
ENTRY e { x = f32[256] parameter(0)\n  i = s32[] constant(0)\n  t = (s32[], f32[256]) tuple(i, x)
  w = (s32[], f32[256]) while(t), condition=c, body=b\n  ROOT r = f32[256] get-tuple-element(w), index=1 }
";
    let half = vec!["0.5"; 256].join(", ");
    let text = text.replace("...", &half);
    let e = compiled(
        &client,
        &text,
        &Options { fusion: "no-loop".parse().expect("a mode"), ..Options::default() },
    );
    let x = ones(&client, 256).expect("a buffer");
    for _ in 0..3 {
        let outcome = e.run_with([&x], &RunOptions::default()).expect("runs");
        assert_eq!(outcome.counters.transfers, Some(Transfers::default()));
        assert!(outcome.counters.launches >= Some(40), "{:?}", outcome.counters);
        assert_eq!(outcome.outputs[0].to_vec::<f32>().expect("floats"), [1.0; 256]);
    }
    assert_eq!(driver.tally().graphs, 2, "the whole loop is one");
}

#[test]
fn code_is_kept_in_a_folder() {
    let path = std::env::temp_dir().join(format!("lawson-gpu-code-{}", std::process::id()));
    for expected in [(1, 0), (1, 1)] {
        let (client, _) = client(Emulation::default());
        let folder = lawson::CodeFolder::open(&path, 64 << 20).expect("a folder");
        let double = compiled(&client.clone().with_code_folder(folder), DOUBLE, &Options::default());
        assert_eq!(double.codes(), expected);
        let x = ones(&client, 4096).expect("a buffer");
        assert_eq!(double.run([&x]).expect("runs")[0].to_vec::<f32>().expect("floats")[9], 2.0);
    }
    std::fs::remove_dir_all(path).expect("it was made");
}

#[test]
fn traced_functions_run_on_a_device() {
    use lawson::{Tensor, jit};
    let client = Client::new(Device::CudaEmulated).expect("tests have an emulator");
    let step = jit(|x: &Tensor| (x * 2.0).tanh()).client(client);
    let x = Tensor::from([0.5f32, 1.0]);
    let once = step.call(&x).expect("runs");
    let twice = step.call(&once).expect("runs");
    let host = jit(|x: &Tensor| (x * 2.0).tanh());
    let expected = host.call(&host.call(&x).expect("runs")).expect("runs");
    assert_eq!(twice.to_vec::<f32>(), expected.to_vec::<f32>());
}
