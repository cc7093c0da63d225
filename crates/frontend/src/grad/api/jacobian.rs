//! Matrices of derivatives: forward or backward along every direction at once, by batching.

use super::Place;
use super::pushforward::linearize_of;
use super::vjp::vjp_of;
use crate::eager::run;
use crate::error::Error;
use crate::function::{Args, Function};
use crate::tensor::Tensor;
use crate::tree::{self, Tree};
use crate::vmap::batched;
use lawson_hlo::attrs::{Direction, SliceDim};
use lawson_hlo::{ArrayShape, DType};
use std::collections::BTreeMap;
use std::panic::Location;

/// A tree in which each tensor can be replaced by a tree `X`: what the derivative of a result with regard to an argument is.
pub trait Differentiated<X: Tree>: Tree {
    /// The tree of trees.
    type Of: Tree;

    /// The same structure with trees for leaves, in the order of [`Tree::leaves`].
    ///
    /// # Panics
    /// There are fewer.
    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> Self::Of;
}

impl<X: Tree> Differentiated<X> for Tensor {
    type Of = X;

    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> X {
        trees.next().expect("as many trees as there are leaves")
    }
}

impl<X: Tree, T: Differentiated<X>> Differentiated<X> for Vec<T> {
    type Of = Vec<T::Of>;

    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> Vec<T::Of> {
        self.iter().map(|t| t.nest(trees)).collect()
    }
}

impl<X: Tree, T: Differentiated<X>, const N: usize> Differentiated<X> for [T; N] {
    type Of = [T::Of; N];

    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> [T::Of; N] {
        std::array::from_fn(|i| self[i].nest(trees))
    }
}

impl<X: Tree, T: Differentiated<X>> Differentiated<X> for Option<T> {
    type Of = Option<T::Of>;

    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> Option<T::Of> {
        self.as_ref().map(|t| t.nest(trees))
    }
}

impl<X: Tree, T: Differentiated<X>> Differentiated<X> for BTreeMap<String, T> {
    type Of = BTreeMap<String, T::Of>;

    fn nest(&self, trees: &mut dyn Iterator<Item = X>) -> Self::Of {
        self.iter().map(|(name, t)| (name.clone(), t.nest(trees))).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident $n:tt),*);)*) => {$(
        impl<Z: Tree, $($name: Differentiated<Z>),*> Differentiated<Z> for ($($name,)*) {
            type Of = ($($name::Of,)*);

            fn nest(&self, trees: &mut dyn Iterator<Item = Z>) -> Self::Of {
                ($(self.$n.nest(trees),)*)
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}

/// The derivative of every element of the result with regard to every element of the first argument, forward: for each
/// tensor of the result a tree like the first argument, whose tensors have the dimensions of the result, then those of
/// the argument. Cheaper than [`jacrev`] where the argument has fewer elements than the result.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, jacfwd, jacrev};
///
/// let f = |x: &Tensor| x.cumprod(0);
/// let x = Tensor::from([2f32, 3.0]);
/// assert_eq!(jacfwd(f)(&x).to_vec(), Ok(vec![1f32, 0.0, 3.0, 2.0])); // f32[2,2]
/// assert_eq!(jacrev(f)(&x).to_vec(), Ok(vec![1f32, 0.0, 3.0, 2.0]));
/// ```
#[track_caller]
pub fn jacfwd<'f, A, R, F>(f: F) -> F::Boxed<'f, R::Of>
where
    A: Args + 'f,
    R: Differentiated<A::First>,
    F: Function<A, R> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| matrix(place, &f, args, |_, r| r, |of, given| forward(place, of, given)))
}

/// As [`jacfwd`], backward: cheaper where the result has fewer elements than the argument.
#[track_caller]
pub fn jacrev<'f, A, R, F>(f: F) -> F::Boxed<'f, R::Of>
where
    A: Args + 'f,
    R: Differentiated<A::First>,
    F: Function<A, R> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| matrix(place, &f, args, |_, r| r, |of, given| backward(place, of, given)))
}

/// The second derivatives of a function with regard to its first argument, forward over backward: for each tensor of the
/// argument a tree like it, whose tensors have the dimensions of the result, of the one and of the other.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, hessian};
///
/// let f = |x: &Tensor| x.index(0) * x.index(1).square();
/// let second = hessian(f)(&Tensor::from([2f32, 3.0]));
/// assert_eq!(second.to_vec(), Ok(vec![0f32, 6.0, 6.0, 4.0])); // f32[2,2]
/// ```
#[track_caller]
pub fn hessian<'f, A, F>(f: F) -> F::Boxed<'f, <A::First as Differentiated<A::First>>::Of>
where
    A: Args + 'f,
    A::First: Differentiated<A::First>,
    F: Function<A, Tensor> + 'f,
{
    let place = Location::caller();
    F::boxed(move |args: &A| {
        let outline = |args: &A, _: Tensor| args.first().clone();
        matrix(place, &f, args, outline, |of, given| {
            let inner = |given: Vec<Tensor>| match backward(place, of, &given) {
                Ok((_, found)) => found,
                Err(e) => vec![Tensor::failed(e); given.len()],
            };
            forward(place, &inner, given)
        })
    })
}

/// Leaves to leaves.
type Flat<'a> = &'a dyn Fn(Vec<Tensor>) -> Vec<Tensor>;

/// Derivatives by `derive`, in the structure of what `outline` gives.
fn matrix<A, R, O, F>(
    place: Place,
    f: &F,
    args: &A,
    outline: impl Fn(&A, O) -> R,
    derive: impl FnOnce(Flat<'_>, &[Tensor]) -> Result<(Vec<Tensor>, Vec<Tensor>), Error>,
) -> R::Of
where
    A: Args,
    R: Differentiated<A::First>,
    O: Tree,
    F: Function<A, O>,
{
    let leaves = tree::leaves(args);
    let first = args.leaf_counts()[0];
    let record = |leaves: Vec<Tensor>| {
        let template = std::cell::RefCell::new(None);
        let of = |given: Vec<Tensor>| {
            let all = given.into_iter().chain(leaves[first..].iter().cloned());
            let result = f.apply(&tree::rebuild(args, all));
            let found = tree::leaves(&result);
            *template.borrow_mut() = Some(result);
            found
        };
        let (_, found) = derive(&of, &leaves[..first])?;
        let template = outline(args, template.into_inner().expect("the function was called"));
        let mut trees =
            found.chunks(first.max(1)).map(|row| tree::rebuild(args.first(), row.iter().cloned()));
        Ok((found.clone(), template.nest(&mut trees)))
    };
    run(place, &leaves, record, |failed| {
        let result = outline(args, f.apply(&tree::map(args, |_| failed.clone())));
        let count = tree::leaves(&result).len();
        let tree = || tree::map(args.first(), |_| failed.clone());
        result.nest(&mut (0..count).map(|_| tree()))
    })
}

/// The results of a function, and for each of them its derivatives with regard to each argument.
fn forward(place: Place, f: Flat<'_>, arguments: &[Tensor]) -> Result<(Vec<Tensor>, Vec<Tensor>), Error> {
    let (results, pushforward) = linearize_of(place, f, arguments)?;
    let shapes = shapes_of(arguments)?;
    let basis = basis(place, &shapes);
    let apply = |tangents: Vec<Tensor>| match pushforward.apply(&tangents) {
        Ok(found) => found,
        Err(e) => vec![Tensor::failed(e); results.len()],
    };
    let found = batched(place, apply, &basis, &vec![Some(0); basis.len()])?;
    let mut all = Vec::new();
    for (result, of) in found.iter().zip(shapes_of(&results)?) {
        let mut start = 0;
        for shape in &shapes {
            let rows = start..start + shape.elements();
            start = rows.end;
            all.push(Tensor::apply(place, &[result], |e, ids| {
                let part = e.slice(ids[0], rows_of(&rows, &of.dims))?;
                // The directions become the last dimension, then those of the argument.
                let order: Vec<usize> = (1..=of.rank()).chain([0]).collect();
                let part = e.transpose(part, &order)?;
                e.reshape(part, &[&of.dims[..], &shape.dims].concat())
            }));
        }
    }
    Ok((results, all))
}

/// As [`forward`], by cotangents.
fn backward(place: Place, f: Flat<'_>, arguments: &[Tensor]) -> Result<(Vec<Tensor>, Vec<Tensor>), Error> {
    let (results, pullback) = vjp_of(place, f, arguments)?;
    let shapes = shapes_of(&results)?;
    let basis = basis(place, &shapes);
    let apply = |cotangents: Vec<Tensor>| match pullback.apply(&cotangents) {
        Ok(found) => found,
        Err(e) => vec![Tensor::failed(e); arguments.len()],
    };
    let found = batched(place, apply, &basis, &vec![Some(0); basis.len()])?;
    let (mut all, mut start) = (Vec::new(), 0);
    for shape in &shapes {
        let rows = start..start + shape.elements();
        start = rows.end;
        for (gradient, of) in found.iter().zip(shapes_of(arguments)?) {
            all.push(Tensor::apply(place, &[gradient], |e, ids| {
                let part = e.slice(ids[0], rows_of(&rows, &of.dims))?;
                e.reshape(part, &[&shape.dims[..], &of.dims].concat())
            }));
        }
    }
    Ok((results, all))
}

fn shapes_of(tensors: &[Tensor]) -> Result<Vec<ArrayShape>, Error> {
    tensors.iter().map(|t| t.shape().cloned()).collect()
}

/// Some rows of an array of rows of these dimensions.
fn rows_of(rows: &std::ops::Range<i64>, dims: &[i64]) -> Vec<SliceDim> {
    let whole = dims.iter().map(|&d| SliceDim { start: 0, limit: d, stride: 1 });
    std::iter::once(SliceDim { start: rows.start, limit: rows.end, stride: 1 }).chain(whole).collect()
}

/// The directions along each element of arrays of these shapes, one after the other: each array has a dimension for them in
/// front.
fn basis(place: Place, shapes: &[ArrayShape]) -> Vec<Tensor> {
    let count: i64 = shapes.iter().map(ArrayShape::elements).sum();
    let mut start = 0;
    let array = |shape: &ArrayShape| {
        let first = start;
        start += shape.elements();
        Tensor::apply(place, &[], |e, _| {
            let dims = [count, shape.elements()];
            let row = e.iota(DType::S64, &dims, 0)?;
            let column = e.iota(DType::S64, &dims, 1)?;
            let first = e.splat(&ArrayShape::new(DType::S64, dims), first as f64)?;
            let column = e.add(column, first)?;
            let hit = e.compare(Direction::Eq, row, column)?;
            let hit = e.convert(hit, shape.dtype)?;
            let dims: Vec<i64> = std::iter::once(count).chain(shape.dims.iter().copied()).collect();
            e.reshape(hit, &dims)
        })
    };
    shapes.iter().map(array).collect()
}
