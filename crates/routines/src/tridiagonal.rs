//! Symmetric matrices as tridiagonal ones: `a = Q T Qᵀ`, where Q is a product of reflectors (Householder, 1958).
//!
//! The reflector `1 − tau v vᵀ` of a column changes the rest of the matrix by `v wᵀ + w vᵀ`. That is subtracted in one pass, when the
//! next reflector's vector is multiplied by the matrix.

use crate::element::Element;
use crate::real_panel::reflector;
use crate::vectors::{LANES, Line, Loops, dot, halved, with_vectors};
use lawson_hlo::library::Real;

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
    pub(crate) fn of(n: usize, element: impl Fn(usize, usize) -> T) -> Tridiagonal<T> {
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
        with_vectors(Reduce { matrix: &mut matrix, width, out: &mut out });
        out
    }

    pub(crate) fn is_finite(&self) -> bool {
        let all = [&self.diagonal, &self.beside, &self.taus, &self.vectors];
        all.into_iter().flatten().fold(true, |all, &x| all & Real::is_finite(x))
    }
}

/// A matrix with both of its triangles, whose rows are `width` lines that end with zeros.
struct Reduce<'a, T> {
    matrix: &'a mut [Line<T>],
    width: usize,
    out: &'a mut Tridiagonal<T>,
}

impl<T: Element> Loops for Reduce<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Reduce { matrix, width, out } = self;
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
            for i in k + 1..n {
                let row = &mut matrix[i * width + first..(i + 1) * width];
                let lost = (v.as_flattened()[i], w.as_flattened()[i]);
                products.as_flattened_mut()[i] =
                    subtract_and_multiply(row, lost, [&v[first..], &w[first..], &next[first..]]);
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
    a: &[T],
    packed: &mut [T],
    (n, lower): (usize, bool),
    [diagonal, beside, taus]: [&mut [T]; 3],
) -> bool {
    // The upper triangle is the lower one of the matrix read backwards.
    let place = |i: usize, j: usize| if lower { i * n + j } else { (n - 1 - i) * n + n - 1 - j };
    let found = Tridiagonal::of(n, |i, j| a[place(i, j)]);
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
