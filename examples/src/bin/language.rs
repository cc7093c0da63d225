//! Trains a language model on two comedies by Shakespeare, lets it write, and draws its loss.
//! `cargo run --release -p lawson-examples --bin language`

use clap::Parser;
use lawson_examples::curve::{self, Series};
use lawson_examples::language::{self, Config};
use lawson_examples::progress::Progress;
use std::error::Error;
use std::path::PathBuf;

/// Trains a small transformer to write like Shakespeare, character by character.
#[derive(Parser)]
struct Arguments {
    /// How many steps of training are taken
    #[arg(long, default_value_t = Config::default().steps)]
    steps: i64,
    /// Windows of text in a batch
    #[arg(long, default_value_t = Config::default().batch)]
    batch: i64,
    /// How far the longest steps go
    #[arg(long, default_value_t = Config::default().learning_rate)]
    learning_rate: f64,
    /// Of the first weights, the batches and what is written
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many characters are written at the end
    #[arg(long, default_value_t = Config::default().sample)]
    sample: i64,
    /// Where the picture of the losses goes
    #[arg(long, value_name = "FILE.svg", default_value = "language.svg")]
    curve: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { steps, batch, learning_rate, seed, sample, curve } = Arguments::parse();
    let config = Config { steps, batch, learning_rate, seed, sample, ..Config::default() };
    let report = language::train(&config, &Progress::new(steps as usize))?;
    let Some(&(_, training, test)) = report.curve.last() else {
        return Err("nothing is learnt in no steps".into());
    };
    println!("{} parameters, {steps} steps of {batch} windows of text", report.parameters);
    println!("loss      {training:.3} on the text to learn from");
    println!("          {test:.3} on the text for the test");
    println!("          {:.3} there by the frequency of pairs of characters", report.bigram);
    println!("          {:.3} there by the frequency of characters", report.unigram);

    let line = |name, value: fn(&(i64, f32, f32)) -> f32| Series {
        name,
        points: report.curve.iter().map(|p| (p.0 as f64, f64::from(value(p)))).collect(),
    };
    let ends = [report.curve[0].0 as f64, steps as f64];
    let bigram = ends.map(|step| (step, f64::from(report.bigram))).to_vec();
    let lines = [
        line("training", |p| p.1),
        line("test", |p| p.2),
        Series { name: "test, by pairs of characters", points: bigram },
    ];
    curve::save(&curve, "Characters of two comedies", ("step", "loss"), &lines)?;
    println!("curve     {}", curve.display());
    println!("\n{}|{}", report.prompt, report.sample);
    Ok(())
}
