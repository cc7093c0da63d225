//! What a program says of itself: figures of its plan always, reports where they were asked for.

use crate::abi::failure::{Code, Failure};
use crate::abi::named::{Properties, Value};
use crate::program::Program;
use lawson::RunOptions;
use lawson::explain::{self, Explanation, html, json, text};
use lawson::load;
use std::sync::atomic::Ordering;

/// What the plan says of a run, and the reports that were asked for. Made when it is first asked for, and of a program that is
/// profiled once more when it has been measured.
///
/// # Errors
/// A report cannot be made.
pub fn cost(program: &Program) -> Result<&Properties, Failure> {
    let measured = program.measured.get();
    let place = if measured.is_some() { &program.measured_cost } else { &program.cost };
    if let Some(known) = place.get() {
        return Ok(known);
    }
    let made = Properties::new(properties(program, measured)?);
    Ok(place.get_or_init(|| made))
}

/// Names and values for `cost_analysis()`. `flops` and `bytes accessed` are the names that JAX's users know from XLA.
fn properties(program: &Program, measured: Option<&Explanation>) -> Result<Vec<(String, Value)>, Failure> {
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
        let explanation = match measured {
            Some(measured) => measured.clone(),
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

/// Runs the program a few times on the arguments of its first run, for the report to tell how long each kernel took.
///
/// # Errors
/// Those of the runs.
pub fn measure(program: &Program, arguments: &[&lawson::Buffer]) -> Result<(), Failure> {
    if program.is_measured.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let mut explanation = explained(program)?;
    explain::time_kernels(&mut explanation, &program.code, arguments, &RunOptions::default())?;
    program.measured.get_or_init(|| explanation);
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

/// The program as it was given, as text of StableHLO.
///
/// # Errors
/// It cannot be printed.
pub fn program_text(program: &Program) -> Result<String, Failure> {
    let module = lawson::stablehlo::module_of(&program.source)?;
    Ok(lawson::stablehlo::text_of(&module)?)
}
