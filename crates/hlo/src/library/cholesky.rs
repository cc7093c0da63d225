//! The Cholesky factor of a symmetric positive definite matrix.
//!
//! With `a` = uᵀu, for k = 0, 1, … and all j > k: `u_kk = sqrt(a_kk)`, `u_kj = a_kj / u_kk`, and every element to the
//! right and below loses `u_ki · u_kj`. The lower factor is the transpose of the upper one, with the same bits. Only the
//! triangle of the result's side is read, and the other one of the result is zero. Where a pivot `a_kk` is not positive
//! and finite the matrix is not positive definite: then every element of the result is NaN.

use super::Real;

/// Writes the factor of `a` to `out`, both `n` × `n` row by row.
pub fn cholesky<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    upper_of(a, out, n, lower);
    match factor_upper(out, n) {
        true => place(out, n, lower),
        false => out.fill(T::NAN),
    }
}

/// Writes the triangle that is read to the upper one of `out`, both `n` × `n` row by row.
pub fn upper_of<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    for i in 0..n {
        match lower {
            true => {
                let column = a[i * n + i..].iter().step_by(n);
                out[i * n + i..].iter_mut().zip(column).for_each(|(to, &x)| *to = x);
            }
            false => out[i * n + i..][..n - i].copy_from_slice(&a[i * n + i..][..n - i]),
        }
    }
}

/// Moves the upper triangle, which is the factor, to where the result has it; the other one becomes zero.
pub fn place<T: Real>(out: &mut [T], n: usize, lower: bool) {
    for j in 1..n {
        let (above, row) = out.split_at_mut(j * n);
        match lower {
            true => row[..j].iter_mut().zip(above[j..].iter().step_by(n)).for_each(|(to, &x)| *to = x),
            false => row[..j].fill(T::ZERO),
        }
    }
    if lower {
        (0..n).for_each(|i| out[i * n + i + 1..(i + 1) * n].fill(T::ZERO));
    }
}

/// Makes the upper triangle of a matrix, `n` × `n` row by row, that of its factor; the rest is neither read nor written.
/// Tells whether all pivots are positive and finite: if not, the elements from that row on mean nothing.
fn factor_upper<T: Real>(a: &mut [T], n: usize) -> bool {
    for k in 0..n {
        let (done, below) = a.split_at_mut((k + 1) * n);
        let row = &mut done[k * n + k..];
        let [pivot, row @ ..] = row else { return true };
        if !(*pivot > T::ZERO && pivot.is_finite()) {
            return false;
        }
        *pivot = pivot.sqrt();
        row.iter_mut().for_each(|x| *x = *x / *pivot);
        for (i, other) in below.chunks_exact_mut(n).enumerate() {
            let factor = row[i];
            // Row k + 1 + i, from its diagonal on.
            other[k + 1 + i..].iter_mut().zip(&row[i..]).for_each(|(x, &u)| *x = *x - factor * u);
        }
    }
    true
}
