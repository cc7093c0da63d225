//! Arrays that come from memory once: rows side by side, blocks brought near, lanes along short rows; and bytes four at a time.

use super::common::region::{agree_on, all_agree, plan_of, settled_plan_of};
use lawson_kernel::target::Target;

fn dot(types: [&str; 3], (m, k, n): (i64, i64, i64), convert: bool) -> String {
    let [a, b, r] = types;
    let operands = match convert {
        true => format!("v = {r}[{m},{k}] convert(x)\n  w = {r}[{k},{n}] convert(y)"),
        false => format!("v = {a}[{m},{k}] copy(x)\n  w = {b}[{k},{n}] copy(y)"),
    };
    format!(
        "  x = {a}[{m},{k}] parameter(0)\n  y = {b}[{k},{n}] parameter(1)\n  {operands}
  ROOT p = {r}[{m},{n}] dot(v, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
    )
}

/// Rows are far apart, so that each stream goes on; those that end with a page are neighbours, as their results are.
#[test]
fn sums_of_rows_run_side_by_side() {
    let sum = |dtype: &str, add: &str, (rows, columns): (i64, i64)| {
        format!(
            "x = {dtype}[{rows},{columns}] parameter(0)\ny = {dtype}[{columns}] parameter(1)\n\
             b = {dtype}[{rows},{columns}] broadcast(y), dimensions={{1}}\np = {dtype}[{rows},{columns}] multiply(x, b)\n\
             i = {dtype}[] parameter(2)\n\
             ROOT r = {dtype}[{rows}] reduce(p, i), dimensions={{1}}, to_apply={add}"
        )
    };
    for (dtype, add, size, together) in [
        ("f32", "add", (8, 300), "4 neighbours"),
        ("f32", "add", (6, 1024), "3 neighbours"),
        ("f32", "add", (6, 1031), "3 rows"),
        ("f32", "max", (16, 5000), "4 rows"),
        ("f64", "add_f64", (6, 320), "2 neighbours"),
        ("f64", "add_f64", (8, 1600), "4 rows"),
        ("f32", "add", (16, 9000), "4 rows"),
    ] {
        let entry = sum(dtype, add, size);
        let plan = plan_of(&entry);
        assert!(plan.contains(&format!("{together} at once")), "{plan}");
        all_agree(&[entry]);
    }
}

/// Rows whose lines lie between two lines of a row share lines of the cache with their neighbours.
#[test]
fn neighbours_are_folded_side_by_side() {
    for (dims, kept, reduced, together) in [
        ("3,40,8,8", "3,8", "1,3", 4),
        ("24,520,3,8", "24,3", "1,3", 4),
        ("3,6,304", "6", "0,2", 3),
        ("2,34,2,8,8", "2,2,8", "1,4", 4),
    ] {
        let entry = format!(
            "  x = f32[{dims}] parameter(0)\n  z = f32[] parameter(1)
  ROOT r = f32[{kept}] reduce(x, z), dimensions={{{reduced}}}, to_apply=add"
        );
        let plan = plan_of(&entry);
        assert!(plan.contains(&format!("{together} neighbours at once")), "{plan}");
        all_agree(&[entry]);
    }
}

/// What waits for memory, and for nothing else, beyond the second-level cache.
#[test]
fn vectors_are_halves_where_memory_is_waited_for() {
    let two = |dtype: &str, n: i64, operation: &str| {
        format!(
            "x = {dtype}[{n}] parameter(0)\ny = {dtype}[{n}] parameter(1)\nROOT r = {dtype}[{n}] {operation}"
        )
    };
    let reduced = |(m, n): (i64, i64), kept: i64, reduced: i64, to_apply: &str| {
        format!(
            "x = f32[{m},{n}] parameter(0)\ni = f32[] parameter(1)\n\
             ROOT r = f32[{kept}] reduce(x, i), dimensions={{{reduced}}}, to_apply={to_apply}"
        )
    };
    let every = |step: i64, n: i64| {
        format!(
            "x = f32[{}] parameter(0)\nROOT r = f32[{n}] slice(x), slice={{[0:{}:{step}]}}",
            step * n,
            step * n
        )
    };
    for (entry, halves) in [
        (two("f32", 1 << 20, "add(x, y)"), true),
        (two("f64", 1 << 20, "multiply(x, y)"), true),
        (two("f32", 1 << 10, "add(x, y)"), false),
        (two("f32", 1 << 20, "power(x, y)"), false),
        (two("bf16", 1 << 20, "add(x, y)"), false),
        (every(3, 1 << 20), false),
        (reduced((4096, 1024), 4096, 1, "add"), true),
        (reduced((4096, 1024), 4096, 1, "max"), true),
        (reduced((4096, 1024), 1024, 0, "add"), false),
        (reduced((4, 1024), 4, 1, "add"), false),
    ] {
        let plan = settled_plan_of(&entry);
        assert_eq!(plan.contains("vectors in halves"), halves, "{entry}\n{plan}");
        assert!(!halves || !plan.contains("rows at once"), "{plan}");
    }
}

#[test]
fn chunks_of_few_columns_run_side_by_side() {
    let sum = |dtype: &str, add: &str, (rows, columns): (i64, i64)| {
        format!(
            "x = {dtype}[{rows},{columns}] parameter(0)\ni = {dtype}[] parameter(1)\n\
             ROOT r = {dtype}[{columns}] reduce(x, i), dimensions={{0}}, to_apply={add}"
        )
    };
    for (dtype, add, size, together) in [
        ("f32", "add", (2048, 8), Some(4)),
        ("f32", "max", (1536, 8), Some(3)),
        ("f32", "add", (1024, 32), Some(2)),
        ("f64", "add_f64", (1024, 5), Some(4)),
        // The last chunk is shorter; the sums of a row wait for nothing.
        ("f32", "add", (2000, 8), None),
        ("f32", "add", (1024, 300), None),
    ] {
        let entry = sum(dtype, add, size);
        let plan = plan_of(&entry);
        match together {
            Some(n) => assert!(plan.contains(&format!("at once of {n} chunks")), "{plan}"),
            None => assert!(!plan.contains("at once of"), "{plan}"),
        }
        all_agree(&[entry]);
    }
}

#[test]
fn blocks_of_few_rows_are_brought_near() {
    let small = Target { l2: 4 << 10, ..Target::zen4() };
    for (dtype, rows) in [("f32", 4), ("f32", 1), ("f32", 5), ("f64", 3), ("bf16", 2)] {
        let entry = dot([dtype; 3], (rows, 131, 600), false);
        let plan = agree_on(&entry, &small).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            plan.contains("k in blocks of 16") && plan.contains("the next block of rhs brought near"),
            "{plan}"
        );
        all_agree(&[entry]);
    }
}

#[test]
fn lanes_lie_along_the_rows_of_small_matrices() {
    let entry = |dtype: &str, (m, k, n): (i64, i64, i64)| {
        format!(
            "x = {dtype}[70,{m},{k}] parameter(0)\ny = {dtype}[70,{k},{n}] parameter(1)\n\
             ROOT r = {dtype}[70,{m},{n}] dot(x, y), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, \
             rhs_contracting_dims={{1}}"
        )
    };
    let plan = plan_of(&entry("f32", (4, 4, 4)));
    assert!(plan.contains("4 lanes along loop 2, tile of 4 rows x 1 vectors"), "{plan}");
    all_agree(&[
        entry("f32", (4, 4, 4)),
        entry("f64", (3, 5, 6)),
        entry("f32", (7, 2, 5)),
        entry("f32", (3, 3, 3)),
    ]);
}

#[test]
fn bytes_are_multiplied_four_at_a_time() {
    let small = Target { l2: 8 << 10, ..Target::zen4() };
    for (types, size) in [
        (["s8", "s8", "f32"], (40, 64, 100)),
        (["u8", "s8", "f32"], (33, 300, 70)),
        (["s8", "s8", "s32"], (65, 1088, 130)),
    ] {
        let entry = dot(types, size, true);
        let plan = plan_of(&entry);
        assert!(plan.contains("in words of four bytes"), "{plan}");
        let plan = agree_on(&entry, &small).unwrap_or_else(|e| panic!("{e}"));
        assert!(plan.contains("in words of four bytes"), "{plan}");
        all_agree(&[entry]);
    }
    // Sums that a float does not hold, unsigned lanes, and a rest of a word.
    for (types, size) in [
        (["s8", "s8", "f32"], (40, 1028, 100)),
        (["s8", "u8", "f32"], (40, 64, 100)),
        (["s8", "s8", "f32"], (40, 66, 100)),
    ] {
        let plan = plan_of(&dot(types, size, true));
        assert!(!plan.contains("bytes"), "{plan}");
    }
}

#[test]
fn bytes_are_multiplied_by_tile_registers() {
    let tiles = Target::sapphire_rapids();
    for (types, size, told) in [
        (["s8", "s8", "f32"], (40, 64, 100), "rhs packed, by tile registers of s8 and s8"),
        (
            ["u8", "u8", "f32"],
            (33, 100, 70),
            "lhs ahead for 96 columns, 64 lanes, by tile registers of u8 and u8",
        ),
        (["s8", "u8", "s32"], (65, 1088, 130), "by tile registers of"),
        (["s8", "s8", "s32"], (16, 20, 16), "tile of 16 rows x 1 vectors"),
        (["s8", "s8", "s32"], (300, 68, 31), "tile of 32 rows x 1 vectors"),
    ] {
        let plan = agree_on(&dot(types, size, true), &tiles).unwrap_or_else(|e| panic!("{e}"));
        assert!(plan.contains(told) && plan.contains("tile registers"), "{plan}");
    }
    // No tile of rows or of columns, a rest of a word, sums that a float does not hold, and halves in the order of `strict`.
    for (types, size) in [
        (["s8", "s8", "s32"], (15, 64, 100)),
        (["s8", "s8", "s32"], (64, 64, 12)),
        (["s8", "s8", "s32"], (64, 66, 100)),
        (["u8", "u8", "f32"], (40, 1028, 100)),
        (["bf16", "bf16", "f32"], (64, 64, 64)),
    ] {
        let plan = agree_on(&dot(types, size, true), &tiles).unwrap_or_else(|e| panic!("{e}"));
        assert!(!plan.contains("tile registers"), "{plan}");
    }
}
