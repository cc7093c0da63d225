//! DLPack: arrays that share memory with other libraries, on the processor and on NVIDIA's.
//!
//! The structures are those of `dlpack.h` 1.0 that have no version, which NumPy, PyTorch and JAX exchange in capsules called
//! `dltensor` (<https://dmlc.github.io/dlpack/latest/c_api.html>). They are written out here, since a binding would bring more than
//! it saves.
//!
//! ```
//! use lawson::{Client, dlpack};
//!
//! let client = Client::cpu();
//! let x = client.buffer(&[1f32, 2.0, 3.0], &[3])?;
//! // What another library would be given, and what it gives.
//! let tensor = dlpack::export(x)?;
//! // SAFETY: it was just made, and nobody else has it.
//! let same = unsafe { client.buffer_from_dlpack(tensor) }?;
//! assert_eq!(same.to_vec(), Ok(vec![1f32, 2.0, 3.0]));
//! # Ok::<(), lawson::Error>(())
//! ```

use crate::buffer::{Buffer, Home};
use crate::client::Client;
use crate::error::{Error, ErrorCode};
use crate::options::Device;
use lawson_hlo::{ArrayShape, DType};
use std::ffi::c_void;
use std::ptr::NonNull;

/// `DLDevice`: a kind of device, and its number.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DlDevice {
    /// `DLDeviceType`: 1 is the processor, 2 a device of CUDA.
    pub kind: i32,
    /// Counted from 0.
    pub number: i32,
}

/// `DLDataType`: a kind of elements, their bits, and how many are one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DlType {
    /// `DLDataTypeCode`: 0 signed, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool.
    pub code: u8,
    /// Of one lane.
    pub bits: u8,
    /// 1 but for vectors.
    pub lanes: u16,
}

/// `DLTensor`. Strides are counted in elements; where there are none it is row-major.
#[repr(C)]
#[derive(Debug)]
pub struct DlTensor {
    /// An address on the device.
    pub data: *mut c_void,
    /// Where it is.
    pub device: DlDevice,
    /// How many dimensions it has.
    pub rank: i32,
    /// What its elements are.
    pub dtype: DlType,
    /// The extent of each dimension.
    pub dims: *mut i64,
    /// From one element to the next along each dimension, in elements; may be null.
    pub strides: *mut i64,
    /// Where the first element is, from `data` on.
    pub byte_offset: u64,
}

/// `DLManagedTensor`: a tensor that whoever has it ends by calling `deleter`.
#[repr(C)]
#[derive(Debug)]
pub struct DlManagedTensor {
    /// The array.
    pub tensor: DlTensor,
    /// Of whoever made it.
    pub context: *mut c_void,
    /// Ends it; may be null.
    pub deleter: Option<unsafe extern "C" fn(*mut DlManagedTensor)>,
}

/// `kDLCPU`, `kDLCUDA`, and `kDLExtDev` for the emulated device.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const EMULATED: i32 = 12;

/// Types, with their `DLDataTypeCode` and bits.
const TYPES: [(DType, u8, u8); 15] = [
    (DType::Pred, 6, 8),
    (DType::S8, 0, 8),
    (DType::S16, 0, 16),
    (DType::S32, 0, 32),
    (DType::S64, 0, 64),
    (DType::U8, 1, 8),
    (DType::U16, 1, 16),
    (DType::U32, 1, 32),
    (DType::U64, 1, 64),
    (DType::F16, 2, 16),
    (DType::F32, 2, 32),
    (DType::F64, 2, 64),
    (DType::Bf16, 4, 16),
    (DType::C64, 5, 64),
    (DType::C128, 5, 128),
];

/// Dimensions that a tensor may have.
const MOST_DIMS: i32 = 64;

/// A tensor that was taken over; dropped it is ended.
struct Managed(NonNull<DlManagedTensor>);

// SAFETY: DLPack lets any thread read and end a tensor.
unsafe impl Send for Managed {}
// SAFETY: as above.
unsafe impl Sync for Managed {}

impl Drop for Managed {
    fn drop(&mut self) {
        // SAFETY: whoever made it gave it up, and it is ended once.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}

/// The bytes of a tensor on the host.
struct OnHost {
    /// Ended with this.
    _managed: Managed,
    at: *const u8,
    bytes: usize,
}

// SAFETY: the bytes are only read.
unsafe impl Send for OnHost {}
// SAFETY: as above.
unsafe impl Sync for OnHost {}

impl AsRef<[u8]> for OnHost {
    fn as_ref(&self) -> &[u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: the tensor has these bytes until it is ended.
        unsafe { std::slice::from_raw_parts(self.at, self.bytes) }
    }
}

impl Client {
    /// A buffer in the memory of a tensor of another library, on this client's device and row-major. The tensor is taken over: it is
    /// ended when the buffer is dropped, or here where that is an error. Memory of the host that does not begin at a multiple
    /// of 64 bytes, and of a device that does not at one of 16, is copied. Where the buffer is donated, no output takes it over.
    ///
    /// # Errors
    /// The tensor is on another device, has strides, or elements of a type that has no counterpart; memory for a copy is out.
    ///
    /// # Safety
    /// It is a valid tensor of DLPack, nobody else uses or ends it, its elements are there for the device's stream, and nobody
    /// changes them while the buffer lives.
    pub unsafe fn buffer_from_dlpack(&self, tensor: *mut DlManagedTensor) -> Result<Buffer, Error> {
        let Some(pointer) = NonNull::new(tensor) else { return Err(refused("there is no tensor".into())) };
        let managed = Managed(pointer);
        // SAFETY: the caller says that it is one, and it lives as long as `managed`.
        let tensor = unsafe { &pointer.as_ref().tensor };
        let shape = shape_of(tensor)?;
        let bytes = shape.elements() as usize * shape.dtype.size();
        let wanted = device_of(self.device());
        if tensor.device != wanted {
            let message = format!("the tensor is on device {:?}, not {wanted:?}", tensor.device);
            return Err(refused(message));
        }
        if tensor.data.is_null() && bytes > 0 {
            return Err(refused("the tensor has no memory".into()));
        }
        let at = (tensor.data as usize).wrapping_add(tensor.byte_offset as usize);
        match self.home() {
            Home::Host(_) => {
                let owner = OnHost { _managed: managed, at: at as *const u8, bytes };
                Buffer::owned(self.home(), &shape, owner)
            }
            Home::Cuda(device, cuda) => {
                // SAFETY: the tensor has these bytes until it is ended, and the caller vouches for the rest.
                let lent = unsafe { lawson_cuda::Buffer::foreign(cuda, at as u64, bytes, Box::new(managed)) };
                let lent = lent.map_err(|e| crate::compile::device_error(&e))?;
                Ok(Buffer::of_device(*device, shape.into(), lent))
            }
        }
    }

    /// A client of NVIDIA's device of this number whose work is submitted to a stream of the caller's, a `CUstream`, in order
    /// with what else is there.
    ///
    /// # Errors
    /// As [`Client::new`].
    ///
    /// # Safety
    /// The stream is one of the device's primary context, and stays as long as the client, its clones, and what they made.
    pub unsafe fn cuda_on_stream(number: u16, stream: *mut c_void) -> Result<Client, Error> {
        // SAFETY: as the caller says.
        let device = unsafe { lawson_cuda::Device::on_stream(number.into(), stream as u64) };
        Ok(Client::of_device(device.map_err(|e| crate::compile::device_error(&e))?))
    }
}

/// What an exported tensor keeps: its buffer, and its dimensions and strides.
struct Exported {
    managed: DlManagedTensor,
    buffer: Buffer,
    dims: Vec<i64>,
    strides: Vec<i64>,
}

/// The buffer as a tensor for another library, which ends it; its elements are there. They are not to be changed: other runs may
/// read them.
///
/// # Errors
/// Elements of its type have no counterpart in DLPack; what made them has failed, or the device is lost.
pub fn export(buffer: Buffer) -> Result<*mut DlManagedTensor, Error> {
    let shape = buffer.shape();
    let dtype = TYPES.iter().find(|t| t.0 == shape.dtype);
    let &(_, code, bits) =
        dtype.ok_or_else(|| refused(format!("DLPack has no elements of type {}", shape.dtype)))?;
    let (mut dims, mut strides) = (shape.dims.clone(), vec![1; shape.dims.len()]);
    for d in (1..dims.len()).rev() {
        strides[d - 1] = strides[d] * dims[d].max(1);
    }
    let device = device_of(buffer.device());
    buffer.wait()?;
    let data = match buffer.device().is_cuda() {
        true => buffer.on_device()?.address() as *mut c_void,
        false => buffer.host()?.as_ptr().cast_mut().cast(),
    };
    let tensor = DlTensor {
        data,
        device,
        rank: dims.len() as i32,
        dtype: DlType { code, bits, lanes: 1 },
        dims: dims.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = DlManagedTensor { tensor, context: std::ptr::null_mut(), deleter: Some(end) };
    let exported = Box::into_raw(Box::new(Exported { managed, buffer, dims, strides }));
    // SAFETY: it was just made; what is given out is a part of it, and points back to it.
    unsafe {
        (*exported).managed.context = exported.cast();
        Ok(&raw mut (*exported).managed)
    }
}

/// Ends a tensor that [`export`] made.
unsafe extern "C" fn end(tensor: *mut DlManagedTensor) {
    if tensor.is_null() {
        return;
    }
    // SAFETY: it is one that `export` made, ended once, and its context is the box that it lies in.
    let Exported { managed: _, buffer, dims, strides } = *unsafe { Box::from_raw((*tensor).context.cast()) };
    drop((buffer, dims, strides));
}

fn shape_of(tensor: &DlTensor) -> Result<ArrayShape, Error> {
    let DlType { code, bits, lanes } = tensor.dtype;
    let known = TYPES.iter().find(|t| (t.1, t.2) == (code, bits)).filter(|_| lanes == 1);
    let &(dtype, ..) = known.ok_or_else(|| {
        refused(format!("elements with code {code} and {bits} bits, {lanes} at once, are not supported"))
    })?;
    if !(0..=MOST_DIMS).contains(&tensor.rank) || tensor.rank > 0 && tensor.dims.is_null() {
        return Err(refused(format!("a tensor of {} dimensions", tensor.rank)));
    }
    let numbers = |at: *const i64| match at.is_null() || tensor.rank == 0 {
        true => Vec::new(),
        // SAFETY: the tensor has as many as its rank says.
        false => unsafe { std::slice::from_raw_parts(at, tensor.rank as usize) }.to_vec(),
    };
    let (dims, strides) = (numbers(tensor.dims), numbers(tensor.strides));
    let shape = ArrayShape::new(dtype, dims.clone());
    let bytes = shape.checked_elements().and_then(|n| n.checked_mul(dtype.size() as i64));
    if dims.iter().any(|&n| n < 0) || bytes.is_none() {
        return Err(refused(format!("a tensor of the dimensions {dims:?}")));
    }
    let mut step = 1;
    for (&extent, &stride) in dims.iter().zip(&strides).rev() {
        // Of one element, or none, it does not matter how far the next one is.
        if extent > 1 && stride != step && !dims.contains(&0) {
            let message = format!("the tensor has the strides {strides:?}; make it contiguous, row-major");
            return Err(refused(message));
        }
        step *= extent.max(1);
    }
    Ok(shape)
}

fn device_of(device: Device) -> DlDevice {
    match device {
        Device::Cpu | Device::Interpreter => DlDevice { kind: CPU, number: 0 },
        Device::Cuda(number) => DlDevice { kind: CUDA, number: number.into() },
        Device::CudaEmulated => DlDevice { kind: EMULATED, number: 0 },
    }
}

fn refused(message: String) -> Error {
    Error::new(ErrorCode::Input, format!("DLPack: {message}"))
}
