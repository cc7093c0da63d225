//! Proves a sum over a hypercube and checks the proof. `cargo run --release -p lawson-examples --bin sumcheck`

use clap::Parser;
use lawson::{Tensor, random};
use lawson_examples::progress::Progress;
use lawson_examples::provers::BASE;
use lawson_examples::provers::sumcheck::{Statement, have_values, prove, verify};
use std::error::Error;
use std::time::Instant;

/// Proves what the product of random multilinear polynomials adds up to over the hypercube.
#[derive(Parser)]
struct Arguments {
    /// Variables: tables have 2 to that power elements
    #[arg(long, default_value_t = 20)]
    variables: usize,
    /// Polynomials
    #[arg(long, default_value_t = 2)]
    factors: u64,
    /// Of the elements
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let table = |n| random::field(&random::fold_in(&random::key(args.seed), n), [1 << args.variables], BASE);
    let tables: Vec<Tensor> = (0..args.factors).map(table).collect();
    let start = Instant::now();
    let statement = Statement::new(&tables)?;
    println!("committed in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let proof = prove(&tables, &statement, &Progress::new(args.variables))?;
    let proved = start.elapsed();
    println!("sum       {:?}", proof.sum.values()?);
    for (n, said) in proof.rounds.iter().enumerate().take(3) {
        println!("round {n:>2}  {:?}", said.values()?);
    }
    println!("proved    in {:.2} s, compiling included", proved.as_secs_f64());
    let start = Instant::now();
    let point = verify(&proof, &statement)?.ok_or("the proof is wrong")?;
    println!("verified  in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    match have_values(&tables, &point, &proof.values)? {
        true => println!("tables    have the values at the point that the proof ends with"),
        false => return Err("the tables have other values".into()),
    }
    Ok(())
}
