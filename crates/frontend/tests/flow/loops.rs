//! Loops, from text: how they count, and what their gradients keep.

use crate::check::{close, gradients, module, run, scalar, vector};
use lawson_frontend::grad;
use lawson_hlo::{Module, Opcode};

/// A loop over (counter, x, w, limit): `x ← sin(x) · w + counter / 10`.
fn sines(init: &str, step: &str, test: &str, limit: &str) -> String {
    format!(
        "
HloModule sines
body {{
  s = (s32[], f64[], f64[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f64[] get-tuple-element(s), index=1
  w = f64[] get-tuple-element(s), index=2
  n = s32[] get-tuple-element(s), index=3
  step = s32[] constant({step})
  next = s32[] add(i, step)
  sine = f64[] sine(x)
  y = f64[] multiply(sine, w)
  ten = f64[] constant(10)
  f = f64[] convert(i)
  tenth = f64[] divide(f, ten)
  fw = f64[] multiply(tenth, w)
  z = f64[] add(y, fw)
  ROOT r = (s32[], f64[], f64[], s32[]) tuple(next, z, w, n)
}}
condition {{
  s = (s32[], f64[], f64[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=3
  ROOT c = pred[] compare({test}
}}
ENTRY main {{
  x = f64[] parameter(0)
  w = f64[] parameter(1)
  init = s32[] constant({init})
  limit = s32[] {limit}
  s = (s32[], f64[], f64[], s32[]) tuple(init, x, w, limit)
  e = (s32[], f64[], f64[], s32[]) while(s), condition=condition, body=body
  y = f64[] get-tuple-element(e), index=1
  w2 = f64[] get-tuple-element(e), index=2
  ROOT r = f64[] multiply(y, w2)
}}"
    )
}

fn whiles(module: &Module) -> usize {
    module.computations.iter().flat_map(|c| &c.instrs).filter(|i| i.opcode == Opcode::While).count()
}

#[test]
fn loops_count_in_many_ways() {
    let arguments = [scalar(0.7), scalar(1.3)];
    for (init, step, test, limit) in [
        ("0", "1", "i, n), direction=LT", "5"),
        ("3", "2", "i, n), direction=LE", "9"),
        ("8", "-3", "i, n), direction=GT", "-2"),
        ("5", "-1", "n, i), direction=LE", "1"),
        ("-4", "4", "i, n), direction=NE", "8"),
        ("2", "1", "i, n), direction=EQ", "2"),
    ] {
        let text = sines(init, step, test, &format!("constant({limit})"));
        assert_eq!(whiles(&gradients(&text, &arguments, &[0, 1])), 2, "{text}");
    }
}

#[test]
fn a_loop_without_trips_is_no_loop() {
    let text = sines("5", "1", "i, n), direction=LT", "constant(5)");
    assert_eq!(whiles(&gradients(&text, &[scalar(0.7), scalar(1.3)], &[0, 1])), 0);
}

#[test]
fn a_loop_of_unknown_length_is_refused_with_its_line() {
    let text = sines("0", "1", "i, n), direction=LT", "convert(x)");
    let error = grad::module(&module(&text), &[0], false).expect_err("the limit is not known");
    assert!(error.to_string().contains("`scan`"), "{error}");
    assert_eq!((&*error.instruction, error.line), ("e", 32));
    let first = sines("0", "1", "i, n), direction=LT", "constant(5)");
    for (wrt, wanted) in [(vec![2], "there is no argument 2"), (vec![0, 0], "twice")] {
        let error = grad::module(&module(&first), &wrt, false).expect_err("arguments are wrong");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

/// Trips of an inner loop are those that the state of the outer one carries unchanged.
#[test]
fn limits_reach_inner_loops() {
    let text = "
HloModule nested
inner {
  s = (s32[], f64[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f64[] get-tuple-element(s), index=1
  n = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f64[] sine(x)
  ROOT r = (s32[], f64[], s32[]) tuple(next, y, n)
}
test {
  s = (s32[], f64[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=2
  ROOT c = pred[] compare(i, n), direction=LT
}
outer {
  s = (s32[], f64[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f64[] get-tuple-element(s), index=1
  n = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  zero = s32[] constant(0)
  t = (s32[], f64[], s32[]) tuple(zero, x, n)
  e = (s32[], f64[], s32[]) while(t), condition=test, body=inner
  y = f64[] get-tuple-element(e), index=1
  z = f64[] multiply(y, x)
  ROOT r = (s32[], f64[], s32[]) tuple(next, z, n)
}
ENTRY main {
  p = (f64[], (f64[])) parameter(0)
  x = f64[] get-tuple-element(p), index=0
  zero = s32[] constant(0)
  three = s32[] constant(3)
  t = (s32[], f64[], s32[]) tuple(zero, x, three)
  e = (s32[], f64[], s32[]) while(t), condition=test, body=outer
  y = f64[] get-tuple-element(e), index=1
  q = (f64[]) get-tuple-element(p), index=1
  w = f64[] get-tuple-element(q), index=0
  ROOT r = f64[] multiply(y, w)
}";
    gradients(text, &[scalar(0.9), scalar(2.0)], &[0, 1]);
}

/// A damped oscillator of `trips` steps on `lanes` lanes, whose parameters all lanes share.
fn oscillator(trips: i64, lanes: i64) -> String {
    format!(
        "
HloModule oscillator
add {{
  a = f64[] parameter(0)
  b = f64[] parameter(1)
  ROOT s = f64[] add(a, b)
}}
body {{
  s = (s32[], f64[{lanes}], f64[{lanes}], f64[], f64[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f64[{lanes}] get-tuple-element(s), index=1
  v = f64[{lanes}] get-tuple-element(s), index=2
  k = f64[] get-tuple-element(s), index=3
  c = f64[] get-tuple-element(s), index=4
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ks = f64[{lanes}] broadcast(k), dimensions={{}}
  cs = f64[{lanes}] broadcast(c), dimensions={{}}
  sine = f64[{lanes}] sine(x)
  pull = f64[{lanes}] multiply(ks, sine)
  drag = f64[{lanes}] multiply(cs, v)
  force = f64[{lanes}] add(pull, drag)
  dt = f64[] constant(0.05)
  dts = f64[{lanes}] broadcast(dt), dimensions={{}}
  dv = f64[{lanes}] multiply(force, dts)
  v2 = f64[{lanes}] subtract(v, dv)
  dx = f64[{lanes}] multiply(v2, dts)
  x2 = f64[{lanes}] add(x, dx)
  ROOT r = (s32[], f64[{lanes}], f64[{lanes}], f64[], f64[]) tuple(next, x2, v2, k, c)
}}
condition {{
  s = (s32[], f64[{lanes}], f64[{lanes}], f64[], f64[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant({trips})
  ROOT c = pred[] compare(i, n), direction=LT
}}
ENTRY main {{
  x = f64[{lanes}] parameter(0)
  v = f64[{lanes}] parameter(1)
  k = f64[] parameter(2)
  c = f64[] parameter(3)
  zero = s32[] constant(0)
  s = (s32[], f64[{lanes}], f64[{lanes}], f64[], f64[]) tuple(zero, x, v, k, c)
  e = (s32[], f64[{lanes}], f64[{lanes}], f64[], f64[]) while(s), condition=condition, body=body
  y = f64[{lanes}] get-tuple-element(e), index=1
  z = f64[] constant(0)
  ROOT r = f64[] reduce(y, z), dimensions={{0}}, to_apply=add
}}"
    )
}

#[test]
fn only_the_carries_are_kept_and_parameters_are_summed_behind_the_loop() {
    let arguments = [vector(&[0.1, -0.4, 0.8]), vector(&[0.0, 0.3, -0.2]), scalar(1.5), scalar(0.2)];
    gradients(&oscillator(20, 3), &arguments, &[0, 1, 2, 3]);
    let (trips, lanes) = (1000, 2048);
    let derived = grad::module(&module(&oscillator(trips, lanes)), &[0, 1, 2, 3], false);
    let derived = derived.unwrap_or_else(|e| panic!("{e}"));
    let loops: Vec<_> = derived.entry().instrs.iter().filter(|i| i.opcode == Opcode::While).collect();
    assert_eq!(loops.len(), 2);
    for one in loops {
        let stacked = one.shape.leaves().into_iter().filter(|leaf| leaf.dims.first() == Some(&trips));
        assert_eq!(stacked.map(|leaf| leaf.bytes()).sum::<i64>(), 2 * trips * lanes * 8);
    }
    let reductions =
        |c: &lawson_hlo::Computation| c.instrs.iter().filter(|i| i.opcode == Opcode::Reduce).count();
    let inside: usize =
        derived.iter().filter(|(id, _)| *id != derived.entry).map(|(_, c)| reductions(c)).sum();
    assert_eq!((inside, reductions(derived.entry())), (0, 3));
}

/// What rows are read of and written to: no sums over trips.
#[test]
fn rows_are_neither_summed_nor_zeroed() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/gradients/scan_rows.hlo");
    let text = std::fs::read_to_string(path).expect("the recorded program");
    let derived = grad::module(&module(&text), &[0, 1, 2], false).unwrap_or_else(|e| panic!("{e}"));
    let last = derived.entry().instrs.iter().rfind(|i| i.opcode == Opcode::While).expect("a loop");
    let body = &derived[last.attrs.called()[1]];
    let updates: Vec<_> = body.instrs.iter().filter(|i| i.opcode == Opcode::DynamicUpdateSlice).collect();
    assert_eq!(updates.len(), 1, "the rows of the gradient of xs alone are written");
    let reads = |array| {
        body.instrs.iter().filter(|i| i.opcode == Opcode::DynamicSlice && i.operands[0] == array).count()
    };
    assert_eq!(reads(updates[0].operands[0]), 0, "and not read");
}

/// A loop in whose state nothing varies but what it reads.
#[test]
fn values_of_loops_without_tangents_stay() {
    let text = sines("0", "1", "i, n), direction=LT", "constant(4)");
    let of = module(&text);
    let derived = grad::module(&of, &[1], true).unwrap_or_else(|e| panic!("{e}"));
    let arguments = [scalar(0.7), scalar(1.3)];
    close(&run(&derived, &arguments)[0], &run(&of, &arguments)[0], 1e-15);
    gradients(&text, &arguments, &[1]);
}
