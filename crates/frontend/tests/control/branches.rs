//! Values of branches.

use crate::scalar;
use crate::support::values;
use lawson_frontend::Tensor;
use lawson_frontend::control::{cond, scan, switch};

#[test]
fn cond_computes_the_branch_that_holds() {
    let large = Tensor::new(&[2f32; 20], [20]);
    let of = |holds: bool| {
        let predicate = Tensor::new(&[holds], []);
        let operands = (scalar(3.0), scalar(5.0));
        cond(
            &predicate,
            |(a, b): &(Tensor, Tensor)| (a * b, large.clone()),
            |(a, _)| (a * a, &large * a),
            &operands,
        )
    };
    assert_eq!((values(&of(true).0), values(&of(true).1)), (vec![15.0], vec![2.0; 20]));
    assert_eq!((values(&of(false).0), values(&of(false).1)), (vec![9.0], vec![6.0; 20]));
}

#[test]
fn switch_clamps_its_index() {
    let x = scalar(2.0);
    let of = |index: Tensor| {
        let cube = |x: &Tensor| &(x * x) * x;
        values(&switch(&index, [&|x: &Tensor| x.clone(), &|x: &Tensor| x * x, &cube], &x))[0]
    };
    let found: Vec<f64> = [-7i32, 0, 1, 2, 3, 100].map(|i| of(Tensor::new(&[i], []))).to_vec();
    assert_eq!(found, [2.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
    assert_eq!(of(Tensor::new(&[255u8], [])), 8.0);
    assert_eq!(of(Tensor::new(&[i64::MIN], [])), 2.0);
}

#[test]
fn branches_stand_in_loops() {
    let flags = Tensor::new(&[true, false, true], [3]);
    let (last, _) = scan(
        |c: &Tensor, flag: &Tensor| {
            let two = scalar(2.0);
            (cond(flag, |c: &Tensor| c * c, |c: &Tensor| c * &two, c), ())
        },
        &scalar(3.0),
        &flags,
    );
    assert_eq!(values(&last), [324.0]);
}

#[test]
fn a_weak_result_takes_the_type_of_the_other_branch() {
    let p = Tensor::new(&[false], []);
    let found = cond(&p, |x: &Tensor| x.clone(), |_| Tensor::of(2), &Tensor::new(&[1f64], []));
    assert_eq!(
        (found.dtype(), found.is_weak(), values(&found)),
        (lawson_frontend::DType::F64, false, vec![2.0])
    );
}
