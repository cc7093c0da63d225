//! `cond` and `switch`: one of several functions.

use super::traced::{Place, Traced, run, same_structure, specs, trace};
use crate::error::{Error, Fault};
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::trace::Spec;
use crate::tree::{self, Tree};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode};
use std::panic::Location;

/// `on_true(operands)` where the scalar `predicate` holds, else `on_false(operands)`; only that one is computed.
///
/// Both give trees of one structure with leaves of the same shapes and types; a weak type gives way to the other's.
/// The result carries an error that names the leaf otherwise, and where the predicate is anything but one truth
/// value.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, cond};
///
/// let x = Tensor::from([4f32, 9.0]);
/// let y = cond(&x.min().greater(0.0), |x: &Tensor| x.sqrt(), |x: &Tensor| -x, &x);
/// assert_eq!(y.to_vec(), Ok(vec![2f32, 3.0]));
/// ```
#[track_caller]
pub fn cond<O: Tree, R: Tree>(
    predicate: &Tensor,
    on_true: impl Fn(&O) -> R,
    on_false: impl Fn(&O) -> R,
    operands: &O,
) -> R {
    choose(Location::caller(), "cond", predicate, &[&on_true, &on_false], operands)
}

/// `branches[index](operands)` for an integer scalar: an index below zero chooses the first, one too large the last.
/// Only that one is computed.
///
/// The branches give results alike, as in [`cond`]. A program without any does not compile.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, switch};
///
/// let branch = |i: i32| {
///     let branches: [&dyn Fn(&Tensor) -> Tensor; 3] = [&|x| x + 1, &|x| x * 10, &|x| -x];
///     switch(&Tensor::from(i), branches, &Tensor::from(5))
/// };
/// assert_eq!((branch(1).item(), branch(9).item()), (Ok(50i32), Ok(-5i32)));
/// ```
#[track_caller]
pub fn switch<O: Tree, R: Tree, const N: usize>(
    index: &Tensor,
    branches: [&dyn Fn(&O) -> R; N],
    operands: &O,
) -> R {
    const { assert!(N > 0, "`switch` needs a branch") };
    choose(Location::caller(), "switch", index, &branches, operands)
}

fn choose<O: Tree, R: Tree>(
    place: Place,
    name: &str,
    selector: &Tensor,
    branches: &[&dyn Fn(&O) -> R],
    operands: &O,
) -> R {
    let mut leaves = vec![selector.clone()];
    tree::leaves(operands).into_iter().for_each(|leaf| leaves.push(leaf));
    let record = |leaves: Vec<Tensor>| {
        check_selector(place, name, leaves[0].shape()?)?;
        record(place, name, &leaves, branches, operands)
    };
    run(place, &leaves, record, |failed| branches[0](&tree::map(operands, |_| failed.clone())))
}

fn check_selector(place: Place, name: &str, found: &ArrayShape) -> Result<(), Error> {
    let predicated = name == "cond";
    let fits = if predicated { found.dtype.is_pred() } else { found.dtype.is_integer() };
    if found.is_scalar() && fits {
        return Ok(());
    }
    let wanted = if predicated { "one truth value" } else { "one integer" };
    Err(Error::new(place, format!("`{name}` chooses by {wanted}, not by {found}")))
}

fn record<O: Tree, R: Tree>(
    place: Place,
    name: &str,
    leaves: &[Tensor],
    branches: &[&dyn Fn(&O) -> R],
    operands: &O,
) -> Result<(Vec<Tensor>, R), Error> {
    let (selector, leaves) = (&leaves[0], &leaves[1..]);
    let parameters = specs(leaves)?;
    let trace_branch = |f: &&dyn Fn(&O) -> R| {
        trace(place, "branch", &parameters, |leaves| Ok(f(&tree::rebuild(operands, leaves))))
    };
    let traced = branches.iter().map(trace_branch).collect::<Result<Vec<_>, _>>()?;
    let results = joined(place, name, &traced)?;
    let captured = traced.iter().flat_map(|t| &t.function.captured);
    let all: Vec<&Tensor> = std::iter::once(selector).chain(leaves).chain(captured).collect();
    let made = Tensor::apply_many(place, &all, results.len(), |e, ids| {
        emit(e, ids, leaves.len(), &traced, &results)
    });
    if let Some(error) = made.iter().find_map(Tensor::error) {
        return Err(error.clone());
    }
    let made = made.into_iter().zip(&results).map(|(t, spec)| t.with_weak(spec.weak)).collect();
    Ok((made, traced.into_iter().next().expect("there is a branch").result))
}

/// The specs of the result: those on which all branches agree, once weak types have given way.
fn joined<R: Tree>(place: Place, name: &str, traced: &[Traced<R>]) -> Result<Vec<Spec>, Error> {
    let first = &traced[0];
    let mut results = first.function.results.clone();
    for (number, other) in traced.iter().enumerate().skip(1) {
        if !same_structure(&first.result, &other.result) {
            let (m, n) = (results.len(), other.function.results.len());
            let message = format!(
                "`{name}`: branch {number} gives {n} leaves, branch 0 gives {m}: all have to give the same tree"
            );
            return Err(Error::new(place, message));
        }
        for (leaf, (a, b)) in results.iter_mut().zip(&other.function.results).enumerate() {
            let same = a.shape == b.shape;
            let convertible = a.shape.dims == b.shape.dims && (a.weak || b.weak);
            if !same && !convertible {
                let message = format!(
                    "`{name}`: leaf {leaf} of the result is {} from branch 0 and {} from branch {number}",
                    a.shape, b.shape
                );
                return Err(Error::new(place, message));
            }
            *a = super::carry::common(a, b);
        }
    }
    Ok(results)
}

/// `ids`: the selector, the operands, what each branch captured.
fn emit<R: Tree>(
    e: &mut Emit<'_>,
    ids: &[InstrId],
    operands: usize,
    traced: &[Traced<R>],
    results: &[Spec],
) -> Result<Vec<InstrId>, Fault> {
    let selector = ids[0];
    let predicated = e.dtype(selector)?.is_pred();
    let selector = if predicated { selector } else { index(e, selector, traced.len())? };
    let (given, mut captured) = ids[1..].split_at(operands);
    let mut arguments = vec![selector];
    let mut branches = Vec::new();
    for Traced { function, .. } in traced {
        let (own, rest) = captured.split_at(function.captured.len());
        captured = rest;
        let argument = e.tuple(&[given, own].concat())?;
        let shape = e.shape(argument).clone();
        arguments.push(argument);
        branches.push(e.computation("branch", |e| {
            let argument = e.parameter(0, shape);
            let arguments = e.elements(argument)?;
            let root = e.inline(function.comp, &arguments);
            let mut leaves = e.elements(root)?;
            for (leaf, spec) in leaves.iter_mut().zip(results) {
                *leaf = e.convert(*leaf, spec.shape.dtype)?;
            }
            e.tuple(&leaves)
        })?);
    }
    let chosen = e.op(Opcode::Conditional, &arguments, Attrs::Conditional { branches, predicated })?;
    e.elements(chosen)
}

/// An index as s32, within the branches.
fn index(e: &mut Emit<'_>, index: InstrId, branches: usize) -> Result<InstrId, Fault> {
    let dtype = e.dtype(index)?;
    let (low, high) = (e.scalar(dtype, 0.0), e.scalar(dtype, (branches - 1) as f64));
    let clamped = e.op(Opcode::Clamp, &[low, index, high], Attrs::None)?;
    e.convert(clamped, DType::S32)
}
