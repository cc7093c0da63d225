//! Fourier transforms against their definition.

use super::*;
use lawson_hlo::ArrayShape;
use std::f64::consts::TAU;

type Pair = (f64, f64);

fn pairs(x: &Literal) -> Vec<Pair> {
    let pair = |s: Scalar| match s {
        Scalar::Complex(re, im) => (re, im),
        other => (other.as_f64(), 0.0),
    };
    x.scalars().map(pair).collect()
}

/// Σ x_j e^(∓2πijk/n) along one dimension; one that goes back divides by the length.
fn by_definition(values: &[Pair], dims: &[usize], dim: usize, inverse: bool) -> Vec<Pair> {
    let n = dims[dim];
    let stride: usize = dims[dim + 1..].iter().product();
    let (sign, scale) = if inverse { (1.0, 1.0 / n as f64) } else { (-1.0, 1.0) };
    let element = |i: usize| {
        let k = i / stride % n;
        let start = i - k * stride;
        let terms = (0..n).map(|j| {
            let (re, im) = values[start + j * stride];
            let (sine, cosine) = (sign * TAU * (j * k % n) as f64 / n as f64).sin_cos();
            (re * cosine - im * sine, re * sine + im * cosine)
        });
        let sum = terms.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        (sum.0 * scale, sum.1 * scale)
    };
    (0..values.len()).map(element).collect()
}

/// The transform of noise and what it should be, for these dimensions, of which the last `count` are transformed.
fn both(kind: &str, part: DType, dims: &[usize], count: usize) -> (Vec<Pair>, Vec<Pair>) {
    let complex = DType::complex_of(part).expect("f32 or f64");
    let n = dims[dims.len() - 1];
    let with_last = |last: usize| [&dims[..dims.len() - 1], &[last]].concat();
    let (read, made) = match kind {
        "RFFT" => ((part, dims.to_vec()), (complex, with_last(n / 2 + 1))),
        "IRFFT" => ((complex, with_last(n / 2 + 1)), (part, dims.to_vec())),
        _ => ((complex, dims.to_vec()), (complex, dims.to_vec())),
    };
    let shape = |(dtype, dims): &(DType, Vec<usize>)| {
        ArrayShape::new(*dtype, dims.iter().map(|&d| d as i64).collect::<Vec<_>>())
    };
    let elements: usize = read.1.iter().product();
    let noise = noise(2 * elements);
    let value = |p: &[f32]| match read.0 == part {
        true => Scalar::Float(p[0].into()),
        false => Scalar::Complex(p[0].into(), p[1].into()),
    };
    let argument = Literal::from_scalars(shape(&read), noise.chunks(2).map(value));
    let lengths: Vec<String> = dims[dims.len() - count..].iter().map(usize::to_string).collect();
    let text = format!(
        "x = {} parameter(0)\nROOT y = {} fft(x), fft_type={kind}, fft_length={{{}}}",
        shape(&read),
        shape(&made),
        lengths.join(",")
    );
    let mut values = pairs(&argument);
    let found =
        try_run(&text, &[Value::Array(argument)], &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let inverse = matches!(kind, "IFFT" | "IRFFT");
    for dim in dims.len() - count..dims.len() {
        if kind == "IRFFT" && dim == dims.len() - 1 {
            let whole = |row: &[Pair]| -> Vec<Pair> {
                (0..n).map(|k| if k <= n / 2 { row[k] } else { (row[n - k].0, -row[n - k].1) }).collect()
            };
            values = values.chunks(n / 2 + 1).flat_map(whole).collect();
            for row in values.chunks_mut(n) {
                row[0].1 = 0.0;
                if n.is_multiple_of(2) {
                    row[n / 2].1 = 0.0;
                }
            }
        }
        let dims = if kind == "IRFFT" && dim < dims.len() - 1 { &read.1 } else { dims };
        values = by_definition(&values, dims, dim, inverse);
    }
    if kind == "RFFT" {
        values = values.chunks(n).flat_map(|row| row[..n / 2 + 1].to_vec()).collect();
    }
    (pairs(found.expect_array()), values)
}

#[track_caller]
fn agree(kind: &str, dims: &[usize], count: usize) {
    for (part, epsilon) in [(DType::F32, f64::from(f32::EPSILON)), (DType::F64, f64::EPSILON)] {
        let (found, wanted) = both(kind, part, dims, count);
        let size = wanted.iter().map(|w| w.0.hypot(w.1)).fold(f64::MIN_POSITIVE, f64::max);
        assert_eq!(found.len(), wanted.len());
        for (f, w) in found.iter().zip(&wanted) {
            let error = (f.0 - w.0).hypot(f.1 - w.1);
            // The definition in f64 is no nearer than this.
            let bound = size * (2.0 * epsilon + dims.iter().product::<usize>() as f64 * f64::EPSILON);
            assert!(error <= bound, "{kind} of {dims:?} in {part}: {f:?}, not {w:?}");
        }
    }
}

#[test]
fn lengths_of_every_kind() {
    // Powers, products of small primes, primes below and above the largest factor, and products of those.
    for n in [1, 2, 3, 4, 5, 6, 8, 12, 16, 29, 31, 37, 60, 64, 74, 97, 101, 128, 210] {
        for kind in ["FFT", "IFFT", "RFFT", "IRFFT"] {
            agree(kind, &[2, n], 1);
        }
    }
}

#[test]
fn several_dimensions() {
    for kind in ["FFT", "IFFT", "RFFT", "IRFFT"] {
        agree(kind, &[4, 6], 2);
        agree(kind, &[2, 3, 5, 7], 3);
        agree(kind, &[3, 4, 1], 2);
    }
}

/// Along an inner dimension: what transposes there and back make of the last one.
#[test]
fn of_columns() {
    for (kind, from, to, length) in [
        ("FFT", "c128[2,6,3]", "c128[2,6,3]", 6),
        ("IFFT", "c128[2,7,3]", "c128[2,7,3]", 7),
        ("RFFT", "f64[2,6,3]", "c128[2,4,3]", 6),
        ("IRFFT", "c128[2,4,3]", "f64[2,7,3]", 7),
    ] {
        let shape = |text: &str| -> (String, Vec<i64>) {
            let (dtype, dims) = text.trim_end_matches(']').split_once('[').expect("dimensions");
            (dtype.into(), dims.split(',').map(|d| d.parse().expect("a number")).collect())
        };
        let turned = |text: &str| {
            let (dtype, dims) = shape(text);
            format!("{dtype}[{},{},{}]", dims[0], dims[2], dims[1])
        };
        let (dtype, dims) = shape(from);
        let count = dims.iter().product::<i64>() as usize;
        let dtype = if dtype == "f64" { DType::F64 } else { DType::C128 };
        let value = |p: &[f32]| match dtype == DType::F64 {
            true => Scalar::Float(p[0].into()),
            false => Scalar::Complex(p[0].into(), p[1].into()),
        };
        let noise = noise(2 * count);
        let x = Literal::from_scalars(ArrayShape::new(dtype, dims), noise.chunks(2).map(value));
        let of = |text: &str| {
            let found = try_run(text, &[Value::Array(x.clone())], &Options::default());
            pairs(found.unwrap_or_else(|e| panic!("{e}")).expect_array())
        };
        let direct = of(&format!(
            "x = {from} parameter(0)\nROOT y = {to} fft(x), fft_type={kind}, fft_length={{{length}}}, inner_dimensions=1"
        ));
        let by_transposes = of(&format!(
            "x = {from} parameter(0)\nt = {} transpose(x), dimensions={{0,2,1}}
f = {} fft(t), fft_type={kind}, fft_length={{{length}}}\nROOT y = {to} transpose(f), dimensions={{0,2,1}}",
            turned(from),
            turned(to)
        ));
        assert_eq!(direct, by_transposes, "{kind}");
    }
}

#[test]
fn of_nothing() {
    assert_eq!(
        run("x = c64[3,0] constant({{},{},{}})\nROOT y = c64[3,0] fft(x), fft_type=FFT, fft_length={0}"),
        ""
    );
    assert_eq!(run("x = f32[0,4] constant({})\nROOT y = c64[0,3] fft(x), fft_type=RFFT, fft_length={4}"), "");
}

#[test]
fn a_transform_back_gives_what_was() {
    let text = "x = c128[1,40] constant({{ROW}})
f = c128[1,40] fft(x), fft_type=FFT, fft_length={40}
ROOT b = c128[1,40] fft(f), fft_type=IFFT, fft_length={40}";
    let row: Vec<f64> = noise(40).into_iter().map(f64::from).collect();
    let list = row.iter().map(|x| format!("({x}, {})", -x)).collect::<Vec<_>>().join(", ");
    let found =
        try_run(&text.replace("ROW", &list), &[], &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    for (found, x) in pairs(found.expect_array()).iter().zip(row) {
        assert!((found.0 - x).abs() < 1e-15 && (found.1 + x).abs() < 1e-15, "{found:?}, not {x}");
    }
}
