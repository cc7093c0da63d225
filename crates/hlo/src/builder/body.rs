//! A computation under construction, apart from any module: several may be open at once.

use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::infer::{self, ShapeError};
use crate::instruction::{Instruction, Notes, Origin};
use crate::module::{Computation, Module};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, MAX_ELEMENTS, Shape};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Instructions in order, with distinct names. The module of the computations they call is given where it is needed.
#[derive(Clone, Debug, Default)]
pub struct Body {
    instrs: Vec<Instruction>,
    /// Those of all instructions but the first [`Body::unnamed`].
    names: FxHashSet<Arc<str>>,
    /// As long as nothing is added to what is kept of another computation, nobody asks for its names.
    unnamed: usize,
    /// For each stem the number last given, so that finding a free name takes constant time.
    numbers: FxHashMap<Arc<str>, u32>,
    /// Given to instructions made here.
    pub origin: Origin,
    /// Given to instructions made here.
    pub notes: Option<Arc<Notes>>,
    /// What instructions come from besides: united once, at the end.
    united: Vec<(InstrId, Origin)>,
    /// The instructions of [`Body::add_once`], by the hash of what they are.
    once: FxHashMap<u64, InstrId>,
}

impl Body {
    /// An empty one, whose instructions come from there.
    pub fn new(origin: Origin) -> Body {
        Body { origin, ..Body::default() }
    }

    /// With room for about so many instructions.
    pub fn with_capacity(instrs: usize) -> Body {
        Body { instrs: Vec::with_capacity(instrs), ..Body::default() }
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, instrs: usize) {
        self.instrs.reserve(instrs);
    }

    pub fn len(&self) -> usize {
        self.instrs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.instrs.is_empty()
    }

    /// Forgets the instructions from the `len`th on; nothing may refer to them.
    pub fn truncate(&mut self, len: usize) {
        self.name_all();
        for instr in self.instrs.drain(len..) {
            self.names.remove(&instr.name);
        }
        self.once.retain(|_, id| id.index() < len);
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

    /// Appends an instruction as it is, of a computation that all others were so far; renamed if its name is taken.
    pub(super) fn keep(&mut self, instr: Instruction) -> InstrId {
        if self.unnamed < self.instrs.len() {
            return self.push(instr);
        }
        self.unnamed += 1;
        self.instrs.push(instr);
        InstrId(self.instrs.len() as u32 - 1)
    }

    fn name_all(&mut self) {
        let unnamed = std::mem::take(&mut self.unnamed);
        if unnamed > 0 {
            self.names.reserve(self.instrs.capacity());
            self.names.extend(self.instrs[..unnamed].iter().map(|i| i.name.clone()));
        }
    }

    /// That name, or one like it that is free; taken from now on.
    pub(super) fn distinct(&mut self, wanted: &Arc<str>) -> Arc<str> {
        self.name_all();
        match self.names.insert(wanted.clone()) {
            true => wanted.clone(),
            false => self.numbered(wanted),
        }
    }

    /// As [`Body::distinct`], for a name that is no instruction's yet.
    fn named(&mut self, wanted: &str) -> Arc<str> {
        self.name_all();
        if self.names.contains(wanted) {
            return self.numbered(wanted);
        }
        let name: Arc<str> = wanted.into();
        self.names.insert(name.clone());
        name
    }

    /// A free name like one that is taken.
    fn numbered(&mut self, taken: &str) -> Arc<str> {
        let stem = taken.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
        let stem = if stem.is_empty() { taken } else { stem };
        let number = match self.numbers.get_mut(stem) {
            Some(number) => number,
            None => self.numbers.entry(stem.into()).or_default(),
        };
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
        self.check(module, opcode, &shape, operands, &attrs)?;
        Ok(self.add_shaped(opcode, shape, operands, attrs))
    }

    /// As [`Body::try_add_shaped`], or the instruction that an equal call made before: see [`Body::add_once`].
    ///
    /// # Errors
    /// A broken rule.
    pub fn try_add_once(
        &mut self,
        module: &Module,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> Result<InstrId, ShapeError> {
        self.check(module, opcode, &shape, operands, &attrs)?;
        Ok(self.add_once(opcode, shape, operands, attrs))
    }

    /// The rules of the language, for an operation of this shape.
    fn check(
        &self,
        module: &Module,
        opcode: Opcode,
        shape: &Shape,
        operands: &[InstrId],
        attrs: &Attrs,
    ) -> Result<(), ShapeError> {
        let shapes: Vec<&Shape> = operands.iter().map(|&o| self.shape(o)).collect();
        bounded(opcode, shape)?;
        infer::check(module, opcode, attrs, &shapes, shape)
    }

    /// Appends an operation without a look at the rules.
    pub fn add_shaped(
        &mut self,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> InstrId {
        let (name, origin) = (self.named(opcode.name()), self.origin.clone());
        let mut instr = Instruction::new(name, opcode, shape, operands.to_vec(), attrs, origin);
        instr.notes = self.notes.clone();
        self.instrs.push(instr);
        InstrId(self.instrs.len() as u32 - 1)
    }

    /// As [`Body::add_shaped`], or the instruction that an equal call made before, which then comes from here too.
    pub fn add_once(&mut self, opcode: Opcode, shape: Shape, operands: &[InstrId], attrs: Attrs) -> InstrId {
        let mut hasher = FxHasher::default();
        (opcode, &shape, operands, &attrs).hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(&id) = self.once.get(&hash) {
            let known = self.get(id);
            if (known.opcode, &known.shape, &*known.operands) == (opcode, &shape, operands)
                && (&known.attrs, &known.notes) == (&attrs, &self.notes)
            {
                let origin = self.origin.clone();
                self.unite_origin(id, &origin);
                return id;
            }
        }
        let id = self.add_shaped(opcode, shape, operands, attrs);
        self.once.insert(hash, id);
        id
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
        copy.map_predecessors(|p| map[p.index()]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::{Literal, Value};
    use crate::{DType, Scalar};

    fn constant(body: &mut Body, value: f64) -> InstrId {
        let attrs = Attrs::Constant(Some(Value::Array(Literal::scalar(DType::F32, Scalar::Float(value)))));
        body.add_once(Opcode::Constant, Shape::scalar(DType::F32), &[], attrs)
    }

    #[test]
    fn equal_instructions_are_added_once_and_come_from_all_their_lines() {
        let mut body = Body::new(Origin::single(3));
        let half = constant(&mut body, 0.5);
        let zero = constant(&mut body, 0.0);
        assert_ne!(constant(&mut body, -0.0), zero, "by their bits");
        body.origin = Origin::single(1);
        assert_eq!(constant(&mut body, 0.5), half);
        let backward = ("phase".to_string(), "backward".to_string());
        body.notes = Some(Arc::new(Notes { frontend_attributes: vec![backward], ..Notes::default() }));
        assert_ne!(constant(&mut body, 0.5), half, "what is said of it differs");
        body.notes = None;
        body.truncate(half.index());
        let again = constant(&mut body, 0.5);
        assert_eq!((again, body.len()), (half, 1), "what was forgotten is made anew");
        body.origin = Origin::single(2);
        constant(&mut body, 0.5);
        assert_eq!(body.finish("f", half)[half].origin.sources(), [1, 2]);
    }

    #[test]
    fn names_are_numbered_by_their_stem() {
        let mut body = Body::default();
        let mut names = Vec::new();
        for name in ["add", "add", "add.2", "add", "7", "7"] {
            names.push(body.distinct(&name.into()));
        }
        assert_eq!(
            names.iter().map(|n| &**n).collect::<Vec<_>>(),
            ["add", "add.1", "add.2", "add.3", "7", "7.1"]
        );
    }
}
