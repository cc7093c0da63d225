//! Uniform elements of prime fields and of their extensions: remainders of more random bits than an element has.

use super::{bits, sample_shape};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::tensor::Tensor;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar, Shape};
use std::panic::Location;

/// Elements of a prime field, of these dimensions, each value as likely as any other but for a part in 2³² of them or less;
/// of an extension, all coefficients are drawn.
///
/// A value is the remainder of 64 random bits where the field is stored in 4 bytes, and of 128 where it is in 8.
/// Carries an error where the type is no field, or `key` is no key.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::field(&random::key(1), [1000], DType::Goldilocks);
/// assert!(x.values()?.iter().any(|&x| x > u64::MAX / 2));
/// let z = random::field(&random::key(1), [2], DType::BabyBearX4Mont);
/// assert_eq!(z.values()?.len(), 8);
/// assert!(random::field(&random::key(1), [2], DType::F32).error().is_some());
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn field(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| {
        if !dtype.is_field() {
            return fault!("`field` gives elements of prime fields, not {dtype}");
        }
        let shape = sample_shape("field", dims.as_ref(), dtype)?;
        let Some(extension) = dtype.extension() else { return elements(e, ids[0], &shape) };
        let dims = [&shape.dims[..], &[extension.degree.into()]].concat();
        let coefficients = elements(e, ids[0], &sample_shape("field", &dims, dtype.part())?)?;
        e.op_shaped(Opcode::BitcastConvert, Shape::Array(shape), &[coefficients], Attrs::None)
    })
}

/// Words of 64 random bits, of which each element takes as many as make 32 more than it is stored in, as digits of one number.
fn elements(e: &mut Emit<'_>, key: InstrId, shape: &ArrayShape) -> Result<InstrId, Fault> {
    let count = i64::from((shape.dtype.bits() + 32).div_ceil(64));
    let dims = [&[count], &shape.dims[..]].concat();
    let words = bits::of_key(e, "field", key, &dims, DType::U64)?;
    let mut number = None;
    for n in 0..count {
        let mut part: Vec<SliceDim> =
            dims.iter().map(|&limit| SliceDim { start: 0, limit, stride: 1 }).collect();
        part[0] = SliceDim { start: n, limit: n + 1, stride: 1 };
        let word = e.slice(words, part)?;
        let word = e.reshape(word, &shape.dims)?;
        let digit = e.convert(word, shape.dtype)?;
        number = Some(match number {
            None => digit,
            Some(before) => {
                let half = e.constant(Literal::scalar(DType::U64, Scalar::Unsigned(1 << 32)));
                let half = e.convert(half, shape.dtype)?;
                let base = e.mul(half, half)?;
                let base = super::spread(e, base, &shape.dims)?;
                let shifted = e.mul(before, base)?;
                e.add(shifted, digit)?
            }
        });
    }
    number.map_or_else(|| fault!("`field` of {shape}"), Ok)
}
