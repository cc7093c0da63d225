//! A library with the interface of NVIDIA's driver, whose one device is emulated: tests load it in place of the driver, so that
//! the calls of `lawson_cuda::driver::real` are executed where there is no device.
//!
//! It keeps the rules that the driver keeps about its handles: what was not made, or has ended, is an invalid handle, and calls
//! need a current context. `FAKE_DRIVER` in the environment says what is wrong with it: `old`, `no-device`, `lost`.

#![allow(non_snake_case, clippy::missing_safety_doc)]

mod state;

use lawson_cuda::Error;
use lawson_cuda::driver::emulated::{Emulated, Options};
use lawson_cuda::driver::{Driver, Function, Graph, Launch, Module, Rows, Stream};
use state::{Entry, State};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Codes of the driver.
const OK: c_int = 0;
const INVALID_VALUE: c_int = 1;
const OUT_OF_MEMORY: c_int = 2;
const NO_DEVICE: c_int = 100;
const INVALID_DEVICE: c_int = 101;
const INVALID_CONTEXT: c_int = 201;
const INVALID_PTX: c_int = 218;
const INVALID_HANDLE: c_int = 400;
const NOT_FOUND: c_int = 500;
const ILLEGAL_ADDRESS: c_int = 700;
const UNKNOWN: c_int = 999;

static DEVICE: LazyLock<Emulated> = LazyLock::new(|| {
    let lost_after = (mode() == "lost").then_some(2);
    Emulated::new(Options { lost_after, memory_bytes: 64 << 20, ..Options::default() })
});
static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

thread_local! {
    static CURRENT: Cell<bool> = const { Cell::new(false) };
}

fn mode() -> String {
    std::env::var("FAKE_DRIVER").unwrap_or_default()
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn code(result: Result<(), Error>) -> c_int {
    match result {
        Ok(()) => OK,
        Err(Error::OutOfMemory { .. }) => OUT_OF_MEMORY,
        Err(Error::Fault { kernel, why }) => {
            eprintln!("{kernel}: {why}");
            ILLEGAL_ADDRESS
        }
        Err(Error::Lost { .. }) => UNKNOWN,
        Err(Error::Code { .. }) => INVALID_PTX,
        Err(e) => {
            eprintln!("{e}");
            INVALID_VALUE
        }
    }
}

/// Gives the code of what fails.
macro_rules! need {
    ($fine:expr, $code:expr) => {
        if !$fine {
            return $code;
        }
    };
}

macro_rules! need_context {
    () => {
        need!(CURRENT.get(), INVALID_CONTEXT)
    };
}

/// Writes what a call gives.
unsafe fn put<T>(to: *mut T, value: T) -> c_int {
    // SAFETY: callers give an address to write to.
    unsafe { to.write(value) };
    OK
}

unsafe fn put_text(to: *mut *const c_char, text: &'static CStr) -> c_int {
    // SAFETY: as for `put`.
    unsafe { put(to, text.as_ptr()) }
}

fn handle(pointer: *mut c_void) -> u64 {
    pointer.addr() as u64
}

fn pointer(handle: u64) -> *mut c_void {
    std::ptr::without_provenance_mut(handle as usize)
}

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(flags: c_uint) -> c_int {
    need!(flags == 0, INVALID_VALUE);
    need!(mode() != "no-device", NO_DEVICE);
    state().initialised = true;
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { put(version, if mode() == "old" { 11_040 } else { 12_080 }) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: c_int, text: *mut *const c_char) -> c_int {
    let name = match error {
        OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
        NO_DEVICE => c"CUDA_ERROR_NO_DEVICE",
        INVALID_CONTEXT => c"CUDA_ERROR_INVALID_CONTEXT",
        INVALID_PTX => c"CUDA_ERROR_INVALID_PTX",
        INVALID_HANDLE => c"CUDA_ERROR_INVALID_HANDLE",
        ILLEGAL_ADDRESS => c"CUDA_ERROR_ILLEGAL_ADDRESS",
        UNKNOWN => c"CUDA_ERROR_UNKNOWN",
        _ => return INVALID_VALUE,
    };
    // SAFETY: the caller's.
    unsafe { put_text(text, name) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(_error: c_int, text: *mut *const c_char) -> c_int {
    // SAFETY: the caller's.
    unsafe { put_text(text, c"as the fake driver has it") }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    need!(state().initialised, 3);
    // SAFETY: the caller's.
    unsafe { put(count, 1) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    need!(ordinal == 0, INVALID_DEVICE);
    // SAFETY: the caller's.
    unsafe { put(device, 7) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, len: c_int, device: c_int) -> c_int {
    need!(device == 7, INVALID_DEVICE);
    let text = c"fake device";
    need!(len as usize > text.count_bytes(), INVALID_VALUE);
    // SAFETY: the caller has `len` bytes.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), name, text.count_bytes() + 1) };
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> c_int {
    need!(device == 7, INVALID_DEVICE);
    // SAFETY: the caller's.
    unsafe { put(bytes, DEVICE.properties().memory_bytes as usize) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, which: c_int, device: c_int) -> c_int {
    need!(device == 7, INVALID_DEVICE);
    let p = DEVICE.properties();
    let found = match which {
        16 => p.multiprocessors,
        39 => p.threads,
        75 => p.capability.0,
        76 => p.capability.1,
        115 => (mode() != "no-pools") as u32,
        _ => return INVALID_VALUE,
    };
    // SAFETY: the caller's.
    unsafe { put(value, found as c_int) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> c_int {
    need!(device == 7, INVALID_DEVICE);
    state().contexts += 1;
    // SAFETY: the caller's.
    unsafe { put(context, pointer(77)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> c_int {
    let mut state = state();
    need!(device == 7 && state.contexts > 0, INVALID_CONTEXT);
    state.contexts -= 1;
    if state.contexts == 0 && mode() == "tidy" {
        // What is left was forgotten.
        let s = &*state;
        let left =
            [s.streams.len(), s.events.len(), s.modules.len(), s.graphs.len(), s.ready.len(), s.pinned.len()];
        println!(
            "left {left:?}, {} bytes",
            DEVICE.properties().memory_bytes - DEVICE.free_bytes().unwrap_or(0)
        );
    }
    OK
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxReset_v2(device: c_int) -> c_int {
    need!(device == 7, INVALID_DEVICE);
    OK
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: *mut c_void) -> c_int {
    need!(handle(context) == 77 && state().contexts > 0, INVALID_CONTEXT);
    CURRENT.set(true);
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_int {
    need_context!();
    // SAFETY: the caller's.
    unsafe {
        put(free, DEVICE.free_bytes().unwrap_or(0) as usize);
        put(total, DEVICE.properties().memory_bytes as usize)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut *mut c_void, flags: c_uint) -> c_int {
    need_context!();
    need!(flags == 1, INVALID_VALUE);
    let Ok(made) = DEVICE.stream() else { return UNKNOWN };
    state().streams.insert(made.number());
    // SAFETY: the caller's.
    unsafe { put(stream, pointer(made.number())) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(stream: *mut c_void) -> c_int {
    need_context!();
    need!(state().streams.remove(&handle(stream)), INVALID_HANDLE);
    DEVICE.end_stream(Stream::of_number(handle(stream)));
    OK
}

/// The stream, if there is one, in a context.
fn stream(of: *mut c_void) -> Result<Stream, c_int> {
    match (CURRENT.get(), state().streams.contains(&handle(of))) {
        (false, _) => Err(INVALID_CONTEXT),
        (_, false) => Err(INVALID_HANDLE),
        _ => Ok(Stream::of_number(handle(of))),
    }
}

/// Calls the device with a stream.
fn on(of: *mut c_void, f: impl FnOnce(Stream) -> Result<(), Error>) -> c_int {
    stream(of).map_or_else(|e| e, |s| code(f(s)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(of: *mut c_void) -> c_int {
    on(of, |s| DEVICE.wait(s))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamQuery(of: *mut c_void) -> c_int {
    on(of, |s| DEVICE.is_done(s).map(|_| ()))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamBeginCapture_v2(of: *mut c_void, mode: c_int) -> c_int {
    need!((0..3).contains(&mode), INVALID_VALUE);
    on(of, |s| DEVICE.begin_capture(s))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamEndCapture(of: *mut c_void, graph: *mut *mut c_void) -> c_int {
    on(of, |s| {
        let made = DEVICE.end_capture(s)?;
        state().graphs.insert(made.number());
        // SAFETY: the caller's.
        unsafe { put(graph, pointer(made.number())) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphInstantiateWithFlags(
    ready: *mut *mut c_void,
    graph: *mut c_void,
    flags: c_ulonglong,
) -> c_int {
    need_context!();
    need!(flags == 0 && state().graphs.contains(&handle(graph)), INVALID_HANDLE);
    state().ready.insert(handle(graph));
    // SAFETY: the caller's.
    unsafe { put(ready, graph) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphDestroy(graph: *mut c_void) -> c_int {
    need!(state().graphs.remove(&handle(graph)), INVALID_HANDLE);
    OK
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphLaunch(ready: *mut c_void, of: *mut c_void) -> c_int {
    need!(state().ready.contains(&handle(ready)), INVALID_HANDLE);
    on(of, |s| DEVICE.run_graph(s, Graph::of_number(handle(ready))))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphExecDestroy(ready: *mut c_void) -> c_int {
    need!(state().ready.remove(&handle(ready)), INVALID_HANDLE);
    DEVICE.end_graph(Graph::of_number(handle(ready)));
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocAsync(at: *mut u64, bytes: usize, of: *mut c_void) -> c_int {
    on(of, |s| {
        let made = DEVICE.allocate(s, bytes)?;
        // SAFETY: the caller's.
        unsafe { put(at, made) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFreeAsync(at: u64, of: *mut c_void) -> c_int {
    on(of, |s| {
        DEVICE.free(s, at);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(at: *mut u64, bytes: usize) -> c_int {
    need_context!();
    match DEVICE.allocate(Stream::of_number(0), bytes) {
        // SAFETY: the caller's.
        Ok(made) => unsafe { put(at, made) },
        Err(e) => code(Err(e)),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(at: u64) -> c_int {
    need_context!();
    DEVICE.free(Stream::of_number(0), at);
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint) -> c_int {
    need_context!();
    need!(flags == 0, INVALID_VALUE);
    let made = Box::leak(vec![0u8; bytes].into_boxed_slice()).as_mut_ptr();
    state().pinned.insert(made.expose_provenance(), bytes);
    // SAFETY: the caller's.
    unsafe { put(memory, made.cast()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(memory: *mut c_void) -> c_int {
    let Some(bytes) = state().pinned.remove(&memory.addr()) else { return INVALID_VALUE };
    // SAFETY: made by `cuMemHostAlloc`, with that many bytes, and removed once.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory.cast::<u8>(), bytes)) });
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    of: *mut c_void,
) -> c_int {
    // SAFETY: the caller has so many bytes.
    on(of, |s| DEVICE.write(s, to, unsafe { std::slice::from_raw_parts(from.cast(), bytes) }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    bytes: usize,
    of: *mut c_void,
) -> c_int {
    // SAFETY: the caller has so many bytes.
    on(of, |s| DEVICE.read(s, from, unsafe { std::slice::from_raw_parts_mut(to.cast(), bytes) }))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, of: *mut c_void) -> c_int {
    on(of, |s| DEVICE.copy(s, &Rows::whole(from, to, bytes)))
}

/// `CUDA_MEMCPY2D`, in the order of the driver's interface.
#[repr(C)]
pub struct Copy2D {
    from_x: usize,
    from_y: usize,
    from_type: c_uint,
    from_host: *const c_void,
    from: u64,
    from_array: *mut c_void,
    from_pitch: usize,
    to_x: usize,
    to_y: usize,
    to_type: c_uint,
    to_host: *mut c_void,
    to: u64,
    to_array: *mut c_void,
    to_pitch: usize,
    width: usize,
    height: usize,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpy2DAsync_v2(copy: *const Copy2D, of: *mut c_void) -> c_int {
    // SAFETY: the caller's.
    let c = unsafe { &*copy };
    need!(
        [c.from_x, c.from_y, c.to_x, c.to_y] == [0; 4] && (c.from_type, c.to_type) == (2, 2),
        INVALID_VALUE
    );
    need!(c.from_pitch >= c.width && c.to_pitch >= c.width, INVALID_VALUE);
    let rows = Rows {
        from: c.from,
        to: c.to,
        width: c.width,
        rows: c.height,
        from_pitch: c.from_pitch,
        to_pitch: c.to_pitch,
    };
    on(of, |s| DEVICE.copy(s, &rows))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut *mut c_void, flags: c_uint) -> c_int {
    need_context!();
    need!(flags == 2, INVALID_VALUE);
    let mut state = state();
    state.made += 1;
    let made = state.made;
    state.events.insert(made);
    // SAFETY: the caller's.
    unsafe { put(event, pointer(made as u64)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventDestroy_v2(event: *mut c_void) -> c_int {
    need!(state().events.remove(&event.addr()), INVALID_HANDLE);
    OK
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventRecord(event: *mut c_void, of: *mut c_void) -> c_int {
    need!(state().events.contains(&event.addr()), INVALID_HANDLE);
    on(of, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventSynchronize(event: *mut c_void) -> c_int {
    need!(state().events.contains(&event.addr()), INVALID_HANDLE);
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut *mut c_void,
    image: *const c_void,
    options: c_uint,
    names: *mut c_int,
    values: *mut *mut c_void,
) -> c_int {
    need_context!();
    // SAFETY: the image is text that ends with a zero, and there are so many options.
    let (text, names, values) = unsafe {
        let count = options as usize;
        let names = std::slice::from_raw_parts(names, count);
        (CStr::from_ptr(image.cast()), names, std::slice::from_raw_parts(values, count))
    };
    need!(names == [5, 6] && values[1].addr() > 64, INVALID_VALUE);
    let Ok(text) = text.to_str() else { return INVALID_PTX };
    match DEVICE.load("code", text) {
        Ok(made) => {
            let mut state = state();
            state.modules.insert(made.number());
            state.texts.insert(made.number(), text.into());
            // SAFETY: the caller's.
            unsafe { put(module, pointer(made.number())) }
        }
        Err(_) => {
            let log = c"ptxas: it cannot be read";
            // SAFETY: the log has more than 64 bytes.
            unsafe { std::ptr::copy_nonoverlapping(log.as_ptr(), values[0].cast(), log.count_bytes() + 1) };
            INVALID_PTX
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: *mut c_void) -> c_int {
    need_context!();
    need!(state().modules.remove(&handle(module)), INVALID_HANDLE);
    DEVICE.unload(Module::of_number(handle(module)));
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *mut c_void,
    module: *mut c_void,
    name: *const c_char,
) -> c_int {
    need!(state().modules.contains(&handle(module)), INVALID_HANDLE);
    // SAFETY: text that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    // How much shared memory launches may ask for is checked here.
    let found = DEVICE.function(Module::of_number(handle(module)), &name, Entry::MOST_SHARED);
    let Ok(found) = found else { return NOT_FOUND };
    let mut state = state();
    let text = &state.texts[&handle(module)];
    // `.param .align 8 .b8 NAME[BYTES]`: the words that a launch copies.
    let bytes = text
        .split(&format!(".entry {name}("))
        .nth(1)
        .and_then(|rest| rest.split(['[', ']']).nth(1).and_then(|n| n.parse::<usize>().ok()));
    let Some(bytes) = bytes else { return INVALID_VALUE };
    state.functions.insert(found.number(), Entry { words: bytes / 8, shared: Entry::WITHOUT_ASKING });
    // A handle is never 0.
    // SAFETY: the caller's.
    unsafe { put(function, pointer(found.number() + 1)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncSetAttribute(function: *mut c_void, attribute: c_int, value: c_int) -> c_int {
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
    const SHARED: c_int = 8;
    need!(attribute == SHARED && (0..=Entry::MOST_SHARED as c_int).contains(&value), INVALID_VALUE);
    match state().functions.get_mut(&handle(function).wrapping_sub(1)) {
        Some(entry) => {
            entry.shared = value as c_uint;
            OK
        }
        None => INVALID_HANDLE,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *mut c_void,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    of: *mut c_void,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> c_int {
    need!([grid_y, grid_z, block_y, block_z] == [1; 4] && extra.is_null(), INVALID_VALUE);
    let number = handle(function).wrapping_sub(1);
    let Some(Entry { words, shared: most }) = state().functions.get(&number).copied() else {
        return INVALID_HANDLE;
    };
    need!(shared <= most, INVALID_VALUE);
    // SAFETY: the entry has one parameter of so many words, whose address is the first of the parameters.
    let words = unsafe { std::slice::from_raw_parts((*parameters).cast::<u64>(), words) };
    let function = Function::of_number(number);
    let (blocks, threads) = (grid_x, block_x);
    let launch = Launch { kernel: "a kernel", function, blocks, threads, shared, words };
    on(of, |s| DEVICE.launch(s, &launch))
}
