//! Functions with a mark: checkpoints, and functions whose derivative the program gives.
//!
//! ```text
//! y = checkpoint(x), f      forward half: y = f(x), of which x alone is kept
//!                           backward half: x', cy' = opt-barrier(x, cy); f is linearised on x', its tape transposed
//! y = custom_jvp(x), f, j   (y, dy) = j(x, dx), whose tape is what j makes of dx
//! y = custom_vjp(x), f, g, b   forward half: (y, r) = g(x); backward half: cx = b(r, cy)
//! ```
//!
//! The barrier keeps what is computed twice from being computed once and kept after all: nothing behind it is found equal to what
//! is in front, and nothing is computed before the cotangents are there.

use super::flat::{self, Flat};
use super::inner::{self, Taped};
use super::{activity, activity::leaf_count};
use crate::error::Fault;
use crate::fault;
use crate::grad::linearize::Mode;
use crate::grad::rules::varies;
use crate::grad::tape::{Structured, Tangent};
use crate::grad::transpose::transpose;
use crate::grad::{Linearizer, Tan, Transposer};
use crate::graph::Emit;
use crate::graph::marks;
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, Attrs, CompId, InstrId, Instruction, Opcode, Shape};
use rustc_hash::FxHashMap;

/// The rule of [`marks::CHECKPOINT`].
pub(in crate::grad) fn checkpoint(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let flat = flat::flat(cx.emit, instr.attrs.called()[0], &[])?;
    let given = arguments(cx.emit, operands, tangents)?;
    if let Mode::Forward = cx.mode {
        return checkpoint_forward(cx, instr, &flat, &given);
    }
    let value = cx.emit.again(instr, operands);
    let shapes = flat::arrays(&instr.shape)?;
    let flags: Vec<Vec<bool>> = given.iter().map(|(_, t)| vec![t.is_some()]).collect();
    let varies = activity::of_values(cx.emit.graph, &flat.comp, &flags).swap_remove(flat.comp.root.index());
    let results: Vec<ArrayShape> =
        shapes.into_iter().zip(&varies).filter(|(_, v)| **v).map(|(s, _)| s).collect();
    let it = Checkpoint { flat, given, varies: varies.clone(), results: results.clone() };
    let mut found = cx.structured(Box::new(it), &results).into_iter();
    let mut tangents = varies.into_iter().map(|v| if v { found.next() } else { None });
    Ok((value, Tan::of_leaves(&instr.shape, &mut tangents)))
}

/// Array leaves with their tangents.
type Given = Vec<(InstrId, Option<Tangent>)>;

fn arguments(emit: &mut Emit<'_>, operands: &[InstrId], tangents: &[Tan]) -> Result<Given, Fault> {
    let mut given = Vec::new();
    for (&operand, tangent) in operands.iter().zip(tangents) {
        let of = tangent.leaves(emit.shape(operand));
        given.extend(emit.leaves(operand)?.into_iter().zip(of));
    }
    Ok(given)
}

/// The checkpoint of the function and its tangents.
fn checkpoint_forward(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    flat: &Flat,
    given: &Given,
) -> Result<(InstrId, Tan), Fault> {
    let varying = given.iter().filter_map(|(_, t)| t.map(|t| InstrId(t.0)));
    let operands: Vec<InstrId> = given.iter().map(|(id, _)| *id).chain(varying).collect();
    let shapes: Vec<Shape> = operands.iter().map(|&id| cx.emit.shape(id).clone()).collect();
    let mut body = Body::new(cx.emit.body.origin.clone());
    body.notes = cx.emit.body.notes.clone();
    let mut e = Emit { graph: cx.emit.graph, body: &mut body };
    let all: Vec<InstrId> = shapes.into_iter().enumerate().map(|(n, s)| e.parameter(n, s)).collect();
    let (values, rest) = all.split_at(given.len());
    let (root, found) = inner::forward(&mut e, &flat.comp, values, given.iter().map(|(_, t)| *t), rest)?;
    let mut results = e.elements(root)?;
    let count = results.len();
    results.extend(found.iter().flatten());
    let root = e.tuple(&results)?;
    let shape = e.shape(root).clone();
    let comp = cx.emit.graph.close("checkpoint", body, root);
    let attrs = CustomCall { target: marks::CHECKPOINT.into(), called: vec![comp], ..CustomCall::default() };
    let whole =
        cx.emit.op_shaped(Opcode::CustomCall, shape, &operands, Attrs::CustomCall(Box::new(attrs)))?;
    let made = cx.emit.elements(whole)?;
    let value = cx.emit.of_leaves(&instr.shape, &mut made.iter().copied())?;
    let mut rest = made[count..].iter().map(|id| Tangent(id.0));
    let mut tangents = found.iter().map(|t| t.and_then(|_| rest.next()));
    Ok((value, Tan::of_leaves(&instr.shape, &mut tangents)))
}

/// A function that is computed again when it is transposed.
struct Checkpoint {
    flat: Flat,
    given: Given,
    /// Of each result whether it varies, and the shapes of those.
    varies: Vec<bool>,
    results: Vec<ArrayShape>,
}

impl Checkpoint {
    /// The tangents of the arguments.
    fn tangents(&self) -> impl Iterator<Item = Option<Tangent>> {
        self.given.iter().map(|(_, t)| *t)
    }

    /// Of what each result has, that of the results that vary.
    fn varying<T>(&self, of_results: Vec<T>) -> impl Iterator<Item = T> {
        of_results.into_iter().zip(&self.varies).filter(|(_, v)| **v).map(|(t, _)| t)
    }
}

impl Structured for Checkpoint {
    fn operands(&self) -> Vec<Tangent> {
        self.tangents().flatten().collect()
    }

    fn residuals(&self) -> Vec<InstrId> {
        self.given.iter().map(|(id, _)| *id).collect()
    }

    fn apply(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        operands: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault> {
        let values: Vec<InstrId> = self.given.iter().map(|(id, _)| residuals[id]).collect();
        let (_, found) = inner::forward(emit, &self.flat.comp, &values, self.tangents(), operands)?;
        let tangent = |(t, shape): (Option<InstrId>, &ArrayShape)| t.map_or_else(|| emit.zeros(shape), Ok);
        self.varying(found).zip(&self.results).map(tangent).collect()
    }

    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault> {
        let values = self.given.iter().map(|(id, _)| cx.residual(*id));
        let behind: Vec<InstrId> = values.chain(cotangents.iter().copied().flatten()).collect();
        let barrier = cx.emit.tuple(&behind)?;
        let barrier = cx.emit.op(Opcode::OptimizationBarrier, &[barrier], Attrs::None)?;
        let behind = cx.emit.elements(barrier)?;
        let (values, rest) = behind.split_at(self.given.len());
        let Taped { tape, inputs, results, .. } =
            inner::on_tape(cx.emit, &self.flat.comp, values, self.tangents())?;
        let seeds = inner::seeds(self.varying(results), cotangents, rest);
        let results: Vec<Tangent> = seeds.iter().map(|(t, _)| *t).collect();
        let here = tape.residuals(&results).into_iter().map(|id| (id, id)).collect();
        let of: Vec<Tangent> = inputs.iter().map(|(_, input)| *input).collect();
        let made = transpose(cx.emit, &tape, &here, &seeds, &of)?;
        for ((outer, _), ct) in inputs.into_iter().zip(made) {
            if let Some(ct) = ct {
                cx.contribute(outer, ct)?;
            }
        }
        Ok(())
    }
}

/// Refuses tangents of what a function with a derivative of its own captured: the derivative says nothing of them.
fn only_arguments(instr: &Instruction, tangents: &[Tan]) -> Result<(), Fault> {
    let Attrs::CustomCall(call) = &instr.attrs else { return Ok(()) };
    let stated = call.rest.iter().find(|(key, _)| key == marks::ARGUMENTS);
    let count = stated.and_then(|(_, n)| n.parse().ok()).unwrap_or(tangents.len());
    if tangents[count..].iter().any(|t| !t.is_zero()) {
        let name = call.target.trim_start_matches("lawson.");
        return fault!(
            "`{name}`: the function captured a tensor with regard to which a derivative is asked for: make it an argument"
        );
    }
    Ok(())
}

/// The rule of [`marks::CUSTOM_JVP`].
pub(in crate::grad) fn custom_jvp(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    only_arguments(instr, tangents)?;
    let jvp = instr.attrs.called()[1];
    let count = leaf_count(&instr.shape);
    let mut arguments = operands.to_vec();
    for (&operand, tangent) in operands.iter().zip(tangents) {
        arguments.push(match (&cx.mode, tangent.one()) {
            (Mode::Forward, Some(t)) => InstrId(t.0),
            _ => cx.emit.splat_like(operand, 0.0)?,
        });
    }
    let (found, tangents) = if cx.is_forward() {
        let root = cx.emit.inline(jvp, &arguments);
        let found = cx.emit.leaves(root)?;
        let tangents = found.iter().map(|id| Some(Tangent(id.0))).collect();
        (found, tangents)
    } else {
        // What `jvp` gives is linear in tangents: its derivative at tangents of zero, with regard to those alone.
        let mut of = vec![Tan::Zero; operands.len()];
        of.extend_from_slice(tangents);
        let (root, tan) = cx.inline(jvp, &arguments, &of)?;
        let tangents: Vec<Option<Tangent>> = tan.leaves(cx.emit.shape(root));
        (cx.emit.leaves(root)?, tangents)
    };
    if found.len() != 2 * count {
        return fault!("`custom_jvp` gives {} results for {count} and their tangents", found.len());
    }
    let value = cx.emit.of_leaves(&instr.shape, &mut found[..count].iter().copied())?;
    let shapes = flat::arrays(&instr.shape)?;
    let mut of = tangents[count..].iter().zip(&shapes).map(|(t, s)| t.filter(|_| varies(s.dtype)));
    Ok((value, Tan::of_leaves(&instr.shape, &mut of)))
}

/// The rule of [`marks::CUSTOM_VJP`].
pub(in crate::grad) fn custom_vjp(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    only_arguments(instr, tangents)?;
    if cx.is_forward() {
        return Err(only_backward());
    }
    let [_, forward, backward] = instr.attrs.called()[..] else {
        return fault!("`custom_vjp` needs three computations");
    };
    let shapes = flat::arrays(&instr.shape)?;
    let root = cx.emit.inline(forward, operands);
    let mut found = cx.emit.leaves(root)?;
    if found.len() < shapes.len() {
        return fault!("`custom_vjp`: the forward half gives {} results for {}", found.len(), shapes.len());
    }
    let residuals = found.split_off(shapes.len());
    let value = cx.emit.of_leaves(&instr.shape, &mut found.into_iter())?;
    let varying: Vec<usize> = (0..shapes.len()).filter(|&i| varies(shapes[i].dtype)).collect();
    let of: Vec<ArrayShape> = varying.iter().map(|&i| shapes[i].clone()).collect();
    let operands = tangents.iter().map(Tan::one).collect();
    let it = CustomVjp { backward, residuals, operands, shapes: shapes.clone(), varying: varying.clone() };
    let made = cx.structured(Box::new(it), &of);
    let mut leaves = vec![None; shapes.len()];
    varying.into_iter().zip(made).for_each(|(i, t)| leaves[i] = Some(t));
    Ok((value, Tan::of_leaves(&instr.shape, &mut leaves.into_iter())))
}

fn only_backward() -> Fault {
    let message =
        "`custom_vjp` has no derivative forward, only backward: use `custom_jvp` for a function of both";
    Fault(message.into())
}

/// A function whose transpose the program gives.
struct CustomVjp {
    backward: CompId,
    residuals: Vec<InstrId>,
    operands: Vec<Option<Tangent>>,
    shapes: Vec<ArrayShape>,
    /// The numbers of the results that have tangents.
    varying: Vec<usize>,
}

impl Structured for CustomVjp {
    fn operands(&self) -> Vec<Tangent> {
        self.operands.iter().flatten().copied().collect()
    }

    fn residuals(&self) -> Vec<InstrId> {
        self.residuals.clone()
    }

    fn apply(
        &self,
        _: &mut Emit<'_>,
        _: &FxHashMap<InstrId, InstrId>,
        _: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault> {
        Err(only_backward())
    }

    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault> {
        let mut arguments: Vec<InstrId> = self.residuals.iter().map(|&id| cx.residual(id)).collect();
        for (i, shape) in self.shapes.iter().enumerate() {
            let place = self.varying.iter().position(|&v| v == i);
            let ct = place.and_then(|n| cotangents.get(n).copied().flatten());
            arguments.push(match ct {
                Some(ct) => ct,
                None => cx.emit.zeros(shape)?,
            });
        }
        let root = cx.emit.inline(self.backward, &arguments);
        let found = cx.emit.leaves(root)?;
        for (t, ct) in self.operands.iter().zip(found) {
            if let Some(t) = t {
                cx.contribute(*t, ct)?;
            }
        }
        Ok(())
    }
}
