//! Every opcode is batched rightly, or has a reason why it is not.

use crate::cases::{self, Case};
use crate::examples::{compare, masks, of_case};
use crate::further;
use lawson_frontend::vmap::rules::{Batching, of_opcode};
use lawson_hlo::Opcode;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn all() -> Vec<Case> {
    let mut all = cases::all();
    all.extend(further::cases());
    all
}

/// Tries every case; the failures are named together at the end.
fn all_hold(check: impl Fn(&Case, u64)) {
    let mut wrong = Vec::new();
    for (n, case) in all().iter().enumerate() {
        if catch_unwind(AssertUnwindSafe(|| check(case, n as u64))).is_err() {
            wrong.push(format!("{n} {}", case.opcode));
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
}

#[test]
fn every_opcode_has_a_case_or_a_reason() {
    let cases = all();
    // What the interpreter does not run is tried in `text.rs`, and custom calls there too.
    let elsewhere = [Opcode::StochasticConvert, Opcode::CustomCall];
    for &op in Opcode::ALL {
        match of_opcode(op) {
            Batching::Rule(_) if elsewhere.contains(&op) => {}
            Batching::Rule(_) => assert!(cases.iter().any(|c| c.opcode == op), "`{op}` lacks a case"),
            Batching::None(why) => assert!(!why.is_empty(), "`{op}`"),
        }
    }
}

#[test]
fn batches_are_what_a_loop_gives() {
    all_hold(|case, seed| {
        let examples = of_case(case, seed);
        for mask in masks(case.inputs.len()) {
            compare(&case.module(), &examples, &mask);
        }
    });
}

/// Batched twice: examples of examples.
#[test]
fn batches_of_batches() {
    all_hold(|case, seed| {
        let (module, examples) = (case.module(), of_case(case, seed));
        let arguments = case.inputs.len();
        let first = vec![true; arguments];
        let axes = vec![Some(0); arguments];
        let inner = lawson_frontend::vmap::module(&module, 3, &axes).unwrap_or_else(|e| panic!("{e}"));
        let outer: Vec<_> = (0..2)
            .map(|k| {
                let mut rotated = examples.clone();
                rotated.rotate_left(k);
                crate::examples::together(&rotated, &first)
            })
            .collect();
        for mask in masks(arguments) {
            compare(&inner, &outer, &mask);
        }
    });
}
