//! The message in protocol buffers that says how a program is to be compiled, as far as it matters here.

use crate::abi::failure::Failure;
use crate::abi::named::Value;
use crate::platform::Platform;
use crate::settings::Settings;
use prost::Message;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Message)]
struct Options {
    #[prost(message, optional, tag = "3")]
    build: Option<BuildOptions>,
    #[prost(btree_map = "string, message", tag = "7")]
    overrides: BTreeMap<String, Override>,
}

#[derive(Clone, PartialEq, Message)]
struct BuildOptions {
    #[prost(int64, tag = "1")]
    device_ordinal: i64,
    #[prost(int64, tag = "4")]
    replicas: i64,
    #[prost(int64, tag = "5")]
    partitions: i64,
    #[prost(message, optional, tag = "9")]
    assignment: Option<Assignment>,
}

#[derive(Clone, PartialEq, Message)]
struct Assignment {
    #[prost(int64, tag = "1")]
    replicas: i64,
    #[prost(int64, tag = "2")]
    partitions: i64,
    #[prost(message, repeated, tag = "3")]
    computations: Vec<Computation>,
}

#[derive(Clone, PartialEq, Message)]
struct Computation {
    #[prost(int64, repeated, tag = "1")]
    devices: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct Override {
    #[prost(oneof = "OverrideValue", tags = "1, 2, 3, 4")]
    value: Option<OverrideValue>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum OverrideValue {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
    #[prost(double, tag = "4")]
    Float(f64),
}

/// The message that says that a program runs on this device alone.
pub fn assignment_to(device: usize) -> Vec<u8> {
    let computations = vec![Computation { devices: vec![device as i64] }];
    Assignment { replicas: 1, partitions: 1, computations }.encode_to_vec()
}

/// How a program is compiled, and for which device.
pub struct Chosen {
    pub settings: Settings,
    pub device: usize,
}

/// Reads the message of a program that this client compiles.
///
/// # Errors
/// It is damaged, an option is wrong, or the program is for more than one device.
pub fn read(message: &[u8], platform: &Platform) -> Result<Chosen, Failure> {
    let damaged = |e: prost::DecodeError| Failure::invalid(format!("[option] damaged compile options: {e}"));
    let options = Options::decode(message).map_err(damaged)?;
    let build = options.build.unwrap_or_default();
    for (what, n) in [("replicas", build.replicas), ("partitions", build.partitions)] {
        if n > 1 {
            return Err(Failure::unimplemented(&format!(
                "a program of {n} {what}: Lawson runs each program on one device; arrays that are sharded over several \
                 are not supported"
            )));
        }
    }
    let assigned = build.assignment.as_ref().and_then(|a| a.computations.first()?.devices.first());
    // -1 is none.
    let device = platform.device_numbered(*assigned.unwrap_or(&build.device_ordinal.max(0)))?;
    let mut settings = platform.settings.clone();
    for (name, given) in options.overrides {
        let value = match given.value {
            Some(OverrideValue::Text(text)) => Value::Text(text),
            Some(OverrideValue::Bool(bool)) => Value::Bool(bool),
            Some(OverrideValue::Int(int)) => Value::Int(int),
            Some(OverrideValue::Float(float)) => Value::Float(float),
            None => continue,
        };
        settings.set_of_program(&name, &value)?;
    }
    Ok(Chosen { settings, device })
}
