//! Triangular equations by blocks.
//!
//! Few right-hand sides are left to `substitution`.
//!
//! With a lower triangle in four blocks: t₁₁ x₁ = b₁, then t₂₂ x₂ = b₂ − t₂₁ x₁; with an upper one from below. Each half
//! is divided again, down to blocks that the reference algorithm solves.

use crate::blocks::{half, subtract_product};
use crate::element::Element;
use crate::substitution::{Triangle, by_columns, by_rows};
use crate::team::{Alone, Team, in_strips};
use crate::vectors::{LANES, Loops, with_vectors};
use lawson_hlo::attrs::{Transpose, TriangularSolve};
use lawson_hlo::library::{BLOCK, Coefficients, solve_left};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

/// Elements of right-hand sides that the first-level cache holds, and how many sides they must be so that products of blocks still
/// have long rows: of larger triangles the products take most of the time, and those bring their operands near.
const PANEL: usize = 8192;
const LEAST_TOGETHER: usize = 64;

/// Right-hand sides for which blocks are faster, at least: with fewer, vectors lie along the unknowns, where columns of the triangle
/// are in line, and where its rows are.
const FEW_OF_COLUMNS: usize = 6;
const FEW_OF_ROWS: usize = 3;
/// The reference algorithm has vectors along so many sides.
const MANY_SIDES: usize = 16;

/// How a triangle is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// [`by_columns`]: the bits of the reference algorithm.
    Columns,
    /// [`by_rows`].
    Rows,
    /// By blocks, of which one has the bits of the reference algorithm.
    Blocks,
}

/// The way for `n` unknowns and so many right-hand sides; `None` leaves it to the reference algorithm, whose bits `exact` asks
/// for.
pub fn way(n: usize, sides: usize, how: TriangularSolve, exact: bool) -> Option<Way> {
    // Each right-hand side is solved by itself.
    let one_block = n <= BLOCK as usize;
    let in_blocks = (!exact || one_block).then_some(Way::Blocks);
    if n <= LANES && sides < MANY_SIDES {
        return None;
    }
    match columns_in_line(how) {
        true if sides < if in_blocks.is_some() { FEW_OF_COLUMNS } else { MANY_SIDES } => Some(Way::Columns),
        false if sides < FEW_OF_ROWS && !exact && !one_block => Some(Way::Rows),
        _ => in_blocks,
    }
}

/// Whether the columns of the triangle that stands left of the unknowns lie in line.
fn columns_in_line(how: TriangularSolve) -> bool {
    // x op(a) = b is op(a)ᵀ xᵀ = bᵀ.
    (how.transpose_a != Transpose::No) == how.left_side
}

/// Writes the solution for the right-hand sides `b` to `x`, which has so many rows and columns, row by row.
pub fn run<T: Element>(
    team: &dyn Team,
    (a, b): (&[T], &[T]),
    (x, size): (&mut [T], (usize, usize)),
    how: TriangularSolve,
    way: Way,
) {
    x.copy_from_slice(b);
    let n = if how.left_side { size.0 } else { size.1 };
    let views = (ArrayView2::from_shape((n, n), a), ArrayViewMut2::from_shape(size, x));
    let (Ok(a), Ok(x)) = views else { unreachable!("operands have the sizes of the call") };
    let x = if how.left_side { x } else { x.reversed_axes() };
    let turned = columns_in_line(how);
    let elements = if turned { a.reversed_axes() } else { a };
    let t = Triangle { elements, lower: how.lower != turned, unit_diagonal: how.unit_diagonal };
    let solve = match way {
        Way::Columns => by_columns,
        Way::Rows => by_rows,
        Way::Blocks => by_blocks,
    };
    in_sides(team, &t, x, solve);
}

fn by_blocks<T: Element>(t: &Triangle<'_, T>, x: ArrayViewMut2<'_, T>) {
    let together = PANEL / t.elements.nrows().max(1);
    if together < LEAST_TOGETHER || x.is_standard_layout() && x.ncols() <= together {
        return solve(t, x);
    }
    solve_panels(t, x, together);
}

/// Solves for so many right-hand sides at a time, whose rows follow each other in a copy.
fn solve_panels<T: Element>(t: &Triangle<'_, T>, mut x: ArrayViewMut2<'_, T>, together: usize) {
    for mut sides in x.axis_chunks_iter_mut(Axis(1), together) {
        let mut panel = row_major(sides.view());
        solve(t, panel.view_mut());
        sides.assign(&panel);
    }
}

/// Solves `t x = b` in place by a team, for right-hand sides that are the columns of `x`.
pub fn solve_together<T: Element>(team: &dyn Team, t: &Triangle<'_, T>, x: ArrayViewMut2<'_, T>) {
    in_sides(team, t, x, solve);
}

/// Gives each thread of a team some of the right-hand sides.
fn in_sides<T: Element>(
    team: &dyn Team,
    t: &Triangle<'_, T>,
    x: ArrayViewMut2<'_, T>,
    solve: fn(&Triangle<'_, T>, ArrayViewMut2<'_, T>),
) {
    let work = t.elements.nrows() * x.len() / 2;
    in_strips(team, (Axis(1), work), x, |_, x| solve(t, x));
}

/// The same by this thread.
pub fn solve<T: Element>(t: &Triangle<'_, T>, mut x: ArrayViewMut2<'_, T>) {
    let n = t.elements.nrows();
    if n <= BLOCK as usize {
        return solve_block(t, x);
    }
    let h = half(n);
    let part = |elements| Triangle { elements, ..*t };
    let (first, last) = (part(t.elements.slice(s![..h, ..h])), part(t.elements.slice(s![h.., h..])));
    let (mut upper, mut below) = x.multi_slice_mut((s![..h, ..], s![h.., ..]));
    if t.lower {
        solve(&first, upper.view_mut());
        subtract_product(&Alone, below.view_mut(), t.elements.slice(s![h.., ..h]), upper.view());
        solve(&last, below);
    } else {
        solve(&last, below.view_mut());
        subtract_product(&Alone, upper.view_mut(), t.elements.slice(s![..h, h..]), below.view());
        solve(&first, upper);
    }
}

fn solve_block<T: Element>(t: &Triangle<'_, T>, mut x: ArrayViewMut2<'_, T>) {
    let &Triangle { lower, unit_diagonal, .. } = t;
    let (n, columns) = x.dim();
    let elements = row_major(t.elements);
    let Some(elements) = elements.as_slice() else { unreachable!("made row by row") };
    let block = Coefficients { elements, n, transpose: Transpose::No, lower, unit_diagonal };
    if let Some(solved) = x.as_slice_mut() {
        return with_vectors(Solve(&block, solved, columns));
    }
    let mut sides = row_major(x.view());
    let Some(solved) = sides.as_slice_mut() else { unreachable!("made row by row") };
    with_vectors(Solve(&block, solved, columns));
    x.assign(&sides);
}

/// A block of equations, its right-hand sides, and how many there are.
struct Solve<'a, T>(&'a Coefficients<'a, T>, &'a mut [T], usize);

impl<T: Element> Loops for Solve<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        solve_left(self.0, self.1, self.2);
    }
}

/// A copy whose rows follow each other.
pub fn row_major<T: Element>(x: ArrayView2<'_, T>) -> Array2<T> {
    let mut copy = Array2::from_elem(x.raw_dim(), T::ZERO);
    copy.assign(&x);
    copy
}
