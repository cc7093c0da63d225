//! Operations that cannot be done: a tensor with the line of this file and the shapes, never a panic.

mod support;

use lawson_frontend::tensor::{Ellipsis, NewAxis, Step, concatenate, stack, where_};
use lawson_frontend::{Tensor, trace};
use lawson_hlo::DType;

fn matrix() -> Tensor {
    Tensor::zeros([2, 3], DType::F32)
}

/// The error stands on this line of this file, and its text has these parts.
#[track_caller]
fn fails(line: u32, made: Tensor, parts: &[&str]) {
    let error = made.error().unwrap_or_else(|| panic!("{made:?} carries no error")).clone();
    assert_eq!((error.place().file(), error.place().line()), (file!(), line), "{error}");
    parts.iter().for_each(|part| assert!(error.message().contains(part), "{error} lacks {part}"));
}

macro_rules! fails {
    ($made:expr, $($part:expr),+) => { fails(line!(), $made, &[$($part),+]) };
}

#[test]
fn operands_that_do_not_fit() {
    let (x, y) = (matrix(), Tensor::zeros([4], DType::F32));
    fails!(&x + &y, "`add`", "f32[2,3]", "f32[4]");
    fails!(&x % &y, "`remainder`", "f32[2,3]", "f32[4]");
    fails!(&x >> &y, "f32[2,3]", "f32[4]");
    fails!(2.0 * &x + &y, "f32[2,3]", "f32[4]");
    fails!(x.maximum(&y), "`maximum`", "f32[2,3]", "f32[4]");
    fails!(x.less(&y), "`less`", "f32[2,3]", "f32[4]");
    fails!(x.logical_and(&y), "f32[2,3]", "f32[4]");
    fails!(x.clip(0.0, &y), "`clip`", "f32[2,3]", "f32[4]");
    fails!(where_(&x, 1.0, &y), "`where_`", "[2,3]", "f32[4]");
    fails!(concatenate(&[&x, &y], 0), "`concatenate`", "f32[2,3]", "f32[4]");
    fails!(concatenate::<Tensor>(&[], 0), "`concatenate`");
    fails!(stack(&[&x, &y], 0), "`stack`", "f32[2,3]", "f32[4]");
    fails!(x.broadcast_to([2, 4]), "`broadcast_to`", "f32[2,3]", "f32[2,4]");
    fails!(x.at(0).set(&y), "`at(…).set`", "f32[4]", "f32[2,3]", "f32[3]");
    fails!(x.dynamic_update_slice(&y, &[&0, &0]), "f32[2,3]");
}

#[test]
fn types_that_do_not_fit() {
    let (x, n) = (matrix(), Tensor::ones([3], DType::S32));
    fails!(&x & 1, "`and`");
    fails!(!&x, "`not`");
    fails!(&n << 1.5, "shift-left");
    fails!(-Tensor::from(true), "`negate`", "pred[]");
    fails!(n.pow(-1), "`pow`", "s32[3]", "-1");
    fails!(&n + 3_000_000_000_u32, "3000000000", "s32");
    fails!(n.astype(DType::U8) - (-1), "-1", "u8");
    fails!(n.at(0).set(x.index((0, 0))), "s32[3]", "f32[]", "astype");
    fails!(x.bitcast(DType::F64), "f32[2,3]");
}

#[test]
fn axes_and_shapes_that_are_not_there() {
    let x = matrix();
    fails!(x.sum_axes(2), "`sum`", "f32[2,3]", "axis 2");
    fails!(x.max_keepdims([0, -2]), "`max`", "f32[2,3]", "axis 0 twice");
    fails!(x.mean_axes(-3), "`mean`", "axis -3");
    fails!(x.argmax_axis(5), "`argmax_axis`", "f32[2,3]", "axis 5");
    fails!(x.cumsum(2), "`cumsum`", "f32[2,3]", "axis 2");
    fails!(x.flip(7), "`flip`", "axis 7");
    fails!(x.reshape([4, -1]), "`reshape`", "f32[2,3]", "[4, -1]");
    fails!(x.reshape([-1, -1]), "`reshape`", "f32[2,3]");
    fails!(x.reshape([5]), "`reshape`", "f32[2,3]", "[5]");
    fails!(x.transpose([0]), "`transpose`", "f32[2,3]", "1 axes");
    fails!(x.squeeze(0), "`squeeze`", "f32[2,3]", "axis 0");
    fails!(x.expand_dims(4), "`expand_dims`", "f32[2,3]", "[4]");
    fails!(x.index(0).tril(0), "`tril`", "f32[3]");
    fails!(x.sum().diag(), "`diag`", "f32[]");
    fails!(x.diff(2), "`diff`", "f32[2,3]");
    fails!(x.split(2, 1)[1].clone(), "`split`", "f32[2,3]", "2 equal parts");
    fails!(x.split_at(&[2, 1], 1)[0].clone(), "`split_at`", "f32[2,3]");
    fails!(x.pad([(-3, 0), (0, 0)], 0.0), "`pad`");
    fails!(x.pad_edge([(1, 1)]), "`pad_edge`", "f32[2,3]");
    fails!(Tensor::zeros([0, 3], DType::F32).max_axes(0), "`max`", "f32[0,3]", "no elements");
    fails!(Tensor::zeros([0], DType::F32).argmin(), "`argmin`", "no elements");
    fails!(Tensor::zeros([-1], DType::F32), "f32[-1]");
    fails!(Tensor::arange_by(0.0, 1.0, 0.0, DType::F32), "`arange_by`");
    fails!(Tensor::from(vec![vec![1f32], vec![]]), "1 and of 0 elements");
}

#[test]
fn indices_that_are_not_there() {
    let x = matrix();
    fails!(x.index(2), "`index` 2", "f32[2,3]");
    fails!(x.index((0, 0, 0)), "f32[2,3]", "3 items");
    fails!(x.index((Ellipsis, NewAxis, Ellipsis)), "2 ellipses");
    fails!(x.index((..).step(0)), "step 0", "f32[2,3]");
    fails!(x.index(&x), "scalar integer", "f32[2,3]");
    fails!(x.at(-3).add(1.0), "`index` -3", "f32[2,3]");
    fails!(x.slice([0, 0], [2, 4], [1, 1]), "`slice`", "[0:4]");
    fails!(x.dynamic_slice(&[&0], [1, 1]), "`dynamic_slice`", "f32[2,3]", "1 start");
    fails!(x.dynamic_slice(&[&0, &1.5], [1, 1]), "scalar integer", "f32[]");
}

#[test]
fn the_first_error_stays_and_traced_functions_give_it() {
    let line = line!() + 3;
    let spec = matrix().spec().unwrap();
    let traced = trace::program(&[spec], |x| {
        let bad = &x[0] + Tensor::zeros([4], DType::F32);
        Ok(vec![bad.exp().sum_axes(9) * 2.0])
    });
    let error = traced.err().expect("an error");
    assert_eq!((error.place().line(), error.place().file()), (line, file!()), "{error}");
}
