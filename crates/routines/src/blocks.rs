//! Algorithms by blocks: where a matrix is cut, and the products between its parts.

use crate::scalar::{Keep, Scalar};
use crate::team::{Team, in_strips};
use lawson_hlo::library::{BLOCK, Real};
use ndarray::{ArrayView2, ArrayViewMut2, Axis, s};

/// The rows of the first half of a matrix: whole blocks.
pub(crate) fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(BLOCK as usize)
}

/// `c -= a b`, by all of a team.
pub(crate) fn subtract_product<S: Scalar>(
    team: &dyn Team,
    c: ArrayViewMut2<'_, S>,
    a: ArrayView2<'_, S>,
    b: ArrayView2<'_, S>,
) {
    let minus = -<S::Part as Real>::ONE;
    let (rows, columns) = c.dim();
    let work = rows * columns * a.ncols();
    match rows > columns {
        true => in_strips(team, (Axis(0), work), c, |of, c| {
            S::product(c, Keep::Sum, minus, a.slice(s![of, ..]), b);
        }),
        false => in_strips(team, (Axis(1), work), c, |of, c| {
            S::product(c, Keep::Sum, minus, a, b.slice(s![.., of]));
        }),
    }
}
