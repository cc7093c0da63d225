//! Steps of optimisation: plain functions of trees of tensors, with the formulas and defaults of optax.
//!
//! An optimiser is a value that holds its constants. `init` gives its state for parameters, and `update` the change of the parameters
//! and the next state; both are trees, so that a step of training is a function that can be compiled whole. What `update` gives is
//! added by [`apply_updates`].
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::Tensor;
//! use lawson::optim::{Adam, apply_updates};
//!
//! let (params, gradients) = (Tensor::from([1f32]), Tensor::from([0.1f32]));
//! let adam = Adam::default();
//! let state = adam.init(&params);
//! let (updates, state) = adam.update(&gradients, &state, 1e-3);
//! let params = apply_updates(&params, &updates);
//! assert!((params.item::<f32>()? - 0.999).abs() < 1e-6);
//! # Ok::<(), lawson_frontend::Error>(())
//! ```
//!
//! The rate is a number or a scalar tensor, such as a [`schedule`] gives for [`AdamState::count`].

mod adam;
mod leaves;
mod norm;
pub mod schedule;
mod sgd;

pub use adam::{Adam, AdamState};
pub use norm::{clip_by_global_norm, global_norm};
pub use sgd::{Sgd, SgdState};

use crate::tensor::Tensor;
use crate::tree::Tree;

/// Parameters and their changes, added leaf by leaf; each keeps the element type of the parameter.
///
/// Leaves carry an error where the trees differ.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, optim::apply_updates};
///
/// let (params, updates) = ((Tensor::from([1f32]), Tensor::from([2f32])), (Tensor::from([0.5f32]), Tensor::from([-1f32])));
/// let (a, b) = apply_updates(&params, &updates);
/// assert_eq!((a.item(), b.item()), (Ok(1.5f32), Ok(1f32)));
/// ```
#[track_caller]
pub fn apply_updates<T: Tree>(params: &T, updates: &T) -> T {
    let [params_leaves, updates] = match leaves::together("apply_updates", [params, updates]) {
        Ok(found) => found,
        Err(e) => return leaves::failed(params, &e),
    };
    let mut made = Vec::with_capacity(updates.len());
    for (param, update) in params_leaves.iter().zip(&updates) {
        let sum: Tensor = param + update;
        made.push(sum.astype(param.dtype()));
    }
    crate::tree::rebuild(params, made)
}
