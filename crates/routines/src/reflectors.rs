//! QR factors, and products of their reflectors, by panels of columns.
//!
//! The reflectors `1 − tau v vᴴ` of a panel multiply to `1 − V T Vᴴ`: V has the vectors as columns, T is upper triangular (the
//! compact WY form of Schreiber and Van Loan, 1989). So the columns right of a panel are reflected by products of matrices. A
//! panel itself is factored column by column, in [`real_panel`] and [`complex_panel`]. What is not finite is left to the
//! reference algorithm as a whole.

use crate::blocks::subtract_product;
use crate::element::Element;
use crate::lines::Block;
use crate::real_panel::Order;
use crate::scalar::{Keep, Scalar, are_finite};
use crate::team::{Alone, Team, in_strips};
use crate::{complex_panel, real_panel};
use lawson_hlo::library::Real;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use num_complex::Complex;

/// Columns of a panel.
const PANEL: usize = 32;

/// Numbers of which a panel's columns are factored.
pub(crate) trait Panel: Scalar {
    /// Factors the panel that `from` has, into `to`; that of `to` where there is none.
    fn factor(panel: Block, from: Option<&[Self]>, to: &mut [Self], taus: &mut [Self]);
    /// Writes the product of the reflectors of a packed panel to `to`; there is a `tau` for each column.
    fn multiply(panel: Block, packed: &[Self], to: &mut [Self], taus: &[Self]);
    /// Multiplies columns `c`, of as many rows, by the product of the reflectors of a packed panel.
    fn apply(panel: Block, packed: &[Self], taus: &[Self], columns: (Block, &mut [Self]));
}

/// Writes the factors of `a`, `rows` × `columns` row by row, to `packed` as LAPACK's `geqrf` packs them; tells whether all of
/// them are finite.
pub(crate) fn qr<S: Panel>(
    team: &dyn Team,
    (a, packed): (&[S], &mut [S]),
    (rows, columns): (usize, usize),
    taus: &mut [S],
) -> bool {
    // A matrix that is one panel is read and written once.
    let is_panel = taus.len() == columns && columns <= PANEL;
    if !is_panel {
        packed.copy_from_slice(a);
    }
    for (panel, taus) in taus.chunks_mut(PANEL).enumerate() {
        let first = panel * PANEL;
        let block = Block { stride: columns, rows: rows - first, columns: taus.len() };
        S::factor(block, is_panel.then_some(a), &mut packed[first * columns + first..], taus);
        let Ok(mut view) = ArrayViewMut2::from_shape((rows, columns), &mut *packed) else { return false };
        let (columns, right) = view.slice_mut(s![first.., first..]).split_at(Axis(1), taus.len());
        if right.ncols() > 0 {
            Reflectors::of_columns(columns.view(), taus).reflect(team, right, Order::LastFirst);
        }
    }
    are_finite(packed) && are_finite(taus)
}

/// Writes the product of the first reflectors of a packed matrix, `rows` × `columns` row by row, to `q`; tells whether all of
/// it is finite.
pub(crate) fn product<S: Panel>(
    team: &dyn Team,
    (packed, q): (&[S], &mut [S]),
    (rows, columns): (usize, usize),
    taus: &[S],
) -> bool {
    let taus = &taus[..taus.len().min(columns)];
    if columns <= PANEL {
        let mut all = vec![zero(); columns];
        all[..taus.len()].copy_from_slice(taus);
        S::multiply(Block { stride: columns, rows, columns }, packed, q, &all);
        return are_finite(q);
    }
    let size = (rows, columns);
    let views = (ArrayView2::from_shape(size, packed), ArrayViewMut2::from_shape(size, &mut *q));
    let (Ok(packed), Ok(mut view)) = views else { return false };
    view.fill(zero());
    view.diag_mut().fill(one());
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        let vectors = packed.slice(s![first.., first..first + taus.len()]);
        // What these reflectors find there is the identity left of their own columns.
        let right = view.slice_mut(s![first.., first..]);
        Reflectors::of_columns(vectors, taus).reflect(team, right, Order::FirstLast);
    }
    are_finite(q)
}

/// Multiplies `c`, `width` columns of as many rows as a packed matrix has, by the product of its reflectors.
pub(crate) fn apply<S: Panel>(
    team: &dyn Team,
    packed: &[S],
    (rows, columns): (usize, usize),
    taus: &[S],
    (c, width): (&mut [S], usize),
) {
    if columns <= PANEL {
        let [panel, block] = [columns, width].map(|columns| Block { stride: columns, rows, columns });
        return S::apply(panel, packed, taus, (block, c));
    }
    let views =
        (ArrayView2::from_shape((rows, columns), packed), ArrayViewMut2::from_shape((rows, width), c));
    let (Ok(packed), Ok(mut c)) = views else { unreachable!("a matrix has its elements") };
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        Reflectors::of_columns(packed.slice(s![first.., first..first + taus.len()]), taus).reflect(
            team,
            c.slice_mut(s![first.., ..]),
            Order::FirstLast,
        );
    }
}

/// `c = a b`
fn product_of<S: Scalar>(c: ArrayViewMut2<'_, S>, a: ArrayView2<'_, S>, b: ArrayView2<'_, S>) {
    S::product(c, Keep::Nothing, <S::Part as Real>::ONE, a, b);
}

/// Multiplies the columns of `c` by the product of reflectors whose vectors are rows: one at their own number, zero before.
pub(crate) fn reflect_by_rows<S: Scalar>(
    team: &dyn Team,
    vectors: ArrayView2<'_, S>,
    taus: &[S],
    mut c: ArrayViewMut2<'_, S>,
) {
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        let rows = vectors.slice(s![first..first + taus.len(), first..]);
        let mut copied = Array2::from_elem(rows.raw_dim(), zero());
        copied.assign(&rows);
        Reflectors::of(copied, taus).reflect(team, c.slice_mut(s![first.., ..]), Order::FirstLast);
    }
}

fn zero<S: Scalar>() -> S {
    S::of_real(<S::Part as Real>::ZERO)
}

fn one<S: Scalar>() -> S {
    S::of_real(<S::Part as Real>::ONE)
}

/// The reflectors of a panel.
struct Reflectors<S> {
    /// Vᵀ, a vector in each row.
    vectors: Array2<S>,
    /// Vᴴ
    adjoint: Array2<S>,
    /// T
    triangle: Array2<S>,
}

impl<S: Scalar> Reflectors<S> {
    /// From columns of a packed matrix.
    fn of_columns(columns: ArrayView2<'_, S>, taus: &[S]) -> Reflectors<S> {
        let mut vectors = Array2::from_elem((columns.ncols(), columns.nrows()), zero());
        vectors.assign(&columns.t());
        Reflectors::of(vectors, taus)
    }

    /// From the columns of a packed matrix as rows: a vector is one on the diagonal, zero before, and stands there after it.
    fn of(mut vectors: Array2<S>, taus: &[S]) -> Reflectors<S> {
        for (i, mut v) in vectors.rows_mut().into_iter().enumerate() {
            v.slice_mut(s![..i]).fill(zero());
            v[i] = one();
        }
        let adjoint = vectors.mapv(S::conjugate);
        let count = taus.len();
        let mut dots = Array2::from_elem((count, count), zero());
        product_of(dots.view_mut(), adjoint.view(), vectors.t());
        let mut triangle: Array2<S> = Array2::from_elem((count, count), zero());
        for (j, &tau) in taus.iter().enumerate() {
            for i in 0..j {
                let sum = (i..j).fold(zero(), |sum: S, k| sum + triangle[(i, k)] * dots[(k, j)]);
                triangle[(i, j)] = zero::<S>() - tau * sum;
            }
            triangle[(j, j)] = tau;
        }
        Reflectors { vectors, adjoint, triangle }
    }

    /// Multiplies the columns of `c` by the product of the reflectors.
    fn reflect(&self, team: &dyn Team, c: ArrayViewMut2<'_, S>, order: Order) {
        let triangle = match order {
            Order::FirstLast => self.triangle.clone(),
            Order::LastFirst => self.triangle.t().mapv(S::conjugate),
        };
        let work = 2 * self.vectors.nrows() * c.len();
        in_strips(team, (Axis(1), work), c, |_, c| {
            let mut dots = Array2::from_elem((self.vectors.nrows(), c.ncols()), zero());
            product_of(dots.view_mut(), self.adjoint.view(), c.view());
            let mut factors = dots.clone();
            product_of(factors.view_mut(), triangle.view(), dots.view());
            subtract_product(&Alone, c, self.vectors.t(), factors.view());
        });
    }
}

impl<T: Element> Panel for T {
    fn factor(panel: Block, from: Option<&[T]>, to: &mut [T], taus: &mut [T]) {
        real_panel::factor(panel, from, to, taus);
    }

    fn multiply(panel: Block, packed: &[T], to: &mut [T], taus: &[T]) {
        real_panel::multiply(panel, packed, to, taus);
    }

    fn apply(panel: Block, packed: &[T], taus: &[T], columns: (Block, &mut [T])) {
        real_panel::apply(panel, packed, taus, columns);
    }
}

impl<T: Element> Panel for Complex<T> {
    fn factor(panel: Block, from: Option<&[Complex<T>]>, to: &mut [Complex<T>], taus: &mut [Complex<T>]) {
        complex_panel::factor(columns(panel, from, to), taus);
    }

    fn multiply(panel: Block, packed: &[Complex<T>], to: &mut [Complex<T>], taus: &[Complex<T>]) {
        complex_panel::multiply(columns(panel, Some(packed), to), taus);
    }

    fn apply(
        panel: Block,
        packed: &[Complex<T>],
        taus: &[Complex<T>],
        (block, c): (Block, &mut [Complex<T>]),
    ) {
        let vectors = ArrayView2::from_shape(panel.shape(), packed).expect(IN_PLACE);
        let c = ArrayViewMut2::from_shape(block.shape(), c).expect(IN_PLACE);
        Reflectors::of_columns(vectors, taus).reflect(&Alone, c, Order::FirstLast);
    }
}

const IN_PLACE: &str = "the rows of a block lie in its elements";

/// The columns of a block as rows of an array, which has what `from` has.
fn columns<'a, S: Scalar>(block: Block, from: Option<&[S]>, to: &'a mut [S]) -> ArrayViewMut2<'a, S> {
    let mut columns = ArrayViewMut2::from_shape(block.shape(), to).expect(IN_PLACE);
    if let Some(from) = from {
        columns.assign(&ArrayView2::from_shape(block.shape(), from).expect(IN_PLACE));
    }
    columns.reversed_axes()
}
