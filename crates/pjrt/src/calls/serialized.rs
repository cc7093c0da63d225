//! Programs as bytes, for JAX's persistent cache: what a program was made of, which is compiled again when it is loaded.
//!
//! Compiling takes little longer than loading code would, and the bytes are good for every machine and for any number of
//! devices. Bytes of another version of Lawson are refused.

use crate::abi::callback::delete;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Slice};
use crate::args;
use crate::compile::compile;
use crate::executable::{Loaded, Serialized};
use prost::Message;

#[derive(Clone, PartialEq, Message)]
struct Saved {
    /// Of Lawson.
    #[prost(string, tag = "1")]
    version: String,
    #[prost(bytes = "vec", tag = "2")]
    source: Vec<u8>,
    #[prost(bytes = "vec", tag = "3")]
    options: Vec<u8>,
}

/// What the bytes begin with.
const MAGIC: &[u8] = b"lawson program\n";

pub fn serialize(a: &mut args::ExecutableSerialize) -> Result<(), Failure> {
    let program = &a.executable.get()?.0;
    if program.calls_python() {
        let message = format!("{} calls functions in Python, and cannot be serialized", program.name);
        return Err(Failure::unimplemented(&message));
    }
    let saved = Saved {
        version: env!("CARGO_PKG_VERSION").into(),
        source: program.source.clone(),
        options: program.options.clone(),
    };
    let serialized = Serialized([MAGIC, &saved.encode_to_vec()].concat());
    // The bytes stay where they are when their owner moves.
    a.bytes = Slice::lend(&serialized.0);
    a.serialized = Handle::give(serialized);
    a.deleter = Some(delete::<Serialized>);
    Ok(())
}

pub fn deserialize_and_load(a: &mut args::ExecutableDeserialize) -> Result<(), Failure> {
    let platform = &a.client.get()?.0;
    let bytes = a.bytes.get().strip_prefix(MAGIC);
    let bytes = bytes.ok_or_else(|| Failure::invalid("[input] these bytes are no program of Lawson"))?;
    let saved = Saved::decode(bytes)
        .map_err(|e| Failure::invalid(format!("[input] damaged bytes of a program of Lawson: {e}")))?;
    if saved.version != env!("CARGO_PKG_VERSION") {
        let (found, own) = (saved.version, env!("CARGO_PKG_VERSION"));
        return Err(Failure::invalid(format!("[input] a program of Lawson {found}, and this is {own}")));
    }
    let options = if a.options.get().is_empty() { &saved.options } else { a.options.get() };
    let program = compile(platform, &saved.source, options)?;
    if program.calls_python() {
        // The numbers are those of another process.
        return Err(Failure::invalid("[input] these bytes are a program that calls functions in Python"));
    }
    a.loaded = Handle::give(Loaded::new(program));
    Ok(())
}
