//! The library as a program meets that embeds it: checks at the door, donation, limits, concurrency, bugs.

use lawson::hlo::{ArrayShape, DType, Literal, Module};
use lawson::options::Numerics;
use lawson::{
    Argument, Buffer, Cancel, Client, Device, Donation, ErrorCode, Executable, Options, RunOptions,
};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn clients() -> [Client; 2] {
    [Client::cpu(), Client::interpreter()]
}

fn compile(client: &Client, text: &str) -> Executable {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    // Kernels that share a launch do not work in place.
    let fusion = "no-horizontal".parse().expect("a specification");
    let options = Options { numerics: Numerics::Strict, fusion, ..Options::default() };
    client.compile(&module, &options).unwrap_or_else(|e| panic!("{e}"))
}

const ADD: &str = "ENTRY e { a = f32[4] parameter(0) p = (f32[4], s32[2]) parameter(1)
    b = f32[4] get-tuple-element(p), index=0 ROOT c = f32[4] add(a, b) }";

#[test]
fn arguments_are_checked_at_the_door() {
    for client in clients() {
        let add = compile(&client, ADD);
        let names: Vec<&str> = add.parameters().iter().map(|p| &*p.name).collect();
        assert_eq!(names, ["a", "p{0}", "p{1}"]);
        let good = || {
            [
                client.buffer(&[1f32; 4], &[4]),
                client.buffer(&[2f32; 4], &[4]),
                client.buffer(&[3i32; 2], &[2]),
            ]
        };
        let good = || good().map(|b| b.expect("a buffer"));
        assert_eq!(add.run(good()).expect("it runs")[0].to_vec(), Ok(vec![3f32; 4]));
        let wrong: [(Buffer, &str); 4] = [
            (client.buffer(&[1i32; 4], &[4]).expect("a buffer"), "is s32[4], not f32[4]"),
            (client.buffer(&[1f32; 4], &[2, 2]).expect("a buffer"), "is f32[2,2], not f32[4]"),
            (client.buffer(&[1u8; 16], &[16]).expect("a buffer"), "is u8[16], not f32[4]"),
            (client.buffer(&[1f32; 3], &[3]).expect("a buffer"), "is f32[3], not f32[4]"),
        ];
        for (buffer, why) in wrong {
            let [a, _, s] = good();
            let refused = add.run([&a, &buffer, &s]).expect_err(why);
            assert_eq!(refused.code, ErrorCode::Input);
            assert_eq!(refused.message, format!("argument 1, parameter p{{0}}, {why}"));
        }
        for n in [0, 2, 4] {
            let many: Vec<Buffer> = good().into_iter().chain(good()).take(n).collect();
            let refused = add.run(&many).expect_err("a wrong number");
            assert_eq!(refused.code, ErrorCode::Input);
            let message = format!("the program has 3 arguments (a, p{{0}}, p{{1}}), {n} are given");
            assert_eq!(refused.message, message);
        }
    }
    let [cpu, interpreter] = clients();
    let elsewhere = compile(&cpu, "ENTRY e { a = f32[1] parameter(0) ROOT n = f32[1] negate(a) }")
        .run([interpreter.buffer(&[1f32], &[1]).expect("a buffer")]);
    let message = elsewhere.expect_err("another device").message;
    assert_eq!(message, "argument 0, parameter a, is on device interpreter, the program on cpu");
}

#[test]
fn modules_are_checked_too() {
    let module = Module::parse(
        "ENTRY e { a = f32[2] parameter(0) b = f32[3] parameter(1) ROOT c = f32[2] add(a, b) }",
    );
    let module = module.expect("well formed");
    for client in clients() {
        let refused = client.compile(&module, &Options::default()).map(|_| ()).expect_err("a broken rule");
        assert_eq!(refused.code, ErrorCode::Verify, "{refused}");
    }
    let missing = Client::new(Device::Cuda(999)).map(|_| ()).expect_err("no machine has so many");
    assert_eq!(missing.code, ErrorCode::Device, "{missing}");
}

#[test]
fn buffers_are_made_with_a_copy_or_without() {
    let [cpu, interpreter] = clients();
    let shape = ArrayShape::new(DType::U8, [64]);
    // Aligned memory is used where it is, other memory is copied once.
    let owner: Arc<[u8]> = (0..192).collect::<Vec<u8>>().into();
    struct Part(Arc<[u8]>, usize);
    impl AsRef<[u8]> for Part {
        fn as_ref(&self) -> &[u8] {
            &self.0[self.1..self.1 + 64]
        }
    }
    let aligned = (0..64).find(|at| (owner[*at..].as_ptr() as usize).is_multiple_of(64)).expect("one of 64");
    for (client, at, same) in
        [(&cpu, aligned, true), (&cpu, aligned + 1, false), (&interpreter, aligned, false)]
    {
        let buffer = client.buffer_from_owner(&shape, Part(owner.clone(), at)).expect("a buffer");
        assert_eq!(std::ptr::eq(buffer.bytes(), &owner[at..at + 64]), same);
        assert_eq!(buffer.bytes(), &owner[at..at + 64]);
        assert_eq!((buffer.device(), buffer.shape()), (client.device(), &shape));
        // It may be given up as any other; the owner's memory is not written.
        let increment = compile(
            client,
            "HloModule m, input_output_alias={ {}: (0, {}, must-alias) }
             ENTRY e { a = u8[64] parameter(0) ROOT b = u8[64] add(a, a) }",
        );
        let doubled: Vec<u8> = owner[at..at + 64].iter().map(|b| b.wrapping_mul(2)).collect();
        assert_eq!(increment.run([buffer]).expect("it runs")[0].bytes(), doubled);
        assert_eq!(owner[..], (0..192).collect::<Vec<u8>>());
    }
    let wrong = cpu.buffer(&[1f32; 3], &[4]).expect_err("too few");
    assert_eq!((wrong.code, &*wrong.message), (ErrorCode::Input, "f32[4] has 16 bytes, 12 are given"));
    let pred = cpu.buffer(&[true, false], &[2]).expect("a buffer");
    assert_eq!(pred.to_vec(), Ok(vec![true, false]));
    assert_eq!(pred.to_vec::<u8>().expect_err("another type").code, ErrorCode::Input);
    assert_eq!(pred.to_literal(), Literal::new(ArrayShape::new(DType::Pred, [2]), vec![1, 0]));
}

/// A state that is updated elementwise, one that is updated in part, and one whose order changes.
const STATES: &str = "HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias), {2}: (2, {}) }
    ENTRY e { a = f32[1000] parameter(0) b = f32[100,10] parameter(1) c = f32[30,30] parameter(2) i = s32[] parameter(3)
    d = f32[1000] multiply(a, a) a2 = f32[1000] add(d, a)
    row = f32[1,10] slice(b), slice={[3:4], [0:10]} twice = f32[1,10] add(row, row) z = s32[] constant(0)
    b2 = f32[100,10] dynamic-update-slice(b, twice, i, z)
    c2 = f32[30,30] transpose(c), dimensions={1,0}
    ROOT t = (f32[1000], f32[100,10], f32[30,30]) tuple(a2, b2, c2) }";

fn states(client: &Client) -> Vec<Buffer> {
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32 / 1000.0).collect();
    let shapes: [&[i64]; 3] = [&[1000], &[100, 10], &[30, 30]];
    let arrays = shapes.map(|dims| client.buffer(&numbers[..dims.iter().product::<i64>() as usize], dims));
    arrays.into_iter().chain([client.buffer(&[7i32], &[])]).map(|b| b.expect("a buffer")).collect()
}

#[test]
fn donated_memory_is_that_of_the_results_and_changes_no_value() {
    let [cpu, interpreter] = clients();
    let program = compile(&cpu, STATES);
    let donations: Vec<Donation> = program.parameters().iter().map(|p| p.donation).collect();
    // What reads b elsewhere than it writes is done before; c cannot be turned in its place.
    assert_eq!(donations[0], Donation::Result(0));
    assert_eq!(donations[1..], [Donation::Result(1), Donation::NoResult, Donation::NotAsked]);
    assert_eq!(program.memory_stats().donated, 4000 + 4000);
    let expected = compile(&interpreter, STATES).run(states(&interpreter)).expect("it runs");
    let expected: Vec<&[u8]> = expected.iter().map(|b| b.bytes()).collect();
    let (given, kept) = (states(&cpu), states(&cpu));
    let places: Vec<*const u8> = given.iter().map(|b| b.bytes().as_ptr()).collect();
    let outputs = program.run(given).expect("it runs");
    assert_eq!(outputs.iter().map(|b| b.bytes()).collect::<Vec<_>>(), expected);
    assert_eq!((outputs[0].bytes().as_ptr(), outputs[1].bytes().as_ptr()), (places[0], places[1]));
    // Borrowed, must-alias or not, all stay as they were.
    for _ in 0..2 {
        let outputs = program.run(&kept).expect("it runs");
        assert_eq!(outputs.iter().map(|b| b.bytes()).collect::<Vec<_>>(), expected);
        let fresh = states(&cpu);
        assert!(kept.iter().zip(&fresh).all(|(a, b)| a.bytes() == b.bytes()));
    }
    // One of both.
    let mut all: Vec<Argument<'_>> = kept.iter().map(Argument::from).collect();
    all[1] = states(&cpu).remove(1).into();
    let outputs = program.run(all).expect("it runs");
    assert_eq!(outputs.iter().map(|b| b.bytes()).collect::<Vec<_>>(), expected);
}

#[test]
fn memory_that_another_run_holds_is_not_taken() {
    let client = Client::cpu();
    let program = compile(&client, STATES);
    let mut states = states(&client);
    let expected = program.run(&states).expect("it runs");
    // The run may be before or after the other, and reads what was lent to it.
    let pending = program.start(&states, &RunOptions::default()).expect("it starts");
    let given = states.split_off(0);
    let outputs = program.run(given).expect("it runs");
    let beside = pending.wait().expect("it ran");
    for (a, (b, c)) in expected.iter().zip(outputs.iter().zip(&beside.outputs)) {
        assert!(a.bytes() == b.bytes() && a.bytes() == c.bytes());
    }
}

#[test]
fn outputs_may_go_into_buffers_of_the_caller() {
    for client in clients() {
        let program = compile(&client, STATES);
        let arguments = states(&client);
        let expected = program.run(&arguments).expect("it runs");
        let mut outputs = states(&client);
        let wrong = program.run_into(&arguments, &mut outputs, &RunOptions::default()).expect_err("four");
        assert_eq!(wrong.message, "the program has 3 outputs, 4 are given");
        outputs.truncate(3);
        let places: Vec<*const u8> = outputs.iter().map(|b| b.bytes().as_ptr()).collect();
        program.run_into(&arguments, &mut outputs, &RunOptions::default()).expect("it runs");
        for ((a, b), place) in expected.iter().zip(&outputs).zip(places) {
            assert!(a.bytes() == b.bytes() && b.bytes().as_ptr() == place);
        }
    }
}

/// Never ends, and tells nobody: its predicate is data.
const ENDLESS: &str = "body { p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0
        n = s32[] get-tuple-element(p), index=1 m = s32[] custom-call(n), custom_call_target=\"count\"
        ROOT t = (s32[], s32[]) tuple(i, m) }
    condition { p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 z = s32[] constant(0)
        ROOT c = pred[] compare(i, z), direction=GE }
    ENTRY e { a = s32[] parameter(0) b = s32[] parameter(1) t = (s32[], s32[]) tuple(a, b)
        ROOT w = (s32[], s32[]) while(t), condition=condition, body=body }";

/// With a function that counts, and cancels at 50.
fn endless(client: Client, cancel: &Cancel) -> (Client, Executable, Arc<AtomicU32>) {
    let (count, cancel) = (Arc::new(AtomicU32::new(0)), cancel.clone());
    let own = count.clone();
    let client = client.with_custom_call("count", move |arguments, results| {
        results[0].bytes_mut().copy_from_slice(arguments[0].bytes());
        if own.fetch_add(1, Ordering::Relaxed) == 49 {
            cancel.cancel();
        }
        Ok(())
    });
    let program = compile(&client, ENDLESS);
    (client, program, count)
}

fn zeros(client: &Client) -> [Buffer; 2] {
    [0, 1].map(|_| client.buffer(&[0i32], &[]).expect("a buffer"))
}

#[test]
fn a_run_without_an_end_is_cancelled_or_runs_out_of_time() {
    for client in clients() {
        let cancel = Cancel::new();
        let (client, program, count) = endless(client, &cancel);
        let options = RunOptions { cancel: cancel.clone(), ..RunOptions::default() };
        let error = program.run_with(zeros(&client), &options).expect_err("cancelled");
        assert_eq!((error.code, &*error.message), (ErrorCode::Cancelled, "the run was cancelled"));
        assert_eq!(count.load(Ordering::Relaxed), 50);
        // Who is cancelled does not begin.
        assert!(cancel.is_cancelled());
        let error = program.run_with(zeros(&client), &options).expect_err("cancelled");
        assert_eq!((error.code, count.load(Ordering::Relaxed)), (ErrorCode::Cancelled, 50));
        let options = RunOptions { time_limit: Some(Duration::ZERO), ..RunOptions::default() };
        let error = program.run_with(zeros(&client), &options).expect_err("no time");
        assert_eq!((error.code, error.code.exit_code()), (ErrorCode::TimedOut, 2));
        // Beside the caller, who is the one to end it.
        let pending = program.start(zeros(&client), &RunOptions::default()).expect("it starts");
        pending.cancel();
        assert_eq!(pending.wait().map(|_| ()).expect_err("cancelled").code, ErrorCode::Cancelled);
    }
}

#[test]
fn a_loop_runs_for_the_effects_of_its_body_whether_its_result_is_used_or_not() {
    for (result, expected) in [("x", 14i32), ("w", 10)] {
        happens_in_each_trip(result, expected);
    }
}

/// What the body tells is known after each run, which gives this.
fn happens_in_each_trip(result: &str, expected: i32) {
    let text = "body { i = s32[] parameter(0) one = s32[] constant(1)
            told = s32[] custom-call(i), custom_call_target=\"tell\", custom_call_has_side_effect=true
            ROOT next = s32[] add(i, one) }
        condition { i = s32[] parameter(0) three = s32[] constant(3)
            ROOT c = pred[] compare(i, three), direction=LT }
        ENTRY e { x = s32[] parameter(0) zero = s32[] constant(0)
            w = s32[] while(zero), condition=condition, body=body
            ROOT y = s32[] add(x, RESULT) }";
    let text = &text.replace("RESULT", result);
    for client in clients() {
        let told: Arc<Mutex<Vec<i32>>> = Arc::default();
        let own = told.clone();
        let client = client.with_custom_call("tell", move |operands, results| {
            own.lock().expect("nobody panics").extend(operands[0].as_slice::<i32>()?);
            results[0].as_mut_slice::<i32>()?[0] = 0;
            Ok(())
        });
        let program = compile(&client, text);
        for _ in 0..2 {
            let x = client.buffer(&[7i32], &[]).expect("a buffer");
            assert_eq!(program.run([x]).expect("it runs")[0].to_vec(), Ok(vec![expected]));
        }
        assert_eq!(*told.lock().expect("nobody panics"), [0, 1, 2, 0, 1, 2], "{:?}", client.device());
    }
}

#[test]
fn a_run_that_needs_too_much_is_refused() {
    let client = Client::cpu();
    let program = compile(&client, STATES);
    let limit = |bytes| RunOptions { memory_limit: Some(bytes), ..RunOptions::default() };
    let stats = program.memory_stats();
    let needed = stats.outputs + stats.temporaries;
    let lent = states(&client);
    assert!(program.run_with(&lent, &limit(needed)).is_ok());
    let refused = program.run_with(&lent, &limit(needed - 1)).expect_err("too much");
    assert_eq!(refused.code, ErrorCode::Limit, "{refused}");
    // What is donated need not be allocated.
    assert!(program.run_with(states(&client), &limit(needed - stats.donated)).is_ok());
}

#[test]
fn runs_may_be_concurrent() {
    let client = Client::cpu();
    let program = compile(&client, STATES);
    let expected = program.run(states(&client)).expect("it runs");
    let shared = states(&client);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let program = program.clone();
            let (client, shared, expected) = (&client, &shared, &expected);
            scope.spawn(move || {
                for n in 0..50 {
                    let outputs = if n % 2 == 0 { program.run(shared) } else { program.run(states(client)) };
                    let outputs = outputs.expect("it runs");
                    assert!(outputs.iter().zip(expected).all(|(a, b)| a.bytes() == b.bytes()));
                }
            });
        }
    });
}

#[test]
fn a_custom_call_that_panics_is_an_error_of_the_run() {
    for client in clients() {
        let client = client.with_custom_call("count", |_, _| panic!("at {}", 3));
        let error = compile(&client, ENDLESS).run(zeros(&client)).expect_err("it panics");
        assert_eq!(error.message, "panic: at 3");
    }
    let unknown = Client::cpu().compile(&Module::parse(ENDLESS).expect("well formed"), &Options::default());
    assert_eq!(unknown.map(|_| ()).expect_err("nobody knows it").code, ErrorCode::Unsupported);
}

/// Set in the child that dies.
const CHILD: &str = "LAWSON_TEST_EMBEDDED";

/// An embedding process in which LLVM fails while a module is in work.
#[test]
fn a_fatal_error_of_llvm_leaves_a_file_that_replays_it() {
    if let Some(folder) = std::env::var_os(CHILD) {
        std::env::set_current_dir(folder).expect("a folder");
        let module = Arc::new(Module::parse(ADD).expect("well formed"));
        let _in_work = lawson::repro::begin(&module, Device::Cpu, &Options::default());
        lawson_llvm::provoke::provoke();
    }
    let folder = std::env::temp_dir().join(format!("lawson-embedded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let me = std::env::current_exe().expect("a path");
    let name = "a_fatal_error_of_llvm_leaves_a_file_that_replays_it";
    let child = Command::new(me)
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, &folder)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&child.stderr);
    assert_eq!(child.status.code(), Some(3), "{text}");
    assert!(text.contains("this is a bug of Lawson"), "{text}");
    let files: Vec<_> = std::fs::read_dir(&folder).expect("the folder").flatten().map(|e| e.path()).collect();
    assert_eq!(files.len(), 1, "{text}");
    let repro = std::fs::read_to_string(&files[0]).expect("a file");
    std::fs::remove_dir_all(&folder).expect("removed");
    let command = format!("lawson run {} --device cpu --threads ", files[0].display());
    assert!(text.contains(&command) && repro.starts_with("// A bug of Lawson"), "{text}\n{repro}");
    let read = Module::parse(&repro).expect("the module");
    assert_eq!(read.entry().instrs.len(), 4);
}

#[test]
fn elements_are_read_and_written_as_slices_of_their_type() {
    for client in clients() {
        let mut x = client.buffer(&[1f32, 2.0, 3.0, 4.0], &[2, 2]).expect("a buffer");
        assert_eq!(x.as_slice::<f32>().expect("floats"), [1.0, 2.0, 3.0, 4.0]);
        let refused = x.as_slice::<i32>().expect_err("floats");
        assert_eq!(
            (refused.code, &*refused.message),
            (ErrorCode::Input, "the array is f32[2,2], not of s32")
        );
        let place = x.bytes().as_ptr();
        x.copy_from_slice(&[5f32; 4]).expect("four floats");
        assert_eq!((x.bytes().as_ptr(), x.as_slice()), (place, Ok(&[5f32; 4][..])));
        assert_eq!(
            x.copy_from_slice(&[5f32; 3]).expect_err("three").message,
            "f32[2,2] has 16 bytes, 12 are given"
        );
        assert_eq!(
            x.copy_from_slice(&[5i32; 4]).expect_err("not floats").message,
            "the array is f32[2,2], not of s32"
        );
        let pred = client.buffer_from_bytes(&ArrayShape::new(DType::Pred, [2]), &[1, 7]).expect("a buffer");
        assert_eq!(pred.as_slice::<bool>().expect_err("7 is no truth value").code, ErrorCode::Input);
    }
}

#[test]
fn a_buffer_that_a_run_reads_is_not_written() {
    let cancel = Cancel::new();
    let (client, program, _) = endless(Client::cpu(), &Cancel::new());
    let [mut a, b] = zeros(&client);
    let options = RunOptions { cancel: cancel.clone(), ..RunOptions::default() };
    let pending = program.start([&a, &b], &options).expect("it starts");
    assert_eq!(a.copy_from_slice(&[1i32]).expect_err("it is read").code, ErrorCode::Input);
    cancel.cancel();
    assert_eq!(pending.wait().expect_err("it never ends").code, ErrorCode::Cancelled);
    a.copy_from_slice(&[1i32]).expect("nobody reads it now");
}

#[test]
fn arrays_go_in_and_out_in_any_order_of_their_dimensions() {
    let text = "ENTRY e { x = s32[3,2] parameter(0) ROOT y = s32[3,2] negate(x) }";
    for client in clients() {
        let rows = ndarray::array![[1, 2, 3], [4, 5, 6]];
        let x = client.buffer_from_array(&rows.t()).expect("a buffer");
        let y = &compile(&client, text).run([&x]).expect("it runs")[0];
        assert_eq!(y.to_array::<i32>().expect("integers"), (-rows.t().to_owned()).into_dyn());
        let every_other = client.buffer_from_array(&rows.slice(ndarray::s![.., ..;2])).expect("a buffer");
        assert_eq!(every_other.as_slice::<i32>().expect("integers"), [1, 3, 4, 6]);
        let none = client.buffer_from_array(&ndarray::Array2::<f64>::zeros((0, 3))).expect("a buffer");
        assert_eq!(none.view::<f64>().expect("floats").shape(), [0, 3]);
    }
}

#[test]
fn a_host_function_reads_and_writes_typed_arrays_and_tells_why_it_fails() {
    let text = "ENTRY e { x = f32[3] parameter(0) i = s32[3] parameter(1)
        ROOT y = (f32[3], s32[]) custom-call(x, i), custom_call_target=\"take\" }";
    for client in clients() {
        let client = client.with_custom_call("take", |operands, results| {
            let (x, indices) = (operands[0].as_slice::<f32>()?, operands[1].as_slice::<i32>()?);
            for (to, &i) in results[0].as_mut_slice::<f32>()?.iter_mut().zip(indices) {
                *to = *x.get(i as usize).ok_or_else(|| format!("no element {i}"))?;
            }
            results[1].as_mut_slice::<i32>()?[0] = indices.len() as i32;
            Ok(())
        });
        let take = compile(&client, text);
        let x = client.buffer(&[1f32, 2.0, 3.0], &[3]).expect("a buffer");
        let run = |indices: [i32; 3]| take.run([&x, &client.buffer(&indices, &[3]).expect("a buffer")]);
        let outputs = run([2, 0, 2]).expect("it runs");
        assert_eq!(outputs[0].as_slice::<f32>().expect("floats"), [3.0, 1.0, 3.0]);
        assert_eq!(outputs[1].as_slice::<i32>().expect("integers"), [3]);
        let failed = run([0, 3, 0]).expect_err("it fails");
        assert_eq!(failed.code, ErrorCode::CustomCall);
        assert!(failed.message.ends_with("custom-call \"take\" failed: no element 3"), "{failed}");
    }
}

#[test]
fn a_host_function_takes_and_gives_complex_numbers_whole() {
    let text = "ENTRY e { z = c64[2] parameter(0) i = s32[] constant(7) twice = c64[2] add(z, z)
        t = (c64[2], f32[2], c64[]) custom-call(twice, i), custom_call_target=\"turn\"
        turned = c64[2] get-tuple-element(t), index=0 added = c64[2] add(turned, z)
        size = f32[2] get-tuple-element(t), index=1 sum = c64[] get-tuple-element(t), index=2
        ROOT r = (c64[2], f32[2], c64[]) tuple(added, size, sum) }";
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
    };
    for client in clients() {
        // (i z, |z|², 7 Σz)
        let client = client.with_custom_call("turn", move |operands, results| {
            let (z, by) = (floats(operands[0].bytes()), operands[1].as_slice::<i32>()?[0] as f32);
            let turned: Vec<f32> = z.chunks(2).flat_map(|z| [-z[1], z[0]]).collect();
            let size: Vec<f32> = z.chunks(2).map(|z| z[0] * z[0] + z[1] * z[1]).collect();
            let sum = [by * (z[0] + z[2]), by * (z[1] + z[3])];
            for (to, values) in results.iter_mut().zip([&turned[..], &size, &sum]) {
                let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                to.bytes_mut().copy_from_slice(&bytes);
            }
            Ok(())
        });
        let turn = compile(&client, text);
        let z: Vec<u8> = [1f32, 2.0, 3.0, -4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let z = client.buffer_from_bytes(&ArrayShape::new(DType::C64, vec![2]), &z).expect("a buffer");
        let outputs = turn.run([&z]).expect("it runs");
        let read = |n: usize| floats(outputs[n].bytes());
        assert_eq!(read(0), [-3.0, 4.0, 11.0, 2.0]);
        assert_eq!(read(1), [20.0, 100.0]);
        assert_eq!(read(2), [56.0, -28.0]);
    }
}

#[test]
fn a_loop_inside_a_kernel_is_cancelled() {
    let text = "HloModule m
        c { p = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(p), index=0 z = s32[] constant(0)
            ROOT r = pred[] compare(i, z), direction=GE }
        b { p = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(p), index=0
            x = f32[64] get-tuple-element(p), index=1 y = f32[64] sine(x) ROOT t = (s32[], f32[64]) tuple(i, y) }
        ENTRY e { i = s32[] parameter(0) x = f32[64] parameter(1) a = (s32[], f32[64]) tuple(i, x)
            w = (s32[], f32[64]) while(a), condition=c, body=b
            ROOT r = f32[64] get-tuple-element(w), index=1 }";
    let client = Client::cpu();
    let module = Module::parse(text).expect("a module");
    let program = client.compile(&module, &Options::default()).expect("it compiles");
    assert_eq!(program.cost_analysis().kernels, Some(1));
    let x = client.buffer(&[1f32; 64], &[64]).expect("memory");
    let run = |i: i32| {
        let i = client.buffer(&[i], &[]).expect("memory");
        program.start([&i, &x], &RunOptions::default()).expect("it starts")
    };
    let endless = run(0);
    endless.cancel();
    assert_eq!(endless.wait().map(|_| ()).expect_err("cancelled").code, ErrorCode::Cancelled);
    let outputs = run(-1).wait().expect("no trip").outputs;
    assert_eq!(outputs[0].to_vec::<f32>().expect("floats"), [1f32; 64]);
}

/// Outside of strict the order is free, but one: it depends on no machine, and loses fewer digits than a chain.
#[test]
fn running_sums_have_the_same_bits_on_any_number_of_threads() {
    let text = "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
        ENTRY e { x = f32[2,65536] parameter(0) z = f32[] constant(0)
        ROOT r = f32[2,65536] reduce-window(x, z), window={size=1x65536 pad=0_0x65535_0}, to_apply=add }";
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let args = lawson::random_inputs::literals(7, &lawson::load::parameter_leaves(&module));
    let values = |l: &Literal| l.scalars().map(|s| s.as_f64()).collect::<Vec<_>>();
    let run = |numerics, threads| {
        let options = Options { numerics, threads, ..Options::default() };
        let out = Client::cpu().execute(&module, &args, &options).unwrap_or_else(|e| panic!("{e}"));
        values(&out[0])
    };
    let mut exact = values(&args[0]);
    (0..exact.len()).filter(|n| n % 65536 > 0).for_each(|n| exact[n] += exact[n - 1]);
    let error = |found: &[f64]| exact.iter().zip(found).fold(0f64, |m, (e, f)| m.max((e - f).abs()));
    let chain = error(&run(Numerics::Strict, 2));
    for numerics in [Numerics::Standard, Numerics::Fast] {
        let one = run(numerics, 1);
        assert!(error(&one) * 8.0 < chain, "{} and {chain}", error(&one));
        assert!([2, 3, 5].into_iter().all(|threads| run(numerics, threads) == one));
    }
}
