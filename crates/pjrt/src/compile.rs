//! From a program in StableHLO to one that runs.

use crate::abi::failure::Failure;
use crate::abi::memory::Pointer;
use crate::device::MEMORY_KIND;
use crate::platform::Platform;
use crate::program::{Outputs, Program};
use crate::{compile_options, report, types};
use lawson::Donation;
use std::sync::{Arc, Mutex, OnceLock};

/// Compiles a program in StableHLO. `options` is the message that came with it.
///
/// # Errors
/// The program or an option is wrong, or more than Lawson can do.
pub fn compile(platform: &Arc<Platform>, source: &[u8], options: &[u8]) -> Result<Arc<Program>, Failure> {
    let chosen = compile_options::read(options, platform)?;
    let module = lawson::stablehlo::module_of(source)?;
    let code = platform.client.compile(&module, &chosen.settings.options)?;
    let mut outputs = Outputs::default();
    for shape in code.result().leaves() {
        outputs.types.push(types::number(shape.dtype)?);
        outputs.dims.extend(&shape.dims);
        outputs.ranks.push(shape.dims.len());
        outputs.memory_kinds.push(Pointer::lend(MEMORY_KIND.as_bytes()));
        outputs.memory_kind_sizes.push(MEMORY_KIND.len());
    }
    let parameters = code.parameters().iter().enumerate();
    let donated = parameters.filter(|(_, p)| p.donation != Donation::NotAsked).map(|(n, _)| n);
    let program = Program {
        platform: platform.clone(),
        device: chosen.device,
        name: module.name.to_string(),
        donated: donated.collect(),
        outputs,
        source: source.into(),
        options: options.into(),
        wishes: chosen.settings.wishes,
        measured: Mutex::default(),
        cost: OnceLock::new(),
        code,
    };
    report::assert_fused(&program)?;
    Ok(Arc::new(program))
}
