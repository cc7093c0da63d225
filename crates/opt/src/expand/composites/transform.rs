//! Fourier transforms of several dimensions as transforms of the minor-most one, which is what routines compute.
//!
//! ```text
//! y = c64[2,8,8] fft(x), fft_type=FFT, fft_length={8,8}  →  r = c64[2,8,8] fft(x), fft_type=FFT, fft_length={8}
//!                                                           t = c64[2,8,8] transpose(r), dimensions={0,2,1}
//!                                                           c = c64[2,8,8] fft(t), fft_type=FFT, fft_length={8}
//!                                                           y = c64[2,8,8] transpose(c), dimensions={0,2,1}
//! ```
//!
//! Whole elements are turned, through views of them that kernels can move.

use lawson_hlo::attrs::FftKind;
use lawson_hlo::builder::Builder;
use lawson_hlo::library::passes;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode, Shape};

/// Appends the transforms of an array of whole elements.
pub fn run(b: &mut Builder<'_>, x: InstrId, kind: FftKind, lengths: &[i64]) -> InstrId {
    let minor = b.array(x).rank() - 1;
    let kept = minor + 1 - lengths.len();
    let mut value = x;
    for (d, kind) in passes(kind, lengths.len()) {
        let attrs = Attrs::Fft { kind, lengths: vec![lengths[d]] };
        let rows = turned(b, value, kept + d, minor);
        let made = b.add(Opcode::Fft, &[rows], attrs);
        value = turned(b, made, kept + d, minor);
    }
    value
}

/// The array with two dimensions exchanged.
fn turned(b: &mut Builder<'_>, x: InstrId, d: usize, minor: usize) -> InstrId {
    if d == minor {
        return x;
    }
    let array = b.array(x).clone();
    let mut order: Vec<usize> = (0..=minor).collect();
    order.swap(d, minor);
    let mut dims = array.dims.clone();
    dims.swap(d, minor);
    let result = ArrayShape::new(array.dtype, dims);
    let view = |array: &ArrayShape| match array.dtype.bits() {
        // One word holds both parts.
        64 => array.with_dtype(DType::U64),
        _ => {
            let mut dims = array.dims.clone();
            dims.push(2);
            ArrayShape::new(array.dtype.part(), dims)
        }
    };
    if !array.dtype.is_complex() {
        return b.add(Opcode::Transpose, &[x], Attrs::Dims(order));
    }
    let cast = |b: &mut Builder<'_>, x, to: ArrayShape| {
        b.add_shaped(Opcode::Bitcast, Shape::Array(to), &[x], Attrs::None)
    };
    let words = cast(b, x, view(&array));
    if b.array(words).rank() > array.rank() {
        order.push(minor + 1);
    }
    let moved = b.add(Opcode::Transpose, &[words], Attrs::Dims(order));
    cast(b, moved, result)
}
