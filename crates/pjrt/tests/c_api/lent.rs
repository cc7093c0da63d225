//! Memory that the caller lends, and how it is told that nobody reads it any more.

use super::caller::{Array, Buffer, Client, F32, Failed, address, call, slot};
use super::{Aligned, ONES, UNIMPLEMENTED, error};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

fn view(client: &Client, array: &Array, told: Told, argument: u64) -> Result<Buffer, Failed> {
    let (dims, rank) = (address(&array.dims[..]), array.dims.len() as u64);
    let told = told as *const () as u64;
    let fields = [client.0, array.start, dims, rank, array.element_type, 0, 0, told, argument, 0, 0, 0];
    Ok(Buffer(call(slot::CREATE_VIEW, fields)?[10]))
}

type Told = extern "C" fn(*mut c_void, *mut c_void);

/// Counts in the number that its argument is.
extern "C" fn count(_: *mut c_void, number: *mut c_void) {
    // SAFETY: tests give a number that outlives the buffer.
    unsafe { &*number.cast::<AtomicU64>() }.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn the_owner_of_a_view_is_told_once_and_only_if_there_was_one() {
    let client = Client::new(1);
    let memory = Aligned(ONES);
    let array = Array::of(F32, &memory.0, &[4]);
    let told = AtomicU64::new(0);
    let buffer = view(&client, &array, count, address(&told)).expect("a view");
    assert_eq!((buffer.pointer(), told.load(Ordering::Relaxed)), (array.start, 0));
    drop(buffer);
    assert_eq!(told.load(Ordering::Relaxed), 1);

    // Not where programs want it: copied, so it is free at once.
    let copied = Array::of(F32, &memory.0[1..], &[3]);
    let buffer = view(&client, &copied, count, address(&told)).expect("a copy");
    assert_eq!(told.load(Ordering::Relaxed), 2);
    drop(buffer);
    assert_eq!(told.load(Ordering::Relaxed), 2);

    // A call that fails has taken nothing.
    let nowhere = Array { start: 0, ..Array::of(F32, &memory.0, &[4]) };
    assert!(view(&client, &nowhere, count, address(&told)).is_err());
    assert_eq!(told.load(Ordering::Relaxed), 2);
}

/// Asks for the buffer whose number its argument is, as an owner may that has a lock of its own.
extern "C" fn ask(_: *mut c_void, buffer: *mut c_void) {
    // SAFETY: tests give a number that outlives the buffer.
    let buffer = unsafe { &*buffer.cast::<AtomicU64>() };
    let asked = call(slot::IS_DELETED, [buffer.load(Ordering::Relaxed), 0]).expect("a buffer");
    buffer.store(asked[1] & 1, Ordering::Relaxed);
}

#[test]
fn who_is_told_may_ask_for_the_buffer() {
    let client = Client::new(1);
    let memory = Aligned(ONES);
    let number = AtomicU64::new(0);
    let buffer = view(&client, &Array::of(F32, &memory.0, &[4]), ask, address(&number)).expect("a view");
    number.store(buffer.0, Ordering::Relaxed);
    call(slot::BUFFER_DELETE, [buffer.0]).expect("deleted");
    assert_eq!(number.load(Ordering::Relaxed), 1);
}

#[test]
fn arrays_on_the_device_are_row_major() {
    let client = Client::new(1);
    let array = Array::of(F32, &ONES, &[2, 2]);
    let with = |minor_to_major: [i64; 2]| {
        let layout = [80, 0, 56, 0, address(&minor_to_major), 2, 0, 0, 0, 0];
        let (dims, layout) = (address(&array.dims[..]), address(&layout));
        let fields = [client.0, array.start, F32, dims, 2, 0, 0, 0, 0, 0, layout, 0, 0];
        let made = call(slot::BUFFER_FROM_HOST, fields)?;
        call(slot::EVENT_DESTROY, [made[11]])?;
        Ok::<_, Failed>(Buffer(made[12]))
    };
    assert_eq!(with([1, 0]).expect("row-major").floats().expect("floats"), ONES);
    let e = error(with([0, 1]));
    assert!(e.code == UNIMPLEMENTED && e.message.contains("row-major"), "{}", e.message);
}
