//! The example that README begins with.

#[path = "../../../examples/gradient.rs"]
mod example;

#[test]
fn the_example_learns() {
    example::main().expect("it trains");
}
