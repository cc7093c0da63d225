//! How long the plans of a kernel take: each is a program of its own, and all run on the same arrays.
//!
//! Arrays are random, as those of `lawson bench`; constants of the program are what they are.

use super::candidates::Candidates;
use super::race::{Outcome, SECOND, TURNS, race};
use crate::compile::{self, Planned, runtime_error};
use crate::error::Error;
use crate::options::Options;
use crate::random_inputs;
use lawson_cpu as cpu;
use lawson_hlo::ArrayShape;
use lawson_kernel::program::walk::visit;
use lawson_kernel::program::{NamedKernel, Place, Program, Step, alone};
use lawson_kernel::region::Array;
use std::time::Instant;

/// A turn is so long at least, in µs, and has so many runs at least and at most; one before them is not counted.
const TURN_US: f64 = 2e3;
const LEAST_RUNS: usize = 2;
const MOST_RUNS: usize = 100;

/// Measures candidates in turns until the deadline.
///
/// # Errors
/// Memory is out, or the plan that the kernel has does not run.
pub fn measure(
    candidates: &Candidates,
    planned: &Planned,
    options: &Options,
    (how, deadline): (&cpu::CompileOptions, Option<Instant>),
    tell: &dyn Fn(f64),
) -> Result<Outcome, Error> {
    let in_time = || deadline.is_none_or(|d| Instant::now() < d);
    let all = &candidates.all;
    let own = &all[0].kernel;
    let inputs = inputs(own, &planned.scheduled.program)?;
    let inputs: Vec<&[u8]> = inputs.iter().map(|b| &**b).collect();
    let first = loaded(own, options, how)?;
    let expected = first.run(&inputs).map_err(|e| runtime_error(&e))?.outputs;
    let mut programs = vec![Some(first)];
    let (steps, mut done) = ((all.len() * (1 + TURNS) + 2 * SECOND) as f64, 1.0);
    for other in &all[1..] {
        // One that has no code here, or other results, is no candidate.
        let program = if in_time() { loaded(&other.kernel, options, how).ok() } else { None };
        programs.push(program.filter(|p| p.run(&inputs).is_ok_and(|o| same(&o.outputs, &expected))));
        done += 1.0;
        tell(done / steps);
    }
    drop(expected);
    let runs: Vec<bool> = programs.iter().map(Option::is_some).collect();
    race(&runs, |n| {
        let Some(program) = programs[n].as_ref().filter(|_| in_time()) else { return Ok(None) };
        let us = turn(|| launch(program, &inputs))?;
        done += 1.0;
        tell((done / steps).min(1.0));
        Ok(Some(us))
    })
}

/// The least time of a few runs, in µs.
fn turn(mut run: impl FnMut() -> Result<f64, Error>) -> Result<f64, Error> {
    run()?;
    let (mut least, mut sum, mut runs) = (f64::INFINITY, 0.0, 0);
    while runs < LEAST_RUNS || sum < TURN_US && runs < MOST_RUNS {
        let us = run()?;
        (least, sum, runs) = (us.min(least), sum + us, runs + 1);
    }
    Ok(least)
}

/// Runs a program once; the time of its launch in µs.
fn launch(program: &cpu::Executable, inputs: &[&[u8]]) -> Result<f64, Error> {
    let arguments = inputs.iter().map(|i| cpu::Argument::Borrowed(i));
    let (_, spans) = program.run_traced(arguments, &cpu::Limits::default()).map_err(|e| runtime_error(&e))?;
    let launches = spans.iter().filter(|s| matches!(s.what, cpu::Traced::Launch(_)));
    Ok(launches.map(|s| s.took.as_secs_f64() * 1e6).sum())
}

fn same(found: &[cpu::Buffer], expected: &[cpu::Buffer]) -> bool {
    found.iter().map(|b| &**b).eq(expected.iter().map(|b| &**b))
}

fn loaded(
    kernel: &NamedKernel,
    options: &Options,
    how: &cpu::CompileOptions,
) -> Result<cpu::Executable, Error> {
    let program = alone(kernel.clone()).unwrap_or_default();
    let pool = compile::pool(options.threads);
    let calls = cpu::CustomCalls::new();
    let loaded = cpu::compile_and_load(program, how, None, pool, &calls);
    loaded.map(|e| e.with_denormals(options.denormals)).map_err(|e| runtime_error(&e))
}

/// The arrays that a kernel reads: those of its first launch that are constants, and random ones.
fn inputs(kernel: &NamedKernel, program: &Program) -> Result<Vec<cpu::Buffer>, Error> {
    let Some(source) = kernel.source() else { return Ok(Vec::new()) };
    let mut launched = None;
    visit(&program.steps, &mut |step| {
        if let Step::Launch { kernel: n, args } = step
            && program.kernels[*n].name == kernel.name
        {
            launched = launched.take().or(Some(args.clone()));
        }
    });
    let constant = |n: usize| match &program.buffers[launched.as_ref()?.get(n)?.index()].place {
        Place::Constant(literal) => Some(literal.bytes()),
        Place::Input(_) | Place::Output(_) | Place::Arena(_) => None,
    };
    let shape = |a: &Array| ArrayShape::new(a.dtype, [a.elements]);
    let buffer = |(n, a): (usize, &Array)| {
        let bytes = (a.elements.max(0) as usize).saturating_mul(a.dtype.size());
        match constant(n).filter(|c| c.len() == bytes) {
            Some(constant) => cpu::Buffer::from_slice(constant),
            None => cpu::Buffer::from_slice(random_inputs::nth(n as u64, &shape(a)).bytes()),
        }
    };
    let buffers = source.region.inputs.iter().enumerate().map(buffer);
    buffers.collect::<Result<_, _>>().map_err(|e| runtime_error(&e.into()))
}
