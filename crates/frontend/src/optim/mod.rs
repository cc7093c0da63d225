//! Steps of optimisation: plain functions of trees of tensors, with the formulas and defaults of optax.
//!
//! An optimiser is a value that holds its constants. `init` gives its state for parameters, and `update` the change of the parameters
//! and the next state; both are trees, so that a step of training is a function that can be compiled whole. What `update` gives is
//! added by [`apply_updates`].
//!
//! ```text
//! let adam = Adam::default();
//! let state = adam.init(&params);
//! let (updates, state) = adam.update(&gradients, &state, 1e-3);
//! let params = apply_updates(&params, &updates);
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
