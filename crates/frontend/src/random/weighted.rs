//! Rows chosen by weights.

use super::shuffle::{picked, rows};
use super::{Place, gumbel, uniform};
use crate::error::Error;
use crate::tensor::promote::inexact;
use crate::tensor::{Side, Tensor};
use std::panic::Location;

/// Rows of `x`, each time one of them with probability in proportion to its weight: `p` is `[rows]`, at least 0, and need not
/// sum to 1. The dimensions are `dims`, then those of a row.
///
/// The result carries an error that shows both shapes where there is not one weight for each row, and where there are no
/// rows.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let (key, x, p) = (random::key(0), Tensor::from([1i32, 2, 3]), Tensor::from([0f32, 1.0, 3.0]));
/// let found = random::choice_weighted(&key, &x, &p, [1000]);
/// let share = found.equal(3).mean().item::<f32>()?;
/// assert!(found.min().item() == Ok(2i32) && (share - 0.75).abs() < 0.05);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn choice_weighted(key: &Tensor, x: &Tensor, p: &Tensor, dims: impl AsRef<[i64]>) -> Tensor {
    let place = Location::caller();
    let p = match weights(place, "choice_weighted", x, p) {
        Ok((p, _)) => p,
        Err(e) => return Tensor::failed(e),
    };
    let sums = p.cumsum(0);
    let at = sums.index(-1) * (1 - uniform(key, dims, p.dtype()));
    chosen(place, x, &sums.searchsorted(&at, Side::Left))
}

/// As [`choice_weighted`], each row at most once: the rows with the greatest sums of the logarithm of their weight and
/// Gumbel noise (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
///
/// Carries an error where there are fewer rows than `dims` ask for, too.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let (key, x, p) = (random::key(0), Tensor::from([1i32, 2, 3]), Tensor::from([0f32, 1.0, 3.0]));
/// let both = random::choice_weighted_without_replacement(&key, &x, &p, [2]);
/// assert_eq!(both.sort(0).to_vec(), Ok(vec![2i32, 3]));
/// ```
#[track_caller]
pub fn choice_weighted_without_replacement(
    key: &Tensor,
    x: &Tensor,
    p: &Tensor,
    dims: impl AsRef<[i64]>,
) -> Tensor {
    let (place, name, dims) = (Location::caller(), "choice_weighted_without_replacement", dims.as_ref());
    let (p, rows) = match weights(place, name, x, p) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let wanted = dims.iter().try_fold(1i64, |all, &d| if d < 0 { None } else { all.checked_mul(d) });
    let Some(wanted) = wanted.filter(|&wanted| wanted <= rows) else {
        let message = format!("`{name}` of dimensions {dims:?} from {rows} rows");
        return Tensor::failed(Error::new(place, message));
    };
    let (_, numbers) = (gumbel(key, [rows], p.dtype()) + p.log()).top_k(wanted as usize);
    chosen(place, x, &numbers.reshape(dims))
}

/// Weights as floats, one for each row, and the number of rows.
fn weights(place: Place, name: &str, x: &Tensor, p: &Tensor) -> Result<(Tensor, i64), Error> {
    let (rows, shape) = (rows(place, x)?, p.shape()?);
    if shape.dims != [rows] {
        let message = format!("`{name}` of {} by {shape}: a row has one weight", x.shape()?);
        return Err(Error::new(place, message));
    }
    Ok((p.astype(inexact(shape.dtype)), rows))
}

fn chosen(place: Place, x: &Tensor, numbers: &Tensor) -> Tensor {
    let made = Tensor::apply(place, &[x, numbers], |e, ids| picked(e, ids[0], ids[1], 0));
    made.with_weak(x.is_weak())
}
