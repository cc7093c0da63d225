//! Linear algebra.

use crate::recorded::{pattern, same};
use crate::{refused, support::values};
use lawson_frontend::tensor::linalg::*;
use lawson_frontend::{DType, Tensor};

/// Symmetric positive definite matrices.
fn positive(dims: &[i64]) -> Tensor {
    let x = pattern(1, dims);
    let n = dims[dims.len() - 1];
    x.matmul(x.swapaxes(-1, -2)) + Tensor::eye(n, n, 0, DType::F32) * 2.0
}

#[test]
fn factors_and_solutions_are_those_of_jax() {
    let a = positive(&[2, 3, 3]);
    same("cholesky", &cholesky(&a));
    same("cholesky_skewed", &cholesky(&(positive(&[3, 3]) + pattern(2, &[3, 3]) * 0.1)));
    same("solve_positive", &solve_positive_definite(&a, &pattern(3, &[2, 3, 2])));
    same("inv_positive", &inv_positive_definite(&a));
    same("logdet", &logdet_positive_definite(&a));
    same("det", &det_positive_definite(&a));
    let factor = cholesky(&positive(&[3, 3]));
    same("cho_solve", &cho_solve(&factor, &pattern(4, &[3])));
    let negative = Tensor::eye(2, 2, 0, DType::F32) * -1.0;
    assert!(values(&cholesky(&negative))[0].is_nan());
}

#[test]
fn triangles_are_solved_from_either_side() {
    let a = positive(&[3, 3]);
    let (b, vector) = (pattern(2, &[3, 2]), pattern(3, &[3]));
    let upper = Triangular::default();
    let lower = Triangular { lower: true, ..upper };
    same("solve_upper", &solve_triangular(&a, &b, &upper));
    same("solve_lower", &solve_triangular(&a, &b, &lower));
    same("solve_vector", &solve_triangular(&a, &vector, &lower));
    same(
        "solve_transposed",
        &solve_triangular(&a, &b, &Triangular { transpose: Transpose::Transpose, ..lower }),
    );
    same("solve_unit", &solve_triangular(&a, &b, &Triangular { unit_diagonal: true, ..upper }));
    same("solve_right", &solve_triangular(&a, &b.t(), &Triangular { right_side: true, ..lower }));
    same("solve_batch", &solve_triangular(&positive(&[2, 1, 3, 3]), &pattern(4, &[4, 3, 2]), &lower));
}

#[test]
fn norms_of_vectors() {
    let x = pattern(1, &[3, 4]);
    same("norm", &x.norm());
    same("norm_1", &x.norm_axes(Norm::One, 0));
    same("norm_2", &x.norm_axes(Norm::Two, 1));
    same("norm_inf", &x.norm_axes(Norm::Infinity, -1));
    same("norm_neg_inf", &x.norm_axes(Norm::NegativeInfinity, -1));
    same("norm_3", &x.norm_axes(Norm::P(3.0), 0));
    same("norm_s32", &Tensor::new(&[3, -4], [2]).norm());
}

#[test]
fn matrices_that_do_not_fit_are_shown() {
    let (a, b) = (pattern(1, &[3, 4]), pattern(2, &[4, 2]));
    refused(&cholesky(&a), &["`cholesky`", "f32[3,4]"]);
    refused(&cholesky(&Tensor::of(1.0)), &["`cholesky`", "f32[]"]);
    refused(&solve_triangular(&a, &b, &Triangular::default()), &["`solve_triangular`", "f32[3,4]"]);
    let square = positive(&[3, 3]);
    refused(&solve_triangular(&square, &b, &Triangular::default()), &["f32[3,3]", "f32[4,2]"]);
    refused(&cho_solve(&square, &Tensor::of(1.0)), &["`cho_solve`", "f32[3,3]", "f32[]"]);
    refused(&cho_solve(&positive(&[2, 3, 3]), &pattern(1, &[3, 3, 2])), &["f32[2,3,3]", "f32[3,3,2]"]);
    refused(&inv_positive_definite(&a), &["`cholesky`", "f32[3,4]"]);
    refused(&a.norm_axes(Norm::Two, 2), &["f32[3,4]", "axis 2"]);
}
