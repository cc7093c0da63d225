//! Montgomery products modulo primes of 31 bits.

use super::products::Wide;
use super::words::raised_once;
use crate::loop_ir::{CodeBuilder, V};
use lawson_hlo::dtype::Prime;

/// x·y/2^32 modulo p, of words with x·y < 2^32·p.
///
/// With t = x·y and q = t·p⁻¹ modulo 2^32, t and q·p have the same low word; the difference of their high words is the
/// result, or it is p too small (Montgomery 1985, with +p⁻¹ in place of −p⁻¹, so that nothing is carried).
///
/// Since 2·p < 2^32, one factor may be a sum or difference that is not reduced yet; not in a square, whose factors share
/// their halves.
pub fn product(b: &mut CodeBuilder, prime: Prime, x: V, y: V) -> V {
    let (x, y) = match (b.unreduced(x), b.unreduced(y)) {
        (Some(more), _) if x != y => (more, y),
        (None, Some(more)) => (x, more),
        _ => (x, y),
    };
    let (x, y) = (Wide::of(b, x), Wide::of(b, y));
    let t = x.times(b, y);
    reduced(b, prime, t)
}

/// t/2^32 modulo p, of t < 2^32·p.
pub fn reduced(b: &mut CodeBuilder, prime: Prime, t: Wide) -> V {
    let q = t.times_constant(b, prime.inverse_modulo_r());
    let multiple = q.times_constant(b, prime.modulus());
    let difference = t.minus(b, multiple).high(b);
    raised_once(b, prime, difference)
}
