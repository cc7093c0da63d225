//! Functions with a mark: what is computed again, what has a derivative of its own, what has none.

use super::Place;
use crate::eager::run;
use crate::error::{Error, Fault};
use crate::fault;
use crate::function::{Args, Function};
use crate::graph::Emit;
use crate::graph::marks;
use crate::tensor::Tensor;
use crate::tensor::trace::{self, Spec};
use crate::tree::{self, Tree};
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::{Attrs, CompId, InstrId, Opcode, Shape};
use std::panic::Location;

/// The same tree, whose derivative is zero.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, grad, stop_gradient};
///
/// let f = |x: &Tensor| x * stop_gradient(x);
/// assert_eq!(grad(f)(&Tensor::from(3f32)).item(), Ok(3f32)); // not 6
/// ```
#[track_caller]
pub fn stop_gradient<T: Tree>(tree: &T) -> T {
    let place = Location::caller();
    tree::map(tree, |leaf| {
        Tensor::apply(place, &[&leaf], |e, ids| {
            let shape = e.shape(ids[0]).clone();
            let call = CustomCall { target: marks::STOP_GRADIENT.into(), ..CustomCall::default() };
            e.op_shaped(Opcode::CustomCall, shape, ids, Attrs::CustomCall(Box::new(call)))
        })
        .with_weak(leaf.is_weak())
    })
}

/// The same function, of which a derivative backward keeps the arguments alone: it computes what it needs of the rest again
/// when it goes back, so that memory is used for less long.
///
/// Griewank and Walther, "Algorithm 799: revolve"; Chen et al., "Training Deep Nets with Sublinear Memory Cost"
/// (arXiv:1604.06174).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, checkpoint, grad};
///
/// let layer = checkpoint(|w: &Tensor, x: &Tensor| x.dot(w).tanh());
/// let loss = |w: &Tensor, x: &Tensor| layer(w, &layer(w, x)).sum();
/// let (w, x) = (Tensor::from([[0f32, 1.0], [1.0, 0.0]]), Tensor::from([0f32, 0.0]));
/// assert_eq!(grad(loss)(&w, &x).to_vec(), Ok(vec![0f32; 4]));
/// ```
#[track_caller]
pub fn checkpoint<'f, A, R, F>(f: F) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    F: Function<A, R> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let record = |leaves: Vec<Tensor>| {
            let (function, result) = called(place, "checkpoint", &f, args, &leaves)?;
            let operands: Vec<&Tensor> = leaves.iter().chain(&function.captured).collect();
            let found = marked(place, marks::CHECKPOINT, &operands, leaves.len(), &function.results, |_| {
                Ok(vec![function.comp])
            })?;
            Ok((found, result))
        };
        run_marked(place, &f, args, record)
    })
}

/// The same function with a derivative of its own: `jvp` takes the tuple of the arguments and that of their tangents,
/// and gives the result and its tangents. What it gives is linear in the tangents; then it serves backward too.
///
/// Derivatives with regard to tensors that the functions capture are an error.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, custom_jvp, grad};
///
/// // log(1 + eˣ), whose derivative is written without a quotient of large numbers.
/// let softplus = custom_jvp(
///     |x: &Tensor| x.logaddexp(0.0),
///     |(x,): &(Tensor,), (dx,): &(Tensor,)| (x.logaddexp(0.0), x.sigmoid() * dx),
/// );
/// assert_eq!(grad(softplus)(&Tensor::from(0f32)).item(), Ok(0.5f32));
/// ```
#[track_caller]
pub fn custom_jvp<'f, A, R, F>(f: F, jvp: impl Fn(&A, &A) -> (R, R) + 'f) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    F: Function<A, R> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let record = |leaves: Vec<Tensor>| {
            let count = leaves.len();
            let (of, result) = called(place, "custom_jvp", &f, args, &leaves)?;
            let both: Vec<Tensor> = leaves.iter().chain(&leaves).cloned().collect();
            let (derived, _) = traced(place, "jvp", &both, |leaves| {
                let (values, tangents) = leaves.split_at(count);
                let tree = |leaves: &[Tensor]| tree::rebuild(args, leaves.iter().cloned());
                Ok(jvp(&tree(values), &tree(tangents)))
            })?;
            let wanted: Vec<Spec> = of.results.iter().chain(&of.results).cloned().collect();
            same(place, "`custom_jvp`: result", &derived.results, &wanted)?;
            let operands: Vec<&Tensor> = leaves.iter().chain(&of.captured).chain(&derived.captured).collect();
            let shapes = shapes(&operands)?;
            let found = marked(place, marks::CUSTOM_JVP, &operands, count, &of.results, |e| {
                let own = count + of.captured.len();
                let value = over(e, &shapes, |e, ids| Ok(e.inline(of.comp, &ids[..own])))?;
                let twice = [&shapes[..], &shapes].concat();
                let derived = over(e, &twice, |e, ids| {
                    let tangents = &ids[shapes.len()..shapes.len() + count];
                    let arguments = [&ids[..count], tangents, &ids[own..shapes.len()]].concat();
                    Ok(e.inline(derived.comp, &arguments))
                })?;
                Ok(vec![value, derived])
            })?;
            Ok((found, result))
        };
        run_marked(place, &f, args, record)
    })
}

/// The same function with a derivative backward of its own: `forward` takes the arguments and gives the result and what
/// `backward` needs, which takes that and the cotangents of the result and gives those of the arguments (zeros, or
/// anything, for what is no floating-point number). It has no derivative forward.
///
/// Derivatives with regard to tensors that the functions capture are an error.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, custom_vjp, grad};
///
/// // The identity, whose gradient is cut to [−1, 1].
/// let cut = custom_vjp(
///     |x: &Tensor| x.clone(),
///     |x: &Tensor| (x.clone(), ()),
///     |_: &(), ct: &Tensor| (ct.clip(-1.0, 1.0),),
/// );
/// assert_eq!(grad(move |x: &Tensor| cut(x) * 5)(&Tensor::from(2f32)).item(), Ok(1f32));
/// ```
#[track_caller]
pub fn custom_vjp<'f, A, R, S, F>(
    f: F,
    forward: impl Function<A, (R, S)> + 'f,
    backward: impl Fn(&S, &R) -> A + 'f,
) -> F::Boxed<'f, R>
where
    A: Args + 'f,
    R: Tree,
    S: Tree,
    F: Function<A, R> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let record = |leaves: Vec<Tensor>| {
            let count = leaves.len();
            let (of, result) = called(place, "custom_vjp", &f, args, &leaves)?;
            let (ahead, (_, kept)) = called(place, "forward", &forward, args, &leaves)?;
            let results = of.results.len();
            if ahead.results.len() < results {
                let found = ahead.results.len();
                let message = format!("`custom_vjp`: the forward half gives {found} tensors for {results}");
                return Err(Error::new(place, message));
            }
            same(place, "`custom_vjp`: forward result", &ahead.results[..results], &of.results)?;
            let (of_results, of_kept) = ahead.results.split_at(results);
            let specs: Vec<Spec> = of_kept.iter().chain(of_results).cloned().collect();
            let (back, _) = traced_specs(place, "backward", &specs, |leaves| {
                let (residuals, cotangents) = leaves.split_at(of_kept.len());
                let residuals = tree::rebuild(&kept, residuals.iter().cloned());
                Ok(backward(&residuals, &tree::rebuild(&result, cotangents.iter().cloned())))
            })?;
            let wanted = leaves.iter().map(Tensor::spec).collect::<Result<Vec<_>, _>>()?;
            same(place, "`custom_vjp`: cotangent", &back.results, &wanted)?;
            let captured = [&of.captured[..], &ahead.captured, &back.captured].concat();
            let operands: Vec<&Tensor> = leaves.iter().chain(&captured).collect();
            let shapes = shapes(&operands)?;
            let found = marked(place, marks::CUSTOM_VJP, &operands, count, &of.results, |e| {
                let (a, b) = (count + of.captured.len(), count + of.captured.len() + ahead.captured.len());
                let value = over(e, &shapes, |e, ids| Ok(e.inline(of.comp, &ids[..a])))?;
                let ahead = over(e, &shapes, |e, ids| {
                    let root = e.inline(ahead.comp, &[&ids[..count], &ids[a..b]].concat());
                    let mut results = e.elements(root)?;
                    results.extend(&ids[b..]);
                    e.tuple(&results)
                })?;
                let kept: Vec<Shape> = e.graph.computation(ahead).root().shape.leaves()[results..]
                    .iter()
                    .chain(&e.graph.computation(value).root().shape.leaves())
                    .map(|&s| Shape::Array(s.clone()))
                    .collect();
                let own = of_kept.len();
                let back = over(e, &kept, |e, ids| {
                    let (residuals, cotangents) = ids.split_at(ids.len() - results);
                    let arguments = [&residuals[..own], cotangents, &residuals[own..]].concat();
                    let root = e.inline(back.comp, &arguments);
                    let mut all = e.elements(root)?;
                    for shape in &shapes[count..] {
                        all.push(e.zeros(shape.expect_array())?);
                    }
                    e.tuple(&all)
                })?;
                Ok(vec![value, ahead, back])
            })?;
            Ok((found, result))
        };
        run_marked(place, &f, args, record)
    })
}

/// Runs a function whose mark `record` makes.
fn run_marked<A: Args, R: Tree>(
    place: Place,
    f: &impl Function<A, R>,
    args: &A,
    record: impl FnOnce(Vec<Tensor>) -> Result<(Vec<Tensor>, R), Error>,
) -> R {
    run(place, &tree::leaves(args), record, |failed| f.apply(&tree::map(args, |_| failed.clone())))
}

/// Traces a function on arguments whose leaves are like these.
fn called<A: Args, R: Tree>(
    place: Place,
    name: &str,
    f: &impl Function<A, R>,
    args: &A,
    leaves: &[Tensor],
) -> Result<(trace::Function, R), Error> {
    traced(place, name, leaves, |leaves| Ok(f.apply(&tree::rebuild(args, leaves))))
}

/// Traces a function of tensors like these.
fn traced<R: Tree>(
    place: Place,
    name: &str,
    like: &[Tensor],
    f: impl FnOnce(Vec<Tensor>) -> Result<R, Error>,
) -> Result<(trace::Function, R), Error> {
    let specs = like.iter().map(Tensor::spec).collect::<Result<Vec<Spec>, _>>()?;
    traced_specs(place, name, &specs, f)
}

fn traced_specs<R: Tree>(
    place: Place,
    name: &str,
    specs: &[Spec],
    f: impl FnOnce(Vec<Tensor>) -> Result<R, Error>,
) -> Result<(trace::Function, R), Error> {
    let mut result = None;
    let function = trace::function_at(place, name, specs, |leaves| {
        let tree = f(leaves)?;
        let leaves = tree::leaves(&tree);
        result = Some(tree);
        Ok(leaves)
    })?;
    Ok((function, result.expect("the function was called")))
}

fn shapes(operands: &[&Tensor]) -> Result<Vec<Shape>, Error> {
    operands.iter().map(|t| Ok(Shape::Array(t.shape()?.clone()))).collect()
}

/// Fails unless tensors are like those wanted.
fn same(place: Place, what: &str, found: &[Spec], wanted: &[Spec]) -> Result<(), Error> {
    if found.len() != wanted.len() {
        let message = format!("{what}s: {} are given where {} are wanted", found.len(), wanted.len());
        return Err(Error::new(place, message));
    }
    match found.iter().zip(wanted).position(|(f, w)| !f.shape.same(&w.shape)) {
        None => Ok(()),
        Some(n) => {
            let (found, wanted) = (&found[n].shape, &wanted[n].shape);
            Err(Error::new(place, format!("{what} {n} is {found}, where {wanted} is wanted")))
        }
    }
}

/// A computation of parameters of these shapes.
fn over(
    e: &mut Emit<'_>,
    shapes: &[Shape],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Result<CompId, Fault> {
    e.computation("marked", |e| {
        let ids: Vec<InstrId> = shapes.iter().enumerate().map(|(n, s)| e.parameter(n, s.clone())).collect();
        f(e, &ids)
    })
}

/// The results of a mark on these operands, of which so many are arguments; `f` makes what it calls.
fn marked(
    place: Place,
    target: &str,
    operands: &[&Tensor],
    arguments: usize,
    results: &[Spec],
    f: impl FnOnce(&mut Emit<'_>) -> Result<Vec<CompId>, Fault>,
) -> Result<Vec<Tensor>, Error> {
    let found = Tensor::apply_many(place, operands, results.len(), |e, ids| {
        let called = f(e)?;
        let Some(&first) = called.first() else { return fault!("`{target}` calls nothing") };
        let shape = e.graph.computation(first).root().shape.clone();
        let rest = vec![(marks::ARGUMENTS.to_string(), arguments.to_string())];
        let call = CustomCall { target: target.into(), called, rest, ..CustomCall::default() };
        let whole = e.op_shaped(Opcode::CustomCall, shape, ids, Attrs::CustomCall(Box::new(call)))?;
        e.elements(whole)
    });
    match found.iter().find_map(Tensor::error) {
        Some(error) => Err(error.clone()),
        None => Ok(found.into_iter().zip(results).map(|(t, s)| t.with_weak(s.weak)).collect()),
    }
}
