//! Functions of the host.

use crate::refused;
use crate::support::values;
use lawson_frontend::control::scan;
use lawson_frontend::tensor::custom::{custom_call, register};
use lawson_frontend::{DType, Tensor};

#[test]
fn a_registered_function_is_called() {
    register("test_divmod", |operands, results| {
        let (a, b) = (operands[0].elements::<i32>()?, operands[1].elements::<i32>()?);
        let pairs = || a.iter().zip(&b);
        results[0].write(&pairs().map(|(a, b)| a / b).collect::<Vec<_>>())?;
        results[1].write(&pairs().map(|(a, b)| (a % b) as f32).collect::<Vec<_>>())
    })
    .unwrap();
    let (a, b) = (Tensor::new(&[17, 9], [2]), Tensor::new(&[5, 2], [2]));
    let results: [(DType, &[i64]); 2] = [(DType::S32, &[2]), (DType::F32, &[2])];
    let found = custom_call("test_divmod", &[&a, &b], &results);
    assert_eq!((values(&found[0]), values(&found[1])), (vec![3.0, 4.0], vec![2.0, 1.0]));
    let taken = register("test_divmod", |_, _| Ok(())).unwrap_err();
    assert!(taken.message().contains("test_divmod") && taken.place().file() == file!(), "{taken}");
}

#[test]
fn it_is_called_in_loops() {
    register("test_twice", |operands, results| {
        results[0].write(&operands[0].elements::<f32>()?.iter().map(|x| 2.0 * x).collect::<Vec<_>>())
    })
    .unwrap();
    let twice = |x: &Tensor| custom_call("test_twice", &[x], &[(x.dtype(), x.dims())]).swap_remove(0);
    let (last, _) = scan(
        |c: &Tensor, x: &Tensor| (twice(c) * x, ()),
        &Tensor::of(1f32).astype(DType::F32),
        &Tensor::new(&[1f32, 2.0, 3.0], [3]),
    );
    assert_eq!(values(&last), [48.0]);
}

#[test]
fn what_cannot_be_called_is_refused() {
    let x = Tensor::new(&[1f32], [1]);
    let of = |name: &str, dims: &[i64]| custom_call(name, &[&x], &[(DType::F32, dims)]).swap_remove(0);
    assert!(of("test_unknown", &[1]).error().unwrap().message().contains("test_unknown"));
    refused(&of("lawson.checkpoint", &[1]), &["lawson.checkpoint"]);
    assert!(of("test_negative", &[-1]).error().is_some());
    register("test_short", |_, results| results[0].write(&[1f32])).unwrap();
    assert!(of("test_short", &[2]).error().unwrap().message().contains("1 elements"));
    register("test_type", |operands, _| operands[0].elements::<i32>().map(drop)).unwrap();
    assert!(of("test_type", &[2]).error().unwrap().message().contains("f32[1]"));
    assert!(register("lawson.mine", |_, _| Ok(())).is_err());
}
