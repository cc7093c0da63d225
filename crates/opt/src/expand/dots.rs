//! What expansions of `dot` ask of it: which dimensions have which part in the product, and in which type it sums. And how they
//! arrange operands.

use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Opcode};

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

/// The array with its dimensions in this order.
pub fn arranged(b: &mut Builder<'_>, x: InstrId, order: &[usize]) -> InstrId {
    if order.iter().copied().eq(0..order.len()) {
        return x;
    }
    b.add(Opcode::Transpose, &[x], Attrs::Dims(order.to_vec()))
}
