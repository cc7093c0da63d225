//! NVIDIA's driver of one device, in the context that other libraries of the process use too.

use super::functions::{Functions, NOT_READY, OUT_OF_MEMORY};
use super::staging::Staging;
use super::{Address, Driver, Function, Graph, Launch, Module, Properties, Rows, Stream};
use crate::error::{Error, OLDEST_CAPABILITY};
use cudarc::driver::sys::{CUDA_MEMCPY2D, CUcontext, CUmemorytype};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

pub struct Real {
    f: &'static Functions,
    device: c_int,
    context: CUcontext,
    /// Whether memory is handed out in the order of a stream.
    pools: bool,
    properties: Properties,
    /// Dropped by hand, in the context.
    staging: Mutex<Option<Staging>>,
    /// The device is lost, and with it all that was made in its context.
    lost: AtomicBool,
}

// SAFETY: the driver's functions may be called from any thread; each call makes the context current in its thread.
unsafe impl Send for Real {}
// SAFETY: as above.
unsafe impl Sync for Real {}

/// Attributes of devices, by their numbers in the driver's interface.
const MULTIPROCESSORS: c_int = 16;
const THREADS: c_int = 39;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const MEMORY_POOLS: c_int = 115;
/// Streams do not wait for the default one.
const NON_BLOCKING: u32 = 1;
/// Other threads may do what they like while one captures.
const RELAXED: c_int = 2;
/// The attribute of an entry by which its launches may ask for so much shared memory.
const SHARED: c_int = 8;
/// Options of loading: where its messages go, and how long they may be.
const LOG: c_int = 5;
const LOG_BYTES: c_int = 6;

/// What the devices of this machine are, in order.
///
/// # Errors
/// There is no driver, it is too old, or there is no device.
pub fn list() -> Result<Vec<Properties>, Error> {
    let f = Functions::get()?;
    (0..f.devices()?).map(|n| Ok(properties(f, handle(f, n)?)?.0)).collect()
}

fn handle(f: &Functions, ordinal: usize) -> Result<c_int, Error> {
    let mut device = 0;
    // SAFETY: it writes one number.
    f.check("cuDeviceGet", unsafe { (f.device)(&mut device, ordinal as c_int) })?;
    Ok(device)
}

/// And whether memory is handed out in the order of a stream.
fn properties(f: &Functions, device: c_int) -> Result<(Properties, bool), Error> {
    let attribute = |which| {
        let mut value = 0;
        // SAFETY: it writes one number.
        f.check("cuDeviceGetAttribute", unsafe { (f.device_attribute)(&mut value, which, device) })?;
        Ok::<u32, Error>(value.max(0) as u32)
    };
    let mut name = [0 as c_char; 256];
    let (mut bytes, mut driver) = (0, 0);
    // SAFETY: each writes to the variable it is given, whose size it is told.
    let name = unsafe {
        f.check("cuDeviceGetName", (f.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, device))?;
        f.check("cuDeviceTotalMem", (f.device_memory)(&mut bytes, device))?;
        f.check("cuDriverGetVersion", (f.driver_version)(&mut driver))?;
        CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
    };
    let properties = Properties {
        name,
        capability: (attribute(MAJOR)?, attribute(MINOR)?),
        memory_bytes: bytes as u64,
        multiprocessors: attribute(MULTIPROCESSORS)?,
        threads: attribute(THREADS)?,
        driver: driver as u32,
    };
    Ok((properties, attribute(MEMORY_POOLS)? != 0))
}

impl Real {
    /// The device of this number.
    ///
    /// # Errors
    /// There is none, or it is too old.
    pub fn open(ordinal: usize) -> Result<Real, Error> {
        let f = Functions::get()?;
        let found = f.devices()?;
        match found {
            0 => return Err(Error::NoDevice { why: "it counts none".into() }),
            n if ordinal >= n => return Err(Error::NoSuchDevice { wanted: ordinal, found }),
            _ => {}
        }
        let device = handle(f, ordinal)?;
        let (properties, pools) = properties(f, device)?;
        if properties.capability < OLDEST_CAPABILITY {
            return Err(Error::DeviceTooOld { name: properties.name, found: properties.capability });
        }
        let mut context = std::ptr::null_mut();
        // SAFETY: it writes one handle.
        f.check("cuDevicePrimaryCtxRetain", unsafe { (f.retain_context)(&mut context, device) })?;
        let staging = Mutex::new(Some(Staging::new(f)));
        Ok(Real { f, device, context, pools, properties, staging, lost: AtomicBool::new(false) })
    }

    /// Makes a device usable again that was lost; what is in its memory is gone, also that of other libraries.
    pub fn reset(ordinal: usize) {
        if let Ok((f, device)) = Functions::get().and_then(|f| Ok((f, handle(f, ordinal)?))) {
            // SAFETY: what was made in the context belongs to a device that is lost: all its handles answer with errors.
            unsafe { (f.reset_context)(device) };
        }
    }

    /// Makes the context that of this thread.
    fn enter(&self) -> Result<(), Error> {
        // SAFETY: the context was retained by `open`.
        self.check("cuCtxSetCurrent", unsafe { (self.f.set_context)(self.context) })
    }

    fn check(&self, call: &'static str, code: c_int) -> Result<(), Error> {
        self.noted(self.f.check(call, code))
    }

    fn noted<T>(&self, done: Result<T, Error>) -> Result<T, Error> {
        if done.as_ref().is_err_and(Error::is_final) {
            self.lost.store(true, Ordering::Relaxed);
        }
        done
    }

    fn staged<R>(&self, f: impl FnOnce(&mut Staging) -> Result<R, Error>) -> Result<R, Error> {
        let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        self.noted(f(staging.get_or_insert_with(|| Staging::new(self.f))))
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        let staging = self.staging.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if self.lost.load(Ordering::Relaxed) || self.enter().is_err() {
            // Its memory and events went with the context.
            std::mem::forget(staging);
        } else {
            drop(staging);
        }
        // SAFETY: retained by `open`, once.
        unsafe { (self.f.release_context)(self.device) };
    }
}

/// A handle as the driver has it.
fn pointer<T>(handle: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(handle as usize)
}

fn number<T>(handle: *mut T) -> u64 {
    handle.expose_provenance() as u64
}

// SAFETY, for all calls below: the context is current. Handles come from this driver, as the trait says, and addresses from
// `allocate`; the runtime keeps what it submits within its buffers, and these until it is done.
impl Driver for Real {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_bytes(&self) -> Result<u64, Error> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: it writes two numbers.
        self.check("cuMemGetInfo", unsafe { (self.f.memory_info)(&mut free, &mut total) })?;
        Ok(free as u64)
    }

    fn stream(&self) -> Result<Stream, Error> {
        self.enter()?;
        let mut stream = std::ptr::null_mut();
        // SAFETY: it writes one handle.
        self.check("cuStreamCreate", unsafe { (self.f.stream_create)(&mut stream, NON_BLOCKING) })?;
        Ok(Stream::of_number(number(stream)))
    }

    fn end_stream(&self, stream: Stream) {
        if self.enter().is_ok() {
            // SAFETY: see above; it is not used again.
            unsafe { (self.f.stream_destroy)(pointer(stream.number())) };
        }
    }

    fn wait(&self, stream: Stream) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: see above.
        self.check("cuStreamSynchronize", unsafe { (self.f.stream_wait)(pointer(stream.number())) })
    }

    fn is_done(&self, stream: Stream) -> Result<bool, Error> {
        self.enter()?;
        // SAFETY: see above.
        match unsafe { (self.f.stream_query)(pointer(stream.number())) } {
            NOT_READY => Ok(false),
            code => self.check("cuStreamQuery", code).map(|()| true),
        }
    }

    fn allocate(&self, stream: Stream, bytes: usize) -> Result<Address, Error> {
        self.enter()?;
        let mut at = 0;
        // SAFETY: it writes one address.
        let code = unsafe {
            match self.pools {
                true => (self.f.allocate_on)(&mut at, bytes, pointer(stream.number())),
                false => (self.f.allocate)(&mut at, bytes),
            }
        };
        if code == OUT_OF_MEMORY {
            let Properties { name, memory_bytes: total, .. } = self.properties.clone();
            let used = total.saturating_sub(self.free_bytes().unwrap_or(total));
            return Err(Error::OutOfMemory { bytes, used, total, name });
        }
        self.check("cuMemAlloc", code)?;
        Ok(at)
    }

    fn free(&self, stream: Stream, at: Address) {
        if self.enter().is_ok() {
            // SAFETY: see above; it is not used again. Without pools the call waits for what uses it.
            unsafe {
                match self.pools {
                    true => (self.f.free_on)(at, pointer(stream.number())),
                    false => (self.f.free)(at),
                }
            };
        }
    }

    fn write(&self, stream: Stream, to: Address, bytes: &[u8]) -> Result<(), Error> {
        self.enter()?;
        self.staged(|s| s.write(pointer(stream.number()), to, bytes))
    }

    fn read(&self, stream: Stream, from: Address, bytes: &mut [u8]) -> Result<(), Error> {
        self.enter()?;
        self.staged(|s| s.read(pointer(stream.number()), from, bytes))
    }

    fn copy(&self, stream: Stream, rows: &Rows) -> Result<(), Error> {
        self.enter()?;
        let Rows { from, to, width, rows, from_pitch, to_pitch } = *rows;
        if rows == 1 {
            // SAFETY: see above.
            let code = unsafe { (self.f.on_device)(to, from, width, pointer(stream.number())) };
            return self.check("cuMemcpyDtoDAsync", code);
        }
        let copy = CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcHost: std::ptr::null(),
            srcDevice: from,
            srcArray: std::ptr::null_mut(),
            srcPitch: from_pitch,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstHost: std::ptr::null_mut(),
            dstDevice: to,
            dstArray: std::ptr::null_mut(),
            dstPitch: to_pitch,
            WidthInBytes: width,
            Height: rows,
        };
        // SAFETY: see above.
        self.check("cuMemcpy2DAsync", unsafe { (self.f.rows_on_device)(&copy, pointer(stream.number())) })
    }

    fn load(&self, kernel: &str, ptx: &str) -> Result<Module, Error> {
        self.enter()?;
        let fails = |why: String| Error::Code { kernel: kernel.into(), why };
        let text = CString::new(ptx).map_err(|e| fails(e.to_string()))?;
        let mut module = std::ptr::null_mut();
        let mut log = vec![0u8; 8 << 10];
        let mut options = [LOG, LOG_BYTES];
        let mut values: [*mut c_void; 2] =
            [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(log.len() - 1)];
        // SAFETY: the text ends with a zero; the log has one byte more than it is told, so it ends with one too.
        let code = unsafe {
            let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
            (self.f.module_load)(&mut module, text.as_ptr().cast(), 2, options, values)
        };
        match self.check("cuModuleLoadDataEx", code) {
            Err(Error::Driver { why, .. }) => {
                let log = CStr::from_bytes_until_nul(&log).unwrap_or_default().to_string_lossy();
                Err(fails(format!("{why}\n{}", log.trim()).trim_end().into()))
            }
            Err(e) => Err(e),
            Ok(()) => Ok(Module::of_number(number(module))),
        }
    }

    fn unload(&self, module: Module) {
        if self.enter().is_ok() {
            // SAFETY: see above; the runtime has waited for its launches.
            unsafe { (self.f.module_unload)(pointer(module.number())) };
        }
    }

    fn function(&self, module: Module, entry: &str, shared: u32) -> Result<Function, Error> {
        self.enter()?;
        let fails = |why: String| Error::Code { kernel: entry.into(), why };
        let name = CString::new(entry).map_err(|e| fails(e.to_string()))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: see above; it writes one handle.
        let code =
            unsafe { (self.f.module_function)(&mut function, pointer(module.number()), name.as_ptr()) };
        self.check("cuModuleGetFunction", code)?;
        if shared > 0 {
            // SAFETY: see above; the attribute is a number.
            let code = unsafe { (self.f.function_attribute)(function, SHARED, shared as i32) };
            self.check("cuFuncSetAttribute", code)?;
        }
        Ok(Function::of_number(number(function)))
    }

    fn launch(&self, stream: Stream, launch: &Launch<'_>) -> Result<(), Error> {
        self.enter()?;
        let Launch { function, blocks, threads, shared, words, .. } = *launch;
        let mut parameters = [words.as_ptr().cast_mut().cast::<c_void>()];
        // SAFETY: see above. The entry has one parameter, of as many words: the runtime checks it. The driver copies them.
        let code = unsafe {
            let (function, stream) = (pointer(function.number()), pointer(stream.number()));
            let (one, parameters) = (1, parameters.as_mut_ptr());
            (self.f.launch)(
                function,
                blocks,
                one,
                one,
                threads,
                one,
                one,
                shared,
                stream,
                parameters,
                std::ptr::null_mut(),
            )
        };
        self.check("cuLaunchKernel", code)
    }

    fn begin_capture(&self, stream: Stream) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: see above.
        let code = unsafe { (self.f.begin_capture)(pointer(stream.number()), RELAXED) };
        self.check("cuStreamBeginCapture", code)
    }

    fn end_capture(&self, stream: Stream) -> Result<Graph, Error> {
        self.enter()?;
        let (mut graph, mut ready) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: see above; each writes one handle. The graph is not needed once it was instantiated.
        unsafe {
            self.check("cuStreamEndCapture", (self.f.end_capture)(pointer(stream.number()), &mut graph))?;
            let made = (self.f.graph_instantiate)(&mut ready, graph, 0);
            (self.f.graph_destroy)(graph);
            self.check("cuGraphInstantiate", made)?;
        }
        Ok(Graph::of_number(number(ready)))
    }

    fn run_graph(&self, stream: Stream, graph: Graph) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: see above.
        let code = unsafe { (self.f.graph_launch)(pointer(graph.number()), pointer(stream.number())) };
        self.check("cuGraphLaunch", code)
    }

    fn end_graph(&self, graph: Graph) {
        if self.enter().is_ok() {
            // SAFETY: see above; a graph that still runs goes when it is done.
            unsafe { (self.f.graph_end)(pointer(graph.number())) };
        }
    }
}
