//! Discrete Fourier transforms of any length.
//!
//! Of n elements x they are X_k = Σ_j x_j e^(−2πijk/n); the inverse has the opposite sign and divides by n, so that it leads
//! back. Real numbers are taken as complex ones by [`Tensor::fft`]; [`Tensor::rfft`] keeps the n/2 + 1 elements of theirs that do
//! not follow from the others by X_(n−k) = conj X_k.

use super::Tensor;
use super::axes::{self, Axes};
use super::elementwise::Place;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::FftKind;
use lawson_hlo::{Attrs, DType, InstrId, Opcode};
use std::panic::Location;

impl Tensor {
    /// The transform along the last dimension: complex numbers.
    ///
    /// Carries an error where there is no dimension or no element along it, or elements are of a prime field, as all transforms do.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// // A wave that goes around once: one of the frequencies.
    /// let wave = (Tensor::arange(0..8, DType::F32) * (std::f32::consts::TAU / 8.0)).cos();
    /// let size = wave.fft().abs();
    /// let expected = Tensor::from([0f32, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
    /// assert!((size - expected).abs().max().item::<f32>()? < 1e-5);
    /// // There and back.
    /// assert!((wave.fft().ifft() - &wave).abs().max().item::<f32>()? < 1e-6);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn fft(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Fft, &[-1], None)
    }

    /// Undoes [`Tensor::fft`].
    #[track_caller]
    pub fn ifft(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Ifft, &[-1], None)
    }

    /// The first half of the transform of real numbers along the last dimension: n/2 + 1 complex numbers.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::from([1f32, 2.0, 4.0, 8.0, 16.0]);
    /// let half = x.rfft();
    /// assert_eq!((half.dtype(), half.dims()), (DType::C64, &[3i64][..]));
    /// assert_eq!(half.index(0).real().item(), Ok(31f32));
    /// // How many elements there were is not known from the half.
    /// assert!((half.irfft(5) - x).abs().max().item::<f32>()? < 1e-5);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn rfft(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Rfft, &[-1], None)
    }

    /// Undoes [`Tensor::rfft`], whose operand had n elements along the last dimension: this has n/2 + 1.
    #[track_caller]
    pub fn irfft(&self, n: i64) -> Tensor {
        along(Location::caller(), self, FftKind::Irfft, &[-1], Some(n))
    }

    /// The transform along the last two dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[1f32, 2.0, 3.0], [4.0, 5.0, 7.0]]);
    /// assert_eq!(x.fft2().index(0).index(0).real().item(), Ok(22f32));
    /// assert!((x.fft2().ifft2() - &x).abs().max().item::<f32>()? < 1e-6);
    /// assert!((x.rfft2().irfft2(3) - &x).abs().max().item::<f32>()? < 1e-6);
    /// assert!((x.fftn([0, 1]) - x.fft2()).abs().max().item::<f32>()? < 1e-5);
    /// assert!((x.fftn(0).ifftn(0) - &x).abs().max().item::<f32>()? < 1e-6);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn fft2(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Fft, &[-2, -1], None)
    }

    /// Undoes [`Tensor::fft2`].
    #[track_caller]
    pub fn ifft2(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Ifft, &[-2, -1], None)
    }

    /// As [`Tensor::fft2`] of real numbers, the first half along the last dimension.
    #[track_caller]
    pub fn rfft2(&self) -> Tensor {
        along(Location::caller(), self, FftKind::Rfft, &[-2, -1], None)
    }

    /// Undoes [`Tensor::rfft2`], whose operand had n elements along the last dimension.
    #[track_caller]
    pub fn irfft2(&self, n: i64) -> Tensor {
        along(Location::caller(), self, FftKind::Irfft, &[-2, -1], Some(n))
    }

    /// The transform along these dimensions.
    #[track_caller]
    pub fn fftn(&self, axes: impl Axes) -> Tensor {
        along(Location::caller(), self, FftKind::Fft, &axes.axes(), None)
    }

    /// Undoes [`Tensor::fftn`].
    #[track_caller]
    pub fn ifftn(&self, axes: impl Axes) -> Tensor {
        along(Location::caller(), self, FftKind::Ifft, &axes.axes(), None)
    }
}

/// A transform along dimensions; `length` is that of the last one where the elements do not tell.
fn along(place: Place, x: &Tensor, kind: FftKind, axes: &[i64], length: Option<i64>) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let x = operand(e, ids[0], kind)?;
        let rank = e.array(x)?.rank();
        let chosen = axes::axes("fft", axes, e.array(x)?)?;
        // HLO transforms up to three dimensions, the last ones; further ones one after the other.
        let last = (0..chosen.len()).all(|i| chosen[i] + chosen.len() == rank + i) && chosen.len() <= 3;
        if chosen.is_empty() {
            return Ok(x);
        }
        if last {
            return transform(e, x, kind, chosen.len(), length);
        }
        let mut value = x;
        for d in chosen {
            let mut order: Vec<usize> = (0..rank).collect();
            order.swap(d, rank - 1);
            let turned = e.op(Opcode::Transpose, &[value], Attrs::Dims(order.clone()))?;
            let made = transform(e, turned, kind, 1, None)?;
            value = e.op(Opcode::Transpose, &[made], Attrs::Dims(order))?;
        }
        Ok(value)
    })
}

/// The operand in a type that the transform takes.
fn operand(e: &mut Emit<'_>, x: InstrId, kind: FftKind) -> Result<InstrId, Fault> {
    let dtype = e.dtype(x)?;
    if dtype.is_field() {
        return fault!("`fft` of {dtype}: elements of a prime field have `ntt`");
    }
    // Integers of 64 bits, too.
    let wide = dtype.bits() == if dtype.is_complex() { 128 } else { 64 };
    match (kind, wide) {
        (FftKind::Rfft, _) if dtype.is_complex() => fault!("`rfft` of {dtype}, which is not real: use `fft`"),
        (FftKind::Rfft, true) => e.convert(x, DType::F64),
        (FftKind::Rfft, false) => e.convert(x, DType::F32),
        (FftKind::Fft | FftKind::Ifft | FftKind::Irfft, true) => e.convert(x, DType::C128),
        (FftKind::Fft | FftKind::Ifft | FftKind::Irfft, false) => e.convert(x, DType::C64),
    }
}

/// Of the last dimensions.
fn transform(
    e: &mut Emit<'_>,
    x: InstrId,
    kind: FftKind,
    count: usize,
    length: Option<i64>,
) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let Some(kept) = dims.len().checked_sub(count) else {
        return fault!("`fft` of {count} dimensions of {}", e.array(x)?);
    };
    let mut lengths = dims[kept..].to_vec();
    if let (Some(n), Some(last)) = (length, lengths.last_mut()) {
        if n < 1 || *last != n / 2 + 1 {
            return fault!("`irfft` to {n} elements takes {}, not {last}", n / 2 + 1);
        }
        *last = n;
    }
    if lengths.contains(&0) {
        return fault!("`fft` of no elements: {}", e.array(x)?);
    }
    e.op(Opcode::Fft, &[x], Attrs::Fft { kind, lengths, inner: 0 })
}
