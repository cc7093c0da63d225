//! The verifier: every invariant of a module, in one place, each broken one reported.
//!
//! A module that passes can be printed, evaluated and compiled without further checks: operands stand before
//! users and callees before callers, names are distinct, parameters are numbered, every shape is the one its
//! operation gives, no array is larger than [`MAX_ELEMENTS`], nesting is bounded. Passes are verified before and
//! after, so this takes time linear in the module; it never panics, whatever a parser or a pass made.
//! [`supported`] asks the other question: whether a verified module has a meaning on Lawson's devices.

mod depth;
mod devices;
mod header;
mod structure;
mod support;

pub use crate::limits::{MAX_NESTING, MAX_PARTS};
pub use support::{runs, supported};

use crate::attrs::Attrs;
use crate::ids::{CompId, InstrId};
use crate::infer::{self, Callees};
use crate::instruction::Instruction;
use crate::limits;
use crate::module::{Computation, Module};
use crate::shape::Shape;
use std::fmt;
use std::sync::Arc;

#[cfg(doc)]
use crate::shape::MAX_ELEMENTS;

/// After so many faults the rest is not looked for.
const MAX_FAULTS: usize = 1000;

/// One broken invariant and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// Empty when the fault is the module's.
    pub computation: Arc<str>,
    /// Empty when the fault is the computation's.
    pub instruction: Arc<str>,
    /// Line in the text, from 1; 0 if unknown.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match (&*self.computation, &*self.instruction) {
            ("", _) => {}
            (c, "") => write!(f, "{c}: ")?,
            (c, i) => write!(f, "{c}.{i}: ")?,
        }
        f.write_str(&self.message)
    }
}

/// Checks every invariant; lists every fault, in the order of the module (the first thousand of them).
pub fn verify(module: &Module) -> Result<(), Vec<Fault>> {
    let mut faults = Faults::new(module);
    structure::module(&mut faults);
    let callees = Callees::cached(module);
    let mut depths = depth::Depths::default();
    for (id, comp) in module.iter() {
        let place = Place { id, comp };
        structure::computation(&mut faults, place);
        depths.visit(&mut faults, place);
        shapes(&mut faults, place, &callees);
        devices::computation(&mut faults, place);
        if faults.full() {
            break;
        }
    }
    header::check(&mut faults);
    faults.into_result()
}

/// The shape rule of each instruction whose operands and callees are in order.
fn shapes(faults: &mut Faults, place: Place, callees: &Callees) {
    let mut operands: Vec<&Shape> = Vec::new();
    for (id, instr) in place.comp.iter() {
        if let Err(message) = limits::shape(&instr.shape) {
            faults.at(place, instr, format!("`{}` {message}", instr.opcode));
            continue;
        }
        if instr.operands.iter().any(|&o| o >= id) || instr.attrs.called().iter().any(|&c| c >= place.id) {
            continue;
        }
        operands.clear();
        operands.extend(instr.operands.iter().map(|&o| &place.comp[o].shape));
        if let Err(e) = infer::check_with(callees, instr.opcode, &instr.attrs, &operands, &instr.shape) {
            faults.at(place, instr, e.0);
        }
        if faults.full() {
            return;
        }
    }
}

/// A computation with its number.
#[derive(Clone, Copy)]
struct Place<'m> {
    id: CompId,
    comp: &'m Computation,
}

/// The faults found so far.
struct Faults<'m> {
    module: &'m Module,
    found: Vec<Fault>,
}

impl<'m> Faults<'m> {
    fn new(module: &'m Module) -> Faults<'m> {
        Faults { module, found: Vec::new() }
    }

    fn full(&self) -> bool {
        self.found.len() >= MAX_FAULTS
    }

    /// A fault of the module.
    fn module(&mut self, message: String) {
        self.push("".into(), "".into(), 0, message);
    }

    /// A fault of a computation; its line is that of its first instruction.
    fn computation(&mut self, place: Place, message: String) {
        let line = place.comp.instrs.first().map_or(0, |i| self.line(i));
        self.push(place.comp.name.clone(), "".into(), line, message);
    }

    /// A fault of an instruction.
    fn at(&mut self, place: Place, instr: &Instruction, message: String) {
        self.push(place.comp.name.clone(), instr.name.clone(), self.line(instr), message);
    }

    fn push(&mut self, computation: Arc<str>, instruction: Arc<str>, line: u32, message: String) {
        if !self.full() {
            self.found.push(Fault { computation, instruction, line, message: shortened(message) });
        }
    }

    /// The first known line among the instruction's origins.
    fn line(&self, instr: &Instruction) -> u32 {
        let mut lines = instr
            .origin
            .sources()
            .iter()
            .filter_map(|&s| self.module.sources.get(s as usize))
            .map(|s| s.line);
        lines.find(|&l| l > 0).unwrap_or(0)
    }

    fn into_result(self) -> Result<(), Vec<Fault>> {
        if self.found.is_empty() { Ok(()) } else { Err(self.found) }
    }
}

/// A message may hold the shape of a tuple with thousands of parts; the start of it will do.
fn shortened(mut message: String) -> String {
    const MAX: usize = 1000;
    if message.len() > MAX {
        let end = (0..=MAX).rev().find(|&i| message.is_char_boundary(i)).unwrap_or(0);
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Whether `id` is an instruction of `comp`.
fn exists(comp: &Computation, id: InstrId) -> bool {
    id.index() < comp.instrs.len()
}

/// The number of a parameter instruction.
fn parameter_number(instr: &Instruction) -> Option<usize> {
    match instr.attrs {
        Attrs::Parameter(n) => Some(n),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
