//! Fits to measurements whose truth is known.

use lawson_examples::fitting::{NAMES, TRUTH, fits, measurements};

/// Repetitions: their spread is known to a part in √(2 · 400), 4 %.
const SERIES: i64 = 400;

#[test]
fn fits_converge_in_few_steps_to_the_least_squares() {
    let squares = fits(&measurements(1, 1), 12).expect("it fits").squares.to_vec::<f64>().expect("numbers");
    assert!(squares.is_sorted_by(|a, b| a >= b), "no step makes it worse: {squares:?}");
    assert!(squares[0] > 5.0 * squares[8], "{squares:?}");
    assert!((squares[8] - squares[11]).abs() < 1e-9 * squares[11], "it has converged: {squares:?}");
}

#[test]
fn parameters_are_right_on_average_and_spread_as_their_standard_errors_say() {
    let found = fits(&measurements(2, SERIES), 12).expect("they fit");
    let numbers = |t: lawson::Tensor| t.to_vec::<f64>().expect("numbers");
    let mean = numbers(found.parameters.mean_axes(0));
    let spread = numbers(found.parameters.std_axes(0));
    let stated = numbers(found.standard_errors.mean_axes(0));
    for (n, name) in NAMES.iter().enumerate() {
        let deviation = (mean[n] - TRUTH[n]).abs() / (spread[n] / (SERIES as f64).sqrt());
        assert!(deviation < 4.0, "{name}: {} is {deviation} standard errors from {}", mean[n], TRUTH[n]);
        let ratio = spread[n] / stated[n];
        assert!((0.84..1.16).contains(&ratio), "{name}: spread {}, stated {}", spread[n], stated[n]);
    }
}
