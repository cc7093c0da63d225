//! A `convolution` of a padded input becomes one of an input that was padded before.
//!
//! ```text
//! c = f32[n,h,w,o] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
//! →
//! p = f32[n,h+2,w+2,i] pad(x, 0), padding=0_0x1_1x1_1x0_0
//! c = f32[n,h,w,o] convolution(p, k), window={size=3x3}, dim_labels=b01f_01io->b01f
//! ```
//!
//! Every element is read for many results: once for each place of the window and each output feature. Without padding the
//! reads need no masks, and those of a row of the window lie in line; the copy costs one pass over the input. Padding is
//! zeros that take part in the sums, so that the values are the same to the bit. Units that multiply matrices gather windows on their
//! way to shared memory, where a piece that is padding costs no read.

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::{ConvDims, PadDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander = Expander {
    name: "padded-convolution",
    purpose: Purpose::FormOfVectors,
    applies,
    helpers: no_helpers,
    expand,
};

/// From so many output features on a pass over the input is little beside the products.
const MANY: i64 = 8;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Convolution(dims) = &instr.attrs else { return false };
    let plain = dims.window.iter().all(|w| w.base_dilation == 1 && w.pad_low >= 0 && w.pad_high >= 0);
    let padded = dims.window.iter().any(|w| w.pad_low + w.pad_high > 0);
    let input = comp.operand(instr, 0).shape.as_array();
    plain
        && padded
        && dims.feature_group_count == 1
        && dims.batch_group_count == 1
        && input.is_some_and(|a| !a.dims.contains(&0) && !a.dtype.is_complex())
        && instr.shape.as_array().is_some_and(|a| a.dims[dims.output_feature] >= MANY)
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Convolution(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, kernel] = operands[..] else { unreachable!("a convolution has two operands") };
    let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; b.array(x).rank()];
    let mut dims: Box<ConvDims> = dims.clone();
    for (w, &d) in dims.window.iter_mut().zip(&dims.input_spatial) {
        padding[d] = PadDim { low: w.pad_low, high: w.pad_high, interior: 0 };
        (w.pad_low, w.pad_high) = (0, 0);
    }
    let zero = make::scalar(b, b.array(x).dtype, 0);
    let padded = b.add(Opcode::Pad, &[x, zero], Attrs::Pad(padding));
    b.add_shaped(Opcode::Convolution, instr.shape.clone(), &[padded, kernel], Attrs::Convolution(dims))
}
