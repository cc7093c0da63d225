//! What derivatives made in Rust cost, beside the bounds that hold for them.
//!
//!     promises [--seconds N]
//!
//! Prints Markdown. Fails where a bound is missed.

mod chain;
mod depth;
mod residuals;
mod tracing;

use lawson::Error;
use std::process::ExitCode;
use std::time::Duration;

/// A figure, of least times, and what it may be at most.
struct Line {
    what: String,
    figure: f64,
    bound: f64,
    /// The measured values that the figure is made of.
    from: String,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Some(10),
        ["--seconds", n] => n.parse().ok(),
        _ => None,
    };
    let Some(seconds) = seconds else {
        eprintln!("promises [--seconds N]");
        return ExitCode::from(2);
    };
    match lines(Duration::from_secs(seconds)) {
        Ok(lines) => print(&lines),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(2)
        }
    }
}

fn lines(time: Duration) -> Result<Vec<Line>, Error> {
    let mut lines = chain::lines(time)?;
    lines.push(residuals::line(time)?);
    lines.extend(depth::lines()?);
    lines.push(tracing::line()?);
    Ok(lines)
}

fn print(lines: &[Line]) -> ExitCode {
    println!("| what | figure | bound | measured |");
    println!("|---|---:|---:|---|");
    for Line { what, figure, bound, from } in lines {
        println!("| {what} | {figure:.3} | {bound} | {from} |");
    }
    let missed = lines.iter().filter(|l| l.figure.is_nan() || l.figure > l.bound).count();
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
