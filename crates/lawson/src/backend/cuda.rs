//! NVIDIA's processors, and one that is emulated on the host.

use super::{Backend, Needs, in_time, limits, places};
use crate::buffer::Buffer;
use crate::code_folder::CodeFolder;
use crate::compile::{self, Planned, device_error, unregistered};
use crate::error::{Error, ErrorCode, option_error};
use crate::options::{Device, Options};
use crate::run::{Argument, Counters, Outcome, RunOptions};
use crate::target::CodeFor;
use lawson_cpu as cpu;
use lawson_cuda::{self as cuda, Executable};
use lawson_hlo::ArrayShape;
use std::sync::Arc;

/// The device that is meant.
///
/// # Errors
/// It is not there: what is missing, and how to mend it.
pub(crate) fn open(device: Device) -> Result<cuda::Device, Error> {
    match device {
        Device::Cuda(number) => cuda::Device::open(number.into()).map_err(|e| device_error(&e)),
        Device::CudaEmulated => cuda::emulation::device().map_err(|e| device_error(&e)),
        Device::Cpu | Device::Interpreter => {
            Err(Error::new(ErrorCode::Internal, format!("{device} is no graphics processor")))
        }
    }
}

/// What users call a device that is open.
pub(crate) fn name_of(device: &cuda::Device) -> Device {
    device.ordinal().and_then(|n| n.try_into().ok()).map_or(Device::CudaEmulated, Device::Cuda)
}

/// The options, with a target that the device runs code for.
///
/// # Errors
/// They name one that is no graphics processor, or newer than the device.
pub(crate) fn options_for(options: &Options, device: &cuda::Device) -> Result<Options, Error> {
    let properties = device.properties();
    if options.target.is_none() {
        return Ok(Options { target: Some(target_of(properties).into()), ..options.clone() });
    }
    let machine = options.machine()?;
    let name = &machine.target.name;
    let CodeFor::Processor(code) = machine.code else {
        return Err(option_error(format!("--target: `{name}` is the host, not {}", properties.name)));
    };
    let number = code.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
    match number.map(|n| (n / 10, n % 10)) {
        None => Err(option_error(format!("--target: `{name}` is no graphics processor"))),
        Some(wanted) if wanted > properties.capability => Err(option_error(format!(
            "--target: code for `{name}` ({code}) does not run on {}, which has compute capability {}.{}",
            properties.name, properties.capability.0, properties.capability.1
        ))),
        Some(_) => Ok(options.clone()),
    }
}

/// What plans assume of a device, and the newest code that it runs.
fn target_of(properties: &cuda::Properties) -> &'static str {
    let known = [("H100", "h100"), ("A100", "a100"), ("RTX 4060", "rtx4060")];
    if let Some((_, target)) = known.into_iter().find(|(name, _)| properties.name.contains(name)) {
        return target;
    }
    match properties.capability {
        (9.., _) => "sm_90",
        (8, 9..) => "sm_89",
        (8, 7..) => "sm_87",
        (8, 6..) => "sm_86",
        (8, _) => "sm_80",
        _ => "sm_75",
    }
}

/// Makes code of a planned module and puts it on a device; what the folder has is not compiled.
pub(crate) fn load(
    planned: &Planned,
    options: &Options,
    folder: Option<&CodeFolder>,
    calls: &cpu::CustomCalls,
    device: &cuda::Device,
) -> Result<Executable, Error> {
    let how = cpu::CompileOptions { target: options.machine()?.spec()?, effort: compile::effort(options) };
    let program = planned.scheduled.program.clone();
    let cache = folder.map(|f| f as &dyn cpu::CodeCache);
    let pool = compile::pool(options.threads);
    let made = cuda::compile(&program, &how, cache, &pool)
        .and_then(|compiled| Executable::load(program, compiled, device, &pool, calls));
    made.map_err(|e| match &e {
        cuda::Error::Host(host) => match &*host.0 {
            cpu::Error::UnknownCustomCall(target) => unregistered(&planned.module, target),
            _ => device_error(&e),
        },
        _ => device_error(&e),
    })
}

/// A program on a device, and what users call that.
pub(crate) struct OnDevice {
    pub device: Device,
    pub code: Executable,
}

impl Backend for OnDevice {
    fn run(
        &self,
        arguments: &mut [Argument<'_>],
        shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<Outcome, Error> {
        let arguments = arguments.iter_mut().map(Argument::for_cuda).collect::<Result<Vec<_>, _>>()?;
        let done = self.code.run_with(arguments, &limits(options));
        let done = done.map_err(|e| in_time(device_error(&e), options))?;
        let outputs = shapes.iter().cloned().zip(done.outputs);
        let outputs = outputs.map(|(shape, memory)| Buffer::of_device(self.device, shape, memory));
        Ok(Outcome { outputs: outputs.collect(), counters: Counters::of_cuda(&done.counters) })
    }

    fn run_into(
        &self,
        arguments: &mut [Argument<'_>],
        outputs: &mut [Buffer],
        options: &RunOptions,
    ) -> Result<Counters, Error> {
        let places = places(outputs, Buffer::writable_on_device)?;
        let arguments = arguments.iter_mut().map(Argument::for_cuda).collect::<Result<Vec<_>, _>>()?;
        let done = self.code.run_into(arguments, &places, &limits(options));
        Ok(Counters::of_cuda(&done.map_err(|e| in_time(device_error(&e), options))?))
    }

    fn trace(&self, arguments: &[&Buffer], options: &RunOptions) -> Result<Option<Vec<cpu::Span>>, Error> {
        let arguments = arguments.iter().map(|b| b.on_device()).collect::<Result<Vec<_>, _>>()?;
        let traced = self.code.run_traced(&arguments, &limits(options));
        Ok(Some(traced.map_err(|e| in_time(device_error(&e), options))?.1))
    }

    fn needs(&self) -> Needs {
        let (temporaries, code) = (self.code.temp_bytes() as u64, self.code.code_bytes() as u64);
        Needs { temporaries, code, codes: self.code.codes() }
    }
}
