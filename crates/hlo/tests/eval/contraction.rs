//! dot and convolution: dimension numbers, windows, groups, and the chain of fused multiply-adds.

use super::{floats, module, noise, run};
use lawson_hlo::DType;
use lawson_hlo::eval::{Options, evaluate};

#[test]
fn matrix_products() {
    assert_eq!(
        run("a = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
             b = s32[3,2] constant({{1, 0}, {0, 1}, {1, 1}})
             ROOT r = s32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "4, 5, 10, 11"
    );
}

#[test]
fn results_are_batch_then_left_then_right() {
    // Batch dimension 1 of the left with 0 of the right.
    assert_eq!(
        run("a = s32[2,2] constant({{1, 2}, {3, 4}})
             b = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
             ROOT r = s32[2,2,3] dot(a, b), lhs_batch_dims={1}, rhs_batch_dims={0}"),
        "1, 2, 3, 3, 6, 9, 8, 10, 12, 16, 20, 24"
    );
}

#[test]
fn products_of_nothing_and_of_everything() {
    assert_eq!(
        run("a = f32[2,0] constant({{}, {}})
             b = f32[0,1] constant({})
             ROOT r = f32[2,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "0, 0"
    );
    assert_eq!(
        run("a = f64[2,2] constant({{1, 2}, {3, 4}})
             ROOT r = f64[] dot(a, a), lhs_contracting_dims={0,1}, rhs_contracting_dims={1,0}"),
        "29"
    );
}

#[test]
fn integers_wrap_and_pred_is_logic() {
    assert_eq!(
        run("a = s8[2] constant({127, 127})
             ROOT r = s8[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
        "2"
    );
    assert_eq!(
        run("a = u8[2] constant({255, 255})
             ROOT r = u32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
        "130050"
    );
    assert_eq!(
        run("a = pred[2,2] constant({{1, 0}, {0, 0}})
             ROOT r = pred[2,2] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "true, false, false, false"
    );
}

#[test]
fn a_product_is_one_chain_of_fused_multiply_adds() {
    let (m, k, n) = (3, 700, 5);
    let (a, b) = (noise(m * k), noise(k * n));
    let text = "a = f32[3,700] parameter(0)
                b = f32[700,5] parameter(1)
                ROOT r = f32[3,5] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let wide = |x: &[f32]| x.iter().map(|&v| v as f64).collect::<Vec<_>>();
    let args = [floats(DType::F32, &[3, 700], &wide(&a)), floats(DType::F32, &[700, 5], &wide(&b))];
    let result = evaluate(&module(text), &args, &Options::default()).unwrap();
    for (i, got) in result.expect_array().scalars().enumerate() {
        let chain = (0..k).fold(0.0f32, |acc, kk| a[i / n * k + kk].mul_add(b[kk * n + i % n], acc));
        assert_eq!(got.as_f64() as f32, chain);
    }
}

#[test]
fn half_products_accumulate_in_f32() {
    let ones = ["1"; 300].join(", ");
    let dot = |result: &str| {
        run(&format!(
            "a = bf16[300] constant({{{ones}}})
             ROOT r = {result}[] dot(a, a), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}"
        ))
    };
    assert_eq!(dot("bf16"), "300");
    assert_eq!(dot("f32"), "300");
}

/// A convolution of rows of one feature: `input` and `kernel` as lists, the window in text.
fn conv(input: &str, kernel: &str, result: usize, window: &str) -> String {
    let count = |list: &str| list.split(',').count();
    let nest = |list: &str| list.split(',').map(|v| format!("{{{v}}}")).collect::<Vec<_>>().join(",");
    let column = |list: &str| list.split(',').map(|v| format!("{{{{{v}}}}}")).collect::<Vec<_>>().join(",");
    run(&format!(
        "x = f32[1,{},1] constant({{{{{}}}}})
         k = f32[{},1,1] constant({{{}}})
         ROOT r = f32[1,{result},1] convolution(x, k), window={{{window}}}, dim_labels=b0f_0io->b0f",
        count(input),
        nest(input),
        count(kernel),
        column(kernel)
    ))
}

#[test]
fn windows_of_a_convolution() {
    assert_eq!(conv("1,2,3,4", "1,10", 3, "size=2"), "21, 32, 43");
    assert_eq!(conv("1,2,3,4", "1,10", 2, "size=2 stride=2"), "21, 43");
    assert_eq!(conv("1,2,3,4", "1,10", 5, "size=2 pad=1_1"), "10, 21, 32, 43, 4");
    assert_eq!(conv("1,2,3,4", "1,10", 2, "size=2 rhs_dilate=2"), "31, 42");
    assert_eq!(conv("1,2,3", "1,10", 4, "size=2 lhs_dilate=2"), "1, 20, 2, 30");
    assert_eq!(conv("1,2,3,4", "1,10", 3, "size=2 rhs_reversal=1"), "12, 23, 34");
    assert_eq!(conv("1,2,3,4", "1,10", 1, "size=2 pad=-1_-1"), "32");
}

#[test]
fn padding_is_zeros_that_meet_their_weights() {
    assert_eq!(conv("1,2", "inf,1", 2, "size=2 pad=1_0"), "NaN, inf");
    assert_eq!(conv("1,2", "inf,1", 2, "size=2 lhs_dilate=2"), "inf, NaN");
}

#[test]
fn grouped_convolutions() {
    // Two groups of one input feature and two output features each.
    assert_eq!(
        run("x = f32[1,1,2] constant({{{2, 3}}})
             k = f32[1,1,4] constant({{{1, 10, 100, 1000}}})
             ROOT r = f32[1,1,4] convolution(x, k), window={size=1}, dim_labels=b0f_0io->b0f,
                 feature_group_count=2"),
        "2, 20, 300, 3000"
    );
    // Two groups of the batch, each with one output feature.
    assert_eq!(
        run("x = f32[4,1,1] constant({{{1}}, {{2}}, {{3}}, {{4}}})
             k = f32[1,1,2] constant({{{1, 10}}})
             ROOT r = f32[2,1,2] convolution(x, k), window={size=1}, dim_labels=b0f_0io->b0f,
                 batch_group_count=2"),
        "1, 30, 2, 40"
    );
}

#[test]
fn dimension_labels_permute() {
    // Input [feature, batch], kernel [output, input], result [feature, batch].
    assert_eq!(
        run("x = s32[2,1] constant({{1}, {2}})
             k = s32[3,2] constant({{1, 10}, {2, 20}, {3, 30}})
             ROOT r = s32[3,1] convolution(x, k), dim_labels=fb_oi->fb"),
        "21, 42, 63"
    );
}

#[test]
fn a_convolution_is_one_chain_over_window_then_feature() {
    let (size, features) = (3, 40);
    let (x, w) = (noise(5 * features), noise(size * features));
    let text = "x = f32[1,5,40] parameter(0)
                k = f32[3,40,1] parameter(1)
                ROOT r = f32[1,5,1] convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f";
    let wide = |x: &[f32]| x.iter().map(|&v| v as f64).collect::<Vec<_>>();
    let args = [floats(DType::F32, &[1, 5, 40], &wide(&x)), floats(DType::F32, &[3, 40, 1], &wide(&w))];
    let result = evaluate(&module(text), &args, &Options::default()).unwrap();
    for (out, got) in result.expect_array().scalars().enumerate() {
        let mut chain = 0.0f32;
        for k in 0..size {
            let Some(at) = (out + k).checked_sub(1).filter(|at| *at < 5) else { continue };
            for f in 0..features {
                chain = x[at * features + f].mul_add(w[k * features + f], chain);
            }
        }
        assert_eq!(got.as_f64() as f32, chain, "{out}");
    }
}
