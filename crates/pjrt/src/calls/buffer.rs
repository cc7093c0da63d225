//! What callers ask of buffers.

use super::layout;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::args;
use crate::buffer::gone;
use crate::event::Event;
use crate::strided;

pub fn destroy(a: &mut args::BufferOnly) -> Result<(), Failure> {
    a.buffer.destroy();
    Ok(())
}

pub fn element_type(a: &mut args::BufferElementType) -> Result<(), Failure> {
    a.element_type = a.buffer.get()?.element_type;
    Ok(())
}

pub fn dimensions(a: &mut args::BufferDimensions) -> Result<(), Failure> {
    a.dims = Slice::lend(&a.buffer.get()?.dims);
    Ok(())
}

/// None are.
pub fn dynamic_dimensions(a: &mut args::BufferDynamicDimensions) -> Result<(), Failure> {
    a.indices = Slice::lend(&[]);
    Ok(())
}

/// Row-major.
pub fn layout(a: &mut args::BufferLayout) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    a.layout.kind = args::TILED;
    a.layout.of = args::LayoutOf {
        struct_size: size_of::<args::LayoutOf>(),
        extension: std::ptr::null(),
        numbers: Slice::lend(&buffer.minor_to_major),
        tile_dims: Pointer::lend(&[]),
        tile_ranks: Pointer::lend(&[]),
        tiles: 0,
    };
    Ok(())
}

pub fn size(a: &mut args::BufferSize) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    a.bytes = buffer.dims.iter().product::<i64>() as usize * buffer.element_bytes();
    Ok(())
}

pub fn device(a: &mut args::BufferDevice) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    a.device = buffer.platform.device(buffer.device);
    Ok(())
}

pub fn memory(a: &mut args::BufferMemory) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    a.memory = buffer.platform.memory(buffer.device);
    Ok(())
}

/// Who holds the memory by an external reference goes on reading it.
pub fn delete(a: &mut args::BufferOnly) -> Result<(), Failure> {
    let array = a.buffer.get()?.content().array.take();
    // Not before the lock is free: whoever lent the memory is told now, and may ask for the buffer.
    drop(array);
    Ok(())
}

pub fn is_deleted(a: &mut args::BufferFlag) -> Result<(), Failure> {
    a.flag = a.buffer.get()?.content().array.is_none().into();
    Ok(())
}

/// So that arrays of NumPy are views.
pub fn is_on_cpu(a: &mut args::BufferFlag) -> Result<(), Failure> {
    a.flag = 1;
    Ok(())
}

/// No element is copied: both buffers share them.
pub fn copy_to_device(a: &mut args::BufferCopyToDevice) -> Result<(), Failure> {
    let device = a.device.get()?.number;
    a.copy = Handle::give(a.buffer.get()?.on(device)?);
    Ok(())
}

/// As [`copy_to_device`].
pub fn copy_to_memory(a: &mut args::BufferCopyToMemory) -> Result<(), Failure> {
    let device = a.memory.get()?.number;
    a.copy = Handle::give(a.buffer.get()?.on(device)?);
    Ok(())
}

pub fn to_host_buffer(a: &mut args::BufferToHostBuffer) -> Result<(), Failure> {
    let source = a.source.get()?;
    let array = source.array()?;
    let bytes = array.bytes();
    if a.destination.is_null() {
        a.size = bytes.len();
        return Ok(());
    }
    let (dims, size) = (&source.dims[..], source.element_bytes());
    let strides = match a.host_layout.read_whole() {
        None => None,
        Some(layout) => Some(layout::strides(&layout, dims, size)?),
    };
    let to = a.destination.bytes(a.size);
    match strides.filter(|s| !strided::is_row_major(dims, s, size)) {
        None => {
            let to = to.get_mut(..bytes.len()).ok_or_else(|| too_small(bytes.len(), a.size))?;
            to.copy_from_slice(bytes);
        }
        Some(strides) => match strided::span(dims, &strides, size) {
            Some((0, high)) if high as usize <= to.len() => {
                strided::scatter(bytes, dims, &strides, size, to);
            }
            _ => return Err(too_small(bytes.len(), a.size)),
        },
    }
    a.event = Event::come();
    Ok(())
}

fn too_small(needed: usize, size: usize) -> Failure {
    Failure::invalid(format!("the array needs {needed} bytes, and its destination has {size}"))
}

/// The elements are there when the buffer is.
pub fn ready_event(a: &mut args::BufferReadyEvent) -> Result<(), Failure> {
    a.buffer.get()?;
    a.event = Event::come();
    Ok(())
}

pub fn pointer(a: &mut args::BufferPointer) -> Result<(), Failure> {
    let content = a.buffer.get()?.content();
    let array = content.array.as_ref().or(content.external.first()).ok_or_else(gone)?;
    a.pointer = Pointer::lend(array.bytes());
    Ok(())
}

pub fn increase_external_references(a: &mut args::BufferOnly) -> Result<(), Failure> {
    let mut content = a.buffer.get()?.content();
    let array = content.array.clone().ok_or_else(gone)?;
    content.external.push(array);
    Ok(())
}

pub fn decrease_external_references(a: &mut args::BufferOnly) -> Result<(), Failure> {
    let last = a.buffer.get()?.content().external.pop();
    last.map(|_| ()).ok_or_else(|| Failure::invalid("the buffer has no external references"))
}
