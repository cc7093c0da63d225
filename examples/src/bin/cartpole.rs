//! Learns to balance a pole on a cart. `cargo run --release -p lawson-examples --bin cartpole`

use clap::Parser;
use lawson_examples::cartpole;
use lawson_examples::curve::{self, Series};
use lawson_examples::progress::Progress;
use std::error::Error;
use std::path::PathBuf;

/// A network learns to balance a pole on a cart, by policy gradients.
#[derive(Parser)]
struct Arguments {
    /// Updates of the network, of 64 episodes each
    #[arg(long, default_value_t = 100)]
    steps: usize,
    /// Of the first weights, the first states and the actions
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the picture of the lengths of episodes goes
    #[arg(long, value_name = "FILE.svg", default_value = "cartpole.svg")]
    curve: PathBuf,
    /// Where an update goes as HLO, for `lawson explain`
    #[arg(long, value_name = "FILE.hlo")]
    hlo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    if let Some(file) = &args.hlo {
        std::fs::write(file, cartpole::hlo()?)?;
    }
    let progress = Progress::new(args.steps);
    let lengths = cartpole::train(args.steps, args.seed, &progress)?;
    drop(progress);
    for (n, length) in lengths.iter().enumerate().step_by((lengths.len() / 10).max(1)) {
        println!("update {n:>4}   mean length {length:>5.1} of {}", cartpole::LIMIT);
    }
    let points = lengths.iter().enumerate().map(|(n, &length)| (n as f64, length.into())).collect();
    let line = Series { name: "mean length", points };
    curve::save(&args.curve, "Balancing a pole", ("update", "mean length of episodes"), &[line])?;
    println!("curve: {}", args.curve.display());
    Ok(())
}
