//! Runs modules on the reference interpreter.

use lawson_hlo::eval::{self, Options};
use lawson_hlo::{Literal, Module, Scalar, Value};

/// The array leaves of the result.
#[track_caller]
pub fn evaluate(module: &Module, arguments: &[Literal]) -> Vec<Literal> {
    if let Err(faults) = lawson_hlo::verify::verify(module) {
        panic!("{}\n{module}", faults[0]);
    }
    let arguments: Vec<Value> = arguments.iter().cloned().map(Value::Array).collect();
    match eval::evaluate(module, &arguments, &Options::default()) {
        Ok(result) => result.leaves().into_iter().cloned().collect(),
        Err(e) => panic!("{e}\n{module}"),
    }
}

/// The numbers of an array as complex ones.
pub fn complex(x: &Literal) -> Vec<(f64, f64)> {
    let part = |s: Scalar| match s {
        Scalar::Complex(re, im) => (re, im),
        other => (other.as_f64(), 0.0),
    };
    x.scalars().map(part).collect()
}
