//! Operations that move elements.

use super::run;

/// Six elements as s32[2,3].
fn six(operation: &str) -> String {
    run(&format!("x = s32[2,3] constant({{{{1, 2, 3}}, {{4, 5, 6}}}})\nROOT r = {operation}"))
}

#[test]
fn reorders() {
    assert_eq!(six("s32[3,2] transpose(x), dimensions={1,0}"), "1, 4, 2, 5, 3, 6");
    assert_eq!(six("s32[2,3] reverse(x), dimensions={0,1}"), "6, 5, 4, 3, 2, 1");
    assert_eq!(six("s32[2,3] reverse(x), dimensions={1}"), "3, 2, 1, 6, 5, 4");
    assert_eq!(six("s32[3,2] reshape(x)"), "1, 2, 3, 4, 5, 6");
    assert_eq!(six("s32[6] bitcast(x)"), "1, 2, 3, 4, 5, 6");
    assert_eq!(six("s32[2,3] copy(x)"), "1, 2, 3, 4, 5, 6");
}

#[test]
fn broadcasts() {
    assert_eq!(
        run("x = s32[2] constant({1, 2})\nROOT r = s32[2,3] broadcast(x), dimensions={0}"),
        "1, 1, 1, 2, 2, 2"
    );
    assert_eq!(
        run("x = s32[2] constant({1, 2})\nROOT r = s32[3,2] broadcast(x), dimensions={1}"),
        "1, 2, 1, 2, 1, 2"
    );
    assert_eq!(run("x = s32[] constant(7)\nROOT r = s32[3] broadcast(x), dimensions={}"), "7, 7, 7");
    assert_eq!(run("x = f32[0] constant({})\nROOT r = f32[2,0] broadcast(x), dimensions={1}"), "");
}

#[test]
fn slices() {
    assert_eq!(six("s32[1,2] slice(x), slice={[1:2], [0:3:2]}"), "4, 6");
    assert_eq!(six("s32[2,0] slice(x), slice={[0:2], [1:1]}"), "");
}

#[test]
fn dynamic_slices_are_moved_inside() {
    let at = |i: &str, j: &str| {
        run(&format!(
            "x = s32[2,3] constant({{{{1, 2, 3}}, {{4, 5, 6}}}})
             i = s32[] constant({i})
             j = s32[] constant({j})
             ROOT r = s32[1,2] dynamic-slice(x, i, j), dynamic_slice_sizes={{1,2}}"
        ))
    };
    assert_eq!(at("0", "1"), "2, 3");
    assert_eq!(at("9", "9"), "5, 6");
    assert_eq!(at("-9", "-1"), "1, 2");
    // An unsigned index is never negative.
    assert_eq!(
        run("x = s32[4] constant({1, 2, 3, 4})
             i = u64[] constant(18446744073709551615)
             ROOT r = s32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
        "3, 4"
    );
}

#[test]
fn dynamic_updates_leave_the_operand_as_it_was() {
    assert_eq!(
        run("x = s32[5] constant({1, 2, 3, 4, 5})
             u = s32[2] constant({8, 9})
             i = s64[] constant(4)
             d = s32[5] dynamic-update-slice(x, u, i)
             ROOT t = (s32[5], s32[5]) tuple(d, x)"),
        "(1, 2, 3, 8, 9; 1, 2, 3, 4, 5)"
    );
}

#[test]
fn concatenates() {
    let pieces = "x = s32[2,1] constant({{1}, {2}})
                  y = s32[2,2] constant({{3, 4}, {5, 6}})
                  z = s32[2,0] constant({{}, {}})";
    let text = format!("{pieces}\nROOT r = s32[2,4] concatenate(x, z, y, x), dimensions={{1}}");
    assert_eq!(run(&text), "1, 3, 4, 1, 2, 5, 6, 2");
}

#[test]
fn pads() {
    let pad = |shape: &str, padding: &str| {
        run(&format!(
            "x = s32[3] constant({{1, 2, 3}})
             v = s32[] constant(0)
             ROOT r = s32[{shape}] pad(x, v), padding={padding}"
        ))
    };
    assert_eq!(pad("6", "1_2"), "0, 1, 2, 3, 0, 0");
    assert_eq!(pad("7", "0_0_2"), "1, 0, 0, 2, 0, 0, 3");
    assert_eq!(pad("1", "-1_-1"), "2");
    // Negative padding crops what the interior padding made.
    assert_eq!(pad("4", "-1_0_1"), "0, 2, 0, 3");
    assert_eq!(pad("3", "-2_0_1"), "2, 0, 3");
    assert_eq!(pad("4", "-4_5"), "0, 0, 0, 0");
    assert_eq!(pad("4", "5_-4"), "0, 0, 0, 0");
}

#[test]
fn iota_counts_modulo_the_type() {
    assert_eq!(run("ROOT r = s32[2,3] iota(), iota_dimension=1"), "0, 1, 2, 0, 1, 2");
    assert_eq!(run("ROOT r = s32[2,3] iota(), iota_dimension=0"), "0, 0, 0, 1, 1, 1");
    assert!(run("ROOT r = u8[300] iota(), iota_dimension=0").ends_with("254, 255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43"));
    assert_eq!(run("ROOT r = f16[3] iota(), iota_dimension=0"), "0, 1, 2");
}

#[test]
fn sizes_of_dimensions() {
    assert_eq!(six("s32[] get-dimension-size(x), dimensions={1}"), "3");
}
