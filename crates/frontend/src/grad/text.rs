//! Gradients of modules that were read from text.
//!
//! ```text
//! ENTRY f { x, y → f32[] }   →   ENTRY grad_f { x, y → (f32[], gradient of x, gradient of y) }
//! ```

use super::pullback;
use super::rules::{flat, varies};
use crate::error::{Fault, ModuleError};
use crate::graph::{Emit, Graph};
use lawson_hlo::builder::Body;
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module, Shape};

/// The module of the gradients of a verified one with regard to some of its arguments: the same parameters, and as result
/// the tuple of the gradients in the order of `wrt`, before them the value where `value` asks for it. Arguments are
/// numbered as files number them: one for each array in the parameters, depth first.
///
/// # Errors
/// The result is anything but one scalar, floating-point or of a field, a number without an argument, an argument that is of
/// neither, or an operation without a derivative, with its line.
pub fn module(module: &Module, wrt: &[usize], value: bool) -> Result<Module, ModuleError> {
    let general = |message: String| ModuleError { line: 0, instruction: "".into(), message };
    let entry = module.entry();
    let root = entry.root();
    let derived = |shape: &Shape| match shape.leaves()[..] {
        [leaf] => leaf.is_scalar() && (leaf.dtype.is_float() || leaf.dtype.is_field()),
        _ => false,
    };
    if !derived(&root.shape) {
        let message = format!(
            "a gradient is that of one floating-point scalar, or of one of a prime field, and the result is {}",
            root.shape
        );
        return Err(ModuleError { message, ..at(module, root) });
    }
    let mut graph = Graph::of(module.clone());
    let mut body = Body::new(root.origin.clone());
    let mut emit = Emit { graph: &mut graph, body: &mut body };
    let (mut parameters, mut leaves) = (Vec::new(), Vec::new());
    for id in entry.parameters() {
        let parameter = &entry[id];
        emit.body.origin = parameter.origin.clone();
        let new = emit.body.push(parameter.clone());
        parameters.push(new);
        leaves.extend(emit.leaves(new).map_err(|e| ModuleError { message: e.0, ..at(module, parameter) })?);
    }
    let shapes: Vec<Shape> = leaves.iter().map(|&leaf| emit.shape(leaf).clone()).collect();
    check(wrt, &shapes).map_err(|message| general(format!("{message}; {}", choice(entry, &shapes))))?;
    emit.body.origin = root.origin.clone();
    let made = gradients(&mut emit, module, &leaves, wrt, value);
    let result = made.map_err(|e| {
        let source = emit.body.origin.sources().first().copied();
        match source.and_then(|s| module.sources.get(s as usize)) {
            Some(source) => ModuleError { line: source.line, instruction: source.name.clone(), message: e.0 },
            None => general(e.0),
        }
    })?;
    let comp = graph.close(&format!("grad_{}", entry.name), body, result);
    let mut made = graph.finish(comp, module.name.clone());
    made.header.rest = module.header.rest.clone();
    Ok(made)
}

/// Refuses numbers with regard to which there is no derivative.
fn check(wrt: &[usize], arguments: &[Shape]) -> Result<(), String> {
    for (n, &number) in wrt.iter().enumerate() {
        let Some(shape) = arguments.get(number) else {
            return Err(format!("there is no argument {number}"));
        };
        if !is_varying(shape) {
            return Err(format!(
                "argument {number} is {shape}, and derivatives are with regard to floating-point numbers or fields"
            ));
        }
        if wrt[..n].contains(&number) {
            return Err(format!("argument {number} is named twice"));
        }
    }
    Ok(())
}

fn is_varying(shape: &Shape) -> bool {
    shape.as_array().is_some_and(|s| varies(s.dtype))
}

/// The arguments with regard to which there are derivatives, in words.
fn choice(entry: &Computation, arguments: &[Shape]) -> String {
    const SHOWN: usize = 20;
    let parameters = entry.parameters();
    let owners = parameters.iter().flat_map(|&id| entry[id].shape.leaves().into_iter().map(move |_| id));
    let all: Vec<String> = owners
        .zip(arguments)
        .enumerate()
        .filter(|(_, (_, shape))| is_varying(shape))
        .map(|(n, (id, shape))| format!("{n} ({} {shape})", entry[id].name))
        .collect();
    match all.len() {
        0 => "no argument is of floating-point numbers or fields".into(),
        n if n > SHOWN => {
            format!("those of floating-point numbers or fields are {}, …", all[..SHOWN].join(", "))
        }
        _ => format!("those of floating-point numbers or fields are {}", all.join(", ")),
    }
}

/// The tuple of value and gradients.
fn gradients(
    emit: &mut Emit<'_>,
    module: &Module,
    leaves: &[InstrId],
    wrt: &[usize],
    value: bool,
) -> Result<InstrId, Fault> {
    let flat = over_leaves(emit, module)?;
    let vjp = pullback::vjp(emit, flat, leaves, wrt)?;
    let mut arguments = vjp.residuals.clone();
    if vjp.varies[0] {
        arguments.push(emit.splat_like(vjp.results[0], 1.0)?);
    }
    let root = emit.inline(vjp.pullback, &arguments);
    let mut results = if value { vec![vjp.results[0]] } else { Vec::new() };
    results.extend(emit.elements(root)?);
    emit.tuple(&results)
}

/// The entry as a computation that takes the arrays of its parameters one by one.
fn over_leaves(emit: &mut Emit<'_>, module: &Module) -> Result<CompId, Fault> {
    let flat = flat(emit, module.entry, &[])?;
    let shapes: Vec<Shape> = flat.comp.parameter_shapes().into_iter().cloned().collect();
    emit.computation(&module.entry().name, |e| {
        let leaves: Vec<InstrId> = shapes.into_iter().enumerate().map(|(n, s)| e.parameter(n, s)).collect();
        Ok(e.inline_computation(&flat.comp, &leaves))
    })
}

/// An error about an instruction of the text.
fn at(module: &Module, instr: &Instruction) -> ModuleError {
    let source = instr.origin.sources().first().and_then(|&s| module.sources.get(s as usize));
    let line = source.map_or(0, |s| s.line);
    ModuleError { line, instruction: instr.name.clone(), message: String::new() }
}
