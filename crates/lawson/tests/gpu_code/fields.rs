//! Fields of 256 bits: products by chains of carries, as few of two words as their methods need.

use crate::planned::{Planned, random};
use crate::products::launched_as;
use lawson::options::Numerics;

/// Halves of products of two words in the Loop IR of an operation on 64 elements, which has the interpreter's bits.
fn halves(dtype: &str, operation: &str) -> usize {
    let text = format!(
        "HloModule m\nENTRY e {{\n  x = {dtype}[64] parameter(0)\n  y = {dtype}[64] parameter(1)\n  \
         ROOT r = {dtype}[64] {operation}\n}}\n"
    );
    let name = format!("{dtype} {operation}");
    let (_, kernel) = launched_as(&name, &Planned::with((&name, &text), Numerics::Strict, random), i64::MAX);
    let text = kernel.to_string();
    ["low (", "high ("].into_iter().map(|half| text.matches(half).count()).sum()
}

#[test]
fn products_are_of_as_few_words_as_their_methods_need() {
    // Two rows of eight words for each of eight words.
    assert_eq!(halves("bn254_sf_mont", "multiply(x, y)"), 2 * 2 * 64);
    // A product, the upper part of another, the lower of a third, of which the last column has lower halves alone.
    assert_eq!(halves("bn254_sf", "multiply(x, y)"), 2 * (64 + 43 + 28) + 8);
    assert_eq!(halves("bn254_sf", "multiply(x, x)"), 2 * (36 + 43 + 28) + 8);
    for dtype in ["bn254_sf", "bn254_sf_mont"] {
        assert_eq!(halves(dtype, "add(x, y)") + halves(dtype, "subtract(x, y)"), 0);
    }
}
