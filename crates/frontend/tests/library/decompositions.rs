//! Decompositions: factors multiply to the matrix, derivatives are those of differences.

use crate::recorded::pattern;
use crate::{refused, support::values};
use lawson_frontend::grad::grad;
use lawson_frontend::linalg::*;
use lawson_frontend::tensor::linalg::{cholesky, solve_positive_definite};
use lawson_frontend::vmap::vmap;
use lawson_frontend::{DType, Tensor};

fn matrix(seed: i64, dims: &[i64]) -> Tensor {
    pattern(seed, dims).astype(DType::F64)
}

#[track_caller]
fn near(found: &Tensor, wanted: &Tensor) {
    assert_eq!(found.dims(), wanted.dims());
    for (a, b) in values(found).into_iter().zip(values(wanted)) {
        assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} {b}");
    }
}

fn turned(a: &Tensor) -> Tensor {
    a.swapaxes(-1, -2)
}

#[test]
fn factors_multiply_to_the_matrix() {
    for dims in [&[3i64, 3][..], &[2, 5, 3], &[2, 3, 5], &[1, 1], &[0, 3, 3], &[3, 0]] {
        let a = matrix(1, dims);
        let (q, r) = qr(&a);
        near(&q.matmul(&r), &a);
        let (order, l, u) = lu(&a);
        let order = order.expand_dims(-1).broadcast_to(a.dims());
        near(&l.matmul(&u), &a.take_along_axis(&order, -2));
        let (u, s, vt) = svd(&a);
        near(&(u * s.expand_dims(-2)).matmul(&vt), &a);
    }
    let a = matrix(2, &[2, 4, 4]);
    let symmetric = &a + turned(&a);
    let (w, v) = eigh(&symmetric);
    near(&(&v * w.expand_dims(-2)).matmul(turned(&v)), &symmetric);
    // The sum of complex eigenvalues is the trace.
    let (w, _) = eig(&a);
    assert_eq!(w.dtype(), DType::C128);
}

#[test]
fn narrow_floats_are_computed_in_f32() {
    let a = matrix(2, &[3, 3]);
    let symmetric = &a + turned(&a);
    for dtype in [DType::F16, DType::Bf16] {
        let a = symmetric.astype(dtype);
        let exact = a.astype(DType::F32);
        let (q, r) = qr(&a);
        let (_, l, u) = lu(&a);
        let (w, v) = eigh(&a);
        let (_, s, _) = svd(&a);
        for part in [&q, &r, &l, &u, &w, &v, &s] {
            assert_eq!(part.dtype(), dtype);
        }
        assert_eq!(values(&w), values(&eigh(&exact).0.astype(dtype)));
        assert_eq!(values(&s), values(&svd(&exact).1.astype(dtype)));
        let (w, v) = eig(&a);
        assert_eq!((w.dtype(), v.dtype()), (DType::C64, DType::C64));
        assert_eq!(values(&w.real()), values(&eig(&exact).0.real()));
    }
}

/// Sums of large elements, and products of large or small values, leave the range where results do not.
#[test]
fn large_and_small_matrices_are_as_good_as_others() {
    let large = Tensor::eye(2, 2, 0, DType::F32) * 3e38;
    assert_eq!(values(&eigh(&large).0), [f64::from(3e38f32); 2]);
    assert!(values(&cholesky(&large)).iter().all(|x| x.is_finite()));
    let large = Tensor::eye(2, 2, 0, DType::F16) * 60000;
    assert_eq!(values(&eigh(&large).0), [60000.0; 2]);
    assert!(values(&cholesky(&large)).iter().all(|x| x.is_finite()));
    // U Vᵀ does not change with the scale, so its derivative is divided by that.
    let a = matrix(6, &[4, 3]).astype(DType::F32);
    let derivative =
        |a: &Tensor| grad(|a: &Tensor| weighed(&svd(a).0.matmul(svd(a).2).astype(DType::F64)))(a);
    let wanted = values(&derivative(&a));
    for scale in [1e20f32, 1e-23] {
        let found = values(&(derivative(&(&a * scale)) * scale));
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-3, "{scale}: {found} {wanted}");
        }
    }
}

#[test]
fn equations_inverses_and_determinants_fit_together() {
    let a = matrix(3, &[2, 4, 4]) + Tensor::eye(4, 4, 0, DType::F64) * 0.5;
    let b = matrix(4, &[4, 3]);
    near(&a.matmul(solve(&a, &b)), &b.broadcast_to([2, 4, 3]));
    let one = matrix(3, &[4, 4]);
    let vector = matrix(5, &[4]);
    near(&one.matmul(solve(&one, &vector)), &vector);
    near(&inv(&a).matmul(&a), &Tensor::eye(4, 4, 0, DType::F64).broadcast_to([2, 4, 4]));
    // Of different types in the wider one, and of batches of one rank.
    let (narrow, wide) = (one.astype(DType::F32), matrix(4, &[4, 3]));
    near(&narrow.astype(DType::F64).matmul(solve(&narrow, &wide)), &wide);
    let exact = solve(&narrow.astype(DType::F64), &wide);
    assert_eq!(values(&solve(&narrow, &wide)), values(&exact));
    let positive = Tensor::eye(4, 4, 0, DType::F64) + one.matmul(turned(&one));
    let narrow = positive.astype(DType::F32);
    let exact = solve_positive_definite(&narrow.astype(DType::F64), &wide);
    assert_eq!(values(&solve_positive_definite(&narrow, &wide)), values(&exact));
    let (batch, sides) = (a.reshape([2, 1, 4, 4]), matrix(4, &[1, 3, 4, 3]));
    near(&batch.matmul(solve(&batch, &sides)), &sides.broadcast_to([2, 3, 4, 3]));
    let (sign, logarithm) = slogdet(&a);
    near(&(sign * logarithm.exp()), &det(&a));
    near(&(det(&a) * det(&inv(&a))), &Tensor::ones([2], DType::F64));
    let singular = Tensor::ones([2, 2], DType::F64);
    assert_eq!(values(&det(&singular)), [0.0]);
    assert_eq!(values(&slogdet(&singular).1), [f64::NEG_INFINITY]);
}

/// The derivative of a function in the direction of each element, by differences.
fn differences(f: impl Fn(&Tensor) -> Tensor, a: &Tensor) -> Vec<f64> {
    let n = a.dims().iter().product::<i64>();
    let step = 1e-5;
    (0..n)
        .map(|i| {
            let unit = (Tensor::arange(0..n, DType::S32).equal(i as i32)).astype(DType::F64);
            let unit = unit.reshape(a.dims()) * step;
            let [up, down] = [a + &unit, a - &unit].map(|a| values(&f(&a))[0]);
            (up - down) / (2.0 * step)
        })
        .collect()
}

#[track_caller]
fn derived(f: impl Fn(&Tensor) -> Tensor, a: &Tensor) {
    let found = values(&grad(|a: &Tensor| f(a))(a));
    let wanted = differences(&f, a);
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-5 * (1.0 + wanted.abs()), "{found} {wanted}");
    }
}

/// A sum in which every element has another weight.
fn weighed(x: &Tensor) -> Tensor {
    (x * matrix(9, x.dims())).sum()
}

#[test]
fn derivatives_are_those_of_differences() {
    for dims in [[3i64, 3], [4, 3]] {
        let a = matrix(6, &dims);
        derived(|a| weighed(&qr(a).0), &a);
        derived(|a| weighed(&qr(a).1), &a);
    }
    for dims in [[3i64, 3], [4, 3], [3, 4]] {
        let a = matrix(6, &dims);
        derived(|a| weighed(&svd(a).1), &a);
        // The signs of vectors are free, so the function must not depend on them.
        derived(|a| weighed(&(svd(a).0 * svd(a).1.exp().expand_dims(-2)).matmul(svd(a).2)), &a);
    }
    let a = matrix(7, &[3, 3]);
    derived(|a| weighed(&lu(a).1) + weighed(&lu(a).2), &a);
    derived(|a| weighed(&eigh(a).0), &a);
    derived(|a| weighed(&(&eigh(a).1 * eigh(a).0.exp().expand_dims(-2)).matmul(turned(&eigh(a).1))), &a);
    derived(|a| weighed(&inv(a)), &a);
    derived(det, &a);
    derived(|a| slogdet(a).1, &a);
    // A derivative of a derivative.
    derived(|a| weighed(&grad(|a: &Tensor| weighed(&eigh(a).0.exp()))(a)), &a);
}

#[test]
fn batches_are_computed_one_by_one() {
    let a = matrix(8, &[3, 4, 4]);
    near(&vmap(|a: &Tensor| inv(a))(&a), &inv(&a));
    near(&vmap(|a: &Tensor| svd(a).1)(&a), &svd(&a).1);
    near(&vmap(|a: &Tensor| qr(a).1)(&a), &qr(&a).1);
    near(&vmap(grad(|a: &Tensor| slogdet(a).1))(&a), &turned(&inv(&a)));
}

#[test]
fn what_has_no_matrices_or_no_derivative_is_refused() {
    let vector = matrix(1, &[3]);
    refused(&qr(&vector).0, &["`qr` of f64[3]: needs matrices of floating-point numbers"]);
    refused(&inv(&matrix(1, &[2, 3])), &["`inv` of f64[2,3], which is no square matrix"]);
    refused(&eigh(&matrix(1, &[2, 3])).0, &["`eigh` of f64[2,3]"]);
    refused(
        &grad(|a: &Tensor| weighed(&eig(a).0.abs()))(&matrix(1, &[2, 2])),
        &["use the functions of `linalg`"],
    );
    refused(&grad(|a: &Tensor| weighed(&qr(a).1))(&matrix(1, &[2, 3])), &["`linalg`"]);
}
