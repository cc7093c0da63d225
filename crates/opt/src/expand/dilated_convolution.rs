//! A `convolution` of an input that is spread out, as in the gradient of one with a stride, becomes one for each place between
//! its elements.
//!
//! ```text
//! c = f32[n,2*h,i] convolution(x, k), window={size=3 pad=1_2 lhs_dilate=2}, dim_labels=b0f_0io->b0f
//! →
//! a = f32[n,h,i] convolution(x, k[1:2]), window={size=1}, …              even places meet the kernel's second element
//! b = f32[n,h,i] convolution(x, k[0:3:2]), window={size=2 pad=0_1}, …    odd ones the first and the third
//! c = [a[0], b[0], a[1], b[1], …]
//! ```
//!
//! Of the elements that a window covers only those of the input are multiplied: with a stride of s along two dimensions one of
//! s². The others are zeros, which change no sum that holds numbers but the sign of a zero; so not in `strict`.

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::{ConvDims, SliceDim, WindowDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "dilated-convolution", purpose: Purpose::Order, applies, helpers: no_helpers, expand };

/// The most places between elements: each has a convolution of its own.
const MOST_PLACES: i64 = 16;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Convolution(dims) = &instr.attrs else { return false };
    let places: i64 = dims.window.iter().map(|w| w.base_dilation).product();
    let shapes = [Some(instr), Some(comp.operand(instr, 0)), Some(comp.operand(instr, 1))];
    let filled = |i: Option<&Instruction>| {
        i.and_then(|i| i.shape.as_array()).is_some_and(|a| !a.dims.contains(&0) && !a.dtype.is_complex())
    };
    (2..=MOST_PLACES).contains(&places)
        && dims.window.iter().all(|w| w.stride == 1 && w.window_dilation == 1)
        && dims.feature_group_count == 1
        && dims.batch_group_count == 1
        && shapes.into_iter().all(filled)
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Convolution(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, kernel] = operands[..] else { unreachable!("a convolution has two operands") };
    let mut each = Vec::new();
    interleaved(b, instr, dims, [x, kernel], &mut each)
}

/// The places along the first dimensions that were chosen, `each` of them a remainder: all along the next one, put between
/// each other.
fn interleaved(
    b: &mut Builder<'_>,
    instr: &Instruction,
    dims: &ConvDims,
    [x, kernel]: [InstrId; 2],
    each: &mut Vec<i64>,
) -> InstrId {
    let Some(w) = dims.window.get(each.len()) else { return at_places(b, instr, dims, [x, kernel], each) };
    let (along, places) = (dims.output_spatial[each.len()], w.base_dilation);
    let mut parts = Vec::new();
    for place in 0..places {
        each.push(place);
        parts.push(interleaved(b, instr, dims, [x, kernel], each));
        each.pop();
    }
    if places == 1 {
        return parts[0];
    }
    let shape = b.array(parts[0]).dims.clone();
    let mut apart = shape.clone();
    apart.insert(along + 1, 1);
    let parts: Vec<InstrId> = parts.into_iter().map(|part| b.reshape(part, &apart)).collect();
    let all = b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![along + 1]));
    let mut joined = shape;
    joined[along] *= places;
    let all = b.reshape(all, &joined);
    let wanted = instr.shape.expect_array().dims[along];
    if wanted == joined[along] { all } else { make::slice(b, all, along, 0, wanted) }
}

/// The results at one place along each dimension: those that meet these elements of the kernel.
fn at_places(
    b: &mut Builder<'_>,
    instr: &Instruction,
    dims: &ConvDims,
    [mut x, mut kernel]: [InstrId; 2],
    each: &[i64],
) -> InstrId {
    let mut dims = dims.clone();
    let mut result = instr.shape.expect_array().clone();
    let whole = |b: &Builder<'_>, id: InstrId| -> Vec<SliceDim> {
        b.array(id).dims.iter().map(|&limit| SliceDim { start: 0, limit, stride: 1 }).collect()
    };
    let (mut of_kernel, mut of_x) = (whole(b, kernel), whole(b, x));
    let mut empty = false;
    for (n, &place) in each.iter().enumerate() {
        let w = dims.window[n];
        let apart = w.base_dilation;
        let along = dims.output_spatial[n];
        let results = (result.dims[along] + apart - 1) / apart;
        result.dims[along] = results;
        // The elements of the window that lie on elements of the input, and where the first of them lies.
        let first = (w.pad_low - place).rem_euclid(apart);
        let size = (w.size - first + apart - 1) / apart;
        let low = (w.pad_low - place - first) / apart;
        let extent = b.array(x).dims[dims.input_spatial[n]];
        let high = results + size - 1 - extent - low;
        // What lies before the first window, or behind the last one, is read by none.
        let seen = SliceDim { start: (-low).max(0), limit: extent + high.min(0), stride: 1 };
        if size <= 0 || seen.start >= seen.limit {
            empty = true;
            continue;
        }
        of_x[dims.input_spatial[n]] = seen;
        let start = if w.reversal { w.size - 1 - first - apart * (size - 1) } else { first };
        let limit = start + apart * (size - 1) + 1;
        of_kernel[dims.kernel_spatial[n]] = SliceDim { start, limit, stride: apart };
        let (pad_low, pad_high) = (low.max(0), high.max(0));
        dims.window[n] = WindowDim { size, pad_low, pad_high, base_dilation: 1, ..w };
    }
    if empty {
        return make::splat(b, &result, 0);
    }
    kernel = b.add(Opcode::Slice, &[kernel], Attrs::Slice(of_kernel));
    x = b.add(Opcode::Slice, &[x], Attrs::Slice(of_x));
    b.add_shaped(Opcode::Convolution, Shape::Array(result), &[x, kernel], Attrs::Convolution(Box::new(dims)))
}
