//! Shape rules: the shape of each operation from its operands' shapes and attributes.

use crate::attrs::Attrs;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::shape::Shape;

/// A broken shape rule, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShapeError(pub String);

/// The shape of an operation whose operands and attributes determine it.
pub fn infer(
    _module: &Module,
    _opcode: Opcode,
    _attrs: &Attrs,
    _operands: &[&Shape],
) -> Result<Shape, ShapeError> {
    Err(ShapeError("not built yet".into()))
}
