//! Elementwise operations, and those that move elements.

use super::common::region::{all_agree, entries, plan_and_code, plan_of};

#[test]
fn elementwise() {
    all_agree(&entries(
        "
x = f32[1000] parameter(0)
y = f32[1000] parameter(1)
s = f32[1000] add(x, y)
e = f32[1000] exponential(s)
ROOT r = f32[1000] multiply(e, x)
---
x = bf16[7,33] parameter(0)
y = bf16[7,33] parameter(1)
s = bf16[7,33] add(x, y)
t = bf16[7,33] tanh(s)
ROOT r = bf16[7,33] divide(t, x)
---
x = f16[65] parameter(0)
w = f32[65] convert(x)
m = f32[65] multiply(w, w)
ROOT r = f16[65] convert(m)
---
p = pred[100] parameter(0)
x = s8[100] parameter(1)
y = s8[100] parameter(2)
s = s8[100] select(p, x, y)
n = pred[100] not(p)
ROOT r = (s8[100], pred[100]) tuple(s, n)
---
lo = f32[] parameter(0)
x = f32[33] parameter(1)
hi = f32[33] parameter(2)
ROOT r = f32[33] clamp(lo, x, hi)
---
p = pred[] parameter(0)
x = f64[19] parameter(1)
y = f64[19] parameter(2)
ROOT r = f64[19] select(p, x, y)
---
x = f32[] parameter(0)
y = f32[] parameter(1)
ROOT r = f32[] power(x, y)
---
x = s64[70] parameter(0)
y = s64[70] parameter(1)
q = s64[70] divide(x, y)
m = s64[70] remainder(x, y)
ROOT r = (s64[70], s64[70]) tuple(q, m)
---
x = f32[40] parameter(0)
c = f32[] constant(2.5)
b = f32[40] broadcast(c), dimensions={}
l = pred[40] compare(x, b), direction=LT
i = f32[40] iota(), iota_dimension=0
ROOT r = f32[40] select(l, x, i)
---
x = u32[8] parameter(0)
ROOT r = u8[8,4] bitcast-convert(x)
---
x = u16[8,2] parameter(0)
ROOT r = f32[8] bitcast-convert(x)
---
x = f32[50] parameter(0)
ROOT r = f32[50] reduce-precision(x), exponent_bits=5, mantissa_bits=4
---
x = u4[70] parameter(0)
y = u4[70] parameter(1)
m = u4[70] multiply(x, y)
ROOT r = s32[70] convert(m)
---
x = f32[0,5] parameter(0)
ROOT r = f32[0,5] negate(x)
---
x = f32[600000] parameter(0)
ROOT r = f32[600000] negate(x)
---
x = f32[100,8000] parameter(0)
ROOT r = f32[100,8000] abs(x)
",
    ));
}

#[test]
fn iotas_and_constants() {
    all_agree(&entries(
        "
ROOT r = s32[3,50] iota(), iota_dimension=1
---
ROOT r = s8[300] iota(), iota_dimension=0
---
ROOT r = bf16[3,300] iota(), iota_dimension=1
---
ROOT r = u2[9] iota(), iota_dimension=0
---
ROOT r = f64[5,3] iota(), iota_dimension=0
---
c = f32[] constant(-0.0)
ROOT r = f32[17] broadcast(c), dimensions={}
---
c = bf16[] constant(3.14)
ROOT r = bf16[2,2] broadcast(c), dimensions={}
---
c = pred[] constant(true)
ROOT r = pred[5] broadcast(c), dimensions={}
---
ROOT r = f32[2,3] constant({{1, 1, 1}, {1, 1, 1}})
",
    ));
}

#[test]
fn broadcast_reshape_transpose() {
    all_agree(&entries(
        "
x = f32[7] parameter(0)
ROOT r = f32[5,7] broadcast(x), dimensions={1}
---
x = f32[70] parameter(0)
ROOT r = f32[70,33] broadcast(x), dimensions={0}
---
x = f32[3,5] parameter(0)
ROOT r = f32[3,2,5,4] broadcast(x), dimensions={0,2}
---
x = f32[6,35] parameter(0)
ROOT r = f32[10,21] reshape(x)
---
x = f32[6,1,35] parameter(0)
ROOT r = f32[210] reshape(x)
---
x = f32[40,70] parameter(0)
ROOT r = f32[70,40] transpose(x), dimensions={1,0}
---
x = f32[64,64] parameter(0)
t = f32[64,64] transpose(x), dimensions={1,0}
ROOT r = f32[64,64] add(x, t)
---
x = bf16[3,33,18] parameter(0)
ROOT r = bf16[18,3,33] transpose(x), dimensions={2,0,1}
---
x = s8[100,129] parameter(0)
ROOT r = s8[129,100] transpose(x), dimensions={1,0}
---
x = f64[5,17,33] parameter(0)
t = f64[5,33,17] transpose(x), dimensions={0,2,1}
s = f64[5,561] reshape(t)
ROOT r = f64[561,5] transpose(s), dimensions={1,0}
---
x = f32[12,20] parameter(0)
t = f32[20,12] transpose(x), dimensions={1,0}
r1 = f32[240] reshape(t)
ROOT r = f32[16,15] reshape(r1)
---
x = pred[33,20] parameter(0)
ROOT r = pred[20,33] transpose(x), dimensions={1,0}
---
x = f32[20,30,4] parameter(0)
y = f32[4,20,30] parameter(1)
t = f32[4,20,30] transpose(x), dimensions={2,0,1}
ROOT r = f32[4,20,30] multiply(t, y)
",
    ));
}

#[test]
fn slice_pad_concatenate_reverse() {
    all_agree(&entries(
        "
x = f32[100] parameter(0)
ROOT r = f32[90] slice(x), slice={[10:100]}
---
x = f32[10,100] parameter(0)
ROOT r = f32[3,33] slice(x), slice={[1:10:3], [0:99:3]}
---
x = f32[5,40] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[8,45] pad(x, p), padding=1_2x2_3
---
x = f32[30] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[92] pad(x, p), padding=3_1_2
---
x = f32[9,40] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[6,37] pad(x, p), padding=-1_-2x-5_2
---
x = f32[5] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[11] pad(x, p), padding=-1_3_1
---
x = f32[10] parameter(0)
y = f32[33] parameter(1)
z = f32[7] parameter(2)
ROOT r = f32[50] concatenate(x, y, z), dimensions={0}
---
x = f32[4,10] parameter(0)
y = f32[4,33] parameter(1)
n = f32[4,33] negate(y)
c = f32[4,43] concatenate(x, n), dimensions={1}
ROOT r = f32[4,43] multiply(c, c)
---
x = s32[4,0] parameter(0)
y = s32[4,3] parameter(1)
ROOT r = s32[4,3] concatenate(x, y), dimensions={1}
---
x = f32[3,50] parameter(0)
ROOT r = f32[3,50] reverse(x), dimensions={0,1}
---
x = bf16[50] parameter(0)
ROOT r = bf16[50] reverse(x), dimensions={0}
---
x = f32[64] parameter(0)
a = f32[60] slice(x), slice={[4:64]}
b = f32[4] slice(x), slice={[0:4]}
c = f32[64] concatenate(a, b), dimensions={0}
ROOT r = f32[64] add(c, x)
---
x = f32[8,9] parameter(0)
z = f32[] constant(0)
p = f32[10,11] pad(x, z), padding=1_1x1_1
n = f32[8,9] slice(p), slice={[0:8], [1:10]}
s = f32[8,9] slice(p), slice={[2:10], [1:10]}
ROOT r = f32[8,9] add(n, s)
",
    ));
}

#[test]
fn gather_and_dynamic_slice() {
    all_agree(&entries(
        "
x = f32[10,50] parameter(0)
i = s32[20] parameter(1)
ROOT r = f32[20,50] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,50}
---
x = f32[50] parameter(0)
i = s32[33,1] parameter(1)
ROOT r = f32[33] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
---
x = f32[6,9] parameter(0)
i = u8[5,2] parameter(1)
ROOT r = f32[5,2,3] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={2,3}
---
x = f32[4,10,3] parameter(0)
i = s64[4,7,1] parameter(1)
ROOT r = f32[4,7,3] gather(x, i), offset_dims={2}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1,3}
---
x = bf16[20] parameter(0)
i = s32[2,40] parameter(1)
n = s32[2,40] negate(i)
y = bf16[20] add(x, x)
ROOT r = bf16[2,40] gather(y, n), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1}
---
x = f32[20,30] parameter(0)
i = s32[] parameter(1)
j = s32[] parameter(2)
ROOT r = f32[4,25] dynamic-slice(x, i, j), dynamic_slice_sizes={4,25}
---
x = f32[10] parameter(0)
i = s64[1] parameter(1)
ROOT r = f32[4] dynamic-slice(x, i), dynamic_slice_sizes={4}
---
x = f32[30] parameter(0)
i = u64[] parameter(1)
y = f32[30] negate(x)
d = f32[20] dynamic-slice(y, i), dynamic_slice_sizes={20}
ROOT r = f32[20] exponential(d)
",
    ));
}

#[test]
fn updates() {
    all_agree(&entries(
        "
x = f32[20,30] parameter(0)
u = f32[4,25] parameter(1)
i = s32[] parameter(2)
j = s32[] parameter(3)
ROOT r = f32[20,30] dynamic-update-slice(x, u, i, j)
---
x = f32[20,30] parameter(0)
u = f32[4,25] parameter(1)
i = s32[] parameter(2)
y = f32[20,30] abs(x)
d = f32[20,30] dynamic-update-slice(y, u, i, i)
ROOT r = f32[20,30] negate(d)
---
x = bf16[100] parameter(0)
u = bf16[33] parameter(1)
i = s32[] parameter(2)
n = bf16[33] negate(u)
ROOT r = bf16[100] dynamic-update-slice(x, n, i)
---
x = f32[20,37] parameter(0)
u = f32[37] parameter(1)
i = s32[] parameter(2)
z = s32[] constant(0)
o = f32[1,37] dynamic-slice(x, i, z), dynamic_slice_sizes={1,37}
p = f32[37] reshape(o)
q = f32[37] multiply(p, p)
n = f32[37] add(q, u)
v = f32[1,37] reshape(n)
ROOT r = f32[20,37] dynamic-update-slice(x, v, i, z)
---
x = f32[64] parameter(0)
i = s32[] parameter(1)
o = f32[33] dynamic-slice(x, i), dynamic_slice_sizes={33}
v = f32[33] reverse(o), dimensions={0}
n = f32[33] add(o, v)
ROOT r = f32[64] dynamic-update-slice(x, n, i)
---
x = f32[10] parameter(0)
i = s32[40] parameter(1)
u = f32[40] parameter(2)
ROOT r = f32[10] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
---
x = f32[10,33] parameter(0)
i = s32[8,1] parameter(1)
u = f32[8,33] parameter(2)
ROOT r = f32[10,33] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sub
---
x = f32[10,33] parameter(0)
i = s32[8,1] parameter(1)
u = f32[8,33] parameter(2)
ROOT r = f32[10,33] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second
---
x = f32[64] parameter(0)
i = s32[8,1] parameter(1)
u = f32[8,20] parameter(2)
ROOT r = f32[64] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sub
---
x = f32[9,12] parameter(0)
i = s32[2] parameter(1)
u = f32[4,5] parameter(2)
ROOT r = f32[9,12] scatter(x, i, u), update_window_dims={0,1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=add
---
x = f32[3,10] parameter(0)
i = s32[3,5,1] parameter(1)
u = f32[3,5] parameter(2)
ROOT r = f32[3,10] scatter(x, i, u), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=max
---
x = f32[37,10] parameter(0)
i = s32[37,1] parameter(1)
u = f32[37] parameter(2)
o = f32[37] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}
n = f32[37] add(o, u)
ROOT r = f32[37,10] scatter(x, i, n), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=second
---
x = bf16[10] parameter(0)
i = s32[40] parameter(1)
u = bf16[40] parameter(2)
ROOT r = bf16[10] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_bf16
---
x = s32[12] parameter(0)
i = s32[1001] parameter(1)
o = s32[] constant(1)
u = s32[1001] broadcast(o), dimensions={}
ROOT r = s32[12] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32
---
x = f32[10] parameter(0)
i = s32[3,70] parameter(1)
u = f32[3,70] parameter(2)
ROOT r = f32[10] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2, to_apply=second
---
x = f32[10] parameter(0)
y = s32[10] parameter(1)
i = s32[40] parameter(2)
u = f32[40] parameter(3)
v = s32[40] parameter(4)
ROOT r = (f32[10], s32[10]) scatter(x, y, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=argmax
",
    ));
}

/// Of many updates of one element few change the greatest value there; zeros have signs, and some are not-a-number.
#[test]
fn updates_that_keep_the_greatest_are_compared_first() {
    for (elements, dtype, keep, compared) in [
        (10, "f32", "max", true),
        (10, "f32", "min", true),
        (10, "bf16", "max_bf16", true),
        (100, "f32", "max", false),
        (10, "f32", "add", false),
    ] {
        let entry = format!(
            "  x = {dtype}[{elements}] parameter(0)
  i = s32[1003] parameter(1)
  u = {dtype}[1003] parameter(2)
  ROOT r = {dtype}[{elements}] scatter(x, i, u), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply={keep}"
        );
        all_agree(std::slice::from_ref(&entry));
        let plan = plan_of(&entry);
        assert_eq!(plan.contains("compared first"), compared, "{plan}");
    }
}

/// Places that take long to compute are found by the tasks of a phase before; some lie outside of the array.
#[test]
fn updates_that_take_long_to_find() {
    for (n, dtype, add) in [(9000, "f32", "add"), (9008, "f32", "sub"), (9003, "s32", "add_s32")] {
        let entry = format!(
            "  x = {dtype}[40] parameter(0)
  k = f32[{n}] parameter(1)
  u = {dtype}[{n}] parameter(2)
  t = f32[{n}] tanh(k)
  v = f32[{n}] power(t, t)
  w = f32[{n}] atan2(t, v)
  s = f32[{n}] sine(w)
  ten = f32[] constant(60)
  tens = f32[{n}] broadcast(ten), dimensions={{}}
  p = f32[{n}] multiply(s, tens)
  i = s32[{n}] convert(p)
  j = s32[{n},1] reshape(i)
  ROOT r = {dtype}[40] scatter(x, j, u), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply={add}"
        );
        all_agree(std::slice::from_ref(&entry));
        assert!(plan_of(&entry).contains("found before by tasks of"), "{}", plan_of(&entry));
    }
}

#[test]
fn what_only_moves_is_turned_in_registers() {
    let plan = |dtype: &str, more: &str| {
        plan_of(&format!(
            "x = {dtype}[300,1000] parameter(0)\ny = {dtype}[1000,300] parameter(1)\n\
             t = {dtype}[1000,300] transpose(x), dimensions={{1,0}}\n{more}"
        ))
    };
    let negated = plan("f32", "ROOT r = f32[1000,300] negate(t)");
    assert!(negated.contains("in blocks of 992 x 16 in registers"), "{negated}");
    let added = plan("f32", "ROOT r = f32[1000,300] add(t, y)");
    assert!(added.contains("turned from loop 0") && !added.contains("in registers"), "{added}");
    // A vector of 16 bytes is no line.
    let bytes = plan("s8", "ROOT r = s8[1000,300] negate(t)");
    assert!(bytes.contains("turned from loop 0") && !bytes.contains("in registers"), "{bytes}");
    let [_, code] =
        plan_and_code("x = f32[64,64] parameter(0)\nROOT r = f32[64,64] transpose(x), dimensions={1,0}");
    assert!(code.contains("shuffle") && !code.contains("tile"), "{code}");
}

#[test]
fn the_next_row_that_data_chooses_from_comes_near() {
    let gather = |rows: i64, columns: i64, chosen: i64| {
        format!(
            "x = f32[{rows},{columns}] parameter(0)\nn = s32[{chosen}] parameter(1)\n\
             ROOT r = f32[{rows},{chosen}] gather(x, n), offset_dims={{0}}, collapsed_slice_dims={{1}}, \
             start_index_map={{1}}, index_vector_dim=1, slice_sizes={{{rows},1}}"
        )
    };
    let near =
        |rows, columns, chosen| plan_of(&gather(rows, columns, chosen)).contains("next row of input 0 near");
    assert!(near(2048, 2048, 512));
    // From the caches; few of many elements; rows longer than the first-level cache.
    assert!(!near(512, 2048, 512) && !near(1 << 20, 2048, 16) && !near(2048, 8192, 2048));
    let [_, code] = plan_and_code(&gather(2048, 2048, 512));
    assert_eq!(code.matches("prefetch x[").count(), 4, "{code}");
    all_agree(&[gather(40, 96, 33), gather(7, 640, 64)]);
}

#[test]
fn elements_far_apart_make_many_tasks() {
    let gather = |rows: i64, chosen: i64| {
        plan_of(&format!(
            "x = f32[{rows}] parameter(0)\nn = s32[{chosen}] parameter(1)\n\
             ROOT r = f32[{chosen}] gather(x, n), offset_dims={{}}, collapsed_slice_dims={{0}}, \
             start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1}}"
        ))
    };
    // A cache line each, from more than the second-level cache holds.
    let (far, near) = (gather(1 << 20, 4096), gather(1 << 14, 4096));
    assert!(far.contains("1 rows x 256 columns for each task"), "{far}");
    assert!(near.contains("1 rows x 4096 columns for each task"), "{near}");
    let diagonal = |rows: i64| {
        let (columns, all) = (rows + 1, rows * (rows + 1));
        plan_of(&format!(
            "x = f32[{all}] parameter(0)\ny = f32[{rows},{columns}] reshape(x)\n\
             ROOT d = f32[{rows},1] slice(y), slice={{[0:{rows}], [0:1]}}"
        ))
    };
    let (far, near) = (diagonal(4096), diagonal(400));
    assert!(far.contains("256 columns for each task"), "{far}");
    assert!(near.contains("400 columns for each task"), "{near}");
}

#[test]
fn tests_of_ramps_are_narrow() {
    let [_, code] = plan_and_code(
        "x = f32[64,126,126] parameter(0)\nz = f32[] constant(0)\n\
         ROOT r = f32[64,128,128] pad(x, z), padding=0_0x1_1x1_1",
    );
    assert!(code.contains("ult") && !code.contains("i64x16"), "{code}");
}

/// Large enough for several tasks, and of sizes that no vector and no block divides.
#[test]
fn many_tasks() {
    all_agree(&entries(
        "
x = f32[701,403] parameter(0)
t = f32[403,701] transpose(x), dimensions={1,0}
y = f32[403,701] parameter(1)
ROOT r = f32[403,701] add(t, y)
---
x = f32[3,701,403] parameter(0)
ROOT r = f32[3,403,701] transpose(x), dimensions={0,2,1}
---
x = f32[301001] parameter(0)
e = f32[301001] tanh(x)
ROOT r = f32[301001] multiply(e, x)
---
x = f32[5003,61] parameter(0)
i = f32[] parameter(1)
ROOT r = f32[5003] reduce(x, i), dimensions={1}, to_apply=add
---
x = f32[701,307] parameter(0)
i = f32[] parameter(1)
e = f32[701,307] exponential(x)
ROOT r = f32[307] reduce(e, i), dimensions={0}, to_apply=add
---
x = f32[300007] parameter(0)
i = f32[] parameter(1)
ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=add
---
x = f32[701,67] parameter(0)
ROOT r = f32[701,67] sort(x), dimensions={1}, to_apply=lt
---
x = f32[501,203] parameter(0)
y = f32[203,101] parameter(1)
ROOT r = f32[501,101] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f32[600,300] parameter(0)
u = f32[501,297] parameter(1)
i = s32[] parameter(2)
t = f32[501,297] tanh(u)
ROOT r = f32[600,300] dynamic-update-slice(x, t, i, i)
---
x = f32[1003,40] parameter(0)
n = s32[4001] parameter(1)
ROOT r = f32[4001,40] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,40}
",
    ));
}

#[test]
fn bounds_keep_nans_and_the_signs_of_zeros() {
    let mut all = Vec::new();
    for dtype in ["f32", "f64", "bf16", "f16"] {
        // Roots of negative numbers are NaN.
        for bound in ["0", "-0.0", "1", "-2.5", "inf", "-inf", "nan"] {
            for (a, b) in [("x", "b"), ("b", "x")] {
                all.push(format!(
                    "p = {dtype}[1000] parameter(0)\nq = {dtype}[1000] parameter(1)\nr = {dtype}[1000] sqrt(p)\n\
                     x = {dtype}[1000] add(r, q)\nc = {dtype}[] constant({bound})\n\
                     b = {dtype}[1000] broadcast(c), dimensions={{}}\nu = {dtype}[1000] maximum({a}, {b})\n\
                     l = {dtype}[1000] minimum({a}, {b})\nROOT t = ({dtype}[1000], {dtype}[1000]) tuple(u, l)"
                ));
            }
        }
    }
    all_agree(&all);
    // By a number other than zero one comparison, which the processor has with the choice.
    let [_, code] = plan_and_code(&all[4]);
    assert_eq!(
        code.matches("flt").count() + code.matches("fle").count() + code.matches("fne").count(),
        2,
        "{code}"
    );
}

#[test]
fn quotients_of_bytes_by_constants_are_products() {
    let quotient = |from: &str, by: &str| {
        format!(
            "x = {from}[1000] parameter(0)\nw = f32[1000] convert(x)\nc = f32[] constant({by})\n\
             b = f32[1000] broadcast(c), dimensions={{}}\nROOT q = f32[1000] divide(w, b)"
        )
    };
    // 0 / -3 is the other zero; some divisors have no reciprocal among the numbers, or one that is too rough.
    for (by, divides) in [
        ("255", false),
        ("127.5", false),
        ("3", false),
        ("-3", true),
        ("0", true),
        ("1e-45", true),
        ("inf", false),
    ] {
        for from in ["u8", "s8"] {
            let entry = quotient(from, by);
            all_agree(std::slice::from_ref(&entry));
            let [_, code] = plan_and_code(&entry);
            assert_eq!(code.contains("fdiv"), divides, "{entry}\n{code}");
        }
    }
    assert!(plan_and_code(&quotient("s16", "255"))[1].contains("fdiv"));
}
