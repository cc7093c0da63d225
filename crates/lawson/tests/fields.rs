//! The example `examples/fields.rs` runs: compiled programs over prime fields give the values that it asserts.

#[path = "../../../examples/fields.rs"]
mod example;

#[test]
fn the_example_runs() {
    example::main().unwrap_or_else(|e| panic!("{e}"));
}
