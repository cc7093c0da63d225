//! Keys: from seeds, and from other keys.

use super::{threefry, unsigned};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use crate::tensor::{AsTensor, Operand, Tensor};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{DType, InstrId, Scalar};
use std::panic::Location;

/// The key of a seed: `u32[2]`. The seed is an integer, or a scalar tensor of integers; of its bits the lowest 32 count, as in
/// JAX without 64-bit types.
///
/// Carries an error where the seed is no integer or no scalar.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let key = random::key(42);
/// assert_eq!((key.dtype(), key.to_vec()), (DType::U32, Ok(vec![0u32, 42])));
/// ```
#[track_caller]
pub fn key(seed: impl AsTensor) -> Tensor {
    let place = Location::caller();
    match seed.operand() {
        Operand::Scalar(Scalar::Signed(seed)) => number(seed as u32),
        Operand::Scalar(Scalar::Unsigned(seed)) => number(seed as u32),
        Operand::Scalar(_) => Tensor::failed(Error::new(place, "`key` takes an integer for a seed")),
        Operand::Tensor(seed) => Tensor::apply(place, &[seed], |e, ids| {
            let word = word(e, "key", ids[0])?;
            let zero = unsigned(e, DType::U32, 0);
            joined(e, [zero, word])
        }),
    }
}

fn number(seed: u32) -> Tensor {
    Tensor::new(&[0, seed], [2])
}

/// `count` keys of one, all different from it and from each other: u32[count, 2]. The key is not to be used for anything else.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::random;
///
/// let key = random::key(0);
/// assert_eq!(random::split(&key, 5).dims(), [5, 2]);
/// let [weights, noise] = random::split_array(&key);
/// assert_ne!(weights.to_vec::<u32>(), noise.to_vec());
/// ```
#[track_caller]
pub fn split(key: &Tensor, count: i64) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| keys(e, ids[0], count))
}

/// As [`split`], with the keys apart.
///
/// Each carries an error where `key` is no key; so it is with [`split_pair`] and [`fold_in`].
#[track_caller]
pub fn split_array<const N: usize>(key: &Tensor) -> [Tensor; N] {
    let mut keys = Tensor::apply_many(Location::caller(), &[key], N, |e, ids| {
        let all = keys(e, ids[0], N as i64)?;
        (0..N).map(|i| row(e, all, i as i64)).collect()
    })
    .into_iter();
    std::array::from_fn(|_| keys.next().expect("as many keys as results"))
}

/// Two keys of one: most often the next one, and one to use now.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let (key, now) = random::split_pair(&random::key(0));
/// let x = random::normal(&now, [4], DType::F32);
/// let (_, now) = random::split_pair(&key);
/// assert_ne!(x.to_vec::<f32>(), random::normal(&now, [4], DType::F32).to_vec());
/// ```
#[track_caller]
pub fn split_pair(key: &Tensor) -> (Tensor, Tensor) {
    let [first, second] = split_array(key);
    (first, second)
}

/// The key of a key and an integer, such as the number of a step: the same for the same pair.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::random;
///
/// let (key, step) = (random::key(0), lawson::Tensor::from(7));
/// assert_eq!(random::fold_in(&key, 7).to_vec::<u32>(), random::fold_in(&key, &step).to_vec());
/// assert_ne!(random::fold_in(&key, 7).to_vec::<u32>(), random::fold_in(&key, 8).to_vec());
/// ```
#[track_caller]
pub fn fold_in(key: &Tensor, data: impl AsTensor) -> Tensor {
    let place = Location::caller();
    let data = match data.operand() {
        Operand::Scalar(Scalar::Signed(data)) => Tensor::new(&[data as u32], []),
        Operand::Scalar(Scalar::Unsigned(data)) => Tensor::new(&[data as u32], []),
        Operand::Scalar(_) => return Tensor::failed(Error::new(place, "`fold_in` takes an integer")),
        Operand::Tensor(data) => data.clone(),
    };
    Tensor::apply(place, &[key, &data], |e, ids| {
        let key = threefry::words(e, "fold_in", ids[0])?;
        let word = word(e, "fold_in", ids[1])?;
        let zero = unsigned(e, DType::U32, 0);
        let pair = threefry::hash(e, key, [zero, word], &[])?;
        joined(e, pair)
    })
}

/// `count` keys of one.
pub(super) fn keys(e: &mut Emit<'_>, key: InstrId, count: i64) -> Result<InstrId, Fault> {
    if count < 0 {
        return fault!("`split` into {count} keys");
    }
    let pairs = threefry::pairs(e, "split", key, &[count])?;
    let columns = pairs.map(|x| e.reshape(x, &[count, 1]));
    let [a, b] = columns;
    let pairs = [a?, b?];
    e.concatenate(&pairs, 1)
}

/// One of several keys.
pub(super) fn row(e: &mut Emit<'_>, keys: InstrId, number: i64) -> Result<InstrId, Fault> {
    let rows = SliceDim { start: number, limit: number + 1, stride: 1 };
    let one = e.slice(keys, vec![rows, SliceDim { start: 0, limit: 2, stride: 1 }])?;
    e.reshape(one, &[2])
}

/// The lowest 32 bits of a scalar integer.
fn word(e: &mut Emit<'_>, name: &str, x: InstrId) -> Result<InstrId, Fault> {
    let shape = e.array(x)?;
    if !shape.is_scalar() || !shape.dtype.is_integer() {
        return fault!("`{name}` takes a scalar integer, not {shape}");
    }
    e.convert(x, DType::U32)
}

fn joined(e: &mut Emit<'_>, pair: [InstrId; 2]) -> Result<InstrId, Fault> {
    let [a, b] = pair.map(|x| e.reshape(x, &[1]));
    let pair = [a?, b?];
    e.concatenate(&pair, 0)
}
