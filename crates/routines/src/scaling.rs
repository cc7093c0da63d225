//! Matrices near one, so that what is computed of them neither overflows nor is too small.

use crate::scalar::Scalar;
use lawson_hlo::library::{Real, largest};

/// A matrix whose largest part is near one, and what it was divided by; nothing where there is none.
pub(crate) fn scaled<S: Scalar>(a: &[S]) -> Option<(Vec<S>, S::Part)> {
    let parts: &[S::Part] = bytemuck::cast_slice(a);
    let most = largest(parts.iter().copied());
    if !most.is_finite() || most == <S::Part as Real>::ZERO {
        return None;
    }
    let scale = most.power_of_two();
    let mut divided = a.to_vec();
    let parts: &mut [S::Part] = bytemuck::cast_slice_mut(&mut divided);
    parts.iter_mut().for_each(|x| *x /= scale);
    Some((divided, scale))
}

/// Values that a library left on a diagonal: they are real.
pub(crate) fn unscaled<S: Scalar>(values: &mut [S::Part], diagonal: &[S], scale: S::Part) {
    values.iter_mut().zip(diagonal).for_each(|(value, &x)| *value = x.real() * scale);
}
