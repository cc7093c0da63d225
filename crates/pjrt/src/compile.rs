//! From a program in StableHLO to one that runs.

use crate::abi::failure::Failure;
use crate::abi::memory::Pointer;
use crate::abi::python::{Held, Python};
use crate::device::MEMORY_KIND;
use crate::layout::Layouts;
use crate::length::Length;
use crate::platform::Platform;
use crate::profile::Begun;
use crate::program::{Outputs, Program};
use crate::{compile_options, dump, report, types};
use lawson::Donation;
use lawson::hlo::attrs::CustomCall;
use lawson::hlo::{ArrayShape, Attrs, Module, Shape};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Compiles a program in StableHLO. `options` is the message that came with it.
///
/// # Errors
/// The program or an option is wrong, or more than Lawson can do.
pub fn compile(platform: &Arc<Platform>, source: &[u8], options: &[u8]) -> Result<Arc<Program>, Failure> {
    platform.check_process()?;
    let begun = Begun::now();
    let chosen = compile_options::read(options, platform)?;
    let dump = dump::begin(source, &chosen.settings.options)?;
    let module = lawson::stablehlo::module_of(source)?;
    let calls = calls(&module, chosen.settings.python)?;
    if chosen.settings.wishes.profile && has_effects(&module) {
        return Err(Failure::unimplemented(
            "a program with effects on the host is not profiled, since that runs it several times",
        ));
    }
    let client = with_calls(platform.client.clone(), &calls);
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
                outputs.arrays.push(shape.clone());
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
    let rank = |leaf: &Leaf| leaf.map_or(0, |shape| shape.dims.len());
    let parameters = code.parameters().iter().enumerate();
    let donated = parameters.filter(|(_, p)| p.donation != Donation::NotAsked).map(|(n, _)| n);
    let program = Program {
        platform: platform.clone(),
        device: chosen.device,
        name: module.name.to_string(),
        arrays,
        arguments: arguments.len(),
        parameter_layouts: Layouts::new(arguments.iter().map(rank)),
        output_layouts: Layouts::new(outputs.ranks.iter().copied()),
        donated: donated.collect(),
        outputs,
        source: source.into(),
        options: options.into(),
        calls: calls.into_values().collect(),
        dump,
        length: length(&module, &code),
        habit: Arc::default(),
        wishes: chosen.settings.wishes,
        is_measured: AtomicBool::new(false),
        measured: OnceLock::new(),
        cost: OnceLock::new(),
        measured_cost: OnceLock::new(),
        code,
    };
    report::assert_fused(&program)?;
    if let Some(begun) = begun {
        begun.compiled(&program.name);
    }
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

/// What the module calls by target: the custom calls.
fn custom_calls(module: &Module) -> impl Iterator<Item = &CustomCall> {
    let all = module.computations.iter().flat_map(|c| &c.instrs);
    all.filter_map(|i| match &i.attrs {
        Attrs::CustomCall(call) => Some(&**call),
        _ => None,
    })
}

fn has_effects(module: &Module) -> bool {
    custom_calls(module).any(|call| call.has_side_effect)
}

/// How long a run takes: functions of the host may take any time, some loops go round as often as data say.
fn length(module: &Module, code: &lawson::Executable) -> Length {
    let functions = lawson::frontend::host::registered();
    let calls_host =
        custom_calls(module).any(|call| functions.iter().any(|(target, _)| *target == call.target));
    match code.cost_analysis().predicted_us {
        _ if calls_host => Length::Unknown,
        Some(us) => Length::Predicted(us),
        None => Length::measured(),
    }
}

/// The functions in Python that the module calls, by their targets.
fn calls(module: &Module, python: Option<Python>) -> Result<BTreeMap<String, Arc<Held>>, Failure> {
    let Some(python) = python else { return Ok(BTreeMap::new()) };
    let mut calls = BTreeMap::new();
    for call in custom_calls(module) {
        let number = call.target.strip_prefix(CALLBACK).and_then(|number| number.parse().ok());
        if let Some(number) = number
            && !calls.contains_key(&call.target)
        {
            let held =
                python.hold(number).map_err(|e| Failure::invalid(format!("[input] {}: {e}", call.target)))?;
            calls.insert(call.target.clone(), Arc::new(held));
        }
    }
    Ok(calls)
}

fn with_calls(mut client: lawson::Client, calls: &BTreeMap<String, Arc<Held>>) -> lawson::Client {
    for (target, held) in calls {
        let held = held.clone();
        client = client.with_custom_call(target.clone(), move |operands, results| {
            let operands: Vec<&[u8]> = operands.iter().map(|o| o.bytes()).collect();
            let mut results: Vec<&mut [u8]> = results.iter_mut().map(|r| r.bytes_mut()).collect();
            Ok(held.call(&operands, &mut results)?)
        });
    }
    client
}
