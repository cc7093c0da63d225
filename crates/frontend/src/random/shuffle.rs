//! Random orders: numbers sorted by random keys, as often as makes equal keys in all rounds unlikely.

use super::{Place, bits, integers, keys};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use crate::tensor::{Tensor, axes};
use lawson_hlo::attrs::{Direction, GatherDims};
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Shape};
use std::panic::Location;

/// The numbers from 0 up to `count` in a random order: `s32[count]`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::random;
///
/// let order = random::permutation(&random::key(0), 5);
/// assert_eq!(order.sort(0).to_vec(), Ok(vec![0i32, 1, 2, 3, 4]));
/// ```
#[track_caller]
pub fn permutation(key: &Tensor, count: i64) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| order(e, ids[0], count))
}

/// The slices of `x` along an axis in a random order: rows where it is 0.
///
/// Carries an error where there is no such axis.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let x = Tensor::from([[1i32, 2], [3, 4], [5, 6]]);
/// let shuffled = random::shuffle(&random::key(0), &x, 0);
/// assert_eq!(shuffled.sort(0).to_vec::<i32>(), x.to_vec()); // rows stay whole
/// ```
#[track_caller]
pub fn shuffle(key: &Tensor, x: &Tensor, axis: i64) -> Tensor {
    let made = Tensor::apply(Location::caller(), &[key, x], |e, ids| {
        let shape = e.array(ids[1])?.clone();
        let axis = axes::axis("shuffle", axis, &shape)?;
        let order = order(e, ids[0], shape.dims[axis])?;
        picked(e, ids[1], order, axis)
    });
    made.with_weak(x.is_weak())
}

/// Rows of `x`, each time any of them: the dimensions are `dims`, then those of a row.
///
/// Carries an error where there are no rows.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let (key, x) = (random::key(0), Tensor::from([[1i32, 2], [3, 4], [5, 6]]));
/// assert_eq!(random::choice(&key, &x, [4, 5]).dims(), [4, 5, 2]);
/// let all = random::choice_without_replacement(&key, &x, [3]);
/// assert_eq!(all.sort(0).to_vec::<i32>(), x.to_vec());
/// ```
#[track_caller]
pub fn choice(key: &Tensor, x: &Tensor, dims: impl AsRef<[i64]>) -> Tensor {
    let place = Location::caller();
    let (dims, rows) = match rows(place, x) {
        Ok(rows) => (dims.as_ref(), rows),
        Err(e) => return Tensor::failed(e),
    };
    let numbers = integers::randint(key, dims, DType::S32, 0, rows);
    let made = Tensor::apply(place, &[x, &numbers], |e, ids| picked(e, ids[0], ids[1], 0));
    made.with_weak(x.is_weak())
}

/// Rows of `x`, each at most once: the dimensions are `dims`, then those of a row. Carries an error where there are fewer rows.
#[track_caller]
pub fn choice_without_replacement(key: &Tensor, x: &Tensor, dims: impl AsRef<[i64]>) -> Tensor {
    let (place, dims) = (Location::caller(), dims.as_ref());
    let rows = match rows(place, x) {
        Ok(rows) => rows,
        Err(e) => return Tensor::failed(e),
    };
    let made = Tensor::apply(place, &[key, x], |e, ids| {
        let wanted: i64 = dims.iter().product();
        if wanted > rows || dims.iter().any(|&d| d < 0) {
            return fault!("`choice_without_replacement` of dimensions {dims:?} from {rows} rows");
        }
        let order = order(e, ids[0], rows)?;
        let first = lawson_hlo::attrs::SliceDim { start: 0, limit: wanted, stride: 1 };
        let first = e.slice(order, vec![first])?;
        let first = e.reshape(first, dims)?;
        picked(e, ids[1], first, 0)
    });
    made.with_weak(x.is_weak())
}

/// The number of rows, of which there is to be one at least.
pub(super) fn rows(place: Place, x: &Tensor) -> Result<i64, Error> {
    let shape = x.shape()?;
    match shape.dims.first() {
        Some(&rows) if (1..=i64::from(i32::MAX)).contains(&rows) => Ok(rows),
        _ => Err(Error::new(place, format!("`choice` of {shape}, which has no rows to choose from"))),
    }
}

fn order(e: &mut Emit<'_>, key: InstrId, count: i64) -> Result<InstrId, Fault> {
    if !(0..=i64::from(i32::MAX)).contains(&count) {
        return fault!("`permutation` of {count} numbers");
    }
    let mut numbers = e.iota(DType::S32, &[count], 0)?;
    let mut key = key;
    for _ in 0..rounds(count) {
        let both = keys::keys(e, key, 2)?;
        key = keys::row(e, both, 0)?;
        let now = keys::row(e, both, 1)?;
        let by = bits::of_key(e, "permutation", now, &[count], DType::U32)?;
        let to_apply = e.computation("by_key", |e| {
            let [a, b] = [0, 1].map(|n| e.parameter(n, Shape::scalar(DType::U32)));
            let _ = [2, 3].map(|n| e.parameter(n, Shape::scalar(DType::S32)));
            e.compare(Direction::Lt, a, b)
        })?;
        let sorted = e.op(Opcode::Sort, &[by, numbers], Attrs::Sort { dim: 0, is_stable: true, to_apply })?;
        numbers = e.element(sorted, 1)?;
    }
    Ok(numbers)
}

/// Sorts until the keys of all rounds together are as long as the numbers of `count`³ things.
fn rounds(count: i64) -> usize {
    (3.0 * (count.max(1) as f64).ln() / f64::from(u32::MAX).ln()).ceil() as usize
}

/// Slices of an array along an axis, at numbers that are inside.
pub(super) fn picked(e: &mut Emit<'_>, x: InstrId, numbers: InstrId, axis: usize) -> Result<InstrId, Fault> {
    let (dims, of_numbers) = (e.dims(x)?, e.array(numbers)?.rank());
    let mut sizes = dims.clone();
    sizes[axis] = 1;
    let offsets = (0..dims.len() + of_numbers - 1).filter(|d| !(axis..axis + of_numbers).contains(d));
    let attrs = GatherDims {
        offset_dims: offsets.collect(),
        collapsed_slice_dims: vec![axis],
        start_index_map: vec![axis],
        operand_batching_dims: Vec::new(),
        start_indices_batching_dims: Vec::new(),
        index_vector_dim: of_numbers,
        slice_sizes: sizes,
        indices_are_sorted: false,
    };
    e.op(Opcode::Gather, &[x, numbers], Attrs::Gather(Box::new(attrs)))
}
