//! Explanations of whole programs: plans only, for a pinned target, so nothing depends on this machine.

use lawson::explain::{Explanation, explain, text};
use lawson::load::{self, Loaded};
use lawson::options::FusionSpec;
use lawson::{Options, hlo};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn program(name: &str, file: &str) -> Loaded {
    load::file(&folder().join(name).join(file)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("tests/programs");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn options(fusion: &str) -> Options {
    let fusion: FusionSpec = fusion.parse().expect("a specification");
    Options { target: Some("zen4".into()), threads: 2, fusion, ..Options::default() }
}

fn explained(loaded: &Loaded, fusion: &str) -> Explanation {
    explain(loaded, &options(fusion)).unwrap_or_else(|e| panic!("{}: {e}", loaded.file))
}

#[test]
fn square_minus_is_one_kernel_that_moves_its_input_and_output() {
    let loaded = program("square_minus_16m", "full.hlo");
    let e = explained(&loaded, "on");
    assert_eq!((e.totals.kernels, e.totals.launches, e.totals.copies), (1, Some(1), 0));
    assert_eq!((e.kernels[0].bytes_read, e.kernels[0].bytes_written), (64 << 20, 64 << 20));
    assert_eq!((e.totals.bytes_fused, e.totals.bytes_unfused), (128 << 20, 320 << 20));
    assert_eq!((e.kernels[0].category.as_str(), e.kernels[0].kind.as_str()), ("elementwise", "kLoop"));
    let off = explained(&loaded, "off");
    assert_eq!((off.totals.kernels, off.totals.bytes_fused), (2, 320 << 20));
    assert_eq!(off.decisions[0].refusal.as_deref(), Some("SwitchedOff"));
}

#[test]
fn every_kernel_and_every_kept_edge_is_accounted_for() {
    for name in names() {
        let loaded = program(&name, "module.hlo");
        let sources: BTreeSet<&str> = loaded.module.sources.iter().map(|s| &*s.name).collect();
        let e = explained(&loaded, "on");
        assert!(!e.kernels.is_empty() && e.totals.kernels == e.kernels.len() as u64, "{name}");
        for k in &e.kernels {
            assert!(!k.instructions.is_empty() && !k.places.is_empty(), "{name}: {}", k.name);
            assert!(!k.category.is_empty() && !k.plan.is_empty() && k.phases > 0, "{name}: {}", k.name);
            for i in &k.instructions {
                assert!(sources.contains(&**i), "{name}: `{i}` is not in the text");
            }
        }
        let mut edges = BTreeSet::new();
        for d in &e.decisions {
            let edge = (&d.producer, &d.consumer);
            assert!(edges.insert(edge), "{name}: two verdicts on {edge:?}");
            assert_eq!(d.fused, d.refusal.is_none(), "{name}: {edge:?}");
            assert_eq!(d.fused, d.counterfactual.is_none(), "{name}: {edge:?}");
            assert!(!d.reason.is_empty() && !d.places.is_empty(), "{name}: {edge:?}");
        }
        assert!(e.totals.bytes_fused <= e.totals.bytes_unfused, "{name}");
        let kept = e.decisions.iter().filter(|d| !d.fused).count();
        assert_eq!(text::render(&e).matches("\n  kept  ").count(), kept, "{name}");
    }
}

#[test]
fn trip_counts_that_nobody_knows_are_told() {
    let module = "HloModule m\nc {\n  p = s32[] parameter(0)\n  n = s32[] constant(7)\n  \
                ROOT l = pred[] compare(p, n), direction=NE\n}\nb {\n  q = s32[] parameter(0)\n  \
                r = s32[] multiply(q, q)\n  ROOT s = s32[] remainder(r, q)\n}\nENTRY e {\n  \
                x = s32[] parameter(0)\n  ROOT w = s32[] while(x), condition=c, body=b\n}\n";
    let loaded = load::text_of("m.hlo".into(), module.into()).expect("a module");
    let e = explained(&loaded, "on");
    assert_eq!(e.totals.launches, None);
    assert!(e.kernels.iter().any(|k| k.launches.is_none()));
    assert!(text::render(&e).contains("launches unknown"));
}

#[test]
fn planning_is_a_function_of_its_input() {
    let loaded = program("mlp_train_step", "module.hlo");
    assert_eq!(explained(&loaded, "on"), explained(&loaded, "on"));
    let printed = hlo::text::print(&loaded.module);
    let again = load::text_of(loaded.file.clone(), printed).expect("it reads what it prints");
    let kernels = |l: &Loaded| explained(l, "on").totals;
    assert_eq!(kernels(&again), kernels(&loaded));
}
