//! Running a verified module: the one place that dispatches on the device.

use crate::error::{Error, ErrorCode};
use crate::memory;
use crate::options::{Device, Options};
use lawson_hlo::eval::{self, Reason};
use lawson_hlo::{Module, Value};

/// Runs the entry of a verified, supported module on `args`, one for each parameter.
pub fn execute(module: &Module, args: &[Value], options: &Options) -> Result<Value, Error> {
    memory::check_interface(module, options.max_memory)?;
    match options.device {
        Device::Interpreter => interpret(module, args, options),
        Device::Cpu => Err(not_built("cpu")),
        Device::Cuda => Err(not_built("cuda")),
    }
}

fn not_built(device: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("this build has no device {device}; use --device interpreter"))
}

fn interpret(module: &Module, args: &[Value], options: &Options) -> Result<Value, Error> {
    memory::check_unfused(module, options.max_memory)?;
    let limits = eval::Options { max_bytes: options.max_memory, ..eval::Options::default() };
    eval::evaluate(module, args, &limits).map_err(|e| {
        let code = match e.reason {
            Reason::Arguments => ErrorCode::Input,
            Reason::Unsupported | Reason::CustomCall => ErrorCode::Unsupported,
            Reason::Limit => ErrorCode::Limit,
            Reason::Malformed => ErrorCode::Internal,
        };
        Error::new(code, e.to_string())
    })
}
