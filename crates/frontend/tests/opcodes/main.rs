//! Every opcode has a derivative that is right, or a reason why it has none.

mod cases;
mod check;
mod derive;
mod economy;
mod evaluate;
mod programs;
mod random;
mod recorded;
mod refusals;
mod types;

use cases::Case;
use lawson_frontend::grad::rules::{Derivative, of_opcode};
use lawson_hlo::Opcode;
use random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn every_opcode_has_a_case_or_a_reason() {
    let cases = cases::all();
    // Elements of fields have no finite differences: `tests/fields` has the derivatives of what they have alone.
    let has_case = |op| matches!(op, Opcode::Inverse | Opcode::Ntt) || cases.iter().any(|c| c.opcode == op);
    for &op in Opcode::ALL {
        match of_opcode(op) {
            Derivative::Linear | Derivative::Rule(_) => assert!(has_case(op), "`{op}` lacks a case"),
            Derivative::Zero(why) => assert!(!why.is_empty(), "`{op}`"),
            Derivative::None(why) => assert!(!why.is_empty() && !has_case(op), "`{op}` has no rule"),
        }
    }
}

#[test]
fn derivatives_are_right() {
    all_hold(|case, seed| {
        let mut random = Random::new(seed);
        let arguments = case.arguments(&mut random);
        check::derivatives(&case.module(), &arguments, case.order, &mut random);
    });
}

/// Tries every case with a seed of its own; the failures are named together at the end.
fn all_hold(check: impl Fn(&Case, u64)) {
    let mut wrong = Vec::new();
    for (n, case) in cases::all().iter().enumerate() {
        if catch_unwind(AssertUnwindSafe(|| check(case, n as u64))).is_err() {
            wrong.push(format!("{n} {}", case.opcode));
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
}

#[test]
fn cases_compute() {
    all_hold(|case, seed| {
        let arguments = case.arguments(&mut Random::new(seed));
        assert!(!evaluate::evaluate(&case.module(), &arguments).is_empty());
    });
}
