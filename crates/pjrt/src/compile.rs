//! From a program in StableHLO to one that runs.

use crate::abi::callback::HostCall;
use crate::abi::failure::Failure;
use crate::abi::memory::Pointer;
use crate::device::MEMORY_KIND;
use crate::platform::Platform;
use crate::program::{Outputs, Program};
use crate::{compile_options, dump, report, types};
use lawson::Donation;
use lawson::hlo::{ArrayShape, Attrs, Module, Shape};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Compiles a program in StableHLO. `options` is the message that came with it.
///
/// # Errors
/// The program or an option is wrong, or more than Lawson can do.
pub fn compile(platform: &Arc<Platform>, source: &[u8], options: &[u8]) -> Result<Arc<Program>, Failure> {
    platform.check_process()?;
    let chosen = compile_options::read(options, platform)?;
    let dump = dump::begin(source, &chosen.settings.options)?;
    let module = lawson::stablehlo::module_of(source)?;
    let callbacks = callbacks(&module);
    let client = with_callbacks(platform.client.clone(), &callbacks, chosen.settings.python);
    let code = client.compile(&module, &chosen.settings.options)?;
    let entry = module.entry();
    let arguments: Vec<Leaf> =
        entry.parameters().into_iter().flat_map(|id| leaves(&entry[id].shape)).collect();
    let arrays = (0..arguments.len()).filter(|&n| arguments[n].is_some()).collect();
    let mut outputs = Outputs::default();
    for (n, leaf) in leaves(code.result()).into_iter().enumerate() {
        match leaf {
            Some(shape) => {
                outputs.types.push(types::number(shape.dtype)?);
                outputs.dims.extend(&shape.dims);
                outputs.ranks.push(shape.dims.len());
            }
            None => {
                outputs.types.push(types::TOKEN);
                outputs.ranks.push(0);
                outputs.tokens.push(n);
            }
        }
        outputs.memory_kinds.push(Pointer::lend(MEMORY_KIND.as_bytes()));
        outputs.memory_kind_sizes.push(MEMORY_KIND.len());
    }
    let parameters = code.parameters().iter().enumerate();
    let donated = parameters.filter(|(_, p)| p.donation != Donation::NotAsked).map(|(n, _)| n);
    let program = Program {
        platform: platform.clone(),
        device: chosen.device,
        name: module.name.to_string(),
        arrays,
        arguments: arguments.len(),
        donated: donated.collect(),
        outputs,
        source: source.into(),
        options: options.into(),
        calls_python: !callbacks.is_empty(),
        dump,
        wishes: chosen.settings.wishes,
        measured: Mutex::default(),
        cost: OnceLock::new(),
        code,
    };
    report::assert_fused(&program)?;
    Ok(Arc::new(program))
}

/// An array, or a token.
type Leaf<'s> = Option<&'s ArrayShape>;

fn leaves(shape: &Shape) -> Vec<Leaf<'_>> {
    match shape {
        Shape::Array(array) => vec![Some(array)],
        Shape::Tuple(parts) => parts.iter().flat_map(leaves).collect(),
        Shape::Buffer(inner) => leaves(inner),
        Shape::Token | Shape::Opaque => vec![None],
    }
}

/// What targets of custom-calls begin with that call Python; the number of what they call follows.
const CALLBACK: &str = "lawson_python_callback_";

/// The targets that call Python, with their numbers.
fn callbacks(module: &Module) -> BTreeMap<String, i64> {
    let all = module.computations.iter().flat_map(|c| &c.instrs);
    let targets = all.filter_map(|i| match &i.attrs {
        Attrs::CustomCall(call) => Some(&call.target),
        _ => None,
    });
    targets.filter_map(|t| Some((t.clone(), t.strip_prefix(CALLBACK)?.parse().ok()?))).collect()
}

fn with_callbacks(
    mut client: lawson::Client,
    callbacks: &BTreeMap<String, i64>,
    python: Option<HostCall>,
) -> lawson::Client {
    let Some(python) = python else { return client };
    for (target, &number) in callbacks {
        client = client.with_custom_call(target.clone(), move |operands, results| {
            let operands: Vec<&[u8]> = operands.iter().map(|o| o.bytes()).collect();
            let mut results: Vec<&mut [u8]> = results.iter_mut().map(|r| r.bytes_mut()).collect();
            Ok(python.call(number, &operands, &mut results)?)
        });
    }
    client
}
