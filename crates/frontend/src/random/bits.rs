//! Random bits of any width.

use super::{sample_shape, splat_unsigned, threefry};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::tensor::Tensor;
use lawson_hlo::{DType, InstrId, Opcode};
use std::panic::Location;

/// Unsigned integers whose bits are fair and independent, of these dimensions. The type is u8, u16, u32 or u64; else the
/// tensor carries an error, as it does where `key` is no key.
///
/// Each element is the hash of its row-major number by the key: Threefry-2x32 (Salmon et al., "Parallel random numbers: as
/// easy as 1, 2, 3", SC 2011).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let key = random::key(1);
/// let x = random::bits(&key, [3], DType::U32);
/// assert_eq!(x.to_vec::<u32>(), random::bits(&key, [3], DType::U32).to_vec());
/// assert!(random::bits(&key, [3], DType::F32).error().is_some());
/// ```
#[track_caller]
pub fn bits(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| {
        sample_shape("bits", dims.as_ref(), dtype)?;
        of_key(e, "bits", ids[0], dims.as_ref(), dtype)
    })
}

/// Random bits as the elements of an unsigned type.
pub(super) fn of_key(
    e: &mut Emit<'_>,
    name: &str,
    key: InstrId,
    dims: &[i64],
    dtype: DType,
) -> Result<InstrId, Fault> {
    if !dtype.is_unsigned() || dtype.bits() < 8 {
        return fault!("`{name}` are u8, u16, u32 or u64, not {dtype}");
    }
    let [high, low] = threefry::pairs(e, name, key, dims)?;
    if dtype.bits() < 64 {
        let mixed = e.binary(Opcode::Xor, high, low)?;
        return e.convert(mixed, dtype);
    }
    let (high, low) = (e.convert(high, dtype)?, e.convert(low, dtype)?);
    let by = splat_unsigned(e, dtype, dims, 32)?;
    let high = e.binary(Opcode::ShiftLeft, high, by)?;
    e.binary(Opcode::Or, high, low)
}

/// The unsigned type of that many bits.
pub(super) fn unsigned_of(bits: u32) -> Result<DType, Fault> {
    match DType::ALL.iter().find(|d| d.is_unsigned() && d.bits() == bits) {
        Some(&dtype) if bits >= 8 => Ok(dtype),
        _ => fault!("there are no random numbers of {bits} bits"),
    }
}
