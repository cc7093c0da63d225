//! Proves that values are numbers of few digits. `cargo run --release -p lawson-examples --bin lookup`

use clap::Parser;
use lawson::{DType, random};
use lawson_examples::provers::BASE;
use lawson_examples::provers::lookup::{prove, verify};
use std::error::Error;
use std::time::Instant;

/// Looks random numbers up in the table 0, 1, … by a running sum of logarithmic derivatives.
#[derive(Parser)]
struct Arguments {
    /// Binary digits of the numbers; there are 2 to that power of them
    #[arg(long, default_value_t = 16)]
    digits: u32,
    /// Of the numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let n = 1i64 << args.digits;
    let numbers = random::randint(&random::key(args.seed), [n], DType::S32, 0, n).astype(BASE);
    let start = Instant::now();
    let lookup = prove(&numbers)?;
    println!("sum       ends with {:?}", lookup.running.index(-1).values()?);
    println!("most      {:?} times the same number", lookup.multiplicities.max().values()?[0]);
    println!("proved    in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    if !verify(&numbers, &lookup)? {
        return Err("a number is not in the table".into());
    }
    println!("verified  all {n} terms");
    Ok(())
}
