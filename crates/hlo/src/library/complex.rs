//! Factors of matrices of complex numbers: the algorithm of [`super::cholesky`], with conjugates where that of real numbers has
//! none.
//!
//! Matrices are read and written as floats, two for each element, the real part first.

use super::Real;
use super::number::Number;

/// The parts of a number.
type Pair<T> = [T; 2];

/// Writes the factor of the Hermitian matrix `a` to `out`, both `n` × `n` row by row. Imaginary parts on the diagonal are not
/// read.
pub fn cholesky<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    let (a, _) = a.as_chunks::<2>();
    let (out, _) = out.as_chunks_mut::<2>();
    for i in 0..n {
        for j in i..n {
            out[i * n + j] = if lower { a[j * n + i].conjugate() } else { a[i * n + j] };
        }
    }
    if !factor(out, n) {
        return out.fill([T::NAN; 2]);
    }
    for i in 0..n {
        for j in i + 1..n {
            let element = out[i * n + j];
            out[j * n + i] = if lower { element.conjugate() } else { Number::ZERO };
            out[i * n + j] = if lower { Number::ZERO } else { element };
        }
    }
}

/// The upper triangle of uᴴu becomes u; tells whether all pivots are positive and finite.
fn factor<T: Real>(a: &mut [Pair<T>], n: usize) -> bool {
    for k in 0..n {
        let pivot = a[k * n + k][0];
        if !(pivot > <T as Real>::ZERO && pivot.is_finite()) {
            return false;
        }
        let pivot = pivot.sqrt();
        a[k * n + k] = [pivot, <T as Real>::ZERO];
        a[k * n + k + 1..][..n - k - 1].iter_mut().for_each(|x| *x = x.map(|part| part / pivot));
        let (done, below) = a.split_at_mut((k + 1) * n);
        let row = &done[k * n..];
        for (other, i) in below.chunks_exact_mut(n).zip(k + 1..n) {
            let factor = row[i].conjugate();
            (i..n).for_each(|j| other[j] = other[j].minus_product(factor, row[j]));
        }
    }
    true
}
