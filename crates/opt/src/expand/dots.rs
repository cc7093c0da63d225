//! What expansions of `dot` ask of it: which dimensions have which part in the product, and in which type it sums. And how they
//! arrange operands.

use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Opcode, Shape};

/// The dimensions of an operand that have a part in the product.
pub struct Side<'a> {
    pub batch: &'a [usize],
    pub contracting: &'a [usize],
}

pub fn sides(dims: &DotDims) -> (Side<'_>, Side<'_>) {
    let left = Side { batch: &dims.lhs_batch, contracting: &dims.lhs_contracting };
    (left, Side { batch: &dims.rhs_batch, contracting: &dims.rhs_contracting })
}

impl Side<'_> {
    pub fn is_free(&self, d: usize) -> bool {
        !self.batch.contains(&d) && !self.contracting.contains(&d)
    }

    /// The extent of what is neither batched nor contracted.
    pub fn free(&self, dims: &[i64]) -> i64 {
        (0..dims.len()).filter(|&d| self.is_free(d)).map(|d| dims[d]).product()
    }

    /// The extent of what is contracted.
    pub fn length(&self, dims: &[i64]) -> i64 {
        self.contracting.iter().map(|&d| dims[d]).product()
    }
}

/// The type in which a dot sums.
pub fn accumulator(instr: &Instruction, [x, y]: [DType; 2]) -> DType {
    DType::product_accumulator(x, y, instr.shape.expect_array().dtype)
}

/// The sum of two in that type.
pub fn helpers(new: &mut Rebuild<'_>, comp: &Computation, instr: &Instruction) -> Vec<CompId> {
    let of = [0, 1].map(|n| comp.operand(instr, n).shape.expect_array().dtype);
    let add = make::scalar_binary(new.module, Opcode::Add, accumulator(instr, of), &instr.origin);
    vec![new.add(add)]
}

/// The order of the dimensions of a product whose first operand has so many that are neither batched nor contracted, once its sides are
/// exchanged.
pub fn exchanged_order(batch: usize, left: usize, rank: usize) -> Vec<usize> {
    (0..batch).chain(batch + left..rank).chain(batch..batch + left).collect()
}

/// The product with its sides exchanged, and in which order its dimensions stand then; `None` where it is none any more, since
/// another expander has replaced it.
pub fn exchanged(b: &mut Builder<'_>, product: InstrId) -> Option<(InstrId, Vec<usize>)> {
    let dot = b.get(product).clone();
    let Attrs::Dot(dims) = dot.attrs else { return None };
    let batch = dims.lhs_batch.len();
    let left = b.array(dot.operands[0]).rank() - batch - dims.lhs_contracting.len();
    let shape = dot.shape.expect_array();
    let order = exchanged_order(batch, left, shape.rank());
    let extents: Vec<i64> = order.iter().map(|&d| shape.dims[d]).collect();
    let dims = DotDims {
        lhs_batch: dims.rhs_batch,
        lhs_contracting: dims.rhs_contracting,
        rhs_batch: dims.lhs_batch,
        rhs_contracting: dims.lhs_contracting,
    };
    let shape = Shape::array(shape.dtype, extents);
    let sides = [dot.operands[1], dot.operands[0]];
    let made = b.add_shaped(Opcode::Dot, shape, &sides, Attrs::Dot(Box::new(dims)));
    let instr = b.get_mut(made);
    (instr.origin, instr.notes) = (dot.origin, dot.notes);
    Some((made, order))
}

/// Whether one instruction reads this value, once.
pub fn is_read_once(comp: &Computation, id: InstrId) -> bool {
    comp.root != id
        && comp.instrs[id.index()..].iter().flat_map(|i| &i.operands).filter(|o| **o == id).count() == 1
}

/// The array with its dimensions in this order.
pub fn arranged(b: &mut Builder<'_>, x: InstrId, order: &[usize]) -> InstrId {
    if order.iter().copied().eq(0..order.len()) {
        return x;
    }
    b.add(Opcode::Transpose, &[x], Attrs::Dims(order.to_vec()))
}
