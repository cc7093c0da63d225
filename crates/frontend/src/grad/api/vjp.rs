//! Derivatives backward, at a point: cotangents of arguments by those of results.

use super::Place;
use super::half::{Half, Halved, prepared};
use crate::error::{Error, Fault};
use crate::function::{Args, Function};
use crate::grad::{pullback, rules::varies};
use crate::tensor::Tensor;
use crate::tensor::trace::{self, Spec};
use crate::tree::{self, Tree};
use lawson_hlo::{ArrayShape, InstrId};
use std::panic::Location;

/// The derivative of a function at a point, backward: takes cotangents of results, gives those of arguments.
#[derive(Clone)]
pub(super) struct Pullback {
    place: Place,
    half: Half,
    /// The shapes of the results, and whether each varies: cotangents of the others are not looked at.
    results: Vec<(ArrayShape, bool)>,
}

impl Halved for Pullback {
    fn half(&self) -> &Half {
        &self.half
    }

    fn results(&self) -> usize {
        self.results.len()
    }

    fn with_half(self, half: Half) -> Pullback {
        Pullback { half, ..self }
    }
}

impl Pullback {
    /// The cotangents of the arguments by those of the results.
    ///
    /// # Errors
    /// A cotangent that carries an error, or is not like its result.
    pub fn apply(&self, cotangents: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        if cotangents.len() != self.results.len() {
            let (found, wanted) = (cotangents.len(), self.results.len());
            return Err(Error::new(self.place, format!("{found} cotangents are given for {wanted} results")));
        }
        let mut varying = Vec::new();
        for (n, (ct, (shape, varies))) in cotangents.iter().zip(&self.results).enumerate() {
            if *varies {
                alike(self.place, "the cotangent", "result", n, ct.shape()?, shape)?;
                varying.push(ct);
            }
        }
        self.half.apply(&varying)
    }
}

/// Fails unless a tangent or cotangent is like what it belongs to.
pub(super) fn alike(
    place: Place,
    what: &str,
    of: &str,
    number: usize,
    found: &ArrayShape,
    wanted: &ArrayShape,
) -> Result<(), Error> {
    if found.same(wanted) {
        return Ok(());
    }
    Err(Error::new(place, format!("{what} of {of} {number} is {found}, and the {of} {wanted}")))
}

/// Instructions with their shapes, to be made tensors.
pub(super) fn shaped(
    e: &crate::graph::Emit<'_>,
    ids: &[InstrId],
) -> Result<Vec<(InstrId, ArrayShape)>, Fault> {
    ids.iter().map(|&id| Ok((id, e.array(id)?.clone()))).collect()
}

/// Tensors of the innermost function.
pub(super) fn tensors(place: Place, made: Vec<(InstrId, ArrayShape)>) -> Vec<Tensor> {
    let here = trace::innermost();
    made.into_iter().map(|(id, shape)| Tensor::traced(here, id, shape, false, place)).collect()
}

/// Traces a function of arguments with regard to which derivatives are taken.
///
/// # Errors
/// What it says, or an argument of numbers that do not vary.
pub(super) fn function(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
) -> Result<trace::Function, Error> {
    let specs = arguments.iter().map(Tensor::spec).collect::<Result<Vec<Spec>, _>>()?;
    if let Some(wrong) = specs.iter().find(|s| !varies(s.shape.dtype)) {
        let message = format!(
            "an argument is {}, and derivatives are with regard to floating-point numbers and elements of prime fields",
            wrong.shape
        );
        return Err(Error::new(place, message));
    }
    trace::function_at(place, "differentiated", &specs, |tensors| Ok(f(tensors)))
}

/// The results of a function while one is traced, and its derivative with regard to all its arguments.
///
/// # Errors
/// What the function says, or an operation without a derivative.
pub(super) fn vjp_of(
    place: Place,
    f: impl FnOnce(Vec<Tensor>) -> Vec<Tensor>,
    arguments: &[Tensor],
) -> Result<(Vec<Tensor>, Pullback), Error> {
    let function = function(place, f, arguments)?;
    let operands: Vec<&Tensor> = arguments.iter().chain(&function.captured).collect();
    let wrt: Vec<usize> = (0..arguments.len()).collect();
    let made = trace::emit(place, &operands, |e, ids| {
        let vjp = pullback::vjp(e, function.comp, ids, &wrt)?;
        Ok((shaped(e, &vjp.results)?, shaped(e, &vjp.residuals)?, vjp.pullback, vjp.varies))
    })?;
    let (results, residuals, comp, varies) = made;
    let results = tensors(place, results);
    let results: Vec<Tensor> =
        results.into_iter().zip(&function.results).map(|(r, s)| r.with_weak(s.weak)).collect();
    let half = Half::here(place, comp, tensors(place, residuals), arguments.len());
    let shapes = function.results.into_iter().map(|s| s.shape).zip(varies).collect();
    Ok((results, Pullback { place, half, results: shapes }))
}

/// The results of a function, and the function that is its derivative backward there: takes a tree of cotangents like the
/// result, gives one like the arguments. Cotangents of what is no floating-point number are zeros, and those given for
/// such results are not looked at.
///
/// Results carry an error where the function has one, or no derivative.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, vjp};
///
/// let (y, pullback) = vjp(|x: &Tensor| x.square(), &(Tensor::from([1f32, 2.0]),));
/// assert_eq!(y.to_vec(), Ok(vec![1f32, 4.0]));
/// let (ct,) = pullback(&Tensor::from([1f32, 10.0]));
/// assert_eq!(ct.to_vec(), Ok(vec![2f32, 40.0]));
/// ```
#[track_caller]
pub fn vjp<A, R, F>(f: F, args: &A) -> (R, impl Fn(&R) -> A + use<A, R, F>)
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    let place = Location::caller();
    let made = prepared(place, &f, args, |f, given| vjp_of(place, f, given));
    let result = match &made {
        Ok((result, _)) => result.clone(),
        Err(e) => failed(&f, args, e),
    };
    let pullback = made.map(|(_, pullback)| pullback);
    let args = args.clone();
    let back = move |cotangents: &R| {
        let found = pullback.as_ref().map_err(Clone::clone).and_then(|p| p.apply(&tree::leaves(cotangents)));
        match found {
            Ok(found) => {
                let mut found = found.into_iter();
                let of = |leaf: Tensor| match varies(leaf.dtype()) {
                    true => found.next().expect("a cotangent for each leaf that varies"),
                    false => Tensor::apply(place, &[&leaf], |e, ids| e.splat_like(ids[0], 0.0)),
                };
                tree::map(&args, of)
            }
            Err(e) => tree::map(&args, |_| Tensor::failed(e.clone())),
        }
    };
    (result, back)
}

/// The result of a function, each leaf with an error.
pub(super) fn failed<A: Args, R: Tree, F: Function<A, R>>(f: &F, args: &A, e: &Error) -> R {
    let failed = Tensor::failed(e.clone());
    tree::map(&f.apply(&tree::map(args, |_| failed.clone())), |_| failed.clone())
}
