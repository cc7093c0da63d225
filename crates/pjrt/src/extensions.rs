//! Extensions of the table: tables of more functions, in a chain.
//!
//! Layouts of arrays, and shardings of programs: with them callers learn of a program's arguments and results without its text. And the
//! profiler, whose functions stand in a table of its own.

use crate::abi::entry::Entry;
use crate::calls::{layouts, profiler, shardings};
use std::ffi::c_void;

#[repr(C)]
struct Extension<const N: usize> {
    struct_size: usize,
    kind: u32,
    next: *const c_void,
    functions: [Entry; N],
}

// SAFETY: it never changes.
unsafe impl<const N: usize> Sync for Extension<N> {}

/// A function as the C API has it: it does the work of a safe one, or says that there is none.
macro_rules! entry {
    ($name:ident) => {{
        unsafe extern "C" fn called(
            _: *mut std::ffi::c_void,
        ) -> $crate::abi::memory::Handle<$crate::abi::failure::Failure> {
            $crate::abi::failure::absent(stringify!($name))
        }
        called
    }};
    ($name:ident = $function:path) => {{
        unsafe extern "C" fn called(
            args: *mut std::ffi::c_void,
        ) -> $crate::abi::memory::Handle<$crate::abi::failure::Failure> {
            // SAFETY: the caller gives the arguments of this function.
            unsafe { $crate::abi::entry::enter(args, $function) }
        }
        called
    }};
}
pub(crate) use entry;

static LAYOUTS: Extension<7> = Extension {
    struct_size: size_of::<Extension<7>>(),
    kind: 4,
    next: (&raw const SHARDINGS).cast(),
    functions: [
        entry!(Layouts_MemoryLayout_Destroy = layouts::destroy),
        entry!(Layouts_MemoryLayout_Serialize = layouts::serialize),
        entry!(Layouts_Client_GetDefaultLayout = layouts::default_of_client),
        entry!(Layouts_Buffer_MemoryLayout = layouts::of_buffer),
        entry!(Layouts_Topology_GetDefaultLayout = layouts::default_of_topology),
        entry!(Layouts_Executable_GetOutputLayouts = layouts::of_outputs),
        entry!(Layouts_Executable_GetParameterLayouts = layouts::of_parameters),
    ],
};

static SHARDINGS: Extension<2> = Extension {
    struct_size: size_of::<Extension<2>>(),
    kind: 19,
    next: (&raw const PROFILER).cast(),
    functions: [
        entry!(Shardings_Executable_ParameterShardings = shardings::none),
        entry!(Shardings_Executable_OutputShardings = shardings::none),
    ],
};

/// The extension of the profiler.
#[repr(C)]
struct Profiler {
    struct_size: usize,
    kind: u32,
    next: *const c_void,
    table: *const ProfilerTable,
    /// Of what runs on other threads for a call; none is told.
    context: i64,
}

// SAFETY: it never changes.
unsafe impl Sync for Profiler {}

#[repr(C)]
struct ProfilerTable {
    struct_size: usize,
    private: *const c_void,
    functions: [Entry; 8],
}

// SAFETY: it never changes.
unsafe impl Sync for ProfilerTable {}

/// A function of the profiler.
macro_rules! profiler_entry {
    ($function:path) => {{
        unsafe extern "C" fn called(
            args: *mut std::ffi::c_void,
        ) -> $crate::abi::memory::Handle<$crate::abi::failure::Failure> {
            // SAFETY: the caller gives the arguments of this function.
            unsafe { $crate::abi::entry::enter_whole(args, $function) }
        }
        called
    }};
}

static PROFILER: Profiler = Profiler {
    struct_size: size_of::<Profiler>(),
    kind: 1,
    next: std::ptr::null(),
    table: &raw const PROFILER_TABLE,
    context: 0,
};

static PROFILER_TABLE: ProfilerTable = ProfilerTable {
    struct_size: size_of::<ProfilerTable>(),
    private: std::ptr::null(),
    functions: [
        profiler_entry!(profiler::destroy_error),
        profiler_entry!(profiler::error_message),
        profiler_entry!(profiler::error_code),
        profiler_entry!(profiler::create),
        profiler_entry!(profiler::destroy),
        profiler_entry!(profiler::start),
        profiler_entry!(profiler::stop),
        profiler_entry!(profiler::collect),
    ],
};

/// The first of the chain.
pub const fn first() -> *const c_void {
    (&raw const LAYOUTS).cast()
}
