//! What callers ask of programs.

use crate::abi::callback::delete;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::args;
use crate::executable::{Executable, Loaded, Serialized};
use crate::{compile, compile_options, report};
use std::sync::atomic::Ordering;

/// The one form of programs: StableHLO.
const FORMAT: &str = "mlir";

pub fn compile(a: &mut args::ClientCompile) -> Result<(), Failure> {
    let platform = &a.client.get()?.0;
    let program = a.program.read().ok_or_else(|| Failure::invalid("there is no program"))?;
    let format = program.format.to_text();
    if format != FORMAT {
        let message = format!("a program as `{format}`: Lawson takes StableHLO (`{FORMAT}`)");
        return Err(Failure::unimplemented(&message));
    }
    let program = compile::compile(platform, program.code.get(), a.options.get())?;
    a.executable = Handle::give(Loaded::new(program));
    Ok(())
}

pub fn destroy(a: &mut args::ExecutableOnly) -> Result<(), Failure> {
    a.executable.destroy();
    Ok(())
}

pub fn name(a: &mut args::ExecutableText) -> Result<(), Failure> {
    a.text = Slice::text(&a.executable.get()?.0.name);
    Ok(())
}

/// Of replicas, and of partitions.
pub fn one(a: &mut args::ExecutableCount) -> Result<(), Failure> {
    a.count = 1;
    Ok(())
}

pub fn num_outputs(a: &mut args::ExecutableCount) -> Result<(), Failure> {
    a.count = a.executable.get()?.0.outputs.types.len();
    Ok(())
}

pub fn code_size(a: &mut args::ExecutableBytes) -> Result<(), Failure> {
    a.bytes = a.executable.get()?.0.code.memory_stats().code as i64;
    Ok(())
}

pub fn cost_analysis(a: &mut args::ExecutableCost) -> Result<(), Failure> {
    let properties = report::cost(&a.executable.get()?.0)?.lent();
    (a.count, a.properties) = (properties.len(), Pointer::lend(properties));
    Ok(())
}

/// The program as it was given, as text: jaxlib shows it as HLO. What became of it cannot be said in StableHLO; the report of
/// `lawson.explain` says it.
pub fn optimized_program(a: &mut args::ExecutableProgram) -> Result<(), Failure> {
    let mut place = a.program.read().ok_or_else(|| Failure::invalid("there is no place for the program"))?;
    let text = report::program_text(&a.executable.get()?.0)?;
    if !place.code.is_null() {
        let to = place.code.bytes(place.size);
        let to = to.get_mut(..text.len());
        to.ok_or_else(|| Failure::invalid("the place is too small for the program"))?
            .copy_from_slice(text.as_bytes());
    }
    place.size = text.len();
    place.format = Slice::text(FORMAT);
    a.program.write(&place);
    Ok(())
}

pub fn output_memory_kinds(a: &mut args::ExecutableMemoryKinds) -> Result<(), Failure> {
    let outputs = &a.executable.get()?.0.outputs;
    a.count = outputs.types.len();
    a.kinds = Pointer::lend(&outputs.memory_kinds);
    a.sizes = Pointer::lend(&outputs.memory_kind_sizes);
    Ok(())
}

pub fn output_types(a: &mut args::ExecutableOutputTypes) -> Result<(), Failure> {
    a.types = Slice::lend(&a.executable.get()?.0.outputs.types);
    Ok(())
}

pub fn output_dimensions(a: &mut args::ExecutableOutputDimensions) -> Result<(), Failure> {
    let outputs = &a.executable.get()?.0.outputs;
    a.count = outputs.ranks.len();
    a.dims = Pointer::lend(&outputs.dims);
    a.ranks = Pointer::lend(&outputs.ranks);
    Ok(())
}

/// Arguments, results that are not arguments, and temporaries are what is needed at once, beside the code.
pub fn memory_stats(a: &mut args::ExecutableMemoryStats) -> Result<(), Failure> {
    let stats = a.executable.get()?.0.code.memory_stats();
    a.code = stats.code as i64;
    a.arguments = stats.arguments as i64;
    a.outputs = stats.outputs as i64;
    a.aliased = stats.donated as i64;
    a.temporaries = stats.temporaries as i64;
    (a.host_code, a.host_arguments, a.host_outputs) = (0, 0, 0);
    (a.host_aliased, a.host_temporaries) = (0, 0);
    a.peak = a.arguments + a.outputs - a.aliased + a.temporaries;
    a.total = a.peak;
    Ok(())
}

pub fn destroy_loaded(a: &mut args::LoadedOnly) -> Result<(), Failure> {
    a.loaded.destroy();
    Ok(())
}

pub fn of_loaded(a: &mut args::LoadedExecutable) -> Result<(), Failure> {
    a.executable = Handle::give(Executable(a.loaded.get()?.program.clone()));
    Ok(())
}

pub fn devices(a: &mut args::LoadedDevices) -> Result<(), Failure> {
    let program = &a.loaded.get()?.program;
    a.devices = Slice::lend(std::slice::from_ref(&program.platform.device_handles[program.device]));
    Ok(())
}

pub fn delete_loaded(a: &mut args::LoadedOnly) -> Result<(), Failure> {
    a.loaded.get()?.deleted.store(true, Ordering::Relaxed);
    Ok(())
}

pub fn device_assignment(a: &mut args::LoadedDeviceAssignment) -> Result<(), Failure> {
    let serialized = Serialized(compile_options::assignment_to(a.loaded.get()?.program.device));
    // The bytes stay where they are when their owner moves.
    a.bytes = Slice::lend(&serialized.0);
    a.serialized = Handle::give(serialized);
    a.deleter = Some(delete::<Serialized>);
    Ok(())
}

pub fn is_deleted(a: &mut args::LoadedIsDeleted) -> Result<(), Failure> {
    a.is_deleted = a.loaded.get()?.deleted.load(Ordering::Relaxed).into();
    Ok(())
}
