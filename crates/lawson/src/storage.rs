//! What buffers hold of elements of prime fields: storage words, each below the modulus.

use crate::error::{Error, ErrorCode};
use lawson_hlo::ArrayShape;
use lawson_hlo::dtype::U256;
use std::fmt::Display;

/// Refuses words that no element is stored as: compiled code takes them to be below the modulus.
pub(crate) fn check(shape: &ArrayShape, bytes: &[u8]) -> Result<(), Error> {
    if let Some(field) = shape.dtype.wide_field() {
        let words = bytes.as_chunks::<32>().0.iter().map(|w| U256::from_bytes(*w));
        return refuse(shape, first_not_below(words, field.prime.modulus()), field.prime.modulus());
    }
    let part = shape.dtype.part();
    let Some(field) = part.field() else { return Ok(()) };
    let p = field.prime.modulus();
    let found = match part.size() {
        4 => first_not_below(bytes.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w).into()), p),
        _ => first_not_below(bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)), p),
    };
    refuse(shape, found, p)
}

/// The error about a word and its place, if there is one.
fn refuse<W: Display>(shape: &ArrayShape, found: Option<(usize, W)>, p: W) -> Result<(), Error> {
    let Some((at, word)) = found else { return Ok(()) };
    let of = match shape.dtype.composite() {
        Some(composite) if shape.dtype.is_split() => {
            format!("coefficient {} of element {}", at % composite.parts(), at / composite.parts())
        }
        _ => format!("element {at}"),
    };
    Err(Error::new(
        ErrorCode::Input,
        format!("{shape}: {of} is stored as {word}, and storage is below the modulus, which is {p}"),
    ))
}

/// The first of the words that is not below p, and its place.
fn first_not_below<W: Ord + Copy>(words: impl Iterator<Item = W> + Clone, p: W) -> Option<(usize, W)> {
    // The greatest is found many at a time.
    let first = words.clone().next()?;
    if words.clone().fold(first, |greatest, word| if word > greatest { word } else { greatest }) < p {
        return None;
    }
    words.enumerate().find(|&(_, word)| word >= p)
}
