//! Dependent stages over the same rows: one kernel of one phase, with the bits of the interpreter.

use super::common::region::{agree, agree_on, all_agree, counted, entries, plan_and_code, refusal};
use lawson_kernel::target::Target;

/// Each entry is one kernel of one phase on every target, and agrees with the interpreter.
#[track_caller]
pub fn staged(text: &str) {
    let all = entries(text);
    for entry in &all {
        assert_eq!(refusal(entry), None, "{entry}");
    }
    all_agree(&all);
}

#[test]
fn softmax_and_its_kin() {
    staged(
        "  x = f32[6,100] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[6] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[6,100] broadcast(m), dimensions={0}
  d = f32[6,100] subtract(x, mb)
  e = f32[6,100] exponential(d)
  s = f32[6] reduce(e, zero), dimensions={1}, to_apply=add
  sb = f32[6,100] broadcast(s), dimensions={0}
  ROOT r = f32[6,100] divide(e, sb)
---
  x = f32[2,3,5000] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[2,3] reduce(x, low), dimensions={2}, to_apply=max
  mb = f32[2,3,5000] broadcast(m), dimensions={0,1}
  d = f32[2,3,5000] subtract(x, mb)
  e = f32[2,3,5000] exponential(d)
  s = f32[2,3] reduce(e, zero), dimensions={2}, to_apply=add
  l = f32[2,3] log(s)
  lb = f32[2,3,5000] broadcast(l), dimensions={0,1}
  o = f32[2,3,5000] subtract(d, lb)
  t = f32[2,3] add(l, m)
  ROOT r = (f32[2,3,5000], f32[2,3]) tuple(o, t)
---
  x = bf16[5,70] parameter(0)
  low = bf16[] constant(-inf)
  zero = bf16[] constant(0)
  m = bf16[5] reduce(x, low), dimensions={1}, to_apply=add_bf16
  mb = bf16[5,70] broadcast(m), dimensions={0}
  d = bf16[5,70] subtract(x, mb)
  e = bf16[5,70] exponential(d)
  s = bf16[5] reduce(e, zero), dimensions={1}, to_apply=add_bf16
  sb = bf16[5,70] broadcast(s), dimensions={0}
  ROOT r = bf16[5,70] divide(e, sb)",
    );
}

#[test]
fn short_rows_lie_side_by_side() {
    staged(
        "  x = f32[37,10] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[37] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[37,10] broadcast(m), dimensions={0}
  d = f32[37,10] subtract(x, mb)
  e = f32[37,10] exponential(d)
  s = f32[37] reduce(e, zero), dimensions={1}, to_apply=add
  sb = f32[37,10] broadcast(s), dimensions={0}
  r = f32[37,10] divide(e, sb)
  ROOT t = (f32[37,10], f32[37,10]) tuple(e, r)",
    );
}

#[test]
fn norms() {
    staged(
        "  x = f32[7,96] parameter(0)
  g = f32[96] parameter(1)
  zero = f32[] constant(0)
  n = f32[] constant(96)
  eps = f32[] constant(1e-5)
  s = f32[7] reduce(x, zero), dimensions={1}, to_apply=add
  nb = f32[7] broadcast(n), dimensions={}
  mean = f32[7] divide(s, nb)
  mb = f32[7,96] broadcast(mean), dimensions={0}
  c = f32[7,96] subtract(x, mb)
  q = f32[7,96] multiply(c, c)
  v = f32[7] reduce(q, zero), dimensions={1}, to_apply=add
  var = f32[7] divide(v, nb)
  epsb = f32[7] broadcast(eps), dimensions={}
  ve = f32[7] add(var, epsb)
  i = f32[7] rsqrt(ve)
  ib = f32[7,96] broadcast(i), dimensions={0}
  y = f32[7,96] multiply(c, ib)
  gb = f32[7,96] broadcast(g), dimensions={1}
  ROOT r = f32[7,96] multiply(y, gb)
---
  x = f32[4,3,5,16] parameter(0)
  zero = f32[] constant(0)
  s = f32[3] reduce(x, zero), dimensions={0,2,3}, to_apply=add
  sb = f32[4,3,5,16] broadcast(s), dimensions={1}
  c = f32[4,3,5,16] subtract(x, sb)
  q = f32[4,3,5,16] multiply(c, c)
  v = f32[3] reduce(q, zero), dimensions={0,2,3}, to_apply=add
  i = f32[3] rsqrt(v)
  ib = f32[4,3,5,16] broadcast(i), dimensions={1}
  ROOT y = f32[4,3,5,16] multiply(c, ib)",
    );
}

#[test]
fn columns() {
    staged(
        "  x = f32[500,21] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[21] reduce(x, low), dimensions={0}, to_apply=max
  mb = f32[500,21] broadcast(m), dimensions={1}
  d = f32[500,21] subtract(x, mb)
  e = f32[500,21] exponential(d)
  s = f32[21] reduce(e, zero), dimensions={0}, to_apply=add
  sb = f32[500,21] broadcast(s), dimensions={1}
  ROOT r = f32[500,21] divide(e, sb)
---
  x = f32[4,40,9] parameter(0)
  zero = f32[] constant(0)
  s = f32[4,9] reduce(x, zero), dimensions={1}, to_apply=add
  sb = f32[4,40,9] broadcast(s), dimensions={0,2}
  c = f32[4,40,9] subtract(x, sb)
  q = f32[4,40,9] multiply(c, c)
  v = f32[4,9] reduce(q, zero), dimensions={1}, to_apply=add
  ROOT t = (f32[4,9], f32[4,9], f32[4,40,9]) tuple(s, v, c)",
    );
}

#[test]
fn siblings_share_a_loop() {
    staged(
        "  x = f32[9,300] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  n = f32[] constant(300)
  s = f32[9] reduce(x, zero), dimensions={1}, to_apply=add
  m = f32[9] reduce(x, low), dimensions={1}, to_apply=max
  nb = f32[9] broadcast(n), dimensions={}
  mean = f32[9] divide(s, nb)
  mb = f32[9,300] broadcast(mean), dimensions={0}
  c = f32[9,300] subtract(x, mb)
  q = f32[9,300] multiply(c, c)
  v = f32[9] reduce(q, zero), dimensions={1}, to_apply=add
  ROOT r = (f32[9], f32[9], f32[9]) tuple(mean, v, m)",
    );
}

#[test]
fn cross_entropy_with_its_gradient() {
    staged(
        "  x = f32[12,50] parameter(0)
  t = s32[12] parameter(1)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  i = s32[12,50] iota(), iota_dimension=1
  tb = s32[12,50] broadcast(t), dimensions={0}
  hot = pred[12,50] compare(i, tb), direction=EQ
  h = f32[12,50] convert(hot)
  m = f32[12] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[12,50] broadcast(m), dimensions={0}
  d = f32[12,50] subtract(x, mb)
  e = f32[12,50] exponential(d)
  s = f32[12] reduce(e, zero), dimensions={1}, to_apply=add
  l = f32[12] log(s)
  lb = f32[12,50] broadcast(l), dimensions={0}
  lp = f32[12,50] subtract(d, lb)
  p = f32[12,50] multiply(h, lp)
  loss = f32[12] reduce(p, zero), dimensions={1}, to_apply=add
  sb = f32[12,50] broadcast(s), dimensions={0}
  soft = f32[12,50] divide(e, sb)
  g = f32[12,50] subtract(soft, h)
  ROOT r = (f32[12], f32[12,50]) tuple(loss, g)",
    );
}

#[test]
fn what_crosses_rows_is_refused_by_name() {
    let refusals = [
        "  x = f32[40,16] parameter(0)
  zero = f32[] constant(0)
  s = f32[40] reduce(x, zero), dimensions={1}, to_apply=add
  sb = f32[40,40] broadcast(s), dimensions={1}
  ROOT v = f32[40] reduce(sb, zero), dimensions={1}, to_apply=add",
        "  x = f32[40,200000] parameter(0)
  zero = f32[] constant(0)
  s = f32[40] reduce(x, zero), dimensions={1}, to_apply=add
  sb = f32[40,200000] broadcast(s), dimensions={0}
  d = f32[40,200000] subtract(x, sb)
  e = f32[40,200000] exponential(d)
  v = f32[40] reduce(e, zero), dimensions={1}, to_apply=add
  vb = f32[40,200000] broadcast(v), dimensions={0}
  ROOT q = f32[40,200000] divide(e, vb)",
        "  x = f32[4,1000000] parameter(0)
  zero = f32[] constant(0)
  s = f32[4] reduce(x, zero), dimensions={1}, to_apply=add
  sb = f32[4,1000000] broadcast(s), dimensions={0}
  d = f32[4,1000000] subtract(x, sb)
  e = f32[4,1000000] exponential(d)
  v = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
  ROOT r = (f32[4,1000000], f32[4]) tuple(e, v)",
        "  x = f32[8,16] parameter(0)
  zero = f32[] constant(0)
  w = f32[8,16] sort(x), dimensions={1}, to_apply=lt
  s = f32[8] reduce(w, zero), dimensions={1}, to_apply=add
  ROOT r = (f32[8,16], f32[8]) tuple(w, s)",
        "  x = f32[40,20] parameter(0)
  y = f32[20,30] parameter(1)
  p = f32[40,30] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = f32[30,40] transpose(p), dimensions={1,0}",
        "  x = f32[2,9,9,8] parameter(0)
  k = f32[3,3,8,8] parameter(1)
  c = f32[2,9,9,8] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  ROOT t = f32[2,8,9,9] transpose(c), dimensions={0,3,1,2}",
    ];
    let names: Vec<&str> = refusals.iter().filter_map(|entry| Some(refusal(entry)?.name())).collect();
    assert_eq!(names, ["OtherRows", "TileTooLarge", "FewRows", "NotStaged", "NotInPlace", "NotInPlace"]);
}

#[test]
fn dependent_full_reductions_are_phases() {
    let entry = "  x = f32[200000] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  n = f32[] constant(200000)
  s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  m = f32[] reduce(x, low), dimensions={0}, to_apply=max
  mean = f32[] divide(s, n)
  mb = f32[200000] broadcast(mean), dimensions={}
  c = f32[200000] subtract(x, mb)
  q = f32[200000] multiply(c, c)
  t = f32[] reduce(q, zero), dimensions={0}, to_apply=add
  v = f32[] divide(t, n)
  ROOT r = (f32[], f32[], f32[]) tuple(mean, v, m)";
    staged(entry);
    let (phases, reads) = counted(entry);
    assert_eq!((phases, reads), (2, 2 * 200000 * 4));
}

/// softmax(q·kᵀ, masked) · v over (batch, head), in heads of `q` × `d` by `k` × `d`.
fn attention(q: i64, k: i64, d: i64) -> String {
    let s = format!("f32[2,3,{q},{k}]");
    format!(
        "  q = f32[2,3,{q},{d}] parameter(0)
  k = f32[2,3,{k},{d}] parameter(1)
  v = f32[2,3,{k},{d}] parameter(2)
  low = f32[] constant(-inf)
  far = f32[] constant(-1e30)
  zero = f32[] constant(0)
  half = f32[] constant(0.5)
  p = {s} dot(q, k), lhs_batch_dims={{0,1}}, lhs_contracting_dims={{3}}, rhs_batch_dims={{0,1}}, rhs_contracting_dims={{3}}
  hb = {s} broadcast(half), dimensions={{}}
  scaled = {s} multiply(p, hb)
  i = s32[{q},{k}] iota(), iota_dimension=0
  j = s32[{q},{k}] iota(), iota_dimension=1
  seen = pred[{q},{k}] compare(i, j), direction=GE
  seenb = pred[2,3,{q},{k}] broadcast(seen), dimensions={{2,3}}
  fb = {s} broadcast(far), dimensions={{}}
  w = {s} select(seenb, scaled, fb)
  m = f32[2,3,{q}] reduce(w, low), dimensions={{3}}, to_apply=max
  mb = {s} broadcast(m), dimensions={{0,1,2}}
  c = {s} subtract(w, mb)
  e = {s} exponential(c)
  t = f32[2,3,{q}] reduce(e, zero), dimensions={{3}}, to_apply=add
  tb = {s} broadcast(t), dimensions={{0,1,2}}
  a = {s} divide(e, tb)
  ROOT o = f32[2,3,{q},{d}] dot(a, v), lhs_batch_dims={{0,1}}, lhs_contracting_dims={{3}}, rhs_batch_dims={{0,1}}, rhs_contracting_dims={{2}}"
    )
}

#[test]
fn attention_keeps_its_scores() {
    staged(&[attention(20, 24, 8), attention(7, 40, 20), attention(33, 17, 5)].join("\n---\n"));
    let (phases, reads) = counted(&attention(33, 17, 5));
    assert_eq!((phases, reads), (1, 4 * 6 * (33 * 5 + 2 * 17 * 5)));
}

#[test]
fn sums_that_divide_after_the_product() {
    staged(
        "  x = f32[40,12] parameter(0)
  w = f32[12,30] parameter(1)
  u = f32[30,9] parameter(2)
  zero = f32[] constant(0)
  p = f32[40,30] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[40,30] exponential(p)
  s = f32[40] reduce(e, zero), dimensions={1}, to_apply=add
  y = f32[40,9] dot(e, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sb = f32[40,9] broadcast(s), dimensions={0}
  ROOT r = f32[40,9] divide(y, sb)",
    );
}

/// A layer that is being computed still needs the whole of the layer before: their tiles lie apart.
#[test]
fn layers_of_one_width_do_not_overwrite_each_other() {
    staged(
        "  x = f32[20,8] parameter(0)
  u = f32[8,16] parameter(1)
  v = f32[16,16] parameter(2)
  w = f32[16,3] parameter(3)
  a = f32[20,16] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[20,16] tanh(a)
  c = f32[20,16] dot(b, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[20,16] tanh(c)
  ROOT e = f32[20,3] dot(d, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
    );
}

/// A scale that is an output and is needed before and after a product, which has gone over the whole block between.
#[test]
fn outputs_of_one_value_are_read_back_after_a_product() {
    staged(
        "  x = f32[128,8] parameter(0)
  w = f32[8,16] parameter(1)
  zero = f32[] constant(0)
  q = f32[128,8] multiply(x, x)
  s = f32[128] reduce(q, zero), dimensions={1}, to_apply=add
  r = f32[128] rsqrt(s)
  b = f32[128,8] broadcast(r), dimensions={0}
  n = f32[128,8] multiply(x, b)
  d = f32[128,16] dot(n, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  m = f32[128] reduce(d, zero), dimensions={1}, to_apply=add
  t = f32[128] multiply(m, r)
  ROOT o = (f32[128], f32[128], f32[128,16]) tuple(r, t, d)",
    );
}

/// Experts mixed by weights of each row: the last product has no rows of its own, so rows are computed one by one.
#[test]
fn products_without_common_rows_go_row_by_row() {
    staged(
        "  x = f32[12,8] parameter(0)
  g = f32[8,4] parameter(1)
  w = f32[4,8,8] parameter(2)
  a = f32[12,4] dot(x, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[12,4] tanh(a)
  e = f32[12,4,8] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT m = f32[12,8] dot(t, e), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}",
    );
}

/// What depends on two bodies is made a row at a time; nothing of all pairs is in memory.
#[test]
fn functions_of_pairs_are_one_kernel() {
    staged(
        "  p = f32[40,3] parameter(0)
  v = f32[40,3] parameter(1)
  m = f32[40] parameter(2)
  zero = f32[] constant(0)
  eps = f32[] constant(0.01)
  pj = f32[40,40,3] broadcast(p), dimensions={1,2}
  pi = f32[40,40,3] broadcast(p), dimensions={0,2}
  d = f32[40,40,3] subtract(pj, pi)
  q = f32[40,40,3] multiply(d, d)
  s = f32[40,40] reduce(q, zero), dimensions={2}, to_apply=add
  eb = f32[40,40] broadcast(eps), dimensions={}
  t = f32[40,40] add(s, eb)
  r = f32[40,40] rsqrt(t)
  r2 = f32[40,40] multiply(r, r)
  r3 = f32[40,40] multiply(r2, r)
  mj = f32[40,40] broadcast(m), dimensions={1}
  w = f32[40,40] multiply(r3, mj)
  wb = f32[40,40,3] broadcast(w), dimensions={0,1}
  f = f32[40,40,3] multiply(d, wb)
  a = f32[40,3] reduce(f, zero), dimensions={1}, to_apply=add
  n = f32[40,3] add(v, a)
  x = f32[40,3] add(p, n)
  ROOT r4 = (f32[40,3], f32[40,3]) tuple(x, n)
---
  x = f32[20,4] parameter(0)
  y = f32[300,4] parameter(1)
  w = f32[300] parameter(2)
  zero = f32[] constant(0)
  xb = f32[20,300,4] broadcast(x), dimensions={0,2}
  yb = f32[20,300,4] broadcast(y), dimensions={1,2}
  d = f32[20,300,4] subtract(xb, yb)
  q = f32[20,300,4] multiply(d, d)
  s = f32[20,300] reduce(q, zero), dimensions={2}, to_apply=add
  n = f32[20,300] negate(s)
  e = f32[20,300] exponential(n)
  wb = f32[20,300] broadcast(w), dimensions={1}
  k = f32[20,300] multiply(e, wb)
  ROOT r = f32[20] reduce(k, zero), dimensions={1}, to_apply=add
---
  x = f32[20,3] parameter(0)
  y = f32[70,3] parameter(1)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  none = s32[] constant(0)
  xb = f32[20,70,3] broadcast(x), dimensions={0,2}
  yb = f32[20,70,3] broadcast(y), dimensions={1,2}
  d = f32[20,70,3] subtract(xb, yb)
  q = f32[20,70,3] multiply(d, d)
  s = f32[20,70] reduce(q, zero), dimensions={2}, to_apply=add
  n = f32[20,70] negate(s)
  j = s32[20,70] iota(), iota_dimension=1
  ROOT r = (f32[20], s32[20]) reduce(n, j, low, none), dimensions={1}, to_apply=argmax",
    );
}

/// softmax(q·kᵀ) · v without batch or heads.
fn plain_attention(q: i64, k: i64, d: i64) -> String {
    let s = format!("f32[{q},{k}]");
    format!(
        "  q = f32[{q},{d}] parameter(0)
  k = f32[{k},{d}] parameter(1)
  v = f32[{k},{d}] parameter(2)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  p = {s} dot(q, k), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}
  m = f32[{q}] reduce(p, low), dimensions={{1}}, to_apply=max
  mb = {s} broadcast(m), dimensions={{0}}
  c = {s} subtract(p, mb)
  e = {s} exponential(c)
  t = f32[{q}] reduce(e, zero), dimensions={{1}}, to_apply=add
  tb = {s} broadcast(t), dimensions={{0}}
  a = {s} divide(e, tb)
  ROOT o = f32[{q},{d}] dot(a, v), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
    )
}

/// Blocks of rows shrink until there are enough for all cores; keys and values may be larger than the second cache.
#[test]
fn attention_of_one_head_is_shared_among_cores() {
    let long = refusal(&plain_attention(64, 400_000, 4));
    assert!(long.is_some_and(|r| r.name() == "TileTooLarge"), "not one row fits");
    // A phase packs keys that many blocks read and that stay near.
    for (q, k, d, phases) in [(512, 512, 64, 2), (77, 512, 64, 2), (512, 77, 64, 1), (2048, 2048, 64, 1)] {
        let entry = plain_attention(q, k, d);
        assert_eq!(refusal(&entry), None, "{q} queries, {k} keys");
        assert_eq!(counted(&entry), (phases, 4 * (q * d + 2 * k * d)));
    }
    staged(
        &[plain_attention(77, 20, 8), plain_attention(50, 77, 16), plain_attention(23, 9, 5)].join("\n---\n"),
    );
}

/// What the blocks of rows would each pack, a phase before them packs: keys of several heads, in whole tiles and in others, with
/// something to compute; in caches so small that there are many blocks.
#[test]
fn what_blocks_share_is_packed_before() {
    let small = Target { l2: 24 << 10, ..Target::zen4() };
    let scaled = attention(256, 70, 16).replace("  p = ", "  kh = f32[2,3,70,16] tanh(k)\n  p = ");
    let scaled = scaled.replace("dot(q, k)", "dot(q, kh)");
    for entry in [attention(300, 64, 24), scaled, plain_attention(1500, 48, 24)] {
        let plan = agree_on(&entry, &small).unwrap_or_else(|e| panic!("{e}"));
        assert!(plan.contains("rhs packed before"), "{entry}\n{plan}");
    }
}

/// Heads inside the sequence, and a unit axis for groups of queries: the rows of the parts are permuted.
#[test]
fn attention_over_permuted_heads() {
    staged(
        "  v = f32[2,20,3,8] parameter(2)
  q = f32[2,20,3,8] parameter(0)
  q1 = f32[2,20,3,1,8] reshape(q)
  k = f32[2,20,3,8] parameter(1)
  p = f32[2,3,20,1,20] dot(q1, k), lhs_batch_dims={0,2}, lhs_contracting_dims={4}, rhs_batch_dims={0,2}, rhs_contracting_dims={3}
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  half = f32[] constant(0.5)
  hb = f32[2,3,20,1,20] broadcast(half), dimensions={}
  w = f32[2,3,20,1,20] multiply(p, hb)
  w1 = f32[1,2,3,20,20] reshape(w)
  m = f32[2,3,20,1] reduce(w, low), dimensions={4}, to_apply=max
  m1 = f32[2,3,20] reshape(m)
  mb = f32[1,2,3,20,20] broadcast(m1), dimensions={1,2,3}
  c = f32[1,2,3,20,20] subtract(w1, mb)
  e = f32[1,2,3,20,20] exponential(c)
  s = f32[1,2,3,20] reduce(e, zero), dimensions={4}, to_apply=add
  s1 = f32[2,3,20] reshape(s)
  sb = f32[1,2,3,20,20] broadcast(s1), dimensions={1,2,3}
  a = f32[1,2,3,20,20] divide(e, sb)
  o = f32[2,3,8,1,20] dot(v, a), lhs_batch_dims={0,2}, lhs_contracting_dims={1}, rhs_batch_dims={1,2}, rhs_contracting_dims={4}
  ot = f32[2,20,3,1,8] transpose(o), dimensions={0,4,1,3,2}
  ROOT r = f32[2,20,3,8] reshape(ot)",
    );
}

/// Rows that stages reach through a reshape: groups of channels, heads, merged batches.
#[test]
fn rows_behind_a_reshape() {
    let entries = "  x = f32[2,5,3,24] parameter(0)
  g = f32[24] parameter(1)
  zero = f32[] constant(0)
  n = f32[] constant(90)
  y = f32[2,5,3,4,6] reshape(x)
  s = f32[2,4] reduce(y, zero), dimensions={1,2,4}, to_apply=add
  nb = f32[2,4] broadcast(n), dimensions={}
  mean = f32[2,4] divide(s, nb)
  mb = f32[2,5,3,4,6] broadcast(mean), dimensions={0,3}
  c = f32[2,5,3,4,6] subtract(y, mb)
  q = f32[2,5,3,4,6] multiply(c, c)
  v = f32[2,4] reduce(q, zero), dimensions={1,2,4}, to_apply=add
  var = f32[2,4] divide(v, nb)
  i = f32[2,4] rsqrt(var)
  ib = f32[2,5,3,4,6] broadcast(i), dimensions={0,3}
  o = f32[2,5,3,4,6] multiply(c, ib)
  p = f32[2,5,3,24] reshape(o)
  gb = f32[2,5,3,24] broadcast(g), dimensions={3}
  ROOT r = f32[2,5,3,24] multiply(p, gb)
---
  x = f32[6,24] parameter(0)
  zero = f32[] constant(0)
  y = f32[6,3,8] reshape(x)
  q = f32[6,3,8] multiply(y, y)
  s = f32[6,3] reduce(q, zero), dimensions={2}, to_apply=add
  s1 = f32[18] reshape(s)
  i = f32[18] rsqrt(s1)
  ib = f32[18,8] broadcast(i), dimensions={0}
  z = f32[18,8] reshape(x)
  n = f32[18,8] multiply(z, ib)
  ROOT r = (f32[18,8], f32[18]) tuple(n, i)
---
  x = f32[4,6,10] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  f = f32[24,10] reshape(x)
  m = f32[24] reduce(f, low), dimensions={1}, to_apply=max
  mb = f32[24,10] broadcast(m), dimensions={0}
  d = f32[24,10] subtract(f, mb)
  e = f32[24,10] exponential(d)
  e3 = f32[4,6,10] reshape(e)
  s = f32[4,6] reduce(e3, zero), dimensions={2}, to_apply=add
  sb = f32[4,6,10] broadcast(s), dimensions={0,1}
  ROOT r = f32[4,6,10] divide(e3, sb)";
    staged(entries);
}

#[test]
fn last_vectors_of_rows_are_whole_in_tiles() {
    let normal = |columns: i64| {
        let (all, row) = (format!("f32[40,{columns}]"), format!("f32[{columns}]"));
        format!(
            "x = {all} parameter(0)\nw = {row} parameter(1)\ni = f32[] constant(0)\n\
             wb = {all} broadcast(w), dimensions={{1}}\nq = {all} divide(x, wb)\n\
             s = f32[40] reduce(q, i), dimensions={{1}}, to_apply=add\nsb = {all} broadcast(s), dimensions={{0}}\n\
             d = {all} subtract(q, sb)\nm = {all} multiply(d, d)\n\
             v = f32[40] reduce(m, i), dimensions={{1}}, to_apply=add\nvb = {all} broadcast(v), dimensions={{0}}\n\
             ROOT r = {all} divide(d, vb)"
        )
    };
    for (columns, whole) in [(30, true), (10, false), (100, true), (65, true), (64, false), (3, false)] {
        let entry = normal(columns);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        assert_eq!(plan.contains("in whole vectors"), whole, "{plan}\n{code}");
    }
}
