//! `conditional`: a branch is taken for all examples together where the selector is the same for all; its results are batched
//! where those of any branch are. Where each example selects, all branches are computed and `select` chooses.
//!
//! For the examples that do not take a branch, its computation may give infinities, which no result shows, but which would
//! come back as NaN with a derivative. So each branch gets its arguments through a `select` that is one of equal values, and
//! through which derivatives go only for the examples that take the branch.

use super::super::{Batched, Batcher};
use super::loops::select;
use super::{Made, marks, shield};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, CompId, DType, InstrId, Instruction, Literal, Opcode, Scalar, Shape};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Conditional { branches, predicated } = &instr.attrs else {
        return fault!("`conditional` has no branches");
    };
    if batched[0] == Batched::Yes {
        return each_its_own(cx, instr, (branches, *predicated), operands, batched);
    }
    let result = cx.branches(branches, &batched[1..], &instr.shape);
    let mut made = Vec::with_capacity(branches.len());
    for (&branch, of) in branches.iter().zip(&batched[1..]) {
        made.push(cx.computation(branch, std::slice::from_ref(of), &result)?);
    }
    let attrs = Attrs::Conditional { branches: made, predicated: *predicated };
    Ok((cx.emit.op(Opcode::Conditional, operands, attrs)?, result))
}

/// All branches, of which each example selects one.
fn each_its_own(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    (branches, predicated): (&[CompId], bool),
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let all = Batched::all(&instr.shape);
    let taken = takers(cx, operands[0], branches.len(), predicated)?;
    let mut chosen: Option<Vec<InstrId>> = None;
    // The last one first: an index out of range means it.
    for (i, &branch) in branches.iter().enumerate().rev() {
        let (argument, of) = shielded(cx, branch, (operands[i + 1], &batched[i + 1]), taken[i])?;
        let (result, flag) = cx.inline(branch, &[argument], &[of])?;
        let result = cx.fit(result, &flag, &all)?;
        let leaves = cx.emit.leaves(result)?;
        chosen = Some(match chosen {
            None => leaves,
            Some(others) => leaves
                .into_iter()
                .zip(others)
                .map(|(yes, no)| match cx.emit.shape(yes) {
                    Shape::Array(_) => select(cx, taken[i], yes, no),
                    _ => Ok(yes),
                })
                .collect::<Result<_, Fault>>()?,
        });
    }
    let shape = cx.batched_shape(&instr.shape, &all);
    let leaves = chosen.unwrap_or_default();
    Ok((cx.emit.of_leaves(&shape, &mut leaves.into_iter())?, all))
}

/// Of each branch, the examples that take it: `pred[batch]`.
fn takers(
    cx: &mut Batcher<'_, '_>,
    selector: InstrId,
    branches: usize,
    predicated: bool,
) -> Result<Vec<InstrId>, Fault> {
    if predicated {
        return Ok(vec![selector, cx.emit.unary(Opcode::Not, selector)?]);
    }
    let mut taken = Vec::with_capacity(branches);
    let mut others: Option<InstrId> = None;
    for i in 0..branches as i64 - 1 {
        let number = cx.emit.constant(Literal::scalar(DType::S32, Scalar::Signed(i)));
        let number = cx.spread(number, &Batched::No)?;
        let takes = cx.emit.compare(Direction::Eq, selector, number)?;
        taken.push(takes);
        others = Some(match others {
            None => takes,
            Some(others) => cx.emit.binary(Opcode::Or, others, takes)?,
        });
    }
    taken.push(match others {
        Some(others) => cx.emit.unary(Opcode::Not, others)?,
        None => {
            let yes = cx.emit.constant(Literal::scalar(DType::Pred, Scalar::Pred(true)));
            cx.spread(yes, &Batched::No)?
        }
    });
    Ok(taken)
}

/// The argument of a branch, through whose numbers derivatives go for the examples that take the branch.
fn shielded(
    cx: &mut Batcher<'_, '_>,
    branch: CompId,
    (argument, of): (InstrId, &Batched),
    taken: InstrId,
) -> Result<(InstrId, Batched), Fault> {
    if !cx.differentiable {
        return Ok((argument, of.clone()));
    }
    let shape = cx.emit.shape(argument).clone();
    let mut flags = of.leaves(&shape);
    let mut leaves = cx.emit.leaves(argument)?;
    let shared = shield::shared(cx.emit.graph.module(), branch, &shape);
    for ((leaf, flag), shared) in leaves.iter_mut().zip(&mut flags).zip(shared) {
        let of_numbers = cx.emit.shape(*leaf).as_array().is_some_and(|a| a.dtype.is_continuous());
        if of_numbers && (*flag || !shared) {
            let x = cx.fit(*leaf, &if *flag { Batched::Yes } else { Batched::No }, &Batched::Yes)?;
            let still = marks::stop_gradient(cx, x)?;
            (*leaf, *flag) = (select(cx, taken, x, still)?, true);
        }
    }
    let of = Batched::of_leaves(&shape, &mut flags.into_iter());
    Ok((cx.emit.of_leaves(&shape, &mut leaves.into_iter())?, of))
}
