//! Gradients of scalar functions.

use super::argnums::{Argnums, leaves_of};
use super::vjp::vjp_of;
use super::{Place, stop_gradient};
use crate::eager::run;
use crate::error::Error;
use crate::function::{Args, Function};
use crate::tensor::Tensor;
use crate::tree::{self, Tree};
use std::panic::Location;

/// The gradient of a scalar function with regard to its first argument: a function of the same arguments, which gives a
/// tree like the first.
///
/// The result carries an error where the function gives anything but one scalar, a floating-point number or an element of a
/// prime field, or has no derivative. Over a field the derivatives are those of rational functions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, grad};
///
/// let cube = |x: &Tensor| x.pow(3);
/// assert_eq!(grad(cube)(&Tensor::from(2f32)).item(), Ok(12f32));
/// assert_eq!(grad(grad(cube))(&Tensor::from(2f32)).item(), Ok(12f32));
/// assert!(grad(|x: &Tensor| x * 2)(&Tensor::from([1f32, 2.0])).error().is_some()); // no scalar
/// ```
#[track_caller]
pub fn grad<'f, A, F>(f: F) -> F::Boxed<'f, A::First>
where
    A: Args + 'f,
    F: Function<A, Tensor> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let (_, found) = gradient(place, &f, args, &[0]);
        tree::rebuild(args.first(), found)
    })
}

/// As [`grad`], with the value: a function that gives the pair.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, value_and_grad};
///
/// let (value, slope) = value_and_grad(|x: &Tensor| x.square().sum())(&Tensor::from([1f32, 2.0]));
/// assert_eq!((value.item(), slope.to_vec()), (Ok(5f32), Ok(vec![2f32, 4.0])));
/// ```
#[track_caller]
pub fn value_and_grad<'f, A, F>(f: F) -> F::Boxed<'f, (Tensor, A::First)>
where
    A: Args + 'f,
    F: Function<A, Tensor> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let (value, found) = gradient(place, &f, args, &[0]);
        (value, tree::rebuild(args.first(), found))
    })
}

/// As [`grad`], with regard to other arguments: `grad_argnums(f, Argnum::<1>)` gives a tree like the second one,
/// `grad_argnums(f, (Argnum::<0>, Argnum::<2>))` a pair.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Argnum, Tensor, grad_argnums};
///
/// let product = |x: &Tensor, y: &Tensor| x * y;
/// let (x, y) = (Tensor::from(2f32), Tensor::from(5f32));
/// assert_eq!(grad_argnums(product, Argnum::<1>)(&x, &y).item(), Ok(2f32));
/// let (dx, dy) = grad_argnums(product, (Argnum::<0>, Argnum::<1>))(&x, &y);
/// assert_eq!((dx.item(), dy.item()), (Ok(5f32), Ok(2f32)));
/// ```
#[track_caller]
pub fn grad_argnums<'f, A, N, F>(f: F, _: N) -> F::Boxed<'f, N::Of>
where
    A: Args + 'f,
    N: Argnums<A>,
    F: Function<A, Tensor> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let (_, found) = gradient(place, &f, args, &N::numbers());
        tree::rebuild(&N::of(args), found)
    })
}

/// As [`grad_argnums`], with the value: a function that gives the pair.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Argnum, Tensor, value_and_grad_argnums};
///
/// let product = |x: &Tensor, y: &Tensor| x * y;
/// let f = value_and_grad_argnums(product, Argnum::<1>);
/// let (value, slope) = f(&Tensor::from(2f32), &Tensor::from(5f32));
/// assert_eq!((value.item(), slope.item()), (Ok(10f32), Ok(2f32)));
/// ```
#[track_caller]
pub fn value_and_grad_argnums<'f, A, N, F>(f: F, _: N) -> F::Boxed<'f, (Tensor, N::Of)>
where
    A: Args + 'f,
    N: Argnums<A>,
    F: Function<A, Tensor> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let (value, found) = gradient(place, &f, args, &N::numbers());
        (value, tree::rebuild(&N::of(args), found))
    })
}

/// As [`grad`], of a function that gives a scalar and something else: the gradient of the scalar, and what else.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, grad_aux, value_and_grad_aux};
///
/// let loss = |x: &Tensor| (x.square().sum(), x.max());
/// let x = Tensor::from([1f32, 3.0]);
/// let (slope, most) = grad_aux(loss)(&x);
/// assert_eq!((slope.to_vec(), most.item()), (Ok(vec![2f32, 6.0]), Ok(3f32)));
/// let ((value, _), _) = value_and_grad_aux(loss)(&x);
/// assert_eq!(value.item(), Ok(10f32));
/// ```
#[track_caller]
pub fn grad_aux<'f, A, X, F>(f: F) -> F::Boxed<'f, (A::First, X)>
where
    A: Args + 'f,
    X: Tree,
    F: Function<A, (Tensor, X)> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let ((_, aux), found) = gradient(place, &f, args, &[0]);
        (tree::rebuild(args.first(), found), aux)
    })
}

/// As [`grad_aux`], with the value: `((value, what else), gradient)`.
#[track_caller]
pub fn value_and_grad_aux<'f, A, X, F>(f: F) -> F::Boxed<'f, ((Tensor, X), A::First)>
where
    A: Args + 'f,
    X: Tree,
    F: Function<A, (Tensor, X)> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let (value, found) = gradient(place, &f, args, &[0]);
        (value, tree::rebuild(args.first(), found))
    })
}

/// What a function gives, and the gradient of its first leaf with regard to the leaves of some arguments.
fn gradient<A, R, F>(place: Place, f: &F, args: &A, numbers: &[usize]) -> (R, Vec<Tensor>)
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    let leaves = tree::leaves(args);
    let wrt = leaves_of(args, numbers);
    let record = |leaves: Vec<Tensor>| {
        let mut template = None;
        let of = |varying: Vec<Tensor>| {
            let mut all = leaves.clone();
            wrt.iter().zip(varying).for_each(|(&n, leaf)| all[n] = leaf);
            let result = f.apply(&tree::rebuild(args, all));
            let mut found = tree::leaves(&result);
            let rest: Vec<Tensor> = found.drain(1..).map(|aux| stop_gradient(&aux)).collect();
            found.extend(rest);
            template = Some(result);
            found
        };
        let varying: Vec<Tensor> = wrt.iter().map(|&n| leaves[n].clone()).collect();
        let (results, pullback) = vjp_of(place, of, &varying)?;
        let shape = results[0].shape()?;
        if !shape.is_scalar() || !(shape.dtype.is_float() || shape.dtype.is_field()) {
            let message = format!(
                "a gradient is that of one floating-point scalar, or of one of a prime field, not of {shape}"
            );
            return Err(Error::new(place, message));
        }
        let seed = |like: &Tensor, value| Tensor::apply(place, &[like], |e, ids| e.splat_like(ids[0], value));
        let first = seed(&results[0], 1.0);
        let cotangents: Vec<Tensor> =
            std::iter::once(first).chain(results[1..].iter().map(|r| seed(r, 0.0))).collect();
        let found = pullback.apply(&cotangents)?;
        let template = template.expect("the function was called");
        let all = results.iter().chain(&found).cloned().collect();
        Ok((all, (template, found)))
    };
    run(place, &leaves, record, |failed| {
        (f.apply(&tree::map(args, |_| failed.clone())), vec![failed.clone(); wrt.len()])
    })
}
