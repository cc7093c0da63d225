//! The example of donated states, alone in its process: the counters of the pool are the process's.

#[path = "../../../examples/donated_state.rs"]
mod example;

#[test]
fn the_example_reuses_the_memory_of_its_states() -> Result<(), lawson::Error> {
    example::main()
}
