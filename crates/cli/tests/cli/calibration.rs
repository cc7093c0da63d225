//! What `doctor --calibrate` keeps, and who predicts by it.

use super::Folder;
use serde_json::{Value, json};
use std::process::Command;

const MODULE: &str = "HloModule m\nENTRY e {\n  x = f32[65536] parameter(0)\n  y = f32[65536] exponential(x)\n  ROOT z = f32[65536] add(y, y)\n}\n";

/// The output of a command whose caches are in this folder.
fn output(cache: &str, args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_lawson"))
        .env("LAWSON_CACHE", cache)
        .args(args)
        .output()
        .expect("lawson runs");
    assert!(done.status.success(), "{args:?}\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

#[test]
fn times_are_predicted_for_this_machine_once_it_is_measured() {
    let folder = Folder::new();
    let (module, cache) = (folder.write("m.hlo", MODULE), folder.path("cache"));
    let explained = |more: &[&str]| -> Value {
        let args: Vec<&str> =
            ["explain", &module, "--json"].into_iter().chain(more.iter().copied()).collect();
        serde_json::from_str(&output(&cache, &args)).expect("one JSON object")
    };
    let before = explained(&[]);
    assert_eq!(before["totals"]["calibrated"], false);
    assert!(output(&cache, &["doctor", "--quick"]).contains("unmeasured (--calibrate)"));

    let measured: Value =
        serde_json::from_str(&output(&cache, &["doctor", "--calibrate"])).expect("a description");
    let found = output(&cache, &["doctor", "--quick"]);
    let place = found.lines().find_map(|l| l.split_once("as measured, ")).expect(&found).1.trim();
    assert_eq!(
        serde_json::from_str::<Value>(&std::fs::read_to_string(place).expect("kept")).expect("JSON"),
        measured
    );

    // A machine ten times as slow: other times, the same plan.
    let mut slow = measured;
    for name in ["gops", "bandwidth", "bandwidth_1t", "l2_bandwidth", "llc_bandwidth"] {
        slow[name] = json!(slow[name].as_f64().expect("a number") / 10.0);
    }
    std::fs::write(place, slow.to_string()).expect("written");
    let (after, named) = (explained(&[]), explained(&["--target", "host"]));
    assert_eq!(after["totals"]["calibrated"], true);
    assert!(after["totals"]["predicted_us"].as_f64() > before["totals"]["predicted_us"].as_f64());
    assert_eq!(after["kernels"][0]["plan"], before["kernels"][0]["plan"]);
    assert_eq!(named["totals"], before["totals"], "a target that is named is what times are predicted for");
}
