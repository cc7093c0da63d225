//! Convolutions and pooling.

use crate::recorded::{indices, pattern, same};
use crate::refused;
use lawson_frontend::DType;
use lawson_frontend::tensor::convolve::{
    Convolution, Padding, conv_general_dilated, conv_transpose, conv1d, conv2d, conv2d_nchw,
};
use lawson_frontend::tensor::pool::{Reducer, Windows, avg_pool, max_pool, min_pool, reduce_window};

#[test]
fn convolutions_slide_with_strides_and_padding() {
    let (x, k) = (pattern(1, &[2, 5, 6, 3]), pattern(2, &[3, 2, 3, 4]));
    same("conv2d_valid", &conv2d(&x, &k, [1, 1], Padding::Valid));
    same("conv2d_same", &conv2d(&x, &k, [2, 1], Padding::Same));
    same("conv2d_lower", &conv2d(&x, &k, [1, 2], Padding::SameLower));
    same("conv2d_pads", &conv2d(&x, &k, [1, 1], Padding::Explicit(vec![(2, 0), (-1, 3)])));
    same("conv1d", &conv1d(&pattern(3, &[2, 7, 2]), &pattern(4, &[3, 2, 3]), [2], Padding::Same));
    let (x, k) = (pattern(1, &[2, 3, 5, 6]), pattern(2, &[4, 3, 3, 2]));
    same("conv2d_nchw", &conv2d_nchw(&x, &k, [1, 1], Padding::Valid));
    same("conv_default", &conv_general_dilated(&x, &k, &Convolution::default()));
}

#[test]
fn convolutions_have_dilations_groups_and_types() {
    let (x, k) = (pattern(1, &[2, 4, 5, 6]), pattern(2, &[4, 4, 2, 2]));
    let dilated = Convolution {
        lhs_dilation: vec![2, 1],
        rhs_dilation: vec![1, 3],
        padding: Padding::Explicit(vec![(1, 1), (0, 2)]),
        ..Convolution::default()
    };
    same("conv_dilated", &conv_general_dilated(&x, &k, &dilated));
    let grouped = Convolution { feature_group_count: 2, ..Convolution::default() };
    same("conv_groups", &conv_general_dilated(&x, &pattern(3, &[6, 2, 2, 2]), &grouped));
    let batches = Convolution { batch_group_count: 2, ..Convolution::default() };
    same("conv_batch_groups", &conv_general_dilated(&x, &k, &batches));
    let mixed = Convolution { dimensions: Some(["HNWC", "IHOW", "WCNH"]), ..Convolution::default() };
    same("conv_mixed", &conv_general_dilated(&pattern(4, &[5, 2, 6, 3]), &pattern(5, &[3, 2, 4, 3]), &mixed));
    let (x, k) = (x.astype(DType::Bf16), k.astype(DType::Bf16));
    let preferred = Convolution { preferred: Some(DType::F32), ..Convolution::default() };
    same("conv_preferred", &conv_general_dilated(&x, &k, &preferred));
    same("conv_bf16", &conv_general_dilated(&x, &k, &Convolution::default()));
}

#[test]
fn transposed_convolutions_enlarge() {
    let (x, k) = (pattern(1, &[1, 3, 4, 2]), pattern(2, &[3, 2, 2, 3]));
    same("conv_transpose_same", &conv_transpose(&x, &k, &[2, 3], &Padding::Same));
    same("conv_transpose_valid", &conv_transpose(&x, &k, &[2, 1], &Padding::Valid));
    same("conv_transpose_pads", &conv_transpose(&x, &k, &[1, 2], &Padding::Explicit(vec![(1, 1), (0, 2)])));
    same(
        "conv_transpose_1d",
        &conv_transpose(&pattern(1, &[2, 4, 2]), &pattern(2, &[4, 2, 1]), &[2], &Padding::Same),
    );
}

#[test]
fn pools_reduce_windows() {
    let x = pattern(1, &[2, 5, 6, 2]);
    same("max_pool", &max_pool(&x, &[2, 3], &[], &Padding::Valid));
    same("max_pool_same", &max_pool(&x, &[3, 3], &[2, 2], &Padding::Same));
    same("min_pool", &min_pool(&x, &[2, 2], &[1, 2], &Padding::Explicit(vec![(1, 0), (0, 1)])));
    same("avg_pool", &avg_pool(&x, &[3, 2], &[2, 2], &Padding::Same, true));
    same("avg_pool_uncounted", &avg_pool(&x, &[3, 2], &[2, 2], &Padding::Same, false));
    let whole = indices(3, 50, &[1, 6, 1]) - 60;
    same("max_pool_s32", &max_pool(&whole, &[3], &[1], &Padding::Same));
    same("min_pool_s32", &min_pool(&whole, &[3], &[1], &Padding::Same));
    let over = Windows {
        sizes: vec![1, 2, 3, 1],
        strides: vec![1, 2, 1, 1],
        padding: Padding::Explicit(vec![(0, 0), (1, 1), (0, 0), (0, 0)]),
        base_dilation: vec![1, 2, 1, 1],
        window_dilation: vec![1, 1, 2, 1],
    };
    same("window_sum", &reduce_window(&x, Reducer::Add, &over));
    same("window_product", &reduce_window(&x, Reducer::Multiply, &over));
}

#[test]
fn windows_that_do_not_fit_are_refused() {
    let (x, k) = (pattern(1, &[2, 5, 6, 3]), pattern(2, &[3, 2, 4, 4]));
    refused(
        &conv2d(&x, &k, [1, 1], Padding::Valid),
        &["`conv2d`", "f32[2,5,6,3]", "f32[3,2,4,4]", "features"],
    );
    refused(&conv1d(&x, &k, [1], Padding::Valid), &["`conv1d`", "f32[2,5,6,3]"]);
    refused(&conv2d(&x, &pattern(2, &[3]), [1, 1], Padding::Valid), &["f32[2,5,6,3]", "f32[3]"]);
    refused(&conv2d(&x, &pattern(2, &[3, 2, 3, 4]), [0, 1], Padding::Valid), &["0", "strides"]);
    let short = Padding::Explicit(vec![(0, 0)]);
    refused(&conv2d(&x, &pattern(2, &[3, 2, 3, 4]), [1, 1], short), &["1 paddings", "2"]);
    let how = Convolution { dimensions: Some(["NHWC", "HWIO", "NHHC"]), ..Convolution::default() };
    refused(&conv_general_dilated(&x, &k, &how), &["NHHC"]);
    refused(&conv_transpose(&x, &k, &[], &Padding::Valid), &["0 strides"]);
    refused(&max_pool(&x, &[2], &[], &Padding::Valid), &["`max_pool`", "1 window sizes", "2 dimensions"]);
    refused(&max_pool(&pattern(1, &[3]), &[2], &[], &Padding::Valid), &["f32[3]"]);
    refused(&reduce_window(&x, Reducer::Add, &Windows::default()), &["0 window sizes", "4"]);
}
