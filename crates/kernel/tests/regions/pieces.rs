//! Loops split where pieces end: concatenations, pads, updates at fixed places.

use super::common::region::{all_agree, entries, plan_and_code, work};

/// Four pieces of these shapes, each through functions of its own, side by side.
fn four(shapes: [&str; 4], whole: &str, dim: usize) -> String {
    let functions =
        [["exponential", "tanh"], ["cosine", "tanh"], ["tanh", "exponential"], ["negate", "sine"]];
    let mut lines: Vec<String> =
        shapes.iter().enumerate().map(|(n, s)| format!("x{n} = {s} parameter({n})")).collect();
    for (n, (shape, [first, second])) in shapes.iter().zip(functions).enumerate() {
        lines.push(format!("a{n} = {shape} {first}(x{n})"));
        lines.push(format!("y{n} = {shape} {second}(a{n})"));
    }
    lines.push(format!("ROOT r = {whole} concatenate(y0, y1, y2, y3), dimensions={{{dim}}}"));
    lines.join("\n")
}

#[test]
fn pieces_of_all_sizes_along_all_axes() {
    let f = "f32";
    let along = |sizes: [i64; 4], outer: &str, inner: &str, dim| {
        let shape = |n: i64| format!("{f}[{outer}{n}{inner}]");
        let shapes = sizes.map(shape);
        four([&shapes[0], &shapes[1], &shapes[2], &shapes[3]], &shape(sizes.iter().sum()), dim)
    };
    let mut all = Vec::new();
    for sizes in
        [[64, 64, 64, 64], [33, 1, 70, 5], [1, 100, 100, 1], [0, 90, 3, 100], [400, 0, 0, 1], [2, 3, 1, 4]]
    {
        all.push(along(sizes, "", "", 0));
        all.push(along(sizes, "", ",37", 0));
        all.push(along(sizes, "9,", "", 1));
        all.push(along(sizes, "3,", ",5", 1));
        all.push(along(sizes, "2,", ",40", 1));
    }
    all_agree(&all);
}

#[test]
fn what_else_chooses_by_ranges() {
    all_agree(&entries(
        "
x = f32[60,70] parameter(0)
p = f32[] parameter(1)
e = f32[60,70] exponential(x)
t = f32[60,70] tanh(e)
ROOT r = f32[100,110] pad(t, p), padding=13_27x20_20
---
x = f32[300] parameter(0)
p = f32[] parameter(1)
e = f32[300] exponential(x)
t = f32[300] tanh(e)
ROOT r = f32[400] pad(t, p), padding=-50_150
---
x = f32[150] parameter(0)
p = f32[] parameter(1)
e = f32[150] exponential(x)
t = f32[150] tanh(e)
ROOT r = f32[700] pad(t, p), padding=200_201_1
---
x = f32[150,8] parameter(0)
p = f32[] parameter(1)
e = f32[150,8] exponential(x)
ROOT r = f32[420,4] pad(e, p), padding=60_61_1x-2_-2
---
x = bf16[40,50] parameter(0)
y = bf16[70,50] parameter(1)
e = bf16[40,50] exponential(x)
t = bf16[70,50] tanh(y)
c = bf16[110,50] concatenate(e, t), dimensions={0}
v = bf16[110,50] reverse(c), dimensions={0,1}
ROOT r = bf16[5500] reshape(v)
---
x = f32[64,16] parameter(0)
y = f32[32,16] parameter(1)
e = f32[64,16] exponential(x)
t = f32[32,16] tanh(y)
c = f32[96,16] concatenate(e, t), dimensions={0}
b = f32[7,96,16] broadcast(c), dimensions={1,2}
ROOT r = f32[16,96,7] transpose(b), dimensions={2,1,0}
---
x = f32[50,64] parameter(0)
y = f32[20,30] parameter(1)
t = f32[50,64] tanh(x)
e = f32[20,30] exponential(y)
i = s32[] constant(11)
j = s32[] constant(33)
u = f32[50,64] dynamic-update-slice(t, e, i, j)
ROOT r = f32[50,64] negate(u)
---
x = f32[200] parameter(0)
y = f32[100] parameter(1)
t = f32[100] tanh(y)
a = f32[300] concatenate(x, t), dimensions={0}
e = f32[300] exponential(a)
b = f32[400] concatenate(e, y), dimensions={0}
n = f32[400] sine(b)
ROOT r = (f32[400], f32[400]) tuple(b, n)
---
x = f32[300] parameter(0)
y = f32[300] parameter(1)
a = f32[300] tanh(x)
b = f32[300] sine(y)
c = f32[600] concatenate(a, b), dimensions={0}
i = s32[600] iota(), iota_dimension=0
f = f32[600] convert(i)
ROOT r = f32[600] multiply(c, f)
",
    ));
}

#[test]
fn a_row_is_split_within_a_nest() {
    let entry = "
x = f32[40,64] parameter(0)
y = f32[40,100] parameter(1)
a = f32[40,64] tanh(x)
b = f32[40,100] exponential(y)
c = f32[40,164] concatenate(a, b), dimensions={1}
i = f32[] constant(0)
s = f32[40] reduce(c, i), dimensions={1}, to_apply=add
w = f32[40,164] broadcast(s), dimensions={0}
d = f32[40,164] divide(c, w)
ROOT r = f32[40,164] negate(d)"
        .to_string();
    let [plan, _] = plan_and_code(&entry);
    assert!(plan.contains("rows 40"), "{plan}");
    assert!(plan.contains("map, 16 lanes along loop 1, loop 1 split in each row at 64"), "{plan}");
    all_agree(&[entry]);
}

/// A piece that is a row of a table: its reshape asks for no division where the other piece is.
#[test]
fn a_row_of_a_table_beside_another_piece_divides_nothing() {
    let entry = "
xs = f32[9,32,128] parameter(0)
h = f32[32,40] parameter(1)
w = f32[168,80] parameter(2)
i = s32[] parameter(3)
z = s32[] constant(0)
row = f32[1,32,128] dynamic-slice(xs, i, z, z), dynamic_slice_sizes={1,32,128}
x = f32[32,128] reshape(row)
c = f32[32,168] concatenate(x, h), dimensions={1}
ROOT r = f32[32,80] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
        .to_string();
    let [_, code] = plan_and_code(&entry);
    assert!(!code.contains("lshr"), "{code}");
    all_agree(&[entry]);
}

/// Entries of many pieces: too many for loops of their own.
#[test]
fn many_pieces_share_a_few_loops() {
    let mut lines = vec!["x = f32[40] parameter(0)".to_string(), "y = f32[7] parameter(1)".to_string()];
    let mut all = Vec::new();
    for n in 0..50 {
        let (from, size) = if n % 5 == 4 { ("y", 7) } else { ("x", 40) };
        let opcode = ["tanh", "exponential", "sine"][n % 3];
        lines.push(format!("v{n} = f32[{size}] {opcode}({from})"));
        all.push(format!("v{n}"));
    }
    lines.push(format!("ROOT r = f32[1670] concatenate({}), dimensions={{0}}", all.join(", ")));
    let entry = lines.join("\n");
    let [plan, _] = plan_and_code(&entry);
    let (_, cuts) = plan.split_once("loop 0 split in each row at ").expect("a split");
    let (cuts, _) = cuts.split_once(", which leaves 7 %").expect("a fourteenth");
    assert!(cuts.split(", ").count() < 16, "{plan}");
    all_agree(&[entry]);
}

#[test]
fn one_piece_is_evaluated_in_its_loop_without_masks() {
    let large = "f32[262144]";
    let flat = four([large; 4], "f32[1048576]", 0);
    let [plan, code] = plan_and_code(&flat);
    assert!(plan.contains("loop 0 split at 262144, 524288, 786432, which leaves 2"), "{plan}");
    assert_eq!(plan.matches("\n      map, 16 lanes along loop 0").count(), 4, "{plan}");
    let columns = four(["f32[1024,256]"; 4], "f32[1024,1024]", 1);
    let [plan, columns_code] = plan_and_code(&columns);
    assert!(plan.contains("loop 1 split in each row at 256, 512, 768, which leaves 2"), "{plan}");
    for code in [code, columns_code] {
        assert!(!code.contains("mask"), "{code}");
        assert_eq!(code.matches("store").count(), 4, "{code}");
    }
    let alone: i64 =
        (0..4).map(|_| work(&four([large, "f32[0]", "f32[0]", "f32[0]"], large, 0))).max().unwrap_or(0);
    assert!(work(&flat) < 5 * alone, "{} of {alone} each", work(&flat));
}

#[test]
fn what_is_cheap_or_short_stays_in_one_loop() {
    let short = four(["f32[2]"; 4], "f32[8]", 0);
    assert!(!plan_and_code(&short)[0].contains("split"));
    // All points need the most of it.
    let common = "
x = f32[1000] parameter(0)
y = f32[1000] parameter(1)
c = f32[2000] concatenate(x, y), dimensions={0}
e = f32[2000] exponential(c)
t = f32[2000] tanh(e)
s = f32[2000] sine(t)
ROOT p = f32[2000] power(s, e)";
    assert!(!plan_and_code(common)[0].contains("split"));
}
