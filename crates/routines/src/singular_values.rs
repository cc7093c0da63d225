//! Singular values without their vectors: the matrix becomes bidiagonal by reflectors, whose values are found by bisection.
//!
//! A reflector from the left and one from the right take turns (Golub and Kahan, 1965). What both subtract from the matrix is
//! subtracted in one pass over it, when the next reflector from the left is multiplied by it.

use crate::element::Element;
use crate::real_panel::reflector;
use crate::vectors::{LANES, Line, Loops, dot, with_vectors};
use lawson_hlo::library::Real;

/// Writes the values of `a`, `rows` × `columns` row by row and near one, descending; tells whether all are finite.
pub fn run<T: Element>(a: &[T], (rows, columns): (usize, usize), values: &mut [T]) -> bool {
    let zero = <T as Real>::ZERO;
    let wide = columns > rows;
    let (m, n) = if wide { (columns, rows) } else { (rows, columns) };
    let at = |i: usize, j: usize| if wide { a[j * columns + i] } else { a[i * columns + j] };
    let width = n.div_ceil(LANES);
    let mut matrix = vec![[zero; LANES]; m * width];
    for i in 0..m {
        let row = matrix[i * width..][..width].as_flattened_mut();
        (0..n).zip(row).for_each(|(j, x)| *x = at(i, j));
    }
    let mut beside = vec![zero; n];
    with_vectors(Bidiagonal { matrix: &mut matrix, width, diagonal: values, beside: &mut beside });
    if !values.iter().chain(&beside).all(|&x| Real::is_finite(x)) {
        return false;
    }
    with_vectors(Bisection { values, beside: &beside });
    true
}

/// A matrix of no more columns than rows, whose rows are `width` lines that end with zeros, the diagonal to be written, and
/// what is to stand right of each of its elements.
struct Bidiagonal<'a, T> {
    matrix: &'a mut [Line<T>],
    width: usize,
    diagonal: &'a mut [T],
    beside: &'a mut [T],
}

impl<T: Element> Loops for Bidiagonal<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Bidiagonal { matrix, width, diagonal, beside } = self;
        let (m, n) = (matrix.len() / width, diagonal.len());
        let zeros = |lines: usize| vec![[<T as Real>::ZERO; LANES]; lines];
        // What the matrix still has to lose is `left productsᵀ + others rightᵀ`.
        let (mut left, mut products) = (zeros(m.div_ceil(LANES)), zeros(width));
        let (mut others, mut right) = (vec![<T as Real>::ZERO; m], zeros(width));
        let (mut next, mut sums) = (left.clone(), products.clone());
        for k in 0..n {
            let (line, lane) = (k / LANES, k % LANES);
            for i in k..m {
                let known = left.as_flattened()[i] * products[line][lane] + others[i] * right[line][lane];
                next.as_flattened_mut()[i] = matrix[i * width + line][lane] - known;
            }
            let tau;
            next[line][..lane].fill(<T as Real>::ZERO);
            (diagonal[k], tau) = reflector(&mut next[line..], lane);
            let first = (k + 1) / LANES;
            if first == width {
                return;
            }
            let sums = &mut sums[first..];
            sums.fill([<T as Real>::ZERO; LANES]);
            for i in k..m {
                let row = &mut matrix[i * width + first..(i + 1) * width];
                let lost = (left.as_flattened()[i], others[i]);
                subtract_both(
                    row,
                    lost,
                    [&products[first..], &right[first..]],
                    (next.as_flattened()[i], sums),
                );
            }
            std::mem::swap(&mut left, &mut next);
            for (product, sum) in products[first..].as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
                *product = tau * *sum;
            }
            // The row of the diagonal element, as the reflector from the left leaves it; from the element beside it on.
            let own = &matrix[k * width + first..(k + 1) * width];
            let right = &mut right[first..];
            for ((x, &a), &product) in right
                .as_flattened_mut()
                .iter_mut()
                .zip(own.as_flattened())
                .zip(products[first..].as_flattened())
            {
                *x = a - product;
            }
            let lane = (k + 1) % LANES;
            right[0][..lane].fill(<T as Real>::ZERO);
            products[first][..lane].fill(<T as Real>::ZERO);
            let tau;
            (beside[k], tau) = reflector(right, lane);
            let both = dot(&products[first..], right);
            for i in k + 1..m {
                let row = &matrix[i * width + first..(i + 1) * width];
                others[i] = tau * (dot(row, right) - left.as_flattened()[i] * both);
            }
        }
    }
}

/// Subtracts two vectors, each times a number, from a row, and adds the row times a number to `sums`.
#[inline(always)]
fn subtract_both<T: Element>(
    row: &mut [Line<T>],
    (of_first, of_last): (T, T),
    [first, last]: [&[Line<T>]; 2],
    (factor, sums): (T, &mut [Line<T>]),
) {
    let vectors = first.as_flattened().iter().zip(last.as_flattened());
    let elements = row.as_flattened_mut().iter_mut().zip(sums.as_flattened_mut());
    for ((x, sum), (&a, &b)) in elements.zip(vectors) {
        *x = *x - of_first * a - of_last * b;
        *sum += factor * *x;
    }
}

/// Values that are searched for at the same time, so many that a quotient does not wait for the one before.
const SEARCHES: usize = 4 * LANES;

/// An upper bidiagonal matrix: its diagonal, which becomes the values, and what stands beside it.
struct Bisection<'a, T> {
    values: &'a mut [T],
    beside: &'a [T],
}

impl<T: Element> Loops for Bisection<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let (zero, half) = (<T as Real>::ZERO, T::of(0.5));
        let n = self.values.len();
        let squares: Vec<[T; 2]> =
            self.values.iter().zip(self.beside).map(|(&a, &b)| [a * a, b * b]).collect();
        // No value exceeds all sums of rows and columns.
        let above = std::iter::once(&zero).chain(self.beside);
        let sums = self.values.iter().zip(self.beside).zip(above).map(|((&a, &beside), &above)| {
            let (beside, above) = (Real::abs(beside), Real::abs(above));
            Real::abs(a) + if above > beside { above } else { beside }
        });
        let bound = sums.fold(zero, |most, sum| if sum > most { sum } else { most });
        let rounding = <T as Real>::EPSILON * bound;
        for (first, values) in (0..n).step_by(SEARCHES).zip(self.values.chunks_mut(SEARCHES)) {
            let (mut low, mut high) = ([zero; SEARCHES], [bound + rounding; SEARCHES]);
            let mut width = bound;
            while width > rounding * T::of(0.125) {
                width = half * width;
                let mut middle = [zero; SEARCHES];
                for ((x, &low), &high) in middle.iter_mut().zip(&low).zip(&high) {
                    *x = half * (low + high);
                }
                let less = less_than(&squares, &middle, rounding * rounding);
                for (lane, &less) in less.iter().enumerate() {
                    // Values descend: those behind this one are less than itself.
                    let is_less = less + T::of((first + lane) as f64) >= T::of(n as f64);
                    *(if is_less { &mut high[lane] } else { &mut low[lane] }) = middle[lane];
                }
            }
            values.copy_from_slice(&low[..values.len()]);
        }
    }
}

/// How many values are less than each x: so many negative pivots the stationary quotient-difference transform by −x² has
/// (Parlett and Dhillon, 2000), where those nearer to zero than `least` are moved there, each to its side. `squares` has the squares
/// of the matrix's elements: on the diagonal, and right of it.
#[inline(always)]
fn less_than<T: Element>(squares: &[[T; 2]], x: &[T; SEARCHES], least: T) -> [T; SEARCHES] {
    let zero = <T as Real>::ZERO;
    let mut less = [zero; SEARCHES];
    let mut shift = [zero; SEARCHES];
    for (shift, &x) in shift.iter_mut().zip(x) {
        *shift = -(x * x);
    }
    for &[own, beside] in squares {
        for ((shift, less), &x) in shift.iter_mut().zip(&mut less).zip(x) {
            let pivot = own + *shift;
            *less += if pivot < zero { <T as Real>::ONE } else { zero };
            let small = if pivot < zero { -least } else { least };
            let pivot = if Real::abs(pivot) < least { small } else { pivot };
            *shift = *shift * beside / pivot - x * x;
        }
    }
    less
}
