//! Buffers: arrays on a device, which programs are run on.
//!
//! A buffer knows its device, element type and dimensions. Its bytes are row-major and little-endian, elements as in
//! [`Literal`]. On a device that has memory of its own they stay there, until somebody asks for them.
//! It is made through a [`crate::Client`], from host memory with a copy or without one, or by a run. There
//! is one owner: it can be lent to any number of runs at a time, and given up to one.

use crate::compile::device_error;
use crate::error::{Error, ErrorCode};
use crate::options::Device;
use crate::storage;
use lawson_cpu as cpu;
use lawson_cuda as cuda;
use lawson_frontend::array::{self, Element};
use lawson_hlo::{ArrayShape, Literal};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// An array on a device.
///
/// ```
/// use lawson::Client;
///
/// let mut x = Client::cpu().buffer(&[1f32, 2.0], &[2])?;
/// assert_eq!((x.shape().to_string(), x.as_slice::<f32>()?), ("f32[2]".into(), &[1f32, 2.0][..]));
/// x.copy_from_slice(&[3f32, 4.0])?;
/// assert_eq!(x.to_vec(), Ok(vec![3f32, 4.0]));
/// assert!(x.as_slice::<i32>().is_err() && x.copy_from_slice(&[1f32]).is_err());
/// # Ok::<(), lawson::Error>(())
/// ```
pub struct Buffer {
    device: Device,
    /// Of outputs that of the program.
    shape: Arc<ArrayShape>,
    memory: Memory,
}

/// Where the bytes are. Runs that go on beside the caller hold the memory too.
#[derive(Clone)]
enum Memory {
    /// Of the pool; only this may become an output.
    Pool(Arc<cpu::Buffer>),
    /// Of the caller.
    Host(Arc<dyn AsRef<[u8]> + Send + Sync>),
    /// On a device.
    Device(Arc<OnDevice>),
    /// It was given up, to a run that is beginning.
    Gone,
}

/// Memory of a device.
struct OnDevice {
    memory: cuda::Buffer,
    /// A copy on the host, once somebody asked for it.
    copy: OnceLock<cpu::Buffer>,
}

impl OnDevice {
    fn new(memory: cuda::Buffer) -> OnDevice {
        OnDevice { memory, copy: OnceLock::new() }
    }

    fn bytes(&self) -> Result<&[u8], Error> {
        if let Some(copy) = self.copy.get() {
            return Ok(copy);
        }
        let mut copy = cpu::Buffer::new(self.memory.len()).map_err(out_of_memory)?;
        self.memory.read(&mut copy).map_err(|e| device_error(&e))?;
        Ok(self.copy.get_or_init(|| copy))
    }
}

/// Where the arrays of a client are.
#[derive(Clone)]
pub(crate) enum Home {
    Host(Device),
    Cuda(Device, cuda::Device),
}

impl Home {
    pub fn device(&self) -> Device {
        match self {
            Home::Host(device) | Home::Cuda(device, _) => *device,
        }
    }
}

impl Buffer {
    /// With a copy of these bytes, which may be no elements of the type.
    pub(crate) fn checked(home: &Home, shape: &ArrayShape, bytes: &[u8]) -> Result<Buffer, Error> {
        check_size(shape, bytes.len())?;
        storage::check(shape, bytes)?;
        Buffer::copied(home, shape, bytes)
    }

    /// With a copy of these bytes, which are elements of the type.
    pub(crate) fn copied(home: &Home, shape: &ArrayShape, bytes: &[u8]) -> Result<Buffer, Error> {
        match home {
            Home::Host(device) => Buffer::on_host(*device, shape, bytes),
            Home::Cuda(device, cuda) => {
                check_size(shape, bytes.len())?;
                let memory = cuda::Buffer::from_slice(cuda, bytes).map_err(|e| device_error(&e))?;
                Ok(Buffer::of_device(*device, plain(shape), memory))
            }
        }
    }

    /// The same, in memory of the host.
    pub(crate) fn on_host(device: Device, shape: &ArrayShape, bytes: &[u8]) -> Result<Buffer, Error> {
        check_size(shape, bytes.len())?;
        let memory = cpu::Buffer::from_slice(bytes).map_err(out_of_memory)?;
        Ok(Buffer { device, shape: plain(shape), memory: Memory::Pool(Arc::new(memory)) })
    }

    /// With what a function writes.
    pub(crate) fn filled(
        home: &Home,
        shape: &ArrayShape,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<Buffer, Error> {
        let size = size(shape).and_then(|n| usize::try_from(n).ok());
        let size = size.ok_or_else(|| Error::new(ErrorCode::Limit, format!("{shape} has too many bytes")))?;
        let mut memory = cpu::Buffer::new(size).map_err(out_of_memory)?;
        fill(&mut memory);
        storage::check(shape, &memory)?;
        let device = match home {
            Home::Host(device) => *device,
            Home::Cuda(..) => return Buffer::copied(home, shape, &memory),
        };
        Ok(Buffer { device, shape: plain(shape), memory: Memory::Pool(Arc::new(memory)) })
    }

    /// In the memory of its owner, if a run can read it there: on the processor, aligned to [`cpu::memory::ALIGN`] bytes.
    pub(crate) fn owned<O>(home: &Home, shape: &ArrayShape, owner: O) -> Result<Buffer, Error>
    where
        O: AsRef<[u8]> + Send + Sync + 'static,
    {
        let bytes = owner.as_ref();
        check_size(shape, bytes.len())?;
        let aligned = (bytes.as_ptr() as usize).is_multiple_of(cpu::memory::ALIGN);
        if home.device() != Device::Cpu || !aligned {
            return Buffer::checked(home, shape, bytes);
        }
        storage::check(shape, bytes)?;
        Ok(Buffer { device: Device::Cpu, shape: plain(shape), memory: Memory::Host(Arc::new(owner)) })
    }

    pub(crate) fn of_pool(shape: Arc<ArrayShape>, memory: cpu::Buffer) -> Buffer {
        Buffer { device: Device::Cpu, shape, memory: Memory::Pool(Arc::new(memory)) }
    }

    pub(crate) fn of_device(device: Device, shape: Arc<ArrayShape>, memory: cuda::Buffer) -> Buffer {
        Buffer { device, shape, memory: Memory::Device(Arc::new(OnDevice::new(memory))) }
    }

    /// Where it is.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Element type and dimensions; row-major, without a layout.
    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The bytes, on the host. Those on a device that has memory of its own are copied when this is first asked for, as soon
    /// as they are there.
    ///
    /// # Errors
    /// What made them has failed, the device is lost, or the host's memory is out; none where they are on the host.
    pub fn host(&self) -> Result<&[u8], Error> {
        match &self.memory {
            Memory::Pool(memory) => Ok(memory),
            Memory::Host(owner) => Ok((**owner).as_ref()),
            Memory::Device(there) => there.bytes(),
            Memory::Gone => Ok(&[]),
        }
    }

    /// As [`Buffer::host`].
    ///
    /// # Panics
    /// Where that is an error: programs that run on devices which may be lost ask [`Buffer::host`].
    pub fn bytes(&self) -> &[u8] {
        self.host().unwrap_or_else(|e| panic!("{e}"))
    }

    /// Waits until the elements are there.
    ///
    /// # Errors
    /// What made them has failed, or the device is lost.
    pub fn wait(&self) -> Result<(), Error> {
        match &self.memory {
            Memory::Device(there) => there.memory.device().wait().map_err(|e| device_error(&e)),
            Memory::Pool(_) | Memory::Host(_) | Memory::Gone => Ok(()),
        }
    }

    /// The elements, row-major, where they lie.
    ///
    /// # Errors
    /// They are of another type.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], Error> {
        Ok(array::elements(&self.shape, self.host()?)?)
    }

    /// A copy of the elements, row-major.
    ///
    /// # Errors
    /// They are of another type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        Ok(self.as_slice()?.to_vec())
    }

    /// Writes other elements, row-major, without new memory: what changes from call to call, a batch or a token, keeps its
    /// buffer.
    ///
    /// # Errors
    /// They are of another type or number; a run beside the caller still reads the buffer; its memory is the caller's.
    pub fn copy_from_slice<T: Element>(&mut self, elements: &[T]) -> Result<(), Error> {
        array::check_type::<T>(&self.shape)?;
        check_size(&self.shape, std::mem::size_of_val(elements))?;
        let held = || {
            let message = "the buffer cannot be written: a run reads it, or its memory is the caller's";
            Error::new(ErrorCode::Input, message)
        };
        let bytes = bytemuck::cast_slice(elements);
        if let Memory::Device(there) = &mut self.memory {
            let there = Arc::get_mut(there).ok_or_else(held)?;
            there.copy = OnceLock::new();
            return there.memory.write(bytes).map_err(|e| device_error(&e));
        }
        self.bytes_mut().ok_or_else(held)?.copy_from_slice(bytes);
        Ok(())
    }

    /// A copy as a literal.
    ///
    /// # Errors
    /// As [`Buffer::host`].
    pub fn literal(&self) -> Result<Literal, Error> {
        Ok(Literal::new(ArrayShape::clone(&self.shape), self.host()?))
    }

    /// As [`Buffer::literal`].
    ///
    /// # Panics
    /// As [`Buffer::bytes`].
    pub fn to_literal(&self) -> Literal {
        Literal::new(ArrayShape::clone(&self.shape), self.bytes())
    }

    /// Another owner of the same memory, for the time of a run.
    pub(crate) fn held(&self) -> Buffer {
        Buffer { device: self.device, shape: self.shape.clone(), memory: self.memory.clone() }
    }

    /// The memory, if it may become an output: it is the pool's and no run holds it.
    pub(crate) fn give(&mut self) -> Option<cpu::Buffer> {
        match std::mem::replace(&mut self.memory, Memory::Gone) {
            Memory::Pool(memory) => match Arc::try_unwrap(memory) {
                Ok(memory) => Some(memory),
                Err(shared) => {
                    self.memory = Memory::Pool(shared);
                    None
                }
            },
            other => {
                self.memory = other;
                None
            }
        }
    }

    /// The memory on a device.
    pub(crate) fn on_device(&self) -> Result<&cuda::Buffer, Error> {
        match &self.memory {
            Memory::Device(there) => Ok(&there.memory),
            _ => Err(Error::new(ErrorCode::Internal, "an array is not where its device says")),
        }
    }

    /// The same, if a run may write to it; the copy on the host is forgotten.
    pub(crate) fn writable_on_device(&mut self) -> Option<&cuda::Buffer> {
        match &mut self.memory {
            Memory::Device(there) => Arc::get_mut(there).map(|there| {
                there.copy = OnceLock::new();
                &there.memory
            }),
            _ => None,
        }
    }

    /// The memory on a device, if it may become an output: no run holds it.
    pub(crate) fn give_on_device(&mut self) -> Option<cuda::Buffer> {
        match std::mem::replace(&mut self.memory, Memory::Gone) {
            Memory::Device(there) => match Arc::try_unwrap(there) {
                Ok(there) => Some(there.memory),
                Err(shared) => {
                    self.memory = Memory::Device(shared);
                    None
                }
            },
            other => {
                self.memory = other;
                None
            }
        }
    }

    /// The bytes to write to, if no run holds them and they are the pool's.
    pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match &mut self.memory {
            Memory::Pool(memory) => Arc::get_mut(memory).map(|m| &mut m[..]),
            Memory::Host(_) | Memory::Device(_) | Memory::Gone => None,
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} on {})", self.shape, self.device)
    }
}

fn plain(shape: &ArrayShape) -> Arc<ArrayShape> {
    Arc::new(ArrayShape { layout: None, ..shape.clone() })
}

fn size(shape: &ArrayShape) -> Option<i64> {
    shape.checked_elements()?.checked_mul(shape.dtype.size() as i64)
}

fn check_size(shape: &ArrayShape, found: usize) -> Result<(), Error> {
    let size = size(shape);
    match size {
        Some(size) if size == found as i64 => Ok(()),
        _ => {
            let wanted = size.map_or("too many".into(), |n| n.to_string());
            Err(Error::new(ErrorCode::Input, format!("{shape} has {wanted} bytes, {found} are given")))
        }
    }
}

fn out_of_memory(e: cpu::memory::OutOfMemory) -> Error {
    Error::new(ErrorCode::Limit, e.to_string())
}
