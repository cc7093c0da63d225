//! Loops over arrays whose rows are computed from rows near them, several trips in a kernel.

mod support;

use lawson_hlo::{Attrs, Computation, Instruction, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::known_trips;
use lawson_kernel::target::Target;
use lawson_opt::options::Effort;
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use support::values::same_results;

/// A machine whose caches are as small as the arrays of a test are, with slow memory behind them.
fn small() -> Target {
    Target { l2: 16 << 10, llc: 16 << 10, bandwidth: 1.0, bandwidth_1t: 1.0, ..Target::zen4() }
}

/// The module after all passes, which have kept its bits.
#[track_caller]
fn tiled(text: &str, options: Options) -> Module {
    let before = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut after = before.clone();
    let mut cx = PassContext::new(Options { numerics: Numerics::Strict, ..options });
    if let Err(e) = pipeline::run(&mut cx, &mut after, pipeline::PIPELINE) {
        panic!("{}\n{after}", e[0]);
    }
    if let Err(e) = same_results(&before, &after, Numerics::Strict) {
        panic!("{e}\n{after}");
    }
    after
}

fn on_small(text: &str) -> Module {
    tiled(text, Options { target: small(), ..Options::default() })
}

/// How often kernels over arrays run, that of a single trip included.
fn launches(module: &Module) -> i64 {
    let arrays = |i: &Instruction| i.shape.leaves().iter().any(|leaf| leaf.rank() > 0);
    let tiles = |i: &&Instruction| i.opcode == Opcode::Fusion && arrays(i);
    let within = |c: &Computation| c.instrs.iter().filter(tiles).count() as i64;
    let in_loop = |i: &Instruction| match i.attrs {
        Attrs::While { body, .. } => {
            within(&module[body]) * known_trips(i).expect("it is told how often it runs")
        }
        _ => 0,
    };
    let in_loops = module.computations.iter().flat_map(|c| &c.instrs).map(in_loop).sum::<i64>();
    within(module.entry()) + in_loops
}

/// Of 12 trips.
#[track_caller]
fn assert_tiled(module: &Module) {
    assert!((1..=7).contains(&launches(module)), "{module}");
}

#[track_caller]
fn assert_not_tiled(module: &Module) {
    assert!(launches(module) >= 12, "{module}");
}

/// A loop of so many trips over a counter and arrays of this shape; `body` makes `next` of `u`, and of `v` where there are two.
fn looped(trips: i64, shape: &str, arrays: usize, body: &str) -> String {
    let (state, elements, next, init, parameters) = match arrays {
        1 => (
            format!("(s32[], {shape})"),
            format!("u = {shape} get-tuple-element(t), index=1"),
            "next",
            "x",
            format!("x = {shape} parameter(0)"),
        ),
        _ => (
            format!("(s32[], {shape}, {shape})"),
            format!("u = {shape} get-tuple-element(t), index=1\n  v = {shape} get-tuple-element(t), index=2"),
            "next, last",
            "x, y",
            format!("x = {shape} parameter(0)\n  y = {shape} parameter(1)"),
        ),
    };
    format!(
        "HloModule looped\n\ncondition {{\n  t = {state} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n  \
         n = s32[] constant({trips})\n  ROOT more = pred[] compare(i, n), direction=LT\n}}\n\nbody {{\n  \
         t = {state} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n  {elements}\n  {body}\n  \
         one = s32[] constant(1)\n  j = s32[] add(i, one)\n  ROOT state = {state} tuple(j, {next})\n}}\n\n\
         ENTRY main {{\n  {parameters}\n  zero = s32[] constant(0)\n  t = {state} tuple(zero, {init})\n  \
         ROOT w = {state} while(t), condition=condition, body=body\n}}\n"
    )
}

/// Rolled by a row to each side, and by a column.
const ROLLED: &str = "\
  a = f32[1,64] slice(u), slice={[95:96], [0:64]}
  b = f32[95,64] slice(u), slice={[0:95], [0:64]}
  up = f32[96,64] concatenate(a, b), dimensions={0}
  c = f32[95,64] slice(u), slice={[1:96], [0:64]}
  d = f32[1,64] slice(u), slice={[0:1], [0:64]}
  down = f32[96,64] concatenate(c, d), dimensions={0}
  e = f32[96,1] slice(u), slice={[0:96], [63:64]}
  f = f32[96,63] slice(u), slice={[0:96], [0:63]}
  left = f32[96,64] concatenate(e, f), dimensions={1}
  s = f32[96,64] add(up, down)
  z = f32[96,64] add(s, left)
  q = f32[] constant(0.25)
  qs = f32[96,64] broadcast(q), dimensions={}
  next = f32[96,64] multiply(z, qs)";

#[test]
fn rows_round_a_circle_are_taken_in_tiles() {
    assert_tiled(&on_small(&looped(12, "f32[96,64]", 1, ROLLED)));
}

#[test]
fn trips_that_remain_stand_before_the_loop() {
    for trips in [9, 10, 11, 13] {
        let module = on_small(&looped(trips, "f32[96,64]", 1, ROLLED));
        assert!((1..trips).contains(&launches(&module)), "{trips} trips\n{module}");
    }
}

/// [`ROLLED`] over arrays of 320 KiB, in a loop of so many trips.
fn large(trips: i64) -> String {
    let body = ROLLED.replace("96", "512").replace("95", "511").replace("64", "160").replace("63", "159");
    looped(trips, "f32[512,160]", 1, &body)
}

fn loops(module: &Module) -> usize {
    module.computations.iter().flat_map(|c| &c.instrs).filter(|i| i.opcode == Opcode::While).count()
}

#[test]
fn few_trips_are_tiled_too() {
    let module = on_small(&large(7));
    assert!((1..7).contains(&launches(&module)), "{module}");
    assert_eq!(loops(&module), 0, "{module}");
}

#[test]
fn many_kernels_are_a_loop() {
    let module = on_small(&looped(64, "f32[96,64]", 1, ROLLED));
    assert!((9..64).contains(&launches(&module)), "{module}");
    assert_eq!(loops(&module), 1, "{module}");
}

#[test]
fn few_trips_that_are_not_tiled_are_unrolled() {
    let module = tiled(&large(3), Options::default());
    assert_eq!(loops(&module), 0, "{module}");
}

#[test]
fn few_trips_in_a_trip_are_part_of_it() {
    let inner = large(2).replace("HloModule looped", "").replace("ENTRY main", "steps");
    let inner = inner.replace("condition {", "until {").replace("body {", "step {");
    let inner = inner.replace("condition=condition, body=body", "condition=until, body=step");
    let body = "\
  several = (s32[], f32[512,160]) call(u), to_apply=steps
  next = f32[512,160] get-tuple-element(several), index=1";
    let outer = looped(10, "f32[512,160]", 1, body);
    let outer = outer.replace("HloModule looped", &format!("HloModule looped\n{inner}"));
    let module = on_small(&outer);
    assert!((1..10).contains(&launches(&module)), "{module}");
    assert_eq!(loops(&module), 0, "{module}");
}

#[test]
fn a_body_that_knows_its_row_and_its_trip_is_tiled() {
    // What is outside is zero; a row is told by its number, a trip by the counter.
    let body = "\
  o = f32[] constant(0)
  p = f32[98,66] pad(u, o), padding=1_1x1_1
  up = f32[96,64] slice(p), slice={[0:96], [1:65]}
  down = f32[96,64] slice(p), slice={[2:98], [1:65]}
  left = f32[96,64] slice(p), slice={[1:97], [0:64]}
  s = f32[96,64] add(up, down)
  z = f32[96,64] subtract(s, left)
  rows = f32[96,64] iota(), iota_dimension=0
  columns = f32[96,64] iota(), iota_dimension=1
  place = f32[96,64] add(rows, columns)
  time = f32[] convert(i)
  times = f32[96,64] broadcast(time), dimensions={}
  force = f32[96,64] multiply(place, times)
  next = f32[96,64] add(z, force)";
    assert_tiled(&on_small(&looped(12, "f32[96,64]", 1, body)));
}

#[test]
fn counters_may_be_computed_from_others() {
    // What is added grows by the counter, of which the arrays themselves read nothing.
    let body = ROLLED.replace("next = f32[96,64] multiply(z, qs)", "w = f32[96,64] multiply(z, qs)")
        + "
  k = s32[] get-tuple-element(t), index=2
  more = s32[] add(k, i)
  k32 = f32[] convert(k)
  ks = f32[96,64] broadcast(k32), dimensions={}
  next = f32[96,64] add(w, ks)";
    let text = looped(12, "f32[96,64]", 1, &body)
        .replace("(s32[], f32[96,64])", "(s32[], f32[96,64], s32[])")
        .replace("tuple(j, next)", "tuple(j, next, more)")
        .replace("tuple(zero, x)", "tuple(zero, x, zero)");
    assert_tiled(&on_small(&text));
}

#[test]
fn borders_that_stay_as_they_are_are_kept() {
    // As `u.at[1:-1, 1:-1].set(…)`, and as a concatenation.
    let inner = "\
  up = f32[94,62] slice(u), slice={[0:94], [1:63]}
  down = f32[94,62] slice(u), slice={[2:96], [1:63]}
  right = f32[94,62] slice(u), slice={[1:95], [2:64]}
  s = f32[94,62] add(up, down)
  z = f32[94,62] subtract(s, right)\n";
    let update = "  k = s32[] constant(1)\n  next = f32[96,64] dynamic-update-slice(u, z, k, k)";
    let joined = "\
  above = f32[1,64] slice(u), slice={[0:1], [0:64]}
  below = f32[1,64] slice(u), slice={[95:96], [0:64]}
  before = f32[94,1] slice(u), slice={[1:95], [0:1]}
  behind = f32[94,1] slice(u), slice={[1:95], [63:64]}
  middle = f32[94,64] concatenate(before, z, behind), dimensions={1}
  next = f32[96,64] concatenate(above, middle, below), dimensions={0}";
    for end in [update, joined] {
        assert_tiled(&on_small(&looped(12, "f32[96,64]", 1, &format!("{inner}{end}"))));
    }
}

#[test]
fn how_often_a_loop_runs_is_told_by_its_code() {
    // What the input notes of it may be wrong.
    let noted = "body=body, backend_config={\"known_trip_count\":{\"n\":\"10\"}}";
    let text = looped(13, "f32[96,64]", 1, ROLLED).replace("body=body", noted);
    assert_tiled(&on_small(&text));
}

#[test]
fn several_arrays_advance_together() {
    // A wave: the next state from this one and the last.
    let body = ROLLED.replace("next = f32[96,64] multiply(z, qs)", "w = f32[96,64] multiply(z, qs)")
        + "\n  next = f32[96,64] subtract(w, v)\n  last = f32[96,64] copy(u)";
    assert_tiled(&on_small(&looped(12, "f32[96,64]", 2, &body)));
}

/// Two arrays of which each is computed from rows of the other: tiles would be faster than one kernel for both, which computes one of
/// them several times, but not than a kernel for each.
#[test]
fn what_two_kernels_of_a_trip_do_sooner_is_not_tiled() {
    let body = "\
  a = f32[95,64] slice(u), slice={[1:96], [0:64]}
  b = f32[1,64] slice(u), slice={[0:1], [0:64]}
  below = f32[96,64] concatenate(a, b), dimensions={0}
  slope = f32[96,64] subtract(below, u)
  steep = f32[96,64] multiply(slope, slope)
  root = f32[96,64] sqrt(steep)
  last = f32[96,64] subtract(v, root)
  c = f32[1,64] slice(last), slice={[95:96], [0:64]}
  d = f32[95,64] slice(last), slice={[0:95], [0:64]}
  above = f32[96,64] concatenate(c, d), dimensions={0}
  e = f32[96,1] slice(last), slice={[0:96], [63:64]}
  f = f32[96,63] slice(last), slice={[0:96], [0:63]}
  left = f32[96,64] concatenate(e, f), dimensions={1}
  g = f32[95,64] slice(last), slice={[1:96], [0:64]}
  h = f32[1,64] slice(last), slice={[0:1], [0:64]}
  after = f32[96,64] concatenate(g, h), dimensions={0}
  k = f32[96,63] slice(last), slice={[0:96], [1:64]}
  l = f32[96,1] slice(last), slice={[0:96], [0:1]}
  right = f32[96,64] concatenate(k, l), dimensions={1}
  across = f32[96,64] subtract(right, left)
  along = f32[96,64] subtract(after, above)
  flow = f32[96,64] add(along, across)
  next = f32[96,64] add(u, flow)";
    let text = looped(12, "f32[96,64]", 2, body);
    let cached = Target { l2: 16 << 10, llc_bandwidth_1t: 8.9, llc_bandwidth: 10.0, ..Target::zen4() };
    assert_not_tiled(&tiled(&text, Options { target: cached, ..Options::default() }));
    assert_tiled(&on_small(&text));
}

#[test]
fn arrays_of_one_and_of_three_dimensions_are_tiled() {
    let line = "\
  a = f32[1] slice(u), slice={[8191:8192]}
  b = f32[8191] slice(u), slice={[0:8191]}
  up = f32[8192] concatenate(a, b), dimensions={0}
  c = f32[8190] slice(u), slice={[2:8192]}
  d = f32[2] slice(u), slice={[0:2]}
  down = f32[8192] concatenate(c, d), dimensions={0}
  s = f32[8192] add(up, down)
  next = f32[8192] subtract(s, u)";
    assert_tiled(&on_small(&looped(12, "f32[8192]", 1, line)));
    let space = "\
  a = f32[1,4,8] slice(u), slice={[255:256], [0:4], [0:8]}
  b = f32[255,4,8] slice(u), slice={[0:255], [0:4], [0:8]}
  up = f32[256,4,8] concatenate(a, b), dimensions={0}
  c = f32[255,4,8] slice(u), slice={[1:256], [0:4], [0:8]}
  d = f32[1,4,8] slice(u), slice={[0:1], [0:4], [0:8]}
  down = f32[256,4,8] concatenate(c, d), dimensions={0}
  turned = f32[256,4,8] reverse(u), dimensions={1}
  s = f32[256,4,8] add(up, down)
  next = f32[256,4,8] subtract(s, turned)";
    assert_tiled(&on_small(&looped(12, "f32[256,4,8]", 1, space)));
}

#[test]
fn what_has_no_rows_near_each_other_stays_a_kernel_for_each_trip() {
    let transposed = "\
  t1 = f32[96,96] transpose(u), dimensions={1,0}
  next = f32[96,96] add(u, t1)";
    let far = "\
  a = f32[40,64] slice(u), slice={[56:96], [0:64]}
  b = f32[56,64] slice(u), slice={[0:56], [0:64]}
  up = f32[96,64] concatenate(a, b), dimensions={0}
  next = f32[96,64] add(u, up)";
    for (shape, body) in [("f32[96,96]", transposed), ("f32[96,64]", far)] {
        assert_not_tiled(&on_small(&looped(12, shape, 1, body)));
    }
}

#[test]
fn what_a_cache_holds_or_the_user_forbids_is_not_tiled() {
    let text = looped(12, "f32[96,64]", 1, ROLLED);
    assert_not_tiled(&tiled(&text, Options::default()));
    let without = Options {
        target: small(),
        fusion: "on,no-staged".parse().expect("a specification"),
        ..Options::default()
    };
    assert_not_tiled(&tiled(&text, without));
    let quick = Options { target: small(), effort: Effort::Fast, ..Options::default() };
    assert_not_tiled(&tiled(&text, quick));
}

#[test]
fn a_kernel_of_trips_reads_and_writes_its_arrays_once() {
    let module = on_small(&looped(12, "f32[96,64]", 1, ROLLED));
    let kernel = module.computations.iter().find(|c| c.name.starts_with("fused_trips")).expect("it is tiled");
    let stages = || -> Result<usize, Refusal> {
        let inputs = kernel.parameters();
        let cut =
            lawson_kernel::region::build::Cut { computation: kernel, inputs: &inputs, roots: &[kernel.root] };
        let region = lawson_kernel::plan::region(&module, "trips", cut, &small())?;
        let plan = lawson_kernel::plan::plan(&region, &small(), lawson_kernel::cost::figures::work)?;
        plan.one_kernel()?;
        Ok(region.stages.len())
    };
    assert!(stages().expect("one kernel") > 1, "{module}");
}
