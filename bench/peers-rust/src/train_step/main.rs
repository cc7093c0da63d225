//! A training step of a net of three layers: Lawson, candle and burn on the same weights and examples.
//!
//!     train-step [--seconds N]
//!
//! Prints Markdown. Fails where they do not compute the same, or where Lawson's step in Rust is slower than a peer's or
//! than the module that JAX lowers.

mod burn;
mod candle;
mod jax;
mod problem;
mod rust;
mod table;

use crate::problem::{Failure, Problem, Trainer};
use lawson::Options;
use lawson::options::default_threads;
use lawson_peers::turns::{Work, take_turns};
use std::collections::BTreeSet;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// How far losses, and the first updates of weights, may lie apart.
const TOLERANCE: f64 = 1e-4;

fn main() -> ExitCode {
    let outcome = match numbers() {
        Ok((seconds, Some(threads))) => with_threads(threads, seconds),
        Ok((seconds, None)) => for_all_threads(seconds),
        Err(e) => Err(e),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("train-step: {e}");
            ExitCode::from(2)
        }
    }
}

/// Seconds for each table, and the threads to use where this process is to make one of them.
fn numbers() -> Result<(u64, Option<usize>), Failure> {
    let (mut seconds, mut threads) = (20, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = words.next().ok_or_else(|| format!("{word}: a number is missing"))?;
        match &*word {
            "--seconds" => seconds = number.parse()?,
            "--threads" => threads = Some(number.parse()?),
            _ => return Err(format!("`{word}` is neither --seconds nor --threads").into()),
        }
    }
    Ok((seconds, threads))
}

/// One process for each number of threads: the peers read it from the environment, once.
fn for_all_threads(seconds: u64) -> Result<bool, Failure> {
    table::introduction();
    let mut all_well = true;
    for threads in BTreeSet::from([1, default_threads()]) {
        let n = threads.to_string();
        let status = Command::new(std::env::current_exe()?)
            .args(["--threads", &n, "--seconds", &seconds.to_string()])
            .envs([("RAYON_NUM_THREADS", &n), ("MATMUL_NUM_THREADS", &n)])
            .status()?;
        all_well &= status.success();
    }
    Ok(all_well)
}

fn with_threads(threads: usize, seconds: u64) -> Result<bool, Failure> {
    let options = Options { threads, ..Options::default() };
    let problem = Problem::new()?;
    let (ours, jax) = (rust::Rust::new(&problem, &options), jax::Jax::new(&problem, &options)?);
    let reports = [ours.explain()?, jax.explain()?];
    // What burn recommends, and what it recommended before.
    #[expect(deprecated, reason = "the backend that most programs still use")]
    let ndarray = ::burn::tensor::Device::ndarray();
    let flex = ::burn::tensor::Device::flex();
    let mut trainers: Vec<Box<dyn Trainer>> = vec![
        Box::new(ours),
        Box::new(jax),
        Box::new(candle::Candle::new(&problem)?),
        Box::new(burn::Burn::new("burn, ndarray", &problem, ndarray)),
        Box::new(burn::Burn::new("burn, flex", &problem, flex)),
    ];
    let apart = agreement(&mut trainers, &problem)?;
    let mut work: Vec<Work<'_, Failure>> = Vec::new();
    for trainer in &mut trainers {
        work.push(Box::new(|| trainer.step().map(drop)));
    }
    let times = take_turns(&mut work, Duration::from_secs(seconds))?;
    drop(work);
    let names: Vec<&str> = trainers.iter().map(|t| t.name()).collect();
    Ok(table::print(threads, &names, &times, &apart, &reports))
}

/// How far each is from the first after one step, at most: of the loss and of the updates of each array, in norm.
fn agreement(trainers: &mut [Box<dyn Trainer>], problem: &Problem) -> Result<Vec<f64>, Failure> {
    let before = problem.parameters();
    let mut first = None;
    let mut apart = Vec::new();
    for trainer in trainers {
        let loss = f64::from(trainer.step()?);
        let updates: Vec<Vec<f64>> =
            trainer.parameters()?.iter().zip(&before).map(|(a, b)| minus(a, b)).collect();
        let (first_loss, first_updates) = first.get_or_insert_with(|| (loss, updates.clone()));
        let arrays = updates.iter().zip(&*first_updates);
        let far = arrays.map(|(a, b)| norm(&minus(a, b)) / norm(b));
        let far = far.fold((loss - *first_loss).abs() / *first_loss, f64::max);
        if far.is_nan() || far > TOLERANCE {
            return Err(format!("{} computes something else: {far:.1e} apart", trainer.name()).into());
        }
        apart.push(far);
    }
    Ok(apart)
}

fn minus<T: Copy + Into<f64>>(a: &[T], b: &[T]) -> Vec<f64> {
    a.iter().zip(b).map(|(&a, &b)| a.into() - b.into()).collect()
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}
