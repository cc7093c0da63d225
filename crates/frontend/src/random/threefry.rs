//! Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"), as ordinary operations on u32.

use super::{splat_unsigned, spread, unsigned};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{DType, InstrId, Opcode};

const PARITY: u64 = 0x1BD1_1BDA;
const ROTATIONS: [[u64; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

/// The two words of a key.
///
/// # Errors
/// It is not u32[2].
pub(super) fn words(e: &mut Emit<'_>, name: &str, key: InstrId) -> Result<[InstrId; 2], Fault> {
    let shape = e.array(key)?;
    if !shape.dtype.is_unsigned() || shape.dtype.bits() != 32 || shape.dims != [2] {
        return fault!("`{name}` takes a key, which is u32[2], not {shape}");
    }
    let mut word = |i: i64| {
        let one = e.slice(key, vec![SliceDim { start: i, limit: i + 1, stride: 1 }])?;
        e.reshape(one, &[])
    };
    Ok([word(0)?, word(1)?])
}

/// The hash of pairs of words, which are arrays of these dimensions, by the words of a key.
pub(super) fn hash(
    e: &mut Emit<'_>,
    [k0, k1]: [InstrId; 2],
    [x0, x1]: [InstrId; 2],
    dims: &[i64],
) -> Result<[InstrId; 2], Fault> {
    let parity = unsigned(e, DType::U32, PARITY);
    let both = e.binary(Opcode::Xor, k0, k1)?;
    let k2 = e.binary(Opcode::Xor, both, parity)?;
    let keys = [k0, k1, k2];
    let (a, b) = (spread(e, k0, dims)?, spread(e, k1, dims)?);
    let mut x = [e.add(x0, a)?, e.add(x1, b)?];
    for group in 0..5 {
        for by in ROTATIONS[group % 2] {
            x[0] = e.add(x[0], x[1])?;
            let turned = rotate(e, x[1], by, dims)?;
            x[1] = e.binary(Opcode::Xor, x[0], turned)?;
        }
        let number = unsigned(e, DType::U32, group as u64 + 1);
        let second = e.add(keys[(group + 2) % 3], number)?;
        let (a, b) = (spread(e, keys[(group + 1) % 3], dims)?, spread(e, second, dims)?);
        x = [e.add(x[0], a)?, e.add(x[1], b)?];
    }
    Ok(x)
}

/// The bits turned left.
fn rotate(e: &mut Emit<'_>, x: InstrId, by: u64, dims: &[i64]) -> Result<InstrId, Fault> {
    let (left, right) =
        (splat_unsigned(e, DType::U32, dims, by)?, splat_unsigned(e, DType::U32, dims, 32 - by)?);
    let high = e.binary(Opcode::ShiftLeft, x, left)?;
    let low = e.binary(Opcode::ShiftRightLogical, x, right)?;
    e.binary(Opcode::Or, high, low)
}

/// The row-major number of each element, as its high and its low word.
pub(super) fn counts(e: &mut Emit<'_>, dims: &[i64]) -> Result<[InstrId; 2], Fault> {
    let elements: i64 = dims.iter().product();
    if elements <= 1 << 32 {
        let high = splat_unsigned(e, DType::U32, dims, 0)?;
        let low = numbers(e, DType::U32, elements, dims)?;
        return Ok([high, low]);
    }
    let number = numbers(e, DType::U64, elements, dims)?;
    let half = splat_unsigned(e, DType::U64, dims, 32)?;
    let high = e.binary(Opcode::ShiftRightLogical, number, half)?;
    Ok([e.convert(high, DType::U32)?, e.convert(number, DType::U32)?])
}

fn numbers(e: &mut Emit<'_>, dtype: DType, elements: i64, dims: &[i64]) -> Result<InstrId, Fault> {
    if dims.is_empty() {
        return Ok(unsigned(e, dtype, 0));
    }
    let flat = e.iota(dtype, &[elements], 0)?;
    e.reshape(flat, dims)
}

/// The two words of random bits of each element of an array.
pub(super) fn pairs(e: &mut Emit<'_>, name: &str, key: InstrId, dims: &[i64]) -> Result<[InstrId; 2], Fault> {
    let key = words(e, name, key)?;
    let counts = counts(e, dims)?;
    hash(e, key, counts, dims)
}
