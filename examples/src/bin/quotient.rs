//! Proves that a table satisfies constraints between its rows. `cargo run --release -p lawson-examples --bin quotient`

use clap::Parser;
use lawson_examples::progress::Progress;
use lawson_examples::provers::quotient::{hlo, prove, table, verify};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// Commits to a table with three columns for each machine and to the quotient of its constraints, and opens both.
#[derive(Parser)]
struct Arguments {
    /// Machines
    #[arg(long, default_value_t = 100)]
    machines: i64,
    /// Rows: 2 to that power
    #[arg(long, default_value_t = 13)]
    digits: u32,
    /// Places that are opened
    #[arg(long, default_value_t = 40)]
    queries: usize,
    /// Of the first row
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the program of the quotient goes as HLO, for `lawson explain`
    #[arg(long, value_name = "FILE.hlo")]
    hlo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let rows = 1 << args.digits;
    if let Some(file) = &args.hlo {
        std::fs::write(file, hlo(args.machines, rows)?)?;
    }
    let table = table(args.machines, rows, args.seed)?;
    println!("table     {} columns of {rows} rows", table.dims()[0]);
    let start = Instant::now();
    let proof = prove(&table, args.queries, &Progress::new(args.digits as usize))?;
    println!("proved    in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    let start = Instant::now();
    if !verify(&proof, args.machines, args.digits, args.queries)? {
        return Err("the table does not satisfy the constraints".into());
    }
    println!("verified  in {:.2} s, compiling included", start.elapsed().as_secs_f64());
    Ok(())
}
