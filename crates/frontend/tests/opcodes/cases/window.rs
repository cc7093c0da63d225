//! Windows: convolutions, pooling, running sums.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let mut all = convolutions();
    all.extend(reduce_windows());
    all.extend(selections());
    all
}

/// Shapes of input, kernel and result, window, dimension labels and groups.
const CONVOLUTIONS: &[[&str; 6]] = &[
    ["2,5,5,3", "3,3,3,4", "2,5,5,4", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", ""],
    ["2,3,7", "4,3,3", "2,4,3", "size=3 stride=2", "bf0_oi0->bf0", ""],
    ["2,3,7", "4,3,3", "2,4,4", "size=3 stride=3 pad=2_1 lhs_dilate=2 rhs_dilate=2", "bf0_oi0->bf0", ""],
    ["2,6,2", "2,3,4", "2,4,4", "size=3 pad=-1_1", "b0f_i0o->b0f", ""],
    ["2,6,2", "2,3,4", "2,6,4", "size=3 pad=0_2 rhs_reversal=1", "b0f_i0o->b0f", ""],
    ["2,6,4", "3,2,6", "2,4,6", "size=3", "b0f_0io->b0f", ", feature_group_count=2"],
    ["2,6,4", "3,1,8", "2,2,8", "size=3 stride=2", "b0f_0io->b0f", ", feature_group_count=4"],
    ["4,6,3", "3,3,6", "2,4,6", "size=3", "b0f_0io->b0f", ", batch_group_count=2"],
    ["2,6,3", "1,3,4", "4,6,2", "size=1", "b0f_0io->f0b", ""],
];

fn convolutions() -> Vec<Case> {
    let case = |[x, w, y, window, labels, groups]: &[&str; 6]| {
        let body = format!(
            "x = f64[{x}] parameter(0)\nw = f64[{w}] parameter(1)\n\
             ROOT y = f64[{y}] convolution(x, w), window={{{window}}}, dim_labels={labels}{groups}"
        );
        Case::new(Convolution, &body, &[Between(-1.0, 1.0), Between(-1.0, 1.0)])
    };
    CONVOLUTIONS.iter().map(case).collect()
}

fn reduce_windows() -> Vec<Case> {
    let case = |x: &str, y: &str, init: &str, window: &str, apply: &str| {
        let body = format!(
            "x = f64[{x}] parameter(0)\nc = f64[] constant({init})\n\
             ROOT y = f64[{y}] reduce-window(x, c), window={{{window}}}, to_apply={apply}"
        );
        Case::new(ReduceWindow, &body, &[Distinct])
    };
    let argmax = "x = f64[6] parameter(0)\ni = s32[6] iota(), iota_dimension=0\nc = f64[] constant(-inf)\n\
                  k = s32[] constant(0)\n\
                  ROOT y = (f64[3], s32[3]) reduce-window(x, i, c, k), window={size=2 stride=2}, to_apply=argmax";
    let init = "x = f64[6] parameter(0)\nc = f64[] parameter(1)\n\
                ROOT y = f64[3] reduce-window(x, c), window={size=2 stride=2}, to_apply=add";
    vec![
        case("4,6", "2,3", "0", "size=2x2 stride=2x2", "add"),
        case("7", "4", "0", "size=3 stride=2 pad=1_1", "add"),
        case("7", "4", "0", "size=3 stride=3 pad=1_1 lhs_dilate=2 rhs_dilate=2", "add"),
        case("6", "6", "0", "size=6 pad=5_0", "add"),
        case("6", "6", "0", "size=6 pad=0_5", "add"),
        case("4,6", "2,3", "-inf", "size=2x2 stride=2x2", "max"),
        case("4,4", "3,3", "-inf", "size=2x2", "max"),
        case("7", "4", "inf", "size=3 stride=2 pad=1_1", "min"),
        case("7", "4", "-inf", "size=3 stride=3 pad=1_1 lhs_dilate=2 rhs_dilate=2", "max"),
        case("2,6", "2,6", "-inf", "size=1x6 pad=0_0x5_0", "max"),
        case("6,2", "6,2", "inf", "size=6x1 pad=0_5x0_0", "min"),
        case("6", "6", "1", "size=6 pad=5_0", "mul"),
        case("2,5", "2,5", "1", "size=1x5 pad=0_0x0_4", "mul"),
        Case::new(ReduceWindow, argmax, &[Distinct]),
        Case::new(ReduceWindow, init, &[Between(-1.0, 1.0), Between(-1.0, 1.0)]),
    ]
}

fn selections() -> Vec<Case> {
    let case = |x: &str, s: &str, window: &str, select: &str| {
        let body = format!(
            "x = f64[{x}] parameter(0)\ns = f64[{s}] parameter(1)\nc = f64[] parameter(2)\n\
             ROOT y = f64[{x}] select-and-scatter(x, s, c), window={{{window}}}, select={select}, scatter=add"
        );
        Case::new(SelectAndScatter, &body, &[Distinct, Between(-1.0, 1.0), Between(-1.0, 1.0)])
    };
    vec![case("4,6", "2,3", "size=2x2 stride=2x2", "ge"), case("7", "4", "size=3 stride=2 pad=1_1", "le")]
}
