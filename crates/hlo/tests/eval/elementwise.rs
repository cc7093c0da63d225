//! Elementwise operations at the edges of their types.

use super::{row, run};

#[test]
fn floats_negate_and_lose_their_sign() {
    assert_eq!(row("negate", "f32", "f32", &["0, -0, 1, inf"]), "-0, 0, -1, -inf");
    assert_eq!(row("abs", "f32", "f32", &["-0, -inf, -2.5, nan"]), "0, inf, 2.5, NaN");
    assert_eq!(row("sign", "f32", "f32", &["-0, 0, -3, inf, nan"]), "-0, 0, -1, 1, NaN");
}

#[test]
fn least_integers_wrap() {
    assert_eq!(row("abs", "s8", "s8", &["-128, -127, 5"]), "-128, 127, 5");
    assert_eq!(row("negate", "s8", "s8", &["-128, 127"]), "-128, -127");
    assert_eq!(row("negate", "u8", "u8", &["1, 0"]), "255, 0");
    assert_eq!(row("sign", "s32", "s32", &["-2147483648, 0, 7"]), "-1, 0, 1");
    assert_eq!(row("add", "s8", "s8", &["127, -128", "1, -1"]), "-128, 127");
    assert_eq!(row("multiply", "u16", "u16", &["65535, 256", "65535, 256"]), "1, 0");
    assert_eq!(row("subtract", "u64", "u64", &["0", "1"]), "18446744073709551615");
    assert_eq!(row("add", "s4", "s4", &["7, -8", "1, -1"]), "-8, 7");
}

#[test]
fn rounding_to_integral_values() {
    let x = ["0.5, 1.5, 2.5, -0.5, -1.5, -0.2, 0.49999997, inf"];
    assert_eq!(row("round-nearest-even", "f32", "f32", &x), "0, 2, 2, -0, -2, -0, 0, inf");
    assert_eq!(row("round-nearest-afz", "f32", "f32", &x), "1, 2, 3, -1, -2, -0, 0, inf");
    assert_eq!(row("floor", "f32", "f32", &x), "0, 1, 2, -1, -2, -1, 0, inf");
    assert_eq!(row("ceil", "f32", "f32", &x), "1, 2, 3, -0, -1, -0, 1, inf");
}

#[test]
fn bits_are_counted_in_the_width_of_the_type() {
    assert_eq!(row("popcnt", "s8", "s8", &["-1, 0, 3"]), "8, 0, 2");
    assert_eq!(row("count-leading-zeros", "s16", "s16", &["-1, 0, 1"]), "0, 16, 15");
    assert_eq!(row("count-leading-zeros", "u64", "u64", &["0, 1"]), "64, 63");
    assert_eq!(row("not", "u8", "u8", &["0, 255, 1"]), "255, 0, 254");
    assert_eq!(row("not", "pred", "pred", &["true, false"]), "false, true");
}

#[test]
fn real_parts_of_reals() {
    assert_eq!(row("real", "f32", "f32", &["1.5, -0"]), "1.5, -0");
    assert_eq!(row("imag", "f32", "f32", &["1.5, nan"]), "0, 0");
    assert_eq!(row("is-finite", "f32", "pred", &["1, inf, -inf, nan"]), "true, false, false, false");
}

#[test]
fn integer_division_by_zero_and_overflow() {
    assert_eq!(
        row("divide", "s32", "s32", &["7, -7, -2147483648, 7", "0, 2, -1, -2"]),
        "-1, -3, -2147483648, -3"
    );
    assert_eq!(row("remainder", "s32", "s32", &["7, -7, -2147483648, 7", "0, 2, -1, -2"]), "7, -1, 0, 1");
    assert_eq!(row("divide", "u8", "u8", &["7, 200", "0, 3"]), "255, 66");
    assert_eq!(row("remainder", "u8", "u8", &["7, 200", "0, 3"]), "7, 2");
    assert_eq!(row("divide", "s64", "s64", &["-9223372036854775808", "-1"]), "-9223372036854775808");
}

#[test]
fn float_remainder_has_the_sign_of_the_dividend() {
    assert_eq!(row("remainder", "f32", "f32", &["5, -5, -4, 5, 5", "3, 3, 2, inf, 0"]), "2, -2, -0, 5, NaN");
}

#[test]
fn nan_wins_and_zeros_are_ordered() {
    let x = ["nan, 1, -0, 0, -0", "1, nan, 0, -0, -0"];
    assert_eq!(row("maximum", "f32", "f32", &x), "NaN, NaN, 0, 0, -0");
    assert_eq!(row("minimum", "f64", "f64", &x), "NaN, NaN, -0, -0, -0");
}

#[test]
fn integer_powers() {
    assert_eq!(
        row("power", "s32", "s32", &["2, -2, 0, 3, 7", "10, 3, 0, 40, 1"]),
        "1024, -8, 1, 689956897, 7"
    );
    assert_eq!(row("power", "s32", "s32", &["2, 1, -1, -1, 0", "-1, -5, -3, -4, -1"]), "0, 1, -1, 1, 0");
    assert_eq!(row("power", "u8", "u8", &["3, 0, 2", "5, 0, 8"]), "243, 1, 0");
}

#[test]
fn high_halves_of_products() {
    assert_eq!(row("mulhi", "s8", "s8", &["-128, 127, -1", "-128, 127, 1"]), "64, 63, -1");
    assert_eq!(row("mulhi", "u32", "u32", &["4294967295", "4294967295"]), "4294967294");
    assert_eq!(row("mulhi", "s64", "s64", &["-9223372036854775808", "2"]), "-1");
}

#[test]
fn shifts_by_the_width_or_more() {
    let amounts = "1, 7, 8, -1";
    assert_eq!(row("shift-left", "s8", "s8", &["-1, 1, 1, 1", amounts]), "-2, -128, 0, 0");
    assert_eq!(row("shift-right-logical", "s8", "s8", &["-1, -1, -1, -1", amounts]), "127, 1, 0, 0");
    assert_eq!(row("shift-right-arithmetic", "s8", "s8", &["-128, 127, -3, 3", amounts]), "-64, 0, -1, 0");
    assert_eq!(
        row("shift-right-arithmetic", "u8", "u8", &["128, 127, 255, 64", "1, 1, 9, 200"]),
        "192, 63, 255, 0"
    );
    assert_eq!(row("shift-left", "u64", "u64", &["1, 1", "63, 64"]), "9223372036854775808, 0");
}

#[test]
fn arithmetic_of_pred_is_logic() {
    let x = ["true, true, false, false", "true, false, true, false"];
    assert_eq!(row("add", "pred", "pred", &x), "true, true, true, false");
    assert_eq!(row("multiply", "pred", "pred", &x), "true, false, false, false");
    assert_eq!(row("xor", "pred", "pred", &x), "false, true, true, false");
    assert_eq!(row("maximum", "pred", "pred", &x), "true, true, true, false");
}

#[test]
fn comparisons_with_nan() {
    let x = ["nan, 1, nan, -0", "1, nan, nan, 0"];
    assert_eq!(row("compare direction=EQ", "f32", "pred", &x), "false, false, false, true");
    assert_eq!(row("compare direction=NE", "f32", "pred", &x), "true, true, true, false");
    assert_eq!(row("compare direction=LE", "f32", "pred", &x), "false, false, false, true");
    assert_eq!(row("compare direction=GT", "f32", "pred", &x), "false, false, false, false");
}

#[test]
fn total_order_ranks_everything() {
    let x = ["-nan, -inf, -0, 0, inf, nan", "-inf, -1, 0, 1, nan, nan"];
    let total = "direction=LT, type=TOTALORDER";
    assert_eq!(row(&format!("compare {total}"), "f32", "pred", &x), "true, true, true, true, true, false");
    assert_eq!(row(&format!("compare {total}"), "bf16", "pred", &x), "true, true, true, true, true, false");
    assert_eq!(
        row("compare direction=EQ, type=TOTALORDER", "f64", "pred", &x),
        "false, false, false, false, false, true"
    );
}

#[test]
fn comparisons_follow_the_sign_of_the_type() {
    assert_eq!(row("compare direction=LT", "s8", "pred", &["-1, 1", "1, -1"]), "true, false");
    assert_eq!(row("compare direction=LT", "u8", "pred", &["255, 1", "1, 255"]), "false, true");
    assert_eq!(row("compare direction=GT", "pred", "pred", &["true, false", "false, true"]), "true, false");
}

#[test]
fn half_operations_round_after_each() {
    // 2048 + 1 is no f16; bf16 keeps eight bits.
    assert_eq!(row("add", "f16", "f16", &["2048, 65504, 2048", "1, 65504, 3"]), "2048, inf, 2052");
    assert_eq!(row("add", "bf16", "bf16", &["256, 1", "1, 0.001953125"]), "256, 1");
    assert_eq!(row("multiply", "f16", "f16", &["6e-8", "1"]), "0.000000059604645");
}

#[test]
fn denormals_are_kept() {
    assert_eq!(
        row("multiply", "f32", "f32", &["1e-30, 1e-38", "1e-10, 0.5"]),
        "0.0000000000000000000000000000000000000001, 0.000000000000000000000000000000000000005"
    );
}

#[test]
fn select_and_clamp() {
    assert_eq!(
        run("p = pred[3] constant({1, 0, 1})
             a = s32[3] constant({1, 2, 3})
             b = s32[3] constant({4, 5, 6})
             ROOT r = s32[3] select(p, a, b)"),
        "1, 5, 3"
    );
    assert_eq!(
        run("p = pred[] constant(false)
             a = f32[2] constant({1, 2})
             b = f32[2] constant({-0, nan})
             ROOT r = f32[2] select(p, a, b)"),
        "-0, NaN"
    );
    // The upper bound is applied last; bounds may be scalars.
    assert_eq!(
        run("lo = f32[] constant(2)
             x = f32[4] constant({nan, 0, 1.5, 9})
             hi = f32[] constant(1)
             ROOT r = f32[4] clamp(lo, x, hi)"),
        "NaN, 1, 1, 1"
    );
    assert_eq!(row("clamp", "s8", "s8", &["-1, -1, -1", "-5, 0, 5", "3, 3, 3"]), "-1, 0, 3");
}

#[test]
fn elementary_functions_at_their_poles() {
    assert_eq!(row("exponential", "f32", "f32", &["0, -inf, inf, nan"]), "1, 0, inf, NaN");
    assert_eq!(row("log", "f32", "f32", &["1, 0, -1, inf"]), "0, -inf, NaN, inf");
    assert_eq!(row("rsqrt", "f32", "f32", &["4, 0, -0, inf, -1"]), "0.5, inf, -inf, 0, NaN");
    assert_eq!(row("sqrt", "f64", "f64", &["2, -0, -1"]), "1.4142135623730951, -0, NaN");
    assert_eq!(row("cbrt", "f64", "f64", &["-8, 0, 27"]), "-2, 0, 3");
    assert_eq!(row("tanh", "f32", "f32", &["inf, -inf, -0"]), "1, -1, -0");
    assert_eq!(row("logistic", "f32", "f32", &["0, inf, -inf"]), "0.5, 1, 0");
    assert_eq!(row("power", "f32", "f32", &["nan, 1, -8, 2", "0, nan, 0.5, -1"]), "1, 1, NaN, 0.5");
    assert_eq!(row("atan2", "f32", "f32", &["0, 0", "-1, 1"]), "3.1415927, 0");
    assert_eq!(row("erf", "f16", "f16", &["0, inf, -inf"]), "0, 1, -1");
}

#[test]
fn every_elementary_function_is_near_the_real_one() {
    type Case = (&'static str, fn(f64) -> f64);
    let cases: [Case; 18] = [
        ("acos", f64::acos),
        ("asin", f64::asin),
        ("atanh", f64::atanh),
        ("asinh", f64::asinh),
        ("cbrt", f64::cbrt),
        ("cosine", f64::cos),
        ("cosh", f64::cosh),
        ("exponential", f64::exp),
        ("exponential-minus-one", f64::exp_m1),
        ("log", f64::ln),
        ("log-plus-one", f64::ln_1p),
        ("logistic", |x| 1.0 / (1.0 + (-x).exp())),
        ("rsqrt", |x| 1.0 / x.sqrt()),
        ("sine", f64::sin),
        ("sinh", f64::sinh),
        ("sqrt", f64::sqrt),
        ("tan", f64::tan),
        ("tanh", f64::tanh),
    ];
    for (opcode, expected) in cases {
        for x in [0.125, 0.5, 0.875] {
            for (dtype, tolerance) in [("f16", 1e-3), ("f32", 1e-6), ("f64", 1e-14)] {
                let text = row(opcode, dtype, dtype, &[&format!("{x}")]);
                let error = (text.parse::<f64>().unwrap() / expected(x) - 1.0).abs();
                assert!(error < tolerance, "{opcode} {dtype} of {x} is {text}");
            }
        }
    }
    assert!(row("acosh", "f64", "f64", &["2"]).starts_with("1.3169578969248"));
}

#[test]
fn map_applies_a_scalar_computation() {
    assert_eq!(
        run("f { a = s32[] parameter(0)
                 b = s32[] parameter(1)
                 c = s32[] multiply(a, b)
                 ROOT r = s32[] add(c, a) }
             ENTRY e { x = s32[3] constant({1, 2, 3})
                       y = s32[3] constant({4, 5, 6})
                       ROOT r = s32[3] map(x, y), dimensions={0}, to_apply=f }"),
        "5, 12, 21"
    );
}

#[test]
fn empty_arrays_stay_empty() {
    assert_eq!(run("x = f32[0,3] constant({})\nROOT r = f32[0,3] add(x, x)"), "");
}
