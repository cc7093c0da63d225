//! Programs whose loops never end: refused where that is certain, else ended by a limit.

use super::{Folder, plain};

/// A loop whose condition looks at a number that the body makes by `step`; it is one kernel, or runs on the host.
fn looping(start: &str, step: &str, extent: i64) -> String {
    format!(
        "HloModule m
c {{
  p = (s32[], f32[{extent}]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  ROOT r = pred[] compare(i, z), direction=GE
}}
b {{
  p = (s32[], f32[{extent}]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  seven = s32[] constant(7)
  j = s32[] {step}
  x = f32[{extent}] get-tuple-element(p), index=1
  y = f32[{extent}] sine(x)
  ROOT t = (s32[], f32[{extent}]) tuple(j, y)
}}
ENTRY e {{
  x = f32[{extent}] parameter(0)
  i = s32[] {start}
  a = (s32[], f32[{extent}]) tuple(i, x)
  w = (s32[], f32[{extent}]) while(a), condition=c, body=b
  ROOT r = f32[{extent}] get-tuple-element(w), index=1
}}
"
    )
}

#[test]
fn a_loop_without_an_end_runs_out_of_time() {
    let folder = Folder::new();
    // Neither the state that stays nor the one that changes is known before: both may end.
    for (name, step) in [("stays", "copy(i)"), ("changes", "xor(i, seven)")] {
        let m = folder.write(name, looping("parameter(1)", step, 64));
        let plan = plain(0, &["explain", &m]);
        assert!(plan.contains("→ 1 kernel") && plan.contains("loop-carried"), "{plan}");
        let limited = |words: &[&str]| {
            let words = [&[words[0], &m, "--time-limit", "0.1"], &words[1..]].concat();
            let text = plain(2, &words);
            assert!(
                text.contains("the run took longer than its time limit of 100ms (--time-limit)"),
                "{text}"
            );
        };
        limited(&["run"]);
        limited(&["run", "--fusion", "off"]);
        limited(&["run", "--device", "interpreter"]);
        limited(&["bench", "--max-runs", "1"]);
        limited(&["explain", "--measure"]);
        limited(&["bisect"]);
    }
    let m = folder.write("stays", looping("parameter(1)", "copy(i)", 64));
    assert!(plain(2, &["explain", &m, "--time-limit", "1"]).contains("--measure"));
}

#[test]
fn a_loop_that_certainly_never_ends_is_refused() {
    let folder = Folder::new();
    let alone = "HloModule m
c {
  p = s32[] parameter(0)
  z = s32[] constant(0)
  ROOT r = pred[] compare(p, z), direction=GE
}
b {
  ROOT p = s32[] parameter(0)
}
ENTRY e {
  i = s32[] constant(0)
  ROOT w = s32[] while(i), condition=c, body=b
}
";
    for text in [alone.to_string(), looping("constant(0)", "copy(i)", 64)] {
        let m = folder.write("m.hlo", text);
        for command in ["run", "bisect"] {
            let refused = plain(2, &[command, &m]);
            assert!(refused.contains("w: this loop never ends"), "{refused}");
        }
    }
}
