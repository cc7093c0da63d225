//! Building computations: the one way passes and front ends make code.
//!
//! A [`Body`] holds instructions, keeps names distinct and origins non-empty, and computes shapes with [`crate::infer`]; a
//! [`Builder`] does it for a module that is otherwise finished; [`rewrite`] walks an old computation in order and lets a
//! function replace each instruction.

mod body;

pub use body::Body;

use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::infer;
use crate::instruction::{Instruction, Notes};
use crate::literal::{Literal, Value};
use crate::module::{Computation, Module};
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Shape};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Appends instructions to a computation of a module that is finished but for it.
///
/// Shapes of added instructions come from the shape rules; a rewrite that breaks a rule is a bug of the
/// caller and panics with the rule's message. What can fail stands in [`Body`].
pub struct Builder<'m> {
    /// The module the new computation belongs to: called computations are looked up here.
    pub module: &'m Module,
    body: Body,
}

impl Deref for Builder<'_> {
    type Target = Body;
    fn deref(&self) -> &Body {
        &self.body
    }
}

impl DerefMut for Builder<'_> {
    fn deref_mut(&mut self) -> &mut Body {
        &mut self.body
    }
}

impl<'m> Builder<'m> {
    pub fn new(module: &'m Module) -> Builder<'m> {
        Builder::with_capacity(module, 0)
    }

    /// With room for about so many instructions.
    pub fn with_capacity(module: &'m Module, instrs: usize) -> Builder<'m> {
        Builder { module, body: Body::with_capacity(instrs) }
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

    /// Finishes the computation.
    pub fn finish(self, name: impl Into<Arc<str>>, root: InstrId) -> Computation {
        self.body.finish(name, root)
    }
}

/// Rebuilds `old`: `f` sees each instruction with the ids of its operands in the new computation, and gives
/// the replacement, or `None` to keep it. The replacement takes over origin and (if it has none) notes.
///
/// Returns the new computation and whether `f` replaced anything.
pub fn rewrite(
    module: &Module,
    old: &Computation,
    f: impl FnMut(&mut Builder<'_>, InstrId, &Instruction, &[InstrId]) -> Option<InstrId>,
) -> (Computation, bool) {
    rewrite_owned(module, old.clone(), f)
}

/// As [`rewrite`], of a computation that nobody needs any more: what is kept is moved.
pub fn rewrite_owned(
    module: &Module,
    old: Computation,
    mut f: impl FnMut(&mut Builder<'_>, InstrId, &Instruction, &[InstrId]) -> Option<InstrId>,
) -> (Computation, bool) {
    let mut cx = Builder::with_capacity(module, old.instrs.len());
    let mut map: Vec<Option<InstrId>> = vec![None; old.instrs.len()];
    let mut operands = Vec::new();
    let mut changed = false;
    for (n, mut instr) in old.instrs.into_iter().enumerate() {
        operands.clear();
        operands.extend(instr.operands.iter().map(|o| map[o.index()].expect("operands come first")));
        cx.origin = instr.origin.clone();
        let before = cx.len();
        let new = match f(&mut cx, InstrId(n as u32), &instr, &operands) {
            Some(new) => {
                changed = true;
                take_over(&mut cx, new, before, &instr);
                new
            }
            None => {
                instr.operands.copy_from_slice(&operands);
                instr.map_predecessors(|p| map[p.index()]);
                cx.keep(instr)
            }
        };
        map[n] = Some(new);
    }
    let root = map[old.root.index()].expect("the root is kept");
    let mut comp = cx.finish(old.name, root);
    comp.execution_thread = old.execution_thread;
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
            Arc::new(Notes {
                sharding: n.sharding.clone(),
                frontend_attributes: n.frontend_attributes.clone(),
                metadata: n.metadata.clone(),
                ..Notes::default()
            })
        });
    }
}
