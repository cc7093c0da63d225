//! Functions over trees, traced for loops and branches.

pub(super) use crate::eager::run;
use crate::error::Error;
use crate::tensor::Tensor;
use crate::tensor::trace::{self, Function, Spec};
use crate::tree::{self, Tree};
use std::hash::Hasher;
use std::panic::Location;

pub(super) type Place = &'static Location<'static>;

/// A traced function, and the tree that it gave.
pub(super) struct Traced<R> {
    pub function: Function,
    pub result: R,
}

/// Traces `f`, which takes leaves and gives a tree.
///
/// # Errors
/// The first error of a result.
pub(super) fn trace<R: Tree>(
    place: Place,
    name: &str,
    parameters: &[Spec],
    f: impl FnOnce(Vec<Tensor>) -> Result<R, Error>,
) -> Result<Traced<R>, Error> {
    let mut result = None;
    let function = trace::function_at(place, name, parameters, |leaves| {
        let tree = f(leaves)?;
        let leaves = tree::leaves(&tree);
        result = Some(tree);
        Ok(leaves)
    })?;
    Ok(Traced { function, result: result.expect("the function was called") })
}

/// The specs of tensors.
pub(super) fn specs(tensors: &[Tensor]) -> Result<Vec<Spec>, Error> {
    tensors.iter().map(Tensor::spec).collect()
}

/// Whether two trees have their leaves in the same places.
pub(super) fn same_structure<T: Tree>(a: &T, b: &T) -> bool {
    let hash = |tree: &T| {
        let mut state = rustc_hash::FxHasher::default();
        tree.structure(&mut state);
        state.finish()
    };
    hash(a) == hash(b)
}
