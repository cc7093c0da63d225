//! Trees side by side.

use crate::error::Error;
use crate::tensor::{AsTensor, Tensor};
use crate::tree::{self, Tree};
use std::hash::{DefaultHasher, Hasher};
use std::panic::Location;

/// The leaves of trees of one structure.
///
/// # Errors
/// Their structures or the shapes of their leaves differ.
#[track_caller]
pub(super) fn together<T: Tree, const N: usize>(
    name: &str,
    trees: [&T; N],
) -> Result<[Vec<Tensor>; N], Error> {
    let place = Location::caller();
    let leaves = trees.map(tree::leaves);
    let structures = trees.map(|t| {
        let mut hasher = DefaultHasher::new();
        t.structure(&mut hasher);
        hasher.finish()
    });
    if structures.iter().any(|s| *s != structures[0]) {
        return Err(Error::new(place, format!("`{name}` of trees of different structures")));
    }
    for other in &leaves[1..] {
        for (number, (a, b)) in leaves[0].iter().zip(other).enumerate() {
            let (a, b) = (a.shape()?, b.shape()?);
            if a.dims != b.dims {
                return Err(Error::new(
                    place,
                    format!("`{name}`: leaf {number} is {a} in one tree and {b} in another"),
                ));
            }
        }
    }
    Ok(leaves)
}

/// A tree whose leaves carry an error.
pub(super) fn failed<T: Tree>(like: &T, error: &Error) -> T {
    tree::map(like, |_| Tensor::failed(error.clone()))
}

/// A rate as a scalar of the type of a leaf.
#[track_caller]
pub(super) fn rate(rate: &dyn AsTensor, leaf: &Tensor) -> Tensor {
    let made = rate.operand().tensor_of(Location::caller(), leaf.dtype());
    made.unwrap_or_else(Tensor::failed).astype(leaf.dtype())
}
