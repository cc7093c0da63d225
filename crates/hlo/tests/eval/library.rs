//! Routines of linear algebra: factors and solutions, multiplied back.

use super::{floats, noise, run, try_run};
use lawson_hlo::attrs::{Transpose, TriangularSolve};
use lawson_hlo::eval::{Options, Reason};
use lawson_hlo::{DType, Scalar, Value};
use std::sync::Arc;

const SIZES: [usize; 6] = [1, 2, 3, 8, 33, 200];

/// A symmetric matrix whose smallest eigenvalue is near 1.
fn positive(n: usize, seed: usize) -> Vec<f64> {
    let m: Vec<f64> = noise((seed + 1) * n * n)[seed * n * n..].iter().map(|&x| x as f64).collect();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = (0..n).map(|k| m[i * n + k] * m[j * n + k]).sum();
            a[i * n + j] = product / n as f64 + (i == j) as u8 as f64;
        }
    }
    a
}

fn values(value: &Value) -> Vec<f64> {
    let float = |s| match s {
        Scalar::Float(x) => x,
        other => panic!("{other:?} is no float"),
    };
    value.expect_array().scalars().map(float).collect()
}

/// The factors of a batch of matrices, and the matrices they were made of.
fn factored(dtype: DType, batch: usize, n: usize, lower: bool) -> (Vec<f64>, Vec<f64>) {
    let a: Vec<f64> = (0..batch).flat_map(|b| positive(n, b)).collect();
    let shape = format!("{dtype}[{batch},{n},{n}]");
    let text = format!("a = {shape} parameter(0)\nROOT l = {shape} cholesky(a), lower={lower}");
    let argument = floats(dtype, &[batch as i64, n as i64, n as i64], &a);
    (values(&try_run(&text, &[argument], &Options::default()).expect("it runs")), a)
}

#[test]
fn factors_multiply_to_the_matrix() {
    for (dtype, epsilon) in [(DType::F32, 6e-8), (DType::F64, 1.2e-16), (DType::F16, 5e-4)] {
        for (batch, n) in SIZES.map(|n| (1, n)).into_iter().chain([(7, 3), (7, 8), (2, 33)]) {
            for lower in [true, false] {
                let (l, a) = factored(dtype, batch, n, lower);
                for (l, a) in l.chunks(n * n).zip(a.chunks(n * n)) {
                    let at = |i: usize, j: usize| if lower { l[i * n + j] } else { l[j * n + i] };
                    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                        assert!(i >= j || at(i, j) == 0.0, "the other triangle is zero");
                        let product: f64 = (0..n).map(|k| at(i, k) * at(j, k)).sum();
                        let error = (product - a[i * n + j]).abs();
                        assert!(error <= 8.0 * (n as f64 + 4.0) * epsilon, "{dtype} {n}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn both_factors_have_the_same_bits() {
    let ((l, _), (u, _)) = (factored(DType::F32, 1, 33, true), factored(DType::F32, 1, 33, false));
    assert!((0..33 * 33).all(|i| l[i] == u[i % 33 * 33 + i / 33]));
}

#[test]
fn one_triangle_is_read() {
    let chol = |matrix: &str, lower| {
        run(&format!("x = f32[2,2] constant({matrix})\nROOT r = f32[2,2] cholesky(x), lower={lower}"))
    };
    assert_eq!(chol("{{4, nan}, {2, 5}}", true), "2, 0, 1, 2");
    assert_eq!(chol("{{4, 2}, {nan, 5}}", false), "2, 1, 0, 2");
    assert_eq!(chol("{{9, 0}, {0, 16}}", false), "3, 0, 0, 4");
}

/// As XLA and LAPACK have it, for a matrix that is not positive definite.
#[test]
fn what_has_no_factor_is_nan_as_a_whole() {
    let two = "NaN, NaN, NaN, NaN";
    for matrix in [
        "{{4, 2}, {2, -1}}",
        "{{1, 1}, {1, 1}}",
        "{{0, 0}, {0, 1}}",
        "{{4, nan}, {nan, 1}}",
        "{{inf, 0}, {0, 1}}",
    ] {
        for lower in [true, false] {
            let text =
                format!("x = f32[2,2] constant({matrix})\nROOT r = f32[2,2] cholesky(x), lower={lower}");
            assert_eq!(run(&text), two, "{matrix}");
        }
    }
    // Others of the batch keep their values.
    let batch =
        "x = f32[3,1,1] constant({{{4}}, {{-1}}, {{9}}})\nROOT r = f32[3,1,1] cholesky(x), lower=true";
    assert_eq!(run(batch), "2, NaN, 3");
}

#[test]
fn nothing_gives_nothing() {
    for (dtype, dims) in [("f32", "0,3,3"), ("f64", "0,0"), ("f32", "7,0,0")] {
        let text = format!(
            "z = {dtype}[] constant(1)\nx = {dtype}[{dims}] broadcast(z), dimensions={{}}\n\
             ROOT r = {dtype}[{dims}] cholesky(x), lower=true"
        );
        assert_eq!(run(&text), "");
    }
    let none = "z = f32[] constant(1)\na = f32[3,3] broadcast(z), dimensions={}\nb = f32[3,0] broadcast(z), dimensions={}\n\
                ROOT r = f32[3,0] triangular-solve(a, b), left_side=true, transpose_a=NO_TRANSPOSE";
    assert_eq!(run(none), "");
}

/// Every way to solve.
fn ways() -> impl Iterator<Item = TriangularSolve> {
    let flags = (0..8).map(|n| [n & 1 != 0, n & 2 != 0, n & 4 != 0]);
    flags.flat_map(|[left_side, lower, unit_diagonal]| {
        [Transpose::No, Transpose::Transpose, Transpose::Adjoint].map(|transpose_a| TriangularSolve {
            left_side,
            lower,
            unit_diagonal,
            transpose_a,
        })
    })
}

#[test]
fn solutions_multiply_to_the_right_hand_sides() {
    for (dtype, epsilon) in [(DType::F32, 6e-8), (DType::F64, 1.2e-16)] {
        for (how, (n, m)) in
            ways().flat_map(|how| [(1, 1), (2, 3), (8, 1), (33, 5), (60, 40)].map(|size| (how, size)))
        {
            let (rows, columns) = if how.left_side { (n, m) } else { (m, n) };
            // What must not be read is NaN.
            let kept = |i: usize, j: usize| if i == j { !how.unit_diagonal } else { (i > j) == how.lower };
            let element = |(at, x): (usize, &f32)| match (at / n, at % n) {
                (i, j) if !kept(i, j) => f64::NAN,
                (i, j) if i == j => 2.0 + x.abs() as f64,
                _ => *x as f64 / n as f64,
            };
            let a: Vec<f64> = noise(n * n).iter().enumerate().map(element).collect();
            let b: Vec<f64> = noise(2 * n * m)[n * m..].iter().map(|&x| x as f64).collect();
            let text = format!(
                "a = {dtype}[{n},{n}] parameter(0)\nb = {dtype}[{rows},{columns}] parameter(1)\n\
                 ROOT x = {dtype}[{rows},{columns}] triangular-solve(a, b), left_side={}, lower={}, \
                 unit_diagonal={}, transpose_a={}",
                how.left_side,
                how.lower,
                how.unit_diagonal,
                how.transpose_a.name()
            );
            let arguments =
                [floats(dtype, &[n as i64, n as i64], &a), floats(dtype, &[rows as i64, columns as i64], &b)];
            let x = values(&try_run(&text, &arguments, &Options::default()).expect("it runs"));
            let op = |i: usize, j: usize| {
                let (i, j) = if how.transpose_a == Transpose::No { (i, j) } else { (j, i) };
                match a[i * n + j] {
                    _ if i == j && how.unit_diagonal => 1.0,
                    element if kept(i, j) => element,
                    _ => 0.0,
                }
            };
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let product: f64 = match how.left_side {
                    true => (0..n).map(|k| op(r, k) * x[k * columns + c]).sum(),
                    false => (0..n).map(|k| x[r * columns + k] * op(k, c)).sum(),
                };
                let error = (product - b[r * columns + c]).abs();
                assert!(error <= 8.0 * (n as f64 + 4.0) * epsilon, "{how:?} {n}: {error}");
            }
        }
    }
}

#[test]
fn a_zero_on_the_diagonal_is_divided_by() {
    let solve = |b: &str| {
        run(&format!(
            "a = f32[2,2] constant({{{{0, 7}}, {{3, 4}}}})\nb = f32[2,1] constant({b})\n\
             ROOT x = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"
        ))
    };
    assert_eq!(solve("{{1}, {2}}"), "inf, -inf");
    assert_eq!(solve("{{0}, {2}}"), "NaN, NaN");
}

#[test]
fn small_floats_are_computed_in_f32_and_rounded_once() {
    let text = |dtype: &str, root: &str| {
        format!(
            "x = {dtype}[2,2] constant({{{{3, 0}}, {{1, 7}}}})\nl = {dtype}[2,2] cholesky(x), lower=true\n{root}"
        )
    };
    let narrow = run(&text("bf16", "ROOT w = f32[2,2] convert(l)"));
    let wide = run(&text("f32", "n = bf16[2,2] convert(l)\nROOT w = f32[2,2] convert(n)"));
    assert_eq!(narrow, wide);
}

#[test]
fn limits_hold() {
    let text = "x = f32[7,8,8] parameter(0)\nROOT r = f32[7,8,8] cholesky(x), lower=true";
    let ones = floats(DType::F32, &[7, 8, 8], &[1.0; 448]);
    let few = Options { max_operations: Some(1000), ..Options::default() };
    assert_eq!(try_run(text, std::slice::from_ref(&ones), &few).unwrap_err().reason, Reason::Limit);
    let asked = std::sync::atomic::AtomicU32::new(0);
    // Once before the instruction, then before each matrix.
    let interrupt = move || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 4;
    let options = Options { interrupt: Some(Arc::new(interrupt)), ..Options::default() };
    assert_eq!(try_run(text, &[ones], &options).unwrap_err().reason, Reason::Interrupted);
}

/// The factor of ((4, 2i), (−2i, 5)) is ((2, 0), (−i, 2)): lower times adjoint, and the other way around.
#[test]
fn complex_matrices_have_conjugates() {
    for (lower, read, factor) in [
        ("true", "{{(4,7), nan}, {(0,-2), (5,0)}}", "2+0i, 0+0i, 0-1i, 2+0i"),
        ("false", "{{(4,0), (0,2)}, {nan, (5,1)}}", "2+0i, 0+1i, 0+0i, 2+0i"),
    ] {
        let text = format!("x = c64[2,2] constant({read})\nROOT l = c64[2,2] cholesky(x), lower={lower}");
        assert_eq!(run(&text), factor);
    }
    let none = "x = c128[1,1] constant({{(-1,0)}})\nROOT l = c128[1,1] cholesky(x), lower=true";
    assert_eq!(run(none), "NaN+NaNi");
    // ((2, 0), (i, 1)), its transpose and its adjoint, from the left and the right.
    let solve = |side: &str, how: &str, b: &str, shape: &str| {
        run(&format!(
            "t = c64[2,2] constant({{{{2, nan}}, {{(0,1), 1}}}})\nb = c64[{shape}] constant({b})\n\
             ROOT x = c64[{shape}] triangular-solve(t, b), lower=true{side}, transpose_a={how}"
        ))
    };
    assert_eq!(solve(", left_side=true", "NO_TRANSPOSE", "{{(2,0)}, {(0,3)}}", "2,1"), "1+0i, 0+2i");
    assert_eq!(solve(", left_side=true", "TRANSPOSE", "{{(2,1)}, {(1,0)}}", "2,1"), "1+0i, 1+0i");
    assert_eq!(solve(", left_side=true", "ADJOINT", "{{(2,-1)}, {(1,0)}}", "2,1"), "1+0i, 1+0i");
    assert_eq!(solve("", "NO_TRANSPOSE", "{{(2,1), (1,0)}}", "1,2"), "1+0i, 1+0i");
    assert_eq!(solve("", "ADJOINT", "{{(2,0), (1,-1)}}", "1,2"), "1+0i, 1+0i");
    // Quotients of numbers whose squares and sums are none.
    let over = |above: &str, below: &str| {
        run(&format!(
            "t = c64[1,1] constant({{{{{below}}}}})\nb = c64[1,1] constant({{{{{above}}}}})\n\
             ROOT x = c64[1,1] triangular-solve(t, b), lower=true, left_side=true, transpose_a=NO_TRANSPOSE"
        ))
    };
    assert_eq!(over("(3e38, 3e38)", "(3e38, 3e38)"), "1+0i");
    assert_eq!(over("(4.7019774e-38, 0)", "(0, 4.7019774e-38)"), "0-1i");
    // 2^127 over 2^126·(1 + i)
    assert_eq!(over("(1.7014118e38, 0)", "(8.507059e37, 8.507059e37)"), "1-1i");
}
