//! Elements by tensors of indices.

use crate::recorded::{indices, pattern, same};
use crate::{refused, support::values};
use lawson_frontend::tensor::gather::{
    IndexMode, one_hot, segment_max, segment_min, segment_prod, segment_sum,
};
use lawson_frontend::{DType, Tensor};

fn ints(elements: &[i32]) -> Tensor {
    Tensor::new(elements, [elements.len() as i64])
}

#[test]
fn take_replaces_a_dimension() {
    let x = pattern(1, &[3, 4, 2]);
    let i = Tensor::new(&[0, 3, -1, -4, 2, 2], [2, 3]);
    same("take_0", &x.take(&ints(&[2, 0, -1]), 0));
    same("take_1", &x.take(&i, 1));
    same("take_last", &x.take(&Tensor::new(&[1i32], []), -1));
    same("take_fill", &x.take(&ints(&[0, 3, -3, -4, 100]), 0));
    same("take_clip", &x.take_mode(&ints(&[0, 3, -3, -4, 100]), 0, IndexMode::Clip));
    same("take_wrap", &x.take_mode(&ints(&[0, 3, -3, -4, 100]), 0, IndexMode::Wrap));
    same("take_fill_s32", &indices(1, 9, &[3]).take(&ints(&[0, 7]), 0));
    let bytes = indices(1, 9, &[3]).astype(DType::U8);
    assert_eq!(values(&bytes.take(&ints(&[0, 7]), 0))[1], 255.0);
    let unsigned = Tensor::new(&[1u32, u32::MAX], [2]);
    assert!(values(&x.take(&unsigned, 1))[2].is_nan());
    let wide = Tensor::new(&[-1i64, i64::MAX], [2]);
    assert_eq!(values(&pattern(1, &[3]).take(&wide, 0))[0], values(&pattern(1, &[3]))[2]);
}

#[test]
fn take_along_axis_goes_position_by_position() {
    let x = pattern(1, &[3, 4]);
    same("along_1", &x.take_along_axis(&indices(2, 4, &[3, 5]), 1));
    same("along_0", &x.take_along_axis(&indices(3, 3, &[2, 4]), 0));
    same("along_stretch", &x.take_along_axis(&indices(3, 3, &[2, 1]), 0));
    same("along_fill", &x.take_along_axis(&Tensor::new(&[-1, -5, 4], [3, 1]), 1));
    same("along_1d", &pattern(1, &[5]).take_along_axis(&ints(&[4, 0, -2]), 0));
}

#[test]
fn indices_along_several_dimensions_are_broadcast() {
    let x = pattern(1, &[3, 4, 5]);
    let (i, j) = (ints(&[0, 2, -1]), ints(&[1, -1, 3]));
    same("at_01", &x.at_indices(&[&i, &j]).get());
    same("at_12", &x.at_indices_axes(&[&i, &j], &[1, 2]).get());
    same("at_02", &x.at_indices_axes(&[&i, &j], &[0, 2]).get());
    same("at_columns", &x.at_indices(&[&i.reshape([3, 1]), &j]).get());
    same("at_fill", &x.at_indices(&[&ints(&[5]), &ints(&[0])]).get());
    same("at_clip", &x.at_indices(&[&ints(&[5]), &ints(&[0])]).mode(IndexMode::Clip).get());
}

#[test]
fn places_are_set_and_combined() {
    let x = pattern(1, &[4, 3]);
    let (i, rows) = (ints(&[1, 3, 1]), pattern(2, &[3, 3]));
    let apart = ints(&[2, 0, -1]);
    same("at_set", &x.at_indices(&[&apart]).set(&rows));
    same("at_set_scalar", &x.at_indices(&[&apart]).set(7.0));
    same("at_add", &x.at_indices(&[&i]).add(&rows));
    same("at_subtract", &x.at_indices(&[&i]).subtract(&rows));
    same("at_multiply", &x.at_indices(&[&i]).multiply(&rows));
    same("at_min", &x.at_indices(&[&i]).min(&rows));
    same("at_max", &x.at_indices(&[&i]).max(&rows));
    same("at_add_two", &x.at_indices(&[&i, &ints(&[2, 0, 2])]).add(ints(&[10, 20, 30])));
    same("at_add_column", &x.at_indices_axes(&[&ints(&[2, 2])], &[1]).add(pattern(3, &[4, 2])));
    same("at_drop", &x.at_indices(&[&ints(&[9, -1, -9])]).set(5.0));
    same("at_add_clip", &x.at_indices(&[&ints(&[9, -9])]).mode(IndexMode::Clip).add(5.0));
}

#[test]
fn classes_and_segments() {
    same("one_hot", &one_hot(&ints(&[0, 2, 3, -1]), 3, DType::F32));
    same("one_hot_s32", &one_hot(&indices(1, 3, &[2, 2]), 3, DType::S32));
    let (x, ids) = (pattern(1, &[5, 2]), ints(&[0, 2, 2, -1, 7]));
    same("segment_sum", &segment_sum(&x, &ids, 4));
    same("segment_prod", &segment_prod(&x, &ids, 4));
    same("segment_max", &segment_max(&x, &ids, 4));
    same("segment_min", &segment_min(&x, &ids, 4));
    same("segment_max_s32", &segment_max(&indices(1, 9, &[5]), &ids, 4));
}

#[test]
fn no_indices_give_no_elements() {
    let none = Tensor::new::<i32>(&[], [0]);
    assert_eq!(pattern(1, &[3, 2]).take(&none, 0).dims(), [0, 2]);
    assert_eq!(Tensor::new::<f32>(&[], [0, 2]).take(&none, 0).dims(), [0, 2]);
    let x = pattern(1, &[3, 2]);
    assert_eq!(values(&x.at_indices(&[&none]).add(1.0)), values(&x));
}

#[test]
fn indices_that_do_not_fit_are_refused() {
    let (x, i) = (pattern(1, &[3, 4]), ints(&[0, 1]));
    refused(&x.take(&i, 2), &["`take`", "f32[3,4]", "axis 2"]);
    refused(&x.take(&pattern(1, &[2]), 0), &["`take`", "f32[3,4]", "f32[2]", "no integers"]);
    refused(&Tensor::new::<f32>(&[], [0]).take(&i, 0), &["f32[0]", "none"]);
    refused(&x.take_along_axis(&i, 1), &["`take_along_axis`", "f32[3,4]", "s32[2]"]);
    refused(&x.take_along_axis(&indices(1, 2, &[2, 2]), 1), &["f32[3,4]", "s32[2,2]"]);
    refused(&x.at_indices(&[&i, &ints(&[0, 1, 2])]).get(), &["`get`", "s32[2]", "s32[3]"]);
    refused(&x.at_indices(&[&i, &i, &i]).get(), &["`get`", "f32[3,4]", "axis 2"]);
    refused(&x.at_indices_axes(&[&i], &[0, 1]).get(), &["1 indices", "2 axes"]);
    refused(&x.at_indices(&[&i]).set(pattern(1, &[3])), &["`set`", "f32[3]", "f32[3,4]"]);
    refused(&x.at_indices(&[]).set(1.0), &["`set`", "indices"]);
    refused(&one_hot(&x, 3, DType::F32), &["`one_hot`", "f32[3,4]"]);
    refused(&segment_sum(&x, &i, 3), &["`segment_sum`", "f32[3,4]", "s32[2]"]);
}
