//! What the driver has handed out.

use std::collections::{HashMap, HashSet};
use std::ffi::c_uint;

/// An entry of a module: the words that a launch passes, read from its text, and the bytes of shared memory that it may ask for.
#[derive(Clone, Copy)]
pub struct Entry {
    pub words: usize,
    pub shared: c_uint,
}

impl Entry {
    /// Bytes of shared memory that a launch may ask for before its entry is told of more, and those of which it may be told.
    pub const WITHOUT_ASKING: c_uint = 48 << 10;
    pub const MOST_SHARED: c_uint = 227 << 10;
}

#[derive(Default)]
pub struct State {
    pub initialised: bool,
    pub contexts: usize,
    pub streams: HashSet<u64>,
    pub events: HashSet<usize>,
    pub modules: HashSet<u64>,
    pub functions: HashMap<u64, Entry>,
    pub texts: HashMap<u64, String>,
    /// Recorded, and those that are ready.
    pub graphs: HashSet<u64>,
    pub ready: HashSet<u64>,
    pub pinned: HashMap<usize, usize>,
    pub made: usize,
}
