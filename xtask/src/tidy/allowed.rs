//! Exceptions to the rules, each with its reason.

use super::files::{self, MAX_LINES};
use super::source::Source;

/// Files that may be longer than [`MAX_LINES`] without their tests.
const LONG: &[(&str, &str)] = &[];

/// Files and folders that may say `unsafe`.
const UNSAFE: &[(&str, &str)] = &[
    ("crates/llvm/src/", "calls LLVM's C interface"),
    ("crates/cpu/src/mapping.rs", "maps memory and changes its protection"),
    ("crates/cpu/src/memory.rs", "hands out memory without clearing it"),
    ("crates/cpu/src/threads.rs", "lends a closure to threads for the time of a call"),
    ("crates/cpu/src/float_env.rs", "sets the float control word"),
    ("crates/cpu/src/tiles.rs", "asks the system for registers"),
    ("crates/cpu/src/loader.rs", "turns loaded code into functions"),
    ("crates/cpu/src/executable.rs", "addresses the memory of a run"),
    ("crates/cpu/src/run.rs", "calls compiled code on buffers"),
    ("crates/cpu/src/run/routines.rs", "hands buffers to routines"),
    ("crates/routines/src/columns.rs", "writes columns of a matrix whose others belong to other threads"),
    ("crates/routines/src/instructions.rs", "calls instructions that not every processor has"),
    ("crates/routines/src/vectors.rs", "calls loops compiled for vectors that not every processor has"),
    ("crates/cuda/src/driver/functions.rs", "finds the functions of NVIDIA's driver"),
    ("crates/cuda/src/driver/real.rs", "calls them"),
    ("crates/cuda/src/driver/staging.rs", "copies through pinned memory"),
    ("crates/cuda/src/foreign.rs", "takes streams and memory that the caller vouches for"),
    ("crates/lawson/src/dlpack.rs", "reads and writes structures of DLPack"),
    ("crates/cuda/tests/driver.rs", "vouches for a stream and memory"),
    ("crates/lawson/tests/dlpack.rs", "reads and writes structures of DLPack"),
    ("crates/cuda/tests/fake_driver/lib.rs", "has the interface of NVIDIA's driver"),
    ("crates/pjrt/src/abi/", "reads and writes what crosses PJRT's C interface"),
    ("crates/pjrt/src/allocator.rs", "sets an option of the allocator"),
    ("crates/pjrt/src/args.rs", "says that the arguments of calls may be zero"),
    (
        "crates/pjrt/src/extensions.rs",
        "has tables of functions, each of which takes a pointer to its arguments",
    ),
    (
        "crates/pjrt/src/table.rs",
        "exports the table of functions, each of which takes a pointer to its arguments",
    ),
    ("crates/pjrt/tests/c_api/caller.rs", "calls the plugin through its C interface"),
    ("crates/pjrt/tests/c_api/lent.rs", "is called by the plugin"),
    ("crates/pjrt/tests/c_api/python.rs", "is called by the plugin"),
    ("crates/pjrt/tests/c_api/queue.rs", "is called by the plugin"),
    ("crates/stablehlo/tests/mutated.rs", "counts the memory in use"),
];

/// Imports that may close a circle: from, to (both files, or both folders without `.rs`), and why.
pub const CIRCLES: &[(&str, &str, &str)] = &[];

pub fn may_be_long(path: &str) -> bool {
    LONG.iter().any(|(allowed, _)| path == *allowed)
}

pub fn may_be_unsafe(path: &str) -> bool {
    UNSAFE.iter().any(|(allowed, _)| path.starts_with(allowed))
}

/// Exceptions that nothing needs any more.
pub fn stale(sources: &[Source]) -> Vec<String> {
    let long = LONG
        .iter()
        .filter(|(path, _)| !sources.iter().any(|s| s.path == *path && files::length(s) > MAX_LINES));
    let long =
        long.map(|(path, _)| format!("{path}: is short or gone; strike it from the list of long files"));
    let unsafe_ = UNSAFE.iter().filter(|(path, _)| {
        path.ends_with(".rs") && !sources.iter().any(|s| s.path == *path && files::has_unsafe(s))
    });
    let unsafe_ = unsafe_.map(|(path, _)| format!("{path}: strike it from the list of files with `unsafe`"));
    long.chain(unsafe_).collect()
}
