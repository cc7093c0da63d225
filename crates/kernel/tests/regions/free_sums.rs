//! Sums of rows that several warps share, in the order that `standard` and `fast` allow: region, Loop IR and plans of all machines
//! agree on it.

use super::common::region::agree_with_free_sums;

/// A softmax of rows, and what its rows sum to, in which a long element is added.
fn softmax(dtype: &str, rows: i64, columns: i64) -> String {
    let (shape, row) = (format!("{dtype}[{rows},{columns}]"), format!("{dtype}[{rows}]"));
    let (max, add) = if dtype == "f32" { ("max", "add") } else { ("max_bf16", "add_bf16") };
    format!(
        "  x = {shape} parameter(0)
  low = {dtype}[] constant(-inf)
  zero = {dtype}[] constant(0)
  m = {row} reduce(x, low), dimensions={{1}}, to_apply={max}
  mb = {shape} broadcast(m), dimensions={{0}}
  d = {shape} subtract(x, mb)
  e = {shape} exponential(d)
  s = {row} reduce(e, zero), dimensions={{1}}, to_apply={add}
  sb = {shape} broadcast(s), dimensions={{0}}
  q = {shape} divide(e, sb)
  ROOT r = ({shape}, {row}) tuple(q, s)"
    )
}

/// Mean and variance of rows of two dimensions, in cheap elements.
fn normalized(rows: i64, columns: i64) -> String {
    let (shape, row) = (format!("f32[{rows},{columns},4]"), format!("f32[{rows}]"));
    format!(
        "  x = {shape} parameter(0)
  zero = f32[] constant(0)
  t = {row} reduce(x, zero), dimensions={{1,2}}, to_apply=add
  tb = {shape} broadcast(t), dimensions={{0}}
  c = {shape} subtract(x, tb)
  q = {shape} multiply(c, c)
  v = {row} reduce(q, zero), dimensions={{1,2}}, to_apply=add
  vb = {shape} broadcast(v), dimensions={{0}}
  ROOT r = {shape} multiply(c, vb)"
    )
}

/// The greatest element and its position, then a map of both.
fn greatest(rows: i64, columns: i64) -> String {
    let shape = format!("f32[{rows},{columns}]");
    format!(
        "  x = {shape} parameter(0)
  low = f32[] constant(-inf)
  none = s32[] constant(0)
  i = s32[{rows},{columns}] iota(), iota_dimension=1
  b = (f32[{rows}], s32[{rows}]) reduce(x, i, low, none), dimensions={{1}}, to_apply=argmax
  v = f32[{rows}] get-tuple-element(b), index=0
  vb = {shape} broadcast(v), dimensions={{0}}
  ROOT r = {shape} subtract(x, vb)"
    )
}

#[test]
fn all_levels_have_the_order_of_free_sums() {
    let rows = [(17, 1024), (16, 1000), (17, 257), (16, 4096 + 130)];
    for (rows, columns) in rows {
        for dtype in ["f32", "bf16"] {
            agree_with_free_sums(&softmax(dtype, rows, columns)).expect("softmax");
        }
        agree_with_free_sums(&greatest(rows, columns)).expect("greatest");
        agree_with_free_sums(&normalized(rows, columns / 4)).expect("normalized");
    }
}
