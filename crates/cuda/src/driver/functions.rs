//! The functions of NVIDIA's driver: found in its library once, all of them or none.
//!
//! Results are numbers, since a newer driver has more of them than any list.

use crate::error::{Error, OLDEST_DRIVER};
use cudarc::driver::sys;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::sync::OnceLock;
use sys::{
    CUDA_MEMCPY2D, CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUmodule,
    CUstream,
};

macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// Each gives a number: 0 where all went well.
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Functions {
            fn load() -> Result<Functions, Error> {
                // SAFETY: loading the driver's library runs its initialisers, which is what it is for.
                if !unsafe { sys::is_culib_present() } {
                    return Err(Error::NoDriver);
                }
                // SAFETY: as above; it is there, so this does not panic.
                let library = unsafe { sys::culib() };
                $(
                    // SAFETY: the type is that of the function of this name in the driver's interface, which is C and
                    // does not change once it is published: a function with other arguments has another name.
                    let found = unsafe { library.get($symbol) };
                    let Ok($name) = found.map(|f| *f) else {
                        return Err(lacks(String::from_utf8_lossy(&$symbol[..$symbol.len() - 1]).into_owned()));
                    };
                )*
                Ok(Functions { $($name,)* })
            }
        }
    };
}

functions! {
    init = b"cuInit\0" (c_uint);
    driver_version = b"cuDriverGetVersion\0" (*mut c_int);
    error_name = b"cuGetErrorName\0" (c_int, *mut *const c_char);
    error_string = b"cuGetErrorString\0" (c_int, *mut *const c_char);
    device_count = b"cuDeviceGetCount\0" (*mut c_int);
    device = b"cuDeviceGet\0" (*mut CUdevice, c_int);
    device_name = b"cuDeviceGetName\0" (*mut c_char, c_int, CUdevice);
    device_memory = b"cuDeviceTotalMem_v2\0" (*mut usize, CUdevice);
    device_attribute = b"cuDeviceGetAttribute\0" (*mut c_int, c_int, CUdevice);
    retain_context = b"cuDevicePrimaryCtxRetain\0" (*mut CUcontext, CUdevice);
    release_context = b"cuDevicePrimaryCtxRelease_v2\0" (CUdevice);
    reset_context = b"cuDevicePrimaryCtxReset_v2\0" (CUdevice);
    set_context = b"cuCtxSetCurrent\0" (CUcontext);
    memory_info = b"cuMemGetInfo_v2\0" (*mut usize, *mut usize);
    stream_create = b"cuStreamCreate\0" (*mut CUstream, c_uint);
    stream_destroy = b"cuStreamDestroy_v2\0" (CUstream);
    stream_wait = b"cuStreamSynchronize\0" (CUstream);
    stream_query = b"cuStreamQuery\0" (CUstream);
    begin_capture = b"cuStreamBeginCapture_v2\0" (CUstream, c_int);
    end_capture = b"cuStreamEndCapture\0" (CUstream, *mut CUgraph);
    graph_instantiate = b"cuGraphInstantiateWithFlags\0" (*mut CUgraphExec, CUgraph, c_ulonglong);
    graph_destroy = b"cuGraphDestroy\0" (CUgraph);
    graph_launch = b"cuGraphLaunch\0" (CUgraphExec, CUstream);
    graph_end = b"cuGraphExecDestroy\0" (CUgraphExec);
    allocate = b"cuMemAlloc_v2\0" (*mut CUdeviceptr, usize);
    free = b"cuMemFree_v2\0" (CUdeviceptr);
    allocate_on = b"cuMemAllocAsync\0" (*mut CUdeviceptr, usize, CUstream);
    free_on = b"cuMemFreeAsync\0" (CUdeviceptr, CUstream);
    allocate_host = b"cuMemHostAlloc\0" (*mut *mut c_void, usize, c_uint);
    free_host = b"cuMemFreeHost\0" (*mut c_void);
    to_device = b"cuMemcpyHtoDAsync_v2\0" (CUdeviceptr, *const c_void, usize, CUstream);
    to_host = b"cuMemcpyDtoHAsync_v2\0" (*mut c_void, CUdeviceptr, usize, CUstream);
    on_device = b"cuMemcpyDtoDAsync_v2\0" (CUdeviceptr, CUdeviceptr, usize, CUstream);
    rows_on_device = b"cuMemcpy2DAsync_v2\0" (*const CUDA_MEMCPY2D, CUstream);
    event_create = b"cuEventCreate\0" (*mut CUevent, c_uint);
    event_destroy = b"cuEventDestroy_v2\0" (CUevent);
    event_record = b"cuEventRecord\0" (CUevent, CUstream);
    event_wait = b"cuEventSynchronize\0" (CUevent);
    module_load = b"cuModuleLoadDataEx\0" (*mut CUmodule, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_unload = b"cuModuleUnload\0" (CUmodule);
    module_function = b"cuModuleGetFunction\0" (*mut CUfunction, CUmodule, *const c_char);
    function_attribute = b"cuFuncSetAttribute\0" (CUfunction, c_int, c_int);
    launch = b"cuLaunchKernel\0" (
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut *mut c_void, *mut *mut c_void
    );
}

/// The error of a driver without a function; its version is told where it can be asked for.
fn lacks(symbol: String) -> Error {
    // SAFETY: the library is there: this is called after it was found. The type is that of the function.
    let version = unsafe {
        let found = sys::culib().get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDriverGetVersion\0");
        found.ok().and_then(|f| {
            let mut version = 0;
            (f(&mut version) == 0).then_some(version as u32)
        })
    };
    Error::DriverTooOld { found: version.unwrap_or(0), missing: format!(" (it has no {symbol})") }
}

impl Functions {
    /// The functions of the driver that is installed here, ready to be called.
    ///
    /// # Errors
    /// There is none, it is too old, or it finds no device.
    pub fn get() -> Result<&'static Functions, Error> {
        static FOUND: OnceLock<Result<Functions, Error>> = OnceLock::new();
        let open = || {
            let f = Functions::load()?;
            let mut version = 0;
            // SAFETY: it writes one number.
            if unsafe { (f.driver_version)(&mut version) } == 0 && (version as u32) < OLDEST_DRIVER {
                return Err(Error::DriverTooOld { found: version as u32, missing: String::new() });
            }
            // SAFETY: the flags have to be 0.
            match unsafe { (f.init)(0) } {
                0 => Ok(f),
                code => Err(Error::NoDevice { why: f.describe(code) }),
            }
        };
        FOUND.get_or_init(open).as_ref().map_err(Clone::clone)
    }

    /// The number of devices.
    pub fn devices(&self) -> Result<usize, Error> {
        let mut count = 0;
        // SAFETY: it writes one number.
        match unsafe { (self.device_count)(&mut count) } {
            0 => Ok(count.max(0) as usize),
            code => Err(Error::NoDevice { why: self.describe(code) }),
        }
    }

    /// `CUDA_ERROR_INVALID_VALUE (invalid argument)`.
    pub fn describe(&self, code: c_int) -> String {
        let text = |f: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int| {
            let mut text = std::ptr::null();
            // SAFETY: it writes the address of a text that is there for ever, or null.
            unsafe {
                if f(code, &mut text) != 0 || text.is_null() {
                    return None;
                }
                Some(CStr::from_ptr(text).to_string_lossy().into_owned())
            }
        };
        match (text(self.error_name), text(self.error_string)) {
            (Some(name), Some(what)) => format!("{name}: {what}"),
            (Some(name), None) => name,
            _ => format!("error {code}"),
        }
    }

    /// The error of a call, if it failed. The runtime adds what it knows, such as the memory in use.
    pub fn check(&self, call: &'static str, code: c_int) -> Result<(), Error> {
        match code {
            0 => Ok(()),
            c if FAULTS.contains(&c) => {
                Err(Error::Fault { kernel: "a kernel".into(), why: self.describe(c) })
            }
            c if LOST.contains(&c) => Err(Error::Lost { why: self.describe(c) }),
            c => Err(Error::Driver { call, why: self.describe(c) }),
        }
    }
}

/// There is no memory.
pub const OUT_OF_MEMORY: c_int = 2;
/// A stream has work to do.
pub const NOT_READY: c_int = 600;
/// What a kernel has done that it must not: an illegal address, a trap, a misaligned address and their like. They are told by
/// whatever call comes next.
const FAULTS: [c_int; 8] = [700, 710, 714, 715, 716, 717, 718, 719];
/// The device is gone: unavailable, its memory damaged, its context destroyed, or for reasons that are not known.
const LOST: [c_int; 9] = [4, 46, 201, 214, 220, 702, 709, 721, 999];
