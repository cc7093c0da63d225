//! Loops, branches, calls, tuples and barriers.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

/// `while`: values that its regions use from outside become part of its state.
pub fn while_loop<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let mut state = f.operands(op)?;
    let (condition, body) = (f.region(op, 0)?, f.region(op, 1)?);
    let captures = f.captures([condition, body]);
    for &value in &captures {
        state.push(f.value(op, value)?);
    }
    let all = state.len();
    let state = f.pack(&state);
    let condition = f.state(op, condition, ("condition", &captures, false))?;
    let body = f.state(op, body, ("body", &captures, true))?;
    let end = f.add(op, opcode, &[state], Attrs::While { condition, body })?;
    if captures.is_empty() {
        return Ok(end);
    }
    let mut parts = Vec::with_capacity(op.results.len());
    for i in 0..all - captures.len() {
        parts.push(f.add(op, Opcode::GetTupleElement, &[end], Attrs::TupleIndex(i))?);
    }
    Ok(f.pack(&parts))
}

/// `if` and `case`: each branch is given what it uses from outside.
pub fn branches<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [selector] = f.exactly(op)?;
    let mut operands = vec![selector];
    let mut branches = Vec::with_capacity(op.regions.len());
    for region in &op.regions {
        let captures = f.captures([region]);
        let mut given = Vec::with_capacity(captures.len());
        for &value in &captures {
            given.push(f.value(op, value)?);
        }
        operands.push(f.pack(&given));
        branches.push(f.state(op, region, ("branch", &captures, false))?);
    }
    let predicated = op.short_name() == "if";
    f.add(op, opcode, &operands, Attrs::Conditional { branches, predicated })
}

pub fn call<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    let callee = f.attr(op, "callee", |a| a.as_str().map(str::to_string))?;
    call_of(f, op, &callee)
}

/// A call of the function of that name.
pub fn call_of<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, callee: &str) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let to_apply = f.cx.callee(callee, op.place)?;
    f.add(op, Opcode::Call, &operands, Attrs::Call { to_apply, is_composite: false })
}

pub fn barrier<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let all = f.pack(&operands);
    f.add(op, opcode, &[all], Attrs::None)
}

pub fn tuple<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    f.add(op, opcode, &operands, Attrs::None)
}

pub fn get_tuple_element<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let index = f.dim(op, "index")?;
    f.add(op, opcode, &operands, Attrs::TupleIndex(index))
}

/// Tokens: `after_all` and `create_token`.
pub fn token<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    f.add_shaped(op, opcode, Shape::Token, &operands, Attrs::None)
}

/// What changes nothing on one device: shardings and casts between the types of dialects.
pub fn identity<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    Ok(f.pack(&operands))
}

/// `sdy.manual_computation`: on one device the parts are the whole, so its region is computed in place.
pub fn inlined<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let region = f.region(op, 0)?;
    if region.args.len() != operands.len() {
        return Err(f.wrong(op, "passes another number of values than its region takes"));
    }
    for (&arg, &operand) in region.args.iter().zip(&operands) {
        match f.declared(arg) {
            Ok(shape) if shape.same(f.body.shape(operand)) => f.know(arg, operand),
            _ => return Err(f.unsupported(op, "several devices are not supported")),
        }
    }
    let results = f.ops(region)?;
    Ok(f.pack(&results))
}

/// `composite`: the operation itself where Lawson has it, else its decomposition.
pub fn composite<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    let name = f.attr(op, "name", |a| a.as_str().map(str::to_string))?;
    if let Some(whole) = super::chlo::whole(f, op, &name)? {
        return Ok(whole);
    }
    let decomposition = f.attr(op, "decomposition", |a| a.as_str().map(str::to_string))?;
    call_of(f, op, &decomposition)
}

/// Attributes of a composite are in a dictionary.
pub fn composite_attr<'a>(op: &'a Op, name: &str) -> Option<&'a Attr> {
    op.attr("composite_attributes").and_then(|d| d.get(name)).or_else(|| op.attr(name))
}
