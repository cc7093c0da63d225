//! Explanations of whole programs: plans only, for a pinned target, so nothing depends on this machine.

use lawson::explain::text::{self, Shown};
use lawson::explain::{Explanation, explain};
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
fn n_body_never_writes_its_pairs() {
    let e = explained(&program("nbody", "full.hlo"), "on");
    // Sums of blocks of bodies, then their sums.
    assert_eq!((e.totals.kernels, e.totals.launches, e.kernels[0].phases), (1, Some(1), 2));
    // Positions, velocities and masses in; positions and velocities out.
    assert_eq!(e.totals.bytes_fused, 4 * (4096 * 7 + 4096 * 6));
}

#[test]
fn dependent_stages_over_rows_are_one_kernel_of_one_phase() {
    for (name, bytes) in [("softmax_4096x1024", 32 << 20), ("attention", 8 << 20)] {
        let e = explained(&program(name, "full.hlo"), "on");
        assert_eq!((e.totals.kernels, e.kernels[0].phases, e.totals.bytes_fused), (1, 1, bytes), "{name}");
        assert_eq!(e.kernels[0].category, "reduction", "{name}");
    }
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
            for i in k.instructions.iter().map(|i| &*i.name) {
                assert!(sources.contains(i), "{name}: `{i}` is not in the text");
            }
        }
        let mut edges = BTreeSet::new();
        let holds = |k: &lawson::explain::Kernel, name: &str| k.instructions.iter().any(|i| i.name == name);
        for d in e.decisions.iter().filter(|d| d.fused) {
            let inside = e.kernels.iter().any(|k| holds(k, &d.producer) && holds(k, &d.consumer));
            // A loop or a constant is no operation of a kernel, but may be an end of an edge.
            let operation = |name: &str| e.kernels.iter().any(|k| holds(k, name));
            let named = operation(&d.producer) && operation(&d.consumer);
            assert!(inside || !named, "{name}: no kernel has both {} and {}", d.producer, d.consumer);
        }
        for d in &e.decisions {
            let edge = (&d.producer, &d.consumer);
            assert!(edges.insert(edge), "{name}: two verdicts on {edge:?}");
            assert_eq!(d.fused, d.refusal.is_none(), "{name}: {edge:?}");
            assert_eq!(d.fused, d.counterfactual.is_none(), "{name}: {edge:?}");
            assert!(!d.reason.is_empty() && !d.places.is_empty(), "{name}: {edge:?}");
        }
        assert!(e.totals.bytes_fused <= e.totals.bytes_unfused, "{name}");
        let kept = e.decisions.iter().filter(|d| !d.fused).count();
        assert_eq!(text::render(&e, Shown::All).matches("\n  kept  ").count(), kept, "{name}");
    }
}

#[test]
fn a_constant_that_a_kernel_makes_is_listed_under_its_own_name() {
    // The scalar of the first takes a number that the text has given to the last.
    let text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  constant = f32[4] constant({2, 2, 2, 2})\n  \
                constant.1 = f32[2] constant({3, 5})\n  a = f32[4] add(x, constant)\n  \
                ROOT t = (f32[4], f32[4], f32[2]) tuple(a, constant, constant.1)\n}\n";
    let loaded = load::text_of("constants.hlo".into(), text.into()).expect("valid");
    let listed = |fusion: &str| -> Vec<Vec<String>> {
        let kernels = explained(&loaded, fusion).kernels.into_iter();
        kernels.map(|k| k.instructions.into_iter().map(|i| i.name).collect()).collect()
    };
    assert_eq!(listed("off"), [["constant"], ["a"]]);
    assert_eq!(listed("on"), [["constant", "a"]]);
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
    assert!(text::render(&e, Shown::Most).contains("launches unknown"));
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

#[test]
fn text_fits_a_terminal_of_80_columns() {
    for name in names() {
        let text = text::render(&explained(&program(&name, "module.hlo"), "on"), Shown::Most);
        for line in text.lines() {
            // A name that is longer by itself cannot be broken.
            let words = line.trim().split(' ').count();
            assert!(line.chars().count() <= 80 || words == 1, "{name}: {line}");
        }
    }
}

/// The paper's formula: each operation's output counted once written and once read.
fn by_formula(loaded: &Loaded) -> (u64, u64, u64) {
    let t = explained(loaded, "on").totals;
    (t.bytes_saved_formula, t.bytes_unfused_formula, t.bytes_fused_formula)
}

#[test]
fn the_formula_gives_the_papers_figures_for_a_layer() {
    // relu(x @ w + b) at 128 x 784 x 256: dot, add and maximum.
    assert_eq!(by_formula(&program("mlp_layer_128x784x256", "full.hlo")), (524_288, 786_432, 131_072));
}

#[test]
fn the_formula_gives_the_papers_figures_with_dropout() {
    let module = include_str!("dropout.hlo");
    let loaded = load::text_of("dropout.hlo".into(), module.into()).expect("a module");
    // dot, add, maximum and select at 1024 x 1024.
    assert_eq!(by_formula(&loaded), (24 << 20, 32 << 20, 4 << 20));
    explained(&loaded, "on").assert_kernels(1);
    let sum: u64 = explained(&loaded, "on").decisions.iter().map(|d| d.bytes_saved_formula).sum();
    assert_eq!(sum, 24 << 20);
    // Where nothing is fused, nothing is saved, and only the result is not read again.
    let t = explained(&loaded, "off").totals;
    assert_eq!((t.bytes_saved_formula, t.bytes_fused_formula), (0, 28 << 20));
}

#[test]
fn what_no_fusion_may_change_is_asserted_by_scope() {
    let loaded = program("gelu_bias", "module.hlo");
    let e = explained(&loaded, "on");
    let names: Vec<&str> = e.kernels.iter().flat_map(|k| &k.instructions).map(|i| &*i.name).collect();
    e.assert_kernels(1);
    e.assert_fused(&names);
    let off = explained(&loaded, "off").check_fused(&names).expect_err("nothing is fused");
    assert!(off.edges.iter().all(|d| d.refusal.as_deref() == Some("SwitchedOff")) && !off.edges.is_empty());
}

#[test]
fn pictures_show_every_operation_and_every_kernel() {
    for name in names() {
        let e = explained(&program(&name, "module.hlo"), "on");
        let shown: BTreeSet<usize> =
            e.after.iter().flat_map(|g| &g.nodes).flat_map(|n| n.kernels.clone()).collect();
        assert_eq!(shown.len(), e.kernels.len(), "{name}: every kernel is in the graph after fusion");
        let placed: BTreeSet<usize> =
            e.before.iter().flat_map(|g| &g.nodes).flat_map(|n| n.kernels.clone()).collect();
        assert_eq!(placed, shown, "{name}: every kernel has operations in the graph before fusion");
        for graph in e.before.iter().chain(&e.after) {
            assert!(graph.edges.iter().all(|e| e.from < e.to && e.to < graph.nodes.len()), "{name}");
        }
    }
}

#[test]
fn adam_over_many_arrays_is_one_launch_beside_its_scalars() {
    for file in ["module.hlo", "full.hlo"] {
        let e = explained(&program("adam_64", file), "on");
        assert!(e.totals.kernels <= 2 && e.totals.launches == Some(e.totals.kernels), "{:?}", e.totals);
        assert_eq!(e.totals.copies, 0);
        let (table, read, written) = {
            let k = e.kernels.iter().max_by_key(|k| k.bytes_written).expect("kernels");
            (k, k.bytes_read, k.bytes_written)
        };
        assert_eq!(
            (table.kind.as_str(), table.category.as_str(), table.phases),
            ("kCustom", "elementwise", 1)
        );
        assert!(table.plan.starts_with("64 independent computations, "), "{}", table.plan);
        // Four arrays read and three written, each once, beside the scalars.
        assert!(read * 3 <= written * 4 + 4096, "{read} read, {written} written");
        assert!(explained(&program("adam_64", file), "no-horizontal").totals.kernels >= 64);
    }
}

#[test]
fn residuals_have_a_section_of_their_own() {
    let file = folder().join("../residuals/relu_before_product.hlo");
    let file = file.canonicalize().expect("it is there");
    let loaded = load::file(&file).unwrap_or_else(|e| panic!("{e}"));
    let (e, without) = (explained(&loaded, "on"), explained(&loaded, "no-residual"));
    let r = &e.residuals;
    let elements: u64 = 1024 * 1024;
    let array = 4 * elements;
    let [tanh, difference, mask] = &r.all[..] else { panic!("{:?}", r.all) };
    assert_eq!((&*tanh.value, &*tanh.fate, tanh.bytes, tanh.stored), ("tanh.1", "saved", array, array));
    assert_eq!((&*difference.value, &*difference.fate, difference.stored), ("sub.3", "recomputed", 0));
    assert_eq!(
        (&*mask.value, &*mask.fate, mask.bytes, mask.stored),
        ("gt.1", "saved", elements, elements / 8)
    );
    assert_eq!((r.marked, r.bytes), (true, array + elements / 8));
    assert_eq!(r.bytes_if_all_saved, 2 * array + elements);
    assert!(r.peak + 3 * elements < r.peak_without, "{} bytes, {} bytes", r.peak, r.peak_without);
    assert!(without.residuals.all.is_empty());
    let report = text::render(&e, Shown::Most);
    assert!(report.contains("  saved       gt.1  pred[1024,1024]  128.0 KiB of 1.0 MiB\n"), "{report}");
    assert!(report.contains("one bit for each element of a mask is enough"), "{report}");
    assert!(report.lines().all(|l| l.chars().count() <= 80), "{report}");
    let json = lawson::explain::json::render(&e);
    assert_eq!(json["residuals"]["bytes"], array + elements / 8);
    assert_eq!(json["residuals"]["all"][2]["reason"], mask.reason);
}

#[test]
fn pictures_show_a_loop_that_runs_for_the_effects_of_its_body() {
    let text = "body { i = s32[] parameter(0) one = s32[] constant(1)
            told = s32[] custom-call(i), custom_call_target=\"tell\", custom_call_has_side_effect=true
            ROOT next = s32[] add(i, one) }
        condition { i = s32[] parameter(0) three = s32[] constant(3)
            ROOT c = pred[] compare(i, three), direction=LT }
        ENTRY e { x = s32[] parameter(0) start = s32[] parameter(1)
            loop = s32[] while(start), condition=condition, body=body
            unused = s32[] negate(loop)
            ROOT y = s32[] add(x, x) }";
    let e = explained(&load::text_of("m".into(), text.into()).expect("a module"), "on");
    for graphs in [&e.before, &e.after] {
        let names: Vec<&str> = graphs[0].nodes.iter().map(|n| &*n.name).collect();
        assert!(names.contains(&"loop") && names.contains(&"start"), "{names:?}");
        assert!(!names.contains(&"unused"), "{names:?}");
    }
}
