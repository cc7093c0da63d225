//! The profiler, as JAX's own asks for it.

use super::caller::{Client, address, bytes, call_profiler};
use super::{ADD, INVALID_ARGUMENT, ONES, error, floats};

/// Positions in the profiler's table.
mod slot {
    pub const CREATE: usize = 3;
    pub const DESTROY: usize = 4;
    pub const START: usize = 5;
    pub const STOP: usize = 6;
    pub const COLLECT: usize = 7;
}

#[test]
fn a_profile_has_the_kernels_of_the_runs_that_it_saw() {
    let client = Client::new(1);
    let a = floats(&client, &ONES, &[4]);
    let text = |name: &str| String::from_utf8_lossy(ADD).replace("@sum", name).into_bytes();
    let runs = |name: &str| {
        let program = client.compile(&text(name), &[]).expect("compiled");
        program.run(&[&a, &a]).expect("results")[0].floats().expect("floats");
    };
    let profiler = call_profiler(slot::CREATE, [address(""), 0, 0]).expect("a profiler")[2];
    runs("@seen_by_nobody_before");
    call_profiler(slot::START, [profiler]).expect("started");
    runs("@seen_by_the_profiler");
    call_profiler(slot::STOP, [profiler]).expect("stopped");
    runs("@seen_by_nobody_after");
    let [_, start, size] = call_profiler(slot::COLLECT, [profiler, 0, 0]).expect("a profile");
    let lent = bytes(start, size).to_vec();
    let mut copy = vec![0u8; size as usize];
    call_profiler(slot::COLLECT, [profiler, copy.as_mut_ptr() as u64, size]).expect("a profile");
    call_profiler(slot::DESTROY, [profiler]).expect("destroyed");
    assert_eq!(lent, copy);
    let has = |word: &str| lent.windows(word.len()).any(|w| w == word.as_bytes());
    for word in ["/device:CUSTOM:Lawson", "Kernels", "seen_by_the_profiler", "bytes_read", "kernel"] {
        assert!(has(word), "{word}");
    }
    assert!(!has("seen_by_nobody"));
    assert_eq!(error(call_profiler(slot::START, [0])).code, INVALID_ARGUMENT);
}
