//! A short training of a smaller model than that of the command.

use lawson_examples::language::{self, Config, Report, Size};
use lawson_examples::progress::Progress;

fn short() -> Config {
    let size = Size { context: 32, blocks: 1, heads: 2, width: 64 };
    Config { size, steps: 300, learning_rate: 1e-2, sample: 40, ..Config::default() }
}

fn train(config: &Config) -> Report {
    language::train(config, &Progress::hidden()).expect("it trains")
}

#[test]
fn a_transformer_learns_more_than_pairs_of_characters() {
    let report = train(&short());
    assert!(report.bigram < report.unigram && report.unigram < (report.alphabet as f32).ln());
    let (_, training, test) = report.curve[report.curve.len() - 1];
    assert!(test < report.bigram - 0.3, "{test} after training, {} by pairs", report.bigram);
    assert!((training - test).abs() < 0.2, "{training} and {test}: it learnt the text by heart");
    assert_eq!(report.sample.chars().count(), 40);
}

#[test]
fn the_same_seed_gives_the_same_training() {
    let config = Config { size: Size { blocks: 2, ..short().size }, steps: 8, ..short() };
    let (one, two) = (train(&config), train(&config));
    assert_eq!((&one.curve, &one.sample), (&two.curve, &two.sample));
    assert_ne!(one.sample, train(&Config { seed: 1, ..config }).sample);
}
