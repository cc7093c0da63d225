//! Custom calls. Marks of the front end ([`crate::marks`]) are kept, with all their computations batched; any other function
//! takes one example after the other.

use super::super::{Batched, Batcher};
use super::{Made, sequential};
use crate::error::Fault;
use crate::fault;
use crate::graph::marks;
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Opcode, Shape};

pub(super) fn custom_call(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::CustomCall(call) = &instr.attrs else { return fault!("`custom-call` has no target") };
    match marks::of(instr) {
        None => sequential::rule(cx, instr, operands, batched),
        Some(marks::STOP_GRADIENT) => Ok((stop_gradient(cx, operands[0])?, batched[0].clone())),
        Some(marks::CHECKPOINT) => {
            let result = cx.result(call.called[0], batched);
            let called = vec![cx.computation(call.called[0], batched, &result)?];
            again(cx, instr, call, operands, called, result)
        }
        Some(marks::CUSTOM_JVP) => {
            let result = cx.custom_jvp(&call.called, batched, &instr.shape);
            let called = custom_jvp(cx, &call.called, batched, &result, &instr.shape)?;
            again(cx, instr, call, operands, called, result)
        }
        Some(marks::CUSTOM_VJP) => {
            let called = custom_vjp(cx, &call.called, batched, &instr.shape)?;
            again(cx, instr, call, operands, called, Batched::all(&instr.shape))
        }
        Some(other) => fault!("`{other}` has no rule of batching"),
    }
}

/// The value as it is, without a derivative.
pub(super) fn stop_gradient(cx: &mut Batcher<'_, '_>, x: InstrId) -> Result<InstrId, Fault> {
    cx.emit.stop_gradient(x)
}

/// The mark with other computations.
fn again(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    call: &CustomCall,
    operands: &[InstrId],
    called: Vec<CompId>,
    result: Batched,
) -> Made {
    let shape = cx.batched_shape(&instr.shape, &result);
    let attrs = Attrs::CustomCall(Box::new(CustomCall { called, ..call.clone() }));
    Ok((cx.emit.op_shaped(Opcode::CustomCall, shape, operands, attrs)?, result))
}

/// `{f, jvp}`: tangents are batched where the values are that they belong to.
fn custom_jvp(
    cx: &mut Batcher<'_, '_>,
    called: &[CompId],
    batched: &[Batched],
    result: &Batched,
    shape: &Shape,
) -> Result<Vec<CompId>, Fault> {
    let value = cx.computation(called[0], batched, result)?;
    let jvp = cx.emit.graph.computation(called[1]);
    let root = jvp.root().shape.clone();
    let parameters = jvp.parameter_shapes().len();
    if parameters != 2 * batched.len() {
        let n = batched.len();
        return fault!("the tangents of {n} operands are computed by a function of {parameters} parameters");
    }
    let both = [batched, batched].concat();
    let results = result.leaves(shape);
    let joint = Batched::of_leaves(&root, &mut results.iter().chain(&results).copied());
    Ok(vec![value, cx.computation(called[1], &both, &joint)?])
}

/// `{f, forward, backward}`: all results are batched, so that each example has cotangents of its own. Those of an operand that
/// is the same for all examples are summed over them.
fn custom_vjp(
    cx: &mut Batcher<'_, '_>,
    called: &[CompId],
    batched: &[Batched],
    shape: &Shape,
) -> Result<Vec<CompId>, Fault> {
    let [value, forward, backward] = called[..] else { return fault!("`custom_vjp` has three computations") };
    let results = Batched::all(shape);
    let count = results.leaves(shape).len();
    let value = cx.computation(value, batched, &results)?;
    let root = cx.emit.graph.computation(forward).root().shape.clone();
    let found = cx.result(forward, batched).leaves(&root);
    let leaves: Vec<bool> = found.iter().enumerate().map(|(i, of)| *of || i < count).collect();
    let new_forward =
        cx.computation(forward, batched, &Batched::of_leaves(&root, &mut leaves.iter().copied()))?;
    let parameters = cx.emit.graph.computation(backward).parameter_shapes();
    let parameters: Vec<Shape> = parameters.into_iter().cloned().collect();
    let mut of_parameters = leaves[count..].iter().copied().chain(std::iter::repeat_n(true, count));
    let of: Vec<Batched> = parameters.iter().map(|p| Batched::of_leaves(p, &mut of_parameters)).collect();
    let new_backward = cx.made(backward, &of, |cx, ids| {
        let (root, flag) = cx.inline(backward, ids, &of)?;
        let flags = flag.leaves(cx.emit.shape(root));
        let cotangents = cx.emit.leaves(root)?;
        if cotangents.len() > batched.len() {
            let (found, n) = (cotangents.len(), batched.len());
            return fault!("the cotangents of {n} operands are computed by a function that gives {found}");
        }
        let mut summed = Vec::with_capacity(cotangents.len());
        // There is none for operands at the end that the function captured.
        for ((ct, of_ct), of) in cotangents.into_iter().zip(flags).zip(batched) {
            let ct = if of_ct { ct } else { cx.spread(ct, &Batched::No)? };
            summed.push(if of.is_no() { cx.emit.sum(ct, &[0])? } else { ct });
        }
        cx.emit.tuple(&summed)
    })?;
    Ok(vec![value, new_forward, new_backward])
}
