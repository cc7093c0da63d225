//! Constants. Those of one repeated element are a scalar that is broadcast.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape, Value};

pub fn constant<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let Some(Attr::Dense(dense)) = op.attr("value") else {
        let what = match op.attr("value") {
            Some(Attr::Other(text)) => format!("a constant that is {text} is not supported"),
            _ => "a constant that is no array is not supported".to_string(),
        };
        return Err(f.unsupported(op, what));
    };
    let shape = Shape::Array(dense.shape.clone());
    let Some(element) = dense.splat_value() else {
        let value = Value::Array(dense.literal());
        return f.add_shaped(op, opcode, shape, &[], Attrs::Constant(Some(value)));
    };
    let scalar = Shape::scalar(element.dtype());
    let value = Attrs::Constant(Some(Value::Array(element)));
    let scalar = f.add_shaped(op, opcode, scalar, &[], value)?;
    f.add_shaped(op, Opcode::Broadcast, shape, &[scalar], Attrs::Dims(Vec::new()))
}
