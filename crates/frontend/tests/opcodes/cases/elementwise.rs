//! Functions of one element, or of several at the same index.

use super::{Case, Input::*};
use lawson_hlo::Opcode::{self, *};

pub fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = UNARY.iter().map(|&(op, low, high)| unary(op, "f64", low, high)).collect();
    all.extend(COMPLEX_UNARY.iter().map(|&(op, low, high)| unary(op, "c128", low, high)));
    for &(op, low, high) in BINARY {
        all.push(binary(op, "f64", low, high));
    }
    for op in [Add, Subtract, Multiply, Divide, Power] {
        all.push(binary(op, "c128", 0.3, 1.2));
    }
    all.push(arctangent());
    all.push(Case::new(
        Multiply,
        "x = f64[3] parameter(0)\nROOT y = f64[3] multiply(x, x)",
        &[Between(-1.0, 1.0)],
    ));
    all.extend(parts());
    all.extend(conversions());
    all.extend(choices());
    all.extend(maps());
    all
}

/// Each with a range in which it is smooth.
const UNARY: &[(Opcode, f64, f64)] = &[
    (Abs, 0.2, 1.0),
    (Abs, -1.0, -0.2),
    (Acos, -0.8, 0.8),
    (Acosh, 1.2, 3.0),
    (Asin, -0.8, 0.8),
    (Asinh, -2.0, 2.0),
    (Atanh, -0.8, 0.8),
    (Cbrt, 0.3, 2.0),
    (Cbrt, -2.0, -0.3),
    (Ceil, 0.1, 0.9),
    (Cosine, -2.0, 2.0),
    (Cosh, -2.0, 2.0),
    (Erf, -1.5, 1.5),
    (Exponential, -1.0, 1.0),
    (ExponentialMinusOne, -1.0, 1.0),
    (Floor, 1.1, 1.9),
    (Log, 0.3, 3.0),
    (LogPlusOne, -0.5, 2.0),
    (Logistic, -3.0, 3.0),
    (Negate, -1.0, 1.0),
    (Real, -1.0, 1.0),
    (Imag, -1.0, 1.0),
    (RoundNearestAfz, 0.6, 1.4),
    (RoundNearestEven, 0.6, 1.4),
    (Rsqrt, 0.3, 3.0),
    (Sign, 0.2, 1.0),
    (Sine, -2.0, 2.0),
    (Sinh, -2.0, 2.0),
    (Sqrt, 0.3, 3.0),
    (Tan, -1.0, 1.0),
    (Tanh, -2.0, 2.0),
    (Copy, -1.0, 1.0),
];

/// Of complex numbers, both parts of which are in the range.
const COMPLEX_UNARY: &[(Opcode, f64, f64)] = &[
    (Abs, 0.3, 1.0),
    (Acos, 0.2, 0.8),
    (Acosh, 1.2, 2.0),
    (Asin, -0.8, -0.2),
    (Asinh, -2.0, 2.0),
    (Atanh, -0.6, 0.6),
    (Cbrt, 0.3, 2.0),
    (Cosine, -2.0, 2.0),
    (Cosh, -1.5, 1.5),
    (Exponential, -1.0, 1.0),
    (ExponentialMinusOne, -1.0, 1.0),
    (Imag, -1.0, 1.0),
    (Log, 0.3, 3.0),
    (LogPlusOne, -0.5, 2.0),
    (Logistic, -1.5, 1.5),
    (Negate, -1.0, 1.0),
    (Real, -1.0, 1.0),
    (Rsqrt, 0.5, 2.0),
    (Sign, 0.3, 1.0),
    (Sign, -1.0, -0.3),
    (Sine, -2.0, 2.0),
    (Sinh, -1.5, 1.5),
    (Sqrt, 0.3, 3.0),
    (Tan, -0.6, 0.6),
    (Tanh, -0.6, 0.6),
    (Copy, -1.0, 1.0),
];

const BINARY: &[(Opcode, f64, f64)] = &[
    (Add, -1.0, 1.0),
    (Subtract, -1.0, 1.0),
    (Multiply, -1.0, 1.0),
    (Divide, 0.4, 2.0),
    (Atan2, 0.3, 2.0),
    (Power, 0.3, 2.0),
];

fn unary(op: Opcode, dtype: &str, low: f64, high: f64) -> Case {
    let to = if matches!(op, Abs | Real | Imag) { "f64" } else { dtype };
    let body = format!("x = {dtype}[3,2] parameter(0)\nROOT y = {to}[3,2] {op}(x)");
    Case::new(op, &body, &[Between(low, high)])
}

fn binary(op: Opcode, dtype: &str, low: f64, high: f64) -> Case {
    let body = format!(
        "a = {dtype}[3,2] parameter(0)\nb = {dtype}[3,2] parameter(1)\nROOT y = {dtype}[3,2] {op}(a, b)"
    );
    Case::new(op, &body, &[Between(low, high), Between(low, high)])
}

/// A quotient away from ±i, where the angle is infinite.
fn arctangent() -> Case {
    let body = "a = c128[4] parameter(0)\nb = c128[4] parameter(1)\nROOT y = c128[4] atan2(a, b)";
    Case::new(Atan2, body, &[Between(0.2, 0.4), Between(0.8, 1.2)])
}

/// Complex numbers and their parts.
fn parts() -> Vec<Case> {
    let complex = "re = f64[4] parameter(0)\nim = f64[4] parameter(1)\nROOT z = c128[4] complex(re, im)";
    let half = "re = f64[4] parameter(0)\nim = f64[4] constant({1, 2, 3, 4})\n\
                z = c128[4] complex(re, im)\nw = c128[4] multiply(z, z)\nROOT r = f64[4] imag(w)";
    vec![
        Case::new(Complex, complex, &[Between(-1.0, 1.0), Between(-1.0, 1.0)]),
        Case::new(Complex, half, &[Between(-1.0, 1.0)]),
    ]
}

fn conversions() -> Vec<Case> {
    let between = &[Between(-1.0, 1.0)];
    vec![
        Case::new(Convert, "x = f64[3] parameter(0)\nROOT y = c128[3] convert(x)", between),
        Case::new(Convert, "z = c128[3] parameter(0)\nROOT y = f64[3] convert(z)", between),
        Case::new(
            Convert,
            "x = f64[3] parameter(0)\nn = s32[3] convert(x)\nROOT y = f64[3] convert(n)",
            &[Between(0.1, 0.9)],
        ),
        Case::new(
            ReducePrecision,
            "x = f64[3] parameter(0)\nROOT y = f64[3] reduce-precision(x), exponent_bits=11, mantissa_bits=52",
            between,
        ),
        Case::new(BitcastConvert, "x = f64[3] parameter(0)\nROOT y = f64[3] bitcast-convert(x)", between),
    ]
}

/// What takes one operand or the other.
fn choices() -> Vec<Case> {
    let mut all = Vec::new();
    for op in [Maximum, Minimum] {
        let body = format!("a = f64[6] parameter(0)\nb = f64[6] parameter(1)\nROOT y = f64[6] {op}(a, b)");
        all.push(Case::new(op, &body, &[Distinct, Between(-0.04, 0.04)]));
        let constant = format!(
            "a = f64[6] parameter(0)\nc = f64[] constant(0)\nb = f64[6] broadcast(c), dimensions={{}}\n\
             ROOT y = f64[6] {op}(a, b)"
        );
        all.push(Case::new(op, &constant, &[Distinct]));
    }
    let remainder = "a = f64[6] parameter(0)\nb = f64[6] parameter(1)\nROOT y = f64[6] remainder(a, b)";
    all.push(Case::new(Remainder, remainder, &[Between(2.3, 2.7), Between(0.92, 0.99)]));
    all.push(Case::new(Remainder, remainder, &[Between(-2.7, -2.3), Between(0.92, 0.99)]));
    let clamp = "l = f64[] parameter(0)\nx = f64[8] parameter(1)\nh = f64[] parameter(2)\n\
                 ROOT y = f64[8] clamp(l, x, h)";
    all.push(Case::new(Clamp, clamp, &[Between(-0.41, -0.4), Distinct, Between(0.4, 0.41)]));
    let clamp = clamp.replace("f64[] parameter", "f64[8] parameter");
    all.push(Case::new(Clamp, &clamp, &[Between(-0.41, -0.4), Distinct, Between(0.4, 0.41)]));
    let select = "p = pred[4] parameter(0)\na = f64[4] parameter(1)\nb = f64[4] parameter(2)\n\
                  ROOT y = f64[4] select(p, a, b)";
    let values = [Exactly(vec![1, 0, 0, 1]), Between(-1.0, 1.0), Between(-1.0, 1.0)];
    all.push(Case::new(Select, select, &values));
    let scalar = select.replace("pred[4]", "pred[]");
    all.push(Case::new(Select, &scalar, &[Exactly(vec![0]), Between(-1.0, 1.0), Between(-1.0, 1.0)]));
    let one = "p = pred[4] parameter(0)\na = f64[4] parameter(1)\nb = f64[4] constant({1, 2, 3, 4})\n\
               ROOT y = f64[4] select(p, a, b)";
    all.push(Case::new(Select, one, &[Exactly(vec![1, 0, 0, 1]), Between(-1.0, 1.0)]));
    all
}

fn maps() -> Vec<Case> {
    let body = "a = f64[2,3] parameter(0)\nb = f64[2,3] parameter(1)\n\
                ROOT y = f64[2,3] map(a, b), dimensions={0,1}, to_apply=f";
    let f =
        "f { a = f64[] parameter(0)\n b = f64[] parameter(1)\n two = f64[] constant(2)\n s = f64[] sine(a)\n
             p = f64[] multiply(s, b)\n c = pred[] compare(a, b), direction=LT\n t = f64[] multiply(p, two)\n
             ROOT r = f64[] select(c, p, t) }";
    vec![Case::new(Map, body, &[Between(-1.0, -0.2), Between(0.2, 1.0)]).with(f)]
}
