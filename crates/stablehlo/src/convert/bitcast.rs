//! `bitcast_convert`. In HLO elements of a view have whole bytes and are real on both sides; what StableHLO has beyond that is
//! computed: truth values are single bits there, and a complex number is the bits of two of half its width.
//!
//! `i1[2,8] → ui8[2]` becomes `dot(convert(x), shift-left(1, iota))`, `ui8[2] → i1[2,8]` a test of each bit, the lowest first.

use super::frame::Frame;
use super::movement::stated;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{CompareOrder, Direction, DotDims, SliceDim};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode, Scalar, Shape};

pub fn bitcast_convert<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let (from, Shape::Array(to)) = (f.array(op, x)?, f.result(op)?.clone()) else {
        return Err(f.wrong(op, "gives something else than an array"));
    };
    let complex = from.dtype.is_complex() && to.dtype.is_complex();
    if from.dtype.is_pred() && parts(&to, &from) == Some(to.dtype.bits().into()) {
        from_bits(f, op, x, &from, to)
    } else if to.dtype.is_pred() && parts(&from, &to) == Some(from.dtype.bits().into()) {
        to_bits(f, op, x, &from, to)
    } else if complex && parts(&from, &to) == Some(2) {
        halves(f, op, x, &from, to)
    } else if complex && parts(&to, &from) == Some(2) {
        doubled(f, op, x, to)
    } else {
        stated(f, op, opcode)
    }
}

/// How many elements of the second an element of the first is: the last dimension, which the first does not have.
fn parts(wide: &ArrayShape, narrow: &ArrayShape) -> Option<i64> {
    let (&last, outer) = narrow.dims.split_last()?;
    (outer == &wide.dims[..]).then_some(last)
}

/// Integers without a sign as wide as these elements.
fn unsigned<'p>(f: &Frame<'_, 'p>, op: &'p Op, of: DType) -> Result<DType> {
    let found = DType::ALL.iter().copied().find(|d| d.is_unsigned() && d.bits() == of.bits());
    found
        .filter(|_| of.is_ordered())
        .ok_or_else(|| f.unsupported(op, format!("bits of elements of {of} are not supported")))
}

fn from_bits<'p>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    x: InstrId,
    from: &ArrayShape,
    to: ArrayShape,
) -> Result<InstrId> {
    let word = unsigned(f, op, to.dtype)?;
    let last = to.rank();
    let bits = f.add_shaped(op, Opcode::Convert, Shape::array(word, &from.dims[..]), &[x], Attrs::None)?;
    let one = f.filled(word, &from.dims[last..], Scalar::Unsigned(1));
    let place = Shape::array(word, &from.dims[last..]);
    let place = f.add_shaped(op, Opcode::Iota, place, &[], Attrs::Iota(0))?;
    let weights = f.add(op, Opcode::ShiftLeft, &[one, place], Attrs::None)?;
    let sum = DotDims { lhs_contracting: vec![last], rhs_contracting: vec![0], ..DotDims::default() };
    let words = f.add(op, Opcode::Dot, &[bits, weights], Attrs::Dot(Box::new(sum)))?;
    viewed(f, op, words, to)
}

fn to_bits<'p>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    x: InstrId,
    from: &ArrayShape,
    to: ArrayShape,
) -> Result<InstrId> {
    let word = unsigned(f, op, from.dtype)?;
    let words = viewed(f, op, x, from.with_dtype(word))?;
    let (last, shape) = (from.rank(), to.with_dtype(word));
    let outer = Attrs::Dims((0..last).collect());
    let words = f.add_shaped(op, Opcode::Broadcast, Shape::Array(shape.clone()), &[words], outer)?;
    let place = f.add_shaped(op, Opcode::Iota, Shape::Array(shape), &[], Attrs::Iota(last))?;
    let shifted = f.add(op, Opcode::ShiftRightLogical, &[words, place], Attrs::None)?;
    let one = f.filled(word, &to.dims, Scalar::Unsigned(1));
    let bit = f.add(op, Opcode::And, &[shifted, one], Attrs::None)?;
    let set = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
    f.add(op, Opcode::Compare, &[bit, one], set)
}

/// Real and imaginary part each become a number, of the halves of their bits.
fn halves<'p>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    x: InstrId,
    from: &ArrayShape,
    to: ArrayShape,
) -> Result<InstrId> {
    let last = from.rank();
    let mut numbers = Vec::new();
    for part in [Opcode::Real, Opcode::Imag] {
        let part = f.add(op, part, &[x], Attrs::None)?;
        let words = viewed(f, op, part, to.with_dtype(to.dtype.part()))?;
        let of = [at(f, op, words, last, 0)?, at(f, op, words, last, 1)?];
        numbers.push(f.add(op, Opcode::Complex, &of, Attrs::None)?);
    }
    f.add(op, Opcode::Concatenate, &numbers, Attrs::Dims(vec![last]))
}

/// Two numbers become one: the parts of the first are the halves of its real part.
fn doubled<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, x: InstrId, to: ArrayShape) -> Result<InstrId> {
    let last = to.rank();
    let mut parts = Vec::new();
    for n in 0..2 {
        let number = at(f, op, x, last, n)?;
        let halves = [
            f.add(op, Opcode::Real, &[number], Attrs::None)?,
            f.add(op, Opcode::Imag, &[number], Attrs::None)?,
        ];
        let halves = f.add(op, Opcode::Concatenate, &halves, Attrs::Dims(vec![last]))?;
        parts.push(viewed(f, op, halves, to.with_dtype(to.dtype.part()))?);
    }
    f.add(op, Opcode::Complex, &parts, Attrs::None)
}

/// The elements at that place of the last dimension, which stays.
fn at<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, x: InstrId, last: usize, place: i64) -> Result<InstrId> {
    let dims = f.array(op, x)?.dims;
    let mut ranges: Vec<SliceDim> =
        dims.iter().map(|&limit| SliceDim { start: 0, limit, stride: 1 }).collect();
    ranges[last] = SliceDim { start: place, limit: place + 1, stride: 1 };
    f.add(op, Opcode::Slice, &[x], Attrs::Slice(ranges))
}

/// The same bits as elements of another type, in whole bytes.
fn viewed<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, x: InstrId, to: ArrayShape) -> Result<InstrId> {
    let to = Shape::Array(to);
    if f.body.shape(x).same(&to) {
        return Ok(x);
    }
    f.add_shaped(op, Opcode::BitcastConvert, to, &[x], Attrs::None)
}
