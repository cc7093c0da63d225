//! Evaluates operations on constants.
//!
//! ```text
//! a = s32[2] constant({1, 2})
//! b = s32[2] constant({3, 4})      →   ROOT c = s32[2] constant({4, 6})
//! ROOT c = s32[2] add(a, b)
//! ```
//!
//! A result whose elements are all equal becomes a broadcast scalar. Broadcasts and iotas cost nothing inside a
//! kernel, so they count as constants only while they are tiny. Nothing above 64 KiB is made and nothing above
//! 10^6 element operations is run.

use crate::effects::is_random;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite_owned};
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Instruction, Literal, Module, Opcode, Value, eval};

const MAX_BYTES: i64 = 64 << 10;
const MAX_OPERATIONS: i64 = 1_000_000;
/// Up to here a broadcast or iota may be folded into what uses it.
const TINY: i64 = 16;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, comp, _| {
        // The value of each new instruction, where it is known.
        let mut known: Vec<Option<Value>> = Vec::new();
        cx.worked(comp.instrs.len());
        rewrite_owned(new.module, comp, |b, _, instr, operands| {
            catch_up(&mut known, b);
            if is_generator(instr) || instr.opcode == Opcode::Constant {
                return None;
            }
            // Moving a generator about is better left to the rules, which keep it a generator.
            let generators = operands.iter().all(|&o| is_generator(b.get(o)));
            if generators && instr.opcode.class() == Class::Movement {
                return None;
            }
            let value = evaluate(b.module, instr, operands, &known)?;
            let literal = value.as_array()?;
            cx.fuel("fold").then(|| materialise(b, literal))
        })
    });
    changed.into()
}

/// Brings `known` up to the instructions added since: constants and tiny generators are known.
fn catch_up(known: &mut Vec<Option<Value>>, b: &Builder<'_>) {
    for i in known.len()..b.len() {
        let instr = b.get(InstrId(i as u32));
        known.push(match &instr.attrs {
            Attrs::Constant(value) => value.clone(),
            _ if is_generator(instr) => evaluate(b.module, instr, &instr.operands, known),
            _ => None,
        });
    }
}

/// The value of the instruction, if all its operands are known and it is worth computing.
fn evaluate(
    module: &Module,
    instr: &Instruction,
    operands: &[InstrId],
    known: &[Option<Value>],
) -> Option<Value> {
    let shape = instr.shape.as_array()?;
    if !may_fold(instr) || shape.bytes() > MAX_BYTES || (is_generator(instr) && shape.elements() > TINY) {
        return None;
    }
    let values: Vec<Value> = operands.iter().map(|o| known[o.index()].clone()).collect::<Option<_>>()?;
    if operations(module, instr, shape, &values)? > MAX_OPERATIONS {
        return None;
    }
    eval::evaluate_instruction(module, instr, &values).ok()
}

fn is_generator(instr: &Instruction) -> bool {
    matches!(instr.opcode, Opcode::Broadcast | Opcode::Iota)
}

fn may_fold(instr: &Instruction) -> bool {
    let kind = match instr.opcode.class() {
        Class::Structure => instr.opcode == Opcode::GetTupleElement,
        Class::Control | Class::Library | Class::Communication => false,
        _ => true,
    };
    kind && !is_random(instr) && !instr.has_side_effect()
}

/// An upper bound of the element operations to evaluate the instruction; `None` on overflow.
fn operations(module: &Module, instr: &Instruction, shape: &ArrayShape, operands: &[Value]) -> Option<i64> {
    let n = shape.checked_elements()?;
    let size = |i: usize| Some(operands.get(i)?.as_array()?.elements() as i64);
    let bodies: i64 = instr.attrs.called().into_iter().map(|c| module[c].instrs.len() as i64).sum();
    let each = match (&instr.attrs, instr.opcode) {
        (Attrs::Dot(dims), _) => {
            let lhs = operands.first()?.as_array()?.dims();
            return n.checked_mul(dims.lhs_contracting.iter().map(|&d| lhs[d]).product());
        }
        (Attrs::Convolution(_), _) => return n.checked_mul(size(1)?),
        (Attrs::ReduceWindow { window, .. } | Attrs::SelectAndScatter { window, .. }, _) => {
            n.max(size(0)?).checked_mul(window.iter().map(|w| w.size).product())?
        }
        (_, Opcode::Sort) => return n.checked_mul(bodies)?.checked_mul(64 - n.leading_zeros() as i64),
        _ => operands.iter().filter_map(Value::as_array).map(|l| l.elements() as i64).fold(n, i64::max),
    };
    each.checked_mul(bodies.max(1))
}

/// A constant; a broadcast scalar if all elements are the same.
fn materialise(b: &mut Builder<'_>, literal: &Literal) -> InstrId {
    match literal.splat_value() {
        Some(_) if literal.elements() > 1 => {
            let scalar = b.constant(literal.element(0));
            b.broadcast(scalar, literal.dims(), &[])
        }
        _ => b.constant(literal.clone()),
    }
}
