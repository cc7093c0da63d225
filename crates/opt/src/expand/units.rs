//! Which products units multiply, so that another form would be for nothing: what they read goes through index maps, and is
//! zero where it is padding.

use crate::options::Options;
use crate::planning::product_order;
use lawson_hlo::attrs::ConvDims;
use lawson_hlo::{Attrs, Computation, DType, Instruction, Opcode};
use lawson_kernel::plan::units_multiply;

/// Whether the units of the target multiply the operands of a product or of a convolution: of a product they are asked for
/// matrices of whole numbers alone, which they multiply in every order.
pub(super) fn multiply(options: &Options, comp: &Computation, instr: &Instruction) -> bool {
    match &instr.attrs {
        Attrs::Convolution(dims) => multiply_windows(options, comp, instr, dims).unwrap_or(false),
        _ => options.target.gpu.is_some_and(|g| g.matrix_units),
    }
}

fn multiply_windows(
    options: &Options,
    comp: &Computation,
    instr: &Instruction,
    dims: &ConvDims,
) -> Option<bool> {
    let [image, kernel] = [0, 1].map(|n| comp.operand(instr, n).shape.as_array());
    let (image, kernel, result) = (image?, kernel?, instr.shape.as_array()?);
    let types = [0, 1].map(|n| narrow(comp, comp.operand(instr, n)));
    let accumulator = DType::product_accumulator(image.dtype, kernel.dtype, result.dtype);
    let order = product_order(&options.target, options.numerics);
    let columns = result.dims[dims.output_feature] / dims.feature_group_count.max(1);
    let features = kernel.dims[dims.kernel_input_feature];
    let products = dims.window.iter().fold(features, |n, w| n.saturating_mul(w.size));
    let rows = result.elements() / result.dims[dims.output_feature].max(1);
    Some(units_multiply(&options.target, types, (accumulator, order), [rows, columns, products]))
}

/// The type of an operand's elements before they were converted.
fn narrow(comp: &Computation, operand: &Instruction) -> DType {
    match operand.opcode {
        Opcode::Convert => comp.operand(operand, 0).shape.expect_array().dtype,
        _ => operand.shape.expect_array().dtype,
    }
}
