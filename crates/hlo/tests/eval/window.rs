//! reduce-window and select-and-scatter.

use super::run;

const ADD: &str = "add { a = f32[] parameter(0)
                         b = f32[] parameter(1)
                         ROOT r = f32[] add(a, b) }";

fn sums(values: &str, result: &str, window: &str) -> String {
    let n = values.split(',').count();
    run(&format!(
        "{ADD}
         ENTRY e {{ x = f32[{n}] constant({{{values}}})
                   i = f32[] constant(100)
                   ROOT r = f32[{result}] reduce-window(x, i), window={{{window}}}, to_apply=add }}"
    ))
}

#[test]
fn windows_start_from_init() {
    assert_eq!(sums("1, 2, 3, 4", "3", "size=2"), "103, 105, 107");
    assert_eq!(sums("1, 2, 3, 4", "2", "size=2 stride=2"), "103, 107");
}

#[test]
fn padding_adds_nothing() {
    // Padding is left out: init comes once for each window.
    assert_eq!(sums("1, 2, 3", "5", "size=3 pad=2_2"), "101, 103, 106, 105, 103");
    assert_eq!(sums("1, 2, 3", "1", "size=1 pad=-1_-1"), "102");
}

#[test]
fn dilations() {
    assert_eq!(sums("1, 2, 3", "4", "size=2 lhs_dilate=2"), "101, 102, 102, 103");
    assert_eq!(sums("1, 2, 3, 4", "2", "size=2 rhs_dilate=2"), "104, 106");
    assert_eq!(sums("1, 2, 3", "3", "size=2 stride=2 pad=1_2 lhs_dilate=2 rhs_dilate=2"), "100, 100, 100");
}

#[test]
fn half_windows_accumulate_in_f32() {
    // In bf16 each 1 would be lost beside 256.
    let ones = ["1"; 8].join(", ");
    assert_eq!(
        run(&format!(
            "add {{ a = bf16[] parameter(0)
                   b = bf16[] parameter(1)
                   ROOT r = bf16[] add(a, b) }}
             ENTRY e {{ x = bf16[8] constant({{{ones}}})
                       i = bf16[] constant(256)
                       ROOT r = bf16[1] reduce-window(x, i), window={{size=8}}, to_apply=add }}"
        )),
        "264"
    );
}

#[test]
fn several_arrays_and_results() {
    assert_eq!(
        run("f { a = f32[] parameter(0)
                 i = s32[] parameter(1)
                 b = f32[] parameter(2)
                 j = s32[] parameter(3)
                 c = pred[] compare(a, b), direction=GE
                 x = f32[] select(c, a, b)
                 n = s32[] select(c, i, j)
                 ROOT r = (f32[], s32[]) tuple(x, n) }
             ENTRY e { x = f32[4] constant({1, 5, 2, 5})
                       i = s32[4] iota(), iota_dimension=0
                       z = f32[] constant(-inf)
                       m = s32[] constant(-1)
                       ROOT r = (f32[3], s32[3]) reduce-window(x, i, z, m), window={size=2}, to_apply=f }"),
        "(5, 5, 5; 1, 1, 3)"
    );
}

#[test]
fn select_and_scatter_sends_each_source_to_the_selected_element() {
    let text = format!(
        "ge {{ a = f32[] parameter(0)
              b = f32[] parameter(1)
              ROOT r = pred[] compare(a, b), direction=GE }}
         {ADD}
         ENTRY e {{ x = f32[5] constant({{1, 3, 3, 2, 4}})
                   s = f32[4] constant({{10, 20, 30, 40}})
                   i = f32[] constant(0.5)
                   ROOT r = f32[5] select-and-scatter(x, s, i), window={{size=2}}, select=ge, scatter=add }}"
    );
    // The first of the two threes is kept where a window holds both.
    assert_eq!(run(&text), "0.5, 30.5, 30.5, 0.5, 40.5");
}
