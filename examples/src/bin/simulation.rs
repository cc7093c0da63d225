//! A drone learns to fly over a hill. `cargo run --release -p lawson-examples --bin simulation`

use clap::Parser;
use lawson_examples::curve::{self, Series};
use lawson_examples::progress::Progress;
use lawson_examples::simulation::{self, Flight, GOAL, HILL, History};
use std::error::Error;
use std::f64::consts::PI;
use std::path::PathBuf;

/// A drone learns to fly over a hill, by the gradient through its simulation.
#[derive(Parser)]
struct Arguments {
    /// Steps of the optimiser
    #[arg(long, default_value_t = 300)]
    steps: usize,
    /// Where the picture of the loss goes
    #[arg(long, value_name = "FILE.svg", default_value = "simulation-loss.svg")]
    curve: PathBuf,
    /// Where the picture of the flights goes
    #[arg(long, value_name = "FILE.svg", default_value = "simulation.svg")]
    picture: PathBuf,
    /// Where a step goes as HLO, for `lawson explain`
    #[arg(long, value_name = "FILE.hlo")]
    hlo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Arguments::parse();
    if let Some(file) = &args.hlo {
        std::fs::write(file, simulation::hlo()?)?;
    }
    let progress = Progress::new(args.steps);
    let History { losses, flights } = simulation::optimise(args.steps, &progress)?;
    drop(progress);
    for (n, loss) in losses.iter().enumerate().step_by((args.steps / 10).max(1)) {
        println!("step {n:>4}   loss {loss:>8.4}");
    }
    let end = &flights[args.steps];
    let speed = end.velocity.index(-1).norm().item::<f32>()?;
    let place = end.position.index(-1).to_vec::<f32>()?;
    println!("the drone ends at {place:.2?} with {speed:.2} m/s; its goal is {GOAL:?}");

    let points = losses.iter().enumerate().map(|(n, loss)| (n as f64, f64::from(loss.log10()))).collect();
    let line = Series { name: "loss", points };
    curve::save(&args.curve, "Learning to fly", ("step", "loss, as a power of ten"), &[line])?;
    let mut lines = vec![Series { name: "hill", points: hill() }];
    for (name, step) in [("after 20 steps", 20), ("after 60 steps", 60), ("in the end", args.steps)] {
        if let Some(flight) = flights.get(step) {
            lines.push(Series { name, points: path(flight)? });
        }
    }
    curve::save(&args.picture, "A flight over a hill", ("metres", "metres"), &lines)?;
    println!("pictures: {} and {}", args.picture.display(), args.curve.display());
    Ok(())
}

/// Where the drone was at each moment.
fn path(flight: &Flight) -> Result<Vec<(f64, f64)>, lawson::Error> {
    let numbers = flight.position.to_vec::<f32>()?;
    Ok(numbers.chunks(2).map(|p| (p[0].into(), p[1].into())).collect())
}

/// The outline of the hill.
fn hill() -> Vec<(f64, f64)> {
    let ([x, y], radius) = HILL;
    let angles = (0..=64).map(|n| PI * f64::from(n) / 64.0);
    angles.map(|a| (f64::from(x) + radius * a.cos(), f64::from(y) + radius * a.sin())).collect()
}
