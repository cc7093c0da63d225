//! Sorts by keys: in vectors along the row, of rows that are turned, and of short rows by networks.

use super::common::region::{agree_module, plan_of};

/// A comparator of JAX: zeros of both signs are equal, all NaN come last; of so many more pairs of arguments.
fn less(dtype: &str, others: &[&str]) -> String {
    let mut text = format!("less {{ a = {dtype}[] parameter(0)\n  b = {dtype}[] parameter(1)\n");
    for (n, other) in others.iter().enumerate() {
        let first = 2 + 2 * n;
        text +=
            &format!("  o{n} = {other}[] parameter({first})\n  p{n} = {other}[] parameter({})\n", first + 1);
    }
    if dtype.starts_with('s') || dtype.starts_with('u') {
        return text + "  ROOT r = pred[] compare(a, b), direction=LT }\n";
    }
    text += &format!("  z = {dtype}[] constant(0)\n  n = {dtype}[] constant(nan)\n");
    for x in ["a", "b"] {
        text += &format!(
            "  {x}0 = pred[] compare({x}, z), direction=EQ\n  {x}1 = {dtype}[] select({x}0, z, {x})\n
             {x}2 = pred[] compare({x}, {x}), direction=NE\n  {x}3 = {dtype}[] select({x}2, n, {x}1)\n"
        );
    }
    text + "  ROOT r = pred[] compare(a3, b3), direction=LT, type=TOTALORDER }\n"
}

/// Many zeros of both signs beside numbers and NaN, of an array `p`.
fn with_zeros(shape: &str, dtype: &str) -> String {
    if dtype.starts_with('s') || dtype.starts_with('u') {
        return format!("  c = {shape} constant(7)\n  x = {shape} remainder(p, c)\n")
            .replace(&format!("{shape} constant(7)"), &format!("{shape} broadcast(seven), dimensions={{}}"));
    }
    format!(
        "  l = {shape} broadcast(seven), dimensions={{}}\n  q = {shape} abs(p)\n
         few = pred{} compare(q, l), direction=LT\n  z = {dtype}[] constant(0)\n
         zs = {shape} broadcast(z), dimensions={{}}\n  o = {shape} multiply(p, zs)\n
         x = {shape} select(few, o, p)\n",
        &shape[dtype.len()..]
    )
}

fn module(dtype: &str, dims: &str, body: &str, others: &[&str]) -> String {
    let shape = format!("{dtype}[{dims}]");
    format!(
        "HloModule m\n{}ENTRY e {{\n  p = {shape} parameter(0)\n  seven = {dtype}[] constant(7)\n{}{body} }}\n",
        less(dtype, others),
        with_zeros(&shape, dtype)
    )
}

fn check(all: Vec<String>) {
    let mut wrong = Vec::new();
    for text in &all {
        if let Err(error) = agree_module(text) {
            wrong.push(format!("{error}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

const SHAPES: [(&str, usize); 20] = [
    ("20,1", 1),
    ("1,20", 0),
    ("20,3", 1),
    ("40,9", 1),
    ("18,16", 1),
    ("5,33", 1),
    ("3,300", 1),
    ("2,1030", 1),
    ("2,40", 0),
    ("9,33", 0),
    ("16,18", 0),
    ("31,17", 0),
    ("33,20", 0),
    ("65,35", 0),
    ("260,17", 0),
    ("33,3", 0),
    ("4,9,20", 1),
    ("3,40,17", 1),
    ("1,5", 1),
    ("0,7", 1),
];

#[test]
fn rows_of_all_lengths_with_ties() {
    let mut all = Vec::new();
    for dtype in ["f32", "f64", "bf16", "f16", "s32", "u8"] {
        for (dims, dimension) in SHAPES {
            let body =
                format!("  ROOT r = {dtype}[{dims}] sort(x), dimensions={{{dimension}}}, to_apply=less");
            all.push(module(dtype, dims, &body, &[]));
        }
    }
    check(all);
}

#[test]
fn places_and_other_arrays_go_along() {
    let mut all = Vec::new();
    for dtype in ["f32", "bf16", "u8"] {
        for (dims, dimension) in SHAPES {
            let shape = format!("{dtype}[{dims}]");
            let body = format!(
                "  i = s32[{dims}] iota(), iota_dimension={dimension}\n  y = {shape} add(x, x)\n
                 ROOT r = ({shape}, s32[{dims}], {shape}) sort(x, i, y), dimensions={{{dimension}}}, is_stable=true, to_apply=less"
            );
            all.push(module(dtype, dims, &body, &["s32", dtype]));
            let body = format!(
                "  i = s16[{dims}] iota(), iota_dimension={dimension}\n
                 t = ({shape}, s16[{dims}]) sort(x, i), dimensions={{{dimension}}}, is_stable=true, to_apply=less\n
                 ROOT r = s16[{dims}] get-tuple-element(t), index=1"
            );
            all.push(module(dtype, dims, &body, &["s16"]));
        }
    }
    check(all);
}

/// Zeros and NaN are put back where they are wanted only.
#[test]
fn the_first_of_sorted_rows() {
    let mut all = Vec::new();
    for (dims, dimension, kept) in [
        ("40,9", 1, "0:40],[0:4"),
        ("9,33", 0, "0:3],[0:33"),
        ("65,35", 0, "0:19],[0:35"),
        ("3,300", 1, "0:3],[0:70"),
    ] {
        let of = |range: &str| range.split(':').nth(1).map_or(0, |n| n.parse::<i64>().unwrap_or(0));
        let out: Vec<String> = kept.split("],[").map(|r| of(r).to_string()).collect();
        let body = format!(
            "  s = f32[{dims}] sort(x), dimensions={{{dimension}}}, to_apply=less\n
             ROOT r = f32[{}] slice(s), slice={{[{kept}]}}",
            out.join(",")
        );
        all.push(module("f32", dims, &body, &[]));
    }
    check(all);
}

#[test]
fn plans_name_their_sorts() {
    let plan = |dims: &str, dimension: usize| {
        plan_of(&format!(
            "x = f32[{dims}] parameter(0)\nROOT r = f32[{dims}] sort(x), dimensions={{{dimension}}}, to_apply=total"
        ))
    };
    for (dims, dimension, name) in [
        ("400,9", 1, "sort of keys by a network, 16 lanes along loop 0"),
        ("40,400", 0, "sort of keys in vectors, turned, 16 lanes along loop 0"),
        ("40,400", 1, "sort of keys in vectors of 16 lanes"),
    ] {
        let found = plan(dims, dimension);
        assert!(found.contains(name), "{name} in {found}");
    }
}
