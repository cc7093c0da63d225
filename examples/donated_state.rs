//! Four threads call one program a thousand times each: every thread gives up its state and gets it back one step later,
//! in the same memory; the weights are shared by all. `cargo run --release --example donated_state`

use lawson::{Argument, Client, Error, Options, load, memory};

const STEP: &str = "HloModule step, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY step {
  state = f32[100000] parameter(0)
  weights = f32[100000] parameter(1)
  ROOT next = f32[100000] add(state, weights)
}";

pub fn main() -> Result<(), Error> {
    let client = Client::cpu();
    let step = client.compile(&load::parse(STEP)?, &Options::default())?;
    let weights = client.buffer(&[0.5f32; 100_000], &[100_000])?;
    let thread = |first: f32| {
        let mut state = client.buffer(&[first; 100_000], &[100_000])?;
        let place = state.bytes().as_ptr();
        let fresh = memory::pool().fresh;
        for _ in 0..1000 {
            let mut next = step.run([Argument::Donated(state), Argument::Borrowed(&weights)])?;
            state = next.remove(0);
            assert_eq!(state.bytes().as_ptr(), place, "the memory of the state stays");
        }
        assert_eq!(state.to_vec::<f32>()?, [first + 500.0; 100_000]);
        Ok(memory::pool().fresh - fresh)
    };
    let fresh = std::thread::scope(|scope| {
        let threads = [0.0, 1.0, 2.0, 3.0].map(|first| scope.spawn(move || thread(first)));
        threads.map(|t| t.join().expect("no thread panics")).into_iter().sum::<Result<u64, Error>>()
    })?;
    // What the pool took from the system while 4,000 calls went on: the states of threads that began meanwhile.
    assert!(fresh < 20, "{fresh} blocks");
    println!("4000 calls, {fresh} fresh blocks of memory");
    Ok(())
}
