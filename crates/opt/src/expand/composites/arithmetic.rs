//! Elementwise operations on parts as instructions on arrays.

use lawson_hlo::builder::Builder;
use lawson_hlo::math::composite::PartOps;
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Scalar, Shape};

/// Appends to a computation.
pub struct Parts<'b, 'm> {
    pub b: &'b mut Builder<'m>,
    /// The dimensions of the result.
    pub dims: &'b [i64],
}

/// Appends sums of products, and what is computed of their operands and results.
pub struct Products<'b, 'm> {
    pub b: &'b mut Builder<'m>,
    /// The dimensions of the sums.
    pub dims: &'b [i64],
}

impl PartOps for Products<'_, '_> {
    type Value = InstrId;

    fn op(&mut self, opcode: Opcode, attrs: Attrs, operands: &[&InstrId], result: DType) -> InstrId {
        let dims = match opcode {
            Opcode::Dot | Opcode::Convolution => self.dims.to_vec(),
            _ => self.b.array(*operands[0]).dims.clone(),
        };
        Parts { b: self.b, dims: &dims }.op(opcode, attrs, operands, result)
    }

    fn constant(&mut self, dtype: DType, value: Scalar, like: &InstrId) -> InstrId {
        Parts { b: self.b, dims: self.dims }.constant(dtype, value, like)
    }
}

impl PartOps for Parts<'_, '_> {
    type Value = InstrId;

    fn op(&mut self, opcode: Opcode, attrs: Attrs, operands: &[&InstrId], result: DType) -> InstrId {
        let shape = Shape::array(result, self.dims);
        let operands: Vec<InstrId> = operands.iter().map(|&&o| o).collect();
        self.b.add_shaped(opcode, shape, &operands, attrs)
    }

    fn constant(&mut self, dtype: DType, value: Scalar, like: &InstrId) -> InstrId {
        let shape = self.b.array(*like).with_dtype(dtype);
        self.b.splat(&shape, value)
    }
}
