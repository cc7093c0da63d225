//! What callers ask of buffers.

use super::layout;
use crate::abi::entry::guarded;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::args;
use crate::array::Array;
use crate::event::{Event, Signal};
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
    a.bytes = a.buffer.get()?.bytes();
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
    let (mut array, bytes) = (source.array()?, source.bytes());
    if a.destination.is_null() {
        a.size = bytes;
        return Ok(());
    }
    let (dims, size) = (&source.dims[..], source.element_bytes());
    let strides = match a.host_layout.read_whole() {
        None => None,
        Some(layout) => Some(layout::strides(&layout, dims, size)?),
    };
    let strides = strides.filter(|s| !strided::is_row_major(dims, s, size));
    let reach = match &strides {
        None => Some(bytes),
        Some(strides) => {
            strided::span(dims, strides, size).and_then(|(low, high)| (low == 0).then_some(high as usize))
        }
    };
    if reach.is_none_or(|reach| reach > a.size) {
        return Err(too_small(bytes, a.size));
    }
    let (dims, mut to, room) = (source.dims.clone(), a.destination, a.size);
    if let Some(signal) = array.signal() {
        signal.hasten();
        array = array.settled();
    }
    let is_there = array.is_there();
    let copy = move || {
        let array = array.wait()?;
        let (from, to) = (array.bytes(), to.bytes(room));
        match strides {
            None => to[..bytes].copy_from_slice(from),
            Some(strides) => strided::scatter(from, &dims, &strides, size, to),
        }
        Ok(())
    };
    a.event = match &source.platform.queue {
        // When its turn comes, which is after the run that makes it.
        Some(queue) if !is_there => {
            let turn = queue.turn(None);
            let signal = Signal::of(&turn);
            let event = Event::of(&signal);
            queue.give(turn, move || signal.set(guarded(copy)));
            event
        }
        _ => {
            copy()?;
            Event::come()
        }
    };
    Ok(())
}

fn too_small(needed: usize, size: usize) -> Failure {
    Failure::invalid(format!("the array needs {needed} bytes, and its destination has {size}"))
}

/// Of what is deleted it has come: there is nothing to wait for. Who asks is about to wait.
pub fn ready_event(a: &mut args::BufferReadyEvent) -> Result<(), Failure> {
    let signal = a.buffer.get()?.content().array.as_ref().and_then(Array::signal).cloned();
    if let Some(signal) = &signal {
        signal.hasten();
    }
    a.event = signal.as_ref().map_or_else(Event::come, Event::of);
    Ok(())
}

/// Waits until the elements are there.
pub fn pointer(a: &mut args::BufferPointer) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    let external = buffer.content().external.first().cloned();
    let array = match external {
        Some(array) => array,
        None => buffer.array()?.wait()?,
    };
    a.pointer = Pointer::lend(array.bytes());
    Ok(())
}

/// As [`pointer`].
pub fn increase_external_references(a: &mut args::BufferOnly) -> Result<(), Failure> {
    let buffer = a.buffer.get()?;
    let array = buffer.array()?.wait()?;
    buffer.content().external.push(array);
    Ok(())
}

pub fn decrease_external_references(a: &mut args::BufferOnly) -> Result<(), Failure> {
    let last = a.buffer.get()?.content().external.pop();
    last.map(|_| ()).ok_or_else(|| Failure::invalid("the buffer has no external references"))
}
