//! Compiled programs, with what callers ask about them.

use crate::abi::memory::Pointer;
use crate::abi::named::Properties;
use crate::compile_options;
use crate::failure::Failure;
use crate::platform::Platform;
use crate::settings::Wishes;
use crate::{memory, report, types};
use lawson::Donation;
use std::sync::{Arc, Mutex, OnceLock};

/// A compiled program. What it was made of is kept: to serialize it, and to explain it.
pub struct Program {
    pub platform: Arc<Platform>,
    /// Where it runs unless a run says otherwise.
    pub device: usize,
    pub code: lawson::Executable,
    pub name: String,
    /// Arguments whose memory it may take over.
    pub donated: Vec<usize>,
    pub outputs: Outputs,
    pub source: Vec<u8>,
    pub options: Vec<u8>,
    pub wishes: Wishes,
    /// What was measured in the latest run that was to be profiled.
    pub measured: Mutex<Option<lawson::explain::Explanation>>,
    cost: OnceLock<Properties>,
}

/// The results, as the C API wants to be told of them.
#[derive(Default)]
pub struct Outputs {
    pub types: Vec<u32>,
    /// Of all results, one after the other.
    pub dims: Vec<i64>,
    pub ranks: Vec<usize>,
    pub memory_kinds: Vec<Pointer<u8>>,
    pub memory_kind_sizes: Vec<usize>,
}

impl Program {
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
            outputs.memory_kinds.push(Pointer::lend(memory::KIND.as_bytes()));
            outputs.memory_kind_sizes.push(memory::KIND.len());
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

    /// What the plan says of a run, and the reports that were asked for. Made when it is first asked for: of a
    /// program that is profiled, after its run.
    pub fn cost(&self) -> Result<&Properties, Failure> {
        if let Some(known) = self.cost.get() {
            return Ok(known);
        }
        let made = Properties::new(report::properties(self)?);
        Ok(self.cost.get_or_init(|| made))
    }
}
