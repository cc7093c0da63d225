//! A large set of constraints over the columns of a table: how long it compiles, and how it runs against a kernel for each
//! operation.
//!
//!     constraints [--operations N] [--rows N] [--seconds N] [--hlo FILE]
//!
//! Without a number of operations, of 1,000, 5,000 and 20,000. Prints Markdown; says where a bound is missed.

use lawson::options::FusionSpec;
use lawson::{Client, DType, Options, Tensor, jit, random};
use lawson_peers::machine;
use lawson_peers::turns::{Work, take_turns};
use lawson_provers::Failure;
use lawson_provers::run::Run;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Columns of the table.
const COLUMNS: i64 = 200;
/// Operations of a constraint, with the two that add it to the others.
const EACH: usize = 10;
/// At 20,000 operations: seconds to compile, and how often faster than a kernel for each operation.
const BOUNDS: (f64, f64) = (10.0, 2.0);

/// A generator of numbers: SplitMix64 (Steele, Lea, Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as i64
    }
}

/// The combination by powers of `alpha` of constraints of degree 3 between neighbouring columns, and some from anywhere, of a
/// row and the next one: (a + k)·b·c − d + (e' − b)·(c + f) each. No two have an operation in common.
fn combination(table: &Tensor, alpha: &Tensor, operations: usize) -> Tensor {
    let (here, there) = (table.index((.., ..-1)), table.index((.., 1..)));
    let (count, mut numbers) = (operations / EACH, Numbers(1));
    let mut combined = Tensor::zeros([here.dims()[1]], table.dtype());
    for n in 0..count {
        let first = (n as i64 * COLUMNS / count as i64).min(COLUMNS - 4);
        let [a, b, d] = [0, 1, 3].map(|i| here.index(first + i));
        let mut anywhere = |of: &Tensor| of.index(numbers.below(COLUMNS));
        let (c, e, f) = (anywhere(&here), anywhere(&there), anywhere(&here));
        let degree_three = (a + numbers.below(1 << 30)) * &b * &c - d;
        let constraint = degree_three + (e - b) * (c + f);
        combined = combined * alpha + constraint;
    }
    combined
}

struct Arguments {
    operations: Vec<usize>,
    rows: i64,
    seconds: u64,
    hlo: Option<String>,
}

fn arguments() -> Result<Arguments, Failure> {
    let mut found = Arguments { operations: vec![1000, 5000, 20_000], rows: 1 << 16, seconds: 5, hlo: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word}: a value is missing"))?;
        match &*word {
            "--operations" => found.operations = vec![value.parse()?],
            "--rows" => found.rows = value.parse()?,
            "--seconds" => found.seconds = value.parse()?,
            "--hlo" => found.hlo = Some(value),
            _ => return Err(format!("`{word}` is none of --operations, --rows, --seconds, --hlo").into()),
        }
    }
    Ok(found)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("constraints: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let Arguments { operations, rows, seconds, hlo } = arguments()?;
    println!("\n# Large sets of constraints\n");
    println!("On {}.\n", machine::named());
    println!(
        "Constraints of degree 3 over {COLUMNS} columns of `babybear_mont` and their next rows, {rows} rows, combined by powers of a challenge; one \
         thread, least times.\n"
    );
    println!(
        "| operations | traced, s | compiled, s | kernels | compiled unfused, s | kernels | fused, ms | unfused, ms | ratio | bounds |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for count in operations {
        row(count, rows, seconds, hlo.as_deref())?;
    }
    Ok(())
}

fn row(operations: usize, rows: i64, seconds: u64, hlo: Option<&str>) -> Result<(), Failure> {
    let table = random::field(&random::key(1), [COLUMNS, rows + 1], DType::BabyBearMont);
    let alpha = random::field(&random::key(2), [], DType::BabyBearMont);
    let start = Instant::now();
    let program = jit(|table: &Tensor, alpha: &Tensor| combination(table, alpha, operations));
    let lowered = program.lower(&table, &alpha)?;
    let traced = start.elapsed().as_secs_f64();
    if let Some(file) = hlo {
        std::fs::write(file, lowered.to_string())?;
    }
    let mut sides = Vec::new();
    for fusion in [FusionSpec::default(), FusionSpec::OFF] {
        let options = Options { threads: 1, fusion: fusion.clone(), ..Options::default() };
        let client = Client::cpu();
        let start = Instant::now();
        let executable = client.compile(lowered.module(), &options)?;
        let compiled = start.elapsed().as_secs_f64();
        let native = executable.native().ok_or("no code was made")?;
        let kernels = native.planned.scheduled.program.kernels.len();
        eprintln!(
            "{operations} operations, fusion {fusion}: planned in {:.2} s, code made in {:.2} s",
            native.planned.planning.as_secs_f64(),
            native.coding.as_secs_f64()
        );
        sides.push((Run::of(client, executable, &[&table, &alpha])?, compiled, kernels));
    }
    let mut results = Vec::new();
    for (run, _, _) in &mut sides {
        run.run()?;
        results.push(run.bytes());
    }
    if results[0] != results[1] {
        return Err("fused and unfused results differ".into());
    }
    let figures: Vec<(f64, usize)> =
        sides.iter().map(|&(_, compiled, kernels)| (compiled, kernels)).collect();
    let mut work: Vec<Work<'_, Failure>> = Vec::new();
    for (run, _, _) in &mut sides {
        work.push(Box::new(|| Ok(run.run()?)));
    }
    let times = take_turns(&mut work, Duration::from_secs(seconds))?;
    let [fused, unfused] = [0, 1].map(|n| times[n].least() * 1e3);
    let [(compiled, kernels), (unfused_compiled, unfused_kernels)] = [figures[0], figures[1]];
    let said = |met: bool| if met { "met" } else { "missed" };
    let bounds = match operations {
        20_000 => format!(
            "compiled in < {} s: {}; ratio ≥ {}: {}",
            BOUNDS.0,
            said(compiled < BOUNDS.0),
            BOUNDS.1,
            said(unfused / fused >= BOUNDS.1)
        ),
        _ => String::new(),
    };
    println!(
        "| {operations} | {traced:.2} | {compiled:.2} | {kernels} | {unfused_compiled:.2} | {unfused_kernels} | {fused:.2} | {unfused:.2} | {:.2} | {bounds} |",
        unfused / fused
    );
    Ok(())
}
