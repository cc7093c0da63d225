//! What users call: functions over trees of tensors, batched.

use super::axes::{BatchAxes, Outputs, dimension};
use super::rules::to_front;
use super::{Batched, Batcher};
use crate::eager::at_once;
use crate::error::{Error, Fault};
use crate::fault;
use crate::function::{Args, Function};
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::trace::{self, Spec};
use crate::tree::{self, Tree};
use lawson_hlo::InstrId;
use std::panic::Location;
use std::sync::Mutex;

type Place = &'static Location<'static>;

/// A function of one example becomes a function of many: every leaf of every argument has a first dimension with one
/// element for each example, and so has every leaf of the result.
///
/// Results carry an error where arguments have different numbers of examples, or the function does what cannot be batched.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, grad, vmap};
///
/// let norm = |x: &Tensor| x.square().sum();
/// let xs = Tensor::from([[1f32, 2.0], [3.0, 4.0]]);
/// assert_eq!(vmap(norm)(&xs).to_vec(), Ok(vec![5f32, 25.0]));
/// assert_eq!(vmap(grad(norm))(&xs).to_vec(), Ok(vec![2f32, 4.0, 6.0, 8.0])); // of each example
/// ```
#[track_caller]
pub fn vmap<'f, A, R, F>(f: F) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    F: Function<A, R> + 'f,
{
    mapped(Location::caller(), f, BatchAxes::from(0))
}

/// As [`vmap`], with examples along these dimensions: `vmap_axes(f, [Some(0), None])` takes the second argument as it is for
/// every example, `vmap_axes(f, BatchAxes::from(0).out(1))` gives the examples along the second dimension of the results.
///
/// Results carry an error as those of [`vmap`], or where the axes do not fit arguments and results.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, vmap_axes};
///
/// let (xs, y) = (Tensor::from([[1f32, 2.0], [3.0, 4.0]]), Tensor::from([1f32, 10.0]));
/// let products = vmap_axes(|x: &Tensor, y: &Tensor| x.dot(y), [Some(1), None]);
/// assert_eq!(products(&xs, &y).to_vec(), Ok(vec![31f32, 42.0])); // of columns
/// ```
#[track_caller]
pub fn vmap_axes<'f, A, R, F>(f: F, axes: impl Into<BatchAxes>) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    F: Function<A, R> + 'f,
{
    mapped(Location::caller(), f, axes.into())
}

fn mapped<'f, A, R, F>(place: Place, f: F, axes: BatchAxes) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    F: Function<A, R> + 'f,
{
    F::boxed(move |args: &A| {
        let leaves = tree::leaves(args);
        let result = Mutex::new(None);
        let apply = |tensors: Vec<Tensor>| {
            let tree = f.apply(&tree::rebuild(args, tensors));
            let leaves = tree::leaves(&tree);
            *result.lock().expect("nobody panicked") = Some(tree);
            leaves
        };
        let counts = args.leaf_counts();
        let found = at_once(place, &leaves, |leaves| {
            let inputs = inputs(place, &leaves, &counts, &axes)?;
            outcome(place, apply, &leaves, inputs, &axes.outputs)
        });
        let template = result.into_inner().expect("nobody panicked");
        match found {
            Ok(found) => tree::rebuild(&template.expect("the function was called"), found),
            Err(e) => {
                let failed = Tensor::failed(e);
                let template = template.unwrap_or_else(|| f.apply(&tree::map(args, |_| failed.clone())));
                tree::map(&template, |_| failed.clone())
            }
        }
    })
}

/// The results of a function for many examples while one is traced: `axes` says along which dimension of each argument
/// the examples lie, if they do. They lie along the first dimension of every result.
///
/// # Errors
/// What the function says, arguments of different numbers of examples, or an operation that cannot be batched.
pub(crate) fn batched(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
    axes: &[Option<usize>],
) -> Result<Vec<Tensor>, Error> {
    let counts = vec![1; arguments.len()];
    let axes: Vec<Option<i64>> = axes.iter().map(|a| a.map(|a| a as i64)).collect();
    let axes = BatchAxes::from(axes);
    let inputs = inputs(place, arguments, &counts, &axes)?;
    outcome(place, f, arguments, inputs, &axes.outputs)
}

/// The arguments of one example, and where the examples are.
struct Inputs {
    specs: Vec<Spec>,
    axes: Vec<Option<usize>>,
    size: i64,
}

/// Looks for the examples in arguments of so many leaves each.
fn inputs(place: Place, leaves: &[Tensor], counts: &[usize], axes: &BatchAxes) -> Result<Inputs, Error> {
    let given = axes.inputs.of_leaves(counts).map_err(|e| Error::new(place, e))?;
    let mut found = Inputs { specs: Vec::new(), axes: Vec::new(), size: 0 };
    let mut size = axes.size.map(|n| (n, "the axes say".to_string()));
    for (leaf, (tensor, axis)) in leaves.iter().zip(given).enumerate() {
        let Spec { mut shape, weak } = tensor.spec()?;
        let mut at = None;
        if let Some(axis) = axis {
            let name = named(leaf, counts);
            let Some(dim) = dimension(axis, shape.rank()) else {
                let message = format!("{name} is {shape}, which has no dimension {axis} to batch along");
                return Err(Error::new(place, message));
            };
            let whole = shape.clone();
            let extent = shape.dims.remove(dim);
            match &size {
                Some((known, who)) if *known != extent => {
                    let message = format!(
                        "{name}, {whole}, has {extent} examples along dimension {dim}, where {who} {known}"
                    );
                    return Err(Error::new(place, message));
                }
                Some(_) => {}
                None => size = Some((extent, format!("{name}, {whole}, has"))),
            }
            at = Some(dim);
        }
        found.specs.push(Spec { shape, weak });
        found.axes.push(at);
    }
    let Some((size, _)) = size.filter(|(n, _)| *n >= 0) else {
        return Err(Error::new(
            place,
            "no argument has a dimension to batch along, which tells how many examples there are",
        ));
    };
    found.size = size;
    Ok(found)
}

/// What the leaf of that number is part of.
fn named(leaf: usize, counts: &[usize]) -> String {
    let mut before = 0;
    for (argument, &count) in counts.iter().enumerate() {
        if leaf < before + count {
            return match count {
                1 => format!("argument {argument}"),
                _ => format!("tensor {} of argument {argument}", leaf - before),
            };
        }
        before += count;
    }
    format!("tensor {leaf}")
}

fn outcome(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
    inputs: Inputs,
    outputs: &Outputs,
) -> Result<Vec<Tensor>, Error> {
    let function = trace::function("batched", &inputs.specs, |tensors| Ok(f(tensors)))?;
    let count = function.results.len();
    let outputs = outputs.of_leaves(count).map_err(|e| Error::new(place, e))?;
    let operands: Vec<&Tensor> = arguments.iter().chain(&function.captured).collect();
    let made = Tensor::apply_many(place, &operands, count, |e, ids| {
        let mut ids = ids.to_vec();
        let mut flags = vec![Batched::No; ids.len()];
        for (n, axis) in inputs.axes.iter().enumerate().filter_map(|(n, a)| Some((n, (*a)?))) {
            ids[n] = to_front(e, ids[n], axis)?;
            flags[n] = Batched::Yes;
        }
        let mut cx = Batcher::new(e, inputs.size);
        let (root, flag) = cx.inline(function.comp, &ids, &flags).map_err(|e| cx.located(e))?;
        let results = cx.emit.elements(root)?;
        let each = results.into_iter().zip(outputs).enumerate();
        each.map(|(i, (x, axis))| place_examples(&mut cx, i, x, &flag.part(i), axis)).collect()
    });
    match made.iter().find_map(Tensor::error) {
        Some(error) => Err(error.clone()),
        None => Ok(made.into_iter().zip(&function.results).map(|(t, s)| t.with_weak(s.weak)).collect()),
    }
}

/// A result with its examples along a dimension.
fn place_examples(
    cx: &mut Batcher<'_, '_>,
    number: usize,
    x: InstrId,
    batched: &Batched,
    axis: Option<i64>,
) -> Result<InstrId, Fault> {
    let Some(axis) = axis else {
        return match batched {
            Batched::No => Ok(x),
            _ => fault!("result {number} differs between examples, and its out axis is none"),
        };
    };
    let x = cx.spread(x, batched)?;
    let rank = cx.emit.array(x)?.rank();
    match dimension(axis, rank) {
        Some(to) => from_front(cx.emit, x, to),
        None => {
            fault!("result {number} has {rank} dimensions with that of the examples, and no dimension {axis}")
        }
    }
}

/// Moves the first dimension.
fn from_front(e: &mut Emit<'_>, x: InstrId, to: usize) -> Result<InstrId, Fault> {
    let rank = e.array(x)?.rank();
    let order: Vec<usize> = (1..=to).chain([0]).chain(to + 1..rank).collect();
    e.transpose(x, &order)
}
