//! Runs that go on beside the caller. Programs here wait in a function of the host until the test lets them go.

use super::caller::{Array, Buffer, Client, F32, Failed, Loaded, address, call, slot};
use super::{ADD, Aligned, DONATED, ONES, error, floats};
use lawson::frontend::host;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};

/// A function of the host that gives its operand back once it may.
struct Gate {
    name: &'static str,
    said: Mutex<Option<Result<(), &'static str>>>,
    changed: Condvar,
}

impl Gate {
    /// Of a name of its own.
    fn new(name: &'static str) -> Arc<Gate> {
        let gate = Arc::new(Gate { name, said: Mutex::default(), changed: Condvar::new() });
        let own = gate.clone();
        let function = move |operands: &[host::HostArray<'_>], results: &mut [host::HostArrayMut<'_>]| {
            let closed = own.said.lock().expect("a gate");
            let said = own.changed.wait_while(closed, |said| said.is_none()).expect("a gate");
            results[0].bytes_mut().copy_from_slice(operands[0].bytes());
            said.unwrap_or(Ok(())).map_err(Into::into)
        };
        host::register(name, function).expect("a new name");
        gate
    }

    fn open(&self) {
        self.say(Ok(()));
    }

    fn say(&self, what: Result<(), &'static str>) {
        *self.said.lock().expect("a gate") = Some(what);
        self.changed.notify_all();
    }

    /// The program that calls it.
    fn program(&self, client: &Client) -> Loaded {
        let name = self.name;
        let text = format!(
            "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.custom_call @{name}(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
}}"
        );
        client.compile(text.as_bytes(), &[]).expect("compiled")
    }
}

/// An event, destroyed with this value.
struct Event(u64);

impl Event {
    fn of(buffer: &Buffer) -> Event {
        Event(call(slot::READY_EVENT, [buffer.0, 0]).expect("an event")[1])
    }

    fn has_come(&self) -> bool {
        call(slot::EVENT_IS_READY, [self.0, 0]).expect("an event")[1] & 1 == 1
    }

    fn wait(&self) -> Result<(), Failed> {
        call(slot::EVENT_AWAIT, [self.0]).map(|_| ())
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        call(slot::EVENT_DESTROY, [self.0]).expect("an event");
    }
}

fn only(mut buffers: Vec<Buffer>) -> Buffer {
    assert_eq!(buffers.len(), 1);
    buffers.remove(0)
}

#[test]
fn results_come_when_the_program_has_run() {
    let (client, gate) = (Client::new(2), Gate::new("gate_of_results"));
    let (wait, sum) = (gate.program(&client), client.compile(ADD, &[]).expect("compiled"));
    let a = floats(&client, &ONES, &[4]);
    let (outputs, complete) = wait.start(&[&a], &[]).expect("begun");
    let (first, complete) = (only(outputs), Event(complete));
    let second = only(sum.run(&[&first, &a]).expect("begun"));
    let copy = Buffer(call(slot::COPY_TO_DEVICE, [second.0, client.devices()[1], 0]).expect("a copy")[2]);
    assert_eq!(call(slot::DIMENSIONS, [copy.0, 0, 0]).expect("dimensions")[2], 1);
    let mut to = [0f32; 4];
    let moved = call(slot::TO_HOST, [copy.0, 0, to.as_mut_ptr() as u64, 16, 0]).expect("begun")[4];
    let events = [complete, Event::of(&first), Event::of(&second), Event::of(&copy), Event(moved)];
    assert!(!events.iter().any(Event::has_come));
    gate.open();
    assert!(events.iter().all(|event| event.wait().is_ok() && event.has_come()));
    assert_eq!(to, [2.0, 4.0, 6.0, 8.0]);
    assert_eq!((first.floats().expect("floats"), Event::of(&copy).has_come()), (ONES.to_vec(), true));
}

extern "C" fn message(error: *mut c_void, place: *mut c_void) {
    // SAFETY: tests give a number that outlives the event.
    unsafe { &*place.cast::<AtomicU64>() }.store(error as u64, Ordering::Release);
}

#[test]
fn errors_come_with_the_results() {
    let (client, gate) = (Client::new(1), Gate::new("gate_of_errors"));
    let (wait, sum) = (gate.program(&client), client.compile(ADD, &[]).expect("compiled"));
    let a = floats(&client, &ONES, &[4]);
    let (outputs, complete) = wait.start(&[&a], &[]).expect("begun");
    let (first, complete) = (only(outputs), Event(complete));
    let second = only(sum.run(&[&first, &a]).expect("begun"));
    let (early, late) = (AtomicU64::new(0), AtomicU64::new(0));
    let tell = |place: &AtomicU64| {
        let callback = message as *const () as u64;
        call(slot::EVENT_ON_READY, [complete.0, callback, address(place)]).expect("an event");
    };
    tell(&early);
    gate.say(Err("on purpose"));
    for event in [&complete, &Event::of(&first), &Event::of(&second)] {
        let e = error(event.wait());
        assert!(e.message.contains("on purpose"), "{}", e.message);
        assert!(event.has_come() && call(slot::EVENT_ERROR, [event.0]).is_err());
    }
    tell(&late);
    for place in [early, late] {
        let error = place.into_inner();
        assert_ne!(error, 0);
        call(slot::ERROR_DESTROY, [error]).expect("destroyed");
    }
    for buffer in [&first, &second] {
        assert!(error(buffer.floats()).message.contains("on purpose"));
    }
    let e = error(call(slot::INCREASE_REFERENCES, [second.0]));
    assert!(e.message.contains("on purpose"), "{}", e.message);
    // What comes after is not concerned.
    assert_eq!(only(sum.run(&[&a, &a]).expect("run")).floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
}

/// The first argument is given up.
const ONTO: &[u8] = b"module @onto {
  func.func public @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}";

#[test]
fn donated_memory_is_written_when_its_readers_are_done() {
    let (client, gate) = (Client::new(1), Gate::new("gate_of_donation"));
    let (wait, onto) = (gate.program(&client), client.compile(ONTO, &[]).expect("compiled"));
    let twice = client.compile(DONATED, &[]).expect("compiled");
    let (a, b) = (floats(&client, &ONES, &[4]), floats(&client, &ONES, &[4]));
    let (place, other) = (a.pointer(), b.pointer());
    let waits = only(wait.run(&[&a]).expect("begun"));
    // Behind a queued reader, after which the memory is free.
    let behind = only(onto.run(&[&a, &waits]).expect("begun"));
    // Beside a queued reader, which still needs the memory.
    let reader = only(wait.run(&[&b]).expect("begun"));
    let beside = only(twice.run(&[&b]).expect("run"));
    assert!(a.is_deleted() && b.is_deleted());
    assert!(error(twice.run(&[&a])).message.contains("deleted or donated"));
    assert_ne!(beside.pointer(), other);
    // What is not there yet is given up too.
    let last = only(twice.run(&[&waits]).expect("begun"));
    assert!(waits.is_deleted());
    gate.open();
    assert_eq!(behind.floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
    assert_eq!(behind.pointer(), place);
    assert_eq!(
        (reader.floats().expect("floats"), beside.floats().expect("floats")),
        (ONES.to_vec(), vec![2.0, 4.0, 6.0, 8.0])
    );
    assert_eq!(last.floats().expect("floats"), [2.0, 4.0, 6.0, 8.0]);
}

/// Sends the name of the thread that it is called on.
extern "C" fn told(_: *mut c_void, to: *mut c_void) {
    // SAFETY: the test gives a sender that is never freed.
    let to = unsafe { &*to.cast::<mpsc::Sender<String>>() };
    to.send(std::thread::current().name().unwrap_or_default().into()).expect("somebody listens");
}

#[test]
fn memory_is_lent_until_its_last_queued_reader_is_done() {
    let (client, gate) = (Client::new(1), Gate::new("gate_of_memory"));
    let wait = gate.program(&client);
    let (memory, seen) = (Aligned(ONES), Aligned(ONES));
    let (lent, done) = client.buffer_with(&Array::of(F32, &memory.0, &[4]), &[], 2, 0).expect("a buffer");
    let done = Event(done);
    let (say, said) = mpsc::channel::<String>();
    // It may be used for a moment after what it sends is here.
    let say: &'static mpsc::Sender<String> = Box::leak(Box::new(say));
    let (dims, told) = (address(&[4i64]), told as *const () as u64);
    let fields = [client.0, address(&seen.0), dims, 1, F32, 0, 0, told, address(say), 0, 0, 0];
    let view = Buffer(call(slot::CREATE_VIEW, fields).expect("a view")[10]);
    let results = [&lent, &view].map(|buffer| only(wait.run(&[buffer]).expect("begun")));
    drop((lent, view));
    assert!(!done.has_come() && said.try_recv().is_err());
    gate.open();
    for result in &results {
        Event::of(result).wait().expect("a result");
    }
    // Who is told of a view may wait for somebody who waits for the queue.
    assert!(done.has_come() && said.recv().expect("told") == "lawson-beside");
}

#[test]
fn what_is_destroyed_is_used_until_the_run_is_over() {
    let (client, gate) = (Client::new(1), Gate::new("gate_of_ends"));
    let (wait, twice) = (gate.program(&client), client.compile(DONATED, &[]).expect("compiled"));
    let a = floats(&client, &ONES, &[4]);
    let (outputs, complete) = wait.start(&[&a], &[]).expect("begun");
    let unread = only(twice.run(&[&outputs[0]]).expect("begun"));
    let (kept, last) = twice.start(&[&unread], &[]).expect("begun");
    drop((unread, outputs, a, wait, twice, client));
    let (complete, last) = (Event(complete), Event(last));
    assert!(!complete.has_come() && !last.has_come());
    gate.open();
    complete.wait().expect("it ran");
    last.wait().expect("it ran");
    assert_eq!(only(kept).floats().expect("floats"), [4.0, 8.0, 12.0, 16.0]);
}

#[test]
fn a_program_that_calls_python_waits_for_its_arguments() {
    let (client, gate) = (super::python::client(), Gate::new("gate_of_calls"));
    let (wait, call) = (gate.program(&client), super::python::copying(&client));
    let a = floats(&client, &ONES, &[4]);
    let waits = only(wait.run(&[&a]).expect("begun"));
    std::thread::scope(|scope| {
        scope.spawn(|| gate.open());
        let (outputs, complete) = call.start(&[&waits], &[]).expect("run");
        assert!(Event(complete).has_come());
        assert_eq!(only(outputs).floats().expect("floats"), ONES);
    });
}

#[test]
fn python_can_wait_for_what_is_queued() {
    let (client, gate) = (super::python::client(), Gate::new("gate_of_python"));
    let wait = gate.program(&client);
    let a = floats(&client, &ONES, &[4]);
    let (_, complete) = wait.start(&[&a], &[]).expect("begun");
    let complete = Event(complete);
    assert!(!complete.has_come());
    gate.open();
    super::python::finish();
    assert!(complete.has_come());
}

#[test]
fn users_may_have_it_that_calls_return_when_programs_have_run() {
    let (client, gate) = (Client::with_text("async", "off"), Gate::new("gate_of_none"));
    let wait = gate.program(&client);
    gate.say(Err("on purpose"));
    assert!(error(wait.run(&[&floats(&client, &ONES, &[4])])).message.contains("on purpose"));
}
