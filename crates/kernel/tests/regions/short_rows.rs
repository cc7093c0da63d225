//! All elements of short rows, used side by side along the rows: whole vectors and shuffles instead of gathers.

use super::common::region::{all_agree, plan_and_code};

/// The weighted sum of some columns of a matrix, taken one by one.
fn columns(dtype: &str, (rows, length): (i64, i64), wanted: &[i64]) -> String {
    let mut text = format!("x = {dtype}[{rows},{length}] parameter(0)\n");
    let mut sum = String::new();
    for &c in wanted {
        text += &format!(
            "s{c} = {dtype}[{rows},1] slice(x), slice={{[0:{rows}], [{c}:{}]}}\nc{c} = {dtype}[{rows}] reshape(s{c})\n\
             w{c} = {dtype}[] constant({c})\nb{c} = {dtype}[{rows}] broadcast(w{c}), dimensions={{}}\n\
             m{c} = {dtype}[{rows}] multiply(c{c}, b{c})\n",
            c + 1
        );
        if sum.is_empty() {
            sum = format!("m{c}");
        } else {
            text += &format!("a{c} = {dtype}[{rows}] add({sum}, m{c})\n");
            sum = format!("a{c}");
        }
    }
    text + &format!("ROOT r = {dtype}[{rows}] negate({sum})")
}

#[test]
fn columns_of_short_rows() {
    let mut all = Vec::new();
    for length in [2, 3, 4, 8, 16] {
        for dtype in ["f32", "bf16", "f64", "s32", "s8"] {
            let wanted: Vec<i64> = (0..length).collect();
            all.push(columns(dtype, (70, length), &wanted));
            all.push(columns(dtype, (9, length), &wanted));
            all.push(columns(dtype, (64, length), &wanted[1..]));
        }
    }
    // The second half of rows twice as long.
    all.push(columns("f32", (64, 16), &[8, 9, 10, 11, 12, 13, 14, 15]));
    all_agree(&all);
}

#[test]
fn what_is_used_whole_is_loaded_whole() {
    let gathers = |entry: &str| {
        let [_, code] = plan_and_code(entry);
        // Their offsets are vectors.
        code.lines().filter(|line| line.contains("iota")).count()
    };
    assert_eq!(gathers(&columns("f32", (64, 8), &[0, 1, 2, 3, 4, 5, 6, 7])), 0);
    assert_eq!(gathers(&columns("f32", (64, 4), &[0, 1, 2, 3])), 0);
    assert_eq!(gathers(&columns("f64", (64, 4), &[0, 1, 2, 3])), 0);
    assert_eq!(gathers(&columns("f32", (64, 10), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])), 0);
    assert!(gathers(&columns("f32", (64, 10), &[0, 1, 2, 3, 4, 5, 6, 7, 8])) > 0);
}

#[test]
fn reductions_of_short_rows() {
    let entry = |dtype: &str, (rows, length): (i64, i64)| {
        let suffix = if dtype == "f32" { String::new() } else { format!("_{dtype}") };
        format!(
            "x = {dtype}[{rows},{length}] parameter(0)\ny = {dtype}[{rows}] parameter(1)\n\
             b = {dtype}[{rows},{length}] broadcast(y), dimensions={{0}}\nm = {dtype}[{rows},{length}] multiply(x, b)\n\
             i = {dtype}[] constant(0)\nROOT r = {dtype}[{rows}] reduce(m, i), dimensions={{1}}, to_apply=add{suffix}"
        )
    };
    let mut all = Vec::new();
    for length in [2, 3, 4, 8, 16, 32] {
        for dtype in ["f32", "bf16", "f64"] {
            all.extend([70, 64, 9].map(|rows| entry(dtype, (rows, length))));
        }
    }
    all_agree(&all);
    for length in [4, 8, 16] {
        let [_, code] = plan_and_code(&entry("f32", (64, length)));
        assert!(!code.contains("iota"), "{code}");
    }
}
