//! `fori_loop`: a counter from one bound to another.

use super::carry;
use super::counted::Counted;
use super::traced::{Place, Traced, run, specs, trace};
use super::while_loop::while_loop_at;
use crate::error::Error;
use crate::tensor::Tensor;
use crate::tensor::trace::Spec;
use crate::tree::{self, Tree};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, DType, Literal, Scalar};
use std::panic::Location;

/// A bound of [`fori_loop`]: a number, or a scalar tensor of integers.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Known when the loop is made.
    Number(i64),
    /// A scalar of integers, known when the program runs.
    Tensor(Tensor),
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl From<$t> for Bound {
            fn from(n: $t) -> Bound {
                Bound::Number(i64::try_from(n).unwrap_or(i64::MAX))
            }
        }
    )*};
}

numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<Tensor> for Bound {
    fn from(t: Tensor) -> Bound {
        Bound::Tensor(t)
    }
}

impl From<&Tensor> for Bound {
    fn from(t: &Tensor) -> Bound {
        Bound::Tensor(t.clone())
    }
}

/// `carry = body(i, carry)` for each i from `lower` up to `upper`, without it; the last carry.
///
/// With bounds that are numbers the number of trips is known, and derivatives go forward and backward; `i` is s32
/// then, as weak as a Rust integer. Bounds that are tensors are integer scalars of one type, which `i` has; the loop
/// is a [`super::while_loop`]. The carry keeps its structure, shapes and types, as in [`super::scan`].
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, fori_loop};
///
/// let factorial = fori_loop(1, 6, |i: &Tensor, product: &Tensor| product * i, &Tensor::from(1));
/// assert_eq!(factorial.item(), Ok(120i32));
/// ```
#[track_caller]
pub fn fori_loop<C: Tree>(
    lower: impl Into<Bound>,
    upper: impl Into<Bound>,
    body: impl Fn(&Tensor, &C) -> C,
    init: &C,
) -> C {
    let place = Location::caller();
    let (lower, upper) = match (lower.into(), upper.into()) {
        (Bound::Number(lower), Bound::Number(upper)) => {
            let leaves = tree::leaves(init);
            let record = |leaves| record(place, (lower, upper), &body, init, leaves);
            return run(place, &leaves, record, |failed| tree::map(init, |_| failed.clone()));
        }
        (Bound::Tensor(lower), Bound::Tensor(upper)) => (lower, upper),
        (Bound::Number(n), Bound::Tensor(t)) => (like(n, &t), t),
        (Bound::Tensor(t), Bound::Number(n)) => {
            let n = like(n, &t);
            (t, n)
        }
    };
    for bound in [&lower, &upper] {
        if let Err(e) = integer_scalar(place, bound, &lower) {
            return tree::map(init, |_| Tensor::failed(e.clone()));
        }
    }
    let condition = |(i, _): &(Tensor, C)| compare(place, i, &upper);
    let step = |(i, carry): &(Tensor, C)| (next(place, i), body(i, carry));
    while_loop_at(place, "fori_loop", &condition, &step, &(lower.clone(), init.clone())).1
}

fn compare(place: Place, i: &Tensor, upper: &Tensor) -> Tensor {
    Tensor::apply(place, &[i, upper], |e, ids| e.compare(Direction::Lt, ids[0], ids[1]))
}

fn next(place: Place, i: &Tensor) -> Tensor {
    let next = Tensor::apply(place, &[i], |e, ids| {
        let dtype = e.dtype(ids[0])?;
        let one = e.scalar(dtype, 1.0);
        e.add(ids[0], one)
    });
    next.with_weak(i.is_weak())
}

/// A number as a scalar of the type of a tensor.
fn like(n: i64, t: &Tensor) -> Tensor {
    Tensor::from_literal(Literal::scalar(t.dtype(), Scalar::Signed(n))).with_weak(t.is_weak())
}

fn integer_scalar(place: Place, bound: &Tensor, lower: &Tensor) -> Result<(), Error> {
    let (shape, wanted) = (bound.shape()?, lower.shape()?);
    if shape.is_scalar() && shape.dtype.is_integer() && shape.dtype == wanted.dtype {
        return Ok(());
    }
    let message =
        format!("`fori_loop` needs integer scalars of one type for bounds, not {wanted} and {shape}");
    Err(Error::new(place, message))
}

fn record<C: Tree>(
    place: Place,
    (lower, upper): (i64, i64),
    body: &dyn Fn(&Tensor, &C) -> C,
    init: &C,
    mut carry: Vec<Tensor>,
) -> Result<(Vec<Tensor>, C), Error> {
    let upper = upper.max(lower);
    if i32::try_from(lower).is_err() || i32::try_from(upper).is_err() {
        let message = format!("`fori_loop` from {lower} to {upper}: bounds that are numbers have 32 bits");
        return Err(Error::new(place, message));
    }
    let counter = Spec { shape: ArrayShape::new(DType::S32, []), weak: true };
    let Traced { function, result } = loop {
        let parameters = [vec![counter.clone()], specs(&carry)?].concat();
        let traced = trace(place, "fori_body", &parameters, |leaves| {
            Ok(body(&leaves[0], &tree::rebuild(init, leaves[1..].to_vec())))
        })?;
        if !carry::promote(place, &mut carry, &traced.function.results)? {
            break traced;
        }
    };
    carry::check(place, "fori_loop", init, &result, &carry, &function.results)?;
    let counted = Counted {
        function: &function,
        start: lower,
        limit: upper,
        reverse: false,
        counter: true,
        carry: &carry,
        xs: &[],
    };
    Ok((counted.record(place)?, result))
}
