//! Arrays of the host as buffers: with a copy, or where they are.
//!
//! Memory that the caller promises to leave as it is becomes the buffer's without a copy where the elements lie in row-major
//! order and begin at a multiple of 64 bytes; the event that the caller gets then comes when the last who reads the memory is
//! done. All else is copied before the call returns, as are integers of less than a byte: NumPy leaves the other bits of their
//! bytes open.

use super::layout;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Lent};
use crate::args;
use crate::buffer::Buffer;
use crate::event::{Event, Signal};
use crate::queue;
use crate::{strided, types};
use lawson::hlo::{ArrayShape, DType};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What compiled programs want arguments to begin at.
const ALIGN: usize = lawson_cpu::memory::ALIGN;

/// The caller leaves the memory as it is as long as the buffer lives: `kImmutableZeroCopy` and `kMutableZeroCopy`.
const STAYS: [u32; 2] = [2, 3];

/// Memory of the caller.
struct Held<T: Fn()> {
    memory: Lent,
    /// Ends with the last who reads it.
    _notice: Arc<Notice<T>>,
}

impl<T: Fn()> AsRef<[u8]> for Held<T> {
    fn as_ref(&self) -> &[u8] {
        self.memory.as_ref()
    }
}

/// Tells the caller that nobody reads the memory any more, if there is a buffer: a call that fails has taken nothing.
struct Notice<T: Fn()> {
    tell: T,
    has_buffer: AtomicBool,
}

impl<T: Fn()> Notice<T> {
    fn new(tell: T) -> Arc<Notice<T>> {
        Arc::new(Notice { tell, has_buffer: AtomicBool::new(false) })
    }

    /// There is a buffer: the caller is told when the last one who holds this lets go of it.
    fn is_due(self: Arc<Notice<T>>) {
        self.has_buffer.store(true, Ordering::Release);
    }
}

impl<T: Fn()> Drop for Notice<T> {
    fn drop(&mut self) {
        if *self.has_buffer.get_mut() {
            (self.tell)();
        }
    }
}

pub fn from_host_buffer(a: &mut args::ClientBufferFromHostBuffer) -> Result<(), Failure> {
    let platform = &a.client.get()?.0;
    let device = platform.chosen(a.device, a.memory)?;
    let shape = shape_of(a.element_type, a.dims.get())?;
    let (dims, size) = (&shape.dims[..], shape.dtype.size());
    let strides = match a.byte_strides.get() {
        strides if strides.len() == dims.len() => strides.to_vec(),
        [] => strided::dense(dims, (0..dims.len()).rev(), size),
        other => {
            let message = format!("{} strides for an array of {} dimensions", other.len(), dims.len());
            return Err(Failure::invalid(message));
        }
    };
    if let Some(layout) = a.device_layout.read_whole()
        && !strided::is_row_major(dims, &layout::strides(&layout, dims, size)?, size)
    {
        return Err(Failure::unimplemented(
            "arrays on the device are in row-major order: another layout is not supported",
        ));
    }
    let (low, high) = strided::span(dims, &strides, size).ok_or_else(|| too_large(&shape))?;
    let row_major = strided::is_row_major(dims, &strides, size);
    let as_it_is = row_major && !types::has_open_bits(shape.dtype);
    let stays = STAYS.contains(&a.semantics) && high > 0;
    let signal = Arc::<Signal>::default();
    let done = signal.clone();
    let notice = Notice::new(move || done.set(Ok(())));
    let array = if as_it_is && stays && a.data.address().is_multiple_of(ALIGN) {
        let owner = Held { memory: Lent::new(a.data, high as usize), _notice: notice.clone() };
        platform.client.buffer_from_owner(&shape, owner)?
    } else if as_it_is {
        platform.client.buffer_from_bytes(&shape, a.data.span(0, high))?
    } else {
        let from = a.data.span(low, high);
        let fill = |to: &mut [u8]| {
            strided::gather(from, -low as i64, dims, &strides, size, to);
            types::settle(shape.dtype, to);
        };
        platform.client.buffer_filled(&shape, fill)?
    };
    a.buffer = Handle::give(Buffer::new(platform, device, Arc::new(array))?);
    notice.is_due();
    a.done_with_host_buffer = Event::of(&signal);
    Ok(())
}

/// A buffer in memory that somebody else has, as that of another library's array; a copy where it is not in row-major order.
pub fn create_view(a: &mut args::ClientCreateView) -> Result<(), Failure> {
    let platform = &a.client.get()?.0;
    let device = platform.chosen(a.device, a.memory)?;
    let shape = shape_of(a.element_type, a.dims.get())?;
    let (dims, size) = (&shape.dims[..], shape.dtype.size());
    let strides = match a.layout.read_whole() {
        Some(layout) => layout::strides(&layout, dims, size)?,
        None => strided::dense(dims, (0..dims.len()).rev(), size),
    };
    let (low, high) = strided::span(dims, &strides, size).ok_or_else(|| too_large(&shape))?;
    let (data, on_delete) = (a.data, a.on_delete);
    // It may be Python's, which whoever waits for the queue may hold.
    let notice = Notice::new(move || queue::beside(move || on_delete.call(data)));
    let as_it_is = strided::is_row_major(dims, &strides, size) && !types::has_open_bits(shape.dtype);
    let array = if as_it_is {
        let owner = Held { memory: Lent::new(data, high as usize), _notice: notice.clone() };
        platform.client.buffer_from_owner(&shape, owner)?
    } else {
        let from = data.span(low, high);
        let fill = |to: &mut [u8]| {
            strided::gather(from, -low as i64, dims, &strides, size, to);
            types::settle(shape.dtype, to);
        };
        platform.client.buffer_filled(&shape, fill)?
    };
    a.buffer = Handle::give(Buffer::new(platform, device, Arc::new(array))?);
    notice.is_due();
    Ok(())
}

fn shape_of(element_type: u32, dims: &[i64]) -> Result<ArrayShape, Failure> {
    let dtype: DType = types::of_number(element_type)?;
    if dims.iter().any(|&d| d < 0) {
        return Err(Failure::invalid(format!("{dims:?} are no dimensions of an array")));
    }
    Ok(ArrayShape::new(dtype, dims))
}

fn too_large(shape: &ArrayShape) -> Failure {
    Failure::invalid(format!("{shape} has too many bytes"))
}
