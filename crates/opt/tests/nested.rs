//! Loops within loops that work lane by lane: one kernel, whatever decides, with the bits of the loops on the host.

mod support;

use lawson_hlo::{Module, Opcode};
use lawson_kernel::program::Step;
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::schedule::schedule;
use support::run::run;
use support::values::same_results;

/// Two loops of `outer` trips around one of `inner`, which share its computations; the second multiplies the lanes by
/// what it makes where `crosses`, else it adds a number.
fn nest(outer: i64, inner: i64, crosses: bool) -> Module {
    let counts = |name: &str, trips: i64| {
        format!(
            "{name} {{\n  p = (s32[], f32[40]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
             t = s32[] constant({trips})\n  ROOT r = pred[] compare(i, t), direction=LT\n}}\n"
        )
    };
    let around = |name: &str, more: &str| {
        format!(
            "{name} {{\n  p = (s32[], f32[40]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
             x = f32[40] get-tuple-element(p), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  \
             zero = s32[] constant(0)\n  s = f32[40] abs(x)\n  t = (s32[], f32[40]) tuple(zero, s)\n  \
             w = (s32[], f32[40]) while(t), condition=ci, body=bi\n  y = f32[40] get-tuple-element(w), index=1\n\
             {more}  ROOT r = (s32[], f32[40]) tuple(j, z)\n}}\n"
        )
    };
    let second = match crosses {
        true => "  z = f32[40] reverse(y), dimensions={0}\n",
        false => "  z = f32[40] add(y, x)\n",
    };
    let text = format!(
        "HloModule m\n\n{}bi {{\n  p = (s32[], f32[40]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = f32[40] get-tuple-element(p), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  \
         n = f32[] convert(i)\n  b = f32[40] broadcast(n), dimensions={{}}\n  k = f32[40] add(x, b)\n  \
         y = f32[40] cosine(k)\n  ROOT r = (s32[], f32[40]) tuple(j, y)\n}}\n{}{}{}\
         ENTRY e {{\n  x = f32[40] parameter(0)\n  z = s32[] constant(0)\n  t = (s32[], f32[40]) tuple(z, x)\n  \
         w = (s32[], f32[40]) while(t), condition=co, body=bo\n  y = f32[40] get-tuple-element(w), index=1\n  \
         n = f32[40] negate(y)\n  u = (s32[], f32[40]) tuple(z, n)\n  \
         v = (s32[], f32[40]) while(u), condition=co, body=bs\n  a = f32[40] get-tuple-element(v), index=1\n  \
         ROOT r = (f32[40], f32[40]) tuple(y, a)\n}}\n",
        counts("ci", inner),
        counts("co", outer),
        around("bo", "  z = f32[40] sine(y)\n"),
        around("bs", second),
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn a_loop_of_a_hundred_trips_within_loops_is_part_of_their_kernel() {
    let before = nest(30, 100, false);
    let (after, _) = run(&before, "on");
    let program = schedule(&after, &Target::zen4(), Numerics::Strict).expect("a plan").program;
    let launches = |s: &Step| matches!(s, Step::Launch { .. });
    assert!(program.steps.iter().all(launches), "{:?}", program.steps);
    assert_eq!(program.steps.len(), 1, "one for both: {:?}", program.steps);
    same_results(&before, &after, Numerics::Strict).unwrap_or_else(|e| panic!("{e}\n{after}"));
}

/// Each edge in the inner loop saves its bytes in every trip of both.
#[test]
fn edges_within_inner_loops_save_in_every_trip() {
    let (_, cx) = run(&nest(30, 100, false), "on");
    let saved = |producer: &str, consumer: &str| {
        let of = |d: &&lawson_opt::report::Decision| &*d.producer == producer && &*d.consumer == consumer;
        let decision = cx.report.decisions.iter().find(of);
        decision.unwrap_or_else(|| panic!("{producer} -> {consumer}")).bytes_saved_formula
    };
    // The sum within: written and read by nobody now.
    assert_eq!(saved("k", "y"), 30 * 100 * 2 * 160);
    assert_eq!(saved("s", "w"), 30 * 2 * 160);
}

/// The second loop stays on the host, with the inner loop as a kernel of its own: the first keeps computations that
/// nobody changes.
#[test]
fn inner_loops_are_shared_with_loops_on_the_host() {
    let mut mixed = 0;
    for (crosses, fusion) in [(true, "on".to_string())]
        .into_iter()
        .chain((0..40).map(|seed| (seed % 2 == 0, format!("chance-{seed}"))))
    {
        let before = nest(9, 12, crosses);
        let (after, _) = run(&before, &fusion);
        schedule(&after, &Target::zen4(), Numerics::Strict)
            .unwrap_or_else(|e| panic!("{fusion}: {e}\n{after}"));
        same_results(&before, &after, Numerics::Strict).unwrap_or_else(|e| panic!("{fusion}: {e}\n{after}"));
        mixed += (after.entry().instrs.iter().filter(|i| i.opcode == Opcode::While).count() == 1) as usize;
    }
    assert!(mixed > 3, "{mixed} programs with one loop on the host and one as a kernel");
}
