//! Opcodes and operands: names, `x#1`, shapes before them, and nested operations.
//!
//! Nested operations are kept on a stack of their own, so nesting costs no call stack.

use super::Parser;
use super::body::Body;
use super::{literal, shape};
use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::instruction::Instruction;
use crate::literal::Value;
use crate::opcode::Opcode;
use crate::shape::Shape;
use crate::text::MAX_NESTING;
use crate::text::cursor::{Cursor, too_deep};
use crate::text::error::{Fault, Parsed};
use crate::text::nearest::nearest;
use std::ops::Range;

/// An operation up to its closing parenthesis.
pub(super) struct Call<'t> {
    pub start: usize,
    pub shape: Option<Shape>,
    pub opcode: Opcode,
    /// The opcode as the text has it: another than `opcode` for `add-start` and the like.
    pub word: &'t str,
    pub opcode_span: Range<usize>,
    pub operands: Vec<InstrId>,
    pub payload: Payload,
}

/// What stands between the parentheses.
pub(super) enum Payload {
    Operands,
    Parameter(usize),
    Constant(Option<Value>),
}

impl<'t> Parser<'t> {
    /// Reads `opcode(operands)`.
    pub(super) fn call(&mut self, body: &mut Body<'t>, shape: Option<Shape>) -> Parsed<Call<'t>> {
        let mut outer: Vec<Call<'t>> = Vec::new();
        let mut call = self.begin_call(shape)?;
        let mut after_operand = false;
        loop {
            if !matches!(call.payload, Payload::Operands) {
                self.cur.expect(b')', "after the value")?;
            } else if !self.cur.eat(b')') {
                if after_operand && !self.cur.eat(b',') {
                    return Err(self.cur.unexpected("`,` or `)` after an operand"));
                }
                self.cur.blank();
                let start = self.cur.pos;
                let shape = shape::optional(&mut self.cur)?;
                if !begins_call(&self.cur) {
                    let operand = self.reference(body, shape, start)?;
                    call.operands.push(operand);
                    after_operand = true;
                    continue;
                }
                if outer.len() == MAX_NESTING {
                    return Err(too_deep(start));
                }
                outer.push(std::mem::replace(&mut call, self.begin_call(shape)?));
                after_operand = false;
                continue;
            }
            let Some(parent) = outer.pop() else { return Ok(call) };
            let nested = std::mem::replace(&mut call, parent);
            call.operands.push(self.add(body, "", nested, Vec::new())?);
            after_operand = true;
        }
    }

    /// Reads `opcode(`, and what parameters and constants hold.
    fn begin_call(&mut self, shape: Option<Shape>) -> Parsed<Call<'t>> {
        self.cur.blank();
        let start = self.cur.pos;
        let word = self.cur.identifier(if shape.is_some() { "an opcode" } else { "a shape or an opcode" })?;
        let opcode_span = start..self.cur.pos;
        let Some(opcode) = Opcode::from_name(word).or_else(|| async_sugar(word)) else {
            return Err(unknown_opcode(word, opcode_span));
        };
        self.cur.expect(b'(', "after the opcode")?;
        let payload = match opcode {
            Opcode::Parameter => Payload::Parameter(self.cur.index("a parameter number")?),
            Opcode::Constant => {
                let Some(shape) = &shape else {
                    return Err(Fault::new(opcode_span, "a constant needs a shape")
                        .expected("a shape before `constant`"));
                };
                Payload::Constant(literal::value(&mut self.cur, shape, &mut self.filled_bytes)?)
            }
            _ => Payload::Operands,
        };
        Ok(Call { start, shape, opcode, word, opcode_span, operands: Vec::new(), payload })
    }

    /// Reads `name` or `name#1#0`, the shape before it already read.
    fn reference(&mut self, body: &mut Body<'t>, shape: Option<Shape>, start: usize) -> Parsed<InstrId> {
        let nameless = body.lone && shape.is_some() && matches!(self.cur.peek(), Some(b',' | b')'));
        let (name, span) = if nameless { ("", start..self.cur.pos) } else { self.cur.name("an operand")? };
        let mut id = match (body.names.get(name), &shape) {
            (Some(&id), _) => id,
            (None, Some(shape)) if body.lone => {
                return Ok(self.free_parameter(body, name, shape.clone(), start));
            }
            (None, None) if body.lone => {
                return Err(Fault::new(span, format!("the operand `{name}` needs a shape")));
            }
            (None, _) => return Err(Fault::new(span, format!("no instruction `{name}` before this one"))),
        };
        while self.cur.eat(b'#') {
            let index = self.cur.index("the index of a tuple element")?;
            id = self.element(body, id, index, start)?;
        }
        if let Some(given) = shape {
            let defined = &body.instrs[id.index()].shape;
            if !given.same(defined) {
                let span = start..self.cur.pos;
                return Err(Fault::new(span, format!("`{name}` has the shape {defined}, not {given}")));
            }
        }
        Ok(id)
    }

    /// The get-tuple-element that `x#index` stands for; made once.
    fn element(&mut self, body: &mut Body<'t>, tuple: InstrId, index: usize, at: usize) -> Parsed<InstrId> {
        if let Some(&id) = body.elements.get(&(tuple, index)) {
            return Ok(id);
        }
        let shape = match &body.instrs[tuple.index()].shape {
            Shape::Tuple(parts) if index < parts.len() => parts[index].clone(),
            other => return Err(Fault::new(at..self.cur.pos, format!("{other} has no element {index}"))),
        };
        let opcode = Opcode::GetTupleElement;
        let id = self.made(body, "", opcode, shape, vec![tuple], Attrs::TupleIndex(index), at);
        body.elements.insert((tuple, index), id);
        Ok(id)
    }

    /// The parameter that an undefined operand of a lone instruction becomes.
    fn free_parameter(&mut self, body: &mut Body<'t>, name: &'t str, shape: Shape, at: usize) -> InstrId {
        let number = body.free_parameters;
        body.free_parameters += 1;
        let id = self.made(body, name, Opcode::Parameter, shape, Vec::new(), Attrs::Parameter(number), at);
        if !name.is_empty() {
            body.names.insert(name, id);
        }
        id
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn made(
        &mut self,
        body: &mut Body<'t>,
        name: &str,
        opcode: Opcode,
        shape: Shape,
        operands: Vec<InstrId>,
        attrs: Attrs,
        at: usize,
    ) -> InstrId {
        let origin = self.source(&body.name().clone(), &name.into(), at, None);
        body.push(Instruction::new(name, opcode, shape, operands, attrs, origin))
    }
}

/// A bare word with a parenthesis after it.
fn begins_call(cur: &Cursor<'_>) -> bool {
    let mut ahead = cur.clone();
    ahead.peek() != Some(b'%') && ahead.word().is_some() && ahead.peek() == Some(b'(')
}

/// `add-start`, `add-update`, `add-done`: asynchronous forms of an operation.
fn async_sugar(word: &str) -> Option<Opcode> {
    let (base, stage) = word.rsplit_once('-')?;
    let opcode = match stage {
        "start" => Opcode::AsyncStart,
        "update" => Opcode::AsyncUpdate,
        "done" => Opcode::AsyncDone,
        _ => return None,
    };
    Opcode::from_name(base).map(|_| opcode)
}

fn unknown_opcode(word: &str, span: Range<usize>) -> Fault {
    if word == "msm" {
        return Fault::new(
            span,
            "multi-scalar multiplication is not supported, since points on curves are not",
        );
    }
    let fault = Fault::new(span, format!("unknown opcode `{word}`"));
    match nearest(word, Opcode::ALL.iter().map(|op| op.name())) {
        Some(name) => fault.expected(format!("perhaps `{name}`")),
        None => fault,
    }
}
