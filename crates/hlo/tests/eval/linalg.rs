//! Decompositions: judged by what they must fulfil, since vectors have any sign.

use super::{noise, run};
use lawson_hlo::DType;
use lawson_hlo::library::{Call, Input, Output, Real, Routine, elements, residual};
use lawson_hlo::linalg::{Linalg, TARGETS};

const SIZES: [(usize, usize); 12] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (3, 3), (8, 8), (33, 33), (70, 70), (12, 5), (5, 12), (1, 7)];

/// Every routine with every choice of options.
fn routines() -> Vec<Linalg> {
    let mut all: Vec<Linalg> = TARGETS.iter().map(|t| t.1).collect();
    for flags in [[false, false], [true, false], [false, true]] {
        let [a, b] = flags;
        all.extend([Linalg::Eig { left: a, right: b }, Linalg::Svd { vectors: a, full: b }]);
    }
    let lower = false;
    all.extend([
        Linalg::Eigh { vectors: true, lower },
        Linalg::Eigh { vectors: false, lower: true },
        Linalg::Tridiagonal { lower },
        Linalg::Schur { vectors: false },
    ]);
    all
}

fn is_of_squares(how: Linalg) -> bool {
    match how {
        Linalg::Eig { .. }
        | Linalg::Eigh { .. }
        | Linalg::Hessenberg
        | Linalg::Schur { .. }
        | Linalg::Tridiagonal { .. } => true,
        Linalg::HouseholderProduct | Linalg::Lu | Linalg::PivotedQr | Linalg::Qr | Linalg::Svd { .. } => {
            false
        }
    }
}

fn call<T: Real>(how: Linalg, (rows, columns): (usize, usize)) -> Call {
    let dtype = if T::SIZE == 8 { DType::F64 } else { DType::F32 };
    let (rows, columns) = (rows as i64, columns as i64);
    Call { routine: Routine::Linalg(how), dtype, batch: 1, rows, columns, reflectors: 0 }
}

/// The results for one matrix: numbers, with indices among them as numbers, and how well they fit.
fn judged<T: Real>(call: &Call, a: &[T]) -> (Vec<Vec<T>>, Option<f64>) {
    let (first, len) = (vec![0; call.columns as usize], |n: usize| elements(&call.results()[n]));
    let count = call.results().len();
    let mut numbers: Vec<Vec<T>> = (0..count).map(|n| vec![T::NAN; len(n)]).collect();
    let mut indices: Vec<Vec<i32>> = (0..count).map(|n| vec![-7; len(n)]).collect();
    let is_index: Vec<bool> = call.results().iter().map(|s| s.dtype.is_s32()).collect();
    let mut outputs: Vec<Output<'_, T>> = numbers
        .iter_mut()
        .zip(&mut indices)
        .zip(&is_index)
        .map(|((x, n), &is)| if is { Output::Indices(n) } else { Output::Elements(x) })
        .collect();
    let inputs = [Input::Elements(a), Input::Indices(&first)];
    let inputs = &inputs[..call.operands().len()];
    call.run(inputs, &mut outputs);
    let residual = residual(call, inputs, &outputs);
    (numbers, residual)
}

fn matrix<T: Real>(count: usize) -> Vec<T> {
    noise(count).into_iter().map(|x| T::of(x.into())).collect()
}

fn fits<T: Real>(how: Linalg, size: (usize, usize), a: &[T], what: &str) {
    judged_to_fit(&call::<T>(how, size), a, what);
}

fn judged_to_fit<T: Real>(call: &Call, a: &[T], what: &str) {
    let (how, size) = (call.routine, (call.rows, call.columns));
    let epsilon = T::EPSILON.wide();
    let bound = 20.0 * epsilon * (size.0.max(size.1) as f64 + 3.0);
    let (_, residual) = judged(call, a);
    let residual = residual.expect("the matrix is finite");
    assert!(residual <= bound, "{how:?} of {what} {size:?}: {:.1} epsilon", residual / epsilon);
}

fn all<T: Real>() {
    for how in routines().into_iter().filter(|&how| how != Linalg::HouseholderProduct) {
        for size in SIZES {
            let (m, n) = size;
            if is_of_squares(how) && m != n {
                continue;
            }
            let a: Vec<T> = matrix(m * n);
            let changed = |f: &dyn Fn(usize, T) -> T| -> Vec<T> {
                a.iter().enumerate().map(|(at, &x)| f(at, x)).collect()
            };
            fits(how, size, &a, "noise");
            fits(how, size, &changed(&|_, _| T::ZERO), "zeros");
            fits(how, size, &changed(&|_, _| T::ONE), "ones");
            fits(how, size, &changed(&|at, x| if at % n < n / 2 { T::ZERO } else { x }), "half");
            fits(
                how,
                size,
                &changed(&|at, x| if at / n == at % n { T::ONE } else { x * T::ZERO }),
                "the unit",
            );
            let shift = |at: usize, _| if at / n == at % n + 1 { T::ONE } else { T::ZERO };
            fits(how, size, &changed(&shift), "a shift");
            let turn = |at: usize, _| if (at / n + 1) % n == at % n { T::ONE } else { T::ZERO };
            fits(how, size, &changed(&turn), "a turn");
            fits(how, size, &changed(&|_, x| x * T::of(1e-30)), "small noise");
            fits(how, size, &changed(&|_, x| x * T::of(1e30)), "large noise");
        }
    }
}

#[test]
fn decompositions_multiply_to_the_matrix() {
    all::<f32>();
    all::<f64>();
}

/// Results of which one number is wrong do not fit, also where there are values alone.
#[test]
fn wrong_values_do_not_fit() {
    let (n, a) = (8, matrix::<f64>(64));
    let no_vectors = [
        Linalg::Svd { vectors: false, full: false },
        Linalg::Eig { left: false, right: false },
        Linalg::Eigh { vectors: false, lower: true },
        Linalg::Schur { vectors: false },
    ];
    for how in no_vectors {
        let call = call::<f64>(how, (n, n));
        let (right, _) = judged(&call, &a);
        for wrong in [|_: f64| 0.0, |x: f64| 1.01 * x, |x: f64| if x.abs() < 1.0 { 0.9 * x } else { x }] {
            let mut made: Vec<Vec<f64>> =
                right.iter().map(|part| part.iter().map(|&x| wrong(x)).collect()).collect();
            let outputs: Vec<Output<'_, f64>> = made.iter_mut().map(|x| Output::Elements(x)).collect();
            let found = residual(&call, &[Input::Elements(&a)], &outputs).expect("finite");
            assert!(found > 1e-4, "{how:?}: {found}");
        }
    }
    let reflectors = Call { reflectors: n as i64, ..call::<f64>(Linalg::HouseholderProduct, (n, n)) };
    let taus = [0.0; 8];
    let mut unit: Vec<f64> = (0..64).map(|at| if at % 9 == 0 { 1.0 } else { 0.0 }).collect();
    let inputs = [Input::Elements(&a), Input::Elements(&taus)];
    assert_eq!(residual(&reflectors, &inputs, &[Output::Elements(&mut unit)]), Some(0.0));
    let taus = [0.5; 8];
    let inputs = [Input::Elements(&a), Input::Elements(&taus)];
    assert!(residual(&reflectors, &inputs, &[Output::Elements(&mut unit)]) > Some(0.1));
}

fn all_complex<T: Real>() {
    for how in routines().into_iter().filter(|&how| how != Linalg::HouseholderProduct) {
        for size in SIZES {
            let (m, n) = size;
            if is_of_squares(how) && m != n {
                continue;
            }
            let real = call::<T>(how, size);
            let call = Call { dtype: DType::complex_of(real.dtype).expect("complex numbers"), ..real };
            let a: Vec<T> = matrix(2 * m * n);
            let changed = |f: &dyn Fn(usize, T) -> T| -> Vec<T> {
                a.iter().enumerate().map(|(at, &x)| f(at, x)).collect()
            };
            judged_to_fit(&call, &a, "noise");
            judged_to_fit(&call, &changed(&|_, _| T::ZERO), "zeros");
            judged_to_fit(&call, &changed(&|_, _| T::ONE), "ones");
            judged_to_fit(&call, &changed(&|at, x| if at % 2 == 0 { T::ZERO } else { x }), "imaginary noise");
            judged_to_fit(&call, &changed(&|at, x| if at % 2 == 1 { T::ZERO } else { x }), "real noise");
            judged_to_fit(&call, &changed(&|at, x| if at / 2 % n < n / 2 { T::ZERO } else { x }), "half");
            let unit = |at: usize, _| if at / 2 / n == at / 2 % n { T::ONE } else { T::ZERO };
            judged_to_fit(&call, &changed(&unit), "a multiple of the unit");
            let shift = |at: usize, _| {
                if at.is_multiple_of(2) && at / 2 / n == at / 2 % n + 1 { T::ONE } else { T::ZERO }
            };
            judged_to_fit(&call, &changed(&shift), "a shift");
            let turn = |at: usize, _| {
                if at % 2 == 1 && (at / 2 / n + 1) % n == at / 2 % n { T::ONE } else { T::ZERO }
            };
            judged_to_fit(&call, &changed(&turn), "a turn");
            judged_to_fit(&call, &changed(&|_, x| x * T::of(1e-30)), "small noise");
            judged_to_fit(&call, &changed(&|_, x| x * T::of(1e30)), "large noise");
        }
    }
}

#[test]
fn decompositions_multiply_to_complex_matrices() {
    all_complex::<f32>();
    all_complex::<f64>();
}

/// In LAPACK's form: the diagonal of R is real, and each value beside it that of the reflectors.
#[test]
fn a_complex_matrix_has_a_real_diagonal() {
    let call = Call { dtype: DType::C128, ..call::<f64>(Linalg::Qr, (5, 3)) };
    let (results, _) = judged(&call, &matrix::<f64>(30));
    for i in 0..3 {
        assert_eq!(results[0][2 * (3 * i + i) + 1], 0.0);
    }
}

#[test]
fn what_is_not_finite_makes_nan_and_ends() {
    for how in routines().into_iter().filter(|&how| how != Linalg::HouseholderProduct) {
        for value in [f32::NAN, f32::INFINITY] {
            let mut a: Vec<f32> = matrix(64);
            // On the diagonal, which every routine reads.
            a[27] = value;
            let (results, _) = judged(&call::<f32>(how, (8, 8)), &a);
            match how {
                Linalg::Eig { .. } | Linalg::Eigh { .. } | Linalg::Schur { .. } | Linalg::Svd { .. } => {
                    assert!(results.iter().flatten().all(|x| x.is_nan()), "{how:?}");
                }
                Linalg::Hessenberg
                | Linalg::HouseholderProduct
                | Linalg::Lu
                | Linalg::PivotedQr
                | Linalg::Qr
                | Linalg::Tridiagonal { .. } => {
                    assert!(results.iter().flatten().any(|x| !x.is_finite()), "{how:?}");
                }
            }
        }
    }
}

#[test]
fn text_runs_with_its_options() {
    let values = "x = f64[2,2] constant({{2, 99}, {0, 1}})";
    let eigh = |config: &str| {
        run(&format!(
            "{values}\nv = (f64[2,2], f64[2]) custom-call(x), custom_call_target=\"lawson.eigh\"{config}\n\
             ROOT w = f64[2] get-tuple-element(v), index=1"
        ))
    };
    assert_eq!(eigh(""), "1, 2");
    assert_eq!(eigh(", backend_config={\"lower\":true}"), "1, 2");
    assert!(eigh(", backend_config=\"{lower = false}\"").starts_with("-97.5"));
    let lu = "ROOT r = custom-call(x), custom_call_target=\"lawson.lu\"";
    let batch = "x = f32[2,2,2] constant({{{1, 2}, {4, 6}}, {{8, 0}, {4, 1}}})";
    assert_eq!(run(&format!("{batch}\n{lu}")), "(4, 6, 0.25, 0.5, 8, 0, 0.5, 1; 1, 1, 0, 1; 1, 0, 0, 1)");
}

#[test]
fn reflectors_multiply_to_an_orthogonal_factor() {
    let text = "x = f64[3,2] constant({{3, 1}, {4, 2}, {0, 2}})\n\
         f = (f64[3,2], f64[2]) custom-call(x), custom_call_target=\"Qr\"\n\
         p = f64[3,2] get-tuple-element(f), index=0\nt = f64[2] get-tuple-element(f), index=1\n\
         ROOT q = f64[3,2] custom-call(p, t), custom_call_target=\"ProductOfElementaryHouseholderReflectors\"";
    let shown = run(text);
    let q: Vec<f64> = shown.split(", ").map(|x| x.parse().expect("a number")).collect();
    // a = q r with r = [−5 −2.2; 0 r].
    let second = (1f64 + 4.0 + 4.0 - 2.2 * 2.2).sqrt();
    let wanted = [-0.6, -(1.0 - 2.2 * 0.6) / second, -0.8, -(2.0 - 2.2 * 0.8) / second, 0.0, -2.0 / second];
    for (q, wanted) in q.iter().zip(wanted) {
        assert!((q.abs() - wanted.abs()).abs() < 1e-14, "{shown}");
    }
}

#[test]
fn chosen_columns_stand_first() {
    let text = "x = f64[2,3] constant({{1, 0, 5}, {0, 2, 0}})\nj = s32[3] constant({0, 1, 0})\n\
         ROOT f = custom-call(x, j), custom_call_target=\"lawson.geqp3\"";
    assert_eq!(run(text), "(-2, 0, 0, 1, -5, -1; 2, 3, 1; 1, 0)");
}
