//! Modules of one instruction and fused groups, lowered for several machines and evaluated with tasks in both orders:
//! always the bits of the reference interpreter.

mod common;

use common::region::{all_agree, entries};

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
ROOT r = f32[91] pad(x, p), padding=3_1_2
---
x = f32[9,40] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[6,37] pad(x, p), padding=-1_-2x-5_2
---
x = f32[5] parameter(0)
p = f32[] parameter(1)
ROOT r = f32[10] pad(x, p), padding=-1_3_1
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
x = bf16[10] parameter(0)
i = s32[40] parameter(1)
u = bf16[40] parameter(2)
ROOT r = bf16[10] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_bf16
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

const LENGTHS: [i64; 10] = [1, 3, 63, 64, 65, 100, 4095, 4096, 4097, 9000];

#[test]
fn reductions_of_the_minor_dimension() {
    let mut all = Vec::new();
    for n in LENGTHS {
        for rows in [1, 3, 20] {
            all.push(format!(
                "x = f32[{rows},{n}] parameter(0)\ni = f32[] parameter(1)\n\
                 ROOT r = f32[{rows}] reduce(x, i), dimensions={{1}}, to_apply=add"
            ));
        }
        all.push(format!(
            "x = f32[{n}] parameter(0)\ni = f32[] parameter(1)\ny = f32[{n}] multiply(x, x)\n\
             ROOT r = f32[] reduce(y, i), dimensions={{0}}, to_apply=add"
        ));
    }
    all_agree(&all);
}

#[test]
fn reductions_of_the_major_dimension() {
    let mut all = Vec::new();
    for n in LENGTHS.into_iter().chain([255, 256, 257, 511, 513]) {
        for columns in [1, 5, 40] {
            all.push(format!(
                "x = f32[{n},{columns}] parameter(0)\ni = f32[] parameter(1)\n\
                 ROOT r = f32[{columns}] reduce(x, i), dimensions={{0}}, to_apply=add"
            ));
        }
    }
    all_agree(&all);
}

#[test]
fn reductions_of_several_dimensions() {
    let mut all = Vec::new();
    for (dims, result, reduced) in [
        ("3,5,70", "5", "0,2"),
        ("3,5,70", "3", "1,2"),
        ("3,5,70", "70", "0,1"),
        ("3,5,70", "", "0,1,2"),
        ("3,5,70", "3,70", "1"),
        ("9,300,3", "9,3", "1"),
        ("9,300,3", "300", "0,2"),
        ("70,90,1", "90,1", "0"),
        ("2,100,7,50", "100,7", "0,3"),
        ("2,100,7,50", "2,50", "1,2"),
        ("5,0,3", "5,3", "1"),
        ("5,0", "5", "1"),
        ("0,5", "0", "1"),
        ("600,4", "600", "1"),
        ("8,600,4", "8,600", "2"),
        ("70,16", "70", "1"),
        ("70,2,3", "70", "1,2"),
    ] {
        for (to_apply, dtype) in [("add", "f32"), ("add_bf16", "bf16"), ("add_f64", "f64"), ("add_s8", "s8")]
        {
            all.push(format!(
                "x = {dtype}[{dims}] parameter(0)\ni = {dtype}[] parameter(1)\n\
                 ROOT r = {dtype}[{result}] reduce(x, i), dimensions={{{reduced}}}, to_apply={to_apply}"
            ));
        }
    }
    all_agree(&all);
}

#[test]
fn reductions_of_other_kinds() {
    let mut all = entries(
        "
x = pred[7,100] parameter(0)
i = pred[] parameter(1)
ROOT r = pred[7] reduce(x, i), dimensions={1}, to_apply=and
---
x = f16[7,5000] parameter(0)
i = f16[] parameter(1)
ROOT r = f16[7] reduce(x, i), dimensions={1}, to_apply=add_f16
---
x = f32[40,130] parameter(0)
i = f32[] constant(0)
b = f32[130] parameter(1)
c = f32[40,130] broadcast(b), dimensions={1}
s = f32[40,130] multiply(x, c)
t = f32[40] reduce(s, i), dimensions={1}, to_apply=add
e = f32[40] exponential(t)
ROOT r = f32[40] add(e, t)
---
x = f32[300,40] parameter(0)
i = f32[] constant(0)
t = f32[40] reduce(x, i), dimensions={0}, to_apply=add
e = f32[40] tanh(t)
ROOT r = (f32[40], f32[40]) tuple(t, e)
---
x = f32[40,130] parameter(0)
i = f32[] constant(-inf)
m = f32[40] reduce(x, i), dimensions={1}, to_apply=max
b = f32[40,130] broadcast(m), dimensions={0}
ROOT r = f32[40,130] subtract(x, b)
---
x = f32[20,300] parameter(0)
t = f32[300,20] transpose(x), dimensions={1,0}
i = f32[] constant(1)
ROOT r = f32[300] reduce(t, i), dimensions={1}, to_apply=mul
---
x = f32[12] parameter(0)
i = f32[] constant(0)
a = f32[] reduce(x, i), dimensions={0}, to_apply=add
m = f32[] reduce(x, i), dimensions={0}, to_apply=max
ROOT r = (f32[], f32[]) tuple(a, m)
",
    );
    for (dims, result, reduced) in [
        ("100", "", 0),
        ("5,100", "5", 1),
        ("300,33", "33", 0),
        ("9000", "", 0),
        ("5,3", "5", 1),
        ("2,5000", "2", 1),
    ] {
        all.push(format!(
            "x = f32[{dims}] parameter(0)\nn = s32[{dims}] iota(), iota_dimension={reduced}\n\
             i = f32[] constant(-inf)\nj = s32[] constant(0)\n\
             ROOT r = (f32[{result}], s32[{result}]) reduce(x, n, i, j), dimensions={{{reduced}}}, to_apply=argmax"
        ));
    }
    all_agree(&all);
}

#[test]
fn windows() {
    all_agree(&entries(
        "
x = f32[1,12,50,3] parameter(0)
i = f32[] constant(-inf)
ROOT r = f32[1,6,25,3] reduce-window(x, i), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=max
---
x = f32[40] parameter(0)
i = f32[] parameter(1)
ROOT r = f32[40] reduce-window(x, i), window={size=3 pad=1_1}, to_apply=add
---
x = f32[40] parameter(0)
i = f32[] parameter(1)
ROOT r = f32[40] reduce-window(x, i), window={size=40 pad=39_0}, to_apply=add
---
x = f32[9,20] parameter(0)
i = f32[] parameter(1)
ROOT r = f32[6,13] reduce-window(x, i), window={size=2x3 stride=3x2 pad=1_0x4_2 lhs_dilate=2x1 rhs_dilate=1x1}, to_apply=add
---
x = bf16[6,40] parameter(0)
i = bf16[] parameter(1)
ROOT r = bf16[6,36] reduce-window(x, i), window={size=1x3 rhs_dilate=1x2}, to_apply=add_bf16
---
x = f32[1,12,10,3] parameter(0)
s = f32[1,6,5,3] parameter(1)
i = f32[] constant(0)
ROOT r = f32[1,12,10,3] select-and-scatter(x, s, i), window={size=1x2x2x1 stride=1x2x2x1}, select=ge, scatter=add
---
x = f32[20] parameter(0)
s = f32[20] parameter(1)
i = f32[] parameter(2)
ROOT r = f32[20] select-and-scatter(x, s, i), window={size=3 pad=1_1}, select=ge, scatter=add
---
x = f32[7,40] parameter(0)
y = s32[7,40] parameter(1)
i = f32[] constant(-inf)
j = s32[] constant(0)
ROOT r = (f32[7,20], s32[7,20]) reduce-window(x, y, i, j), window={size=1x2 stride=1x2}, to_apply=argmax
",
    ));
}

#[test]
fn dots() {
    let mut all = entries(
        "
x = f32[300] parameter(0)
y = f32[300] parameter(1)
ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
---
x = f32[3,40,20] parameter(0)
y = f32[3,20,50] parameter(1)
ROOT r = f32[3,40,50] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
---
x = f32[20,3,5] parameter(0)
y = f32[5,33,3] parameter(1)
ROOT r = f32[3,20,33] dot(x, y), lhs_batch_dims={1}, rhs_batch_dims={2}, lhs_contracting_dims={2}, rhs_contracting_dims={0}
---
x = f32[7,4,6] parameter(0)
y = f32[6,4,9] parameter(1)
ROOT r = f32[7,9] dot(x, y), lhs_contracting_dims={1,2}, rhs_contracting_dims={1,0}
---
x = f32[5] parameter(0)
y = f32[33] parameter(1)
ROOT r = f32[5,33] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}
---
x = f32[40,17] parameter(0)
y = f32[17] parameter(1)
ROOT r = f32[40] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f32[17] parameter(0)
y = f32[17,40] parameter(1)
ROOT r = f32[40] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
---
x = bf16[20,70] parameter(0)
y = bf16[70,35] parameter(1)
ROOT r = bf16[20,35] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = bf16[20,70] parameter(0)
y = bf16[70,35] parameter(1)
ROOT r = f32[20,35] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = s32[20,70] parameter(0)
y = s32[70,35] parameter(1)
ROOT r = s32[20,35] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = s8[20,70] parameter(0)
y = s8[70,35] parameter(1)
ROOT r = s32[20,35] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f64[20,70] parameter(0)
y = f64[70,35] parameter(1)
ROOT r = f64[20,35] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f32[4,0] parameter(0)
y = f32[0,5] parameter(1)
ROOT r = f32[4,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f32[64,50] parameter(0)
y = f32[50,96] parameter(1)
b = f32[96] parameter(2)
z = f32[] constant(0)
zs = f32[64,96] broadcast(z), dimensions={}
n = f32[64,50] negate(x)
d = f32[64,96] dot(n, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
c = f32[64,96] broadcast(b), dimensions={1}
s = f32[64,96] add(d, c)
ROOT r = f32[64,96] maximum(s, zs)
---
x = f32[1,3,1,5] parameter(0)
y = f32[5,1,8] parameter(1)
ROOT r = f32[1,3,1,1,8] dot(x, y), lhs_contracting_dims={3}, rhs_contracting_dims={0}
---
x = pred[9,20] parameter(0)
y = pred[20,9] parameter(1)
ROOT r = pred[9,9] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
",
    );
    for (m, n, k) in [
        (1, 1, 1),
        (1, 70, 33),
        (70, 1, 33),
        (33, 65, 1),
        (130, 70, 40),
        (16, 16, 5000),
        (2, 300, 3),
        (100, 3, 20),
    ] {
        for (lc, rc) in [(1, 0), (0, 0), (1, 1), (0, 1)] {
            let l = if lc == 1 { format!("{m},{k}") } else { format!("{k},{m}") };
            let r = if rc == 0 { format!("{k},{n}") } else { format!("{n},{k}") };
            all.push(format!(
                "x = f32[{l}] parameter(0)\ny = f32[{r}] parameter(1)\n\
                 ROOT r = f32[{m},{n}] dot(x, y), lhs_contracting_dims={{{lc}}}, rhs_contracting_dims={{{rc}}}"
            ));
        }
    }
    all_agree(&all);
}

#[test]
fn convolutions() {
    all_agree(&entries(
        "
x = f32[2,8,9,3] parameter(0)
w = f32[3,3,3,20] parameter(1)
ROOT r = f32[2,6,7,20] convolution(x, w), window={size=3x3}, dim_labels=b01f_01io->b01f
---
x = f32[2,8,9,3] parameter(0)
w = f32[3,3,3,20] parameter(1)
ROOT r = f32[2,8,9,20] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
---
x = f32[2,3,8,40] parameter(0)
w = f32[5,3,3,2] parameter(1)
ROOT r = f32[2,5,4,20] convolution(x, w), window={size=3x2 stride=2x2 pad=1_1x0_0}, dim_labels=bf01_oi01->bf01
---
x = f32[1,8,3] parameter(0)
w = f32[3,3,4] parameter(1)
ROOT r = f32[1,17,4] convolution(x, w), window={size=3 pad=2_2 lhs_dilate=2}, dim_labels=b0f_0io->b0f
---
x = f32[1,20,3] parameter(0)
w = f32[3,3,4] parameter(1)
ROOT r = f32[1,16,4] convolution(x, w), window={size=3 rhs_dilate=2}, dim_labels=b0f_0io->b0f
---
x = f32[1,20,3] parameter(0)
w = f32[3,3,4] parameter(1)
ROOT r = f32[1,18,4] convolution(x, w), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f
---
x = f32[2,9,6] parameter(0)
w = f32[3,2,9] parameter(1)
ROOT r = f32[2,9,9] convolution(x, w), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=3
---
x = f32[2,9,32] parameter(0)
w = f32[3,1,32] parameter(1)
ROOT r = f32[2,9,32] convolution(x, w), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=32
---
x = f32[6,9,4] parameter(0)
w = f32[3,4,6] parameter(1)
ROOT r = f32[2,9,6] convolution(x, w), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, batch_group_count=3
---
x = bf16[1,6,6,8] parameter(0)
w = bf16[3,3,8,16] parameter(1)
ROOT r = bf16[1,6,6,16] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
---
x = f32[4,8,9,3] parameter(0)
w = f32[8,9,3,5] parameter(1)
ROOT r = f32[4,1,1,5] convolution(x, w), window={size=8x9}, dim_labels=b01f_01io->b01f
---
x = f32[3,4] parameter(0)
w = f32[4,5] parameter(1)
ROOT r = f32[3,5] convolution(x, w), dim_labels=bf_io->bf
---
x = f32[2,8,9,3] parameter(0)
w = f32[3,3,3,20] parameter(1)
b = f32[20] parameter(2)
c = f32[2,8,9,20] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
d = f32[2,8,9,20] broadcast(b), dimensions={3}
s = f32[2,8,9,20] add(c, d)
ROOT r = f32[2,8,9,20] tanh(s)
",
    ));
}

#[test]
fn sorts() {
    let mut all = entries(
        "
x = f32[7,20] parameter(0)
ROOT r = f32[7,20] sort(x), dimensions={0}, to_apply=lt
---
x = f32[4,6,20] parameter(0)
ROOT r = f32[4,6,20] sort(x), dimensions={1}, to_apply=lt
---
x = f32[5,33] parameter(0)
n = f32[5,33] sqrt(x)
ROOT r = f32[5,33] sort(n), dimensions={1}, to_apply=total
---
x = f32[5,33] parameter(0)
i = s32[5,33] iota(), iota_dimension=1
ROOT r = (f32[5,33], s32[5,33]) sort(x, i), dimensions={1}, is_stable=true, to_apply=gt2
---
x = f32[0] parameter(0)
ROOT r = f32[0] sort(x), dimensions={0}, to_apply=lt
",
    );
    for n in [1, 2, 3, 64, 65, 100, 1000] {
        all.push(format!(
            "x = f32[{n}] parameter(0)\ni = s32[{n}] iota(), iota_dimension=0\n\
             ROOT r = (f32[{n}], s32[{n}]) sort(x, i), dimensions={{0}}, is_stable=true, to_apply=gt2"
        ));
    }
    all_agree(&all);
}
