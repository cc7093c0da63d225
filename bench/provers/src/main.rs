//! Vector code of provers: Lawson beside loops over Plonky3's packed elements, on one thread, in turns, with equal results.
//!
//!     provers [--seconds N] [WORD]
//!
//! Times each case for N seconds; a word chooses the cases whose name has it, `article` the table of fused against unfused. Prints Markdown. Fails where a result differs;
//! says where a bound is missed.

mod article;
mod cases;
mod packed;
mod table;
mod traced;

use cases::Case;
use lawson_peers::turns::take_turns;
use lawson_provers::Failure;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (seconds, only) = match words[..] {
        [] => (Ok(2.0), ""),
        ["--seconds", n] => (n.parse(), ""),
        ["--seconds", n, word] => (n.parse(), word),
        [word] => (Ok(2.0), word),
        _ => (Ok(f64::NAN), ""),
    };
    let Some(time) = seconds.ok().and_then(|s| Duration::try_from_secs_f64(s).ok()) else {
        eprintln!("provers [--seconds N] [WORD]");
        return ExitCode::from(2);
    };
    match run(time, only) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("provers: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(time: Duration, only: &str) -> Result<(), Failure> {
    table::introduction();
    for (_, make) in cases::all().into_iter().filter(|(name, _)| name.contains(only)) {
        let Case { name, count, work, bounds } = make()?;
        let (sides, mut work): (Vec<_>, Vec<_>) = work.into_iter().unzip();
        let times = take_turns(&mut work, time)?;
        table::row(&name, count, &sides, &times, &bounds);
    }
    if "article".contains(only) {
        article::run(time)?;
    }
    Ok(())
}
