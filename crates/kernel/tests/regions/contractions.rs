//! Windows, dots, convolutions and sorts.

use super::common::region::{agree, agree_on, all_agree, entries, plan_and_code, plan_of, work};
use lawson_kernel::rates::Rates;
use lawson_kernel::target::Target;

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
ROOT r = f32[6,12] reduce-window(x, i), window={size=2x3 stride=3x2 pad=1_0x4_2 lhs_dilate=2x1 rhs_dilate=1x1}, to_apply=add
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
fn products_of_few_elements_with_a_vector_are_part_of_a_map() {
    // A step of Runge and Kutta's: the weighted sum of seven stages, and the norm of each row of two.
    let rows = |count: i64, k: i64| {
        format!(
            "x = f32[{count},2,{k}] parameter(0)\nw = f32[{k}] parameter(1)\nz = f32[{count}] parameter(2)\n\
             sum = f32[{count},2] dot(x, w), lhs_contracting_dims={{2}}, rhs_contracting_dims={{0}}\n\
             part = f32[{count},2] sine(sum)\n\
             norm = f32[{count}] dot(part, part), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, \
             lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}\n\
             ROOT r = f32[{count}] add(norm, z)"
        )
    };
    for (count, k, products) in [(64, 7, 1), (37, 1, 1), (5, 8, 1), (64, 9, 2)] {
        let entry = rows(count, k);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        // The second is that of the kernel.
        assert_eq!(plan.matches("contract,").count(), products, "{plan}\n{code}");
    }
    // Elements that serve several results are a product's: here each of both operands does.
    let [plan, _] = plan_and_code(
        "x = f32[64,3] parameter(0)\ny = f32[3,40] parameter(1)\nz = f32[64,40] parameter(2)\n\
         made = f32[64,40] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n\
         ROOT r = f32[64,40] add(made, z)",
    );
    assert!(plan.contains("contract,"), "{plan}");
}

#[test]
fn operands_are_computed_in_the_product() {
    let mut all = entries(
        "
x = f32[3,40,5,20] parameter(0)
e = f32[3,40,5,20] exponential(x)
y = f32[3,5,20,33] parameter(1)
ROOT r = f32[3,40,33] dot(e, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2,3}, rhs_contracting_dims={1,2}
---
x = bf16[40,70] parameter(0)
n = bf16[40,70] negate(x)
y = bf16[70,50] parameter(1)
ROOT r = f32[40,50] dot(n, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = s32[40,70] parameter(0)
n = s32[40,70] multiply(x, x)
y = s32[70,50] parameter(1)
ROOT r = s32[40,50] dot(n, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
---
x = f32[90] parameter(0)
e = f32[90] exponential(x)
y = f32[90,50] parameter(1)
ROOT r = f32[50] dot(e, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
---
x = f32[2,8,9,3] parameter(0)
e = f32[2,8,9,3] exponential(x)
y = f32[3,3,3,20] parameter(1)
ROOT r = f32[2,8,9,20] convolution(e, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
",
    );
    for (m, n, k) in
        [(40, 200, 33), (7, 20, 300), (128, 64, 20), (33, 70, 1), (20, 3, 40), (1, 40, 70), (14, 70, 1030)]
    {
        for (lc, rc) in [(1, 0), (0, 1)] {
            let l = if lc == 1 { format!("{m},{k}") } else { format!("{k},{m}") };
            let r = if rc == 0 { format!("{k},{n}") } else { format!("{n},{k}") };
            for (a, b) in [("e", "y"), ("x", "f"), ("e", "f")] {
                all.push(format!(
                    "x = f32[{l}] parameter(0)\ny = f32[{r}] parameter(1)\nc = f32[{m},{n}] parameter(2)\n\
                     e = f32[{l}] exponential(x)\nf = f32[{r}] multiply(y, y)\n\
                     d = f32[{m},{n}] dot({a}, {b}), lhs_contracting_dims={{{lc}}}, rhs_contracting_dims={{{rc}}}\n\
                     ROOT r = f32[{m},{n}] add(d, c)"
                ));
            }
        }
    }
    all_agree(&all);
}

#[test]
fn operands_of_products_are_computed_once() {
    for (m, n, k) in [(300, 500, 700), (512, 512, 64), (128, 256, 1024)] {
        let product = |a: &str, b: &str| {
            format!(
                "x = f32[{m},{k}] parameter(0)\ny = f32[{k},{n}] parameter(1)\n\
                 e = f32[{m},{k}] exponential(x)\nf = f32[{k},{n}] exponential(y)\n\
                 ROOT d = f32[{m},{n}] dot({a}, {b}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
            )
        };
        let plain = work(&product("x", "y"));
        for (a, b, elements) in [("e", "y", m * k), ("x", "f", k * n)] {
            let extra = work(&product(a, b)) - plain;
            let exponential = Rates::CPU.weight(lawson_hlo::Opcode::Exponential, lawson_hlo::DType::F32);
            let copied = Rates::CPU.pack + 2;
            let once = elements * (exponential + copied);
            // Smaller blocks, for more tasks, compute it twice at most and copy the packed operand as often.
            let packed = k * n * copied;
            assert!(extra <= 2 * once + packed, "{m}x{n}x{k}: {a} @ {b} adds {extra}, not {once}");
        }
    }
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

/// Rows and columns that are no multiples of register tiles of any shape, operands that have the tile's shape and are not
/// packed, over one loop of k and several.
#[test]
fn register_tiles_of_all_shapes() {
    let dot = |dtype: &str, (m, k, n): (i64, i64, i64)| {
        format!(
            "a = {dtype}[{m},{k}] parameter(0)\nb = {dtype}[{k},{n}] parameter(1)\n\
             ROOT r = {dtype}[{m},{n}] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        )
    };
    let shapes = [(56, 5, 64), (17, 6, 90), (29, 4, 40), (9, 7, 33), (64, 3, 100), (13, 5, 20)];
    let mut all: Vec<String> = shapes.iter().map(|&shape| dot("f32", shape)).collect();
    all.extend([(15, 5, 40), (28, 4, 20), (31, 9, 70)].map(|shape| dot("f64", shape)));
    all.extend(entries(
        "
x = f32[1,9,16,3] parameter(0)
w = f32[3,3,3,40] parameter(1)
ROOT r = f32[1,7,14,40] convolution(x, w), window={size=3x3}, dim_labels=b01f_01io->b01f
---
x = f32[1,4,17,2] parameter(0)
w = f32[2,3,2,33] parameter(1)
ROOT r = f32[1,3,15,33] convolution(x, w), window={size=2x3}, dim_labels=b01f_01io->b01f
---
x = f32[1,2,5,30] parameter(0)
w = f32[30,2,3,3] parameter(1)
ROOT r = f32[1,30,3,28] convolution(x, w), window={size=3x3}, dim_labels=bf01_oi01->bf01
",
    ));
    all_agree(&all);
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

/// Products whose operands lie along k or across it, as they are and with something to compute.
#[test]
fn operands_against_their_order_are_turned() {
    let entry = |dtype: &str, (m, n, k): (i64, i64, i64), (l, r): (usize, usize), dear: bool| {
        let x = if l == 0 { [k, m] } else { [m, k] };
        let y = if r == 0 { [k, n] } else { [n, k] };
        let (x, y) = (format!("{dtype}[{},{}]", x[0], x[1]), format!("{dtype}[{},{}]", y[0], y[1]));
        let (a, b) = if dear { ("ax", "ay") } else { ("x", "y") };
        format!(
            "  x = {x} parameter(0)
  y = {y} parameter(1)
  ax = {x} add(x, x)
  ay = {y} multiply(y, y)
  ROOT p = {dtype}[{m},{n}] dot({a}, {b}), lhs_contracting_dims={{{l}}}, rhs_contracting_dims={{{r}}}"
        )
    };
    let mut all = Vec::new();
    for (l, r) in [(0, 0), (0, 1), (1, 1)] {
        for dtype in ["f32", "bf16", "f64", "s32", "s8"] {
            all.push(entry(dtype, (40, 50, 30), (l, r), dtype == "bf16"));
        }
        all.push(entry("f32", (33, 17, 300), (l, r), false));
        all.push(entry("f32", (65, 70, 21), (l, r), true));
        all.push(entry("f16", (20, 130, 300), (l, r), true));
    }
    let plan = plan_of(&entry("f32", (320, 64, 300), (0, 1), false));
    assert!(
        plan.contains("rhs packed and turned before, lhs ahead for 64 columns, 8 lanes along the rows"),
        "{plan}"
    );
    all_agree(&all);
    // In caches so small that k is cut; 45 rows leave a rest of tiles.
    let small = Target { l2: 4 << 10, ..Target::zen4() };
    let cut = entry("f32", (45, 50, 300), (0, 0), true);
    let plan = agree_on(&cut, &small).unwrap_or_else(|e| panic!("{e}"));
    assert!(plan.contains("k in blocks of 64") && plan.contains("along the rows"), "{plan}");
}

/// What several tasks would compute ahead, each for itself, a phase before them computes once: in order along k or along the rows,
/// with rows that are no whole tiles, with k in one pass or in several, of one product and of many.
#[test]
fn what_tasks_share_is_computed_ahead_once() {
    let near = Target { l1: 4 << 10, ..Target::zen4() };
    let cut = Target { l2: 16 << 10, ..near.clone() };
    let product = |batch: &str, (m, k): (i64, i64), prologue: &str| {
        let (dims, numbers) = match batch {
            "" => (["", ""], "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            _ => (
                [batch, "0"],
                "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}",
            ),
        };
        let batch = if dims[0].is_empty() { String::new() } else { format!("{},", dims[0]) };
        let x = format!("f32[{batch}{k},{m}]");
        format!(
            "x = {x} parameter(0)\ny = f32[{batch}{k},512] parameter(1)\nz = {x} {prologue}\n\
             ROOT r = f32[{batch}{m},512] dot(z, y), {numbers}"
        )
    };
    for target in [&near, &cut] {
        for (batch, size, prologue) in
            [("", (66, 120), "negate(x)"), ("", (67, 121), "negate(x)"), ("2", (41, 120), "tanh(x)")]
        {
            let entry = product(batch, size, prologue);
            let plan = agree_on(&entry, target).unwrap_or_else(|e| panic!("{e}"));
            assert!(plan.contains("ahead in tasks of"), "{entry}\n{plan}");
        }
        let along_k = "x = f32[45,80] parameter(0)\ny = f32[80,512] parameter(1)\nz = f32[45,80] tanh(x)\n\
                       ROOT r = f32[45,512] dot(z, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
        let plan = agree_on(along_k, target).unwrap_or_else(|e| panic!("{e}"));
        assert!(plan.contains("ahead in tasks of") && !plan.contains("along the rows"), "{plan}");
    }
}

/// Rows that follow each other in memory, with few columns.
#[test]
fn the_next_rows_are_brought_near() {
    let small = Target { l2: 4 << 10, ..Target::zen4() };
    for (m, k, n) in [(150, 20, 16), (61, 33, 12)] {
        let entry = format!(
            "x = f32[{m},{k}] parameter(0)\ny = f32[{k},{n}] parameter(1)\n\
             ROOT r = f32[{m},{n}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        );
        let plan = agree_on(&entry, &small).unwrap_or_else(|e| panic!("{e}"));
        assert!(plan.contains("the next rows of lhs brought near"), "{plan}");
    }
}

/// Of two axes of rows one lies at multiples of a page: those of a tile would share a set of the first-level cache.
#[test]
fn rows_of_a_tile_share_no_set() {
    let entry = |rows: i64, columns: i64| {
        format!(
            "x = f32[{columns},2,{rows},4] parameter(0)\ny = f32[2,4,16] parameter(1)\n\
             t = f32[{rows},{columns},2,4] transpose(x), dimensions={{2,0,1,3}}\n\
             ROOT r = f32[{rows},{columns},16] dot(t, y), lhs_contracting_dims={{2,3}}, rhs_contracting_dims={{0,1}}"
        )
    };
    // From column to column 4 KiB, from row to row 16 bytes.
    let plan = plan_of(&entry(128, 24));
    assert!(plan.contains(", 128 rows for each task"), "{plan}");
    // From column to column less than a page.
    let plan = plan_of(&entry(127, 24));
    assert!(plan.contains(", 24 rows for each task"), "{plan}");
    all_agree(&[entry(128, 24), entry(127, 24), entry(128, 3)]);
}

/// One chain for each row, as `strict` wants it, with lanes along the rows: of lengths that leave a rest, beside several
/// matrices, with something to compute.
#[test]
fn rows_of_matrices_are_turned_for_a_vector() {
    let entry = |dtype: &str, m: i64, k: i64| {
        format!(
            "a = {dtype}[{m},{k}] parameter(0)\nx = {dtype}[{k}] parameter(1)\n\
             ROOT r = {dtype}[{m}] dot(a, x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        )
    };
    let plan = plan_of(&entry("f32", 40, 300));
    assert!(plan.contains("k in blocks of 64, 1 rows for each task, lhs packed and turned"), "{plan}");
    let mut all =
        vec![entry("f32", 40, 300), entry("f32", 33, 1031), entry("f64", 20, 520), entry("bf16", 40, 580)];
    all.push(
        "a = f32[2,36,300] parameter(0)\nx = f32[2,300] parameter(1)\ny = f32[2,300] negate(x)\n\
         b = f32[2,36,300] multiply(a, a)\nROOT r = f32[2,36] dot(b, y), lhs_batch_dims={0}, \
         lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}"
            .into(),
    );
    all_agree(&all);
}

/// What is packed of a kernel serves the rows of several images and lines; the last task has fewer.
#[test]
fn what_is_packed_serves_several_blocks_of_rows() {
    let entry = "x = f32[2,11,18,3] parameter(0)\nw = f32[3,3,20,3] parameter(1)\n\
                 ROOT r = f32[2,9,16,20] convolution(x, w), window={size=3x3}, dim_labels=b01f_01oi->b01f";
    let plan = plan_of(entry);
    assert!(plan.contains("rhs packed, over 2 points of loop 1"), "{plan}");
    all_agree(&[entry.to_owned()]);
    // In caches so small that k is cut, the sums of all these rows rest in memory.
    let small = Target { l2: 4 << 10, ..Target::zen4() };
    let plan = agree_on(&entry.replace(",3]", ",8]"), &small).unwrap_or_else(|e| panic!("{e}"));
    assert!(plan.contains("k in blocks of 64") && plan.contains("over 2 points"), "{plan}");
}

/// What costs something and several tasks would pack again is packed once, by a phase before them: of all columns of a kernel's
/// gradient, with columns that are no whole tiles.
#[test]
fn what_tasks_would_pack_again_is_packed_before() {
    for (features, outputs) in [(16, 16), (7, 21)] {
        let entry = format!(
            "x = f32[4,12,12,{features}] parameter(0)\ny = f32[4,10,10,{outputs}] parameter(1)\n\
             t = f32[4,10,10,{outputs}] tanh(y)\n\
             ROOT r = f32[3,3,{features},{outputs}] convolution(x, t), window={{size=10x10}}, \
             dim_labels=f01b_i01o->01bf"
        );
        let plan = plan_of(&entry);
        assert!(plan.contains("rhs packed before"), "{plan}");
        all_agree(&[entry]);
    }
    let cheap = "x = f32[60,100] parameter(0)\ny = f32[100,96] parameter(1)\n\
                 ROOT r = f32[60,96] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    assert!(!plan_of(cheap).contains("before"));
}

/// Two axes of k, of which the inner one is as long as the lanes or not, and batches.
#[test]
fn several_axes_of_k_are_turned_where_lanes_stay_on_one() {
    let entry = |(a, b): (i64, i64)| {
        format!(
            "  x = f32[2,{a},{b},40] parameter(0)
  y = f32[2,36,{a},{b}] parameter(1)
  ROOT p = f32[2,40,36] dot(x, y), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2,1}}, rhs_contracting_dims={{3,2}}"
        )
    };
    all_agree(&[(3, 16), (5, 32), (4, 7), (20, 3)].map(entry));
}

/// A vector of f64 is one register, so a tile has as many vectors as one of f32.
#[test]
fn tiles_of_f64_fill_the_registers() {
    let entry = |dtype: &str| {
        format!(
            "x = {dtype}[60,100] parameter(0)\ny = {dtype}[100,96] parameter(1)\n\
             ROOT r = {dtype}[60,96] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        )
    };
    for (dtype, lanes) in [("f32", 16), ("f64", 8)] {
        let plan = plan_of(&entry(dtype));
        assert!(plan.contains(&format!("{lanes} lanes along loop 1, tile of")), "{dtype}: {plan}");
        let tile = plan.split("tile of ").nth(1).and_then(|t| t.split(',').next()).unwrap_or_default();
        let sides: Vec<i64> = tile.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!((20..=30).contains(&sides.iter().product::<i64>()), "{dtype}: {plan}");
        all_agree(&[entry(dtype)]);
    }
}

/// Rows a multiple of a page apart share a set of the first-level cache: a tall tile copies blocks of them first.
#[test]
fn rows_that_evict_each_other_are_copied() {
    let entry = |rows: i64, k: i64| {
        format!(
            "x = f32[{rows},{k}] parameter(0)\ny = f32[{k},16] parameter(1)\n\
             ROOT r = f32[{rows},16] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        )
    };
    for (rows, k, copied) in [(16, 1024, true), (33, 2048, true), (16, 1040, false), (8, 1024, false)] {
        let plan = plan_of(&entry(rows, k));
        assert_eq!(plan.contains("lhs ahead"), copied, "{rows} {k}: {plan}");
        all_agree(&[entry(rows, k)]);
    }
}
