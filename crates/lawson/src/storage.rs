//! What buffers hold of elements of prime fields: storage words, each below the modulus.

use crate::error::{Error, ErrorCode};
use lawson_hlo::ArrayShape;

/// Refuses words that no element is stored as: compiled code takes them to be below the modulus.
pub(crate) fn check(shape: &ArrayShape, bytes: &[u8]) -> Result<(), Error> {
    let part = shape.dtype.part();
    let Some(field) = part.field() else { return Ok(()) };
    let p = field.prime.modulus();
    let found = match part.size() {
        4 => first_from(bytes.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w).into()), p),
        _ => first_from(bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)), p),
    };
    let Some((at, word)) = found else { return Ok(()) };
    let of = match shape.dtype.composite() {
        Some(composite) => {
            format!("coefficient {} of element {}", at % composite.parts(), at / composite.parts())
        }
        None => format!("element {at}"),
    };
    Err(Error::new(
        ErrorCode::Input,
        format!("{shape}: {of} is stored as {word}, and storage is below the modulus, which is {p}"),
    ))
}

/// The first of the words that is not below p, and its place.
fn first_from(words: impl Iterator<Item = u64> + Clone, p: u64) -> Option<(usize, u64)> {
    // The greatest is found many at a time.
    if words.clone().fold(0, u64::max) < p {
        return None;
    }
    words.enumerate().find(|&(_, word)| word >= p)
}
