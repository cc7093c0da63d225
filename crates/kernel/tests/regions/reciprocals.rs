//! Divisions by what is the same in all lanes.

use super::common::region::{all_agree, settled_plan_and_code};

/// Rows of x by numbers with these dimensions, along these axes.
fn by(dtype: &str, dims: &str, along: &str) -> String {
    format!(
        "x = {dtype}[64,100] parameter(0)\ny = {dtype}[{dims}] parameter(1)\n\
         b = {dtype}[64,100] broadcast(y), dimensions={{{along}}}\nROOT r = {dtype}[64,100] divide(x, b)"
    )
}

/// Rows by their sums.
const SHARES: &str = "x = f32[64,100] parameter(0)\nz = f32[] constant(0)\ne = f32[64,100] exponential(x)\n\
                      s = f32[64] reduce(e, z), dimensions={1}, to_apply=add\n\
                      b = f32[64,100] broadcast(s), dimensions={0}\nROOT r = f32[64,100] divide(e, b)";

#[test]
fn what_is_the_same_in_all_lanes_divides_by_its_reciprocal() {
    let divided = |entry: &str| settled_plan_and_code(entry)[0].matches("by reciprocal: ").count();
    assert_eq!(divided(SHARES), 1);
    assert_eq!([("64", "0"), ("100", "1"), ("", "")].map(|(d, a)| divided(&by("f32", d, a))), [1, 0, 1]);
    // Divisions of eight bytes are divisions.
    assert_eq!(divided(&by("f64", "64", "0")), 0);
}

#[test]
fn quotients_by_reciprocals_are_those_of_divisions() {
    let mut all: Vec<String> = ["f32", "f16", "bf16"]
        .into_iter()
        .flat_map(|dtype| [("64", "0"), ("", "")].map(|(dims, along)| by(dtype, dims, along)))
        .collect();
    all.push(SHARES.into());
    all_agree(&all);
}
