//! What a program says of itself: figures of its plan always, reports where they were asked for.

use crate::abi::named::Value;
use crate::failure::{Code, Failure};
use crate::program::Program;
use lawson::RunOptions;
use lawson::explain::{self, Explanation, html, json, text};
use lawson::load;
use std::sync::{Arc, PoisonError};

/// Names and values for `cost_analysis()`. `flops` and `bytes accessed` are the names that JAX's users know from XLA.
///
/// # Errors
/// A report was asked for and cannot be made.
pub fn properties(program: &Program) -> Result<Vec<(String, Value)>, Failure> {
    let figures = program.code.cost_analysis();
    let mut all = Vec::new();
    let mut add = |name: &str, value: Option<f64>| {
        all.extend(value.map(|v| (name.to_string(), Value::Float(v))));
    };
    add("flops", figures.flops.map(|n| n as f64));
    add("bytes accessed", figures.bytes_moved.map(|n| n as f64));
    add("optimal_seconds", figures.predicted_us.map(|us| us / 1e6));
    add("lawson kernels", figures.kernels.map(|n| n as f64));
    add("lawson temporary bytes", figures.temp_bytes.map(|n| n as f64));
    if program.wishes.explain || program.wishes.profile {
        let measured = program.measured.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let explanation = match measured {
            Some(measured) => measured,
            None => explained(program)?,
        };
        all.push(("lawson report".into(), Value::Text(text::render(&explanation, text::Shown::Most))));
        all.push(("lawson report json".into(), Value::Text(json::render(&explanation).to_string())));
        all.push(("lawson report html".into(), Value::Text(html::render(&explanation))));
    }
    Ok(all)
}

/// Checks what was asserted when the program was compiled.
///
/// # Errors
/// What is not fused, with the edges that are to blame and the lines of the user's program.
pub fn assert_fused(program: &Program) -> Result<(), Failure> {
    if program.wishes.fused.is_empty() {
        return Ok(());
    }
    let checked = explained(program)?.check_fused(&program.wishes.fused);
    checked.map_err(|e| Failure::new(Code::FailedPrecondition, format!("[unfused] {e}")))
}

/// Runs the program a few times on these arguments, for the report to tell how long each kernel took.
///
/// # Errors
/// Those of the runs.
pub fn measure(program: &Program, arguments: &[Arc<lawson::Buffer>]) -> Result<(), Failure> {
    let arguments: Vec<&lawson::Buffer> = arguments.iter().map(|a| &**a).collect();
    let mut explanation = explained(program)?;
    explain::time_kernels(&mut explanation, &program.code, &arguments, &RunOptions::default())?;
    *program.measured.lock().unwrap_or_else(PoisonError::into_inner) = Some(explanation);
    Ok(())
}

fn explained(program: &Program) -> Result<Explanation, Failure> {
    let explanation = explain::explain_compiled(&loaded(program)?, &program.code)?;
    explanation.ok_or_else(|| Failure::unimplemented("only programs on the processor are explained"))
}

/// The program with its text, which reports quote.
fn loaded(program: &Program) -> Result<load::Loaded, Failure> {
    Ok(load::of_bytes(program.name.clone(), program.source.clone())?)
}
