//! Blocks of short rows that stages go through one after the other: totals are halved together, and what is computed of them has lanes
//! along the rows.

use super::common::region::{agree, agree_as_planned, chosen_plan_and_code, plan_of};

/// The losses of rows of so many classes, by their labels.
fn cross_entropy(dtype: &str, [rows, classes]: [i64; 2]) -> String {
    let (row, all) = (format!("{dtype}[{rows}]"), format!("{dtype}[{rows},{classes}]"));
    let suffix = if dtype == "f32" { String::new() } else { format!("_{dtype}") };
    format!(
        "  x = {all} parameter(0)
  y = s32[{rows}] parameter(1)
  low = {dtype}[] constant(-inf)
  zero = {dtype}[] constant(0)
  m = {row} reduce(x, low), dimensions={{1}}, to_apply=max{suffix}
  mb = {all} broadcast(m), dimensions={{0}}
  d = {all} subtract(x, mb)
  e = {all} exponential(d)
  s = {row} reduce(e, zero), dimensions={{1}}, to_apply=add{suffix}
  l = {row} log(s)
  lb = {all} broadcast(l), dimensions={{0}}
  o = {all} subtract(d, lb)
  yb = s32[{rows},{classes}] broadcast(y), dimensions={{0}}
  i = s32[{rows},{classes}] iota(), iota_dimension=1
  c = pred[{rows},{classes}] compare(yb, i), direction=EQ
  z = {all} broadcast(zero), dimensions={{}}
  p = {all} select(c, o, z)
  ROOT r = {row} reduce(p, zero), dimensions={{1}}, to_apply=add{suffix}"
    )
}

/// Rows brought to a mean of zero and a variance of one, with a value of each row beside them.
fn standardised([rows, length]: [i64; 2]) -> String {
    let (row, all) = (format!("f32[{rows}]"), format!("f32[{rows},{length}]"));
    format!(
        "  x = {all} parameter(0)
  zero = f32[] constant(0)
  n = f32[] constant({length})
  small = f32[] constant(1e-5)
  nb = {row} broadcast(n), dimensions={{}}
  sum = {row} reduce(x, zero), dimensions={{1}}, to_apply=add
  mean = {row} divide(sum, nb)
  mb = {all} broadcast(mean), dimensions={{0}}
  d = {all} subtract(x, mb)
  q = {all} multiply(d, d)
  squares = {row} reduce(q, zero), dimensions={{1}}, to_apply=add
  v = {row} divide(squares, nb)
  sb = {row} broadcast(small), dimensions={{}}
  w = {row} add(v, sb)
  g = {row} log(w)
  gb = {all} broadcast(g), dimensions={{0}}
  e = {all} multiply(d, gb)
  t = {all} tanh(e)
  ROOT r = ({all}, {row}) tuple(t, g)"
    )
}

#[test]
fn totals_of_all_lengths_and_types() {
    for (dtype, shape) in
        [("f32", [256, 17]), ("f32", [263, 48]), ("f32", [300, 100]), ("f32", [270, 37]), ("bf16", [257, 21])]
    {
        let entry = cross_entropy(dtype, shape);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        assert_eq!(agree_as_planned(&entry), Ok(()), "{entry}");
        let [plan, _] = chosen_plan_and_code(&entry);
        assert!(plan.contains("blocks of 16 along axis 0"), "{plan}");
        // The logarithm is a stage of its own, and its results a tile of the block.
        let value = "loops 1\n    map";
        assert!(plan.contains(value) && !plan_of(&entry).contains(value), "{plan}");
        assert_eq!(plan.matches("of 16: stage").count(), 3, "{plan}");
    }
}

#[test]
fn outputs_of_rows_and_of_their_elements() {
    for shape in [[256, 30], [271, 64]] {
        let entry = standardised(shape);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        assert_eq!(agree_as_planned(&entry), Ok(()), "{entry}");
        let [plan, code] = chosen_plan_and_code(&entry);
        assert!(plan.contains("blocks of 16 along axis 0"), "{plan} {code}");
    }
}

/// Rows of several totals each are folded row by row, and those of one total together.
#[test]
fn several_totals_of_a_row() {
    let entry = "  x = f32[260,18] parameter(0)
  c = f32[8,18] parameter(1)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  xb = f32[260,8,18] broadcast(x), dimensions={0,2}
  cb = f32[260,8,18] broadcast(c), dimensions={1,2}
  d = f32[260,8,18] subtract(xb, cb)
  q = f32[260,8,18] multiply(d, d)
  s = f32[260,8] reduce(q, zero), dimensions={2}, to_apply=add
  m = f32[260] reduce(s, low), dimensions={1}, to_apply=max
  mb = f32[260,8] broadcast(m), dimensions={0}
  t = f32[260,8] subtract(s, mb)
  e = f32[260,8] exponential(t)
  z = f32[260] reduce(e, zero), dimensions={1}, to_apply=add
  zb = f32[260,8] broadcast(z), dimensions={0}
  ROOT r = f32[260,8] divide(e, zb)";
    assert_eq!(agree(entry), Ok(()));
    assert!(plan_of(entry).contains("blocks of 8 along axis 0"), "{}", plan_of(entry));
}

/// Of few rows, of long ones, and of rows that are little work, each goes through all stages.
#[test]
fn rows_that_stay_alone() {
    let share = "  x = f32[300,130] parameter(0)
  zero = f32[] constant(0)
  s = f32[300] reduce(x, zero), dimensions={1}, to_apply=add
  sb = f32[300,130] broadcast(s), dimensions={0}
  ROOT r = f32[300,130] divide(x, sb)";
    for entry in [cross_entropy("f32", [200, 48]), cross_entropy("f32", [300, 1000]), share.into()] {
        let plan = plan_of(&entry);
        assert!(plan.contains("  rows ") && !plan.contains("blocks of"), "{plan}");
    }
}
