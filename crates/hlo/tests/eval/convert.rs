//! Conversions, bit casts, reduced precision.

use super::{row, run};

#[test]
fn floats_truncate_and_saturate() {
    let x = ["1.9, -1.9, 300, -300, inf, -inf, nan"];
    assert_eq!(row("convert", "f32", "s8", &x), "1, -1, 127, -128, 127, -128, 0");
    assert_eq!(row("convert", "f32", "u8", &x), "1, 0, 255, 0, 255, 0, 0");
    assert_eq!(row("convert", "f64", "s4", &x), "1, -1, 7, -8, 7, -8, 0");
    assert_eq!(
        row("convert", "f32", "s64", &["1e30, -1e30, nan"]),
        "9223372036854775807, -9223372036854775808, 0"
    );
    assert_eq!(row("convert", "f64", "u64", &["1e30, -1"]), "18446744073709551615, 0");
}

#[test]
fn integers_wrap() {
    assert_eq!(row("convert", "s32", "s8", &["300, -129, 128"]), "44, 127, -128");
    assert_eq!(row("convert", "s8", "u32", &["-1"]), "4294967295");
    assert_eq!(row("convert", "u64", "s64", &["18446744073709551615"]), "-1");
    assert_eq!(row("convert", "s32", "u4", &["17, -1"]), "1, 15");
}

#[test]
fn pred_is_what_differs_from_zero() {
    assert_eq!(row("convert", "f32", "pred", &["0, -0, nan, 0.1"]), "false, false, true, true");
    assert_eq!(row("convert", "s32", "pred", &["0, 256, -1"]), "false, true, true");
    assert_eq!(row("convert", "pred", "f32", &["true, false"]), "1, 0");
}

#[test]
fn floats_round_once() {
    // Just above the tie between 1 and the next f16; by way of f32 it would round down.
    assert_eq!(row("convert", "f64", "f16", &["1.00048828125, 1.000488281250001"]), "1, 1.0009766");
    assert_eq!(row("convert", "f32", "bf16", &["1.00390625, 1.01171875, 3.4e38"]), "1, 1.015625, inf");
    assert_eq!(row("convert", "f64", "f32", &["1e39, 1e-46, 0.1"]), "inf, 0, 0.1");
    assert_eq!(
        row("convert", "s64", "f32", &["16777217, 9223372036854775807"]),
        "16777216, 9223372000000000000"
    );
    assert_eq!(row("convert", "u64", "f64", &["18446744073709551615"]), "18446744073709552000");
    assert_eq!(row("convert", "s32", "f16", &["65519, 65520, 2049"]), "65504, inf, 2048");
}

#[test]
fn bit_casts_of_one_width() {
    assert_eq!(row("bitcast-convert", "f32", "u32", &["1, -0"]), "1065353216, 2147483648");
    assert_eq!(row("bitcast-convert", "s16", "bf16", &["16256, -32768"]), "1, -0");
    assert_eq!(row("bitcast-convert", "s64", "f64", &["4607182418800017408"]), "1");
}

#[test]
fn bit_casts_between_widths_have_the_lowest_bits_first() {
    assert_eq!(
        run("x = u32[2] constant({67305985, 255})\nROOT r = u8[2,4] bitcast-convert(x)"),
        "1, 2, 3, 4, 255, 0, 0, 0"
    );
    assert_eq!(run("x = u16[1,2] constant({{1, 2}})\nROOT r = u32[1] bitcast-convert(x)"), "131073");
    assert_eq!(run("x = u8[2] constant({33, 143})\nROOT r = s4[2,2] bitcast-convert(x)"), "1, 2, -1, -8");
    assert_eq!(run("x = s4[1,2] constant({{-1, 1}})\nROOT r = u8[1] bitcast-convert(x)"), "31");
    assert_eq!(run("x = u8[1] constant({6})\nROOT r = u1[1,8] bitcast-convert(x)"), "0, 1, 1, 0, 0, 0, 0, 0");
}

#[test]
fn reduced_precision() {
    let like_bf16 = "reduce-precision exponent_bits=8, mantissa_bits=7";
    assert_eq!(row(like_bf16, "f32", "f32", &["1.00390625, 1.01171875, nan, inf"]), "1, 1.015625, NaN, inf");
    // Beyond the largest exponent infinity, below the least normal one zero.
    let like_f16 = "reduce-precision exponent_bits=5, mantissa_bits=10";
    assert_eq!(row(like_f16, "f32", "f32", &["65504, 65520, -1e5, 6e-5, -1e-8"]), "65504, inf, -inf, 0, -0");
    // Rounding up may reach infinity.
    assert_eq!(row(like_bf16, "f32", "f32", &["3.4e38"]), "inf");
    // A type keeps what it has no fewer bits of, denormals too.
    assert_eq!(row(like_f16, "f16", "f16", &["6e-8, 65504"]), "0.000000059604645, 65504");
    assert_eq!(
        row("reduce-precision exponent_bits=11, mantissa_bits=0", "f64", "f64", &["1.5, 2.9"]),
        "2, 2"
    );
}
