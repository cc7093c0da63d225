//! Derivatives of programs that JAX lowered, against those that JAX computed: `jax/`, which
//! `scripts/record_opcode_derivatives.py` writes. Ties, zeros and indices outside of arrays are among the arguments.

use crate::derive;
use crate::evaluate::{complex, evaluate};
use lawson_hlo::{Literal, Module, Scalar, Shape};
use std::path::Path;

/// Arguments, cotangents and gradients of a program.
#[derive(Default)]
struct Values {
    arguments: Vec<Literal>,
    cotangents: Vec<Literal>,
    gradients: Vec<Literal>,
}

#[test]
fn derivatives_are_those_of_jax() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opcodes/jax");
    let values = std::fs::read_to_string(folder.join("values.txt")).expect("the recorded values");
    let lines: Vec<&str> = values.lines().collect();
    let mut wrong = Vec::new();
    for program in lines.chunk_by(|a, b| name(a) == name(b)) {
        let name = name(program[0]);
        let text = std::fs::read_to_string(folder.join(format!("{name}.hlo"))).expect("the program");
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        if let Err(what) = compare(&module, &recorded(program)) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn name(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

fn recorded(lines: &[&str]) -> Values {
    let mut all = Values::default();
    for line in lines {
        let mut words = line.split(' ').skip(1);
        let (role, shape) = (words.next().expect("a role"), words.next().expect("a shape"));
        let shape = Shape::parse(shape).unwrap_or_else(|e| panic!("{line}: {e}")).expect_array().clone();
        let number = |w: &str| w.parse().unwrap_or_else(|e| panic!("{line}: {w}: {e}"));
        let numbers: Vec<f64> = words.filter(|w| !w.is_empty()).map(number).collect();
        let scalars: Vec<Scalar> = match shape.dtype.is_complex() {
            true => numbers.chunks(2).map(|p| Scalar::Complex(p[0], p[1])).collect(),
            false => numbers.into_iter().map(Scalar::Float).collect(),
        };
        let literal = Literal::from_scalars(shape, scalars);
        match role {
            "argument" => all.arguments.push(literal),
            "cotangent" => all.cotangents.push(literal),
            "gradient" => all.gradients.push(literal),
            other => panic!("{line}: {other}"),
        }
    }
    all
}

fn compare(module: &Module, values: &Values) -> Result<(), String> {
    let vjp = derive::vjp(module).map_err(|e| e.to_string())?;
    let found = evaluate(&vjp, &[&values.arguments[..], &values.cotangents].concat());
    if found.len() != values.gradients.len() {
        return Err(format!("{} gradients, not {}", found.len(), values.gradients.len()));
    }
    for (found, wanted) in found.iter().zip(&values.gradients) {
        for (i, (a, b)) in complex(found).into_iter().zip(complex(wanted)).enumerate() {
            let error = (a.0 - b.0).hypot(a.1 - b.1);
            if error.is_nan() || error > 1e-11 * (1.0 + b.0.hypot(b.1)) {
                return Err(format!("element {i} of {} is {a:?}, not {b:?}", wanted.shape()));
            }
        }
    }
    Ok(())
}
