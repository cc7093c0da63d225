//! A computation under construction, apart from any module: several may be open at once.

use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::infer::{self, ShapeError};
use crate::instruction::{Instruction, Notes, Origin};
use crate::module::{Computation, Module};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, MAX_ELEMENTS, Shape};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::Arc;

/// Instructions in order, with distinct names. The module of the computations they call is given where it is needed.
#[derive(Clone, Debug, Default)]
pub struct Body {
    instrs: Vec<Instruction>,
    names: FxHashSet<Arc<str>>,
    /// For each stem the number last given, so that finding a free name takes constant time.
    numbers: FxHashMap<Arc<str>, u32>,
    /// Given to instructions made here.
    pub origin: Origin,
    /// Given to instructions made here.
    pub notes: Option<Box<Notes>>,
    /// What instructions come from besides: united once, at the end.
    united: Vec<(InstrId, Origin)>,
}

impl Body {
    /// An empty one, whose instructions come from there.
    pub fn new(origin: Origin) -> Body {
        Body { origin, ..Body::default() }
    }

    /// With room for about so many instructions.
    pub fn with_capacity(instrs: usize) -> Body {
        Body {
            instrs: Vec::with_capacity(instrs),
            names: FxHashSet::with_capacity_and_hasher(instrs, FxBuildHasher),
            ..Body::default()
        }
    }

    pub fn len(&self) -> usize {
        self.instrs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.instrs.is_empty()
    }

    /// Forgets the instructions from the `len`th on; nothing may refer to them.
    pub fn truncate(&mut self, len: usize) {
        for instr in self.instrs.drain(len..) {
            self.names.remove(&instr.name);
        }
    }

    pub fn get(&self, id: InstrId) -> &Instruction {
        &self.instrs[id.index()]
    }

    /// Mutable access, for what does not change meaning: notes and origins.
    pub fn get_mut(&mut self, id: InstrId) -> &mut Instruction {
        &mut self.instrs[id.index()]
    }

    pub fn shape(&self, id: InstrId) -> &Shape {
        &self.get(id).shape
    }

    /// The array shape of an instruction known to be an array.
    #[track_caller]
    pub fn array(&self, id: InstrId) -> &ArrayShape {
        self.get(id).shape.expect_array()
    }

    /// Appends an instruction as it is, renamed if its name is taken.
    pub fn push(&mut self, mut instr: Instruction) -> InstrId {
        instr.name = self.distinct(&instr.name);
        self.instrs.push(instr);
        InstrId(self.instrs.len() as u32 - 1)
    }

    /// That name, or one like it that is free; taken from now on.
    pub(super) fn distinct(&mut self, wanted: &Arc<str>) -> Arc<str> {
        if self.names.insert(wanted.clone()) {
            return wanted.clone();
        }
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
        let stem: Arc<str> = if stem.is_empty() { wanted.clone() } else { stem.into() };
        let number = self.numbers.entry(stem.clone()).or_default();
        loop {
            *number += 1;
            let candidate: Arc<str> = format!("{stem}.{number}").into();
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    /// Appends an operation named after its opcode, its shape by the shape rule.
    ///
    /// # Errors
    /// A broken rule.
    pub fn try_add(
        &mut self,
        module: &Module,
        opcode: Opcode,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> Result<InstrId, ShapeError> {
        let shapes: Vec<&Shape> = operands.iter().map(|&o| self.shape(o)).collect();
        let shape = infer::infer(module, opcode, &attrs, &shapes)?;
        bounded(opcode, &shape)?;
        Ok(self.add_shaped(opcode, shape, operands, attrs))
    }

    /// Appends an operation of this shape, which its operands do not determine (reshape, broadcast, iota, convert …) or
    /// which may be wider than what they give (dot).
    ///
    /// # Errors
    /// A broken rule.
    pub fn try_add_shaped(
        &mut self,
        module: &Module,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> Result<InstrId, ShapeError> {
        let shapes: Vec<&Shape> = operands.iter().map(|&o| self.shape(o)).collect();
        bounded(opcode, &shape)?;
        infer::check(module, opcode, &attrs, &shapes, &shape)?;
        Ok(self.add_shaped(opcode, shape, operands, attrs))
    }

    /// Appends an operation without a look at the rules.
    pub fn add_shaped(
        &mut self,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> InstrId {
        let origin = self.origin.clone();
        let mut instr = Instruction::new(opcode.name(), opcode, shape, operands.to_vec(), attrs, origin);
        instr.notes = self.notes.clone();
        self.push(instr)
    }

    /// Makes an instruction, which stays, come from `origin` too once the computation is finished: thousands may
    /// become one.
    pub fn unite_origin(&mut self, id: InstrId, origin: &Origin) {
        if self.get(id).origin != *origin {
            self.united.push((id, origin.clone()));
        }
    }

    /// Finishes the computation.
    pub fn finish(mut self, name: impl Into<Arc<str>>, root: InstrId) -> Computation {
        self.united.sort_by_key(|(id, _)| *id);
        for same in self.united.chunk_by(|a, b| a.0 == b.0) {
            let instr = &mut self.instrs[same[0].0.index()];
            instr.origin = Origin::union_of(same.iter().map(|(_, o)| o).chain([&instr.origin]));
        }
        Computation { name: name.into(), instrs: self.instrs, root, execution_thread: None }
    }

    /// Copies `instr` of another computation with new operands; control predecessors are renamed by `map`.
    pub fn clone_instr(&mut self, instr: &Instruction, map: &[Option<InstrId>]) -> InstrId {
        let mut copy = instr.clone();
        copy.operands = instr.operands.iter().map(|o| map[o.index()].expect("operand is live")).collect();
        if let Some(notes) = &mut copy.notes {
            notes.control_predecessors =
                notes.control_predecessors.iter().filter_map(|p| map[p.index()]).collect();
        }
        self.push(copy)
    }
}

/// Refuses extents below zero and arrays above the limit of the verifier.
fn bounded(opcode: Opcode, shape: &Shape) -> Result<(), ShapeError> {
    for leaf in shape.leaves() {
        let fits =
            leaf.dims.iter().all(|&d| d >= 0) && leaf.checked_elements().is_some_and(|n| n <= MAX_ELEMENTS);
        if !fits {
            return Err(ShapeError(format!("`{opcode}` makes {leaf}, which no array can be")));
        }
    }
    Ok(())
}
