//! Plans that are measured: what was learnt is kept, what is kept wrongly is measured again, and no result changes.

use super::Folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODULE: &str = "HloModule m\nENTRY e {\n  a = f32[96,128] parameter(0)\n  b = f32[128,112] parameter(1)\n  \
    ROOT c = f32[96,112] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";

/// What a command says whose cache is in this folder.
fn said(cache: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lawson"))
        .env("LAWSON_CACHE", cache)
        .args(args)
        .output()
        .expect("lawson runs")
}

fn printed(cache: &str, args: &[&str]) -> String {
    let done = said(cache, args);
    assert!(done.status.success(), "{args:?}\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// The kernel of the module as `explain --tune` tells it.
fn tuned(module: &str, cache: &str) -> Value {
    let text = printed(cache, &["explain", module, "--tune=60", "--json"]);
    let value: Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!((&value["tuning"]["not_reached"], &value["tuning"]["limit_s"]), (&0.into(), &60.0.into()));
    value["tuning"]["kernels"][0].clone()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path());
    entries.flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

#[test]
fn what_was_learnt_is_kept_and_what_is_damaged_is_measured_again() {
    let folder = Folder::new();
    let (module, cache) = (folder.write("m.hlo", MODULE), folder.path("cache"));
    let first = tuned(&module, &cache);
    assert_eq!(first["cached"], false);
    assert!(first["candidates"].as_array().is_some_and(|c| c.len() >= 2), "{first}");
    let again = tuned(&module, &cache);
    assert_eq!(again["cached"], true);
    assert_eq!((&again["candidates"], &again["verdict"]), (&first["candidates"], &first["verdict"]));

    type Damage = fn(&mut Vec<u8>);
    let damages: [Damage; 4] = [
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| *bytes.last_mut().expect("a byte") ^= 1,
        |bytes| bytes[10] ^= 1,
        Vec::clear,
    ];
    for damage in damages {
        for file in files(Path::new(&cache)) {
            let mut bytes = std::fs::read(&file).expect("readable");
            damage(&mut bytes);
            std::fs::write(&file, bytes).expect("written");
        }
        let anew = tuned(&module, &cache);
        assert_eq!(anew["cached"], false, "{anew}");
    }
}

#[test]
fn results_are_the_same_and_reports_tell_what_was_tried() {
    let folder = Folder::new();
    let (module, cache) = (folder.write("m.hlo", MODULE), folder.path("cache"));
    let (plain, other) = (folder.path("plain.npz"), folder.path("other.npz"));
    printed(&cache, &["run", &module, "--numerics", "strict", "--output", &plain]);
    printed(&cache, &["run", &module, "--numerics", "strict", "--tune", "--output", &other]);
    assert_eq!(std::fs::read(plain).expect("written"), std::fs::read(other).expect("written"));

    let told = printed(&cache, &["explain", &module, "--tune"]);
    assert!(told.contains("plans tried  1 kernel measured") && told.contains("as planned"), "{told}");
    let page = folder.path("page.html");
    printed(&cache, &["explain", &module, "--tune", "--html", &page]);
    assert!(std::fs::read_to_string(page).expect("written").contains("<h2>Plans tried"));
    let told = printed(&cache, &["bench", &module, "--tune", "--max-runs", "1", "--vs", "untuned"]);
    assert!(told.contains("tuning      1 kernel with several plans") && told.contains("untuned"), "{told}");

    let plain = printed(&cache, &["explain", &module]);
    assert!(!plain.contains("plans tried"), "{plain}");
    assert!(!printed(&cache, &["explain", &module, "--json"]).contains("tuning"));
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::new();
    let (module, cache) = (folder.write("m.hlo", MODULE), folder.path("cache"));
    for (args, expected) in [
        (&["--tune=soon"][..], "a number of seconds is needed"),
        (&["--tune", "--device", "interpreter"], "plans are measured on the processor"),
    ] {
        let done = said(&cache, &[&["run", &module][..], args].concat());
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code() == Some(2) && told.contains(expected), "{args:?}: {told}");
    }
}
