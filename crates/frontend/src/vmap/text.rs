//! Batching of modules that were read from text.

use super::paths::leaf_count;
use super::rules::to_front;
use super::{Batched, Batcher};
use crate::error::{Fault, ModuleError};
use crate::graph::{Emit, Graph};
use lawson_hlo::builder::Body;
use lawson_hlo::{InstrId, Instruction, Module, Shape};

/// A verified module for `size` examples instead of one. `in_axes` has an axis for each parameter of the entry or, if they
/// are as many, for each array in them, depth first: the dimension that the new parameter has in addition, of `size`
/// elements, or `None` where it stays the same for all examples. Every array of the result gets a first dimension of
/// `size` elements.
///
/// # Errors
/// Axes that do not fit the parameters, or an operation that cannot be batched, with its line.
pub fn module(module: &Module, size: i64, in_axes: &[Option<usize>]) -> Result<Module, ModuleError> {
    let general = |message: String| ModuleError { line: 0, instruction: "".into(), message };
    let entry = module.entry();
    let parameters: Vec<&Instruction> = entry.parameters().into_iter().map(|id| &entry[id]).collect();
    let axes = axes_of_leaves(&parameters, in_axes).map_err(general)?;
    if size < 0 {
        return Err(general(format!("{size} examples are less than none")));
    }
    if axes.iter().all(Option::is_none) {
        return Err(general("no parameter has an axis to batch along".into()));
    }
    let mut graph = Graph::of(module.clone());
    let mut body = Body::new(entry.root().origin.clone());
    let mut emit = Emit { graph: &mut graph, body: &mut body };
    let (mut ids, mut flags) = (Vec::new(), Vec::new());
    let mut axes = axes.into_iter();
    for parameter in &parameters {
        emit.body.origin = parameter.origin.clone();
        let at = |e: Fault| ModuleError {
            line: line_of(module, parameter),
            instruction: parameter.name.clone(),
            message: e.0,
        };
        let axes: Vec<Option<usize>> = axes.by_ref().take(leaf_count(&parameter.shape)).collect();
        let shape = with_examples(&parameter.shape, size, &mut axes.iter().copied()).map_err(at)?;
        let mut new = (*parameter).clone();
        (new.shape, new.notes) = (shape.clone(), None);
        let id = emit.body.push(new);
        ids.push(examples_first(&mut emit, id, &shape, &axes).map_err(at)?);
        flags.push(Batched::of_leaves(&shape, &mut axes.iter().map(Option::is_some)));
    }
    let mut cx = Batcher::new(&mut emit, size);
    cx.differentiable = false;
    let made = cx.inline(module.entry, &ids, &flags).and_then(|(root, flag)| cx.spread(root, &flag));
    let root = made.map_err(|e| {
        let source = cx.failed.as_ref().and_then(|origin| origin.sources().first()).copied();
        match source.and_then(|s| module.sources.get(s as usize)) {
            Some(source) => ModuleError { line: source.line, instruction: source.name.clone(), message: e.0 },
            None => general(e.0),
        }
    })?;
    let comp = graph.close(&format!("vmap_{}", entry.name), body, root);
    let mut made = graph.finish(comp, module.name.clone());
    made.header.rest = module.header.rest.clone();
    made.header.tables = module.header.tables.clone();
    Ok(made)
}

fn axes_of_leaves(
    parameters: &[&Instruction],
    in_axes: &[Option<usize>],
) -> Result<Vec<Option<usize>>, String> {
    let counts: Vec<usize> = parameters.iter().map(|p| leaf_count(&p.shape)).collect();
    let total: usize = counts.iter().sum();
    if in_axes.len() == counts.len() {
        let leaves = in_axes.iter().zip(&counts).flat_map(|(&axis, &n)| std::iter::repeat_n(axis, n));
        return Ok(leaves.collect());
    }
    if in_axes.len() == total {
        return Ok(in_axes.to_vec());
    }
    let arrays = if total == counts.len() { String::new() } else { format!(" of {total} arrays") };
    Err(format!("{} axes are given for {} parameters{arrays}", in_axes.len(), counts.len()))
}

/// The shape of a parameter whose leaves have a dimension more at these axes.
fn with_examples(
    shape: &Shape,
    size: i64,
    axes: &mut dyn Iterator<Item = Option<usize>>,
) -> Result<Shape, Fault> {
    if let Shape::Tuple(parts) = shape {
        let parts = parts.iter().map(|p| with_examples(p, size, axes)).collect::<Result<Vec<_>, _>>()?;
        return Ok(Shape::Tuple(parts));
    }
    let Some(axis) = axes.next().flatten() else { return Ok(shape.clone()) };
    let Shape::Array(array) = shape else { return Err(Fault(format!("{shape} cannot be batched"))) };
    if axis > array.rank() {
        let rank = array.rank() + 1;
        return Err(Fault(format!("{array} for each example has {rank} dimensions, and no axis {axis}")));
    }
    let mut dims = array.dims.clone();
    dims.insert(axis, size);
    Ok(Shape::array(array.dtype, dims))
}

/// A parameter whose examples lie along the first dimension of each array.
fn examples_first(
    e: &mut Emit<'_>,
    parameter: InstrId,
    shape: &Shape,
    axes: &[Option<usize>],
) -> Result<InstrId, Fault> {
    if axes.iter().all(|axis| axis.is_none_or(|a| a == 0)) {
        return Ok(parameter);
    }
    let mut leaves = e.leaves(parameter)?;
    for (leaf, axis) in leaves.iter_mut().zip(axes) {
        if let Some(axis) = *axis {
            *leaf = to_front(e, *leaf, axis)?;
        }
    }
    e.of_leaves(shape, &mut leaves.into_iter())
}

fn line_of(module: &Module, instr: &Instruction) -> u32 {
    let source = instr.origin.sources().first().and_then(|&s| module.sources.get(s as usize));
    source.map_or(0, |s| s.line)
}
