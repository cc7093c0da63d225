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
