//! The norm of all leaves together, and gradients that are not to exceed one.

use super::leaves;
use crate::tensor::{Tensor, where_};
use crate::tree::{self, Tree};

/// The root of the sum of all squares of a tree: a scalar; 0 for a tree without leaves.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::optim::{clip_by_global_norm, global_norm};
///
/// let tree = (Tensor::from([3f32]), Tensor::from([[4f32]]));
/// assert_eq!(global_norm(&tree).item(), Ok(5f32));
/// let (a, b) = clip_by_global_norm(&tree, 2.5);
/// assert_eq!((a.item(), b.item()), (Ok(1.5f32), Ok(2f32)));
/// ```
#[track_caller]
pub fn global_norm<T: Tree>(tree: &T) -> Tensor {
    let mut sum: Option<Tensor> = None;
    for leaf in tree::leaves(tree) {
        let squares = leaf.square().sum();
        sum = Some(match sum {
            Some(sum) => sum + squares,
            None => squares,
        });
    }
    sum.unwrap_or_else(|| Tensor::from(0.0)).sqrt()
}

/// The tree as it is where its [`global_norm`] is below `max_norm`, else scaled to that norm.
///
/// Pascanu et al., "On the difficulty of training Recurrent Neural Networks" (arXiv:1211.5063).
#[track_caller]
pub fn clip_by_global_norm<T: Tree>(tree: &T, max_norm: f64) -> T {
    let norm = global_norm(tree);
    let small = norm.less(max_norm);
    let mut made = Vec::new();
    for leaf in tree::leaves(tree) {
        let scaled = leaf.divide(leaves::rate(&norm, &leaf)) * max_norm;
        made.push(where_(&small, &leaf, scaled));
    }
    tree::rebuild(tree, made)
}
