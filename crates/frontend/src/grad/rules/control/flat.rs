//! Computations over array leaves: the form in which bodies of loops and branches are looked at.
//!
//! ```text
//! body(state: (s32[], (f32[4], f32[4])))  →  body(i: s32[], x: f32[4], v: f32[4])
//! ```
//!
//! Calls are inlined, elements of tuples that are made at hand are what they were made of. Parameter `n` is instruction `n`.

use crate::error::Fault;
use crate::fault;
use crate::graph::{Emit, Graph};
use lawson_hlo::builder::Body;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Literal, Opcode, Scalar, Shape,
};

/// A computation whose parameters are arrays, one for each leaf of the parameters it was made of.
#[derive(Clone)]
pub(in crate::grad) struct Flat {
    /// Its root is the tuple of the results.
    pub comp: Computation,
    pub results: Vec<InstrId>,
}

/// A computation over its leaves. Parameters of which the value is known are that constant; their own instruction stays.
///
/// # Errors
/// A parameter or result that holds anything but arrays.
pub(in crate::grad) fn flat(
    emit: &mut Emit<'_>,
    comp: CompId,
    known: &[Option<Literal>],
) -> Result<Flat, Fault> {
    let comp = emit.graph.computation(comp).clone();
    let shapes: Vec<Shape> = comp.parameter_shapes().into_iter().cloned().collect();
    let mut body = Body::new(comp.root().origin.clone());
    body.notes = emit.body.notes.clone();
    let mut inner = Emit { graph: emit.graph, body: &mut body };
    let leaves = shapes.iter().map(arrays).collect::<Result<Vec<_>, _>>()?.concat();
    let mut given: Vec<InstrId> =
        leaves.into_iter().enumerate().map(|(n, leaf)| inner.parameter(n, Shape::Array(leaf))).collect();
    for (leaf, literal) in given.iter_mut().zip(known) {
        if let Some(literal) = literal {
            *leaf = inner.constant(literal.clone());
        }
    }
    let mut given = given.into_iter();
    let arguments = shapes.iter().map(|s| inner.of_leaves(s, &mut given)).collect::<Result<Vec<_>, _>>()?;
    let root = expand(&mut inner, &comp, &arguments)?;
    arrays(inner.shape(root))?;
    let results = inner.leaves(root)?;
    let tuple = inner.tuple(&results)?;
    Ok(live(body.finish(comp.name, tuple)))
}

/// Without what no result depends on: it needs no derivative.
fn live(comp: Computation) -> Flat {
    let mut needed = vec![false; comp.instrs.len()];
    needed[comp.root.index()] = true;
    for (id, instr) in comp.iter().rev() {
        needed[id.index()] |= instr.opcode == Opcode::Parameter || instr.has_side_effect();
        if needed[id.index()] {
            instr.operands.iter().for_each(|o| needed[o.index()] = true);
        }
    }
    let mut body = Body::with_capacity(comp.instrs.len());
    let mut map = vec![None; comp.instrs.len()];
    for (id, instr) in comp.iter().filter(|(id, _)| needed[id.index()]) {
        map[id.index()] = Some(body.clone_instr(instr, &map));
    }
    let root = map[comp.root.index()].expect("the root is needed");
    let comp = body.finish(comp.name, root);
    let results = comp[comp.root].operands.clone();
    Flat { comp, results }
}

/// The shapes of the leaves of a value that is made of arrays.
///
/// # Errors
/// It holds something else.
pub(in crate::grad) fn arrays(shape: &Shape) -> Result<Vec<ArrayShape>, Fault> {
    match shape {
        Shape::Array(a) => Ok(vec![a.clone()]),
        Shape::Tuple(parts) => Ok(parts.iter().map(arrays).collect::<Result<Vec<_>, _>>()?.concat()),
        other => fault!("what holds {other} has no derivative: it is no array"),
    }
}

/// The instructions of a computation on these arguments, those of what it calls included.
fn expand(emit: &mut Emit<'_>, comp: &Computation, arguments: &[InstrId]) -> Result<InstrId, Fault> {
    let mut values: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        emit.body.origin = instr.origin.clone();
        let operands: Vec<InstrId> = instr.operands.iter().map(|o| values[o.index()]).collect();
        let value = match &instr.attrs {
            Attrs::Parameter(n) => arguments[*n],
            Attrs::TupleIndex(index) => emit.element(operands[0], *index)?,
            Attrs::Call { to_apply, .. } => {
                let called = emit.graph.computation(*to_apply).clone();
                expand(emit, &called, &operands)?
            }
            _ => emit.again(instr, &operands),
        };
        values.push(value);
    }
    Ok(values[comp.root.index()])
}

/// A computation under construction whose only parameter is a tuple of arrays: a body of a loop, or a branch.
pub(super) struct Open {
    pub body: Body,
    pub leaves: Vec<InstrId>,
}

impl Open {
    pub fn new(emit: &mut Emit<'_>, leaves: Vec<ArrayShape>) -> Result<Open, Fault> {
        let mut body = Body::new(emit.body.origin.clone());
        body.notes = emit.body.notes.clone();
        let mut inner = Emit { graph: emit.graph, body: &mut body };
        let state = inner.parameter(0, Shape::Tuple(leaves.into_iter().map(Shape::Array).collect()));
        let leaves = inner.elements(state)?;
        Ok(Open { body, leaves })
    }

    /// Appends to it.
    pub fn emit<'a>(&'a mut self, graph: &'a mut Graph) -> Emit<'a> {
        Emit { graph, body: &mut self.body }
    }

    /// Finishes it; its result is the tuple of these.
    pub fn close(mut self, graph: &mut Graph, name: &str, results: &[InstrId]) -> Result<CompId, Fault> {
        let root = self.emit(graph).tuple(results)?;
        Ok(graph.close(name, self.body, root))
    }
}

/// Of each of these values the integer that it is, where that is known.
pub(super) fn known(emit: &Emit<'_>, values: &[InstrId]) -> Vec<Option<Literal>> {
    let literal = |&id: &InstrId| {
        let value = integer(emit.body, id, &|_| None)?;
        Some(Literal::scalar(emit.shape(id).expect_array().dtype, Scalar::Signed(value)))
    };
    values.iter().map(literal).collect()
}

/// The integer that a scalar is, where the text says so: `leaf` knows those of parameters.
pub(super) fn integer(body: &Body, id: InstrId, leaf: &dyn Fn(usize) -> Option<i64>) -> Option<i64> {
    integer_in(&|id| body.get(id), id, leaf)
}

/// As [`integer`], of instructions wherever they are.
pub(super) fn integer_in<'a>(
    instrs: &dyn Fn(InstrId) -> &'a Instruction,
    id: InstrId,
    leaf: &dyn Fn(usize) -> Option<i64>,
) -> Option<i64> {
    let instr = instrs(id);
    if !instr.shape.as_array().is_some_and(|s| s.is_scalar() && s.dtype.is_integer()) {
        return None;
    }
    let operand = |n: usize| integer_in(instrs, instr.operands[n], leaf);
    let value = match (instr.opcode, &instr.attrs) {
        (Opcode::Parameter, Attrs::Parameter(n)) => leaf(*n)?,
        (Opcode::Constant, Attrs::Constant(Some(value))) => {
            i64::try_from(value.leaves().first()?.get(0).as_i128()?).ok()?
        }
        (Opcode::Convert | Opcode::Copy | Opcode::Reshape, _) => operand(0)?,
        (Opcode::Negate, _) => operand(0)?.checked_neg()?,
        (Opcode::Add, _) => operand(0)?.checked_add(operand(1)?)?,
        (Opcode::Subtract, _) => operand(0)?.checked_sub(operand(1)?)?,
        (Opcode::Multiply, _) => operand(0)?.checked_mul(operand(1)?)?,
        _ => return None,
    };
    fits(instr.shape.expect_array(), value).then_some(value)
}

/// Whether the element type has that integer.
pub(super) fn fits(shape: &ArrayShape, value: i64) -> bool {
    Literal::scalar(shape.dtype, Scalar::Signed(value)).get(0).as_i128() == Some(value.into())
}
