//! The whole training of `digits`, which is short.

use lawson_examples::digits::{self, Config};
use lawson_examples::progress::Progress;

#[test]
fn a_network_learns_to_read_digits() {
    let config = Config::default();
    let history = digits::train(&config, &Progress::hidden()).expect("it trains");
    assert_eq!((history.loss.len(), history.accuracy.len()), (config.epochs, config.epochs));
    let (first, last) = (history.loss[0], history.loss[config.epochs - 1]);
    assert!(first.is_finite() && last < 0.02 * first, "the loss goes from {first} to {last}");
    let accuracy = history.accuracy[config.epochs - 1];
    assert!(accuracy >= 0.97, "{accuracy} of the test images are recognised");
}

#[test]
fn the_same_seed_gives_the_same_training() {
    let config = Config { epochs: 2, ..Config::default() };
    let run = |config: &Config| digits::train(config, &Progress::hidden()).expect("it trains");
    let (one, two) = (run(&config), run(&config));
    assert_eq!((&one.loss, &one.accuracy), (&two.loss, &two.accuracy));
    assert_ne!(one.loss, run(&Config { seed: 1, ..config }).loss);
}
