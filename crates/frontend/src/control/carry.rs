//! What a loop carries from trip to trip keeps its structure, shapes and types.

use super::traced::{Place, same_structure};
use crate::error::Error;
use crate::tensor::Tensor;
use crate::tensor::promote::{Kind, result_type};
use crate::tensor::trace::Spec;
use crate::tree::{self, Tree};

/// Leaves of the carry whose types are weak and that the body gives in another type take the type of both together;
/// whether there were any, so that the body has to be traced again.
pub(super) fn promote(place: Place, carry: &mut [Tensor], results: &[Spec]) -> Result<bool, Error> {
    let mut changed = false;
    for (leaf, after) in carry.iter_mut().zip(results) {
        let before = leaf.spec()?;
        let wanted = if before.weak { common(&before, after) } else { before.clone() };
        let dtype = wanted.shape.dtype;
        if dtype != before.shape.dtype {
            *leaf = Tensor::apply(place, &[&*leaf], |e, ids| e.convert(ids[0], dtype)).with_weak(wanted.weak);
            changed = true;
        }
    }
    Ok(changed)
}

/// A spec of the dimensions of both and the type that they have in common, or else that of the first.
pub(super) fn common(a: &Spec, b: &Spec) -> Spec {
    let kind = |s: &Spec| Kind { dtype: s.shape.dtype, weak: s.weak };
    match result_type(&[kind(a), kind(b)]) {
        Ok(Kind { dtype, weak }) => Spec { shape: a.shape.with_dtype(dtype), weak },
        Err(_) => a.clone(),
    }
}

/// # Errors
/// The body gives a carry of another structure, or a leaf of another shape or type: which, and both shapes.
pub(super) fn check<C: Tree>(
    place: Place,
    what: &str,
    before: &C,
    after: &C,
    carry: &[Tensor],
    results: &[Spec],
) -> Result<(), Error> {
    if !same_structure(before, after) {
        let (m, n) = (tree::leaves(before).len(), tree::leaves(after).len());
        let message = format!(
            "`{what}`: the body takes a carry of {m} leaves and gives one of {n}: it has to keep its structure"
        );
        return Err(Error::new(place, message));
    }
    for (number, (leaf, after)) in carry.iter().zip(results).enumerate() {
        let before = leaf.shape()?;
        if *before != after.shape {
            let message = format!(
                "`{what}`: leaf {number} of the carry is {before} before a trip and {} after it: it has to keep \
                 its shape and type",
                after.shape
            );
            return Err(Error::new(place, message));
        }
    }
    Ok(())
}
