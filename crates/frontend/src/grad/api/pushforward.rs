//! Derivatives forward: tangents of results by those of arguments.

use super::Place;
use super::half::{Half, Halved, prepared, varying, with};
use super::vjp::{alike, failed, function, shaped, tensors};
use crate::eager::run;
use crate::error::Error;
use crate::function::{Args, Function};
use crate::grad::{pullback, rules::varies};
use crate::tensor::Tensor;
use crate::tensor::trace;
use crate::tree::{self, Tree};
use lawson_hlo::{ArrayShape, InstrId};
use std::panic::Location;

/// The results of a function, and their tangents by those of its arguments: `jvp(f, &(x,), &(dx,))`. Tangents of what is no
/// floating-point number are not looked at, and zeros among those given back.
///
/// Results carry an error where the function has one, or no derivative, and where a tangent is not like its argument.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, jvp};
///
/// let (x, dx) = (Tensor::from([1f32, 2.0]), Tensor::from([1f32, 10.0]));
/// let (y, dy) = jvp(|x: &Tensor| x.square(), &(x,), &(dx,));
/// assert_eq!((y.to_vec(), dy.to_vec()), (Ok(vec![1f32, 4.0]), Ok(vec![2f32, 40.0])));
/// ```
#[track_caller]
pub fn jvp<A, R, F>(f: F, args: &A, tangents: &A) -> (R, R)
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    let place = Location::caller();
    let (mut leaves, given) = (tree::leaves(args), tree::leaves(tangents));
    let count = leaves.len();
    let wrt = varying(&leaves);
    leaves.extend(wrt.iter().filter_map(|&n| given.get(n).cloned()));
    let record = |leaves: Vec<Tensor>| {
        if given.len() != count {
            let message = format!("{} tangents are given for {count} tensors of the arguments", given.len());
            return Err(Error::new(place, message));
        }
        let (values, tangents) = leaves.split_at(count);
        let mut template = None;
        let of = |given: Vec<Tensor>| {
            let result = f.apply(&tree::rebuild(args, with(values, &wrt, given)));
            let found = tree::leaves(&result);
            template = Some(result);
            found
        };
        let given: Vec<Tensor> = wrt.iter().map(|&n| values[n].clone()).collect();
        let (results, found) = jvp_of(place, of, &given, tangents)?;
        let template = template.expect("the function was called");
        let both = (tree::rebuild(&template, results), tree::rebuild(&template, found));
        Ok((tree::leaves(&both), both))
    };
    run(place, &leaves, record, |failed| {
        let result = f.apply(&tree::map(args, |_| failed.clone()));
        (result.clone(), result)
    })
}

/// The results of a function while one is traced, and their tangents by those of all its arguments.
pub(super) fn jvp_of(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
    tangents: &[Tensor],
) -> Result<(Vec<Tensor>, Vec<Tensor>), Error> {
    for (n, (tangent, argument)) in tangents.iter().zip(arguments).enumerate() {
        alike(place, "the tangent", "argument", n, tangent.shape()?, argument.shape()?)?;
    }
    let function = function(place, f, arguments)?;
    let operands: Vec<&Tensor> = arguments.iter().chain(&function.captured).chain(tangents).collect();
    let made = trace::emit(place, &operands, |e, ids| {
        let (values, given) = ids.split_at(ids.len() - tangents.len());
        let mut of: Vec<Option<InstrId>> = given.iter().copied().map(Some).collect();
        of.resize(values.len(), None);
        let (results, found) = pullback::jvp(e, function.comp, values, &of)?;
        let found = results.iter().zip(found).map(|(&value, t)| match t {
            Some(t) => Ok(t),
            None => e.splat_like(value, 0.0),
        });
        let found = found.collect::<Result<Vec<_>, _>>()?;
        Ok((shaped(e, &results)?, shaped(e, &found)?))
    })?;
    let weak = |(t, spec): (Tensor, &trace::Spec)| t.with_weak(spec.weak);
    let results = tensors(place, made.0).into_iter().zip(&function.results).map(weak).collect();
    Ok((results, tensors(place, made.1)))
}

/// The derivative of a function at a point, forward.
#[derive(Clone)]
pub(super) struct Pushforward {
    place: Place,
    half: Half,
    arguments: Vec<ArrayShape>,
    /// The shapes of the results, and whether each varies.
    results: Vec<(ArrayShape, bool)>,
}

impl Halved for Pushforward {
    fn half(&self) -> &Half {
        &self.half
    }

    fn results(&self) -> usize {
        self.results.len()
    }

    fn with_half(self, half: Half) -> Pushforward {
        Pushforward { half, ..self }
    }
}

impl Pushforward {
    /// The tangents of the results by those of the arguments.
    pub fn apply(&self, tangents: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        for (n, (tangent, wanted)) in tangents.iter().zip(&self.arguments).enumerate() {
            alike(self.place, "the tangent", "argument", n, tangent.shape()?, wanted)?;
        }
        let mut found = self.half.apply(&tangents.iter().collect::<Vec<_>>())?.into_iter();
        let result = |(shape, varies): &(ArrayShape, bool)| match varies {
            true => found.next().expect("a tangent for each result that varies"),
            false => Tensor::apply(self.place, &[], |e, _| e.zeros(shape)),
        };
        Ok(self.results.iter().map(result).collect())
    }
}

/// The results of a function while one is traced, and its derivative forward with regard to all its arguments.
pub(super) fn linearize_of(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
) -> Result<(Vec<Tensor>, Pushforward), Error> {
    let function = function(place, f, arguments)?;
    let operands: Vec<&Tensor> = arguments.iter().chain(&function.captured).collect();
    let wrt: Vec<usize> = (0..arguments.len()).collect();
    let (results, residuals, comp, varies) = trace::emit(place, &operands, |e, ids| {
        let made = pullback::linearize(e, function.comp, ids, &wrt)?;
        Ok((shaped(e, &made.results)?, shaped(e, &made.residuals)?, made.pushforward, made.varies))
    })?;
    let weak = |(t, spec): (Tensor, &trace::Spec)| t.with_weak(spec.weak);
    let results = tensors(place, results).into_iter().zip(&function.results).map(weak).collect();
    let count = varies.iter().filter(|v| **v).count();
    let half = Half::here(place, comp, tensors(place, residuals), count);
    let shapes = function.results.into_iter().map(|s| s.shape).zip(varies).collect();
    let arguments = arguments.iter().map(|a| a.shape().cloned()).collect::<Result<Vec<_>, _>>()?;
    Ok((results, Pushforward { place, half, arguments, results: shapes }))
}

/// The results of a function, and the function that is its derivative forward there: takes a tree of tangents like the
/// arguments, gives one like the result. What both share is computed once, however often it is called.
///
/// Results carry an error where the function has one, or no derivative.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, linearize};
///
/// let (y, derivative) = linearize(|x: &Tensor| x.square(), &(Tensor::from(3f32),));
/// assert_eq!(y.item(), Ok(9f32));
/// assert_eq!(derivative(&(Tensor::from(1f32),)).item(), Ok(6f32));
/// assert_eq!(derivative(&(Tensor::from(2f32),)).item(), Ok(12f32));
/// ```
#[track_caller]
pub fn linearize<A, R, F>(f: F, args: &A) -> (R, impl Fn(&A) -> R + use<A, R, F>)
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    let place = Location::caller();
    let made = prepared(place, &f, args, |f, given| linearize_of(place, f, given));
    let result = match &made {
        Ok((result, _)) => result.clone(),
        Err(e) => failed(&f, args, e),
    };
    let template = result.clone();
    let pushforward = made.map(|(_, pushforward)| pushforward);
    let forward = move |tangents: &A| {
        let leaves = tree::leaves(tangents).into_iter().filter(|t| t.error().is_some() || varies(t.dtype()));
        let found =
            pushforward.as_ref().map_err(Clone::clone).and_then(|p| p.apply(&leaves.collect::<Vec<_>>()));
        match found {
            Ok(found) => tree::rebuild(&template, found),
            Err(e) => tree::map(&template, |_| Tensor::failed(e.clone())),
        }
    };
    (result, forward)
}
