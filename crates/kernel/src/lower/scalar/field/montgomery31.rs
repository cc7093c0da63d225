//! Montgomery products modulo primes of 31 bits.

use super::products::Wide;
use super::words::raised_once;
use crate::loop_ir::{CodeBuilder, Form, V};
use lawson_hlo::dtype::Prime;

/// x·y/2^32 modulo p, of words with x·y < 2^32·p.
///
/// With t = x·y and q = t·p⁻¹ modulo 2^32, t and q·p have the same low word; the difference of their high words is the
/// result, or it is p too small (Montgomery 1985, with +p⁻¹ in place of −p⁻¹, so that nothing is carried).
///
/// Factors that are differences, sums or products need not be reduced before: signed words of less than p are multiplied
/// and reduced alike, since |x·y| + 2^31·p < 2^32·p. One sum beside an element is less work unsigned, and 2·p < 2^32.
pub fn product(b: &mut CodeBuilder, prime: Prime, x: V, y: V) -> V {
    match [x, y].map(|v| (b.form((v, prime), Form::Signed), b.form((v, prime), Form::Unreduced))) {
        [(None, _), (None, _)] => unsigned(b, prime, x, y),
        [(_, Some(x)), (None, _)] => unsigned(b, prime, x, y),
        [(None, _), (_, Some(y))] => unsigned(b, prime, x, y),
        [(sx, _), (sy, _)] => signed(b, prime, sx.unwrap_or(x), sy.unwrap_or(y)),
    }
}

fn unsigned(b: &mut CodeBuilder, prime: Prime, x: V, y: V) -> V {
    let (x, y) = (Wide::of(b, x), Wide::of(b, y));
    let t = x.times(b, y);
    reduced(b, prime, t)
}

fn signed(b: &mut CodeBuilder, prime: Prime, x: V, y: V) -> V {
    let (x, y) = (Wide::of(b, x), Wide::of(b, y));
    let t = x.times_signed(b, y);
    let q = t.times_constant(b, prime.inverse_modulo_r());
    let p = q.constant(b, prime.modulus());
    let multiple = q.times_signed(b, p);
    difference(b, prime, t, multiple)
}

/// t/2^32 modulo p, of t < 2^32·p.
pub fn reduced(b: &mut CodeBuilder, prime: Prime, t: Wide) -> V {
    let q = t.times_constant(b, prime.inverse_modulo_r());
    let multiple = q.times_constant(b, prime.modulus());
    difference(b, prime, t, multiple)
}

/// The difference of the high words, which is less than p in size, modulo p.
fn difference(b: &mut CodeBuilder, prime: Prime, t: Wide, multiple: Wide) -> V {
    let difference = t.minus(b, multiple).high(b);
    let element = raised_once(b, prime, difference);
    b.set_form((element, prime), Form::Signed, difference);
    element
}
