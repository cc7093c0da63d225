//! Which values vary, found before any instruction is made: what a loop's state carries must be known first.
//!
//! What is found is never too little. It may be too much where a rule finds that a derivative is zero after all; a tangent of
//! zeros then stands there.

use super::super::{self as rules, Derivative, varies};
use crate::graph::Graph;
use crate::graph::marks;
use lawson_hlo::{Attrs, CompId, Computation, Instruction, Opcode, Shape};

/// The number of leaves of a value: of all that is no tuple.
pub(super) fn leaf_count(shape: &Shape) -> usize {
    match shape {
        Shape::Tuple(parts) => parts.iter().map(leaf_count).sum(),
        _ => 1,
    }
}

/// Of the leaves of a computation's result, whether they vary, by those of its parameters.
pub(super) fn of_result(graph: &Graph, comp: CompId, parameters: &[Vec<bool>]) -> Vec<bool> {
    let comp = graph.computation(comp);
    let root = comp.root.index();
    of_values(graph, comp, parameters).swap_remove(root)
}

/// Of the leaves of each instruction of a computation, whether they vary, by those of its parameters.
pub(super) fn of_values(graph: &Graph, comp: &Computation, parameters: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut found: Vec<Vec<bool>> = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        let operands: Vec<&Vec<bool>> = instr.operands.iter().map(|o| &found[o.index()]).collect();
        let flags = match instr.attrs {
            Attrs::Parameter(n) => parameters[n].clone(),
            Attrs::TupleIndex(index) => {
                let operand = &comp[instr.operands[0]].shape;
                let before = match operand {
                    Shape::Tuple(parts) => parts[..index].iter().map(leaf_count).sum(),
                    _ => 0,
                };
                operands[0][before..before + leaf_count(&instr.shape)].to_vec()
            }
            _ => of_instruction(graph, instr, &operands),
        };
        found.push(flags);
    }
    found
}

fn of_instruction(graph: &Graph, instr: &Instruction, operands: &[&Vec<bool>]) -> Vec<bool> {
    if !operands.iter().any(|o| o.contains(&true)) {
        return vec![false; leaf_count(&instr.shape)];
    }
    let cloned = || operands.iter().map(|&o| o.clone()).collect::<Vec<_>>();
    match (instr.opcode, &instr.attrs) {
        (Opcode::Tuple, _) => cloned().concat(),
        (Opcode::OptimizationBarrier, _) => cloned().concat(),
        (Opcode::Call, Attrs::Call { to_apply, .. }) => of_result(graph, *to_apply, &cloned()),
        (Opcode::While, Attrs::While { body, .. }) => {
            fixed_point(operands[0].clone(), |state| of_result(graph, *body, std::slice::from_ref(state)))
        }
        (Opcode::Conditional, Attrs::Conditional { branches, .. }) => {
            let mut any = vec![false; leaf_count(&instr.shape)];
            for (&branch, &operand) in branches.iter().zip(&operands[1..]) {
                let of = of_result(graph, branch, std::slice::from_ref(operand));
                any.iter_mut().zip(of).for_each(|(a, b)| *a |= b);
            }
            any
        }
        (Opcode::CustomCall, Attrs::CustomCall(call)) if call.target == marks::CHECKPOINT => {
            of_result(graph, call.called[0], &cloned())
        }
        _ => {
            let zero = matches!(rules::of(instr), Derivative::Zero(_));
            let mut flags = Vec::new();
            leaf_flags(&instr.shape, &mut |shape| {
                flags.push(!zero && shape.as_array().is_some_and(|a| varies(a.dtype)));
            });
            flags
        }
    }
}

fn leaf_flags(shape: &Shape, f: &mut impl FnMut(&Shape)) {
    match shape {
        Shape::Tuple(parts) => parts.iter().for_each(|p| leaf_flags(p, f)),
        leaf => f(leaf),
    }
}

/// What varies in any trip: the state at the start and all that the body makes of what varies.
pub(super) fn fixed_point(mut state: Vec<bool>, body: impl Fn(&Vec<bool>) -> Vec<bool>) -> Vec<bool> {
    loop {
        let after = body(&state);
        let next: Vec<bool> = state.iter().zip(&after).map(|(a, b)| a | b).collect();
        if next == state {
            return state;
        }
        state = next;
    }
}
