//! Conditionals: the derivative of the branch that is taken.
//!
//! ```text
//! y = conditional(p, a, b), branches={f, g}
//!
//! forward   (y, dy) = conditional(p, (a, da), (b, db)), branches={(f, df), (g, dg)}
//! reverse   (y, s)  = conditional(p, a, b), branches={(f, what df reads), (g, what dg reads)}
//!           (ca, cb) = conditional(p, (a, s, cy), (b, s, cy)), branches={(df transposed, 0), (0, dg transposed)}
//! ```
//!
//! What branches save (`s`) shares its places where shapes are the same; a branch leaves zeros in those it does not need.

use super::flat::{self, Flat, Open};
use super::inner::{self, Taped};
use super::{rebuild, save};
use crate::error::Fault;
use crate::fault;
use crate::grad::linearize::Mode;
use crate::grad::replay::replay;
use crate::grad::tape::{Structured, Tangent, Tape};
use crate::grad::transpose::transpose;
use crate::grad::{Linearizer, Tan, Transposer};
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Instruction, Opcode};
use rustc_hash::FxHashMap;

pub(in crate::grad) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Conditional { branches, .. } = &instr.attrs else {
        return fault!("`conditional` has no branches");
    };
    let mut made = Vec::new();
    for (n, &branch) in branches.iter().enumerate() {
        let leaves = cx.emit.leaves(operands[n + 1])?;
        let known = flat::known(cx.emit, &leaves);
        let flat = flat::flat(cx.emit, branch, &known)?;
        let tangents = tangents[n + 1].leaves(cx.emit.shape(operands[n + 1]));
        made.push(Branch { flat, leaves, tangents });
    }
    match cx.mode {
        Mode::Forward => forward(cx, instr, operands[0], &made),
        Mode::Reverse(_) => reverse(cx, instr, operands[0], made),
    }
}

/// A branch over array leaves, with what it is called on.
struct Branch {
    flat: Flat,
    leaves: Vec<InstrId>,
    tangents: Vec<Option<Tangent>>,
}

/// A branch under construction.
struct Made {
    open: Open,
    operands: Vec<InstrId>,
    results: Vec<InstrId>,
    /// Results that not every branch has: zeros stand where one does not.
    optional: Vec<Option<InstrId>>,
}

/// A conditional of these branches. Gives the results, then the optional ones that any branch has, at their places.
fn emit_conditional(
    emit: &mut Emit<'_>,
    selector: InstrId,
    branches: Vec<Made>,
    optional: &[ArrayShape],
) -> Result<(Vec<InstrId>, Vec<Option<InstrId>>), Fault> {
    let present: Vec<usize> =
        (0..optional.len()).filter(|&i| branches.iter().any(|b| b.optional[i].is_some())).collect();
    let mut operands = vec![selector];
    let mut ids = Vec::new();
    for mut branch in branches {
        let mut e = branch.open.emit(emit.graph);
        let mut results = branch.results;
        for &i in &present {
            results.push(match branch.optional[i] {
                Some(id) => id,
                None => e.zeros(&optional[i])?,
            });
        }
        ids.push(branch.open.close(emit.graph, "branch", &results)?);
        operands.push(emit.tuple(&branch.operands)?);
    }
    let predicated = emit.array(selector)?.dtype.is_pred();
    let whole = emit.op(Opcode::Conditional, &operands, Attrs::Conditional { branches: ids, predicated })?;
    let mut found = emit.elements(whole)?;
    let mut at = vec![None; optional.len()];
    let first = found.len() - present.len();
    present.iter().zip(found.drain(first..)).for_each(|(&i, id)| at[i] = Some(id));
    Ok((found, at))
}

fn shapes(emit: &Emit<'_>, ids: &[InstrId]) -> Result<Vec<ArrayShape>, Fault> {
    ids.iter().map(|&id| emit.array(id).cloned()).collect()
}

fn forward(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    selector: InstrId,
    branches: &[Branch],
) -> Result<(InstrId, Tan), Fault> {
    let mut made = Vec::new();
    for branch in branches {
        let varying = branch.tangents.iter().flatten().map(|t| InstrId(t.0));
        let operands: Vec<InstrId> = branch.leaves.iter().copied().chain(varying).collect();
        let mut open = Open::new(cx.emit, shapes(cx.emit, &operands)?)?;
        let leaves = open.leaves.clone();
        let (values, given) = leaves.split_at(branch.leaves.len());
        let mut e = open.emit(cx.emit.graph);
        let tangents = branch.tangents.iter().copied();
        let (root, optional) = inner::forward(&mut e, &branch.flat.comp, values, tangents, given)?;
        let results = e.elements(root)?;
        made.push(Made { open, operands, results, optional });
    }
    let leaves = flat::arrays(&instr.shape)?;
    let (values, tangents) = emit_conditional(cx.emit, selector, made, &leaves)?;
    let value = cx.emit.of_leaves(&instr.shape, &mut values.into_iter())?;
    let mut tangents = tangents.into_iter().map(|t| t.map(|id| Tangent(id.0)));
    Ok((value, Tan::of_leaves(&instr.shape, &mut tangents)))
}

/// A branch whose tangents are on a tape.
struct Linearized {
    comp: Computation,
    tape: Tape,
    /// Tangents that it reads: outside, and on its tape.
    inputs: Vec<(Tangent, Tangent)>,
    results: Vec<Option<Tangent>>,
    /// What its tape reads.
    residuals: Vec<InstrId>,
    /// Values that are at hand outside: those saved, and those the branch is called on.
    outside: Vec<(InstrId, InstrId)>,
}

fn reverse(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    selector: InstrId,
    branches: Vec<Branch>,
) -> Result<(InstrId, Tan), Fault> {
    let leaves = flat::arrays(&instr.shape)?;
    let mut made = Vec::new();
    let mut linear = Vec::new();
    let mut slots: Vec<ArrayShape> = Vec::new();
    let mut taken: Vec<Vec<(InstrId, usize)>> = Vec::new();
    for branch in &branches {
        let mut open = Open::new(cx.emit, shapes(cx.emit, &branch.leaves)?)?;
        let values = open.leaves.clone();
        let mut e = open.emit(cx.emit.graph);
        let Taped { root, tape, inputs, results: tangents } =
            inner::on_tape(&mut e, &branch.flat.comp, &values, branch.tangents.iter().copied())?;
        let results = e.elements(root)?;
        let varying: Vec<Tangent> = tangents.iter().copied().flatten().collect();
        let residuals = tape.residuals(&varying);
        let comp = open.body.clone().finish("branch", root);
        let at_hand: FxHashMap<InstrId, InstrId> =
            values.iter().copied().zip(branch.leaves.iter().copied()).collect();
        let is_leaf = |id: InstrId| at_hand.contains_key(&id);
        let saved = save::saved(&comp, &residuals, &is_leaf);
        taken.push(places(&comp, &saved, &mut slots)?);
        let is_at_hand = |id: InstrId| is_leaf(id) || saved.binary_search(&id).is_ok();
        let used = rebuild::used(&comp, &residuals, &is_at_hand);
        let outside = used.iter().filter_map(|id| Some((*id, *at_hand.get(id)?))).collect();
        linear.push(Linearized { comp, tape, inputs, results: tangents, residuals, outside });
        made.push(Made { open, operands: branch.leaves.clone(), results, optional: Vec::new() });
    }
    for (branch, taken) in made.iter_mut().zip(&taken) {
        branch.optional = vec![None; slots.len()];
        taken.iter().for_each(|&(id, slot)| branch.optional[slot] = Some(id));
    }
    let (values, slots) = emit_conditional(cx.emit, selector, made, &slots)?;
    for (branch, taken) in linear.iter_mut().zip(&taken) {
        let slot = |&(id, slot): &(InstrId, usize)| (id, slots[slot].expect("the branch fills it"));
        branch.outside.extend(taken.iter().map(slot));
    }
    let varies: Vec<bool> =
        (0..leaves.len()).map(|i| linear.iter().any(|b| b.results[i].is_some())).collect();
    let shapes: Vec<ArrayShape> =
        leaves.iter().zip(&varies).filter(|(_, v)| **v).map(|(s, _)| s.clone()).collect();
    for branch in &mut linear {
        let mut keep = varies.iter();
        branch.results.retain(|_| keep.next() == Some(&true));
    }
    let value = cx.emit.of_leaves(&instr.shape, &mut values.into_iter())?;
    let it = Conditional { selector, branches: linear, shapes: shapes.clone() };
    let mut found = cx.structured(Box::new(it), &shapes).into_iter();
    let mut tangents = varies.into_iter().map(|v| if v { found.next() } else { None });
    Ok((value, Tan::of_leaves(&instr.shape, &mut tangents)))
}

/// A place for each of these values: one that another branch has, or a new one.
fn places(
    comp: &Computation,
    saved: &[InstrId],
    slots: &mut Vec<ArrayShape>,
) -> Result<Vec<(InstrId, usize)>, Fault> {
    let mut taken: Vec<(InstrId, usize)> = Vec::new();
    for &id in saved {
        let Some(shape) = comp[id].shape.as_array() else {
            return fault!("`{}` leaves {}, which cannot be saved", comp[id].opcode, comp[id].shape);
        };
        let is_free = |slot: usize| taken.iter().all(|(_, used)| *used != slot);
        let found = (0..slots.len()).find(|&slot| is_free(slot) && slots[slot].same(shape));
        let slot = found.unwrap_or_else(|| {
            slots.push(shape.clone());
            slots.len() - 1
        });
        taken.push((id, slot));
    }
    Ok(taken)
}

/// A conditional whose branches are tapes.
struct Conditional {
    selector: InstrId,
    branches: Vec<Linearized>,
    shapes: Vec<ArrayShape>,
}

impl Conditional {
    /// Begins the branches of a conditional, each on its values outside, then `extra`; gives where its residuals are.
    fn open(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        extra: &[InstrId],
        mut f: impl FnMut(&Linearized, &mut Emit<'_>, &Inside) -> Result<Vec<Option<InstrId>>, Fault>,
    ) -> Result<Vec<Made>, Fault> {
        let mut made = Vec::new();
        for branch in &self.branches {
            let outside = branch.outside.iter().map(|(_, outer)| residuals[outer]);
            let operands: Vec<InstrId> = outside.chain(extra.iter().copied()).collect();
            let mut open = Open::new(emit, shapes(emit, &operands)?)?;
            let (values, extra) = open.leaves.split_at(branch.outside.len());
            let mut at: FxHashMap<InstrId, InstrId> =
                branch.outside.iter().map(|(inner, _)| *inner).zip(values.iter().copied()).collect();
            let extra = extra.to_vec();
            let mut e = open.emit(emit.graph);
            rebuild::rebuild(&mut e, &branch.comp, &branch.residuals, &mut at);
            let optional = f(branch, &mut e, &Inside { residuals: at, extra })?;
            made.push(Made { open, operands, results: Vec::new(), optional });
        }
        Ok(made)
    }
}

/// Where values are in a branch under construction.
struct Inside {
    residuals: FxHashMap<InstrId, InstrId>,
    extra: Vec<InstrId>,
}

impl Structured for Conditional {
    fn operands(&self) -> Vec<Tangent> {
        let mut found: Vec<Tangent> =
            self.branches.iter().flat_map(|b| b.inputs.iter().map(|(outer, _)| *outer)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn residuals(&self) -> Vec<InstrId> {
        let outside = self.branches.iter().flat_map(|b| b.outside.iter().map(|(_, outer)| *outer));
        outside.chain([self.selector]).collect()
    }

    fn apply(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        operands: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault> {
        let read = self.operands();
        let made = self.open(emit, residuals, operands, |branch, e, inside| {
            let place = |outer: &Tangent| read.binary_search(outer).expect("an operand");
            let given: Vec<(Tangent, InstrId)> =
                branch.inputs.iter().map(|(outer, inner)| (*inner, inside.extra[place(outer)])).collect();
            let varying: Vec<Tangent> = branch.results.iter().copied().flatten().collect();
            let mut found = replay(e, &branch.tape, &inside.residuals, &given, &varying)?.into_iter();
            Ok(branch.results.iter().map(|t| t.and_then(|_| found.next())).collect())
        })?;
        let (_, found) = emit_conditional(emit, residuals[&self.selector], made, &self.shapes)?;
        Ok(found.into_iter().map(|id| id.expect("some branch has it")).collect())
    }

    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault> {
        let wanted = self.operands();
        let given: Vec<InstrId> = cotangents.iter().copied().flatten().collect();
        let residuals = cx.residuals();
        let made = self.open(cx.emit, residuals, &given, |branch, e, inside| {
            let seeds = inner::seeds(branch.results.iter().copied(), cotangents, &inside.extra);
            let inputs: Vec<Tangent> = branch.inputs.iter().map(|(_, inner)| *inner).collect();
            let found = transpose(e, &branch.tape, &inside.residuals, &seeds, &inputs)?;
            let mut sums = vec![None; wanted.len()];
            for ((outer, _), ct) in branch.inputs.iter().zip(found) {
                let at = wanted.binary_search(outer).expect("an operand");
                sums[at] = match (sums[at], ct) {
                    (Some(sum), Some(ct)) => Some(e.add(sum, ct)?),
                    (sum, ct) => sum.or(ct),
                };
            }
            Ok(sums)
        })?;
        let shapes: Vec<ArrayShape> = wanted.iter().map(|&t| cx.shape(t).clone()).collect();
        let selector = cx.residual(self.selector);
        let (_, found) = emit_conditional(cx.emit, selector, made, &shapes)?;
        for (&t, ct) in wanted.iter().zip(found) {
            if let Some(ct) = ct {
                cx.contribute(t, ct)?;
            }
        }
        Ok(())
    }
}
