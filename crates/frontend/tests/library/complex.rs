//! Complex numbers: derivatives on both sides of branch cuts, truth, infinities.

use crate::support::values;
use lawson_frontend::grad::jvp;
use lawson_frontend::{DType, Tensor};

fn number(re: f64, im: f64) -> Tensor {
    Tensor::complex(Tensor::full([], re, DType::F64), Tensor::full([], im, DType::F64))
}

type Function = fn(&Tensor) -> Tensor;

/// On a cut the sign of a zero says on which side a number lies; the derivative there is the limit from that side.
#[test]
fn derivatives_on_branch_cuts_are_those_of_their_side() {
    let along_real: [(Function, &[f64]); 3] = [
        (|z| z.asin(), &[-3.0, -1.5, 1.5, 3.0]),
        (|z| z.acos(), &[-3.0, -1.5, 1.5, 3.0]),
        (|z| z.acosh(), &[-3.0, -1.5, -0.5, 0.5]),
    ];
    let derivative = |f: Function, re: f64, im: f64| {
        let (_, t) = jvp(move |z: &Tensor| f(z), &(number(re, im),), &(number(1.0, 0.0),));
        (values(&t.real())[0], values(&t.imag())[0])
    };
    let near = |on: (f64, f64), beside: (f64, f64), what: String| {
        let distance = (on.0 - beside.0).hypot(on.1 - beside.1);
        assert!(distance < 1e-5, "{what}: {on:?}, beside {beside:?}");
    };
    for side in [1.0f64, -1.0] {
        for (n, (f, points)) in along_real.into_iter().enumerate() {
            for &x in points {
                let beside = derivative(f, x, 1e-9 * side);
                near(derivative(f, x, 0f64.copysign(side)), beside, format!("{n} at {x}, {side}"));
            }
        }
        for y in [-3.0, -1.5, 1.5, 3.0] {
            let beside = derivative(|z| z.asinh(), 1e-9 * side, y);
            near(derivative(|z| z.asinh(), 0f64.copysign(side), y), beside, format!("asinh at {y}i, {side}"));
        }
    }
}

#[test]
fn numbers_are_true_where_a_part_is_not_zero() {
    let z = Tensor::complex(Tensor::from([0.0f32, 0.0, 2.0]), Tensor::from([0.0f32, -1.0, 0.0]));
    let truth = Ok(vec![false, true, true]);
    assert_eq!(z.astype(DType::Pred).to_vec(), truth);
    assert_eq!(z.logical_or(false).to_vec(), truth);
    assert_eq!(z.logical_not().to_vec(), Ok(vec![true, false, false]));
}

#[test]
fn large_finite_numbers_are_not_infinite() {
    let infinite = f32::INFINITY;
    let z = Tensor::complex(
        Tensor::from([3e38f32, infinite, f32::NAN, 1.0]),
        Tensor::from([3e38f32, 0.0, -infinite, 0.0]),
    );
    assert_eq!(z.isinf().to_vec(), Ok(vec![false, true, true, false]));
    assert_eq!(z.isfinite().to_vec(), Ok(vec![true, false, false, true]));
}
