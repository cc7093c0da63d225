//! Which products units multiply, so that another form would be for nothing: what they read goes through index maps, and is
//! zero where it is padding.

use super::dots::sides;
use crate::options::Options;
use crate::planning::product_order;
use lawson_hlo::attrs::{ConvDims, DotDims};
use lawson_hlo::{Attrs, Computation, DType, Instruction, Opcode};
use lawson_kernel::plan::{tiles_multiply_bytes, units_multiply};

/// Whether the units of the target multiply the operands of a product or of a convolution: of a product they are asked for
/// matrices of whole numbers alone, which they multiply in every order. Tile registers of processors count as units there.
pub(super) fn multiply(options: &Options, comp: &Computation, instr: &Instruction) -> bool {
    match &instr.attrs {
        Attrs::Convolution(dims) => multiply_windows(options, comp, instr, dims).unwrap_or(false),
        Attrs::Dot(dims) if options.target.gpu.is_none() => in_tiles(options, comp, instr, dims),
        _ => options.target.gpu.is_some_and(|g| g.matrix_units),
    }
}

/// Whether tile registers of a processor multiply the operands of a product.
fn in_tiles(options: &Options, comp: &Computation, instr: &Instruction, dims: &DotDims) -> bool {
    let [Some(x), Some(y)] = [0, 1].map(|n| comp.operand(instr, n).shape.as_array()) else { return false };
    let (left, right) = sides(dims);
    let extents = [left.free(&x.dims), right.free(&y.dims), left.length(&x.dims)];
    tiles_multiply_bytes(&options.target, [x.dtype, y.dtype], extents)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Numerics;
    use lawson_hlo::Module;
    use lawson_kernel::target::Target;

    #[test]
    fn units_multiply_windows_of_their_types_in_their_order() {
        let multiplied = |dtype: &str, features: i64, numerics: Numerics| {
            let module = Module::parse(&format!(
                "HloModule m\nENTRY e {{\n  x = {dtype}[2,14,14,32] parameter(0)\n  k = {dtype}[3,3,32,{features}] parameter(1)\n  \
                 ROOT c = {dtype}[2,14,14,{features}] convolution(x, k), window={{size=3x3 pad=1_1x1_1}}, \
                 dim_labels=b01f_01io->b01f\n}}\n"
            ));
            let module = module.expect("valid");
            let of = |target| {
                let options = Options { target, numerics, ..Options::default() };
                multiply(&options, module.entry(), &module.entry()[module.entry().root])
            };
            assert!(!of(Target::zen4()));
            of(Target::h100())
        };
        assert!(multiplied("bf16", 64, Numerics::Standard));
        assert!(!multiplied("bf16", 64, Numerics::Strict));
        assert!(!multiplied("bf16", 16, Numerics::Standard));
        assert!(!multiplied("f32", 64, Numerics::Standard));
        assert!(multiplied("f32", 64, Numerics::Fast));
        assert!(!multiplied("f64", 64, Numerics::Fast));
    }

    #[test]
    fn tile_registers_multiply_bytes_of_whole_tiles() {
        let multiplied = |dtype: &str, [m, k, n]: [i64; 3]| {
            let module = Module::parse(&format!(
                "HloModule m\nENTRY e {{\n  x = {dtype}[{m},{k}] parameter(0)\n  y = {dtype}[{k},{n}] parameter(1)\n  \
                 ROOT d = s32[{m},{n}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n"
            ));
            let module = module.expect("valid");
            let of = |target| {
                let options = Options { target, ..Options::default() };
                multiply(&options, module.entry(), &module.entry()[module.entry().root])
            };
            assert!(!of(Target::zen4()));
            of(Target::sapphire_rapids())
        };
        assert!(multiplied("s8", [16, 16, 16]) && multiplied("u8", [500, 2000, 31]));
        assert!(!multiplied("s16", [64, 64, 64]), "no bytes");
        for extents in [[15, 64, 64], [64, 66, 64], [64, 12, 64], [64, 64, 15]] {
            assert!(!multiplied("s8", extents), "{extents:?}");
        }
    }
}
