//! Commits to polynomials, opens them at a random point and checks the proof.
//! `cargo run --release -p lawson-examples --bin commitment`

use clap::Parser;
use lawson::random;
use lawson_examples::progress::Progress;
use lawson_examples::provers::BASE;
use lawson_examples::provers::commitment::{prove, verify};
use lawson_examples::provers::fri::Parameters;
use std::error::Error;
use std::time::Instant;

/// Commits to random polynomials over BabyBear by Merkle trees of Poseidon2, and opens them by FRI.
#[derive(Parser)]
struct Arguments {
    /// Coefficients of each polynomial: 2 to that power
    #[arg(long, default_value_t = 14)]
    digits: u32,
    /// Polynomials
    #[arg(long, default_value_t = 16)]
    columns: i64,
    /// Values beside coefficients: 2 to that power as many
    #[arg(long, default_value_t = 2)]
    blowup: u32,
    /// Places that are opened
    #[arg(long, default_value_t = 40)]
    queries: usize,
    /// Of the polynomials
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let of = Parameters { blowup: args.blowup, queries: args.queries };
    let columns = random::field(&random::key(args.seed), [args.columns, 1 << args.digits], BASE);
    let start = Instant::now();
    let proof = prove(&columns, of, &Progress::new(args.digits as usize))?;
    println!("root      {:?}", proof.root.values()?);
    println!("constant  {:?}", proof.opened.low_degree.constant.values()?);
    println!("proved    in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let zeta = verify(&proof, args.columns as usize, args.digits, of)?.ok_or("the proof is wrong")?;
    println!("verified  in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    println!("opened    at ζ = {:?}", zeta.values()?);
    println!("          {:?} …", proof.opened.values[0][0].index(0).values()?);
    Ok(())
}
