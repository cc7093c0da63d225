//! The plugin as a caller sees it that has the C API only.

mod caller;
mod lent;
mod profiler;
mod python;
mod queue;

use caller::{Array, Buffer, Client, F32, Failed, S32};
use caller::{address, bytes, call, call_as, call_extension, chosen, slot, table};
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const INVALID_ARGUMENT: u32 = 3;
const UNIMPLEMENTED: u32 = 12;

/// Text is taken as artifacts are.
const ADD: &[u8] = b"module @sum {
  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}";

/// As JAX says that the first argument is given up.
const DONATED: &[u8] = b"module @twice {
  func.func public @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}";

const ONES: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

fn floats(client: &Client, elements: &[f32], dims: &[i64]) -> Buffer {
    client.buffer(&Array::of(F32, elements, dims)).expect("a buffer")
}

fn error<T>(result: Result<T, Failed>) -> Failed {
    result.err().expect("an error")
}

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stablehlo").join(name)
}

#[test]
fn the_table_is_that_of_an_old_version() {
    let (size, version, functions) = table();
    assert_eq!((size, version, functions.len()), (40 + 129 * 8, [0, 93], 129));
}

#[test]
fn the_plugin_says_which_stablehlo_it_wants() {
    let fields = call(slot::PLUGIN_ATTRIBUTES, [0, 0]).expect("attributes");
    let first = caller::words(fields[0], 7);
    assert_eq!((first[0], bytes(first[2], first[3])), (56, &b"stablehlo_current_version"[..]));
    assert_eq!(caller::words(first[5], first[6]), [1, 10, 0]);
}

#[test]
fn layouts_are_told_without_the_program() {
    const LAYOUTS: u32 = 4;
    const SHARDINGS: u32 = 19;
    let client = Client::new(2);
    let text = |layout: u64| {
        let [_, start, len, owner, deleter] =
            call_extension(LAYOUTS, 1, [layout, 0, 0, 0, 0]).expect("a serialized layout");
        let text = String::from_utf8(bytes(start, len).to_vec()).expect("text");
        caller::delete(deleter, owner);
        text
    };
    let given = |layout: u64| {
        let text = text(layout);
        call_extension(LAYOUTS, 0, [layout]).expect("destroyed");
        text
    };
    let dims = [2u64, 3, 4];
    let default = call_extension(LAYOUTS, 2, [client.0, 11, address(&dims), 3, 0]).expect("a layout");
    assert_eq!(given(default[4]), "{2,1,0}");
    let array = floats(&client, &[0.0; 6], &[2, 3]);
    assert_eq!(given(call_extension(LAYOUTS, 3, [array.0, 0]).expect("a layout")[1]), "{1,0}");
    let program = client.compile(ADD, &[]).expect("compiled");
    let executable = program.executable();
    for (slot, count) in [(5, 1), (6, 2)] {
        let found = call_extension(LAYOUTS, slot, [executable, 0, 0]).expect("layouts");
        let layouts = caller::words(found[2], found[1]);
        assert_eq!(layouts.iter().map(|&l| text(l)).collect::<Vec<_>>(), vec!["{0}"; count]);
    }
    for slot in 0..2 {
        let found = call_extension(SHARDINGS, slot, [executable, 7, 7, 7]).expect("shardings");
        assert_eq!(found[1..], [0, 0, 0]);
    }
    call(slot::EXECUTABLE_DESTROY, [executable]).expect("destroyed");
    let [_, start, len, owner, deleter] =
        call(slot::DEVICE_ASSIGNMENT, [program.0, 0, 0, 0, 0]).expect("an assignment");
    assert_eq!(bytes(start, len), [0x08, 1, 0x10, 1, 0x1a, 3, 0x0a, 1, 0]);
    caller::delete(deleter, owner);
    let found = call(slot::DEVICE_ATTRIBUTES, [client.devices()[1], 7, 7, 0, 0]).expect("attributes");
    assert_eq!(found[2], 0);
    caller::delete(found[4], found[3]);
    assert_eq!(error(call_extension(LAYOUTS, 3, [0, 0])).code, INVALID_ARGUMENT);
}

#[test]
fn a_client_has_the_devices_it_was_asked_for() {
    let client = Client::new(3);
    assert_eq!(client.devices().len(), 3);
    let name = call(slot::CLIENT_PLATFORM_NAME, [client.0, 0, 0]).expect("a name");
    assert_eq!(bytes(name[1], name[2]), b"lawson");
    let (a, event) =
        client.buffer_with(&Array::of(F32, &ONES, &[4]), &[], 0, client.devices()[2]).expect("a buffer");
    call(slot::EVENT_DESTROY, [event]).expect("an event");
    let device = |b: &Buffer| call(slot::BUFFER_DEVICE, [b.0, 0]).expect("a device")[1];
    assert_eq!(device(&a), client.devices()[2]);
    let b = Buffer(call(slot::COPY_TO_DEVICE, [a.0, client.devices()[1], 0]).expect("a copy")[2]);
    assert_eq!((device(&b), b.floats().expect("floats")), (client.devices()[1], ONES.to_vec()));
    let name = "colours";
    let option = [56, 0, address(name), 7, 1, 3, 1u64];
    let e = error(call(slot::CLIENT_CREATE, [address(&option), 1, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(e.code, INVALID_ARGUMENT);
    assert!(e.message.contains("the option `colours`"), "{}", e.message);
}

/// The line `NAME TYPE[DIMS] WORDS…` of a file of recorded values: floats are the bits of their words.
fn array(line: &str) -> (String, bool, Vec<i64>, Vec<u32>) {
    let mut words = line.split(' ');
    let (name, shape) = (words.next().expect("a name"), words.next().expect("a shape"));
    let (dtype, dims) = shape.trim_end_matches(']').split_once('[').expect("dimensions");
    let dims = dims.split(',').filter(|d| !d.is_empty()).map(|d| d.parse().expect("a dimension")).collect();
    let float = dtype == "f32";
    let word = |w: &str| match float {
        true => u32::from_str_radix(w, 16).expect("bits"),
        false => w.parse::<i32>().expect("a number") as u32,
    };
    (name.into(), float, dims, words.map(word).collect())
}

#[test]
fn a_training_step_of_jax_has_the_results_of_xla() {
    let client = Client::new(1);
    for version in ["0.9.0", "1.9.0", "1.17.0"] {
        let program =
            std::fs::read(recorded(&format!("training_step.{version}.mlir.bc"))).expect("a program");
        let loaded = client.compile(&program, &[]).expect("compiled");
        let values = std::fs::read_to_string(recorded("training_step.txt")).expect("values");
        let (mut arguments, mut results) = (Vec::new(), Vec::new());
        for (name, float, dims, words) in values.lines().map(array) {
            if name.starts_with("arg") {
                let array = Array::of(if float { F32 } else { S32 }, &words, &dims);
                arguments.push(client.buffer(&array).expect("a buffer"));
            } else {
                results.push((dims, words));
            }
        }
        let outputs = loaded.run(&arguments.iter().collect::<Vec<_>>()).expect("results");
        assert_eq!((outputs.len(), results.len()), (3, 3));
        for (output, (dims, words)) in outputs.iter().zip(&results) {
            let found = call(slot::DIMENSIONS, [output.0, 0, 0]).expect("dimensions");
            let found = caller::words(found[1], found[2]);
            assert!(found.iter().map(|&d| d as i64).eq(dims.iter().copied()));
            assert_eq!(call(slot::ELEMENT_TYPE, [output.0, 0]).expect("a type")[1] as u32, F32 as u32);
            for (a, b) in output.floats().expect("floats").iter().zip(words) {
                let b = f32::from_bits(*b);
                assert!((a - b).abs() <= 1e-5 * b.abs().max(0.1), "{a} is not {b}");
            }
        }
    }
}

#[test]
fn shardings_over_one_device_mean_nothing() {
    let client = Client::new(1);
    let loaded = client.compile(include_bytes!("../data/sharded.mlir.bc"), &[]).expect("compiled");
    let outputs = loaded.run(&[&floats(&client, &ONES, &[4])]).expect("results");
    assert_eq!(outputs[0].floats().expect("floats"), [2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn errors_say_what_is_wrong() {
    let client = Client::new(1);
    let e = error(client.compile(b"ML\xefR\x0dStableHLO_v1.9.0\0", &[]));
    assert_eq!(e.code, INVALID_ARGUMENT);
    assert!(e.message.starts_with("[parse] "), "{}", e.message);
    let e = error(client.compile_as("hlo", ADD, &[]));
    assert!(e.code == UNIMPLEMENTED && e.message.contains("`hlo`"), "{}", e.message);
    // Field 3, of two bytes: field 5, partitions, of the value 2.
    let e = error(client.compile(ADD, &[0x1a, 2, 0x28, 2]));
    assert_eq!(e.code, UNIMPLEMENTED);
    assert!(e.message.contains("2 partitions"), "{}", e.message);
    let e = error(client.compile(ADD, &[0x1a, 9]));
    assert!(e.code == INVALID_ARGUMENT && e.message.contains("damaged compile options"), "{}", e.message);

    let unknown = b"module @m {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @nobody_has_this(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}";
    let e = error(client.compile(unknown, &[]));
    assert!(e.code == UNIMPLEMENTED && e.message.starts_with("[unsupported] line 3: "), "{}", e.message);

    let sum = client.compile(ADD, &[]).expect("compiled");
    let (a, short) = (floats(&client, &ONES, &[4]), floats(&client, &ONES[..2], &[2]));
    let e = error(sum.run(&[&a]));
    assert!(e.message.contains("sum has 2 arguments, 1 are given"), "{}", e.message);
    let e = error(sum.run(&[&a, &short]));
    assert_eq!(e.code, INVALID_ARGUMENT);
    assert!(e.message.contains("is f32[2], not f32[4]"), "{}", e.message);
    assert_eq!(error(call(slot::DIMENSIONS, [0, 0, 0])).code, INVALID_ARGUMENT);
    let e = error(call(slot::STREAM_ADD_CHUNK, [0, 0, 0]));
    assert!(
        e.code == UNIMPLEMENTED && e.message.contains("PJRT_CopyToDeviceStream_AddChunk"),
        "{}",
        e.message
    );
    let wrong = Array { element_type: 999, ..Array::of(F32, &ONES, &[4]) };
    assert_eq!(error(client.buffer(&wrong)).code, UNIMPLEMENTED);
}

#[test]
fn what_the_user_names_is_fused_or_told() {
    let client = Client::new(1);
    let e = error(client.compile(ADD, &chosen("lawson_assert_fused", "nowhere")));
    assert!(e.message.starts_with("[unfused] ") && e.message.contains("`nowhere`"), "{}", e.message);
    client.compile(ADD, &chosen("lawson_assert_fused", "")).expect("nothing is named");
}

#[test]
fn the_first_run_of_a_profiled_program_is_measured() {
    let client = Client::new(1);
    let sum = client.compile(ADD, &chosen("lawson_profile", "true")).expect("compiled");
    let report = || sum.property("lawson report json");
    assert!(report().contains("\"measured_us\":null"), "{}", report());
    let a = floats(&client, &ONES, &[4]);
    sum.run(&[&a, &a]).expect("results");
    let measured = report();
    assert!(!measured.contains("\"measured_us\":null"), "{measured}");
    sum.run(&[&a, &a]).expect("results");
    assert_eq!(report(), measured);
}

#[test]
fn copies_of_tokens_are_tokens() {
    let client = Client::new(2);
    let program = b"func.func public @main() -> !stablehlo.token {
    %0 = stablehlo.create_token : !stablehlo.token
    return %0 : !stablehlo.token
}";
    let loaded = client.compile(program, &[]).expect("compiled");
    let token = &loaded.run(&[]).expect("a token")[0];
    let copy = Buffer(call(slot::COPY_TO_DEVICE, [token.0, client.devices()[1], 0]).expect("a copy")[2]);
    for buffer in [token, &copy] {
        let kind = call(slot::ELEMENT_TYPE, [buffer.0, 0]).expect("a type")[1];
        let rank = call(slot::DIMENSIONS, [buffer.0, 0, 0]).expect("dimensions")[2];
        assert_eq!((kind as u32, rank), (23, 0));
    }
}

/// Memory that begins at a multiple of 64 bytes.
#[repr(align(64))]
struct Aligned([f32; 4]);

#[test]
fn memory_that_stays_is_shared_until_its_buffer_ends() {
    let client = Client::new(1);
    let memory = Aligned(ONES);
    let array = Array::of(F32, &memory.0, &[2, 2]);
    let (shared, event) = client.buffer_with(&array, &[], 2, 0).expect("a buffer");
    assert_eq!(shared.pointer(), array.start);
    static COME: AtomicU32 = AtomicU32::new(0);
    extern "C" fn come(error: *mut c_void, argument: *mut c_void) {
        assert!(error.is_null());
        COME.fetch_add(argument as u32, Ordering::Relaxed);
    }
    call(slot::EVENT_ON_READY, [event, come as *const () as u64, 7]).expect("an event");
    let is_ready = || call(slot::EVENT_IS_READY, [event, 0]).expect("an event")[1] & 1 == 1;
    assert!(!is_ready() && COME.load(Ordering::Relaxed) == 0);
    drop(shared);
    assert!(is_ready() && COME.load(Ordering::Relaxed) == 7);
    call(slot::EVENT_DESTROY, [event]).expect("an event");

    // The columns of the same: copied, so nothing is waited for.
    let (columns, event) = client.buffer_with(&array, &[4, 8], 2, 0).expect("a buffer");
    assert_eq!(columns.floats().expect("floats"), [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(call(slot::EVENT_IS_READY, [event, 0]).expect("an event")[1] & 1, 1);
    call(slot::EVENT_DESTROY, [event]).expect("an event");
}

#[test]
fn donated_memory_is_that_of_the_result() {
    let client = Client::new(1);
    let twice = client.compile(DONATED, &[]).expect("compiled");
    let a = floats(&client, &ONES, &[4]);
    let kept = twice.run_keeping(&[&a], &[0]).expect("results");
    assert!(!a.is_deleted() && kept[0].pointer() != a.pointer());
    let place = a.pointer();
    let outputs = twice.run(&[&a]).expect("results");
    assert!(a.is_deleted() && outputs[0].pointer() == place);
    assert_eq!(outputs[0].floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
    assert!(error(twice.run(&[&a])).message.contains("deleted or donated"));
    assert!(error(a.floats()).message.contains("deleted or donated"));

    // What another buffer shares is not written.
    let shared =
        Buffer(call(slot::COPY_TO_DEVICE, [outputs[0].0, client.devices()[0], 0]).expect("a copy")[2]);
    twice.run(&[&outputs[0]]).expect("results");
    assert!(outputs[0].is_deleted());
    assert_eq!(shared.floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn programs_come_back_from_bytes() {
    let client = Client::new(1);
    let sum = client.compile(ADD, &[]).expect("compiled");
    let executable = sum.executable();
    let cost = call(slot::COST_ANALYSIS, [executable, 0, 0]).expect("a cost");
    let names: Vec<&[u8]> =
        caller::words(cost[2], 7 * cost[1]).chunks(7).map(|value| bytes(value[2], value[3])).collect();
    assert!(names.contains(&&b"bytes accessed"[..]) && names.contains(&&b"lawson kernels"[..]));
    let saved = call(slot::SERIALIZE, [executable, 0, 0, 0, 0]).expect("bytes");
    let copy = bytes(saved[1], saved[2]).to_vec();
    caller::delete(saved[4], saved[3]);
    call(slot::EXECUTABLE_DESTROY, [executable]).expect("an executable");
    let load = |b: &[u8]| call(slot::DESERIALIZE, [client.0, address(b), b.len() as u64, 0, 0, 0, 0]);
    let again = caller::Loaded(load(&copy).expect("a program")[3]);
    let a = floats(&client, &ONES, &[4]);
    assert_eq!(again.run(&[&a, &a]).expect("results")[0].floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
    assert!(error(load(&copy[1..])).message.contains("no program of Lawson"));
    assert_eq!(error(load(&copy[..copy.len() - 3])).code, INVALID_ARGUMENT);
}

/// A struct may end before fields that this version knows, and go on after them.
#[test]
fn older_and_newer_callers_are_no_danger() {
    let made = call_as(slot::CLIENT_CREATE, [0, 0, 0, 0, 0, 0, 0, 7, 7, 7], 8 * 12).expect("a client");
    assert_eq!(made[7..], [7, 7, 7]);
    drop(Client(made[6]));
    let client = Client::new(1);
    let e = error(call_as(slot::CLIENT_DEVICES, [client.0, 5, 6], 16));
    assert!(e.message.contains("a handle is null"), "{}", e.message);
    let cut = call_as(slot::CLIENT_PLATFORM_NAME, [client.0, 5, 6], 32).expect("a name");
    assert!(cut[1] != 5 && cut[2] == 6);
}

#[test]
fn threads_compile_and_run_at_once() {
    let client = Client::new(1);
    let sum = client.compile(ADD, &[]).expect("compiled");
    std::thread::scope(|scope| {
        for n in 0..4 {
            let (client, sum) = (&client, &sum);
            scope.spawn(move || {
                let own = client.compile(ADD, &[]).expect("compiled");
                for i in 0..50 {
                    let a = floats(client, &[(n * 100 + i) as f32; 4], &[4]);
                    let twice = sum.run(&[&a, &a]).expect("results");
                    let thrice = own.run(&[&twice[0], &a]).expect("results");
                    assert_eq!(thrice[0].floats().expect("floats"), [3.0 * (n * 100 + i) as f32; 4]);
                }
            });
        }
    });
}
