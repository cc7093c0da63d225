//! QR factors, and products of their reflectors, by panels of columns.
//!
//! The reflectors `1 − tau v vᵀ` of a panel multiply to `1 − V T Vᵀ`: V has the vectors as columns, T is upper triangular (the
//! compact WY form of Schreiber and Van Loan, 1989). So the columns right of a panel are reflected by products of matrices. A
//! panel itself is factored column by column. What is not finite is left to the reference algorithm as a whole.

use crate::blocks::subtract_product;
use crate::element::Element;
use crate::vectors::{LANES, Line, Loops, dot, largest, subtract, with_vectors};
use lawson_hlo::library::Real;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

/// Columns of a panel.
const PANEL: usize = 32;

/// Writes the factors of `a`, `rows` × `columns` row by row, to `packed` as LAPACK's `geqrf` packs them; tells whether all of
/// them are finite.
pub fn qr<T: Element>(a: &[T], packed: &mut [T], (rows, columns): (usize, usize), taus: &mut [T]) -> bool {
    packed.copy_from_slice(a);
    let Ok(mut view) = ArrayViewMut2::from_shape((rows, columns), &mut *packed) else { return false };
    for (panel, taus) in taus.chunks_mut(PANEL).enumerate() {
        let first = panel * PANEL;
        let (mut columns, right) = view.slice_mut(s![first.., first..]).split_at(Axis(1), taus.len());
        let rows = rows - first;
        let mut padded = Array2::from_elem((taus.len(), rows.next_multiple_of(LANES)), <T as Real>::ZERO);
        let mut factored = padded.slice_mut(s![.., ..rows]);
        factored.assign(&columns.t());
        let Some((lines, [])) = padded.as_slice_mut().map(|p| p.as_chunks_mut()) else {
            unreachable!("columns of whole lines")
        };
        with_vectors(Factor { lines, taus });
        let factored = padded.slice_move(s![.., ..rows]);
        columns.assign(&factored.t());
        if right.ncols() > 0 {
            Reflectors::of(factored, taus).reflect(right, Order::LastFirst);
        }
    }
    all_finite(packed) && all_finite(taus)
}

/// Writes the product of the first reflectors of a packed matrix, `rows` × `columns` row by row, to `q`; tells whether all of
/// it is finite.
pub fn product<T: Element>(packed: &[T], q: &mut [T], (rows, columns): (usize, usize), taus: &[T]) -> bool {
    let size = (rows, columns);
    let views = (ArrayView2::from_shape(size, packed), ArrayViewMut2::from_shape(size, &mut *q));
    let (Ok(packed), Ok(mut view)) = views else { return false };
    view.fill(<T as Real>::ZERO);
    view.diag_mut().fill(<T as Real>::ONE);
    let taus = &taus[..taus.len().min(columns)];
    for (panel, taus) in taus.chunks(PANEL).enumerate().rev() {
        let first = panel * PANEL;
        let vectors = packed.slice(s![first.., first..first + taus.len()]);
        let mut copied = Array2::from_elem((taus.len(), rows - first), <T as Real>::ZERO);
        copied.assign(&vectors.t());
        // What these reflectors find there is the identity left of their own columns.
        Reflectors::of(copied, taus).reflect(view.slice_mut(s![first.., first..]), Order::FirstLast);
    }
    all_finite(q)
}

fn all_finite<T: Element>(x: &[T]) -> bool {
    x.iter().fold(true, |all, &x| all & Real::is_finite(x))
}

/// In which order, from the left, the reflectors stand in a product.
#[derive(Clone, Copy)]
enum Order {
    FirstLast,
    LastFirst,
}

/// The reflectors of a panel.
struct Reflectors<T> {
    /// Vᵀ, a vector in each row.
    vectors: Array2<T>,
    /// T
    triangle: Array2<T>,
}

impl<T: Element> Reflectors<T> {
    /// From the columns of a packed matrix as rows: a vector is one on the diagonal, zero before, and stands there after it.
    fn of(mut vectors: Array2<T>, taus: &[T]) -> Reflectors<T> {
        let (zero, one) = (<T as Real>::ZERO, <T as Real>::ONE);
        for (i, mut v) in vectors.rows_mut().into_iter().enumerate() {
            v.slice_mut(s![..i]).fill(zero);
            v[i] = one;
        }
        let count = taus.len();
        let mut dots = Array2::from_elem((count, count), zero);
        general_mat_mul(one, &vectors, &vectors.t(), zero, &mut dots);
        let mut triangle = Array2::from_elem((count, count), zero);
        for (j, &tau) in taus.iter().enumerate() {
            for i in 0..j {
                let sum = (i..j).fold(zero, |sum, k| sum + triangle[(i, k)] * dots[(k, j)]);
                triangle[(i, j)] = -(tau * sum);
            }
            triangle[(j, j)] = tau;
        }
        Reflectors { vectors, triangle }
    }

    /// Multiplies the columns of `c` by the product of the reflectors.
    fn reflect(&self, mut c: ArrayViewMut2<'_, T>, order: Order) {
        let (zero, one) = (<T as Real>::ZERO, <T as Real>::ONE);
        let mut dots = Array2::from_elem((self.vectors.nrows(), c.ncols()), zero);
        general_mat_mul(one, &self.vectors, &c, zero, &mut dots);
        let triangle = match order {
            Order::FirstLast => self.triangle.view(),
            Order::LastFirst => self.triangle.t(),
        };
        let mut factors = dots.clone();
        general_mat_mul(one, &triangle, &dots, zero, &mut factors);
        subtract_product(c.view_mut(), self.vectors.t(), factors.view());
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
