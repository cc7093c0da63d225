//! Permutes many states of Poseidon2 at once. `cargo run --release -p lawson-examples --bin poseidon2`

use clap::{Parser, ValueEnum};
use lawson::{jit, random};
use lawson_examples::provers::poseidon2::Poseidon2;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// Permutes states of Poseidon2, 16 elements each.
#[derive(Parser)]
struct Arguments {
    /// States
    #[arg(long, default_value_t = 1 << 16)]
    states: i64,
    /// Of the elements
    #[arg(long, value_enum, default_value_t = Field::Babybear)]
    field: Field,
    /// Of the states
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the program goes as HLO, for `lawson explain`
    #[arg(long, value_name = "FILE.hlo")]
    hlo: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Field {
    Babybear,
    Koalabear,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let hash = match args.field {
        Field::Babybear => Poseidon2::babybear(),
        Field::Koalabear => Poseidon2::koalabear(),
    };
    let states = random::field(&random::key(args.seed), [16, args.states], hash.dtype);
    let permute = jit(|states: &lawson::Tensor| hash.permute_columns(states));
    if let Some(file) = &args.hlo {
        std::fs::write(file, permute.lower(&states)?.to_string())?;
    }
    let start = Instant::now();
    let mut found = permute.call(&states)?;
    println!("compiled and run once in {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    for _ in 0..10 {
        found = permute.call(&states)?;
    }
    let each = start.elapsed().as_secs_f64() / (10 * args.states) as f64;
    println!("{:.1} ns for each permutation", each * 1e9);
    println!("the first state ends with {:?}", &found.index((.., 0)).values()?[8..]);
    Ok(())
}
