//! The QR factors of a panel of real columns, products of its reflectors, and what they make of other columns: a column is several
//! lines, of which the last one ends with zeros.

use crate::element::Element;
use crate::lines::Block;
use crate::vectors::{LANES, Line, Loops, dot, halved, largest, subtract, with_vectors};
use lawson_hlo::library::Real;
use std::marker::PhantomData;

/// In which order, from the left, the reflectors stand in a product: as they are, or their adjoints from the last on.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    FirstLast,
    LastFirst,
}

/// Factors the panel that `from` has, into `to`; that of `to` where there is none.
pub(crate) fn factor<T: Element>(panel: Block, from: Option<&[T]>, to: &mut [T], taus: &mut [T]) {
    let mut lines = panel.lines(from.unwrap_or(to));
    in_groups::<T>(Factor { lines: &mut lines, taus });
    panel.put(&lines, to);
}

/// Writes the product of the reflectors of a packed panel to `to`; there is a `tau` for each column.
pub(crate) fn multiply<T: Element>(panel: Block, packed: &[T], to: &mut [T], taus: &[T]) {
    let mut lines = panel.lines(packed);
    in_groups::<T>(Multiply { lines: &mut lines, taus });
    panel.put(&lines, to);
}

/// Multiplies the columns `c`, of as many rows, by the product of the reflectors of a packed panel.
pub(crate) fn apply<T: Element>(panel: Block, packed: &[T], taus: &[T], (block, c): (Block, &mut [T])) {
    let (reflectors, mut lines) = (panel.lines(packed), block.lines(c));
    in_groups::<T>(Apply { reflectors: &reflectors, taus, lines: &mut lines });
    block.put(&lines, c);
}

/// What goes through reflectors by groups.
trait ByGroups {
    fn reflectors(&self) -> usize;
    /// With so many in each. Inlined, as [`Loops`] asks.
    fn run_by<const N: usize>(self);
}

/// The same by as many as have the sums of a column in registers, lines of f32 or of f64; of a few each by itself.
struct InGroups<T, G>(G, PhantomData<T>);

impl<T: Element, G: ByGroups> Loops for InGroups<T, G> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        match (size_of::<T>(), self.0.reflectors()) {
            (_, ..4) => self.0.run_by::<1>(),
            (4, _) => self.0.run_by::<4>(),
            _ => self.0.run_by::<2>(),
        }
    }
}

fn in_groups<T: Element>(of: impl ByGroups) {
    with_vectors(InGroups(of, PhantomData::<T>));
}

/// A panel that is factored.
struct Factor<'a, T> {
    lines: &'a mut [Line<T>],
    taus: &'a mut [T],
}

impl<T: Element> ByGroups for Factor<'_, T> {
    fn reflectors(&self) -> usize {
        self.taus.len()
    }

    #[inline(always)]
    fn run_by<const N: usize>(self) {
        let Factor { lines, taus } = self;
        let height = lines.len() / taus.len();
        let mut group = Group::<T, N>::new(height);
        for (n, taus) in taus.chunks_mut(N).enumerate() {
            let start = n * N;
            let (own, right) = lines[start * height..].split_at_mut(taus.len() * height);
            group.begin(start, taus.len());
            for (k, tau) in taus.iter_mut().enumerate() {
                let (column, beside) = own[k * height..].split_at_mut(height);
                let (first, lane) = ((start + k) / LANES, (start + k) % LANES);
                let column = &mut column[first..];
                let v = group.below(k, column);
                let beta;
                (beta, *tau) = reflector(v, lane);
                let above: Line<T> = column[0];
                column.copy_from_slice(v);
                column[0][..lane].copy_from_slice(&above[..lane]);
                column[0][lane] = beta;
                for other in beside.chunks_exact_mut(height) {
                    reflect(&mut other[first..], *tau, v);
                }
            }
            if !right.is_empty() {
                group.multiply(taus);
                group.reflect(right, Order::LastFirst);
            }
        }
    }
}

/// A packed panel, whose columns become those of the product of their reflectors.
struct Multiply<'a, T> {
    lines: &'a mut [Line<T>],
    taus: &'a [T],
}

impl<T: Element> ByGroups for Multiply<'_, T> {
    fn reflectors(&self) -> usize {
        self.taus.len()
    }

    #[inline(always)]
    fn run_by<const N: usize>(self) {
        let Multiply { lines, taus } = self;
        let height = lines.len() / taus.len().max(1);
        let mut group = Group::<T, N>::new(height);
        for (n, taus) in taus.chunks(N).enumerate().rev() {
            let start = n * N;
            let columns = &mut lines[start * height..];
            group.take(&columns[..taus.len() * height], start, taus);
            // What these reflectors find there is the identity left of their own columns.
            for (k, column) in columns.chunks_exact_mut(height).take(taus.len()).enumerate() {
                column.fill([<T as Real>::ZERO; LANES]);
                column[(start + k) / LANES][(start + k) % LANES] = <T as Real>::ONE;
            }
            group.reflect(columns, Order::FirstLast);
        }
    }
}

/// Columns that the reflectors of a packed panel change, from the last one on.
struct Apply<'a, T> {
    reflectors: &'a [Line<T>],
    taus: &'a [T],
    lines: &'a mut [Line<T>],
}

impl<T: Element> ByGroups for Apply<'_, T> {
    fn reflectors(&self) -> usize {
        self.taus.len()
    }

    #[inline(always)]
    fn run_by<const N: usize>(self) {
        let Apply { reflectors, taus, lines } = self;
        let height = reflectors.len() / taus.len().max(1);
        let mut group = Group::<T, N>::new(height);
        for (n, taus) in taus.chunks(N).enumerate().rev() {
            let start = n * N;
            group.take(&reflectors[start * height..][..taus.len() * height], start, taus);
            group.reflect(lines, Order::FirstLast);
        }
    }
}

/// Some reflectors whose product changes columns in two passes, so many that the sums of a column are in registers; and its
/// triangle, as for a whole panel.
struct Group<T, const N: usize> {
    height: usize,
    /// The number of the first.
    start: usize,
    /// One column each, from the line of the first one's number on; zeros where there is no reflector.
    vectors: Vec<Line<T>>,
    triangle: [[T; N]; N],
    /// The sums of products of each column, and the factors of the vectors that are subtracted from it.
    sums: Vec<[Line<T>; N]>,
    factors: Vec<[T; N]>,
}

/// Lines of the vectors that stay in the first-level cache while columns go by.
const TILE: usize = 64;

impl<T: Element, const N: usize> Group<T, N> {
    fn new(height: usize) -> Group<T, N> {
        let zero = <T as Real>::ZERO;
        let vectors = vec![[zero; LANES]; N * height];
        let triangle = [[zero; N]; N];
        Group { height, start: 0, vectors, triangle, sums: Vec::new(), factors: Vec::new() }
    }

    /// Makes room for so many reflectors from a number on.
    fn begin(&mut self, start: usize, count: usize) {
        self.start = start;
        self.vectors[count * self.height..].fill([<T as Real>::ZERO; LANES]);
    }

    /// A copy of a column from the line of its diagonal element on, which becomes the vector of reflector `k`: zero above that element,
    /// since whole lines are computed.
    #[inline(always)]
    fn below(&mut self, k: usize, column: &[Line<T>]) -> &mut [Line<T>] {
        let (first, lane) = ((self.start + k) / LANES, (self.start + k) % LANES);
        let vector = &mut self.vectors[k * self.height..(k + 1) * self.height];
        vector[self.start / LANES..first].fill([<T as Real>::ZERO; LANES]);
        let vector = &mut vector[first..];
        vector.copy_from_slice(column);
        vector[0][..lane].fill(<T as Real>::ZERO);
        vector
    }

    /// Takes the reflectors of packed columns, of which the first has the number `start`.
    #[inline(always)]
    fn take(&mut self, packed: &[Line<T>], start: usize, taus: &[T]) {
        self.begin(start, taus.len());
        for (k, (column, &tau)) in packed.chunks_exact(self.height).zip(taus).enumerate() {
            let (first, lane) = ((start + k) / LANES, (start + k) % LANES);
            let vector = self.below(k, &column[first..]);
            match tau == <T as Real>::ZERO {
                // What is packed where nothing is reflected is no vector.
                true => vector.fill([<T as Real>::ZERO; LANES]),
                false => vector[0][lane] = <T as Real>::ONE,
            }
        }
        self.multiply(taus);
    }

    /// Makes the triangle.
    #[inline(always)]
    fn multiply(&mut self, taus: &[T]) {
        let zero = <T as Real>::ZERO;
        let first = self.start / LANES;
        let vectors = |k: usize| &self.vectors[k * self.height + first..(k + 1) * self.height];
        let mut triangle = [[zero; N]; N];
        for (j, &tau) in taus.iter().enumerate() {
            let mut dots = [zero; N];
            for (k, product) in dots.iter_mut().enumerate().take(j) {
                *product = dot(vectors(k), vectors(j));
            }
            for (i, row) in triangle.iter_mut().enumerate().take(j) {
                let sum = (i..j).fold(zero, |sum, k| sum + row[k] * dots[k]);
                row[j] = -tau * sum;
            }
            triangle[j][j] = tau;
        }
        self.triangle = triangle;
    }

    /// Multiplies columns by the product of the reflectors.
    #[inline(always)]
    fn reflect(&mut self, columns: &mut [Line<T>], order: Order) {
        let (zero, height, first) = (<T as Real>::ZERO, self.height, self.start / LANES);
        self.sums.clear();
        self.sums.resize(columns.len() / height, [[zero; LANES]; N]);
        for from in (first..height).step_by(TILE) {
            let to = (from + TILE).min(height);
            let vectors: [&[Line<T>]; N] =
                std::array::from_fn(|k| &self.vectors[k * height + from..k * height + to]);
            for (column, sums) in columns.chunks_exact(height).zip(&mut self.sums) {
                let mut added = *sums;
                for (h, x) in column[from..to].iter().enumerate() {
                    for (sum, v) in added.iter_mut().zip(&vectors) {
                        let v = &v[h];
                        *sum = std::array::from_fn(|lane| sum[lane] + v[lane] * x[lane]);
                    }
                }
                *sums = added;
            }
        }
        self.factors.clear();
        for sums in &self.sums {
            let dots = sums.map(|sum| halved(sum, |a, b| a + b));
            let factor = |n: usize| match order {
                Order::FirstLast => (n..N).fold(zero, |sum, k| sum + self.triangle[n][k] * dots[k]),
                Order::LastFirst => (0..=n).fold(zero, |sum, k| sum + self.triangle[k][n] * dots[k]),
            };
            self.factors.push(std::array::from_fn(factor));
        }
        for from in (first..height).step_by(TILE) {
            let to = (from + TILE).min(height);
            let vectors: [&[Line<T>]; N] =
                std::array::from_fn(|k| &self.vectors[k * height + from..k * height + to]);
            for (column, factors) in columns.chunks_exact_mut(height).zip(&self.factors) {
                for (h, x) in column[from..to].iter_mut().enumerate() {
                    for (&factor, v) in factors.iter().zip(&vectors) {
                        let v = &v[h];
                        *x = std::array::from_fn(|lane| x[lane] - factor * v[lane]);
                    }
                }
            }
        }
    }
}

/// Reflects a column by `1 − tau v vᵀ`.
#[inline(always)]
fn reflect<T: Element>(column: &mut [Line<T>], tau: T, v: &[Line<T>]) {
    if tau != <T as Real>::ZERO {
        subtract(column, tau * dot(column, v), v);
    }
}

/// The reflector of a vector whose first element stands at `first`, after zeros, as the reference algorithm makes it
/// (`householder::reflector`), but for the order of a sum.
#[inline(always)]
pub(crate) fn reflector<T: Element>(x: &mut [Line<T>], first: usize) -> (T, T) {
    let alpha = std::mem::replace(&mut x[0][first], <T as Real>::ZERO);
    let rest = largest(x);
    if rest == <T as Real>::ZERO {
        x[0][first] = <T as Real>::ONE;
        return (alpha, <T as Real>::ZERO);
    }
    let most = if Real::abs(alpha) > rest { Real::abs(alpha) } else { rest };
    // Subnormal numbers have too few digits to be divided by. A product with the inverse of a power of two is exact.
    let scale = most.power_of_two();
    let inverse = <T as Real>::ONE / scale;
    let alpha = alpha * inverse;
    let mut squares = [<T as Real>::ZERO; LANES];
    for x in x.iter_mut() {
        *x = x.map(|x| x * inverse);
        squares = std::array::from_fn(|lane| squares[lane] + x[lane] * x[lane]);
    }
    let squares = halved(squares, |a, b| a + b);
    let beta = -Real::hypot(alpha, Real::sqrt(squares)).with_sign(alpha);
    let divisor = alpha - beta;
    for x in x.as_flattened_mut() {
        *x /= divisor;
    }
    x[0][first] = <T as Real>::ONE;
    (beta * scale, (beta - alpha) / beta)
}
