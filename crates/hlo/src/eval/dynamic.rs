//! Slices at run-time positions: dynamic-slice and dynamic-update-slice.

use super::error::{EvalError, Result};
use super::limits::Limits;
use super::movement::{View, copy, read};
use super::word::{Word, load_range};
use crate::literal::Literal;
use crate::shape::ArrayShape;

/// The window of the result's dimensions at the given start, moved so that it fits.
pub fn slice(limits: Limits, x: &Literal, starts: &[&Literal], shape: &ArrayShape) -> Result<Literal> {
    let strides = x.shape().strides();
    let start = start(x, starts, &shape.dims, &strides)?;
    read(limits, x, View { start, strides: &strides }, shape)
}

/// `x` with `update` written at the given start, moved so that it fits. In place when nobody else holds `x`.
pub fn update_slice(mut x: Literal, update: &Literal, starts: &[&Literal]) -> Result<Literal> {
    let strides = x.shape().strides();
    let start = start(&x, starts, update.dims(), &strides)?;
    let size = x.dtype().size();
    let source = View { start: 0, strides: &update.shape().strides() };
    copy(update.dims(), size, (x.bytes_mut(), View { start, strides: &strides }), (update.bytes(), source));
    Ok(x)
}

/// The position of the window in `x`. Starts are one scalar for each dimension, or one vector.
fn start(x: &Literal, starts: &[&Literal], window: &[i64], strides: &[i64]) -> Result<i64> {
    let mut words: Vec<Word> = Vec::new();
    starts.iter().for_each(|s| load_range(s, 0, s.elements(), &mut words));
    if words.len() != window.len() || starts.iter().any(|s| !s.dtype().is_integer()) {
        return Err(EvalError::malformed("start indices are not one integer for each dimension"));
    }
    let unsigned = starts.first().is_some_and(|s| s.dtype().is_unsigned());
    let position = |d: usize| clamp_start(words[d], unsigned, x.dims()[d] - window[d]);
    Ok((0..window.len()).map(|d| position(d) * strides[d]).sum())
}

/// An index word clamped to `0..=last`.
pub fn clamp_start(word: Word, unsigned: bool, last: i64) -> i64 {
    if unsigned && word > last as u64 { last } else { (word as i64).clamp(0, last.max(0)) }
}
