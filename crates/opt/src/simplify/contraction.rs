//! Transposes that a dot or a convolution can read through: their dimensions have names, so the array itself
//! need not move. And dots that sum nothing: elementwise work, which fuses where a product needs a kernel.

use super::query::{dims, made_by};
use super::{Rule, exact, in_mode};
use crate::options::Numerics;
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Instruction, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact(
        "dot-transpose",
        "dot(transpose(x), y) → dot(x, y) with the dimensions renamed, if those that are kept stay in order",
        &[Opcode::Dot],
        dot_transpose,
    ),
    in_mode(
        Numerics::Standard,
        exact(
            "dot-unit",
            "dot of one product for each element → broadcast(x) * broadcast(y) + 0",
            &[Opcode::Dot],
            dot_unit,
        ),
    ),
    exact(
        "convolution-transpose",
        "convolution(transpose(x), transpose(k)) → convolution(x, k) with the dimensions renamed",
        &[Opcode::Convolution],
        convolution_transpose,
    ),
    in_mode(
        Numerics::Standard,
        exact(
            "reduce-transpose",
            "reduce(transpose(x)) → reduce(x), if the dimensions that are kept stay in order",
            &[Opcode::Reduce],
            reduce_transpose,
        ),
    ),
];

/// The operand of a transpose, and its permutation.
fn transposed(b: &Builder<'_>, id: InstrId) -> Option<(InstrId, Vec<usize>)> {
    made_by(b, id, Opcode::Transpose).map(|t| (t.operands[0], dims(t).to_vec()))
}

/// Whether the dimensions other than these keep their order.
fn rest_stays(permutation: &[usize], named: &[&[usize]]) -> bool {
    let rest = (0..permutation.len()).filter(|d| !named.iter().any(|n| n.contains(d)));
    rest.map(|d| permutation[d]).is_sorted()
}

fn rename(permutation: &[usize], dims: &mut [usize]) {
    dims.iter_mut().for_each(|d| *d = permutation[*d]);
}

fn dot_transpose(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Dot(dot) = &instr.attrs else { return None };
    let mut dot = dot.clone();
    let mut operands = instr.operands.clone();
    for (n, operand) in operands.iter_mut().enumerate() {
        let (batch, contracting) = match n {
            0 => (&mut dot.lhs_batch, &mut dot.lhs_contracting),
            _ => (&mut dot.rhs_batch, &mut dot.rhs_contracting),
        };
        let Some((x, permutation)) = transposed(b, *operand) else { continue };
        if rest_stays(&permutation, &[batch, contracting]) {
            *operand = x;
            rename(&permutation, batch);
            rename(&permutation, contracting);
        }
    }
    let notes = instr.notes.clone();
    (operands != instr.operands).then(|| {
        let id = b.add_shaped(Opcode::Dot, instr.shape.clone(), &operands, Attrs::Dot(dot));
        b.get_mut(id).notes = notes;
        id
    })
}

/// In `strict` the product and the sum with 0 are one rounding: a product that is too small to be represented keeps its sign.
fn dot_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Dot(dot) = &instr.attrs else { return None };
    let [x, y] = instr.operands[..] else { return None };
    let shape = instr.shape.as_array()?.clone();
    let same_type = [x, y].iter().all(|&operand| b.array(operand).dtype == shape.dtype);
    if !same_type || shape.dtype.is_complex() || dot.lhs_contracting.iter().any(|&d| b.array(x).dims[d] != 1)
    {
        return None;
    }
    let free = b.array(x).rank() - dot.lhs_contracting.len();
    let x = spread(b, x, (&dot.lhs_batch, &dot.lhs_contracting), dot.lhs_batch.len(), &shape);
    let y = spread(b, y, (&dot.rhs_batch, &dot.rhs_contracting), free, &shape);
    if shape.dtype.is_pred() {
        return Some(b.binary(Opcode::And, x, y));
    }
    let product = b.binary(Opcode::Multiply, x, y);
    if !shape.dtype.is_float() {
        return Some(product);
    }
    let zero = b.splat(&shape, Scalar::Float(0.0));
    Some(b.binary(Opcode::Add, product, zero))
}

/// An operand of a dot without its contracting dimensions, broadcast to the result, in which its free dimensions come from
/// `first` on.
fn spread(
    b: &mut Builder<'_>,
    operand: InstrId,
    (batch, contracting): (&[usize], &[usize]),
    first: usize,
    result: &ArrayShape,
) -> InstrId {
    let mut free = first..;
    let (mut extents, mut places) = (Vec::new(), Vec::new());
    for (d, &extent) in b.array(operand).dims.iter().enumerate().filter(|(d, _)| !contracting.contains(d)) {
        extents.push(extent);
        places.extend(batch.iter().position(|&at| at == d).or_else(|| free.next()));
    }
    let operand = b.reshape(operand, &extents);
    b.broadcast(operand, &result.dims, &places)
}

fn convolution_transpose(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Convolution(conv) = &instr.attrs else { return None };
    let mut conv = conv.clone();
    let mut operands = instr.operands.clone();
    if let Some((x, permutation)) = transposed(b, operands[0]) {
        operands[0] = x;
        rename(&permutation, &mut conv.input_spatial);
        conv.input_batch = permutation[conv.input_batch];
        conv.input_feature = permutation[conv.input_feature];
    }
    if let Some((k, permutation)) = transposed(b, operands[1]) {
        operands[1] = k;
        rename(&permutation, &mut conv.kernel_spatial);
        conv.kernel_input_feature = permutation[conv.kernel_input_feature];
        conv.kernel_output_feature = permutation[conv.kernel_output_feature];
    }
    let notes = instr.notes.clone();
    (operands != instr.operands).then(|| {
        let attrs = Attrs::Convolution(conv);
        let id = b.add_shaped(Opcode::Convolution, instr.shape.clone(), &operands, attrs);
        b.get_mut(id).notes = notes;
        id
    })
}

/// Which elements go into each result stays; their order does not.
fn reduce_transpose(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Reduce { dims, to_apply } = &instr.attrs else { return None };
    let [x, init] = instr.operands[..] else { return None };
    b.module[*to_apply].as_simple_binary()?;
    let (x, permutation) = transposed(b, x)?;
    if !rest_stays(&permutation, &[dims]) {
        return None;
    }
    let mut dims = dims.clone();
    rename(&permutation, &mut dims);
    dims.sort_unstable();
    let attrs = Attrs::Reduce { dims, to_apply: *to_apply };
    Some(b.add_shaped(Opcode::Reduce, instr.shape.clone(), &[x, init], attrs))
}
