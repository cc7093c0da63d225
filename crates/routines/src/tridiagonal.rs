//! Symmetric matrices as tridiagonal ones: `a = Q T Qᵀ`, where Q is a product of reflectors (Householder, 1958).
//!
//! The reflector `1 − tau v vᵀ` of a column changes the rest of the matrix by `v wᵀ + w vᵀ`. That is subtracted in one pass, when the
//! next reflector's vector is multiplied by the matrix.

use crate::element::Element;
use crate::real_panel::reflector;
use crate::team::{Team, each, strips};
use crate::vectors::{LANES, Line, Loops, dot, halved, with_vectors};
use lawson_hlo::library::Real;

/// Multiply-adds that take as long as an element of a row, which comes from memory.
const OF_AN_ELEMENT: usize = 8;

/// A tridiagonal matrix, and the reflectors that made it.
pub(crate) struct Tridiagonal<T> {
    pub(crate) diagonal: Vec<T>,
    pub(crate) beside: Vec<T>,
    pub(crate) taus: Vec<T>,
    /// The vector of each, without its first element, which is zero: one at its own number, zero before.
    pub(crate) vectors: Vec<T>,
}

impl<T: Element> Tridiagonal<T> {
    /// Of the matrix of `n` rows whose element in row i and column j ≤ i this gives.
    pub(crate) fn of(team: &dyn Team, n: usize, element: impl Fn(usize, usize) -> T) -> Tridiagonal<T> {
        let (zero, width) = (<T as Real>::ZERO, n.div_ceil(LANES).max(1));
        let mut matrix = vec![[zero; LANES]; n * width];
        for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            let x = element(i, j);
            for (i, j) in [(i, j), (j, i)] {
                matrix[i * width + j / LANES][j % LANES] = x;
            }
        }
        let inner = n.saturating_sub(1);
        let mut out = Tridiagonal {
            diagonal: vec![zero; n],
            beside: vec![zero; inner],
            taus: vec![zero; inner],
            vectors: vec![zero; inner * inner],
        };
        with_vectors(Reduce { team, matrix: &mut matrix, width, out: &mut out });
        out
    }

    pub(crate) fn is_finite(&self) -> bool {
        let all = [&self.diagonal, &self.beside, &self.taus, &self.vectors];
        all.into_iter().flatten().fold(true, |all, &x| all & Real::is_finite(x))
    }
}

/// A matrix with both of its triangles, whose rows are `width` lines that end with zeros.
struct Reduce<'a, T> {
    team: &'a dyn Team,
    matrix: &'a mut [Line<T>],
    width: usize,
    out: &'a mut Tridiagonal<T>,
}

impl<T: Element> Loops for Reduce<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Reduce { team, matrix, width, out } = self;
        let (zero, n) = (<T as Real>::ZERO, out.diagonal.len());
        // What the matrix still has to lose is `v wᵀ + w vᵀ`.
        let (mut v, mut w, mut next) =
            (vec![[zero; LANES]; width], vec![[zero; LANES]; width], vec![[zero; LANES]; width]);
        let mut products = next.clone();
        for k in 0..n {
            let (of_w, of_v) = (v.as_flattened()[k], w.as_flattened()[k]);
            let first = k / LANES;
            let row = &matrix[k * width + first..(k + 1) * width];
            for (((x, a), v), w) in next[first..].iter_mut().zip(row).zip(&v[first..]).zip(&w[first..]) {
                *x = std::array::from_fn(|e| a[e] - of_w * w[e] - of_v * v[e]);
            }
            out.diagonal[k] = next[first][k % LANES];
            if k + 1 == n {
                return;
            }
            next[first][..=k % LANES].fill(zero);
            let first = (k + 1) / LANES;
            let tau;
            (out.beside[k], tau) = reflector(&mut next[first..], (k + 1) % LANES);
            out.taus[k] = tau;
            out.vectors[k * (n - 1)..][..n - 1].copy_from_slice(&next.as_flattened()[1..n]);
            let vectors = [&v[..], &w, &next];
            let below = &mut matrix[(k + 1) * width..];
            let of_rows = &mut products.as_flattened_mut()[k + 1..n];
            let strips = strips(team, OF_AN_ELEMENT * below.len() * LANES);
            if strips == 1 {
                Rows { number: k + 1, vectors, first, rows: below, products: of_rows }.run();
            } else {
                let height = (n - k - 1).div_ceil(strips);
                let items = below.chunks_mut(height * width).zip(of_rows.chunks_mut(height));
                each(team, items.enumerate(), |(strip, (rows, products))| {
                    let number = k + 1 + strip * height;
                    with_vectors(Rows { number, vectors, first, rows, products });
                });
            }
            products[first][..(k + 1) % LANES].fill(zero);
            // w = tau (a v − ½ tau (vᵀ a v) v)
            let half = T::of(0.5) * tau * dot(&products[first..], &next[first..]);
            for ((w, p), v) in w[first..].iter_mut().zip(&products[first..]).zip(&next[first..]) {
                *w = std::array::from_fn(|e| tau * (p[e] - half * v[e]));
            }
            std::mem::swap(&mut v, &mut next);
        }
    }
}

/// Rows of the matrix, from the one of this number on.
struct Rows<'a, T> {
    number: usize,
    /// `v`, `w`, and the vector that rows are multiplied with.
    vectors: [&'a [Line<T>]; 3],
    /// The first line that counts.
    first: usize,
    rows: &'a mut [Line<T>],
    products: &'a mut [T],
}

impl<T: Element> Loops for Rows<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Rows { number, vectors, first, rows, products } = self;
        let [v, w, _] = vectors.map(|x| &x.as_flattened()[number..]);
        let from_first = vectors.map(|x| &x[first..]);
        let rows = rows.chunks_exact_mut(vectors[0].len());
        for (((row, product), &v), &w) in rows.zip(products).zip(v).zip(w) {
            *product = subtract_and_multiply(&mut row[first..], (v, w), from_first);
        }
    }
}

/// Subtracts two vectors, each times a number, from a row; gives its product with a third one.
#[inline(always)]
fn subtract_and_multiply<T: Element>(
    row: &mut [Line<T>],
    (of_w, of_v): (T, T),
    [v, w, next]: [&[Line<T>]; 3],
) -> T {
    let mut sums = [<T as Real>::ZERO; LANES];
    for (((x, v), w), next) in row.iter_mut().zip(v).zip(w).zip(next) {
        *x = std::array::from_fn(|e| x[e] - of_w * w[e] - of_v * v[e]);
        sums = std::array::from_fn(|e| sums[e] + x[e] * next[e]);
    }
    halved(sums, |a, b| a + b)
}

/// Writes what LAPACK's `sytrd` makes of `a`, `n` × `n` row by row, of which one triangle is read; tells whether it is finite.
pub(crate) fn packed<T: Element>(
    team: &dyn Team,
    (a, packed): (&[T], &mut [T]),
    (n, lower): (usize, bool),
    [diagonal, beside, taus]: [&mut [T]; 3],
) -> bool {
    // The upper triangle is the lower one of the matrix read backwards.
    let place = |i: usize, j: usize| if lower { i * n + j } else { (n - 1 - i) * n + n - 1 - j };
    let found = Tridiagonal::of(team, n, |i, j| a[place(i, j)]);
    packed.copy_from_slice(a);
    (0..n).for_each(|i| packed[place(i, i)] = found.diagonal[i]);
    for (j, vector) in found.vectors.chunks_exact(n.saturating_sub(1).max(1)).enumerate() {
        packed[place(j + 1, j)] = found.beside[j];
        (j + 2..n).for_each(|i| packed[place(i, j)] = vector[i - 1]);
    }
    diagonal.copy_from_slice(&found.diagonal);
    beside.copy_from_slice(&found.beside);
    taus.copy_from_slice(&found.taus);
    if !lower {
        [diagonal, beside, taus].into_iter().for_each(<[T]>::reverse);
    }
    found.is_finite()
}
