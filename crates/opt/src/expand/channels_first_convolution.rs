//! A `convolution` whose features come before its places becomes one whose features come last, between transposes.
//!
//! ```text
//! c = f32[n,o,h,w] convolution(x, k), window={size=3x3}, dim_labels=bf01_oi01->bf01
//! →
//! y = f32[n,h+2,w+2,i] transpose(x), dimensions={0,2,3,1}
//! l = f32[3,3,i,o] opt-barrier(transpose(k)), dimensions={2,3,1,0}
//! d = f32[n,h,w,o] convolution(y, l), window={size=3x3}, dim_labels=b01f_01io->b01f
//! c = f32[n,o,h,w] transpose(d), dimensions={0,3,1,2}
//! ```
//!
//! The kernel is packed once for many places, where windows of the input would be packed for one row of them at a time, and
//! the features that are summed lie in line. Every sum has the same order: to the bit. Of neighbouring convolutions the
//! transposes meet in one kernel.

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::attrs::ConvDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander = Expander {
    name: "channels-first-convolution",
    purpose: Purpose::Vectors,
    applies,
    helpers: no_helpers,
    expand,
};

/// From so many output features and elements of the window on, three passes over arrays are little beside the products.
const MANY: i64 = 16;
const WINDOW: i64 = 4;
/// Shorter rows of places are no vectors: lanes are along features already.
const ROW: i64 = 16;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Convolution(dims) = &instr.attrs else { return false };
    let Some(result) = instr.shape.as_array() else { return false };
    let filled =
        |i: &Instruction| i.shape.as_array().is_some_and(|a| !a.dims.contains(&0) && !a.dtype.is_complex());
    let first = |feature: usize, spatial: &[usize]| spatial.iter().all(|&d| feature < d);
    [instr, comp.operand(instr, 0), comp.operand(instr, 1)].into_iter().all(filled)
        && first(dims.input_feature, &dims.input_spatial)
        && first(dims.output_feature, &dims.output_spatial)
        && dims.feature_group_count == 1
        && dims.batch_group_count == 1
        && is_worth_copies(dims, result)
        && dims.output_spatial.last().is_some_and(|&d| result.dims[d] >= ROW)
}

/// Whether an operand is worth a copy in which the features that are read together lie in line.
pub fn is_worth_copies(dims: &ConvDims, result: &ArrayShape) -> bool {
    let window = dims.window.iter().fold(1i64, |n, w| n.saturating_mul(w.size));
    result.dims[dims.output_feature] >= MANY && window >= WINDOW
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Convolution(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, kernel] = operands[..] else { unreachable!("a convolution has two operands") };
    let spatial = dims.window.len();
    let with = |first: &[usize], places: &[usize], last: &[usize]| [first, places, last].concat();
    let x = b.transpose(x, &with(&[dims.input_batch], &dims.input_spatial, &[dims.input_feature]));
    let features = [dims.kernel_input_feature, dims.kernel_output_feature];
    let kernel = b.transpose(kernel, &with(&[], &dims.kernel_spatial, &features));
    // Read through its old order, window and features would be loops of their own, the innermost over a few features.
    let kernel = b.add(Opcode::OptimizationBarrier, &[kernel], Attrs::None);
    let places: Vec<usize> = (1..=spatial).collect();
    let last = ConvDims {
        window: dims.window.clone(),
        input_batch: 0,
        input_feature: spatial + 1,
        input_spatial: places.clone(),
        kernel_input_feature: spatial,
        kernel_output_feature: spatial + 1,
        kernel_spatial: (0..spatial).collect(),
        output_batch: 0,
        output_feature: spatial + 1,
        output_spatial: places,
        feature_group_count: 1,
        batch_group_count: 1,
    };
    // Where each dimension of the result comes from.
    let order = with(&[dims.output_batch], &dims.output_spatial, &[dims.output_feature]);
    let result = instr.shape.expect_array();
    let extents: Vec<i64> = order.iter().map(|&d| result.dims[d]).collect();
    let shape = Shape::array(result.dtype, extents);
    let attrs = Attrs::Convolution(Box::new(last));
    let product = b.add_shaped(Opcode::Convolution, shape, &[x, kernel], attrs);
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &d)| back[d] = at);
    b.transpose(product, &back)
}
