//! Trains a network that reads handwritten digits, and draws how well it does.
//! `cargo run --release -p lawson-examples --bin digits`

use clap::Parser;
use lawson_examples::curve::{self, Series};
use lawson_examples::digits::{self, Config};
use lawson_examples::progress::Progress;
use std::error::Error;
use std::path::PathBuf;

/// Trains a small convolutional network on handwritten digits.
#[derive(Parser)]
struct Arguments {
    /// How often the network sees each image
    #[arg(long, default_value_t = Config::default().epochs)]
    epochs: usize,
    /// Images in a batch
    #[arg(long, default_value_t = Config::default().batch)]
    batch: i64,
    /// How far a step goes
    #[arg(long, default_value_t = Config::default().learning_rate)]
    learning_rate: f64,
    /// Of the first weights and the order of the images
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the picture of loss and accuracy goes
    #[arg(long, value_name = "FILE.svg", default_value = "digits.svg")]
    curve: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { epochs, batch, learning_rate, seed, curve } = Arguments::parse();
    let config = Config { epochs, batch, learning_rate, seed };
    let history = digits::train(&config, &Progress::new(epochs))?;
    let (Some(loss), Some(accuracy)) = (history.loss.last(), history.accuracy.last()) else {
        return Err("nothing is learnt in no epochs".into());
    };
    println!("{epochs} epochs, {} images", digits::TRAINING);
    println!("loss      {loss:.4}");
    println!("accuracy  {:.2} % of {} other images", 100.0 * accuracy, digits::TEST);

    let line = |name, values: &[f32]| Series {
        name,
        points: values.iter().enumerate().map(|(n, &v)| (n as f64 + 1.0, f64::from(v))).collect(),
    };
    let lines = [line("loss", &history.loss), line("accuracy on the test", &history.accuracy)];
    curve::save(&curve, "Handwritten digits", ("epoch", "loss, accuracy"), &lines)?;
    println!("curve     {}", curve.display());
    Ok(())
}
