//! Buffers: arrays on a device.
//!
//! The elements are never written after a buffer is made, so any number of buffers, on any device, may share them. A program
//! that is given a buffer takes over its memory only where nobody else holds it; else it works on a copy. Of a queued run's results the
//! shapes are known at once, and the elements come later.

use crate::abi::failure::Failure;
use crate::array::{Array, Coming};
use crate::event::Signal;
use crate::platform::Platform;
use crate::types;
use lawson::hlo::{ArrayShape, DType};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the caller holds.
pub struct Buffer {
    pub platform: Arc<Platform>,
    pub device: usize,
    dtype: DType,
    pub element_type: u32,
    pub dims: Box<[i64]>,
    pub minor_to_major: Box<[i64]>,
    content: Mutex<Content>,
}

#[derive(Default)]
pub struct Content {
    /// Nothing once the buffer is deleted or given to a program.
    pub array: Option<Array>,
    /// Held for others who read the memory itself, one for each.
    pub external: Vec<Arc<lawson::Buffer>>,
}

impl Buffer {
    /// A buffer of an array.
    ///
    /// # Errors
    /// PJRT does not have its element type.
    pub fn new(
        platform: &Arc<Platform>,
        device: usize,
        array: Arc<lawson::Buffer>,
    ) -> Result<Buffer, Failure> {
        let buffer = Buffer::empty(platform, device, array.shape())?;
        Ok(buffer.with(Array::There(array)))
    }

    /// A buffer of an array of this shape that a queued run will make.
    ///
    /// # Errors
    /// PJRT does not have its element type.
    pub fn coming(
        platform: &Arc<Platform>,
        device: usize,
        shape: &ArrayShape,
        array: Arc<Coming>,
    ) -> Result<Buffer, Failure> {
        let buffer = Buffer::empty(platform, device, shape)?;
        Ok(buffer.with(Array::Coming(array)))
    }

    /// A buffer that stands for a token, which comes with the signal if there is one.
    ///
    /// # Errors
    /// Memory is out.
    pub fn token(
        platform: &Arc<Platform>,
        device: usize,
        signal: Option<&Arc<Signal>>,
    ) -> Result<Buffer, Failure> {
        let nothing = platform.client.buffer_from_bytes(&ArrayShape::new(DType::Pred, [0]), &[])?;
        let buffer = Buffer::empty(platform, device, nothing.shape())?;
        let buffer =
            Buffer { element_type: types::TOKEN, dims: [].into(), minor_to_major: [].into(), ..buffer };
        Ok(buffer.with(match signal {
            None => Array::There(Arc::new(nothing)),
            Some(signal) => {
                let coming = Coming::with(signal);
                coming.put(nothing);
                Array::Coming(coming)
            }
        }))
    }

    fn empty(platform: &Arc<Platform>, device: usize, shape: &ArrayShape) -> Result<Buffer, Failure> {
        Ok(Buffer {
            platform: platform.clone(),
            device,
            dtype: shape.dtype,
            element_type: types::number(shape.dtype)?,
            dims: shape.dims[..].into(),
            minor_to_major: (0..shape.dims.len() as i64).rev().collect(),
            content: Mutex::default(),
        })
    }

    fn with(mut self, array: Array) -> Buffer {
        self.content = Mutex::new(Content { array: Some(array), external: Vec::new() });
        self
    }

    /// What it holds now.
    pub fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The array, also held by the buffer.
    ///
    /// # Errors
    /// It is deleted or was given to a program.
    pub fn array(&self) -> Result<Array, Failure> {
        let mut content = self.content();
        content.array = content.array.take().map(Array::settled);
        content.array.clone().ok_or_else(gone)
    }

    /// Whether there is an array.
    ///
    /// # Errors
    /// It is deleted or was given to a program.
    pub fn check(&self) -> Result<(), Failure> {
        if self.content().array.is_some() { Ok(()) } else { Err(gone()) }
    }

    /// The array, no longer held by the buffer.
    ///
    /// # Errors
    /// It is deleted or was given to a program.
    pub fn give(&self) -> Result<Array, Failure> {
        self.content().array.take().map(Array::settled).ok_or_else(gone)
    }

    /// How many bytes its elements have.
    pub fn bytes(&self) -> usize {
        self.dims.iter().product::<i64>() as usize * self.element_bytes()
    }

    /// The same array, or token, as another buffer.
    ///
    /// # Errors
    /// It is deleted or was given to a program.
    pub fn on(&self, device: usize) -> Result<Buffer, Failure> {
        Ok(Buffer {
            platform: self.platform.clone(),
            device,
            dtype: self.dtype,
            element_type: self.element_type,
            dims: self.dims.clone(),
            minor_to_major: self.minor_to_major.clone(),
            content: Mutex::new(Content { array: Some(self.array()?), external: Vec::new() }),
        })
    }

    pub fn element_bytes(&self) -> usize {
        self.dtype.size()
    }
}

/// The error of a buffer that holds no array.
pub fn gone() -> Failure {
    Failure::invalid("[input] the array has been deleted or donated to a program")
}
