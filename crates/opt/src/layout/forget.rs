//! Forgets layouts: afterwards every array is row-major and no `bitcast` is left.
//!
//! The shapes of HLO text are logical; a layout only says where an element lies. So layouts are dropped, except
//! where an operation reads memory as it lies: a `bitcast` becomes the transposes and the reshape it stands for.
//!
//! ```text
//! x = f32[2,3]{0,1} parameter(0)               x = f32[2,3] parameter(0)
//! ROOT b = f32[6]{0} bitcast(x)            →   transpose = f32[3,2] transpose(x), dimensions={1,0}
//!                                              ROOT b = f32[6] reshape(transpose)
//! ```

use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Instruction, Module, Opcode, Shape};

pub fn run(_: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, mut comp, _| {
        let mut changed = false;
        if comp.instrs.iter().any(|i| i.opcode == Opcode::Bitcast) {
            let operand_shapes: Vec<Option<ArrayShape>> = comp
                .instrs
                .iter()
                .map(|i| comp.operand_shape(i).filter(|_| i.opcode == Opcode::Bitcast))
                .collect();
            (comp, changed) = rewrite(new.module, &comp, |b, id, instr, operands| {
                let from = operand_shapes[id.index()].as_ref()?;
                Some(expand_bitcast(b, operands[0], from, instr.shape.as_array()?))
            });
        }
        for instr in &mut comp.instrs {
            changed |= forget_layouts(instr);
        }
        (comp, changed)
    });
    if let Some((parameters, result)) = &mut module.header.entry_layout {
        parameters.iter_mut().chain([result]).for_each(|s| *s = s.without_layout());
    }
    changed.into()
}

trait OperandShape {
    fn operand_shape(&self, instr: &Instruction) -> Option<ArrayShape>;
}

impl OperandShape for lawson_hlo::Computation {
    fn operand_shape(&self, instr: &Instruction) -> Option<ArrayShape> {
        self[*instr.operands.first()?].shape.as_array().cloned()
    }
}

/// Logical → memory order, reshape (and change of element type) there, memory order → logical.
fn expand_bitcast(b: &mut Builder<'_>, x: InstrId, from: &ArrayShape, to: &ArrayShape) -> InstrId {
    let physical = transpose(b, x, &from.major_to_minor());
    let order = to.major_to_minor();
    let dims: Vec<i64> = order.iter().map(|&d| to.dims[d]).collect();
    let viewed = reinterpret(b, physical, to, &dims);
    let mut inverse = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, &d)| inverse[d] = i);
    transpose(b, viewed, &inverse)
}

/// The same bytes as an array of `to`'s element type and these dimensions.
fn reinterpret(b: &mut Builder<'_>, x: InstrId, to: &ArrayShape, dims: &[i64]) -> InstrId {
    let from = b.array(x).dtype;
    if from == to.dtype {
        return b.reshape(x, dims);
    }
    let (wide, narrow) = (from.bits() as i64, to.dtype.bits() as i64);
    // bitcast-convert adds or takes away a minor dimension when the widths differ.
    let mut operand_dims = dims.to_vec();
    let mut result_dims = dims.to_vec();
    if wide > narrow {
        operand_dims = vec![b.array(x).elements()];
        result_dims = vec![b.array(x).elements(), wide / narrow];
    } else if wide < narrow {
        operand_dims.push(narrow / wide);
    }
    let x = b.reshape(x, &operand_dims);
    let shape = Shape::array(to.dtype, std::mem::take(&mut result_dims));
    let x = b.add_shaped(Opcode::BitcastConvert, shape, &[x], Attrs::None);
    b.reshape(x, dims)
}

fn transpose(b: &mut Builder<'_>, x: InstrId, permutation: &[usize]) -> InstrId {
    if permutation.iter().copied().eq(0..permutation.len()) {
        return x;
    }
    let dims: Vec<i64> = permutation.iter().map(|&d| b.array(x).dims[d]).collect();
    let shape = Shape::array(b.array(x).dtype, dims);
    b.add_shaped(Opcode::Transpose, shape, &[x], Attrs::Dims(permutation.to_vec()))
}

/// Drops the layouts of the instruction's shape; whether one said anything but row-major.
fn forget_layouts(instr: &mut Instruction) -> bool {
    let plain = instr.shape.without_layout();
    let changed = plain != instr.shape;
    instr.shape = plain;
    changed
}
