//! The instructions of a computation, inline bodies included.
//!
//! An inline body (`to_apply={ … }`) suspends the instruction it belongs to; suspended bodies are kept on a
//! stack of their own, so nesting costs no call stack.

use super::attrs;
use super::fields::{Fields, RawAttr, RawValue};
use super::notes;
use super::operands::{Call, Payload};
use super::{Parser, shape};
use crate::attrs::Attrs;
use crate::ids::{CompId, InstrId};
use crate::infer;
use crate::instruction::Instruction;
use crate::module::{Computation, Module};
use crate::opcode::Opcode;
use crate::shape::Shape;
use crate::text::cursor::too_deep;
use crate::text::error::{Fault, Parsed};
use crate::text::{MAX_NESTING, names_computations, names_several};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// The most parts that the inferred tuple shapes of a module may have together.
const MAX_INFERRED_PARTS: usize = 1 << 24;

/// A computation being read.
pub(super) struct Body<'t> {
    /// Empty for an inline body until the module ends.
    name: Arc<str>,
    pub instrs: Vec<Instruction>,
    pub names: FxHashMap<&'t str, InstrId>,
    /// The get-tuple-element instructions made for `x#1`.
    pub elements: FxHashMap<(InstrId, usize), InstrId>,
    root: Option<InstrId>,
    /// The instruction whose attributes are being read.
    open: Option<Open<'t>>,
    /// The text is this one instruction: operands that are not defined become parameters.
    pub lone: bool,
    /// How many operands of a lone instruction became parameters.
    pub free_parameters: usize,
}

/// An instruction up to its operands, and the attributes read so far.
struct Open<'t> {
    is_root: bool,
    name: &'t str,
    call: Call<'t>,
    attrs: Vec<RawAttr<'t>>,
    /// The attribute whose computations are being read.
    calls: Option<CallList<'t>>,
}

struct CallList<'t> {
    key: &'t str,
    key_span: Range<usize>,
    braced: bool,
    ids: Vec<CompId>,
}

impl<'t> Body<'t> {
    pub fn named(name: &str) -> Body<'t> {
        Body {
            name: name.into(),
            instrs: Vec::new(),
            names: FxHashMap::default(),
            elements: FxHashMap::default(),
            root: None,
            open: None,
            lone: false,
            free_parameters: 0,
        }
    }

    pub fn around_one(name: &str) -> Body<'t> {
        Body { lone: true, ..Body::named(name) }
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Appends an instruction. An unnamed one is named when the body ends and all names are known.
    pub fn push(&mut self, instr: Instruction) -> InstrId {
        self.instrs.push(instr);
        InstrId(self.instrs.len() as u32 - 1)
    }
}

impl<'t> Parser<'t> {
    /// Reads instructions up to and including the closing brace (a lone instruction has none).
    pub(super) fn body(&mut self, first: Body<'t>) -> Parsed<CompId> {
        let mut outer: Vec<Body<'t>> = Vec::new();
        let mut body = first;
        loop {
            if let Some(mut open) = body.open.take() {
                if self.attributes(&mut open)? {
                    self.finish_instruction(&mut body, open)?;
                    if body.lone {
                        return self.finish_body(body, None);
                    }
                } else {
                    if outer.len() == MAX_NESTING {
                        return Err(too_deep(self.cur.pos - 1));
                    }
                    body.open = Some(open);
                    outer.push(std::mem::replace(&mut body, Body::named("")));
                }
            } else if !body.lone && self.cur.eat(b'}') {
                let Some(mut parent) = outer.pop() else { return self.finish_body(body, None) };
                let wanted = parent.open.as_ref().map(Open::wanted_name);
                let id = self.finish_body(body, wanted)?;
                if let Some(open) = &mut parent.open {
                    self.called(open, id)?;
                }
                body = parent;
            } else {
                body.open = Some(self.instruction(&mut body)?);
            }
        }
    }

    /// `[ROOT] name = [shape] opcode(operands)`.
    fn instruction(&mut self, body: &mut Body<'t>) -> Parsed<Open<'t>> {
        self.cur.blank();
        let start = self.cur.pos;
        let is_root = self.cur.eat_word("ROOT");
        if is_root && body.root.is_some() {
            return Err(Fault::new(start..start + 4, "a second ROOT in this computation"));
        }
        let unnamed = body.lone && {
            let mut ahead = self.cur.clone();
            ahead.name("").is_err() || !ahead.eat(b'=')
        };
        let name = if unnamed {
            ""
        } else {
            let (name, span) = self.cur.name("an instruction or `}`")?;
            if body.names.contains_key(name) {
                return Err(Fault::new(span, format!("a second instruction `{name}`")));
            }
            self.cur.expect(b'=', "after the name of an instruction")?;
            name
        };
        let shape = shape::optional(&mut self.cur)?;
        let mut call = self.call(body, shape)?;
        call.start = start;
        Ok(Open { is_root, name, call, attrs: Vec::new(), calls: None })
    }

    /// Reads attributes up to the end of the instruction (true) or to an inline body (false).
    fn attributes(&mut self, open: &mut Open<'t>) -> Parsed<bool> {
        loop {
            if open.calls.is_none() {
                if !self.cur.eat(b',') {
                    return Ok(true);
                }
                self.cur.blank();
                let start = self.cur.pos;
                let key = self.cur.identifier("an attribute")?;
                let key_span = start..self.cur.pos;
                self.cur.expect(b'=', "after the name of an attribute")?;
                if open.attrs.iter().any(|a| a.key == key) {
                    return Err(Fault::new(key_span, format!("a second `{key}=`")));
                }
                if !names_computations(key) {
                    let span = self.cur.value("the value of the attribute")?;
                    open.attrs.push(RawAttr { key, key_span, value: RawValue::Text(span) });
                    continue;
                }
                let braced = self.begins_list(key);
                let list = CallList { key, key_span, braced, ids: Vec::new() };
                if braced && self.cur.eat(b'}') {
                    open.attrs.push(list.done());
                    continue;
                }
                open.calls = Some(list);
            }
            if self.cur.eat(b'{') {
                return Ok(false);
            }
            let (name, span) = self.cur.name("a computation")?;
            let Some(&id) = self.computations.get(name) else {
                let mut fault = Fault::new(span, format!("no computation `{name}`"));
                fault.0.undefined_computation = true;
                return Err(fault);
            };
            self.called(open, id)?;
        }
    }

    /// Eats the brace of a list of computations; the brace of an inline body is left.
    fn begins_list(&mut self, key: &str) -> bool {
        let mut ahead = self.cur.clone();
        if !ahead.eat(b'{') {
            return false;
        }
        let mut inside = ahead.clone();
        let is_list = names_several(key)
            || inside.peek() == Some(b'}')
            || inside.name("").is_ok() && matches!(inside.peek(), Some(b',' | b'}'));
        if is_list {
            self.cur = ahead;
        }
        is_list
    }

    /// Adds a computation to the attribute being read, and ends the attribute if it is the last.
    fn called(&mut self, open: &mut Open<'t>, id: CompId) -> Parsed<()> {
        let Some(mut list) = open.calls.take() else { return Ok(()) };
        list.ids.push(id);
        if !list.braced || self.cur.eat(b'}') {
            open.attrs.push(list.done());
        } else {
            self.cur.expect(b',', "or `}` after a computation")?;
            open.calls = Some(list);
        }
        Ok(())
    }

    fn finish_instruction(&mut self, body: &mut Body<'t>, open: Open<'t>) -> Parsed<()> {
        let start = open.call.start;
        let id = self.add(body, open.name, open.call, open.attrs)?;
        if open.is_root {
            body.root = Some(id);
        }
        // A lone instruction may have made a parameter of its own name.
        if !open.name.is_empty() && body.names.insert(open.name, id).is_some() {
            return Err(Fault::new(start..start + 1, format!("`{}` is its own operand", open.name)));
        }
        Ok(())
    }

    /// Gives a call its attributes and shape, and appends it to the body.
    pub(super) fn add(
        &mut self,
        body: &mut Body<'t>,
        name: &str,
        call: Call<'t>,
        raw: Vec<RawAttr<'t>>,
    ) -> Parsed<InstrId> {
        let end = call.start + self.cur.text(call.start..self.cur.pos).trim_end().len();
        let mut fields = Fields::new(&self.cur, &call, raw);
        let shapes: Vec<&Shape> = call.operands.iter().map(|o| &body.instrs[o.index()].shape).collect();
        let attrs = match call.payload {
            Payload::Parameter(number) => Attrs::Parameter(number),
            Payload::Constant(value) => Attrs::Constant(value),
            Payload::Operands => attrs::read(&mut fields, call.opcode, &shapes)?,
        };
        // Some targets of custom calls are operations of their own.
        let opcode = match attrs {
            Attrs::Linalg(_) => Opcode::Linalg,
            Attrs::CustomCall(_) => Opcode::CustomCall,
            _ => call.opcode,
        };
        let notes = notes::read(&mut fields, opcode, &body.names)?;
        let span = call.start..end;
        let shape = match call.shape {
            Some(shape) => shape,
            None if call.opcode == Opcode::Parameter => {
                return Err(Fault::new(call.opcode_span, "a parameter needs a shape")
                    .expected("a shape before `parameter`"));
            }
            None => Self::infer(&self.module, &mut self.inferred_parts, opcode, &attrs, &shapes)
                .map_err(|message| Fault::new(span, message))?,
        };
        let location = notes.as_deref().and_then(|n| self.frames.location(n));
        let name: Arc<str> = name.into();
        let origin = self.source(&body.name, &name, call.start, location);
        let mut instr = Instruction::new(name, opcode, shape, call.operands, attrs, origin);
        instr.notes = notes;
        Ok(body.push(instr))
    }

    /// The shape that the text leaves out. Tuples of tuples can grow without bound in a short text, so the parts
    /// of inferred tuples are counted.
    fn infer(
        module: &Module,
        inferred_parts: &mut usize,
        opcode: Opcode,
        attrs: &Attrs,
        operands: &[&Shape],
    ) -> Result<Shape, String> {
        let mut deepest = 0;
        for operand in operands {
            let (parts, depth) = measure(operand);
            *inferred_parts += parts;
            deepest = deepest.max(depth);
        }
        let too_many = "the tuple shapes that the text leaves out have too many parts";
        if *inferred_parts > MAX_INFERRED_PARTS {
            return Err(too_many.into());
        }
        if opcode == Opcode::Tuple && deepest == MAX_NESTING {
            return Err(format!("a tuple nested more than {MAX_NESTING} deep"));
        }
        let shape =
            infer::infer(module, opcode, attrs, operands).map_err(|e| format!("no shape given, and {e}"))?;
        *inferred_parts += measure(&shape).0;
        if *inferred_parts > MAX_INFERRED_PARTS { Err(too_many.into()) } else { Ok(shape) }
    }

    /// Names the unnamed instructions and adds the computation to the module.
    fn finish_body(&mut self, mut body: Body<'t>, inline_name: Option<String>) -> Parsed<CompId> {
        let Some(last) = body.instrs.len().checked_sub(1) else {
            let brace = self.cur.pos - 1;
            return Err(Fault::new(brace..brace + 1, "a computation without instructions"));
        };
        let mut made: FxHashSet<String> = FxHashSet::default();
        let mut counts: FxHashMap<Opcode, u32> = FxHashMap::default();
        for instr in body.instrs.iter_mut().filter(|i| i.name.is_empty()) {
            let count = counts.entry(instr.opcode).or_default();
            let mut name = instr.opcode.name().to_string();
            while body.names.contains_key(name.as_str()) || made.contains(&name) {
                *count += 1;
                name = format!("{}.{count}", instr.opcode);
            }
            instr.name = name.as_str().into();
            for &s in instr.origin.sources() {
                self.module.sources[s as usize].name = instr.name.clone();
            }
            made.insert(name);
        }
        let id = CompId(self.module.computations.len() as u32);
        self.inline.extend(inline_name.map(|wanted| (id, wanted)));
        self.module.computations.push(Computation {
            name: body.name,
            instrs: body.instrs,
            root: body.root.unwrap_or(InstrId(last as u32)),
            execution_thread: None,
        });
        Ok(id)
    }
}

/// How many tuple parts a shape has, and how deep they are nested.
fn measure(shape: &Shape) -> (usize, usize) {
    match shape {
        Shape::Tuple(parts) => {
            parts.iter().map(measure).fold((1, 1), |(n, depth), (m, d)| (n + m, depth.max(d + 1)))
        }
        Shape::Buffer(inner) => measure(inner),
        Shape::Array(_) | Shape::Token | Shape::Opaque => (1, 0),
    }
}

impl Open<'_> {
    /// What an inline body of this instruction is called, if the name is free.
    fn wanted_name(&self) -> String {
        let key = self.calls.as_ref().map_or("body", |c| c.key);
        if self.name.is_empty() { key.to_string() } else { format!("{}_{key}", self.name) }
    }
}

impl<'t> CallList<'t> {
    fn done(self) -> RawAttr<'t> {
        RawAttr { key: self.key, key_span: self.key_span, value: RawValue::Computations(self.ids) }
    }
}
