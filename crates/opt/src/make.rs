//! Short hands for the instructions passes make most, beside those of [`Builder`].

use lawson_hlo::attrs::{CompareOrder, Direction, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Literal, Module, Opcode, Origin, Scalar, Shape,
};

pub fn parameter(b: &mut Builder<'_>, number: usize, shape: Shape) -> InstrId {
    b.add_shaped(Opcode::Parameter, shape, &[], Attrs::Parameter(number))
}

pub fn tuple(b: &mut Builder<'_>, parts: &[InstrId]) -> InstrId {
    b.add(Opcode::Tuple, parts, Attrs::None)
}

pub fn element(b: &mut Builder<'_>, whole: InstrId, index: usize) -> InstrId {
    b.add(Opcode::GetTupleElement, &[whole], Attrs::TupleIndex(index))
}

/// Every element of a tuple.
pub fn elements(b: &mut Builder<'_>, whole: InstrId) -> Vec<InstrId> {
    let n = match b.shape(whole) {
        Shape::Tuple(parts) => parts.len(),
        other => unreachable!("a tuple, not {other}"),
    };
    (0..n).map(|i| element(b, whole, i)).collect()
}

/// The parts of a result that is a tuple when there are several: itself when there is one.
pub fn one_or_elements(b: &mut Builder<'_>, result: InstrId) -> Vec<InstrId> {
    match b.shape(result) {
        Shape::Tuple(_) => elements(b, result),
        _ => vec![result],
    }
}

/// A scalar constant of a number that every type holds.
pub fn scalar(b: &mut Builder<'_>, dtype: DType, value: i64) -> InstrId {
    b.constant(Literal::scalar(dtype, Scalar::Signed(value)))
}

/// A number that every type holds, broadcast.
pub fn splat(b: &mut Builder<'_>, shape: &ArrayShape, value: i64) -> InstrId {
    b.splat(shape, Scalar::Signed(value))
}

pub fn compare(b: &mut Builder<'_>, direction: Direction, x: InstrId, y: InstrId) -> InstrId {
    b.add(Opcode::Compare, &[x, y], Attrs::Compare { direction, order: CompareOrder::Default })
}

pub fn select(b: &mut Builder<'_>, pred: InstrId, x: InstrId, y: InstrId) -> InstrId {
    b.add(Opcode::Select, &[pred, x, y], Attrs::None)
}

pub fn iota(b: &mut Builder<'_>, shape: ArrayShape, dim: usize) -> InstrId {
    b.add_shaped(Opcode::Iota, Shape::Array(shape), &[], Attrs::Iota(dim))
}

/// The elements [start, limit) of one dimension.
pub fn slice(b: &mut Builder<'_>, x: InstrId, dim: usize, start: i64, limit: i64) -> InstrId {
    let whole = |&extent: &i64| SliceDim { start: 0, limit: extent, stride: 1 };
    let mut ranges: Vec<SliceDim> = b.array(x).dims.iter().map(whole).collect();
    ranges[dim] = SliceDim { start, limit, stride: 1 };
    b.add(Opcode::Slice, &[x], Attrs::Slice(ranges))
}

/// Arrays side by side along a dimension that they do not have.
pub fn stack(b: &mut Builder<'_>, parts: &[InstrId], dim: usize) -> InstrId {
    let mut dims = b.array(parts[0]).dims.clone();
    dims.insert(dim, 1);
    let parts: Vec<InstrId> = parts.iter().map(|&part| b.reshape(part, &dims)).collect();
    b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![dim]))
}

pub fn reduce(b: &mut Builder<'_>, x: InstrId, init: InstrId, dims: Vec<usize>, to_apply: CompId) -> InstrId {
    b.add(Opcode::Reduce, &[x, init], Attrs::Reduce { dims, to_apply })
}

/// The computation `(x, y) → opcode(x, y)` on scalars.
pub fn scalar_binary(module: &Module, opcode: Opcode, dtype: DType, origin: &Origin) -> Computation {
    let mut b = Builder::new(module);
    b.origin = origin.clone();
    let x = parameter(&mut b, 0, Shape::scalar(dtype));
    let y = parameter(&mut b, 1, Shape::scalar(dtype));
    let root = b.binary(opcode, x, y);
    b.finish(format!("{opcode}_{dtype}"), root)
}

/// Writes down that a loop runs `n` times, the way XLA does.
pub fn set_trip_count(b: &mut Builder<'_>, id: InstrId, n: i64) {
    let config = format!("{{\"known_trip_count\":{{\"n\":\"{n}\"}}}}");
    b.get_mut(id).notes_mut().backend_config = Some(config);
}
