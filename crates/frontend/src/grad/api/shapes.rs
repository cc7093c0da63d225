//! What a function would give, without computing it.

use crate::error::Error;
use crate::function::{Args, Function};
use crate::tensor::Tensor;
use crate::tensor::trace::{self, Spec};
use crate::tree::{self, Tree};
use std::panic::Location;

/// The shapes and element types of the tensors of a function's result, in the order of its leaves, for arguments of
/// which only these count.
///
/// # Errors
/// What the function says.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, Tensor, eval_shape};
///
/// let x = Tensor::zeros([3, 4], DType::F32);
/// let specs = eval_shape(|x: &Tensor| x.matmul(x.t()), &(x,))?;
/// assert_eq!(specs[0].shape.to_string(), "f32[3,3]");
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn eval_shape<A, R, F>(f: F, args: &A) -> Result<Vec<Spec>, Error>
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    let place = Location::caller();
    let specs = tree::leaves(args).iter().map(Tensor::spec).collect::<Result<Vec<Spec>, _>>()?;
    let of = |leaves: Vec<Tensor>| Ok(tree::leaves(&f.apply(&tree::rebuild(args, leaves))));
    if trace::active() {
        return Ok(trace::function_at(place, "outline", &specs, of)?.results);
    }
    Ok(trace::program(&specs, of)?.1.results)
}
