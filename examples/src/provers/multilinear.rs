//! Multilinear polynomials of k variables, by their values on the hypercube {0, 1}^k: a table of 2^k elements, where the
//! first variable is the first binary digit of the index.

use lawson::Tensor;
use lawson::tensor::concatenate;

/// The table of eq(x, point), which is 1 where x is the point and 0 at the other corners of the cube: of the coordinates
/// `[k]` the 2^k products of xᵢ or 1 − xᵢ. Each coordinate doubles the table.
pub fn eq_table(point: &Tensor) -> Tensor {
    let mut table = Tensor::ones([1], point.dtype());
    for i in (0..point.dims()[0]).rev() {
        let upper = &table * point.index(i);
        table = concatenate(&[&table - &upper, upper], 0);
    }
    table
}

/// The value at a point with coordinates `[k]` of the polynomial with this table of 2^k elements, which may be of the field
/// below that of the point.
pub fn evaluate(table: &Tensor, point: &Tensor) -> Tensor {
    table.dot(eq_table(point))
}

/// The table of the polynomial with its first variable fixed: a table of half the size.
pub fn fix(table: &Tensor, value: &Tensor) -> Tensor {
    let [low, high] = halves(table);
    &low + (high - &low) * value
}

/// Where the first variable is 0, and where it is 1.
pub fn halves(table: &Tensor) -> [Tensor; 2] {
    let half = table.dims()[0] / 2;
    [table.index(..half), table.index(half..)]
}
