//! The drone on its way over the hill.

use lawson_examples::progress::Progress;
use lawson_examples::simulation::{GOAL, HILL, optimise};

/// The distance of two points.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn the_drone_flies_over_the_hill_and_stands_still_at_the_goal() {
    let history = optimise(300, &Progress::hidden()).expect("it learns");
    assert!(history.losses[299] < 1e-3 * history.losses[0], "{:?}", history.losses);

    let numbers = |n: usize| history.flights[n].position.to_vec::<f32>().expect("it flew");
    let hovering = numbers(0);
    assert!(hovering.iter().all(|x| x.abs() < 1e-3), "a thrust of 1 g keeps it in the origin: {hovering:?}");
    let flight = numbers(300);
    assert!(distance(&flight[flight.len() - 2..], &GOAL) < 0.05, "{flight:?}");
    let speed = history.flights[300].velocity.index(-1).norm().item::<f32>().expect("a number");
    assert!(speed < 0.05, "{speed}");
    let nearest = flight.chunks(2).map(|place| distance(place, &HILL.0)).fold(f32::INFINITY, f32::min);
    assert!(f64::from(nearest) > HILL.1, "it flies through the hill: {nearest} m from its middle");
}
