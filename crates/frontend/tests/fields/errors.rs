//! What has no meaning in a field is an error, with the line of the program.

use lawson_frontend::random::{key, uniform};
use lawson_frontend::tensor::convolve::Padding;
use lawson_frontend::tensor::pool::avg_pool;
use lawson_frontend::{DType, Tensor};

#[track_caller]
fn refused(t: Tensor, words: &[&str]) {
    let e = t.error().unwrap_or_else(|| panic!("{t:?}")).to_string();
    assert!(e.contains("errors.rs"), "no place: {e}");
    for word in words {
        assert!(e.contains(word), "{e:?} lacks {word:?}");
    }
}

fn x() -> Tensor {
    Tensor::from_values(DType::BabyBear, &[1u32, 2], [2])
}

fn z() -> Tensor {
    Tensor::from_values(DType::GoldilocksX2, &[1u32, 2], [1])
}

#[test]
fn types_that_do_not_go_together() {
    refused(x() + 1.5, &["add", "babybear and f32", "whole numbers"]);
    refused(x() * Tensor::new(&[1f32, 2.0], [2]), &["babybear and f32", "whole numbers"]);
    refused(x() + Tensor::new(&[1u32, 2], [2]), &["babybear and u32", "`astype`"]);
    refused(x() + x().astype(DType::BabyBearMont), &["babybear and babybear_mont", "`astype`"]);
    refused(x() * z(), &["babybear and goldilocksx2", "`astype`"]);
    refused(x() + 2_013_265_921u32, &["2013265921 is no babybear", "2013265920"]);
    refused(x() - 2_013_265_921i64, &["2013265921 is no babybear"]);
    refused(z() * u64::MAX, &["goldilocks"]);
    refused(Tensor::full([2], 1.0, DType::BabyBear), &["1.0 is no babybear", "integers"]);
    refused(x().pad([(1, 0)], 0.5), &["0.5 is no babybear"]);
    refused(x().astype(DType::F32), &["f32", "babybear"]);
    refused(Tensor::new(&[1f32], [1]).astype(DType::BabyBear), &["f32", "babybear"]);
    refused(x().astype(DType::KoalaBear), &["different fields"]);
    refused(z().astype(DType::U64), &["goldilocksx2"]);
}

#[test]
fn values_that_are_none() {
    let of = |dtype, values: &[u64], dims: &[i64]| Tensor::from_values(dtype, values, dims);
    refused(of(DType::KoalaBearMont, &[2_130_706_433], &[1]), &["2130706433", "2130706432"]);
    refused(of(DType::BabyBear, &[1, 2, 3], &[2]), &["3 values", "babybear[2]"]);
    refused(of(DType::BabyBearX4, &[1, 2, 3], &[1]), &["3 values", "4 each"]);
    refused(of(DType::BabyBear, &[], &[-1]), &["babybear"]);
    refused(of(DType::F32, &[1], &[1]), &["f32", "`new`"]);
    let e = Tensor::new(&[1u32], [1]).values().unwrap_err().to_string();
    assert!(e.contains("u32[1]") && e.contains("errors.rs"), "{e}");
    refused(x().coefficients(), &["babybear[2]"]);
    refused(x().from_coefficients(DType::BabyBearX4), &["babybear[2]", "babybearx4"]);
}

#[test]
fn what_fields_do_not_have() {
    refused(x().exp(), &["exponential", "babybear"]);
    refused(x().sqrt(), &["sqrt", "babybear"]);
    refused(x().log2(), &["log", "babybear"]);
    refused(x().floor(), &["floor", "babybear"]);
    refused(x().abs(), &["abs", "babybear"]);
    refused(x() % 2, &["remainder", "babybear"]);
    refused(x().floor_divide(2), &["remainder", "babybear"]);
    refused(x() & 1, &["and", "babybear"]);
    refused(x().mean(), &["`mean`", "babybear", "averages"]);
    refused(x().std_axes(0), &["`std`", "babybear", "averages"]);
    refused(x().median(), &["babybear", "averages"]);
    refused(x().logsumexp(), &["`logsumexp`", "babybear"]);
    refused(x().cumlogsumexp(0), &["babybear"]);
    let image = x().reshape([1, 2, 1]);
    refused(avg_pool(&image, &[2], &[1], &Padding::Valid, true), &["`avg_pool`", "averages"]);
    refused(Tensor::linspace(0.0, 4.0, 5, DType::BabyBear), &["`linspace`", "babybear"]);
    refused(Tensor::arange_by(0.0, 4.0, 0.5, DType::BabyBear), &["`arange_by`", "`arange`"]);
    refused(uniform(&key(1), [2], DType::BabyBear), &["`uniform`", "babybear"]);
    refused(x().pow(0.5), &["`pow`", "unsigned"]);
    refused(x().pow(Tensor::new(&[1i32, 2], [2])), &["`pow`", "s32[2]", "unsigned", "`astype`"]);
    refused(z().pow(Tensor::new(&[1u32], [1])), &["`pow`", "goldilocksx2", "extension"]);
    refused(z().less(z()), &["goldilocksx2"]);
    refused(z().maximum(1), &["goldilocksx2"]);
    refused(z().max(), &["goldilocksx2"]);
}
