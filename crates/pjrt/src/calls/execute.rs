//! Running programs on buffers.
//!
//! A run is over when the call returns. Arguments that the program takes over are deleted for the caller, whether the run
//! succeeds or not; their memory becomes that of results where nobody else holds it.

use crate::abi::failure::Failure;
use crate::abi::memory::Handle;
use crate::args;
use crate::buffer::Buffer;
use crate::event::Event;
use crate::program::Program;
use crate::report;
use lawson::{Argument, RunOptions};
use std::sync::Arc;

pub fn execute(a: &mut args::LoadedExecute) -> Result<(), Failure> {
    let program = a.loaded.get()?.program()?;
    program.platform.check_process()?;
    if a.num_devices != 1 {
        let message = format!("a run on {} devices: Lawson runs each program on one", a.num_devices);
        return Err(Failure::unimplemented(&message));
    }
    let given = a.arguments.array(1).first().map_or(&[][..], |list| list.array(a.num_args));
    let options = a.options.read();
    let kept = options.as_ref().map_or(&[][..], |o| o.not_donated.get());
    let device = if a.device.is_null() { program.device } else { a.device.get()?.number };
    if given.len() != program.arguments {
        let (name, wanted, found) = (&program.name, program.arguments, given.len());
        let message = format!("[input] {name} has {wanted} arguments, {found} are given");
        return Err(Failure::invalid(message));
    }
    let outputs = if program.arrays.len() == given.len() {
        run(program, given, kept)?
    } else {
        let arrays: Vec<_> = program.arrays.iter().map(|&n| given[n]).collect();
        let kept = kept.iter().filter_map(|&k| program.arrays.iter().position(|&n| n as i64 == k));
        run(program, &arrays, &kept.map(|n| n as i64).collect::<Vec<_>>())?
    };
    let outputs = outputs.into_iter().map(|array| Buffer::new(&program.platform, device, Arc::new(array)));
    let mut outputs: Vec<Buffer> = outputs.collect::<Result<_, _>>()?;
    for &n in &program.outputs.tokens {
        outputs.insert(n, Buffer::token(&program.platform, device)?);
    }
    if let Some(list) = a.outputs.array(1).first() {
        list.fill(outputs.into_iter().map(Handle::give));
    }
    if !a.complete.is_null() {
        a.complete.fill([Event::come()]);
    }
    Ok(())
}

fn run(program: &Program, given: &[Handle<Buffer>], kept: &[i64]) -> Result<Vec<lawson::Buffer>, Failure> {
    let arrays = given.iter().map(|h| h.get()?.array()).collect::<Result<Vec<_>, _>>()?;
    if let Some(dump) = &program.dump {
        dump.inputs(arrays.iter().map(|a| &**a), program.calls_python())?;
    }
    if program.wishes.profile {
        report::measure(program, &arrays)?;
    }
    let donated: Vec<usize> =
        program.donated.iter().copied().filter(|n| !kept.contains(&(*n as i64))).collect();
    donated.iter().try_for_each(|&n| used_once(program, given, n))?;
    let mut shared: Vec<Option<Arc<lawson::Buffer>>> = arrays.into_iter().map(Some).collect();
    let mut own = Vec::new();
    for n in donated {
        shared[n] = None;
        // Whoever else holds the array keeps it as it is.
        match Arc::try_unwrap(given[n].get()?.give()?) {
            Ok(array) => own.push(array),
            Err(held) => shared[n] = Some(held),
        }
    }
    let mut own = own.into_iter();
    let arguments = shared.iter().filter_map(|held| match held {
        Some(array) => Some(Argument::Borrowed(array)),
        None => own.next().map(Argument::Donated),
    });
    Ok(program.code.run_with(arguments, &RunOptions::default())?.outputs)
}

/// Refuses an argument that is given up and used as another one too.
fn used_once(program: &Program, given: &[Handle<Buffer>], n: usize) -> Result<(), Failure> {
    let buffer: *const Buffer = given[n].get()?;
    for (other, handle) in given.iter().enumerate() {
        if other != n && std::ptr::eq(buffer, handle.get()?) {
            let name = &program.name;
            let message = format!("[input] {name}: argument {n} is donated, and is argument {other} as well");
            return Err(Failure::invalid(message));
        }
    }
    Ok(())
}
