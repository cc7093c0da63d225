//! Broadcasts, reshapes and transposes move down through elementwise operations, towards where they meet others of
//! their kind or vanish into an index map.

use super::query::{dims, made_by, splat, through};
use super::{On, Rule, exact};
use crate::options::Numerics;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Literal, Opcode, Shape, Value};

pub const RULES: &[Rule] = &[
    exact(
        "constant-splat",
        "constant({c, c, …}) → broadcast(constant(c))",
        &[Opcode::Constant],
        constant_splat,
    ),
    Rule {
        name: "sink-broadcast",
        what: "op(broadcast(x), broadcast(y)) → broadcast(op(x, y))",
        on: On::Elementwise,
        mode: Numerics::Strict,
        apply: sink_broadcast,
    },
    Rule {
        name: "sink-reshape",
        what: "op(reshape(x), reshape(y)) → reshape(op(x, y))",
        on: On::Elementwise,
        mode: Numerics::Strict,
        apply: sink_reshape,
    },
    exact(
        "sink-reshape-bits",
        "bitcast-convert(reshape(x)) of elements of one width → reshape(bitcast-convert(x))",
        &[Opcode::BitcastConvert],
        sink_reshape_bits,
    ),
    Rule {
        name: "sink-transpose",
        what: "op(transpose(x), transpose(y), broadcast(z)) → transpose(op(x, y, broadcast(z)))",
        on: On::Elementwise,
        mode: Numerics::Strict,
        apply: sink_transpose,
    },
];

fn constant_splat(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Constant(Some(Value::Array(literal))) = &instr.attrs else { return None };
    splat_constant(b, literal)
}

/// The literal as a broadcast scalar, if it has several elements and they are equal.
pub fn splat_constant(b: &mut Builder<'_>, literal: &Literal) -> Option<InstrId> {
    literal.splat_value().filter(|_| literal.elements() > 1)?;
    let scalar = b.constant(literal.element(0));
    Some(b.broadcast(scalar, literal.dims(), &[]))
}

/// Scalar constants fit any broadcast; all others must be broadcast alike.
fn sink_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    if instr.opcode == Opcode::Map || instr.operands.is_empty() {
        return None;
    }
    let result = instr.shape.as_array()?.clone();
    let model = *instr
        .operands
        .iter()
        .find(|&&o| made_by(b, o, Opcode::Broadcast).is_some() && splat(b, o).is_none())
        .or(instr.operands.iter().find(|&&o| made_by(b, o, Opcode::Broadcast).is_some()))?;
    let inner = b.array(b.get(model).operands[0]).dims.clone();
    let mapping = dims(b.get(model)).to_vec();
    let mut operands = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        let source = b.get(o).clone();
        let broadcast = source.opcode == Opcode::Broadcast;
        if broadcast && dims(&source) == mapping {
            operands.push(source.operands[0]);
        } else if broadcast && dims(&source).is_empty() {
            operands.push(b.broadcast(source.operands[0], &inner, &[]));
        } else if b.shape(o).as_array().is_some_and(|a| a.is_scalar()) {
            // Bounds of clamp and predicates of select may be scalars.
            operands.push(o);
        } else {
            return None;
        }
    }
    let small = same_operation(b, instr, &inner, &operands);
    Some(b.broadcast(small, &result.dims, &mapping))
}

/// All operands must come from one shape; constants fit any.
fn sink_reshape(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    if instr.opcode == Opcode::Map {
        return None;
    }
    let result = instr.shape.as_array()?.clone();
    let reshaped = |b: &Builder<'_>, o: InstrId| through(b, o, Opcode::Reshape);
    let model = instr.operands.iter().find_map(|&o| reshaped(b, o))?;
    let inner = b.array(model).dims.clone();
    let mut operands = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        let scalar_operand = b.array(o).is_scalar() && !result.is_scalar();
        let below = if b.get(o).opcode == Opcode::Broadcast { b.get(o).operands[0] } else { o };
        if let Some(x) = reshaped(b, o).filter(|&x| b.array(x).dims == inner) {
            operands.push(x);
        } else if scalar_operand {
            operands.push(o);
        } else if b.array(below).is_scalar() && splat(b, o).is_some() {
            operands.push(b.broadcast(below, &inner, &[]));
        } else {
            return None;
        }
    }
    let moved = same_operation(b, instr, &inner, &operands);
    Some(b.reshape(moved, &result.dims))
}

fn sink_reshape_bits(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let result = instr.shape.as_array()?.clone();
    let x = through(b, *instr.operands.first()?, Opcode::Reshape)?;
    let source = b.array(x).clone();
    (source.dtype.bits() == result.dtype.bits()).then(|| {
        let shape = Shape::Array(source.with_dtype(result.dtype));
        let moved = b.add_shaped(Opcode::BitcastConvert, shape, &[x], instr.attrs.clone());
        b.reshape(moved, &result.dims)
    })
}

/// All transposes must be alike; broadcasts and counters fit any that keeps the order of their dimensions.
fn sink_transpose(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    if instr.opcode == Opcode::Map {
        return None;
    }
    let model = instr.operands.iter().find_map(|&o| made_by(b, o, Opcode::Transpose))?.clone();
    let permutation = dims(&model);
    let inner = b.array(model.operands[0]).dims.clone();
    let mut operands = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        let source = b.get(o).clone();
        operands.push(match (source.opcode, &source.attrs) {
            (Opcode::Transpose, _) if dims(&source) == permutation => source.operands[0],
            (Opcode::Broadcast, _) => {
                let mapping: Vec<usize> = dims(&source).iter().map(|&d| permutation[d]).collect();
                if !mapping.is_sorted() {
                    return None;
                }
                b.broadcast(source.operands[0], &inner, &mapping)
            }
            (Opcode::Iota, &Attrs::Iota(dim)) => {
                let shape = Shape::array(b.array(o).dtype, &inner[..]);
                b.add_shaped(Opcode::Iota, shape, &[], Attrs::Iota(permutation[dim]))
            }
            _ if b.shape(o).as_array().is_some_and(|a| a.is_scalar()) => o,
            _ => return None,
        });
    }
    let moved = same_operation(b, instr, &inner, &operands);
    Some(b.transpose(moved, permutation))
}

/// The operation of `instr` on operands of other extents.
fn same_operation(b: &mut Builder<'_>, instr: &Instruction, dims: &[i64], operands: &[InstrId]) -> InstrId {
    let shape = Shape::array(instr.shape.expect_array().dtype, dims);
    let new = b.add_shaped(instr.opcode, shape, operands, instr.attrs.clone());
    b.get_mut(new).notes = instr.notes.clone();
    new
}
