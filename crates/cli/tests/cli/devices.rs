//! Graphics processors on the command line: the emulated one, which builds for tests have.

use super::*;
use serde_json::Value;

const EMULATED: [&str; 2] = ["--device", "cuda-emulated"];

fn on_device(args: &[&str]) -> Vec<String> {
    args.iter().chain(&EMULATED).map(|w| (*w).to_string()).collect()
}

fn json(args: &[&str]) -> Value {
    let args = on_device(args);
    let output = lawson(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {told}"))
}

fn text(args: &[&str]) -> String {
    plain(0, &on_device(args).iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn programs_run_on_the_emulated_device_as_on_the_processor() {
    let folder = Folder::new();
    let m = program("softmax_4096x1024", "module.hlo");
    let out = folder.path("out.npz");
    plain(0, &["run", &m, "--numerics", "strict", "--output", &out]);
    let same = ["run", &m, "--numerics", "strict", "--expect", &out, "--rtol", "0", "--atol", "0"];
    text(&same);
}

#[test]
fn bench_shows_what_the_emulator_counts() {
    let m = program("transpose_add", "module.hlo");
    let found = json(&["bench", &m, "--json", "--max-runs", "5"]);
    assert_eq!(found["device"], "cuda-emulated");
    assert_eq!(found["transfers"]["uploads"], 0);
    assert!(
        found["submit_us"].as_f64() > Some(0.0)
            && found["queued_us"].as_f64() > Some(0.0)
            && found["copied_us"].as_f64() > Some(0.0)
            && found["limit_us"].is_null()
    );
    let rows = found["emulated"].as_array().expect("a row for each kernel");
    assert_eq!(Some(rows.len() as u64), found["kernels"].as_u64());
    for row in rows {
        let number = |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{name} in {row}"));
        let sectors = number("sectors_read") + number("sectors_written");
        assert!(sectors >= number("least_sectors") && number("least_sectors") > 0, "{row}");
        assert!(32 * sectors >= number("bytes_written") && number("instructions") > 0, "{row}");
    }
    let table = text(&["bench", &m, "--max-runs", "5"]);
    assert!(table.contains("sectors") && table.contains("0 copies of 0 B to the device"), "{table}");
}

#[test]
fn explain_says_where_arrays_are() {
    let folder = Folder::new();
    let m = program("gelu_bias", "module.hlo");
    let found = text(&["explain", &m]);
    assert!(found.contains("arrays     resident") && found.contains("gpu sm_90"), "{found}");
    let cholesky = folder.write(
        "m.hlo",
        "HloModule m\nENTRY e {\n  x = f32[8,8] parameter(0)\n  ROOT l = f32[8,8] cholesky(x), lower=true\n}\n",
    );
    let found = json(&["explain", &cholesky, "--json"]);
    assert_eq!(found["arrays"]["level"], "copy for each operation");
    assert_eq!(found["arrays"]["downloads"], 1);
    assert_eq!(found["arrays"]["upload_bytes"], 256);
    assert!(json(&["explain", &m, "--json"])["arrays"]["host_steps"].as_array().is_some_and(Vec::is_empty));
    let on_cpu = lawson(&["explain", &m, "--json"]);
    let on_cpu: Value = serde_json::from_slice(&on_cpu.stdout).expect("one JSON object");
    assert!(on_cpu["arrays"].is_null());
    let measured = text(&["explain", &m, "--measure"]);
    assert!(measured.contains("measured"), "{measured}");
}

#[test]
fn doctor_says_what_is_missing_or_what_is_there() {
    let found = plain(0, &["doctor", "--quick"]);
    assert!(
        found.contains("no driver of NVIDIA") || found.contains("cuda:0") || found.contains("no device"),
        "{found}"
    );
}
