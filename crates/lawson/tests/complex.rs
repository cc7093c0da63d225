//! Complex numbers and Fourier transforms as users run them: bits, kernels, threads.

use lawson::hlo::{ArrayShape, DType, Literal, Opcode, Scalar};
use lawson::options::Numerics::{self, Fast, Standard, Strict};
use lawson::{Client, Options, explain, load, random_inputs};

fn options(numerics: Numerics, threads: usize) -> Options {
    Options { numerics, threads, ..Options::default() }
}

fn loaded(text: &str) -> load::Loaded {
    load::text_of("complex.hlo".into(), text.into()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run(client: &Client, text: &str, arguments: &[Literal], options: &Options) -> Vec<Literal> {
    client.execute(&loaded(text).module, arguments, options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

const FUNCTIONS: [Opcode; 21] = {
    use Opcode::*;
    [
        Abs,
        Acos,
        Acosh,
        Asin,
        Asinh,
        Atanh,
        Cbrt,
        Cosine,
        Cosh,
        Exponential,
        ExponentialMinusOne,
        Log,
        LogPlusOne,
        Logistic,
        Rsqrt,
        Sign,
        Sine,
        Sinh,
        Sqrt,
        Tan,
        Tanh,
    ]
};

/// Both parts of each element are among these.
fn corners(dtype: DType) -> Literal {
    let ends = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3e38, 1e-40, 100.0, f64::INFINITY, -f64::INFINITY, f64::NAN];
    let pairs = ends.iter().flat_map(|&re| ends.iter().map(move |&im| Scalar::Complex(re, im)));
    Literal::from_scalars(ArrayShape::new(dtype, [(ends.len() * ends.len()) as i64]), pairs)
}

fn same(a: &Literal, b: &Literal) -> bool {
    let part = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    a.scalars().zip(b.scalars()).all(|pair| match pair {
        (Scalar::Complex(a, b), Scalar::Complex(c, d)) => part(a, c) && part(b, d),
        (a, b) => part(a.as_f64(), b.as_f64()),
    })
}

#[test]
fn functions_have_the_bits_of_the_interpreter() {
    for dtype in [DType::C64, DType::C128] {
        let x = corners(dtype);
        let n = x.elements();
        let y = random_inputs::literals(3, &[&ArrayShape::new(dtype, [n as i64])]).remove(0);
        let mut lines = format!("  x = {dtype}[{n}] parameter(0)\n  y = {dtype}[{n}] parameter(1)\n");
        let (mut names, mut types) = (Vec::new(), Vec::new());
        let of_two = [Opcode::Atan2, Opcode::Divide, Opcode::Multiply, Opcode::Power];
        let all = FUNCTIONS.iter().map(|f| (f, "x")).chain(of_two.iter().map(|f| (f, "x, y")));
        for (f, operands) in all {
            let result = if *f == Opcode::Abs { dtype.part() } else { dtype };
            names.push(format!("r{}", names.len()));
            types.push(format!("{result}[{n}]"));
            lines += &format!("  {} = {result}[{n}] {f}({operands})\n", names[names.len() - 1]);
        }
        let text =
            format!("ENTRY e {{\n{lines}  ROOT t = ({}) tuple({})\n}}\n", types.join(", "), names.join(", "));
        let expected = run(&Client::interpreter(), &text, &[x.clone(), y.clone()], &options(Strict, 1));
        let found = run(&Client::cpu(), &text, &[x, y], &options(Strict, 2));
        for ((found, expected), name) in found.iter().zip(&expected).zip(&names) {
            assert!(same(found, expected), "{dtype} {name}");
        }
    }
}

/// Kernels of a program.
fn kernels(text: &str) -> usize {
    let explained = explain::explain(&loaded(text), &options(Standard, 1)).unwrap_or_else(|e| panic!("{e}"));
    explained.kernels.len()
}

#[test]
fn chains_of_complex_operations_are_one_kernel() {
    let arithmetic = "ENTRY e {
  x = c64[1000] parameter(0)
  y = c64[1000] parameter(1)
  p = c64[1000] multiply(x, y)
  q = c64[1000] multiply(p, x)
  r = c64[1000] add(q, y)
  ROOT s = c64[1000] multiply(r, p)
}";
    assert_eq!(kernels(arithmetic), 1);
    let functions = "ENTRY e {
  x = c64[1000] parameter(0)
  e = c64[1000] exponential(x)
  d = c64[1000] divide(e, x)
  ROOT r = c64[1000] sqrt(d)
}";
    assert_eq!(kernels(functions), 1);
    // The transform is a routine; what is computed of its result is one kernel, and the argument goes to it as it is.
    let transform = "ENTRY e {
  x = c64[64,128] parameter(0)
  f = c64[64,128] fft(x), fft_type=FFT, fft_length={128}
  p = c64[64,128] multiply(f, f)
  ROOT a = f32[64,128] abs(p)
}";
    assert_eq!(kernels(transform), 2);
}

#[test]
fn transforms_are_near_their_definition_in_every_mode() {
    for (n, batch) in [(1usize, 3usize), (8, 1), (12, 40), (97, 2), (256, 9), (1000, 1)] {
        for (dtype, epsilon) in [(DType::C64, f64::from(f32::EPSILON)), (DType::C128, f64::EPSILON)] {
            let text = format!(
                "ENTRY e {{\n  x = {dtype}[{batch},{n}] parameter(0)\n  ROOT y = {dtype}[{batch},{n}] fft(x), \
                 fft_type=FFT, fft_length={{{n}}}\n}}\n"
            );
            let x =
                random_inputs::literals(5, &[&ArrayShape::new(dtype, [batch as i64, n as i64])]).remove(0);
            let expected = run(&Client::interpreter(), &text, std::slice::from_ref(&x), &options(Strict, 1));
            for numerics in [Strict, Standard, Fast] {
                let of = |threads| {
                    run(&Client::cpu(), &text, std::slice::from_ref(&x), &options(numerics, threads))
                        .remove(0)
                };
                let one = of(1);
                assert_eq!(of(3).bytes(), one.bytes(), "{dtype} {batch} of {n}: threads");
                assert!(numerics != Strict || one.bytes() == expected[0].bytes(), "{dtype} {batch} of {n}");
                for (row, of_x) in pairs(&one).chunks(n).zip(pairs(&x).chunks(n)) {
                    for (k, found) in row.iter().enumerate() {
                        let wanted = element(of_x, k);
                        let error = (found.0 - wanted.0).hypot(found.1 - wanted.1);
                        let bound = 8.0 * (n as f64).sqrt() * epsilon + n as f64 * f64::EPSILON;
                        assert!(error <= bound, "{dtype} {n}: {found:?}, not {wanted:?}");
                    }
                }
            }
        }
    }
}

fn pairs(x: &Literal) -> Vec<(f64, f64)> {
    let pair = |s: Scalar| match s {
        Scalar::Complex(re, im) => (re, im),
        other => (other.as_f64(), 0.0),
    };
    x.scalars().map(pair).collect()
}

fn element(x: &[(f64, f64)], k: usize) -> (f64, f64) {
    let n = x.len();
    x.iter().enumerate().fold((0.0, 0.0), |sum, (j, x)| {
        let (s, c) = (std::f64::consts::TAU * (j * k % n) as f64 / n as f64).sin_cos();
        (sum.0 + x.0 * c + x.1 * s, sum.1 + x.1 * c - x.0 * s)
    })
}
