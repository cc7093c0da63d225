//! Loops that follow one another over the same lanes: one kernel, where what the first stacks and the second reads stays
//! in the cache of a task; with the bits of the loops on the host.

mod support;

use lawson_hlo::eval::{self, evaluate};
use lawson_hlo::{Literal, Module, Opcode};
use lawson_kernel::program::eval::{Level, Options};
use lawson_kernel::program::{self, Step};
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::report::Decision;
use lawson_opt::schedule::schedule;
use support::run::run;
use support::values::{arguments, same_leaves};

const COUNT: &str =
    "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n";

/// The computations of a loop of so many trips that writes its state to a row before it changes it, and of one that reads
/// the rows from the last to the first. `lanes` are the dimensions of a state.
fn loops(trips: i64, lanes: &str) -> String {
    let rows = format!("f32[{trips},{lanes}]");
    let (one, x) = (format!("f32[1,{lanes}]"), format!("f32[{lanes}]"));
    let zeros = ", z".repeat(lanes.split(',').count());
    format!(
        "cf {{\n  p = (s32[], {x}, {rows}) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         t = s32[] constant({trips})\n  ROOT r = pred[] compare(i, t), direction=LT\n}}\n\
         bf {{\n  p = (s32[], {x}, {rows}) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = {x} get-tuple-element(p), index=1\n  s = {rows} get-tuple-element(p), index=2\n  \
         n = s32[] constant(1)\n  j = s32[] add(i, n)\n  z = s32[] constant(0)\n  u = {one} reshape(x)\n  \
         d = {rows} dynamic-update-slice(s, u, i{zeros})\n  y = {x} sine(x)\n  \
         ROOT r = (s32[], {x}, {rows}) tuple(j, y, d)\n}}\n\
         bb {{\n  p = (s32[], {x}, {rows}) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         g = {x} get-tuple-element(p), index=1\n  s = {rows} get-tuple-element(p), index=2\n  \
         n = s32[] constant(1)\n  j = s32[] add(i, n)\n  z = s32[] constant(0)\n  l = s32[] constant({last})\n  \
         k = s32[] subtract(l, i)\n  v = {one} dynamic-slice(s, k{zeros}), dynamic_slice_sizes={{1,{lanes}}}\n  \
         x = {x} reshape(v)\n  c = {x} cosine(x)\n  h = {x} multiply(g, c)\n  \
         ROOT r = (s32[], {x}, {rows}) tuple(j, h, s)\n}}\n",
        last = trips - 1,
    )
}

/// Forward and backward, one after the other. What the first leaves is read by others too, before the second loop and
/// after it; where `stacked`, the rows as well.
fn both(trips: i64, lanes: i64, stacked: bool) -> Module {
    let (x, rows) = (format!("f32[{lanes}]"), format!("f32[{trips},{lanes}]"));
    let (more, given) = if stacked { (format!(", {rows}"), ", s") } else { (String::new(), "") };
    let text = format!(
        "HloModule m\n\n{COUNT}{}ENTRY e {{\n  x = {x} parameter(0)\n  z = s32[] constant(0)\n  \
         f = f32[] constant(0)\n  o = {rows} broadcast(f), dimensions={{}}\n  \
         t = (s32[], {x}, {rows}) tuple(z, x, o)\n  w = (s32[], {x}, {rows}) while(t), condition=cf, body=bf\n  \
         y = {x} get-tuple-element(w), index=1\n  s = {rows} get-tuple-element(w), index=2\n  \
         e = f32[] reduce(y, f), dimensions={{0}}, to_apply=add\n  g = {x} add(y, y)\n  \
         u = (s32[], {x}, {rows}) tuple(z, g, s)\n  v = (s32[], {x}, {rows}) while(u), condition=cf, body=bb\n  \
         h = {x} get-tuple-element(v), index=1\n  ROOT r = (f32[], {x}, {x}{more}) tuple(e, y, h{given})\n}}\n",
        loops(trips, &lanes.to_string())
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn launches(after: &Module) -> usize {
    let program = schedule(after, &Target::zen4(), Numerics::Strict).expect("a plan").program;
    assert!(program.steps.iter().all(|s| matches!(s, Step::Launch { .. })), "{:?}", program.steps);
    program.steps.len()
}

/// Whether the regions of the kernels and their code give what the interpreter gives for the module.
fn agrees(before: &Module, after: &Module) -> Result<(), String> {
    let program = schedule(after, &Target::zen4(), Numerics::Strict).map_err(|e| e.to_string())?.program;
    for special in [false, true] {
        let args = arguments(before, 1, special);
        let expected = evaluate(before, &args, &eval::Options::default()).map_err(|e| e.to_string())?;
        let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
        for level in [Level::Region, Level::Code] {
            let found = program::evaluate(&program, &inputs, Options { level, ..Options::default() })?;
            let literals = expected.leaves().into_iter().zip(found);
            let found: Vec<Literal> = literals.map(|(e, b)| Literal::new(e.shape().clone(), b)).collect();
            let found: Vec<&Literal> = found.iter().collect();
            same_leaves(&expected.leaves(), &found, Numerics::Strict)
                .map_err(|e| format!("{level:?}: {e}"))?;
        }
    }
    Ok(())
}

#[test]
fn a_loop_and_the_loop_that_reads_its_rows_are_one_kernel() {
    // A last vector that overlaps the one before, and as many lanes as one.
    for lanes in [70, 64, 16, 3, 1] {
        for stacked in [false, true] {
            let before = both(9, lanes, stacked);
            let (after, _) = run(&before, "on");
            agrees(&before, &after).unwrap_or_else(|e| panic!("{lanes} lanes: {e}\n{after}"));
            if lanes >= 16 && !stacked {
                assert_eq!(launches(&after), 2, "the other one sums over the lanes: {after}");
            }
        }
    }
}

/// A loop that starts from what the first one leaves runs after it; the one that reads the rows may stand behind both.
#[test]
fn a_loop_between_the_two_keeps_them_apart() {
    let text = format!(
        "HloModule m\n\n{COUNT}{}ENTRY e {{\n  x = f32[64] parameter(0)\n  z = s32[] constant(0)\n  \
         f = f32[] constant(0)\n  o = f32[9,64] broadcast(f), dimensions={{}}\n  \
         t = (s32[], f32[64], f32[9,64]) tuple(z, x, o)\n  \
         w = (s32[], f32[64], f32[9,64]) while(t), condition=cf, body=bf\n  \
         y = f32[64] get-tuple-element(w), index=1\n  s = f32[9,64] get-tuple-element(w), index=2\n  \
         k = (s32[], f32[64], f32[9,64]) tuple(z, y, o)\n  \
         m = (s32[], f32[64], f32[9,64]) while(k), condition=cf, body=bf\n  \
         q = f32[64] get-tuple-element(m), index=1\n  \
         u = (s32[], f32[64], f32[9,64]) tuple(z, x, s)\n  \
         v = (s32[], f32[64], f32[9,64]) while(u), condition=cf, body=bb\n  \
         h = f32[64] get-tuple-element(v), index=1\n  \
         ROOT r = (f32[64], f32[64], f32[64]) tuple(y, q, h)\n}}\n",
        loops(9, "64")
    );
    let before = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (after, _) = run(&before, "on");
    agrees(&before, &after).unwrap_or_else(|e| panic!("{e}\n{after}"));
}

/// The rows of one vector of lanes are more than the cache of a task holds.
#[test]
fn rows_that_do_not_fit_go_through_memory() {
    let before = both(40_000, 64, false);
    let (after, cx) = run(&before, "on");
    assert_eq!(launches(&after), 3);
    let edge = |d: &&Decision| (&*d.producer, &*d.consumer) == ("w", "v");
    let decision = cx.report.decisions.iter().find(edge).expect("a verdict");
    let refusal = decision.refusal.as_ref().expect("a reason");
    assert_eq!(refusal.name(), "TileTooLarge", "{refusal}");
}

/// Checkpoints: each trip of the outer loop runs a few steps again, writes them down and goes back over them.
fn segments(outer: i64, inner: i64, lanes: &str) -> Module {
    let (x, rows) = (format!("f32[{lanes}]"), format!("f32[{inner},{lanes}]"));
    let state = format!("(s32[], {x}, {x})");
    let text = format!(
        "HloModule m\n\n{}co {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         t = s32[] constant({outer})\n  ROOT r = pred[] compare(i, t), direction=LT\n}}\n\
         bo {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = {x} get-tuple-element(p), index=1\n  g = {x} get-tuple-element(p), index=2\n  \
         n = s32[] constant(1)\n  j = s32[] add(i, n)\n  z = s32[] constant(0)\n  f = f32[] constant(0)\n  \
         o = {rows} broadcast(f), dimensions={{}}\n  t = (s32[], {x}, {rows}) tuple(z, x, o)\n  \
         w = (s32[], {x}, {rows}) while(t), condition=cf, body=bf\n  y = {x} get-tuple-element(w), index=1\n  \
         s = {rows} get-tuple-element(w), index=2\n  u = (s32[], {x}, {rows}) tuple(z, g, s)\n  \
         v = (s32[], {x}, {rows}) while(u), condition=cf, body=bb\n  h = {x} get-tuple-element(v), index=1\n  \
         ROOT r = {state} tuple(j, y, h)\n}}\n\
         ENTRY e {{\n  x = {x} parameter(0)\n  z = s32[] constant(0)\n  t = {state} tuple(z, x, x)\n  \
         w = {state} while(t), condition=co, body=bo\n  y = {x} get-tuple-element(w), index=1\n  \
         h = {x} get-tuple-element(w), index=2\n  ROOT r = ({x}, {x}) tuple(y, h)\n}}\n",
        loops(inner, lanes)
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn rows_of_a_segment_stay_in_the_kernel_of_the_loop_around() {
    for lanes in ["70", "5,33"] {
        let before = segments(30, 40, lanes);
        let (after, _) = run(&before, "on");
        assert_eq!(launches(&after), 1, "{after}");
        assert!(after.entry().instrs.iter().all(|i| i.opcode != Opcode::While), "{after}");
        agrees(&before, &after).unwrap_or_else(|e| panic!("{e}\n{after}"));
    }
}

#[test]
fn chance_joins_loops_or_not() {
    let mut kernels = [0; 4];
    for seed in 0..24 {
        let before = both(7, 40, seed % 3 == 0);
        let (after, _) = run(&before, &format!("chance-{seed}"));
        agrees(&before, &after).unwrap_or_else(|e| panic!("{seed}: {e}\n{after}"));
        let fused = |i: &&lawson_hlo::Instruction| i.opcode == Opcode::Fusion;
        kernels[after.entry().instrs.iter().filter(fused).count().min(3)] += 1;
    }
    assert!(kernels.iter().filter(|k| **k > 0).count() > 1, "{kernels:?}");
}
