//! sort and topk.

use super::run;

#[test]
fn sorts_along_a_dimension() {
    assert_eq!(
        run("lt { a = s32[] parameter(0)
                  b = s32[] parameter(1)
                  ROOT r = pred[] compare(a, b), direction=LT }
             ENTRY e { x = s32[3,2] constant({{3, 1}, {1, 2}, {2, 0}})
                       ROOT r = s32[3,2] sort(x), dimensions={0}, to_apply=lt }"),
        "1, 0, 2, 1, 3, 2"
    );
}

#[test]
fn is_stable_and_moves_operands_together() {
    assert_eq!(
        run("gt { a = s32[] parameter(0)
                  b = s32[] parameter(1)
                  c = s32[] parameter(2)
                  d = s32[] parameter(3)
                  ROOT r = pred[] compare(a, b), direction=GT }
             ENTRY e { x = s32[6] constant({1, 2, 1, 2, 1, 2})
                       i = s32[6] iota(), iota_dimension=0
                       ROOT r = (s32[6], s32[6]) sort(x, i), dimensions={0}, is_stable=true, to_apply=gt }"),
        "(2, 2, 2, 1, 1, 1; 1, 3, 5, 0, 2, 4)"
    );
}

#[test]
fn total_order_puts_nan_at_the_ends() {
    assert_eq!(
        run("lt { a = f32[] parameter(0)
                  b = f32[] parameter(1)
                  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER }
             ENTRY e { x = f32[6] constant({nan, 1, 0, -0, -inf, -nan})
                       ROOT r = f32[6] sort(x), dimensions={0}, to_apply=lt }"),
        "NaN, -inf, -0, 0, 1, NaN"
    );
}

#[test]
fn a_comparator_that_contradicts_itself_still_gives_a_permutation() {
    let text = "always { a = s32[] parameter(0)
                         b = s32[] parameter(1)
                         ROOT r = pred[] constant(true) }
                ENTRY e { x = s32[100] iota(), iota_dimension=0
                          ROOT r = s32[100] sort(x), dimensions={0}, to_apply=always }";
    let mut seen: Vec<usize> = run(text).split(", ").map(|n| n.parse().unwrap()).collect();
    seen.sort();
    assert_eq!(seen, (0..100).collect::<Vec<_>>());
}

#[test]
fn top_k_takes_the_first_of_equals() {
    let top = |largest: bool| {
        run(&format!(
            "x = f32[2,4] constant({{{{1, 3, 3, nan}}, {{-0, 0, -inf, -1}}}})
             ROOT r = (f32[2,2], s32[2,2]) topk(x), k=2, largest={largest}"
        ))
    };
    assert_eq!(top(true), "(NaN, 3, 0, -0; 3, 1, 1, 0)");
    assert_eq!(top(false), "(1, 3, -inf, -1; 0, 1, 2, 3)");
}
