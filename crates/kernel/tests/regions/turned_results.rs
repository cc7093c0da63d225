//! Products whose results lie in line along the rows of their tiles, and are turned before they are stored.

use crate::common::region::{all_agree, plan_on, region_of, results_in_memory_order};
use lawson_kernel::region::in_memory_order;
use lawson_kernel::target::Target;

/// A convolution with features first, of so many features to so many, with so many columns of results.
fn features_first([from, to]: [i64; 2], columns: i64, window: &str, then: &str) -> String {
    let (step, pad) =
        (if window.contains("stride") { 2 } else { 1 }, if window.contains("pad") { 1 } else { 0 });
    let wide = (columns - 1) * step + 3 - 2 * pad;
    format!(
        "x = f32[1,{from},5,{wide}] parameter(0)\nw = f32[{to},{from},3,3] parameter(1)\n\
         c = f32[1,{to},{},{columns}] convolution(x, w), window={{size=3x3{window}}}, dim_labels=bf01_oi01->bf01\n{}",
        (5 + 2 * pad - 3) / step + 1,
        then.replace("SHAPE", &format!("f32[1,{to},{},{columns}]", (5 + 2 * pad - 3) / step + 1)),
    )
}

fn dot(rows: i64, length: i64, columns: i64, types: &str, lhs: i64) -> String {
    let x = if lhs == 0 { format!("{length},{rows}") } else { format!("{rows},{length}") };
    format!(
        "x = {types}[{x}] parameter(0)\ny = {types}[{length},{columns}] parameter(1)\n\
         ROOT r = {types}[{rows},{columns}] dot(x, y), lhs_contracting_dims={{{lhs}}}, rhs_contracting_dims={{0}}"
    )
}

const ROOT: &str = "ROOT r = SHAPE negate(c)";

fn is_turned(entry: &str) -> bool {
    let region = region_of(entry);
    let region = in_memory_order(&region).unwrap_or(region);
    plan_on(&region, &Target::zen4()).contains("results turned")
}

#[test]
fn results_are_turned_where_columns_fill_vectors_badly() {
    assert!(is_turned(&features_first([16, 32], 24, "", ROOT)), "24 columns are two vectors");
    assert!(is_turned(&features_first([16, 64], 40, " stride=2x2", ROOT)));
    assert!(is_turned(&dot(1000, 512, 100, "f32", 0)));
    assert!(is_turned(&dot(70, 65, 17, "f32", 0)));
    assert!(is_turned(&dot(70, 65, 9, "f64", 0)));

    assert!(!is_turned(&features_first([16, 32], 32, "", ROOT)), "two whole vectors");
    assert!(!is_turned(&features_first([16, 8], 24, "", ROOT)), "the features fill them no better");
    assert!(!is_turned(&features_first([4, 32], 24, "", ROOT)), "36 products for each sum");
    assert!(!is_turned(&dot(1000, 512, 100, "f32", 1)), "the other operand would be turned too");
    assert!(!is_turned(&dot(70, 65, 17, "f32", 1)), "lanes would be far apart");
    assert!(!is_turned(&dot(1000, 512, 500, "f32", 0)), "each product would need another line");
    assert!(!is_turned(&dot(70, 65, 17, "s32", 0)));
    let halves = plan_on(&region_of(&dot(70, 66, 17, "bf16", 0)), &Target::sapphire_rapids());
    assert!(!halves.contains("results turned"), "pairs of bf16: {halves}");
}

#[test]
fn results_that_are_turned_are_right() {
    let bias = "b = f32[32] parameter(2)\nd = SHAPE broadcast(b), dimensions={1}\nROOT r = SHAPE add(c, d)";
    let residual = "b = SHAPE parameter(2)\nROOT r = SHAPE add(c, b)";
    let by_columns =
        "b = f32[24] parameter(2)\nd = SHAPE broadcast(b), dimensions={3}\nROOT r = SHAPE multiply(c, d)";
    let long = "a = SHAPE tanh(c)\nb = SHAPE exponential(a)\nd = SHAPE log(b)\ne = SHAPE tanh(d)\nROOT r = SHAPE add(e, a)";
    let mut convolutions: Vec<String> =
        [ROOT, bias, residual, by_columns, long].map(|then| features_first([8, 32], 24, "", then)).into();
    for window in ["", " pad=1_1x1_1", " stride=2x2"] {
        // Last tiles that overlap their neighbours, of rows and of features.
        convolutions.push(features_first([8, 40], 17, window, residual));
    }
    let sizes = [(70, 17, "f32"), (48, 17, "f32"), (70, 9, "f64"), (33, 9, "f32")];
    let dots = sizes.map(|(rows, columns, types)| dot(rows, 65, columns, types, 0));
    let entries = [&convolutions[..], &dots].concat();
    let turned = entries.iter().filter(|entry| is_turned(entry)).count();
    assert!(turned * 2 > entries.len(), "{turned} of {}", entries.len());
    all_agree(&dots);
    for entry in &convolutions {
        results_in_memory_order(entry).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    }
}
