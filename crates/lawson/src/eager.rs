//! Operations on concrete tensors, outside of traced functions: each is a program of its own, compiled once and kept.

use crate::buffer::Buffer;
use crate::client::Client;
use crate::error::{Error, ErrorCode};
use crate::executable::Executable;
use crate::options::{Device, Options};
use crate::run::Argument;
use lawson_frontend::Array;
use lawson_frontend::array::Memory;
use lawson_frontend::backend::{BACKENDS, Backend};
use lawson_hlo::{ArrayShape, Attrs, CompId, InstrId, Module, Opcode, Shape};
use linkme::distributed_slice;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// So many programs are kept; then all are forgotten.
const MAX_KEPT: usize = 4096;

#[distributed_slice(BACKENDS)]
static NATIVE: &'static dyn Backend = &Native;

/// Native code on the processor this runs on.
struct Native;

/// Instructions without their names and places: what decides what code is made.
#[derive(PartialEq, Eq, Hash)]
struct Key(Vec<Vec<(Opcode, Shape, Vec<InstrId>, Attrs)>>, Vec<InstrId>, CompId);

static PROGRAMS: LazyLock<Mutex<HashMap<Key, Executable>>> = LazyLock::new(Mutex::default);

impl Backend for Native {
    fn run(&self, module: &Module, arguments: &[Array]) -> Result<Vec<Array>, String> {
        let executable = executable(module).map_err(|e| e.message)?;
        run(&executable, arguments).map_err(|e| e.message)
    }

    fn array(&self, shape: &ArrayShape, bytes: &[u8]) -> Result<Array, String> {
        let buffer = Client::cpu().buffer_from_bytes(shape, bytes).map_err(|e| e.message)?;
        Ok(of_buffer(buffer))
    }
}

impl Memory for Buffer {
    fn bytes(&self) -> &[u8] {
        Buffer::bytes(self)
    }
}

/// An array in the memory of a buffer.
pub(crate) fn of_buffer(buffer: Buffer) -> Array {
    Array::new(buffer.shape().clone(), Arc::new(buffer))
}

fn executable(module: &Module) -> Result<Executable, Error> {
    let key = Key::of(module);
    let programs = || PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = programs().get(&key) {
        return Ok(known.clone());
    }
    let made = Client::cpu().compile(module, &Options::default())?;
    let mut programs = programs();
    if programs.len() >= MAX_KEPT {
        programs.clear();
    }
    programs.insert(key, made.clone());
    Ok(made)
}

impl Key {
    fn of(module: &Module) -> Key {
        let comps = module.computations.iter().map(|comp| {
            let part = |i: &lawson_hlo::Instruction| {
                (i.opcode, i.shape.clone(), i.operands.clone(), i.attrs.clone())
            };
            comp.instrs.iter().map(part).collect()
        });
        let roots = module.computations.iter().map(|comp| comp.root).collect();
        Key(comps.collect(), roots, module.entry)
    }
}

/// Runs a program on arrays, of which it copies those that are in no buffer of its device.
pub(crate) fn run(executable: &Executable, arguments: &[Array]) -> Result<Vec<Array>, Error> {
    let device = executable.device();
    let there = |a: &Array| buffer_of(a).is_some_and(|b| b.device() == device);
    let copies = arguments.iter().map(|a| if there(a) { Ok(None) } else { copied(device, a).map(Some) });
    let copies = copies.collect::<Result<Vec<_>, Error>>()?;
    let lent = arguments.iter().zip(&copies);
    let lent = lent.filter_map(|(a, copy)| copy.as_ref().or_else(|| buffer_of(a)));
    Ok(executable.run(lent.map(Argument::Borrowed))?.into_iter().map(of_buffer).collect())
}

/// Runs a program on arrays that are given up: where nobody else holds the memory of one, a result may take it.
pub(crate) fn run_owned(executable: &Executable, arguments: Vec<Array>) -> Result<Vec<Array>, Error> {
    let device = executable.device();
    let given = arguments.into_iter().map(|a| match buffer_of(&a) {
        Some(there) if there.device() == device => owned(a),
        _ => copied(device, &a),
    });
    let given = given.collect::<Result<Vec<_>, Error>>()?;
    Ok(executable.run(given.into_iter().map(Argument::Donated))?.into_iter().map(of_buffer).collect())
}

fn copied(device: Device, array: &Array) -> Result<Buffer, Error> {
    Client::new(device)?.buffer_from_bytes(array.shape(), array.bytes())
}

/// The buffer that an array is in: alone if nobody else holds it.
fn owned(array: Array) -> Result<Buffer, Error> {
    let memory: Arc<dyn Any + Send + Sync> = array.into_memory();
    match memory.downcast::<Buffer>() {
        Ok(buffer) => Ok(Arc::try_unwrap(buffer).unwrap_or_else(|shared| shared.held())),
        Err(_) => Err(Error::new(ErrorCode::Internal, "an array left its buffer")),
    }
}

fn buffer_of(array: &Array) -> Option<&Buffer> {
    let memory: &dyn Any = &**array.memory();
    memory.downcast_ref()
}
