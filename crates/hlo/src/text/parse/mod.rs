//! The parser: a module from its header to its last computation.
//!
//! A computation must stand before the one that names it. Where it does not, [`order`] finds the order and
//! the text is read a second time in that order, so that either way callees get the smaller ids.

mod attrs;
mod body;
mod devices;
mod element;
mod fields;
mod header;
mod literal;
mod mesh;
mod notes;
mod operands;
mod order;
mod shape;
mod values;

use super::cursor::Cursor;
use super::error::{Fault, Parsed};
use crate::ids::CompId;
use crate::instruction::Origin;
use crate::module::{Header, Module, Source};
use crate::shape::Shape;
use body::Body;
use header::Frames;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Reads a module.
pub(super) fn module(text: &str) -> Parsed<Module> {
    match Parser::new(text).module(None) {
        Err(fault) if fault.0.undefined_computation => {
            let order = order::callees_first(text)?;
            Parser::new(text).module(Some(order))
        }
        result => result,
    }
}

/// Reads a shape and nothing after it.
pub(super) fn whole_shape(text: &str) -> Parsed<Shape> {
    let mut cur = Cursor::new(text);
    let shape = shape::shape(&mut cur)?;
    cur.finish()?;
    Ok(shape)
}

struct Parser<'t> {
    cur: Cursor<'t>,
    module: Module,
    computations: FxHashMap<Arc<str>, CompId>,
    frames: Frames,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Inline bodies with the name each would like; they are named last, when all other names are known.
    inline: Vec<(CompId, String)>,
    /// Parts of the tuple shapes inferred so far.
    inferred_parts: usize,
    /// Bytes of literals that no text stands for.
    filled_bytes: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        let lines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Parser {
            cur: Cursor::new(text),
            module: Module {
                name: "".into(),
                computations: Vec::new(),
                entry: CompId(0),
                header: Header::default(),
                sources: Vec::new(),
            },
            computations: FxHashMap::default(),
            frames: Frames::default(),
            lines: std::iter::once(0).chain(lines).collect(),
            inline: Vec::new(),
            inferred_parts: 0,
            filled_bytes: 0,
        }
    }

    /// Reads everything; `order` gives the places of the computations if they are to be read in another order
    /// than they stand in.
    fn module(mut self, order: Option<Vec<usize>>) -> Parsed<Module> {
        self.header()?;
        if !begins_computation(&self.cur) {
            if self.cur.at_end() {
                return Err(self.cur.unexpected("a computation"));
            }
            self.single_instruction()?;
        } else {
            match order {
                None => {
                    let mut entry = None;
                    while !self.cur.at_end() {
                        self.computation(&mut entry)?;
                    }
                    let last = CompId(self.module.computations.len() as u32 - 1);
                    self.module.entry = entry.unwrap_or(last);
                }
                Some(places) => {
                    let mut entry = None;
                    let mut last = (0, CompId(0));
                    for place in places {
                        self.cur.pos = place;
                        last = last.max((place, self.computation(&mut entry)?));
                    }
                    self.module.entry = entry.unwrap_or(last.1);
                }
            }
        }
        self.name_inline_bodies();
        if self.module.name.is_empty() {
            self.module.name = format!("module_{}", self.module.entry().name).into();
        }
        Ok(self.module)
    }

    /// `[ENTRY] name [signature] { instructions } [, execution_thread="x"]`.
    fn computation(&mut self, entry: &mut Option<CompId>) -> Parsed<CompId> {
        self.cur.blank();
        let start = self.cur.pos;
        let is_entry = self.cur.eat_word("ENTRY");
        if is_entry && entry.is_some() {
            return Err(Fault::new(start..start + 5, "a second ENTRY computation"));
        }
        let (name, span) = self.cur.name("the name of a computation")?;
        if self.computations.contains_key(name) {
            return Err(Fault::new(span, format!("a second computation `{name}`")));
        }
        let result = if self.cur.peek() == Some(b'(') { Some(self.signature()?) } else { None };
        self.cur.expect(b'{', "to begin the computation")?;
        let id = self.body(Body::named(name))?;
        if let Some((shape, span)) = result {
            let root = &self.module[id].root().shape;
            if !shape.same(root) {
                return Err(Fault::new(
                    span,
                    format!("the root of `{name}` is {root}, its signature says {shape}"),
                ));
            }
        }
        if self.cur.eat(b',') {
            if !self.cur.eat_word("execution_thread") {
                return Err(self.cur.unexpected("`execution_thread=` or the next computation"));
            }
            self.cur.expect(b'=', "after the attribute's name")?;
            let thread = self.cur.string()?;
            self.module.computations[id.index()].execution_thread = Some(thread[1..thread.len() - 1].into());
        }
        self.computations.insert(self.module[id].name.clone(), id);
        if is_entry {
            *entry = Some(id);
        }
        Ok(id)
    }

    /// `(a: f32[], b: (s32[], pred[])) -> f32[]`; gives the result shape and its place.
    fn signature(&mut self) -> Parsed<(crate::Shape, Range<usize>)> {
        self.cur.expect(b'(', "to begin the signature")?;
        if !self.cur.eat(b')') {
            loop {
                self.cur.name("the name of a parameter")?;
                self.cur.eat(b':');
                shape::shape(&mut self.cur)?;
                if self.cur.eat(b')') {
                    break;
                }
                self.cur.expect(b',', "or `)` after a parameter")?;
            }
        }
        if !self.cur.eat_symbol("->") {
            return Err(self.cur.unexpected("`->` and the result shape"));
        }
        self.cur.blank();
        let start = self.cur.pos;
        let shape = shape::shape(&mut self.cur)?;
        Ok((shape, start..self.cur.pos))
    }

    /// Text that is one instruction and nothing else: its operands become parameters of an entry around it.
    fn single_instruction(&mut self) -> Parsed<()> {
        self.body(Body::around_one("main"))?;
        if self.cur.at_end() { Ok(()) } else { Err(self.cur.unexpected("the end of the text")) }
    }

    /// Records where an instruction comes from.
    fn source(
        &mut self,
        computation: &Arc<str>,
        name: &Arc<str>,
        at: usize,
        location: Option<Arc<str>>,
    ) -> Origin {
        let line = self.lines.partition_point(|&start| start <= at) as u32;
        self.module.sources.push(Source {
            computation: computation.clone(),
            name: name.clone(),
            line,
            location,
            backward: false,
        });
        Origin::single(self.module.sources.len() as u32 - 1)
    }

    fn name_inline_bodies(&mut self) {
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for (id, wanted) in std::mem::take(&mut self.inline) {
            let mut name: Arc<str> = wanted.as_str().into();
            let n = counts.entry(wanted.clone()).or_default();
            while self.computations.contains_key(&name) {
                *n += 1;
                name = format!("{wanted}.{n}").into();
            }
            self.computations.insert(name.clone(), id);
            let computation = &mut self.module.computations[id.index()];
            for instr in &computation.instrs {
                for &s in instr.origin.sources() {
                    self.module.sources[s as usize].computation = name.clone();
                }
            }
            computation.name = name;
        }
    }
}

/// `ENTRY`, `name {`, or `name (…) ->` stands here; otherwise it is an instruction.
fn begins_computation(cur: &Cursor<'_>) -> bool {
    let mut ahead = cur.clone();
    if ahead.eat_word("ENTRY") {
        return true;
    }
    if ahead.name("").is_err() {
        return false;
    }
    match ahead.peek() {
        Some(b'{') => true,
        Some(b'(') => ahead.value("").is_ok() && ahead.eat_symbol("->"),
        _ => false,
    }
}
