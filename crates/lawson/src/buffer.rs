//! Buffers: arrays on a device, which programs are run on.
//!
//! A buffer knows its device, element type and dimensions. Its bytes are row-major and little-endian, elements as in
//! [`Literal`]. It is made through a [`crate::Client`], from host memory with a copy or without one, or by a run. There
//! is one owner: it can be lent to any number of runs at a time, and given up to one.

use crate::error::{Error, ErrorCode};
use crate::options::Device;
use half::{bf16, f16};
use lawson_cpu as cpu;
use lawson_hlo::{ArrayShape, DType, Literal};
use std::fmt;
use std::sync::Arc;

/// An array on a device.
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
    /// Of the interpreter.
    Literal(Arc<Literal>),
    /// It was given up, to a run that is beginning.
    Gone,
}

impl Buffer {
    /// With a copy of these bytes.
    pub(crate) fn copied(device: Device, shape: &ArrayShape, bytes: &[u8]) -> Result<Buffer, Error> {
        check_size(shape, bytes.len())?;
        let memory = match device {
            Device::Interpreter => Memory::Literal(Arc::new(Literal::new(shape.clone(), bytes))),
            Device::Cpu | Device::Cuda => {
                Memory::Pool(Arc::new(cpu::Buffer::from_slice(bytes).map_err(out_of_memory)?))
            }
        };
        Ok(Buffer { device, shape: plain(shape), memory })
    }

    /// In the memory of its owner, if a run can read it there: on the processor, aligned to [`cpu::memory::ALIGN`] bytes.
    pub(crate) fn owned<O>(device: Device, shape: &ArrayShape, owner: O) -> Result<Buffer, Error>
    where
        O: AsRef<[u8]> + Send + Sync + 'static,
    {
        let bytes = owner.as_ref();
        check_size(shape, bytes.len())?;
        let aligned = (bytes.as_ptr() as usize).is_multiple_of(cpu::memory::ALIGN);
        if device != Device::Cpu || !aligned {
            return Buffer::copied(device, shape, bytes);
        }
        Ok(Buffer { device, shape: plain(shape), memory: Memory::Host(Arc::new(owner)) })
    }

    pub(crate) fn of_pool(shape: Arc<ArrayShape>, memory: cpu::Buffer) -> Buffer {
        Buffer { device: Device::Cpu, shape, memory: Memory::Pool(Arc::new(memory)) }
    }

    pub(crate) fn of_literal(literal: Literal) -> Buffer {
        let shape = Arc::new(literal.shape().clone());
        Buffer { device: Device::Interpreter, shape, memory: Memory::Literal(Arc::new(literal)) }
    }

    pub fn device(&self) -> Device {
        self.device
    }

    /// Element type and dimensions; row-major, without a layout.
    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The bytes, on the host.
    pub fn bytes(&self) -> &[u8] {
        match &self.memory {
            Memory::Pool(memory) => memory,
            Memory::Host(owner) => (**owner).as_ref(),
            Memory::Literal(literal) => literal.bytes(),
            Memory::Gone => &[],
        }
    }

    /// The elements, read back.
    ///
    /// # Errors
    /// They are of another type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        if T::DTYPE != self.shape.dtype {
            let message = format!("the buffer is {}, not of {}", self.shape, T::DTYPE);
            return Err(Error::new(ErrorCode::Input, message));
        }
        Ok(self.bytes().chunks_exact(T::DTYPE.size()).map(T::read).collect())
    }

    /// As a literal, read back.
    pub fn to_literal(&self) -> Literal {
        match &self.memory {
            Memory::Literal(literal) => Literal::clone(literal),
            _ => Literal::new(ArrayShape::clone(&self.shape), self.bytes()),
        }
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

    /// The bytes to write to, if no run holds them and they are the pool's.
    pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match &mut self.memory {
            Memory::Pool(memory) => Arc::get_mut(memory).map(|m| &mut m[..]),
            Memory::Literal(literal) => Some(Arc::make_mut(literal).bytes_mut()),
            Memory::Host(_) | Memory::Gone => None,
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} on {})", self.shape, self.device.name())
    }
}

fn plain(shape: &ArrayShape) -> Arc<ArrayShape> {
    Arc::new(ArrayShape { layout: None, ..shape.clone() })
}

fn check_size(shape: &ArrayShape, found: usize) -> Result<(), Error> {
    let size = shape.checked_elements().and_then(|n| n.checked_mul(shape.dtype.size() as i64));
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

/// A Rust type that is the element of arrays.
pub trait Element: Copy + sealed::Sealed {
    const DTYPE: DType;
    /// From its little-endian bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Appends its little-endian bytes.
    fn write(self, out: &mut Vec<u8>);
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),*) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
            fn read(bytes: &[u8]) -> $rust {
                let mut own = [0; size_of::<$rust>()];
                own.copy_from_slice(bytes);
                <$rust>::from_le_bytes(own)
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

elements! {
    i8 => S8, i16 => S16, i32 => S32, i64 => S64, u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64
}

impl sealed::Sealed for bool {}
impl Element for bool {
    const DTYPE: DType = DType::Pred;
    fn read(bytes: &[u8]) -> bool {
        bytes != [0]
    }
    fn write(self, out: &mut Vec<u8>) {
        out.push(self as u8);
    }
}
