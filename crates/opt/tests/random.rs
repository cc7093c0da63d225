//! Random modules, simplified to the fixed point, must keep every bit in strict mode.

mod support;

use lawson_opt::{Numerics, Options, PassContext, pipeline};
use std::collections::BTreeSet;
use support::modules;
use support::values::same_results;

const MODULES: u64 = 400;

#[test]
fn random_modules_keep_their_values() {
    let mut fired = BTreeSet::new();
    for seed in 0..MODULES {
        let before = modules::random(seed);
        let faults = lawson_hlo::verify::verify(&before);
        assert!(faults.is_ok(), "seed {seed}: {}\n{before}", faults.unwrap_err()[0]);
        let mut after = before.clone();
        let mut cx = PassContext::new(Options { numerics: Numerics::Strict, ..Options::default() });
        if let Err(e) = pipeline::run(&mut cx, &mut after, pipeline::PIPELINE) {
            panic!("seed {seed}: {}\n{before}", e[0]);
        }
        if let Err(e) = same_results(&before, &after, Numerics::Strict) {
            panic!("seed {seed}: {e}\nbefore:\n{before}\nafter:\n{after}");
        }
        fired.extend(cx.report.rules().into_keys());
    }
    assert!(fired.len() > 60, "only {} rules fired: {fired:?}", fired.len());
}
