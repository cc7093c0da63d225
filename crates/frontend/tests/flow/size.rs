//! How many instructions functions and their derivatives become.

use lawson_frontend::{Tensor, grad::grad, trace};
use lawson_hlo::{ArrayShape, DType, Instruction, Module, Opcode};
use std::sync::Arc;

/// The gradient of a chain of so many steps, each of three operations and two numbers.
fn gradient(steps: usize) -> Module {
    let chain = |x: &Tensor| (0..steps).fold(x.clone(), |y, _| (y * 0.5 + 0.25).sin()).sum();
    let spec = ArrayShape::new(DType::F32, [64]).into();
    let traced = trace::program(&[spec], |x| Ok(vec![grad(chain)(&x[0])]));
    let (graph, function) = traced.unwrap_or_else(|e| panic!("{e}"));
    graph.finish(function.comp, "chain")
}

#[test]
fn numbers_of_a_program_are_one_constant_however_often_they_are_used() {
    let count = |steps: usize| gradient(steps).entry().instrs.len();
    // Forward three and a cosine, backward two products.
    assert_eq!(count(200) - count(100), 100 * 6);
    let constants =
        |steps: usize| gradient(steps).entry().instrs.iter().filter(|i| i.opcode == Opcode::Constant).count();
    assert_eq!(constants(200), constants(1));
}

#[test]
fn instructions_of_a_line_share_their_notes() {
    let module = gradient(100);
    let of = |opcode| module.entry().instrs.iter().filter(move |i: &&Instruction| i.opcode == opcode);
    let notes = |opcode| of(opcode).map(|i| Arc::as_ptr(i.notes.as_ref().expect("a line")));
    let mut sines: Vec<_> = notes(Opcode::Sine).collect();
    assert_eq!(sines.len(), 100);
    sines.dedup();
    assert_eq!(sines.len(), 1);
}
