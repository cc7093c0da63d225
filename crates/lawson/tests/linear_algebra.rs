//! Factors and solutions in every mode of numerics, on several threads, multiplied back.

use lawson::explain::text::{self, Shown};
use lawson::explain::{self, Explanation};
use lawson::hlo::library::{Call, Input, Output, Real, Routine, elements, residual};
use lawson::hlo::linalg::{Linalg, TARGETS};
use lawson::hlo::{ArrayShape, DType, Literal, Scalar};
use lawson::options::Numerics::{self, Fast, Standard, Strict};
use lawson::{Client, Options, load, random_inputs};

const SIZES: [usize; 6] = [1, 2, 3, 8, 33, 200];

fn options(numerics: Numerics, threads: usize) -> Options {
    Options { numerics, threads, ..Options::default() }
}

fn loaded(text: &str) -> load::Loaded {
    load::text_of("linear_algebra.hlo".into(), text.into()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run(client: &Client, text: &str, arguments: &[Literal], options: &Options) -> Vec<Literal> {
    client.execute(&loaded(text).module, arguments, options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The results on the cpu: those of `strict`, which are the interpreter's, and those of `standard` and `fast`; each the
/// same on any number of threads.
fn results(text: &str, arguments: &[Literal]) -> [Literal; 3] {
    let expected = run(&Client::interpreter(), text, arguments, &options(Strict, 1)).remove(0);
    [Strict, Standard, Fast].map(|numerics| {
        let of = |threads| run(&Client::cpu(), text, arguments, &options(numerics, threads)).remove(0);
        let one = of(1);
        assert!((2..=3).all(|threads| of(threads).bytes() == one.bytes()), "{}", numerics.name());
        assert!(numerics != Strict || one.bytes() == expected.bytes(), "strict has the interpreter's bits");
        one
    })
}

fn values(x: &Literal) -> Vec<f64> {
    x.scalars().map(|s| s.as_f64()).collect()
}

fn literal(dtype: DType, dims: [usize; 3], values: &[f64]) -> Literal {
    let shape = ArrayShape::new(dtype, dims.map(|d| d as i64));
    Literal::from_scalars(shape, values.iter().map(|&x| Scalar::Float(x)))
}

fn noise(seed: u64, elements: usize) -> Vec<f64> {
    values(&random_inputs::literals(seed, &[&ArrayShape::new(DType::F64, [elements as i64])])[0])
}

/// `batch` symmetric matrices with eigenvalues from 1 to about 3.
fn positive(batch: usize, n: usize) -> Vec<f64> {
    let m = noise(n as u64, batch * n * n);
    let row = |b: usize, i: usize| &m[(b * n + i) * n..][..n];
    let element = |b, i, j| {
        let product: f64 = row(b, i).iter().zip(row(b, j)).map(|(x, y)| x * y).sum();
        product * 1.5 / n as f64 + f64::from(u8::from(i == j))
    };
    let places = (0..batch).flat_map(|b| (0..n).flat_map(move |i| (0..n).map(move |j| (b, i, j))));
    places.map(|(b, i, j)| element(b, i, j)).collect()
}

#[test]
fn factors_multiply_to_the_matrices_in_every_mode() {
    for (n, batch) in SIZES.map(|n| (n, 1)).into_iter().chain([(3, 0), (33, 0), (1, 7), (8, 7), (33, 7)]) {
        for (dtype, epsilon) in [(DType::F32, f64::from(f32::EPSILON)), (DType::F64, f64::EPSILON)] {
            let text = format!(
                "ENTRY e {{\n  a = {dtype}[{batch},{n},{n}] parameter(0)\n  ROOT l = {dtype}[{batch},{n},{n}] \
                 cholesky(a), lower=true\n}}\n"
            );
            let a = positive(batch, n);
            for l in results(&text, &[literal(dtype, [batch, n, n], &a)]).map(|l| values(&l)) {
                for (l, a) in l.chunks(n * n).zip(a.chunks(n * n)) {
                    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                        let product: f64 = (0..n).map(|k| l[i * n + k] * l[j * n + k]).sum();
                        let error = (product - a[i * n + j]).abs();
                        assert!(error <= (n as f64 + 8.0) * epsilon, "{dtype} {batch} of {n}: {error}");
                    }
                }
            }
        }
    }
}

/// Solves with a positive definite matrix by its factor, from the left and from the right.
#[test]
fn solutions_fulfil_the_equations_in_every_mode() {
    for (n, batch, m) in SIZES.map(|n| (n, 1, 4)).into_iter().chain([(8, 0, 2), (33, 7, 1), (3, 7, 40)]) {
        for (dtype, epsilon) in [(DType::F32, f64::from(f32::EPSILON)), (DType::F64, f64::EPSILON)] {
            let (a, b) = (format!("{dtype}[{batch},{n},{n}]"), [(n, m), (m, n)]);
            let sides = b.map(|(rows, columns)| format!("{dtype}[{batch},{rows},{columns}]"));
            let solve = |shape: &str, name: &str, b: &str, attrs: &str| {
                format!("  {name} = {shape} triangular-solve(l, {b}), lower=true, {attrs}\n")
            };
            let text = |left: bool| {
                let shape = &sides[usize::from(!left)];
                let (first, last) = match left {
                    true => {
                        ("left_side=true, transpose_a=NO_TRANSPOSE", "left_side=true, transpose_a=ADJOINT")
                    }
                    false => ("transpose_a=TRANSPOSE", "transpose_a=NO_TRANSPOSE"),
                };
                let (y, x) = (solve(shape, "y", "b", first), solve(shape, "ROOT x", "y", last));
                format!(
                    "ENTRY e {{\n  a = {a} parameter(0)\n  b = {shape} parameter(1)\n  l = {a} cholesky(a), \
                     lower=true\n{y}{x}}}\n"
                )
            };
            let (a, b) = (positive(batch, n), noise(9, batch * n * m));
            for left in [true, false] {
                let dims = if left { [batch, n, m] } else { [batch, m, n] };
                let arguments = [literal(dtype, [batch, n, n], &a), literal(dtype, dims, &b)];
                for x in results(&text(left), &arguments).map(|x| values(&x)) {
                    for (k, (x, b)) in x.chunks(n * m).zip(b.chunks(n * m)).enumerate() {
                        // The matrix is symmetric, so the equations of a row are those of a column.
                        let at = |i: usize, c: usize| if left { i * m + c } else { c * n + i };
                        for (i, c) in (0..n).flat_map(|i| (0..m).map(move |c| (i, c))) {
                            let row = &a[(k * n + i) * n..][..n];
                            let product: f64 = (0..n).map(|j| row[j] * x[at(j, c)]).sum();
                            let error = (product - b[at(i, c)]).abs();
                            assert!(error <= 4.0 * (n as f64 + 8.0) * epsilon, "{dtype} {n} × {m}: {error}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_nan_in_every_mode_and_others_stay() {
    let n = 40;
    let mut a = positive(3, n);
    a[n * n + 38 * n + 38] = -1.0;
    let text =
        format!("ENTRY e {{\n  a = f32[3,{n},{n}] parameter(0)\n  ROOT l = f32[3,{n},{n}] cholesky(a)\n}}\n");
    for u in results(&text, &[literal(DType::F32, [3, n, n], &a)]).map(|u| values(&u)) {
        let is_nan = |k: usize| u[k * n * n..][..n * n].iter().filter(|x| x.is_nan()).count();
        assert_eq!([0, 1, 2].map(is_nan), [0, n * n, 0]);
    }
}

const SOLVER: &str = "\
ENTRY e {
  x = f32[7,200,200] parameter(0)
  b = f32[7,200,8] parameter(1)
  a = f32[7,200,200] multiply(x, x)
  l = f32[7,200,200] cholesky(a), lower=true
  y = f32[7,200,8] triangular-solve(l, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  ROOT n = f32[7,200,8] negate(y)
}
";

fn explained(numerics: Numerics, threads: usize) -> Explanation {
    explain::explain(&loaded(SOLVER), &Options { target: Some("zen4".into()), ..options(numerics, threads) })
        .unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn reports_list_routines_with_bytes_operations_and_times() {
    let e = explained(Standard, 2);
    let kinds: Vec<(&str, &str)> = e.kernels.iter().map(|k| (&*k.kind, &*k.category)).collect();
    let routines = [("cholesky", "library"), ("triangular-solve", "library")];
    assert_eq!(kinds, [("multiply", "elementwise"), routines[0], routines[1], ("negate", "elementwise")]);
    let [_, factor, solve, _] = &e.kernels[..] else { unreachable!("compared above") };
    let (matrix, sides) = (7 * 200 * 200 * 4, 7 * 200 * 8 * 4);
    assert_eq!((factor.bytes_read, factor.bytes_written), (matrix, matrix));
    assert_eq!((solve.bytes_read, solve.bytes_written), (matrix + sides, sides));
    assert_eq!((factor.flops, solve.flops), (7 * 200 * 201 * 401 / 6, 7 * 200 * 200 * 8));
    assert!(factor.predicted_us > solve.predicted_us && solve.predicted_us > 0.0);
    assert_eq!((factor.launches, factor.phases), (Some(1), 1));
    assert_eq!(e.totals.kernels, 4);
    let kept: Vec<(&str, &str)> = e.decisions.iter().map(|d| (&*d.producer, &*d.consumer)).collect();
    assert_eq!(kept, [("a", "l"), ("l", "y"), ("y", "n")]);
    for d in &e.decisions {
        assert_eq!((d.fused, d.refusal.as_deref()), (false, Some("Host")), "{} → {}", d.producer, d.consumer);
        assert!(d.reason.contains("runs on the host"), "{}", d.reason);
    }
    let text = text::render(&e, Shown::All);
    assert!(text.contains("library") && text.contains("7 routines of 200 × 200"), "{text}");
}

#[test]
fn predictions_know_the_mode_and_that_a_matrix_is_not_divided() {
    let time = |numerics, threads| explained(numerics, threads).kernels[1].predicted_us;
    assert!(time(Strict, 1) > 1.5 * time(Standard, 1), "blocks are faster than the reference algorithm");
    let seven = time(Standard, 7);
    assert!(seven < time(Standard, 1) / 2.0);
    assert_eq!(time(Standard, 64), seven, "there are seven matrices");
}

/// Every decomposition in every mode, judged by what it must fulfil; in `strict` the bits are the interpreter's.
#[test]
fn decompositions_fit_in_every_mode() {
    let squares = [(1, 3, 3), (4, 9, 9), (1, 40, 40), (2, 150, 150), (0, 3, 3), (2, 0, 0)];
    let all: Vec<_> = squares.into_iter().chain([(3, 7, 4), (1, 60, 35), (2, 35, 60)]).collect();
    let routines = TARGETS.iter().filter(|(_, how)| *how != Linalg::HouseholderProduct);
    let defaults = routines.map(|&(target, how)| (target, how, &all[..]));
    let others = [
        Linalg::Eig { left: false, right: false },
        Linalg::Eig { left: true, right: false },
        Linalg::Eigh { vectors: true, lower: false },
        Linalg::Eigh { vectors: false, lower: true },
        Linalg::Schur { vectors: false },
        Linalg::Svd { vectors: false, full: false },
        Linalg::Svd { vectors: true, full: false },
        Linalg::Tridiagonal { lower: false },
    ];
    let few = [(2, 9, 9), (1, 40, 40), (1, 60, 35), (2, 35, 60)];
    let others = others.iter().map(|&how| (how.target(), how, &few[..]));
    for (target, how, sizes) in defaults.chain(others) {
        let config: Vec<String> =
            how.options().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let config = format!(", backend_config=\"{{{}}}\"", config.join(","));
        for &(batch, m, n) in sizes {
            for (dtype, epsilon) in [(DType::F32, f64::from(f32::EPSILON)), (DType::F64, f64::EPSILON)] {
                let call = Call {
                    routine: Routine::Linalg(how),
                    dtype,
                    batch: batch as i64,
                    rows: m as i64,
                    columns: n as i64,
                    reflectors: 0,
                };
                let takes_any =
                    matches!(how, Linalg::Qr | Linalg::PivotedQr | Linalg::Lu | Linalg::Svd { .. });
                if m != n && !takes_any {
                    continue;
                }
                let order = if how == Linalg::PivotedQr { ", j" } else { "" };
                let text = format!(
                    "ENTRY e {{\n  a = {dtype}[{batch},{m},{n}] parameter(0)\n  z = s32[] constant(0)\n  \
                     j = s32[{batch},{n}] broadcast(z), dimensions={{}}\n  ROOT r = {} custom-call(a{order}), \
                     custom_call_target=\"{target}\"{config}\n}}\n",
                    call.shape(&[batch as i64])
                );
                let a = [literal(dtype, [batch, m, n], &noise(3, batch * m * n))];
                let all = |numerics| run(&Client::cpu(), &text, &a, &options(numerics, 2));
                let strict = all(Strict);
                let expected = run(&Client::interpreter(), &text, &a, &options(Strict, 1));
                let same = strict.iter().zip(&expected).all(|(a, b)| a.bytes() == b.bytes());
                assert!(same, "strict has the interpreter's bits: {how:?}");
                for results in [strict, all(Standard), all(Fast)] {
                    let worst = match dtype.is_f64() {
                        true => worst::<f64>(&call, &a[0], &results),
                        false => worst::<f32>(&call, &a[0], &results),
                    };
                    let bound = 20.0 * epsilon * (m.max(n) as f64 + 3.0);
                    assert!(worst <= bound, "{how:?} of {batch} {m} × {n}: {:.1} ε", worst / epsilon);
                }
            }
        }
    }
}

/// The largest residual of a batch.
fn worst<T: Real>(call: &Call, a: &Literal, results: &[Literal]) -> f64 {
    let operands: Vec<T> = T::read(a.bytes());
    let first = vec![0; call.columns as usize];
    let mut numbers: Vec<Vec<T>> = Vec::new();
    let mut indices: Vec<Vec<i32>> = Vec::new();
    for result in results {
        let integers = result.dtype().is_s32();
        let index = |s: Scalar| s.as_i128().unwrap_or(-1) as i32;
        indices.push(if integers { result.scalars().map(index).collect() } else { Vec::new() });
        numbers.push(if integers { Vec::new() } else { T::read(result.bytes()) });
    }
    let lens: Vec<usize> = call.results().iter().map(elements).collect();
    let len = (call.rows * call.columns) as usize;
    let one = |k: usize| {
        let mut parts: Vec<Part<T>> = numbers
            .iter()
            .zip(&indices)
            .zip(&lens)
            .map(|((x, i), &n)| match i.is_empty() {
                true => Part::Elements(x[k * n..][..n].to_vec()),
                false => Part::Indices(i[k * n..][..n].to_vec()),
            })
            .collect();
        let outputs: Vec<Output<'_, T>> = parts.iter_mut().map(Part::output).collect();
        let inputs = [Input::Elements(&operands[k * len..][..len]), Input::Indices(&first)];
        residual(call, &inputs[..call.operands().len()], &outputs).expect("finite numbers")
    };
    (0..call.batch as usize).map(one).fold(0.0, f64::max)
}

/// A result for one matrix.
enum Part<T> {
    Elements(Vec<T>),
    Indices(Vec<i32>),
}

impl<T> Part<T> {
    fn output(&mut self) -> Output<'_, T> {
        match self {
            Part::Elements(x) => Output::Elements(x),
            Part::Indices(x) => Output::Indices(x),
        }
    }
}
