//! Operators and promotion on tensors: types, values, errors.

mod support;
use lawson_frontend::Tensor;
use lawson_frontend::tensor::{index::Part, where_};
use lawson_hlo::DType;
use support::values;

fn x() -> Tensor {
    Tensor::new(&[1f32, -2.0, 3.5], [3])
}

#[test]
fn operators_take_owned_borrowed_and_numbers_on_both_sides() {
    let (x, y) = (x(), Tensor::new(&[2f32, 4.0, 0.5], [3]));
    let sum = [3.0, 2.0, 4.0];
    for made in [&x + &y, x.clone() + &y, &x + y.clone(), x.clone() + y.clone(), x.add(&y)] {
        assert_eq!(values(&made), sum);
    }
    assert_eq!(values(&(&x - 1.0)), [0.0, -3.0, 2.5]);
    assert_eq!(values(&(1.0 - &x).abs()), [0.0, 3.0, 2.5]);
    assert_eq!(values(&(2 * &x).abs()), [2.0, 4.0, 7.0]);
    assert_eq!(values(&(x.clone() / 2f32)), [0.5, -1.0, 1.75]);
    assert_eq!(values(&-&x), [-1.0, 2.0, -3.5]);
    assert_eq!(values(&(&x % 3.0)), [1.0, 1.0, 0.5]);
    let mut z = x.clone();
    z += &y;
    z *= 2.0;
    z -= 1.0;
    z /= 0.5;
    assert_eq!(values(&z), [10.0, 6.0, 14.0]);
    let n = Tensor::new(&[6i32, -7, 3], [3]);
    assert_eq!(values(&(&n & 3)), [2.0, 1.0, 3.0]);
    assert_eq!(values(&(&n | 8)), [14.0, -7.0, 11.0]);
    assert_eq!(values(&(&n ^ 1)), [7.0, -8.0, 2.0]);
    assert_eq!(values(&(&n << 2)), [24.0, -28.0, 12.0]);
    assert_eq!(values(&(&n >> 1)), [3.0, -4.0, 1.0]);
    assert_eq!(values(&!&n), [-7.0, 6.0, -4.0]);
    assert_eq!(values(&where_(n.less(0), -1, &n)), [6.0, -1.0, 3.0]);
}

#[test]
fn reductions_and_shapes() {
    let x = Tensor::new(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
    assert_eq!(values(&x.sum()), [21.0]);
    assert_eq!(values(&x.sum_axes(0)), [5.0, 7.0, 9.0]);
    assert_eq!(values(&x.max_axes(-1)), [3.0, 6.0]);
    assert_eq!(x.max_keepdims([1]).dims(), [2, 1]);
    assert_eq!(x.reshape([-1]).dims(), [6]);
    assert_eq!(values(&x.t()), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
}

#[test]
fn numbers_are_weak() {
    let bf = x().astype(DType::Bf16);
    assert_eq!((&bf * 2.0).dtype(), DType::Bf16);
    assert_eq!((Tensor::new(&[0.1f64], [1]) * 0.1).to_vec::<f64>().unwrap(), [0.1 * 0.1]);
    let n = Tensor::new(&[1i32], [1]);
    assert_eq!((&n + 1).dtype(), DType::S32);
    let f = &n + 1.5;
    assert_eq!((f.dtype(), f.is_weak()), (DType::F32, true));
    assert_eq!((&bf + &f).dtype(), DType::Bf16);
    assert_eq!((&n / 2).dtype(), DType::F32);
    let big = Tensor::new(&[1u8], [1]) + 300;
    assert!(big.error().unwrap().message().contains("300 is no u8"), "{big:?}");
}

#[test]
fn tensors_are_made_of_numbers_shapes_and_nested_elements() {
    let nested = Tensor::from([[1i64, 2], [3, 4]]);
    assert_eq!((nested.dtype(), nested.dims()), (DType::S64, &[2, 2][..]));
    assert_eq!(values(&Tensor::from(vec![vec![0.5f64], vec![1.5]])), [0.5, 1.5]);
    assert_eq!(values(&Tensor::from(&[true, false][..])), [1.0, 0.0]);
    assert_eq!(Tensor::from([[[0f32; 4]; 0]; 2]).dims(), [2, 0]);
    let one = Tensor::of(1.5);
    assert_eq!((one.dtype(), one.rank(), one.is_weak()), (DType::F32, 0, true));
    assert!(!one.astype(DType::F32).is_weak());
    assert_eq!(values(&Tensor::full([2], 7, DType::U8)), [7.0, 7.0]);
    assert!(Tensor::full([2], 256, DType::U8).error().is_some());
    assert_eq!(values(&Tensor::full([2, 2], one.reshape([1]), DType::F64)), [1.5; 4]);
    assert_eq!(values(&nested.zeros_like()), [0.0; 4]);
    assert_eq!(values(&nested.ones_like()), [1.0; 4]);
    assert_eq!(values(&nested.full_like(-3)), [-3.0; 4]);
    assert_eq!(values(&Tensor::iota([2, 3], -1, DType::S32)), [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    assert_eq!(values(&Tensor::arange(2..2, DType::S32)), [0.0; 0]);
    assert_eq!(values(&Tensor::linspace(3.0, 4.0, 1, DType::F32)), [3.0]);
    assert_eq!(values(&nested.flatten()), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn slices_and_indices_that_only_the_program_knows() {
    let x = Tensor::arange(0..6, DType::F32).reshape([2, 3]);
    assert_eq!(values(&x.slice([0, 0], [2, 3], [1, 2])), [0.0, 2.0, 3.0, 5.0]);
    assert_eq!(values(&x.slice_in_dim(1, 3, -1)), [1.0, 2.0, 4.0, 5.0]);
    assert_eq!(values(&x.index((1, Part::new(None, None, -1)))), [5.0, 4.0, 3.0]);
    for (index, row) in [
        (Tensor::new(&[4_000_000_000u32], []), [3.0, 4.0, 5.0]),
        (Tensor::new(&[-(1i64 << 40)], []), [0.0, 1.0, 2.0]),
        (Tensor::new(&[-1i8], []), [3.0, 4.0, 5.0]),
    ] {
        assert_eq!(values(&x.index(&index)), row, "{index:?}");
        assert_eq!(values(&x.at(&index).set(9.0).index(&index)), [9.0; 3], "{index:?}");
    }
}
