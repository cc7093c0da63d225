//! Plans for a graphics processor, made and explained with none at hand.

use lawson::explain::{Explanation, explain, json, text};
use lawson::load::{self, Loaded};
use lawson::{Client, ErrorCode, Options, compile};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn program(name: &str) -> Loaded {
    load::file(&folder().join(name).join("full.hlo")).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn options(target: &str) -> Options {
    Options { target: Some(target.into()), threads: 2, ..Options::default() }
}

fn explained(loaded: &Loaded, target: &str) -> Explanation {
    explain(loaded, &options(target)).unwrap_or_else(|e| panic!("{}: {e}", loaded.file))
}

#[test]
fn every_program_is_planned_with_one_verdict_for_each_edge() {
    for entry in std::fs::read_dir(folder()).expect("tests/programs") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let e = explained(&program(&name), "h100");
        assert_eq!(e.machine, "gpu h100, standard");
        assert!(!e.kernels.is_empty(), "{name}");
        for k in &e.kernels {
            assert!(k.predicted_us >= 4.0, "{name}: {} takes a launch", k.name);
        }
        let mut edges = std::collections::BTreeSet::new();
        for d in &e.decisions {
            assert!(
                edges.insert((&d.producer, &d.consumer)),
                "{name}: {} → {} twice",
                d.producer,
                d.consumer
            );
            assert_eq!(d.fused, d.refusal.is_none(), "{name}: {} → {}", d.producer, d.consumer);
        }
    }
}

/// Programs of another number of kernels than on a processor, and why: the refusal of an edge that is fused there, or of a kernel
/// that shares its launch there, or, where there are fewer, that a launch costs more.
const OTHER_KERNELS: [(&str, usize, usize, Option<&str>); 4] = [
    ("stencil_roll", 5, 2, None),
    ("attention", 1, 3, Some("FewRows")),
    ("mlp_train_step", 8, 10, Some("TilesOfBlocks")),
    ("resnet_block", 5, 4, None),
];

#[test]
fn kernels_are_those_of_a_processor_but_for_a_table() {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("tests/programs") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let loaded = program(&name);
        let [cpu, gpu] = ["zen4", "h100"].map(|target| explained(&loaded, target));
        let counts = (cpu.kernels.len(), gpu.kernels.len());
        let refused: std::collections::BTreeSet<&str> = gpu
            .decisions
            .iter()
            .map(|d| &d.refusal)
            .chain(gpu.candidates.iter().map(|c| &c.refusal))
            .flatten()
            .map(|r| &**r)
            .collect();
        let known = match OTHER_KERNELS.iter().find(|o| o.0 == name) {
            None => counts.0 == counts.1 && cpu.totals.launches == gpu.totals.launches,
            Some(&(_, a, b, why)) => {
                counts == (a, b) && why.map_or(b < a, |why| a < b && refused.contains(why))
            }
        };
        if !known {
            wrong.push(format!("{name}: {counts:?} kernels, {refused:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn occupancy_is_reported_and_falls_where_threads_hold_many_values() {
    // A map holds few values in each thread; a product holds a tile of running sums.
    let (map, product) = (program("tanh_affine_16m"), program("mlp_layer_1024"));
    let occupancies = [&map, &product].map(|p| explained(p, "h100").kernels[0].occupancy);
    assert_eq!(occupancies, [Some(1.0), Some(0.375)]);
    let e = explained(&product, "h100");
    assert!(
        text::render(&e, text::Shown::All).contains("occupancy 38 %"),
        "{}",
        text::render(&e, text::Shown::All)
    );
    assert_eq!(json::render(&e)["kernels"][0]["occupancy"], 0.375);
    assert_eq!(explained(&product, "zen4").kernels[0].occupancy, None);
}

#[test]
fn warps_take_the_place_of_vectors_and_of_tasks() {
    let loaded = program("softmax_4096x1024");
    let (cpu, gpu) = (explained(&loaded, "zen4"), explained(&loaded, "h100"));
    assert!(cpu.kernels[0].plan.contains("16 lanes"), "{}", cpu.kernels[0].plan);
    assert!(gpu.kernels[0].plan.contains("256 lanes"), "eight warps share a row: {}", gpu.kernels[0].plan);
    assert_eq!((cpu.kernels.len(), gpu.kernels.len()), (1, 1));
    assert!(gpu.totals.predicted_us * 10.0 < cpu.totals.predicted_us);
}

#[test]
fn they_do_not_run_on_the_processor() {
    let loaded = program("sum_exp_16m");
    let refused =
        Client::cpu().compile(&loaded.module, &options("h100")).map(|_| ()).expect_err("no such device");
    assert_eq!(refused.code, ErrorCode::Option);
    assert!(refused.to_string().contains("graphics processor"), "{refused}");
}

/// Tasks of all phases of a program's kernels.
fn tasks(loaded: &Loaded, target: &str) -> i64 {
    let planned = compile::plan(&loaded.module, &options(target)).unwrap_or_else(|e| panic!("{e}"));
    let kernels = planned.scheduled.program.kernels.iter();
    let code = kernels.map(|k| k.lowered().unwrap_or_else(|e| panic!("{e}")));
    code.map(|k| k.phases.iter().map(|p| p.tasks).sum::<i64>()).sum()
}

#[test]
fn a_loop_has_as_many_warps_as_fill_the_device() {
    let loaded = program("mandelbrot");
    let (cpu, gpu) = (tasks(&loaded, "zen4"), tasks(&loaded, "h100"));
    assert!(gpu >= 8 * 132 && gpu > 4 * cpu, "{gpu} warps, {cpu} tasks");
}

/// A softmax down 512 columns.
const COLUMNS: &str = "\
HloModule m
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b)
}
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[256,512] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[512] reduce(x, low), dimensions={0}, to_apply=max
  mb = f32[256,512] broadcast(m), dimensions={1}
  s = f32[256,512] subtract(x, mb)
  e = f32[256,512] exponential(s)
  z = f32[512] reduce(e, zero), dimensions={0}, to_apply=sum
  zb = f32[256,512] broadcast(z), dimensions={1}
  ROOT d = f32[256,512] divide(e, zb)
}
";

#[test]
fn few_rows_keep_stages_apart() {
    // Sixteen warps of columns: enough for the cores of a processor, not for 132 multiprocessors.
    let loaded = load::text_of("columns.hlo".into(), COLUMNS.into()).expect("well formed");
    assert_eq!(explained(&loaded, "zen4").kernels.len(), 1);
    let e = explained(&loaded, "h100");
    assert!(e.kernels.len() > 1);
    let kept = e.decisions.iter().find(|d| d.refusal.as_deref() == Some("FewRows"));
    assert!(kept.is_some_and(|d| d.reason.contains("fewer than 1056")), "{:?}", e.decisions);
}

#[test]
fn a_launch_matters_more_where_kernels_are_short() {
    // A tanh of a million elements takes half a millisecond here, and less than a launch there.
    let text = "HloModule m\nENTRY e {\n  x = f32[1048576] parameter(0)\n  y = f32[524288] parameter(1)\n  \
                a = f32[1048576] tanh(x)\n  b = f32[524288] tanh(y)\n  \
                ROOT t = (f32[1048576], f32[524288]) tuple(a, b)\n}\n";
    let loaded = load::text_of("two.hlo".into(), text.into()).expect("well formed");
    assert_eq!(explained(&loaded, "zen4").totals.launches, Some(2));
    assert_eq!(explained(&loaded, "h100").totals.launches, Some(1));
}

#[test]
fn doubles_are_slow_on_a_small_one() {
    let text = |dtype: &str| {
        format!(
            "HloModule m\nENTRY e {{\n  x = {dtype}[1048576] parameter(0)\n  ROOT a = {dtype}[1048576] tanh(x)\n}}\n"
        )
    };
    let us = |dtype: &str, target: &str| {
        let loaded = load::text_of("one.hlo".into(), text(dtype)).expect("well formed");
        explained(&loaded, target).totals.predicted_us
    };
    assert!(us("f64", "rtx4060") > 8.0 * us("f32", "rtx4060"));
    assert!(us("f64", "a100") < 4.0 * us("f32", "a100"));
}
