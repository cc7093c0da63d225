//! What is computed where the results of a product or a reduction are made.

use super::common::region::{agree, plan_and_code};

/// The root of a scalar, times the results of this.
fn scaled(made: &str, shape: &str) -> String {
    format!(
        "{made}
s = f32[] parameter(2)
r = f32[] sqrt(s)
b = {shape} broadcast(r), dimensions={{}}
ROOT m = {shape} multiply(made, b)"
    )
}

#[test]
fn what_all_points_share_is_computed_once() {
    let dot = "x = f32[40,20] parameter(0)\ny = f32[20,64] parameter(1)\n\
               made = f32[40,64] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let sum = |dim: usize| {
        format!(
            "x = f32[256,256] parameter(0)\ni = f32[] parameter(1)\n\
             made = f32[256] reduce(x, i), dimensions={{{dim}}}, to_apply=add"
        )
    };
    let map = "x = f32[30,40] parameter(0)\ny = f32[40,30] parameter(1)\n\
               t = f32[30,40] transpose(y), dimensions={1,0}\nmade = f32[30,40] add(x, t)";
    for (made, shape) in
        [(dot, "f32[40,64]"), (&sum(0), "f32[256]"), (&sum(1), "f32[256]"), (map, "f32[30,40]")]
    {
        let entry = scaled(made, shape);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        assert_eq!(code.matches("sqrt").count(), 1, "{plan}\n{code}");
    }
}

#[test]
fn a_long_one_is_a_loop_over_the_rows_of_a_tile() {
    // 50 operations for each of the 24 vectors of a tile; one row has four.
    let dot = |rows: i64| {
        let shape = format!("f32[{rows},64]");
        let mut entry = format!(
            "x = f32[{rows},20] parameter(0)\ny = f32[20,64] parameter(1)\nw = {shape} parameter(2)\n\
             v0 = {shape} dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"
        );
        for n in 0..25 {
            entry += &format!("u{n} = {shape} multiply(v{n}, w)\nv{} = {shape} add(u{n}, v0)\n", n + 1);
        }
        entry + &format!("ROOT r = {shape} divide(v25, w)")
    };
    // Whole tiles, and a last one that overlaps the one before.
    for rows in [48, 40] {
        assert_eq!(agree(&dot(rows)), Ok(()), "{rows} rows");
        let [plan, code] = plan_and_code(&dot(rows));
        assert_eq!(code.matches("fdiv").count(), 4, "{plan}\n{code}");
    }
}

#[test]
fn a_dear_one_of_rows_is_computed_for_a_vector_of_rows() {
    let rows = |(extent, columns): (i64, i64), finish: &str| {
        let shape = format!("f32[{extent}]");
        format!(
            "x = f32[{extent},{columns}] parameter(0)\ni = f32[] parameter(1)\nw = {shape} parameter(2)\n\
             s = {shape} reduce(x, i), dimensions={{1}}, to_apply=add\n{}",
            finish.replace("TYPE", &shape)
        )
    };
    let dear = "ROOT e = TYPE exponential(s)";
    let root = "q = TYPE multiply(s, s)\nr = TYPE sqrt(q)\nROOT d = TYPE divide(w, r)";
    let tangent = "t = TYPE tanh(s)\nROOT d = TYPE add(t, w)";
    // Whole vectors of rows, and rows that are left; fewer than a vector has lanes are finished one by one, and so are long rows
    // beside which that takes little.
    for (size, finish, together) in [
        ((40, 37), dear, true),
        ((48, 37), root, true),
        ((35, 37), dear, true),
        ((7, 37), dear, false),
        ((40, 37), "ROOT m = TYPE multiply(s, w)", false),
        ((32, 400), tangent, true),
        ((32, 512), "ROOT d = TYPE divide(w, s)", false),
    ] {
        let entry = rows(size, finish);
        assert_eq!(agree(&entry), Ok(()), "{entry}");
        let [plan, code] = plan_and_code(&entry);
        assert_eq!(plan.contains("stored together"), together, "{entry}\n{plan}\n{code}");
    }
}
