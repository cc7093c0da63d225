//! Rows that are brought near before the stages of a nest use them.

use super::common::region::plan_of;
use super::nests::staged;

/// The squares of each row about its sum, of rows that are columns in memory.
fn turned(dtype: &str, add: &str, (rows, columns): (i64, i64)) -> String {
    let (x, v) = (format!("{dtype}[{rows},{columns}]"), format!("{dtype}[{rows}]"));
    format!(
        "  p = {dtype}[{columns},{rows}] parameter(0)
  x = {x} transpose(p), dimensions={{1,0}}
  zero = {dtype}[] constant(0)
  m = {v} reduce(x, zero), dimensions={{1}}, to_apply={add}
  mb = {x} broadcast(m), dimensions={{0}}
  d = {x} subtract(x, mb)
  q = {x} multiply(d, d)
  s = {v} reduce(q, zero), dimensions={{1}}, to_apply={add}
  sb = {x} broadcast(s), dimensions={{0}}
  ROOT r = {x} add(q, sb)"
    )
}

#[test]
fn rows_that_are_columns_in_memory_are_turned() {
    let types = [
        ("f32", "add"),
        ("bf16", "add_bf16"),
        ("f16", "add_f16"),
        ("f64", "add_f64"),
        ("s32", "add_s32"),
        ("s8", "add_s8"),
    ];
    for (dtype, add) in types {
        for extents in [(33, 40), (64, 100), (130, 17), (20, 300)] {
            let entry = turned(dtype, add, extents);
            staged(&entry);
            assert!(plan_of(&entry).contains(", turned"), "{entry}");
        }
    }
}

/// Sums down the columns of an array whose rows are read later, and arrays in the order of the rows beside it.
#[test]
fn columns_and_rows_of_one_array_share_a_nest() {
    let entry = |columns: i64, dims: &str, operand: &str| {
        format!(
            "  p = f32[3,{columns},50] parameter(0)
  y = f32[3,50,{columns}] parameter(1)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  x = f32[3,50,{columns}] transpose(p), dimensions={{0,2,1}}
  m = f32[3,50] reduce({operand}, low), dimensions={{{dims}}}, to_apply=max
  mb = f32[3,50,{columns}] broadcast(m), dimensions={{0,1}}
  d = f32[3,50,{columns}] subtract(x, mb)
  e = f32[3,50,{columns}] exponential(d)
  f = f32[3,50,{columns}] multiply(e, y)
  s = f32[3,50] reduce(f, zero), dimensions={{2}}, to_apply=add
  sb = f32[3,50,{columns}] broadcast(s), dimensions={{0,1}}
  r = f32[3,50,{columns}] divide(e, sb)
  ROOT t = (f32[3,50,{columns}], f32[3,50]) tuple(r, m)"
        )
    };
    for columns in [40, 61, 300] {
        for (dims, operand) in [("1", "p"), ("2", "x")] {
            let entry = entry(columns, dims, operand);
            staged(&entry);
            assert!(plan_of(&entry).contains(", turned"), "{entry}");
        }
    }
}

/// A reduction by itself is turned too, and what follows it.
#[test]
fn single_reductions_along_strided_rows_are_turned() {
    let entry = "  p = f32[70,40] parameter(0)
  x = f32[40,70] transpose(p), dimensions={1,0}
  zero = f32[] constant(0)
  s = f32[40] reduce(x, zero), dimensions={1}, to_apply=add
  ROOT r = f32[40] rsqrt(s)";
    staged(entry);
    assert!(plan_of(entry).contains(", turned"));
}

/// Columns so long that their lines crowd out each other are copied to a tile once.
#[test]
fn long_columns_are_brought_near() {
    let entry = "  x = f32[600,40] parameter(0)
  zero = f32[] constant(0)
  m = f32[40] reduce(x, zero), dimensions={0}, to_apply=add
  mb = f32[600,40] broadcast(m), dimensions={1}
  d = f32[600,40] subtract(x, mb)
  e = f32[600,40] multiply(d, d)
  s = f32[40] reduce(e, zero), dimensions={0}, to_apply=add
  sb = f32[600,40] broadcast(s), dimensions={1}
  ROOT r = f32[600,40] divide(d, sb)";
    staged(entry);
    assert!(plan_of(entry).contains("  near, 9600 of input 0\n"), "{}", plan_of(entry));
}
