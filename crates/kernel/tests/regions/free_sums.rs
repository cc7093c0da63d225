//! Sums of rows that several warps share, in the order that `standard` and `fast` allow: region, Loop IR and plans of all machines
//! agree on it.

use super::common::region::agree_with_free_sums;
use lawson_kernel::target::Target;

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

/// Sums that several warps share.
fn by_warps(entry: &str) -> Result<(), String> {
    agree_with_free_sums(entry, &Target::h100(), 256)
}

#[test]
fn all_levels_have_the_order_of_free_sums() {
    let rows = [(17, 1024), (16, 1000), (17, 257), (16, 4096 + 130)];
    for (rows, columns) in rows {
        for dtype in ["f32", "bf16"] {
            by_warps(&softmax(dtype, rows, columns)).expect("softmax");
        }
        by_warps(&greatest(rows, columns)).expect("greatest");
        by_warps(&normalized(rows, columns / 4)).expect("normalized");
    }
}

/// Weights that are computed and divided by their sum, then multiplied with an array: the columns of the weights are rows of the
/// product, so that no lanes lie along them.
#[test]
fn sums_of_weights_have_lanes_along_the_sum() {
    let weights = "  x = f32[64,192] parameter(0)
  zero = f32[] constant(0)
  k = s32[64,130] iota(), iota_dimension=0
  j = s32[64,130] iota(), iota_dimension=1
  kf = f32[64,130] convert(k)
  jf = f32[64,130] convert(j)
  scale = f32[] constant(0.5)
  scales = f32[64,130] broadcast(scale), dimensions={}
  at = f32[64,130] multiply(jf, scales)
  apart = f32[64,130] subtract(at, kf)
  square = f32[64,130] multiply(apart, apart)
  minus = f32[64,130] negate(square)
  w = f32[64,130] exponential(minus)
  s = f32[130] reduce(w, zero), dimensions={0}, to_apply=add
  sb = f32[64,130] broadcast(s), dimensions={1}
  q = f32[64,130] divide(w, sb)
  ROOT d = f32[130,192] dot(q, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
    agree_with_free_sums(weights, &Target::zen4(), 16).unwrap();
}
