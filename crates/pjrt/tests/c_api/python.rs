//! What programs call in the process of their caller, as the plugin's half in Python offers it.

use super::caller::{Client, Loaded, address, bytes, call, chosen, slot};
use super::{INVALID_ARGUMENT, ONES, UNIMPLEMENTED, error, floats};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

#[repr(C)]
struct Door {
    enter: Enter,
    open: u32,
    finish: AtomicUsize,
}

type Enter =
    extern "C" fn(u32, i64, i64, *const [u64; 2], usize, *const [u64; 2], usize, *mut u8, usize) -> usize;

thread_local! {
    /// What was asked on this thread: a call, to hold, or to release, of which number, for whom.
    static ASKED: RefCell<Vec<(u32, i64, i64)>> = const { RefCell::new(Vec::new()) };
}

/// Number 7 copies its operand, and there is no other.
extern "C" fn enter(
    what: u32,
    number: i64,
    holder: i64,
    operands: *const [u64; 2],
    operand_count: usize,
    results: *const [u64; 2],
    result_count: usize,
    message: *mut u8,
    room: usize,
) -> usize {
    ASKED.with_borrow_mut(|asked| asked.push((what, number, holder)));
    let said = if what == 1 && number != 7 {
        "there is only number 7".to_string()
    } else if what == 0 {
        assert_eq!((operand_count, result_count), (1, 1));
        // SAFETY: that many are there.
        let ([from, read], [to, written]) = unsafe { (*operands, *results) };
        if read == written {
            // SAFETY: as many bytes may be written.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes(from, read).as_ptr(), to as *mut u8, read as usize)
            };
        }
        if read == written { String::new() } else { format!("{read} bytes are not {written}") }
    } else {
        String::new()
    };
    assert!(said.len() <= room);
    // SAFETY: there is room.
    unsafe { std::ptr::copy_nonoverlapping(said.as_ptr(), message, said.len()) };
    said.len()
}

static DOOR: Door = Door { enter, open: 1, finish: AtomicUsize::new(0) };

/// A client whose programs may call number 7.
pub fn client() -> Client {
    Client::with("python_callback", address(&DOOR))
}

/// The program that calls number 7.
pub fn copying(client: &Client) -> Loaded {
    client.compile(&program(7, 4, false), &[]).expect("compiled")
}

/// As Python before it ends.
pub fn finish() {
    let finish = DOOR.finish.load(Ordering::Acquire);
    assert_ne!(finish, 0);
    // SAFETY: a client has put the function there.
    unsafe { std::mem::transmute::<usize, extern "C" fn()>(finish)() }
}

fn program(number: i64, results: u64, has_effects: bool) -> Vec<u8> {
    let (to, rest) = (format!("tensor<{results}xf32>"), format!("{{has_side_effect = {has_effects}}}"));
    format!(
        "func.func public @main(%a: tensor<4xf32>) -> {to} {{
    %0 = stablehlo.custom_call @lawson_python_callback_{number}(%a) {rest} : (tensor<4xf32>) -> {to}
    return %0 : {to}
}}"
    )
    .into_bytes()
}

/// A program as serialized, of this source.
fn serialized(source: &[u8]) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let mut bytes = b"lawson program\n".to_vec();
    bytes.extend([0x0a, version.len() as u8]);
    bytes.extend(version.bytes());
    bytes.extend([0x12, source.len() as u8 | 0x80, (source.len() >> 7) as u8]);
    bytes.extend(source);
    bytes
}

#[test]
fn programs_hold_what_they_call_and_say_how_much_they_lend() {
    let client = client();
    let asked = || ASKED.take();
    let a = floats(&client, &ONES, &[4]);

    let copy = client.compile(&program(7, 4, false), &[]).expect("compiled");
    let [(1, 7, holder)] = asked()[..] else { panic!("number 7 is held") };
    assert_eq!(copy.run(&[&a]).expect("results")[0].floats().expect("floats"), ONES);
    assert_eq!(asked(), [(0, 0, holder)]);
    drop(copy);
    assert_eq!(asked(), [(2, 0, holder)]);

    let larger = client.compile(&program(7, 5, false), &[]).expect("compiled");
    let e = error(larger.run(&[&a]));
    assert!(e.message.contains("16 bytes are not 20"), "{}", e.message);
    let e = error(client.compile(&program(8, 4, false), &[]));
    assert!(e.code == INVALID_ARGUMENT && e.message.contains("there is only number 7"), "{}", e.message);

    // Measuring runs a program several times.
    let profile = chosen("lawson_profile", "true");
    client.compile(&program(7, 4, false), &profile).expect("a call without effects");
    let e = error(client.compile(&program(7, 4, true), &profile));
    assert!(e.code == UNIMPLEMENTED && e.message.contains("effects on the host"), "{}", e.message);

    // Numbers of another process.
    let saved = serialized(&program(7, 4, false));
    let e = error(call(slot::DESERIALIZE, [client.0, address(&saved[..]), saved.len() as u64, 0, 0, 0, 0]));
    assert!(e.code == INVALID_ARGUMENT && e.message.contains("calls functions in Python"), "{}", e.message);
}
