//! Reductions: lengths around every chunk and vector, all axes, all types, several at once.

use super::common::region::{agree, all_agree, entries, plan_and_code, plan_of};

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

/// Elements that are long to compute stand once, in a loop, whether or not the combiner has an identity.
#[test]
fn reductions_of_long_elements() {
    let mut all = Vec::new();
    for (dims, result, reduced) in [
        ("2,3", "2", 1),
        ("70,5", "70", 1),
        ("3,64", "3", 1),
        ("2,100", "2", 1),
        ("3,200", "3", 1),
        ("4130", "", 0),
        ("4200", "", 0),
        ("20,300", "300", 0),
        ("300,20", "20", 0),
    ] {
        let head = format!(
            "x = f32[{dims}] parameter(0)\ne = f32[{dims}] exponential(x)\ni = f32[] constant(-inf)\n\
             z = f32[] constant(0)\n"
        );
        for to_apply in ["add", "max"] {
            all.push(format!(
                "{head}ROOT r = f32[{result}] reduce(e, z), dimensions={{{reduced}}}, to_apply={to_apply}"
            ));
        }
        all.push(format!(
            "{head}n = s32[{dims}] iota(), iota_dimension={reduced}\nj = s32[] constant(0)\n\
             ROOT r = (f32[{result}], s32[{result}]) reduce(e, n, i, j), dimensions={{{reduced}}}, to_apply=argmax"
        ));
    }
    all_agree(&all);
}

/// Of equal elements the first wins, in whatever order they are combined; positions may also go down, or be those of
/// another dimension, and a narrow type does not hold them all.
#[test]
fn positions_of_the_greatest_element() {
    let mut all = Vec::new();
    for (dims, result, reduced) in
        [("3,5", "3", 1), ("3,200", "3", 1), ("2,1030", "2", 1), ("9000", "", 0), ("300,20", "20", 0)]
    {
        let head = format!(
            "b = s8[{dims}] parameter(0)\nx = f32[{dims}] convert(b)\ni = f32[] constant(-inf)\nj = s32[] constant(0)\n\
             p = s32[{dims}] iota(), iota_dimension={reduced}\n"
        );
        let narrow = format!("m = s8[{dims}] convert(p)\nn = s32[{dims}] convert(m)");
        let positions = [
            format!("n = s32[{dims}] add(p, p)"),
            format!("n = s32[{dims}] copy(p)"),
            format!("n = s32[{dims}] negate(p)"),
            format!("n = s32[{dims}] iota(), iota_dimension=0"),
            narrow,
        ];
        for n in positions {
            all.push(format!(
                "{head}{n}\nROOT r = (f32[{result}], s32[{result}]) reduce(x, n, i, j), dimensions={{{reduced}}}, \
                 to_apply=argmax"
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
fn short_lines_of_several_rows_are_folded_as_they_lie() {
    // Shape, what is reduced, what is kept, and the rows of a block: lines that begin anywhere in a vector, chunks that end within a
    // line, blocks with fewer rows than others, one phase and two; last, lines of whole vectors, short enough and too long.
    for (dims, reduced, kept, rows) in [
        ("9,13,21", "0,2", "13", "line by line of 13 rows"),
        ("70,3,70", "0,2", "3", "line by line of 3 rows"),
        ("3,150,5", "0,2", "150", ""),
        ("7,150,5", "0,2", "150", "line by line of 50 rows"),
        ("2,5,3,2,7", "1,2,4", "2,2", "line by line of 2 rows"),
        ("2,2100,2,3", "1,3", "2,2", "line by line of 2 rows"),
        ("20,50,32", "0,2", "50", "line by line of 25 rows"),
        ("20,50,96", "0,2", "50", ""),
    ] {
        for (op, init) in [("add", "1"), ("max", "-inf")] {
            let entry = format!(
                "x = f32[{dims}] parameter(0)\ni = f32[] constant({init})\nw = f32[{kept}] parameter(1)\n\
                 t = f32[{dims}] tanh(x)\nr = f32[{kept}] reduce(t, i), dimensions={{{reduced}}}, to_apply={op}\n\
                 ROOT m = f32[{kept}] multiply(r, w)"
            );
            assert_eq!(agree(&entry), Ok(()), "{entry}");
            let [plan, _] = plan_and_code(&entry);
            assert!(plan.contains(rows), "{dims}: {plan}");
            assert_eq!(plan.contains("line by line"), !rows.is_empty(), "{dims}: {plan}");
        }
    }
    // Halves, whose sums are wider, and two arrays of which one has no such lines.
    for entry in [
        "x = bf16[9,40,70] parameter(0)\ni = bf16[] constant(0)\n\
         ROOT r = bf16[40] reduce(x, i), dimensions={0,2}, to_apply=add_bf16",
        "x = f32[9,40,70] parameter(0)\ny = f32[9,40] parameter(1)\nb = f32[9,40,70] broadcast(y), dimensions={0,1}\n\
         m = f32[9,40,70] multiply(x, b)\ni = f32[] constant(0)\nROOT r = f32[40] reduce(m, i), dimensions={0,2}, to_apply=add",
    ] {
        assert_eq!(agree(entry), Ok(()), "{entry}");
    }
}

#[test]
fn what_elements_of_a_line_share_is_computed_once() {
    // The root of a row's weight, among sums over rows and columns.
    let sum = |rows: i64, columns: i64, op: &str| {
        format!(
            "x = f32[{rows},{columns}] parameter(0)\nw = f32[{rows}] parameter(1)\ni = f32[] constant(0)\n\
             a = f32[{rows}] abs(w)\nr = f32[{rows}] sqrt(a)\nb = f32[{rows},{columns}] broadcast(r), dimensions={{0}}\n\
             m = f32[{rows},{columns}] multiply(x, b)\nROOT s = f32[] reduce(m, i), dimensions={{0,1}}, to_apply={op}"
        )
    };
    // Several lines in a chunk, several chunks in a line; what is no whole number of blocks has no lines.
    for (rows, columns, line) in [
        (20, 512, "in lines of 512"),
        (3, 8192, "in lines of 4096"),
        (40, 64, "in lines of 64"),
        (20, 500, ""),
    ] {
        for op in ["add", "max"] {
            let entry = sum(rows, columns, op);
            assert_eq!(agree(&entry), Ok(()), "{entry}");
            let [plan, code] = plan_and_code(&entry);
            assert!(plan.contains(line), "{plan}");
            assert_eq!(plan.contains("in lines"), !line.is_empty(), "{plan}");
            if !line.is_empty() {
                assert_eq!(code.matches("sqrt").count(), 1, "{plan}\n{code}");
            }
        }
    }
}

#[test]
fn totals_of_phases_before_are_loaded_once() {
    let entry = "x = f32[64,512] parameter(0)\ni = f32[] constant(0)\n\
         s = f32[] reduce(x, i), dimensions={0,1}, to_apply=add\nr = f32[] exponential(s)\n\
         b = f32[64,512] broadcast(r), dimensions={}\nROOT d = f32[64,512] divide(x, b)";
    assert_eq!(agree(entry), Ok(()));
    let [plan, code] = plan_and_code(entry);
    let inner = code.rsplit("for ").next().unwrap_or_default();
    assert!(inner.contains("fdiv") && !inner.contains("load s"), "{plan}\n{code}");
}

#[test]
fn rows_of_one_vector_are_halved_together() {
    let sum = |rows: i64, columns: i64| {
        format!(
            "x = f32[{rows},{columns}] parameter(0)\ni = f32[] constant(0)\n\
             ROOT s = f32[{rows}] reduce(x, i), dimensions={{1}}, to_apply=add"
        )
    };
    // The last rows are fewer than a vector.
    for (rows, columns, together) in
        [(800, 16, true), (795, 16, true), (80, 16, false), (800, 12, false), (800, 64, false)]
    {
        let entry = sum(rows, columns);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        assert_eq!(plan.contains("results of 16 stored together"), together, "{plan}\n{code}");
    }
}

/// The squared distances of a row to others, divided by their sum: the last group may lack some, unless there are few.
#[test]
fn distances_within_a_row_are_halved_together() {
    for (others, columns, together) in [
        (150, 32, Some(16)),
        (131, 24, Some(16)),
        (160, 40, Some(16)),
        (129, 70, Some(16)),
        (72, 32, Some(8)),
        (45, 32, Some(4)),
        (29, 32, None),
    ] {
        let entry = format!(
            "x = f32[20,{columns}] parameter(0)\ny = f32[{others},{columns}] parameter(1)\n\
             xs = f32[20,{others},{columns}] broadcast(x), dimensions={{0,2}}\n\
             ys = f32[20,{others},{columns}] broadcast(y), dimensions={{1,2}}\n\
             d = f32[20,{others},{columns}] subtract(xs, ys)\nq = f32[20,{others},{columns}] multiply(d, d)\n\
             i = f32[] constant(0)\ns = f32[20,{others}] reduce(q, i), dimensions={{2}}, to_apply=add\n\
             r = f32[20] reduce(s, i), dimensions={{1}}, to_apply=add\n\
             b = f32[20,{others}] broadcast(r), dimensions={{0}}\nROOT t = f32[20,{others}] divide(s, b)"
        );
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let plan = plan_of(&entry);
        let first = plan.split("stage 1").next().unwrap_or_default();
        let told = together.map(|n| format!("results of {n} stored together"));
        assert!(told.as_ref().is_none_or(|t| first.contains(t)), "{others}, {columns}: {plan}");
        assert_eq!(first.contains("stored together"), told.is_some(), "{others}, {columns}: {plan}");
    }
}

#[test]
fn rows_that_all_pairs_read_are_halved_together() {
    // The distances of all pairs of rows, in rows of several vectors, each of which is read by many pairs; those of rows that are
    // read once; and longer ones, which halving is little beside.
    for (rows, others, columns, together) in
        [(40, 30, 64, true), (33, 19, 100, true), (600, 1, 64, false), (40, 30, 300, false)]
    {
        let entry = format!(
            "x = f32[{rows},{columns}] parameter(0)\ny = f32[{others},{columns}] parameter(1)\n\
             xs = f32[{rows},{others},{columns}] broadcast(x), dimensions={{0,2}}\n\
             ys = f32[{rows},{others},{columns}] broadcast(y), dimensions={{1,2}}\n\
             d = f32[{rows},{others},{columns}] subtract(xs, ys)\nq = f32[{rows},{others},{columns}] multiply(d, d)\n\
             i = f32[] constant(0)\nROOT s = f32[{rows},{others}] reduce(q, i), dimensions={{2}}, to_apply=add"
        );
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        assert_eq!(plan.contains("results of 16 stored together"), together, "{plan}\n{code}");
    }
}
