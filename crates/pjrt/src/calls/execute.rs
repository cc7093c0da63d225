//! Running programs on buffers.
//!
//! A call returns at once where the program goes to the queue, with buffers whose elements come later. It returns when the program
//! has run where that takes no longer than handing it over, and where the program calls Python: the callee may wait for any other
//! program, which then goes on beside it. Arguments that the program takes over are deleted for the caller at once, whether the run
//! succeeds or not; their memory becomes that of results where nobody else holds it.

use crate::abi::failure::Failure;
use crate::abi::memory::Handle;
use crate::args;
use crate::buffer::Buffer;
use crate::event::Event;
use crate::program::Program;
use crate::queue::Queue;
use crate::run::{Given, enqueue, run};
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
    let given = if program.arrays.len() == given.len() {
        arguments(program, given, kept)?
    } else {
        let arrays: Vec<_> = program.arrays.iter().map(|&n| given[n]).collect();
        let kept = kept.iter().filter_map(|&k| program.arrays.iter().position(|&n| n as i64 == k));
        arguments(program, &arrays, &kept.map(|n| n as i64).collect::<Vec<_>>())?
    };
    let (outputs, complete) = match queue(program, &given) {
        Some(queue) => queued(program, device, queue, given)?,
        None => at_once(program, device, given)?,
    };
    if let Some(list) = a.outputs.array(1).first() {
        list.fill(outputs.into_iter().map(Handle::give));
    }
    if !a.complete.is_null() {
        a.complete.fill([complete]);
    }
    Ok(())
}

/// The arguments, those that the program takes over no longer held by their buffers.
fn arguments(program: &Program, given: &[Handle<Buffer>], kept: &[i64]) -> Result<Vec<Given>, Failure> {
    let is_donated = |n: usize| program.donated.contains(&n) && !kept.contains(&(n as i64));
    for &n in &program.donated {
        if is_donated(n) {
            used_once(program, given, n)?;
        }
    }
    // No argument is given up in vain because another one is not there.
    given.iter().try_for_each(|buffer| buffer.get()?.check())?;
    let argument = |(n, buffer): (usize, &Handle<Buffer>)| {
        let is_donated = is_donated(n);
        let array = if is_donated { buffer.get()?.give()? } else { buffer.get()?.array()? };
        Ok(Given { array, is_donated })
    };
    given.iter().enumerate().map(argument).collect()
}

/// Where the program is to wait for its turn; nothing where it runs at once.
fn queue<'p>(program: &'p Program, given: &[Given]) -> Option<&'p Queue> {
    let queue = program.platform.queue.as_ref()?;
    if program.wishes.profile {
        // Alone, since it is measured.
        queue.finish();
        return None;
    }
    let is_there = || given.iter().all(|g| g.array.is_there());
    let at_once = program.calls_python() || program.length.is_short() && is_there();
    (!at_once).then_some(queue)
}

fn at_once(
    program: &Program,
    device: usize,
    given: Vec<Given>,
) -> Result<(Vec<Buffer>, Handle<Event>), Failure> {
    let platform = &program.platform;
    let outputs = run(program, given)?.into_iter();
    let outputs = outputs.map(|array| Buffer::new(platform, device, Arc::new(array)));
    let mut outputs: Vec<Buffer> = outputs.collect::<Result<_, _>>()?;
    for &n in &program.outputs.tokens {
        outputs.insert(n, Buffer::token(platform, device, None)?);
    }
    Ok((outputs, Event::come()))
}

fn queued(
    program: &Arc<Program>,
    device: usize,
    queue: &Queue,
    given: Vec<Given>,
) -> Result<(Vec<Buffer>, Handle<Event>), Failure> {
    let platform = &program.platform;
    let promised = enqueue(queue, program, given);
    let each = program.outputs.arrays.iter().zip(promised.arrays);
    let outputs = each.map(|(shape, array)| Buffer::coming(platform, device, shape, array));
    let mut outputs: Vec<Buffer> = outputs.collect::<Result<_, _>>()?;
    for &n in &program.outputs.tokens {
        outputs.insert(n, Buffer::token(platform, device, Some(&promised.signal))?);
    }
    Ok((outputs, Event::of(&promised.signal)))
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
