//! Sorts, ranks and quantiles.

use crate::recorded::{indices, pattern, same};
use crate::{refused, support::values};
use lawson_frontend::tensor::{Side, sort_by_keys};
use lawson_frontend::{DType, Tensor};

fn special() -> Tensor {
    Tensor::new(&[2.0f32, f32::NAN, -0.0, f32::INFINITY, -1.0, 0.0, f32::NEG_INFINITY, 2.0], [8])
}

#[test]
fn sorts_are_those_of_jax() {
    let x = pattern(1, &[3, 5]);
    same("sort", &x.sort(-1));
    same("sort_0", &x.sort(0));
    same("sort_descending", &x.sort_descending(1));
    same("argsort", &x.argsort(1));
    same("argsort_descending", &x.argsort_descending(1));
    same("sort_special", &special().sort(0));
    same("argsort_special", &special().argsort(0));
    same("argsort_special_descending", &special().argsort_descending(0));
    same("sort_s32", &indices(1, 9, &[7]).sort(0));
    same("sort_bf16", &x.astype(DType::Bf16).sort(1));
    assert_eq!(values(&Tensor::new(&[true, false, true], [3]).sort(0)), [0.0, 1.0, 1.0]);
    assert_eq!(Tensor::new::<f32>(&[], [0]).sort(0).dims(), [0]);
}

#[test]
fn later_keys_decide_between_equal_ones() {
    let keys = [indices(1, 3, &[8]), pattern(2, &[8]), Tensor::arange(0..8, DType::S32)];
    let sorted = sort_by_keys(&[&keys[0], &keys[1], &keys[2]], 0, 2);
    same("sort_keys_0", &sorted[0]);
    same("sort_keys_1", &sorted[1]);
    same("sort_keys_2", &sorted[2]);
    let by_one = sort_by_keys(&[&keys[0], &keys[2]], 0, 1);
    same("sort_key_payload", &by_one[1]);
}

#[test]
fn the_largest_come_first() {
    let (top, at) = pattern(1, &[3, 5]).top_k(3);
    same("top_k", &top);
    same("top_k_at", &at);
    let (top, at) = indices(2, 5, &[9]).top_k(9);
    same("top_k_s32", &top);
    same("top_k_s32_at", &at);
    assert_eq!(pattern(1, &[3]).top_k(0).0.dims(), [0]);
}

#[test]
fn ranks_in_a_sorted_vector() {
    let sorted = Tensor::new(&[-1.0f32, 0.5, 0.5, 2.0, f32::INFINITY, f32::NAN], [6]);
    let elements = Tensor::new(&[-2.0f32, -1.0, 0.5, 1.0, 3.0, f32::INFINITY, f32::NAN, 2.0], [2, 4]);
    same("searchsorted_left", &sorted.searchsorted(&elements, Side::Left));
    same("searchsorted_right", &sorted.searchsorted(&elements, Side::Right));
    let many = Tensor::arange(0..37, DType::S32);
    same("searchsorted_s32", &many.searchsorted(&indices(1, 60, &[20]), Side::Right));
    let none = Tensor::new::<f32>(&[], [0]);
    assert_eq!(values(&none.searchsorted(&elements, Side::Left)), [0.0; 8]);
}

#[test]
fn quantiles_interpolate() {
    let x = pattern(1, &[3, 4]);
    same("median", &x.median());
    same("median_0", &x.median_axis(0));
    same("median_1", &x.median_axis(1));
    same("quantile", &x.quantile_axis(0.3, 1));
    same("quantile_ends", &x.quantile(1.0));
    same("median_nan", &special().median());
    same("median_s32", &indices(1, 9, &[4]).median());
}

#[test]
fn what_cannot_be_sorted_is_shown() {
    let (x, y) = (pattern(1, &[3, 4]), pattern(1, &[4]));
    refused(&x.sort(2), &["`sort`", "f32[3,4]", "axis 2"]);
    refused(&x.argsort(-3), &["`argsort`", "f32[3,4]", "axis -3"]);
    refused(&sort_by_keys(&[&x, &y], 0, 1)[0], &["`sort_by_keys`", "f32[3,4]", "f32[4]"]);
    refused(&sort_by_keys(&[&x], 0, 2)[0], &["1 arrays", "2"]);
    refused(&y.top_k(5).0, &["`top_k`", "f32[4]", "5"]);
    refused(&x.searchsorted(&y, Side::Left), &["`searchsorted`", "f32[3,4]"]);
    refused(&x.quantile(1.5), &["`quantile`", "1.5"]);
}
