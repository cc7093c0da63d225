//! `chlo.ragged_dot`: a product whose rows, or whose summands, belong to groups of given sizes that follow one another.
//!
//! `[b,m,k] · [g,b,k,n] → [b,m,n]`, rows of the left in groups, each with a right of its own; `[b,m,k] · [b,k,n] → [g,b,m,n]`,
//! summands in groups, each with a result of its own. Either is one product of the left repeated for each group, with zeros
//! where an element belongs to another one, and what belongs to none counts nowhere.

use super::contraction::product;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{CompareOrder, Direction, DotDims};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode, Scalar, Shape};

pub fn ragged_dot<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [lhs, rhs, sizes] = f.exactly(op)?;
    let dims = DotDims {
        lhs_contracting: f.dims(op, "lhs_contracting_dimensions")?,
        rhs_contracting: f.dims(op, "rhs_contracting_dimensions")?,
        lhs_batch: f.optional_dims(op, "lhs_batching_dimensions")?,
        rhs_batch: f.optional_dims(op, "rhs_batching_dimensions")?,
    };
    let groups = f.optional_dims(op, "rhs_group_dimensions")?;
    let &[ragged] = &f.dims(op, "lhs_ragged_dimensions")?[..] else {
        return Err(f.wrong(op, "has another number of ragged dimensions than one"));
    };
    if dims.lhs_batch.contains(&ragged) {
        return Err(f.unsupported(op, "groups of a batch are not supported"));
    }
    let parted = parted(f, op, [lhs, sizes], &dims.lhs_batch, ragged)?;
    // The groups are the first dimension now.
    let mut all =
        DotDims { rhs_contracting: dims.rhs_contracting, rhs_batch: dims.rhs_batch, ..DotDims::default() };
    all.lhs_batch = dims.lhs_batch.iter().map(|d| d + 1).collect();
    all.lhs_contracting = dims.lhs_contracting.iter().map(|d| d + 1).collect();
    let in_rows = !dims.lhs_contracting.contains(&ragged);
    match (in_rows, &groups[..]) {
        (true, &[group]) => {
            all.lhs_contracting.push(0);
            all.rhs_contracting.push(group);
            let shape = f.result(op)?.clone();
            product(f, op, opcode, shape, [parted, rhs], Attrs::Dot(Box::new(all)))
        }
        (false, []) => {
            let batch = all.lhs_batch.len();
            let shape = f.result(op)?.clone();
            // The product has the batch before the groups.
            let Some(ArrayShape { dtype, dims, .. }) = shape.as_array().filter(|s| s.rank() > batch) else {
                return Err(f.wrong(op, "gives something else than an array of groups"));
            };
            let mut order = dims.to_vec();
            order[..=batch].rotate_left(1);
            let shape = Shape::array(*dtype, order);
            let found = product(f, op, opcode, shape, [parted, rhs], Attrs::Dot(Box::new(all)))?;
            let rank = dims.len();
            let order = std::iter::once(batch).chain(0..batch).chain(batch + 1..rank).collect();
            f.add(op, Opcode::Transpose, &[found], Attrs::Dims(order))
        }
        (true, _) => Err(f.wrong(op, "needs one group dimension of its right side")),
        (false, _) => Err(f.wrong(op, "has groups on its right side, whose summands are in groups already")),
    }
}

/// The array once for each group, the groups first: zero outside of the group's range of the ragged dimension. `sizes` are those
/// of the groups, after the dimensions of the batch or without.
fn parted(
    f: &mut Frame,
    op: &Op,
    [array, sizes]: [InstrId; 2],
    batch: &[usize],
    ragged: usize,
) -> Result<InstrId> {
    let (of, counts) = (f.array(op, array)?, f.array(op, sizes)?);
    let Some(last) = counts.rank().checked_sub(1) else {
        return Err(f.wrong(op, "has no list of the sizes of groups"));
    };
    let whole: Vec<usize> = match last {
        0 => vec![0],
        n if n == batch.len() => batch.iter().map(|d| d + 1).chain([0]).collect(),
        _ => return Err(f.unsupported(op, format!("sizes of groups as {counts}"))),
    };
    let (number, groups) = (counts.dtype, counts.dims[last]);
    // The end of a group is the sum of the sizes up to its own.
    let square = Shape::array(number, [groups, groups]);
    let row = f.add_shaped(op, Opcode::Iota, square.clone(), &[], Attrs::Iota(0))?;
    let column = f.add_shaped(op, Opcode::Iota, square, &[], Attrs::Iota(1))?;
    let up_to = compare(f, op, [row, column], Direction::Le)?;
    let up_to =
        f.add_shaped(op, Opcode::Convert, Shape::array(number, [groups, groups]), &[up_to], Attrs::None)?;
    let sum = DotDims { lhs_contracting: vec![last], rhs_contracting: vec![0], ..DotDims::default() };
    let shape = Shape::Array(counts);
    let ends = f.add_shaped(op, Opcode::Dot, shape, &[sizes, up_to], Attrs::Dot(Box::new(sum)))?;
    let starts = f.add(op, Opcode::Subtract, &[ends, sizes], Attrs::None)?;
    let mut dims = vec![groups];
    dims.extend(of.dims.iter());
    let at = |dtype| Shape::array(dtype, dims.clone());
    let place = f.add_shaped(op, Opcode::Iota, at(number), &[], Attrs::Iota(ragged + 1))?;
    let start = f.add_shaped(op, Opcode::Broadcast, at(number), &[starts], Attrs::Dims(whole.clone()))?;
    let end = f.add_shaped(op, Opcode::Broadcast, at(number), &[ends], Attrs::Dims(whole))?;
    let begun = compare(f, op, [place, start], Direction::Ge)?;
    let open = compare(f, op, [place, end], Direction::Lt)?;
    let within = f.add(op, Opcode::And, &[begun, open], Attrs::None)?;
    let own = (1..=of.rank()).collect();
    let repeated = f.add_shaped(op, Opcode::Broadcast, at(of.dtype), &[array], Attrs::Dims(own))?;
    let zero = f.filled(of.dtype, &dims, Scalar::zero(of.dtype));
    f.add(op, Opcode::Select, &[within, repeated, zero], Attrs::None)
}

fn compare(f: &mut Frame, op: &Op, operands: [InstrId; 2], direction: Direction) -> Result<InstrId> {
    let order = CompareOrder::default();
    f.add(op, Opcode::Compare, &operands, Attrs::Compare { direction, order })
}
