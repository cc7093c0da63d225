//! What is printed.

use crate::problem::{BATCH, SIZES};
use lawson::explain::Explanation;
use lawson::options::default_threads;
use lawson_peers::turns::Times;

/// How much longer Lawson's step in Rust may take than the module that JAX lowers: what runs of one program differ by.
const NOISE: f64 = 1.02;

pub fn introduction() {
    println!("<!-- Made by bench/peers-rust (`make peers`). -->\n");
    println!("# A training step beside candle and burn\n");
    println!(
        "{}, on a host shared with others; candle {}, burn {}.\n",
        machine(),
        version("candle-core"),
        version("burn")
    );
    println!(
        "A net of layers {SIZES:?} with relu between them, a batch of {BATCH}: loss, gradient and update of all"
    );
    println!(
        "weights, as in `tests/programs/mlp_train_step`. All start with the same weights and must agree after a step"
    );
    println!(
        "(\"apart\": how far each is from the first, of the loss and of the updates); then they take turns, and read the"
    );
    println!("loss of each step. Kernels and bytes are those of Lawson's plans.");
}

/// The processor by its name, how many of its cores are at hand, and how many processes want one.
fn machine() -> String {
    format!("{} cores of an {}", default_threads(), machine::named())
}

/// That of a crate in the lock file.
fn version(name: &str) -> &'static str {
    let packages = include_str!("../../Cargo.lock").split("[[package]]");
    let version = |package: &'static str| {
        let (found, rest) = package.trim().strip_prefix("name = \"")?.split_once("\"\nversion = \"")?;
        rest.split_once('"').filter(|_| found == name).map(|(version, _)| version)
    };
    packages.into_iter().find_map(version).unwrap_or("unknown")
}

/// The table for one number of threads; whether Lawson's step in Rust is the fastest, by least times.
pub fn print(
    threads: usize,
    names: &[&str],
    times: &[Times],
    apart: &[f64],
    reports: &[Explanation],
) -> bool {
    println!("\n**{}**\n", if threads == 1 { "1 thread".into() } else { format!("{threads} threads") });
    println!(
        "| who | median ms | least ms | times the first, median | times the first, least | apart | kernels | MiB moved |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (n, (name, t)) in names.iter().zip(times).enumerate() {
        let (median, least) = (t.median() * 1e3, t.least() * 1e3);
        let (slower, slower_least) = (t.median() / times[0].median(), t.least() / times[0].least());
        let plan = reports.get(n).map_or(["".into(), "".into()], |r| {
            let mib = r.totals.bytes_fused as f64 / f64::from(1 << 20);
            [r.kernels.len().to_string(), format!("{mib:.2}")]
        });
        println!(
            "| {name} | {median:.3} | {least:.3} | {slower:.2} | {slower_least:.2} | {:.1e} | {} | {} |",
            apart[n], plan[0], plan[1]
        );
    }
    let (ours, jax) = (times[0].least(), times[1].least());
    ours <= NOISE * jax && times[2..].iter().all(|t| ours < t.least())
}
