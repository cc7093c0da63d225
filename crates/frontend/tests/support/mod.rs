//! What tests of the front end share: operations outside of traced functions run on the reference interpreter.

use lawson_frontend::backend::{BACKENDS, Backend};
use lawson_frontend::tensor::custom::{HostFunction, HostOperand, HostResult, registered};
use lawson_frontend::{Array, Tensor};
use lawson_hlo::{Literal, Module, Shape, Value, eval};
use linkme::distributed_slice;
use rustc_hash::FxHashMap;
use std::sync::Arc;

struct Interpreter;

impl Backend for Interpreter {
    fn run(&self, module: &Module, arguments: &[Array]) -> Result<Vec<Array>, String> {
        if let Err(faults) = lawson_hlo::verify::verify(module) {
            return Err(format!("{}\n{module}", faults[0]));
        }
        let arguments: Vec<Value> = arguments.iter().map(|a| Value::Array(a.to_literal())).collect();
        let options = eval::Options { custom_calls: host_functions(), ..eval::Options::default() };
        let result = eval::evaluate(module, &arguments, &options).map_err(|e| format!("{e}\n{module}"))?;
        Ok(result.leaves().into_iter().cloned().map(Array::from_literal).collect())
    }
}

/// The registered functions, as the interpreter calls them.
fn host_functions() -> FxHashMap<String, Arc<eval::CustomCallFn>> {
    let call = |(name, function): (String, Arc<HostFunction>)| {
        let call = move |operands: &[Value], shape: &Shape| {
            let literals = operands.iter().flat_map(Value::leaves);
            let read: Vec<HostOperand<'_>> =
                literals.map(|l| HostOperand { shape: l.shape(), bytes: l.bytes() }).collect();
            let shapes = shape.leaves();
            let mut written: Vec<Vec<u8>> = shapes.iter().map(|s| vec![0; s.bytes() as usize]).collect();
            let results = shapes.iter().zip(&mut written).map(|(shape, bytes)| HostResult { shape, bytes });
            function(&read, &mut results.collect::<Vec<_>>())?;
            let mut literals = shapes.iter().zip(written).map(|(&s, bytes)| Literal::new(s.clone(), bytes));
            Value::from_leaves(shape, &mut literals).ok_or_else(|| "the result has no arrays".into())
        };
        (name, Arc::new(call) as Arc<eval::CustomCallFn>)
    };
    registered().into_iter().map(call).collect()
}

#[distributed_slice(BACKENDS)]
static INTERPRETER: &'static dyn Backend = &Interpreter;

/// The elements of a tensor as f64.
#[track_caller]
#[allow(dead_code)]
pub fn values(t: &Tensor) -> Vec<f64> {
    let literal: Literal = t.array().unwrap_or_else(|e| panic!("{e}")).to_literal();
    literal.scalars().map(|s| s.as_f64()).collect()
}
