//! Fits a damped oscillation to noisy measurements. `cargo run --release -p lawson-examples --bin fitting`

use clap::Parser;
use lawson_examples::curve::{self, Series};
use lawson_examples::fitting::{self, NAMES, TRUTH, curve_of, fits, measurements, times};
use std::error::Error;
use std::path::PathBuf;

/// Fits a damped oscillation to noisy measurements, and to many repetitions of them.
#[derive(Parser)]
struct Arguments {
    /// Steps of each fit
    #[arg(long, default_value_t = 12)]
    steps: i64,
    /// How often it is measured and fitted
    #[arg(long, default_value_t = 1000)]
    series: i64,
    /// Of the errors of the measurements
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the picture of the first measurements and their fit goes
    #[arg(long, value_name = "FILE.svg", default_value = "fitting.svg")]
    curve: PathBuf,
    /// Where all fits go as HLO, for `lawson explain`
    #[arg(long, value_name = "FILE.hlo")]
    hlo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    let measured = measurements(args.seed, args.series);
    if let Some(file) = &args.hlo {
        std::fs::write(file, fitting::hlo(&measured, args.steps)?)?;
    }
    let found = fits(&measured, args.steps)?;

    println!("step   sum of squares of the first fit");
    for (n, squares) in found.squares.index(0).to_vec::<f64>()?.iter().enumerate() {
        println!("{n:>4}   {squares:.6}");
    }
    let parameters = found.parameters.index(0).to_vec::<f64>()?;
    let errors = found.standard_errors.index(0).to_vec::<f64>()?;
    let spread = found.parameters.std_axes(0).to_vec::<f64>()?;
    println!("\n             true    fitted   standard error   spread of {} fits", args.series);
    for (n, name) in NAMES.iter().enumerate() {
        println!(
            "{name:<10} {:>6.3}  {:>8.4} ± {:.4}   {:>20.4}",
            TRUTH[n], parameters[n], errors[n], spread[n]
        );
    }

    let times = times().to_vec::<f64>()?;
    let points = |values: Vec<f64>| times.iter().copied().zip(values).collect();
    let fit = Series { name: "fit", points: points(curve_of(&found.parameters.index(0)).to_vec()?) };
    let dots = Series { name: "measured", points: points(measured.index(0).to_vec()?) };
    curve::save_with_dots(&args.curve, "A damped oscillation", ("time", "value"), &[fit], &[dots])?;
    println!("\npicture: {}", args.curve.display());
    Ok(())
}
