//! Loops in forward mode: one loop over the state and the tangents of what varies in it.
//!
//! ```text
//! while(s), condition=c, body=f   →   while((s, ds)), condition=c, body=(f, df)
//! ```

use super::activity;
use super::flat::{self, Open};
use crate::error::Fault;
use crate::fault;
use crate::grad::linearize::Mode;
use crate::grad::tape::Tangent;
use crate::grad::{Linearizer, Tan};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::While { condition, body } = instr.attrs else { return fault!("`while` has no body") };
    let shapes = flat::arrays(&instr.shape)?;
    let init = cx.emit.leaves(operands[0])?;
    let initial = tangents[0].leaves(&instr.shape);
    let (condition, body) = (flat::flat(cx.emit, condition, &[])?, flat::flat(cx.emit, body, &[])?);
    let varies = activity::fixed_point(initial.iter().map(Option::is_some).collect(), |state| {
        let flags: Vec<Vec<bool>> = state.iter().map(|&v| vec![v]).collect();
        let mut found = activity::of_values(cx.emit.graph, &body.comp, &flags);
        found.swap_remove(body.comp.root.index())
    });
    let varying: Vec<usize> = (0..shapes.len()).filter(|&k| varies[k]).collect();
    let mut state = init;
    for &k in &varying {
        state.push(match initial[k] {
            Some(t) => InstrId(t.0),
            None => cx.emit.zeros(&shapes[k])?,
        });
    }
    let leaves: Vec<ArrayShape> = shapes.iter().chain(varying.iter().map(|&k| &shapes[k])).cloned().collect();

    let mut open = Open::new(cx.emit, leaves.clone())?;
    let given = open.leaves.clone();
    let mut e = open.emit(cx.emit.graph);
    let root = e.inline_computation(&condition.comp, &given[..shapes.len()]);
    let test = e.element(root, 0)?;
    let condition = cx.emit.graph.close("condition", open.body, test);

    let mut open = Open::new(cx.emit, leaves)?;
    let leaves = open.leaves.clone();
    let (values, given) = leaves.split_at(shapes.len());
    let mut given = given.iter().copied();
    let tangent = |&v: &bool| if v { given.next().map(|id| Tangent(id.0)) } else { None };
    let tangents: Vec<Tan> = varies.iter().map(tangent).map(|t| t.map_or(Tan::Zero, Tan::One)).collect();
    let mut e = open.emit(cx.emit.graph);
    let mut inner = Linearizer { emit: &mut e, mode: Mode::Forward };
    let (root, tan) = inner.inline_computation(&body.comp, values, &tangents)?;
    let after = tan.leaves(e.shape(root));
    let mut results = e.elements(root)?;
    for &k in &varying {
        results.push(match after[k] {
            Some(t) => InstrId(t.0),
            None => e.zeros(&shapes[k])?,
        });
    }
    let body = open.close(cx.emit.graph, "body", &results)?;

    let state = cx.emit.tuple(&state)?;
    let whole = cx.emit.op(Opcode::While, &[state], Attrs::While { condition, body })?;
    let found = cx.emit.elements(whole)?;
    let value = cx.emit.of_leaves(&instr.shape, &mut found.iter().copied())?;
    let mut after = found[shapes.len()..].iter().map(|id| Tangent(id.0));
    let mut tangents = varies.iter().map(|&v| if v { after.next() } else { None });
    Ok((value, Tan::of_leaves(&instr.shape, &mut tangents)))
}
