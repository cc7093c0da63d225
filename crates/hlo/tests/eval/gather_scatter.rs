//! gather clamps, scatter drops; both with every kind of dimension number.

use super::run;

const ADD: &str = "add { a = s32[] parameter(0)
                         b = s32[] parameter(1)
                         ROOT r = s32[] add(a, b) }";

#[test]
fn gathers_rows_with_clamped_indices() {
    assert_eq!(
        run("x = s32[3,2] constant({{1, 2}, {3, 4}, {5, 6}})
             i = s32[4] constant({2, 0, 7, -1})
             ROOT r = s32[4,2] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0},
                 index_vector_dim=1, slice_sizes={1,2}"),
        "5, 6, 1, 2, 5, 6, 1, 2"
    );
}

#[test]
fn gathers_windows_by_index_vectors() {
    // Vectors along dimension 0, components for operand dimensions 1 and 0.
    assert_eq!(
        run("x = s32[3,3] constant({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
             i = s32[2,2] constant({{0, 9}, {1, 0}})
             ROOT r = s32[2,2,2] gather(x, i), offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={1,0},
                 index_vector_dim=0, slice_sizes={2,2}"),
        "4, 5, 2, 3, 7, 8, 5, 6"
    );
}

#[test]
fn gathers_with_batching_dimensions() {
    assert_eq!(
        run("x = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
             i = s32[3,2,1] constant({{{0}, {0}}, {{1}, {2}}, {{2}, {1}}})
             ROOT r = s32[3,2] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1},
                 index_vector_dim=2, slice_sizes={1,1}, operand_batching_dims={0}, start_indices_batching_dims={1}"),
        "1, 4, 2, 6, 3, 5"
    );
}

#[test]
fn scatter_drops_windows_that_do_not_fit() {
    let text = format!(
        "{ADD}
         ENTRY e {{ x = s32[4] constant({{0, 0, 0, 0}})
                   i = s32[4] constant({{1, 3, -1, 2}})
                   u = s32[4,2] constant({{{{1, 2}}, {{10, 20}}, {{100, 200}}, {{3, 4}}}})
                   ROOT r = s32[4] scatter(x, i, u), update_window_dims={{1}}, inserted_window_dims={{}},
                       scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add }}"
    );
    assert_eq!(run(&text), "0, 1, 5, 4");
}

#[test]
fn scatter_applies_updates_in_order() {
    // r = 2·a + b tells the order of the three updates of element 0.
    assert_eq!(
        run("f { a = s32[] parameter(0)
                 b = s32[] parameter(1)
                 t = s32[] add(a, a)
                 ROOT r = s32[] add(t, b) }
             ENTRY e { x = s32[2] constant({1, 5})
                       i = s32[3,1] constant({{0}, {0}, {0}})
                       u = s32[3] constant({1, 0, 1})
                       ROOT r = s32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
                           scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f }"),
        "13, 5"
    );
}

#[test]
fn scatters_several_arrays_together() {
    assert_eq!(
        run("f { a = s32[] parameter(0)
                 b = f32[] parameter(1)
                 c = s32[] parameter(2)
                 d = f32[] parameter(3)
                 s = s32[] add(a, c)
                 ROOT r = (s32[], f32[]) tuple(s, d) }
             ENTRY e { x = s32[2] constant({1, 2})
                       y = f32[2] constant({1, 2})
                       i = s32[2] constant({1, 1})
                       u = s32[2] constant({10, 20})
                       v = f32[2] constant({0.5, 0.25})
                       ROOT r = (s32[2], f32[2]) scatter(x, y, i, u, v), update_window_dims={},
                           inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1,
                           to_apply=f }"),
        "(1, 32; 1, 0.25)"
    );
}

#[test]
fn scatters_with_batching_dimensions() {
    let text = format!(
        "{ADD}
         ENTRY e {{ x = s32[2,3] constant({{{{0, 0, 0}}, {{0, 0, 0}}}})
                   i = s32[2,2,1] constant({{{{{{0}}, {{1}}}}, {{{{0}}, {{2}}}}}})
                   u = s32[2,2] constant({{{{1, 2}}, {{3, 4}}}})
                   ROOT r = s32[2,3] scatter(x, i, u), update_window_dims={{}}, inserted_window_dims={{1}},
                       scatter_dims_to_operand_dims={{1}}, index_vector_dim=2, input_batching_dims={{0}},
                       scatter_indices_batching_dims={{1}}, to_apply=add }}"
    );
    assert_eq!(run(&text), "4, 0, 0, 0, 2, 4");
}
