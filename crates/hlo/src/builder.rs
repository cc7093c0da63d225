//! Building computations: the one way passes and front ends make code.
//!
//! A [`Builder`] appends instructions to a new computation, keeps names distinct and origins non-empty, and
//! computes shapes with [`crate::infer`]; [`rewrite`] walks an old computation in order and lets a function
//! replace each instruction.

use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::infer;
use crate::instruction::{Instruction, Notes, Origin};
use crate::literal::{Literal, Value};
use crate::module::{Computation, Module};
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Shape};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::Arc;

/// Appends instructions to a computation under construction.
///
/// Shapes of added instructions come from the shape rules; a rewrite that breaks a rule is a bug of the
/// caller and panics with the rule's message.
pub struct Builder<'m> {
    /// The module the new computation belongs to: called computations are looked up here.
    pub module: &'m Module,
    instrs: Vec<Instruction>,
    names: FxHashSet<Arc<str>>,
    /// For each stem the number last given, so that finding a free name takes constant time.
    numbers: FxHashMap<Arc<str>, u32>,
    /// Given to instructions made by [`Builder::add`].
    pub origin: Origin,
    /// What instructions come from besides: united once, at the end.
    united: Vec<(InstrId, Origin)>,
}

impl<'m> Builder<'m> {
    pub fn new(module: &'m Module) -> Builder<'m> {
        Builder::with_capacity(module, 0)
    }

    /// With room for about so many instructions.
    pub fn with_capacity(module: &'m Module, instrs: usize) -> Builder<'m> {
        Builder {
            module,
            instrs: Vec::with_capacity(instrs),
            names: FxHashSet::with_capacity_and_hasher(instrs, FxBuildHasher),
            numbers: FxHashMap::default(),
            origin: Origin::default(),
            united: Vec::new(),
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

    fn distinct(&mut self, wanted: &Arc<str>) -> Arc<str> {
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
    #[track_caller]
    pub fn add(&mut self, opcode: Opcode, operands: &[InstrId], attrs: Attrs) -> InstrId {
        let shapes: Vec<&Shape> = operands.iter().map(|&o| self.shape(o)).collect();
        let shape = match infer::infer(self.module, opcode, &attrs, &shapes) {
            Ok(shape) => shape,
            Err(e) => panic!("rewrite makes an ill-formed {opcode}: {e}"),
        };
        self.add_shaped(opcode, shape, operands, attrs)
    }

    /// Appends an operation whose shape its operands do not determine (reshape, broadcast, iota, convert …).
    pub fn add_shaped(
        &mut self,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> InstrId {
        let origin = self.origin.clone();
        self.push(Instruction::new(opcode.name(), opcode, shape, operands.to_vec(), attrs, origin))
    }

    pub fn unary(&mut self, opcode: Opcode, x: InstrId) -> InstrId {
        self.add(opcode, &[x], Attrs::None)
    }

    pub fn binary(&mut self, opcode: Opcode, a: InstrId, b: InstrId) -> InstrId {
        self.add(opcode, &[a, b], Attrs::None)
    }

    pub fn constant(&mut self, literal: Literal) -> InstrId {
        let shape = Shape::Array(literal.shape().clone());
        self.add_shaped(Opcode::Constant, shape, &[], Attrs::Constant(Some(Value::Array(literal))))
    }

    /// A scalar constant broadcast to `shape`.
    pub fn splat(&mut self, shape: &ArrayShape, value: Scalar) -> InstrId {
        let c = self.constant(Literal::scalar(shape.dtype, value));
        if shape.is_scalar() { c } else { self.broadcast(c, &shape.dims, &[]) }
    }

    /// Broadcast: operand dimension `i` becomes result dimension `dims[i]`.
    pub fn broadcast(&mut self, x: InstrId, result: &[i64], dims: &[usize]) -> InstrId {
        let shape = Shape::array(self.array(x).dtype, result);
        self.add_shaped(Opcode::Broadcast, shape, &[x], Attrs::Dims(dims.to_vec()))
    }

    pub fn reshape(&mut self, x: InstrId, dims: &[i64]) -> InstrId {
        if self.array(x).dims == dims {
            return x;
        }
        let shape = Shape::array(self.array(x).dtype, dims);
        self.add_shaped(Opcode::Reshape, shape, &[x], Attrs::None)
    }

    pub fn transpose(&mut self, x: InstrId, permutation: &[usize]) -> InstrId {
        self.add(Opcode::Transpose, &[x], Attrs::Dims(permutation.to_vec()))
    }

    pub fn convert(&mut self, x: InstrId, dtype: crate::dtype::DType) -> InstrId {
        if self.array(x).dtype == dtype {
            return x;
        }
        let shape = Shape::array(dtype, self.array(x).dims.clone());
        self.add_shaped(Opcode::Convert, shape, &[x], Attrs::None)
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
            remap_control(notes, map);
        }
        self.push(copy)
    }
}

fn remap_control(notes: &mut Notes, map: &[Option<InstrId>]) {
    notes.control_predecessors = notes.control_predecessors.iter().filter_map(|p| map[p.index()]).collect();
}

/// Rebuilds `old`: `f` sees each instruction with the ids of its operands in the new computation, and gives
/// the replacement, or `None` to keep it. The replacement takes over origin and (if it has none) notes.
///
/// Returns the new computation and whether `f` replaced anything.
pub fn rewrite(
    module: &Module,
    old: &Computation,
    mut f: impl FnMut(&mut Builder<'_>, InstrId, &Instruction, &[InstrId]) -> Option<InstrId>,
) -> (Computation, bool) {
    let mut cx = Builder::with_capacity(module, old.instrs.len());
    let mut map: Vec<Option<InstrId>> = vec![None; old.instrs.len()];
    let mut changed = false;
    for (id, instr) in old.iter() {
        let operands: Vec<InstrId> =
            instr.operands.iter().map(|o| map[o.index()].expect("operands come first")).collect();
        cx.origin = instr.origin.clone();
        let before = cx.len();
        let new = match f(&mut cx, id, instr, &operands) {
            Some(new) => {
                changed = true;
                take_over(&mut cx, new, before, instr);
                new
            }
            None => cx.clone_instr(instr, &map),
        };
        map[id.index()] = Some(new);
    }
    let root = map[old.root.index()].expect("the root is kept");
    let mut comp = cx.finish(old.name.clone(), root);
    comp.execution_thread = old.execution_thread.clone();
    (comp, changed)
}

/// A freshly made replacement inherits the name and descriptive notes of what it replaces; one that stood already unites origins.
fn take_over(cx: &mut Builder<'_>, new: InstrId, before: usize, old: &Instruction) {
    if new.index() < before {
        return cx.unite_origin(new, &old.origin);
    }
    let name = cx.distinct(&old.name);
    let instr = cx.get_mut(new);
    instr.name = name;
    instr.origin = instr.origin.union(&old.origin);
    if instr.notes.is_none() {
        // Where it comes from and on which devices; the rest speaks of the operation that is gone.
        instr.notes = old.notes.as_ref().map(|n| {
            Box::new(Notes {
                sharding: n.sharding.clone(),
                frontend_attributes: n.frontend_attributes.clone(),
                metadata: n.metadata.clone(),
                ..Notes::default()
            })
        });
    }
}
