//! Damaged programs are errors with a place: no panic, no allocation beyond a multiple of the input's size.

// Each test uses a part of it.
#[allow(dead_code)]
mod support;

use lawson_hlo::verify::verify;
use lawson_stablehlo::{Place, read};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use support::{files, folder};

/// Counts the bytes in use, and the most that ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's promise about the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `at` came from `alloc` with this layout.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes in use for each byte of a program of a few kilobytes, and on top of it.
const PER_BYTE: usize = 4000;
const CONSTANT: usize = 1 << 20;

/// Numbers that look random: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A copy that is wrong somewhere: bytes changed, taken out, put in, or the end cut off.
fn damaged(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes[at] = [0x00, 0xff, 0x01, 0x80, 0xfe][random.below(5)],
            3 => {
                bytes.remove(at);
            }
            4 => bytes.insert(at, random.next() as u8),
            _ => {
                let n = random.below(9).min(bytes.len() - at);
                let from = random.below(bytes.len() - n + 1);
                bytes.copy_within(from..from + n, at);
            }
        }
    }
    if random.below(10) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// A program that names one list or dictionary many times over: each of 24 holds the one before twice.
fn shared(use_of_last: &str, one: impl Fn(usize) -> String) -> String {
    let all: String = (1..=24).map(|i| format!("#a{i} = {}\n", one(i - 1))).collect();
    let ops = format!("  %0 = {use_of_last}\n  return %0 : tensor<4x4xf32>");
    format!("#a0 = true\n{all}func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{\n{ops}\n}}\n")
}

/// Ten thousand damaged artifacts and as many texts, and some that are made to grow. The only test of this program, since its
/// memory is counted.
#[test]
fn damaged_programs_are_errors_and_take_little_memory() {
    let list = |i: usize| format!("[#a{i}, #a{i}]");
    let convolution = shared(
        "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = #a24} \
         {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
        list,
    );
    let routine = shared(
        "stablehlo.custom_call @lawson.geqp3(%x) {backend_config = {lower = #a24}} : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        |i| format!("{{a = #a{i}, b = #a{i}}}"),
    );
    for text in [convolution, routine] {
        let before = IN_USE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let e = read(text.as_bytes()).expect_err("too much is named");
        let used = PEAK.load(Relaxed) - before;
        assert!(used <= CONSTANT + PER_BYTE * text.len(), "{used} bytes: {e}");
    }
    for (ending, seed) in [(".mlir.bc", 0x1234_5678_9abc_def1), (".plain.mlir", 0xfeed_5678_9abc_def1)] {
        let programs: Vec<Vec<u8>> =
            files(&folder(), ending).iter().map(|p| std::fs::read(p).expect("a program")).collect();
        let mut random = Random(seed);
        let mut errors = 0;
        for i in 0..10_000 {
            let bytes = damaged(&programs[i % programs.len()], &mut random);
            let before = IN_USE.load(Relaxed);
            PEAK.store(before, Relaxed);
            let result = read(&bytes);
            let used = PEAK.load(Relaxed) - before;
            assert!(
                used <= CONSTANT + PER_BYTE * bytes.len(),
                "{used} bytes for a program of {}",
                bytes.len()
            );
            match result {
                Ok(module) => {
                    assert_eq!(verify(&module), Ok(()), "what is read is well formed");
                    // It prints, or it is said why not.
                    drop(lawson_stablehlo::print(&module));
                }
                Err(e) => {
                    errors += 1;
                    assert_ne!(e.place, Place::Unknown, "{e}");
                }
            }
        }
        assert!(errors > 3_000, "{errors} of the damaged programs are errors");
    }
}
