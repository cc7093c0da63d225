//! Functions of the host.

use crate::refused;
use crate::support::values;
use lawson_frontend::control::scan;
use lawson_frontend::tensor::custom::{custom_call, register};
use lawson_frontend::{DType, Tensor};

#[test]
fn a_registered_function_is_called() {
    register("test_divmod", |operands, results| {
        let pairs = operands[0].as_slice::<i32>()?.iter().zip(operands[1].as_slice::<i32>()?);
        let [quotients, remainders] = results else { return Err("two results".into()) };
        for (((a, b), q), r) in
            pairs.zip(quotients.as_mut_slice::<i32>()?).zip(remainders.as_mut_slice::<f32>()?)
        {
            (*q, *r) = (a / b, (a % b) as f32);
        }
        Ok(())
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
        let of = operands[0].as_slice::<f32>()?.iter();
        results[0].as_mut_slice::<f32>()?.iter_mut().zip(of).for_each(|(y, x)| *y = 2.0 * x);
        Ok(())
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
    register("test_broken", |_, _| Err("it is broken".into())).unwrap();
    assert!(of("test_broken", &[2]).error().unwrap().message().contains("it is broken"));
    register("test_type", |operands, _| Ok(operands[0].as_slice::<i32>().map(drop)?)).unwrap();
    assert!(of("test_type", &[2]).error().unwrap().message().contains("f32[1]"));
    assert!(register("lawson.mine", |_, _| Ok(())).is_err());
}
