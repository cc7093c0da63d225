//! Layouts as objects that callers hold and serialize: all are row-major.

use crate::abi::callback::delete;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::args;
use crate::executable::Serialized;
use crate::layout::RowMajor;

pub fn destroy(a: &mut args::LayoutOnly) -> Result<(), Failure> {
    a.layout.destroy();
    Ok(())
}

pub fn serialize(a: &mut args::LayoutSerialize) -> Result<(), Failure> {
    let serialized = Serialized(a.layout.get()?.serialized());
    // The bytes stay where they are when their owner moves.
    a.bytes = Slice::lend(&serialized.0);
    a.serialized = Handle::give(serialized);
    a.deleter = Some(delete::<Serialized>);
    Ok(())
}

pub fn default_of_client(a: &mut args::ClientDefaultLayout) -> Result<(), Failure> {
    a.client.get()?;
    a.layout = Handle::give(RowMajor { rank: a.dims.get().len() });
    Ok(())
}

pub fn default_of_topology(a: &mut args::TopologyDefaultLayout) -> Result<(), Failure> {
    a.topology.get()?;
    a.layout = Handle::give(RowMajor { rank: a.dims.get().len() });
    Ok(())
}

pub fn of_buffer(a: &mut args::BufferMemoryLayout) -> Result<(), Failure> {
    a.layout = Handle::give(RowMajor { rank: a.buffer.get()?.dims.len() });
    Ok(())
}

pub fn of_outputs(a: &mut args::ExecutableLayouts) -> Result<(), Failure> {
    let layouts = a.executable.get()?.0.output_layouts.handles();
    (a.count, a.layouts) = (layouts.len(), Pointer::lend(layouts));
    Ok(())
}

pub fn of_parameters(a: &mut args::ExecutableLayouts) -> Result<(), Failure> {
    let layouts = a.executable.get()?.0.parameter_layouts.handles();
    (a.count, a.layouts) = (layouts.len(), Pointer::lend(layouts));
    Ok(())
}
