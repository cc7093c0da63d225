//! A short training of the pole on the cart.

use lawson_examples::cartpole::train;
use lawson_examples::progress::Progress;

#[test]
fn the_pole_stands_longer_and_longer() {
    let lengths = train(40, 0, &Progress::hidden()).expect("it trains");
    assert!((15.0..30.0).contains(&lengths[0]), "an agent that knows nothing: {}", lengths[0]);
    let end = lengths[35..].iter().sum::<f32>() / 5.0;
    assert!(end > 4.0 * lengths[0], "{lengths:?}");
}
