//! Donated arguments, and runs that end early.

use lawson_cpu::{Argument, Buffer, Compiled, CustomCalls, Error, Executable, Limits, ThreadPool};
use lawson_hlo::{ArrayShape, DType, Literal, Scalar, Shape};
use lawson_kernel::program::{BufId, BufferSlot, Donation, Place, Program, Step};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

const BYTES: i64 = 128;

fn slot(bytes: i64, place: Place) -> BufferSlot {
    BufferSlot { bytes, place }
}

fn load(program: Program, calls: &CustomCalls) -> Executable {
    Executable::load(program, &Compiled::default(), Arc::new(ThreadPool::new(1)), calls).unwrap()
}

/// Adds one to each byte of its argument, in place.
fn increment() -> Executable {
    let shape = Shape::Array(ArrayShape::new(DType::U8, [BYTES]));
    let call = Step::CustomCall { target: "one".into(), args: vec![], results: vec![BufId(1)], shape };
    let program = Program {
        buffers: vec![slot(BYTES, Place::Input(0)), slot(BYTES, Place::Output(0))],
        steps: vec![Step::Copy { from: BufId(0), to: BufId(1) }, call],
        donations: vec![Donation { input: 0, output: 0 }],
        ..Program::default()
    };
    let mut calls = CustomCalls::new();
    calls.insert(
        "one".into(),
        Arc::new(|_, results, _| {
            results[0].iter_mut().for_each(|b| *b += 1);
            Ok(())
        }),
    );
    load(program, &calls)
}

#[test]
fn a_donated_argument_becomes_the_output() {
    let exe = increment();
    let mut state = Buffer::from_slice(&[1; BYTES as usize]).unwrap();
    let at = state.as_ptr();
    for trip in 2..10 {
        let outcome = exe.run_with([Argument::Donated(state)].into_iter(), &Limits::default()).unwrap();
        state = outcome.outputs.into_iter().next().unwrap();
        assert_eq!(state.as_ptr(), at);
        assert_eq!(state[..], [trip; BYTES as usize]);
    }
}

#[test]
fn a_borrowed_argument_stays_as_it_is() {
    let exe = increment();
    let state = Buffer::from_slice(&[1; BYTES as usize]).unwrap();
    let outcome = exe.run(&[&state]).unwrap();
    assert_eq!((state[0], outcome.outputs[0][0]), (1, 2));
    // Into the caller's memory nothing is donated.
    let mut output = Buffer::new(BYTES as usize).unwrap();
    exe.run_into([Argument::Donated(state)].into_iter(), &mut [&mut output], &Limits::default()).unwrap();
    assert_eq!(output[..], [2; BYTES as usize]);
}

#[test]
fn donated_memory_has_the_size_of_its_argument() {
    let error =
        increment().run_with([Argument::Donated(Buffer::new(7).unwrap())].into_iter(), &Limits::default());
    assert!(matches!(error, Err(Error::Size { found: 7, .. })));
}

/// A loop whose predicate is a constant, over a host function.
fn endless(calls: &CustomCalls) -> Executable {
    let shape = Shape::Array(ArrayShape::new(DType::U8, [1]));
    let mut body = Vec::new();
    for target in calls.keys() {
        let (args, results) = (vec![], vec![BufId(1)]);
        body.push(Step::CustomCall { target: target.clone(), args, results, shape: shape.clone() });
    }
    let yes = Literal::scalar(DType::Pred, Scalar::Pred(true));
    load(
        Program {
            buffers: vec![slot(1, Place::Constant(yes)), slot(1, Place::Output(0))],
            steps: vec![Step::While { cond: vec![], pred: BufId(0), body, trips: None }],
            ..Program::default()
        },
        calls,
    )
}

#[test]
fn a_loop_that_never_ends_is_cancelled() {
    let (cancel, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let (flag, count) = (cancel.clone(), calls.clone());
    let mut functions = CustomCalls::new();
    functions.insert(
        "count".into(),
        Arc::new(move |_, _, _| {
            flag.store(count.fetch_add(1, Ordering::Relaxed) == 99, Ordering::Relaxed);
            Ok(())
        }),
    );
    let limits = Limits { cancel: Some(&cancel), ..Limits::default() };
    assert!(matches!(endless(&functions).run_with(std::iter::empty(), &limits), Err(Error::Cancelled)));
    assert_eq!(calls.load(Ordering::Relaxed), 100);
}

#[test]
fn a_loop_that_never_ends_runs_out_of_time() {
    // Nothing in its body but the next look at the predicate.
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    assert!(matches!(
        endless(&CustomCalls::new()).run_with(std::iter::empty(), &limits),
        Err(Error::TimedOut)
    ));
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    let exe = increment();
    let run = |max| {
        let state = Buffer::new(BYTES as usize).unwrap();
        exe.run_with(
            [Argument::Borrowed(&state)].into_iter(),
            &Limits { max_bytes: Some(max), ..Limits::default() },
        )
    };
    assert!(matches!(run(127), Err(Error::Limit { needed: 128, limit: 127 })));
    assert!(run(128).is_ok());
}
