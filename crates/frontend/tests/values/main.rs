//! Operations on tensors against what JAX makes of them (scripts/record_tensor_values.py): types, shapes, values.

#[path = "../support/mod.rs"]
mod support;

mod cases;
mod operations;

use cases::Case;
use lawson_frontend::tensor::promote::{Kind, result_type};
use lawson_hlo::{DType, Literal, Scalar};

#[test]
fn operations_give_what_jax_gives() {
    let cases = cases::all();
    assert!(cases.len() > 400);
    let mut faults = Vec::new();
    for case in &cases {
        if let Err(e) = check(case) {
            faults.push(format!("{} of {:?}: {e}", case.name, case.inputs));
        }
    }
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let made = operations::apply(&case.name, &case.inputs);
    let found = made.array().map_err(|e| e.to_string())?.to_literal();
    if found.shape() != case.output.shape() {
        return Err(format!("{} instead of {}", found.shape(), case.output.shape()));
    }
    for (i, (a, b)) in found.scalars().zip(case.output.scalars()).enumerate() {
        if !close(a, b, found.dtype()) {
            return Err(format!("element {i} is {a} instead of {b}: {}", shown(&found)));
        }
    }
    Ok(())
}

fn shown(literal: &Literal) -> String {
    literal.scalars().take(24).map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
}

/// Integers are equal; floats are within a few roundings of the type.
fn close(a: Scalar, b: Scalar, dtype: DType) -> bool {
    let (a, b) = (a.as_f64(), b.as_f64());
    let tolerance = match dtype {
        DType::F64 => 1e-12,
        DType::F32 => 3e-6,
        DType::F16 => 2e-3,
        DType::Bf16 => 1e-2,
        _ => return a == b,
    };
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * b.abs().max(0.05)
}

/// Element types in the table, weak ones included.
const NAMES: usize = 20;

#[test]
fn types_are_promoted_as_in_jax() {
    let table = include_str!("../data/promotion.txt");
    let kind = |name: &str| {
        let dtype = DType::from_name(name.trim_end_matches('*')).expect(name);
        Kind { dtype, weak: name.ends_with('*') }
    };
    let mut seen = 0;
    for line in table.lines() {
        let [a, b, wanted] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let found = result_type(&[kind(a), kind(b)]);
        match wanted {
            "none" => assert!(found.is_err(), "{line}: {found:?}"),
            _ => assert_eq!(found, Ok(kind(wanted)), "{line}"),
        }
        seen += 1;
    }
    assert_eq!(seen, NAMES * NAMES);
}
