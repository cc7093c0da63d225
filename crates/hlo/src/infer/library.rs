//! Shape rules of linear algebra and transforms.

use super::ShapeError;
use super::args::{Site, class, fail, same_dtype};
use crate::attrs::{Attrs, FftKind};
use crate::dtype::{DType, U256};
use crate::linalg::{Linalg, batched};
use crate::shape::{ArrayShape, Shape};

/// Square matrices in the two minor-most dimensions.
pub(super) fn cholesky(site: &Site) -> Result<Shape, ShapeError> {
    let [a] = site.arrays()?;
    let Attrs::Cholesky(_) = site.attrs else { return site.wrong_attrs() };
    square(a)?;
    Ok(Shape::Array(a.clone()))
}

/// `triangular-solve(a, b)`: a result like `b`.
pub(super) fn triangular_solve(site: &Site) -> Result<Shape, ShapeError> {
    let [a, b] = site.arrays()?;
    same_dtype(a, b)?;
    square(a)?;
    let Attrs::TriangularSolve(how) = site.attrs else { return site.wrong_attrs() };
    let n = a.rank();
    if b.rank() != n || a.dims[..n - 2] != b.dims[..n - 2] {
        return fail!("needs operands with the same batch dimensions, not {a} and {b}");
    }
    if b.dims[if how.left_side { n - 2 } else { n - 1 }] != a.dims[n - 1] {
        return fail!("cannot solve {b} by {a}");
    }
    Ok(Shape::Array(b.clone()))
}

/// Matrices of f32, f64, c64 or c128 in the two minor-most dimensions of the first operand; [`Linalg::results`] says what is made of each.
pub(super) fn linalg(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Linalg(how) = site.attrs else { return site.wrong_attrs() };
    let a = site.array(0)?;
    let real = a.dtype.is_f32() || a.dtype.is_f64();
    class(real || a.dtype.is_complex(), "elements of f32, f64, c64 or c128", a)?;
    let [batch @ .., m, n] = &a.dims[..] else { return fail!("needs matrices, not {a}") };
    match how {
        Linalg::Qr | Linalg::Lu | Linalg::Svd { .. } => {
            site.operands::<1>()?;
        }
        Linalg::Eig { .. }
        | Linalg::Eigh { .. }
        | Linalg::Hessenberg
        | Linalg::Schur { .. }
        | Linalg::Tridiagonal { .. } => {
            site.operands::<1>()?;
            square(a)?;
        }
        Linalg::PivotedQr => {
            let [_, order] = site.arrays()?;
            if !order.dtype.is_s32() || order.dims != [batch, &[*n]].concat() {
                return fail!("needs one s32 for each column of {a}, not {order}");
            }
        }
        Linalg::HouseholderProduct => {
            let [_, taus] = site.arrays()?;
            same_dtype(a, taus)?;
            let [others @ .., r] = &taus.dims[..] else { return fail!("needs a vector, not {taus}") };
            if others != batch || r > n || n > m {
                return fail!("cannot multiply {taus} reflectors of {a}");
            }
        }
    }
    Ok(batched(how.results(a.dtype, (*m, *n)), batch))
}

fn square(a: &ArrayShape) -> Result<(), ShapeError> {
    class(a.dtype.is_continuous(), "floats or complex numbers", a)?;
    match a.dims[..] {
        [.., m, n] if m == n => Ok(()),
        _ => fail!("needs square matrices, not {a}"),
    }
}

/// Most dimensions of a transform.
const MAX_FFT_RANK: usize = 3;

/// Transforms of the minor-most dimensions but the inner ones; a real transform keeps half of the last one.
pub(super) fn fft(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let Attrs::Fft { kind, lengths, inner } = site.attrs else { return site.wrong_attrs() };
    let [outer @ .., last] = &lengths[..] else { return fail!("needs a length in fft_length") };
    let last = *last;
    if lengths.len() > MAX_FFT_RANK {
        return fail!("transforms {} dimensions: {MAX_FFT_RANK} are the most", lengths.len());
    }
    let dimensions = lengths.len().saturating_add(*inner);
    let Some(kept) = x.rank().checked_sub(dimensions) else {
        return match inner {
            0 => fail!("transforms {} dimensions of {x}", lengths.len()),
            _ => fail!("transforms {} dimensions of {x}, and {inner} are inner ones", lengths.len()),
        };
    };
    if lengths.iter().any(|&n| n < 0) {
        return fail!("has a negative fft_length");
    }
    let mut dims = x.dims.clone();
    let half = last / 2 + 1;
    let (wanted, dtype) = match (kind, DType::complex_of(x.dtype)) {
        (FftKind::Fft | FftKind::Ifft, _) if x.dtype.is_complex() => (last, x.dtype),
        (FftKind::Rfft, Some(complex)) => (last, complex),
        (FftKind::Irfft, _) if x.dtype.is_complex() => (half, x.dtype.part()),
        _ => return fail!("cannot be {:?} of {x}", kind.name()),
    };
    let minor = kept + outer.len();
    if dims[kept..minor] != *outer || dims[minor] != wanted {
        return fail!("has fft_length {lengths:?} for {x}");
    }
    match kind {
        FftKind::Rfft => dims[minor] = if last == 0 { 0 } else { half },
        FftKind::Irfft => dims[minor] = last,
        FftKind::Fft | FftKind::Ifft => {}
    }
    Ok(Shape::array(dtype, dims))
}

/// `replica-id` and `partition-id`.
pub(super) fn device_number(site: &Site) -> Result<Shape, ShapeError> {
    site.operands::<0>()?;
    Ok(Shape::scalar(DType::U32))
}

/// A transform of the minor dimension, whose length is a power of two that the field has a root of unity for.
pub(super) fn ntt(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let Attrs::Ntt(ntt) = site.attrs else { return site.wrong_attrs() };
    class(x.dtype.is_field(), "elements of a prime field", x)?;
    let two_adicity = match (x.dtype.part().field(), x.dtype.wide_field()) {
        (Some(field), _) => field.prime.parameters().two_adicity,
        (None, Some(field)) => field.prime.parameters().two_adicity,
        (None, None) => return fail!("needs elements of a prime field, not {x}"),
    };
    let (Some(&last), Some(modulus)) = (x.dims.last(), x.dtype.modulus()) else {
        return fail!("needs at least one dimension, not {x}");
    };
    if last != ntt.length {
        return fail!("has ntt_length={{{}}} for {x}, whose minor dimension is {last}", ntt.length);
    }
    if ntt.length < 1 || !(ntt.length as u64).is_power_of_two() || ntt.length > 1 << two_adicity {
        let longest = 1i64 << two_adicity;
        return fail!(
            "needs a length that is a power of two up to {longest} for {}, not {}",
            x.dtype,
            ntt.length
        );
    }
    if ntt.coset == 0 || !U256::small(ntt.coset).is_below(modulus) {
        let most = modulus.minus(U256::ONE).0;
        return fail!("needs a coset between 1 and {most}, not {}", ntt.coset);
    }
    Ok(Shape::Array(x.clone()))
}
