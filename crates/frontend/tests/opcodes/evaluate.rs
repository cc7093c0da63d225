//! Runs modules on the reference interpreter; Fourier transforms, which it lacks, by their definition.

use lawson_hlo::attrs::{CustomCall, FftKind};
use lawson_hlo::eval::{self, Options};
use lawson_hlo::{Attrs, Literal, Module, Opcode, Scalar, Shape, Value};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The array leaves of the result.
#[track_caller]
pub fn evaluate(module: &Module, arguments: &[Literal]) -> Vec<Literal> {
    if let Err(faults) = lawson_hlo::verify::verify(module) {
        panic!("{}\n{module}", faults[0]);
    }
    let mut module = module.clone();
    let mut options = Options::default();
    let transforms = module.computations.iter_mut().flat_map(|c| &mut c.instrs);
    for instr in transforms.filter(|i| i.opcode == Opcode::Fft) {
        let Attrs::Fft { kind, lengths } = instr.attrs.clone() else {
            panic!("the verifier let {instr:?} through")
        };
        let target = format!("{} {lengths:?}", kind.name());
        let run =
            move |args: &[Value], shape: &Shape| Ok(Value::Array(transform(&args[0], kind, &lengths, shape)));
        options.custom_calls.insert(target.clone(), Arc::new(run));
        instr.opcode = Opcode::CustomCall;
        instr.attrs = Attrs::CustomCall(Box::new(CustomCall { target, ..CustomCall::default() }));
    }
    let arguments: Vec<Value> = arguments.iter().cloned().map(Value::Array).collect();
    match eval::evaluate(&module, &arguments, &options) {
        Ok(result) => result.leaves().into_iter().cloned().collect(),
        Err(e) => panic!("{e}\n{module}"),
    }
}

/// The numbers of an array as complex ones.
pub fn complex(x: &Literal) -> Vec<(f64, f64)> {
    let part = |s: Scalar| match s {
        Scalar::Complex(re, im) => (re, im),
        other => (other.as_f64(), 0.0),
    };
    x.scalars().map(part).collect()
}

fn transform(x: &Value, kind: FftKind, lengths: &[i64], shape: &Shape) -> Literal {
    let x = x.expect_array();
    let (rank, result) = (x.dims().len(), shape.expect_array());
    let mut dims: Vec<usize> = x.dims().iter().map(|&d| d as usize).collect();
    let mut values = complex(x);
    let first = rank - lengths.len();
    let last = *lengths.last().expect("a length") as usize;
    let sign = if matches!(kind, FftKind::Fft | FftKind::Rfft) { -1.0 } else { 1.0 };
    for dim in first..rank {
        if kind == FftKind::Irfft && dim == rank - 1 {
            values = hermitian(&values, &mut dims, last);
        }
        values = line_by_line(&values, &dims, dim, sign);
    }
    if kind == FftKind::Rfft {
        let half = last / 2 + 1;
        values = values.chunks(last).flat_map(|row| &row[..half]).copied().collect();
    }
    let real = result.dtype.is_float();
    let element = |(re, im)| if real { Scalar::Float(re) } else { Scalar::Complex(re, im) };
    Literal::from_scalars(result.clone(), values.into_iter().map(element))
}

/// The whole of each row of which half is stored: imaginary parts that would not vanish are not looked at.
fn hermitian(values: &[(f64, f64)], dims: &mut [usize], last: usize) -> Vec<(f64, f64)> {
    let half = last / 2 + 1;
    *dims.last_mut().expect("a dimension") = last;
    let whole = |row: &[(f64, f64)]| {
        let element = |k: usize| match k {
            0 => (row[0].0, 0.0),
            k if 2 * k == last => (row[k].0, 0.0),
            k if k < half => row[k],
            k => (row[last - k].0, -row[last - k].1),
        };
        (0..last).map(element).collect::<Vec<_>>()
    };
    values.chunks(half).flat_map(whole).collect()
}

/// The transform along one dimension; one that goes back divides by the length.
fn line_by_line(values: &[(f64, f64)], dims: &[usize], dim: usize, sign: f64) -> Vec<(f64, f64)> {
    let n = dims[dim];
    let stride: usize = dims[dim + 1..].iter().product();
    let scale = if sign > 0.0 { 1.0 / n as f64 } else { 1.0 };
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
