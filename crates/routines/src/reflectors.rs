//! QR factors, and products of their reflectors, by panels of columns.
//!
//! The reflectors `1 − tau v vᴴ` of a panel multiply to `1 − V T Vᴴ`: V has the vectors as columns, T is upper triangular (the
//! compact WY form of Schreiber and Van Loan, 1989). So the columns right of a panel are reflected by products of matrices. A
//! panel itself is factored column by column, one of complex numbers in [`complex_panel`]. What is not finite is left to the
//! reference algorithm as a whole.

use crate::blocks::subtract_product;
use crate::complex_panel;
use crate::element::Element;
use crate::scalar::{Keep, Scalar, are_finite};
use crate::vectors::{LANES, Line, Loops, dot, largest, subtract, with_vectors};
use lawson_hlo::library::Real;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use num_complex::Complex;

/// Columns of a panel.
const PANEL: usize = 32;

/// Numbers of which a panel's columns are factored.
pub(crate) trait Panel: Scalar {
    /// Factors the columns that stand as rows of `columns`.
    fn factor(columns: ArrayViewMut2<'_, Self>, taus: &mut [Self]);
    /// Makes packed columns, that stand as rows, those of the product of their reflectors; there is a `tau` for each.
    fn multiply(columns: ArrayViewMut2<'_, Self>, taus: &[Self]);
}

/// Writes the factors of `a`, `rows` × `columns` row by row, to `packed` as LAPACK's `geqrf` packs them; tells whether all of
/// them are finite.
pub(crate) fn qr<S: Panel>(
    a: &[S],
    packed: &mut [S],
    (rows, columns): (usize, usize),
    taus: &mut [S],
) -> bool {
    packed.copy_from_slice(a);
    let Ok(mut view) = ArrayViewMut2::from_shape((rows, columns), &mut *packed) else { return false };
    for (panel, taus) in taus.chunks_mut(PANEL).enumerate() {
        let first = panel * PANEL;
        let (mut columns, right) = view.slice_mut(s![first.., first..]).split_at(Axis(1), taus.len());
        S::factor(columns.view_mut().reversed_axes(), taus);
        if right.ncols() > 0 {
            let mut vectors = Array2::from_elem((taus.len(), rows - first), zero());
            vectors.assign(&columns.t());
            Reflectors::of(vectors, taus).reflect(right, Order::LastFirst);
        }
    }
    are_finite(packed) && are_finite(taus)
}

/// Writes the product of the first reflectors of a packed matrix, `rows` × `columns` row by row, to `q`; tells whether all of
/// it is finite.
pub(crate) fn product<S: Panel>(
    packed: &[S],
    q: &mut [S],
    (rows, columns): (usize, usize),
    taus: &[S],
) -> bool {
    let size = (rows, columns);
    let views = (ArrayView2::from_shape(size, packed), ArrayViewMut2::from_shape(size, &mut *q));
    let (Ok(packed), Ok(mut view)) = views else { return false };
    let taus = &taus[..taus.len().min(columns)];
    if columns <= PANEL {
        let mut all = vec![zero(); columns];
        all[..taus.len()].copy_from_slice(taus);
        view.assign(&packed);
        S::multiply(view.reversed_axes(), &all);
        return are_finite(q);
    }
    view.fill(zero());
    view.diag_mut().fill(one());
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        let vectors = packed.slice(s![first.., first..first + taus.len()]);
        let mut copied = Array2::from_elem((taus.len(), rows - first), zero());
        copied.assign(&vectors.t());
        // What these reflectors find there is the identity left of their own columns.
        Reflectors::of(copied, taus).reflect(view.slice_mut(s![first.., first..]), Order::FirstLast);
    }
    are_finite(q)
}

/// `c = a b`
fn product_of<S: Scalar>(c: ArrayViewMut2<'_, S>, a: ArrayView2<'_, S>, b: ArrayView2<'_, S>) {
    S::product(c, Keep::Nothing, <S::Part as Real>::ONE, a, b);
}

/// Multiplies the columns of `c` by the product of reflectors whose vectors are rows: one at their own number, zero before.
pub(crate) fn reflect_by_rows<S: Scalar>(
    vectors: ArrayView2<'_, S>,
    taus: &[S],
    mut c: ArrayViewMut2<'_, S>,
) {
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        let rows = vectors.slice(s![first..first + taus.len(), first..]);
        let mut copied = Array2::from_elem(rows.raw_dim(), zero());
        copied.assign(&rows);
        Reflectors::of(copied, taus).reflect(c.slice_mut(s![first.., ..]), Order::FirstLast);
    }
}

fn zero<S: Scalar>() -> S {
    S::of_real(<S::Part as Real>::ZERO)
}

fn one<S: Scalar>() -> S {
    S::of_real(<S::Part as Real>::ONE)
}

/// In which order, from the left, the reflectors stand in a product: as they are, or their adjoints from the last on.
#[derive(Clone, Copy)]
enum Order {
    FirstLast,
    LastFirst,
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
    fn reflect(&self, mut c: ArrayViewMut2<'_, S>, order: Order) {
        let mut dots = Array2::from_elem((self.vectors.nrows(), c.ncols()), zero());
        product_of(dots.view_mut(), self.adjoint.view(), c.view());
        let triangle = match order {
            Order::FirstLast => self.triangle.clone(),
            Order::LastFirst => self.triangle.t().mapv(S::conjugate),
        };
        let mut factors = dots.clone();
        product_of(factors.view_mut(), triangle.view(), dots.view());
        subtract_product(c.view_mut(), self.vectors.t(), factors.view());
    }
}

impl<T: Element> Panel for T {
    fn factor(columns: ArrayViewMut2<'_, T>, taus: &mut [T]) {
        in_lines(columns, |lines| with_vectors(Factor { lines, taus }));
    }

    fn multiply(columns: ArrayViewMut2<'_, T>, taus: &[T]) {
        in_lines(columns, |lines| with_vectors(Multiply { lines, taus }));
    }
}

/// Gives the rows to `change` as lines, of which the last of each ends with zeros, and takes them back.
fn in_lines<T: Element>(mut rows: ArrayViewMut2<'_, T>, change: impl FnOnce(&mut [Line<T>])) {
    let height = rows.ncols().div_ceil(LANES).max(1);
    let mut lines = vec![[<T as Real>::ZERO; LANES]; rows.nrows() * height];
    for (row, lines) in rows.rows().into_iter().zip(lines.chunks_exact_mut(height)) {
        row.iter().zip(lines.as_flattened_mut()).for_each(|(&x, to)| *to = x);
    }
    change(&mut lines);
    for (mut row, lines) in rows.rows_mut().into_iter().zip(lines.chunks_exact(height)) {
        row.iter_mut().zip(lines.as_flattened()).for_each(|(to, &x)| *to = x);
    }
}

impl<T: Element> Panel for Complex<T> {
    fn factor(columns: ArrayViewMut2<'_, Complex<T>>, taus: &mut [Complex<T>]) {
        complex_panel::factor(columns, taus);
    }

    fn multiply(columns: ArrayViewMut2<'_, Complex<T>>, taus: &[Complex<T>]) {
        complex_panel::multiply(columns, taus);
    }
}

/// A panel: a column is several lines, whose last one ends with zeros.
struct Factor<'a, T> {
    lines: &'a mut [Line<T>],
    taus: &'a mut [T],
}

impl<T: Element> Loops for Factor<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let height = self.lines.len() / self.taus.len();
        let mut v = vec![[<T as Real>::ZERO; LANES]; height];
        for (k, tau) in self.taus.iter_mut().enumerate() {
            let (done, right) = self.lines.split_at_mut((k + 1) * height);
            let first = k / LANES;
            let own = &mut done[k * height + first..];
            // Zero above the diagonal: whole lines are computed.
            let v = &mut v[first..];
            v.copy_from_slice(own);
            v[0][..k % LANES].fill(<T as Real>::ZERO);
            let beta;
            (beta, *tau) = reflector(v, k % LANES);
            if *tau != <T as Real>::ZERO {
                for column in right.chunks_exact_mut(height) {
                    let column = &mut column[first..];
                    subtract(column, *tau * dot(column, v), v);
                }
            }
            let above: Line<T> = own[0];
            own.copy_from_slice(v);
            own[0][..k % LANES].copy_from_slice(&above[..k % LANES]);
            own[0][k % LANES] = beta;
        }
    }
}

/// A packed panel, whose columns become those of the product of their reflectors.
struct Multiply<'a, T> {
    lines: &'a mut [Line<T>],
    taus: &'a [T],
}

impl<T: Element> Loops for Multiply<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let (zero, one) = (<T as Real>::ZERO, <T as Real>::ONE);
        let height = self.lines.len() / self.taus.len().max(1);
        let mut v = vec![[zero; LANES]; height];
        for (k, &tau) in self.taus.iter().enumerate().rev() {
            let (done, right) = self.lines.split_at_mut((k + 1) * height);
            let (first, own) = (k / LANES, &mut done[k * height..]);
            let v = &mut v[first..];
            v.copy_from_slice(&own[first..]);
            v[0][..k % LANES].fill(zero);
            v[0][k % LANES] = one;
            own.fill([zero; LANES]);
            own[first][k % LANES] = one;
            // What is packed where nothing is reflected is no vector.
            if tau != zero {
                subtract(&mut own[first..], tau, v);
                for column in right.chunks_exact_mut(height) {
                    let column = &mut column[first..];
                    subtract(column, tau * dot(column, v), v);
                }
            }
        }
    }
}

/// As the reference algorithm makes it (`householder::reflector`), but for the order of a sum, of a vector whose first element
/// stands at `first`, after zeros.
#[inline(always)]
pub(crate) fn reflector<T: Element>(x: &mut [Line<T>], first: usize) -> (T, T) {
    let alpha = std::mem::replace(&mut x[0][first], <T as Real>::ZERO);
    let rest = largest(x);
    if rest == <T as Real>::ZERO {
        x[0][first] = <T as Real>::ONE;
        return (alpha, <T as Real>::ZERO);
    }
    let most = if Real::abs(alpha) > rest { Real::abs(alpha) } else { rest };
    // Subnormal numbers have too few digits to be divided by.
    let scale = most.power_of_two();
    let alpha = alpha / scale;
    for x in x.as_flattened_mut() {
        *x /= scale;
    }
    let beta = -Real::hypot(alpha, Real::sqrt(dot(x, x))).with_sign(alpha);
    let divisor = alpha - beta;
    for x in x.as_flattened_mut() {
        *x /= divisor;
    }
    x[0][first] = <T as Real>::ONE;
    (beta * scale, (beta - alpha) / beta)
}
