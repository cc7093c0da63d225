//! What works inside of traced functions and outside: recorded there, run at once here.

use crate::error::Error;
use crate::tensor::trace;
use crate::tensor::{Tensor, staged};
use crate::tree::{self, Tree};
use std::panic::Location;

/// Runs `f` on these tensors: while a function is traced in it, else as a program of its own, at once.
pub(crate) fn at_once(
    place: &'static Location<'static>,
    tensors: &[Tensor],
    f: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>, Error>,
) -> Result<Vec<Tensor>, Error> {
    if trace::active() { f(tensors.to_vec()) } else { Ok(staged(place, tensors, f)?.0) }
}

/// As [`at_once`], where `f` gives the leaves of a result and the result, whose structure counts. After a fault the result
/// carries it in every leaf, in the structure that `otherwise` gives on a tensor that carries it.
pub(crate) fn run<R: Tree>(
    place: &'static Location<'static>,
    leaves: &[Tensor],
    f: impl FnOnce(Vec<Tensor>) -> Result<(Vec<Tensor>, R), Error>,
    otherwise: impl FnOnce(&Tensor) -> R,
) -> R {
    let mut template = None;
    let found = at_once(place, leaves, |leaves| {
        let (results, tree) = f(leaves)?;
        template = Some(tree);
        Ok(results)
    });
    match (found, template) {
        (Ok(found), Some(template)) => tree::rebuild(&template, found),
        (Err(e), Some(template)) => tree::map(&template, |_| Tensor::failed(e.clone())),
        (Err(e), None) => tree::map(&otherwise(&Tensor::failed(e.clone())), |_| Tensor::failed(e.clone())),
        (Ok(_), None) => unreachable!("results come with their structure"),
    }
}
