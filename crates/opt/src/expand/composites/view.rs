//! The interface of the entry: composites whose parts lie side by side, read and written as arrays of one more dimension.

use super::{is_split, spliced};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::math::composite::part_count;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode, Shape};

/// What stands for a parameter of the entry in its splices: parts of arrays, tuples made anew.
pub fn read(b: &mut Builder<'_>, value: InstrId, shape: &Shape) -> Vec<InstrId> {
    match shape {
        Shape::Array(array) if array.dtype.is_split() => parts(b, value, array, part_count(array.dtype)),
        Shape::Array(_) => vec![value],
        Shape::Tuple(elements) if is_split(shape) => {
            let mut all = Vec::new();
            for (i, element) in elements.iter().enumerate() {
                let value = make::element(b, value, i);
                all.extend(read(b, value, element));
            }
            vec![make::tuple(b, &all)]
        }
        _ => vec![value],
    }
}

/// The value of the entry's root from what stands for it.
pub fn write(b: &mut Builder<'_>, splices: &[InstrId], shape: &Shape) -> InstrId {
    match shape {
        Shape::Array(array) if array.dtype.is_split() => whole(b, splices, array),
        Shape::Tuple(elements) if is_split(shape) => {
            let mut next = 0;
            let mut all = Vec::new();
            for element in elements {
                let count = spliced(element).len();
                let of: Vec<InstrId> =
                    (next..next + count).map(|i| make::element(b, splices[0], i)).collect();
                next += count;
                all.push(write(b, &of, element));
            }
            make::tuple(b, &all)
        }
        _ => splices[0],
    }
}

/// The array of all parts, the last dimension counting them.
fn view_of(array: &ArrayShape, count: usize) -> ArrayShape {
    let mut dims = array.dims.clone();
    dims.push(count as i64);
    ArrayShape::new(array.dtype.part(), dims)
}

/// The parts of the coefficients that `bitcast-convert` makes of another array: a last dimension of words.
pub fn cast_in(b: &mut Builder<'_>, words: InstrId, to: &ArrayShape) -> Vec<InstrId> {
    let view = view_of(to, part_count(to.dtype));
    let from = b.array(words).dtype;
    let view = match from == view.dtype {
        true => words,
        false => b.add_shaped(Opcode::BitcastConvert, Shape::Array(view), &[words], Attrs::None),
    };
    columns(b, view, to)
}

/// What `bitcast-convert` to another type makes of coefficients.
pub fn cast_out(b: &mut Builder<'_>, parts: &[InstrId], from: &ArrayShape, to: &ArrayShape) -> InstrId {
    let words = make::stack(b, parts, from.rank());
    match b.array(words).dtype == to.dtype {
        true => words,
        false => b.add_shaped(Opcode::BitcastConvert, Shape::Array(to.clone()), &[words], Attrs::None),
    }
}

fn parts(b: &mut Builder<'_>, value: InstrId, array: &ArrayShape, count: usize) -> Vec<InstrId> {
    let view = Shape::Array(view_of(array, count));
    let view = b.add_shaped(Opcode::Bitcast, view, &[value], Attrs::None);
    columns(b, view, array)
}

/// The columns of the last dimension of a view.
fn columns(b: &mut Builder<'_>, view: InstrId, array: &ArrayShape) -> Vec<InstrId> {
    (0..part_count(array.dtype) as i64)
        .map(|n| {
            let part = make::slice(b, view, array.rank(), n, n + 1);
            b.reshape(part, &array.dims)
        })
        .collect()
}

fn whole(b: &mut Builder<'_>, parts: &[InstrId], array: &ArrayShape) -> InstrId {
    let both = make::stack(b, parts, array.rank());
    let shape = Shape::array(array.dtype, array.dims.clone());
    b.add_shaped(Opcode::Bitcast, shape, &[both], Attrs::None)
}
