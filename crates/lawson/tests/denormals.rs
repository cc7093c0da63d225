//! `--denormals flush`: operations give what they give with denormals kept, or what they give of zeros instead of denormal
//! operands, or zero instead of a denormal result. Of ordinary numbers nothing changes.

use lawson::hlo::{ArrayShape, DType, Literal, Module};
use lawson::options::{Denormals, Numerics};
use lawson::{Client, Options};

/// Operations of one and of two operands, with the units in the last place that may lie between the two treatments: functions
/// that are correctly rounded have none.
const UNARY: [(&str, u64); 23] = [
    ("abs", 0),
    ("negate", 0),
    ("floor", 0),
    ("round-nearest-even", 0),
    ("sign", 0),
    ("sqrt", 0),
    ("rsqrt", 4),
    ("cbrt", 4),
    ("exponential", 4),
    ("exponential-minus-one", 4),
    ("log", 4),
    ("log-plus-one", 4),
    ("logistic", 4),
    ("tanh", 4),
    ("sine", 4),
    ("cosine", 4),
    ("tan", 8),
    ("erf", 4),
    ("sinh", 4),
    ("cosh", 4),
    ("asinh", 8),
    ("acos", 8),
    ("atanh", 8),
];
const BINARY: [(&str, u64); 8] = [
    ("add", 0),
    ("subtract", 0),
    ("multiply", 0),
    ("divide", 0),
    ("maximum", 0),
    ("remainder", 0),
    ("power", 8),
    ("atan2", 8),
];

/// Numbers of all sizes and signs: a half of them near one, the others of any exponent, among them denormals.
fn numbers(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NAN, 1e-45, -1e-40, 1e-38, -2e-38, 3e38, 0.5];
    let any = (0..n).map(|i| {
        let unit = next() as f64 / (1u64 << 31) as f64;
        let sign = if next() % 2 == 0 { 1.0 } else { -1.0 };
        let exponent = if i % 2 == 0 { next() % 6 } else { next() % 280 };
        sign * (1.0 + unit) * 2f64.powi(if i % 2 == 0 { exponent as i32 - 4 } else { exponent as i32 - 150 })
    });
    special.into_iter().chain(any).take(n).collect()
}

/// An element type, with what the comparison needs of it.
struct Type {
    dtype: DType,
    least_normal: f64,
    bytes: fn(f64) -> Vec<u8>,
    value: fn(&[u8]) -> f64,
    /// The distance to the next larger number.
    unit: fn(f64) -> f64,
}

fn single(b: &[u8]) -> f64 {
    f32::from_le_bytes(b.try_into().expect("4 bytes")).into()
}

fn double(b: &[u8]) -> f64 {
    f64::from_le_bytes(b.try_into().expect("8 bytes"))
}

const TYPES: [Type; 2] = [
    Type {
        dtype: DType::F32,
        least_normal: f32::MIN_POSITIVE as f64,
        bytes: |v| (v as f32).to_le_bytes().to_vec(),
        value: single,
        unit: |v| f64::from((v.abs() as f32).next_up()) - f64::from(v.abs() as f32),
    },
    Type {
        dtype: DType::F64,
        least_normal: f64::MIN_POSITIVE,
        // 2^±150 becomes 2^±1200, and what is near one stays near it.
        bytes: |v| {
            if v.abs() < 1e-30 {
                (v * v.abs().powf(7.1)).to_le_bytes().to_vec()
            } else {
                v.to_le_bytes().to_vec()
            }
        },
        value: double,
        unit: |v| v.abs().next_up() - v.abs(),
    },
];

fn is_denormal(v: f64, t: &Type) -> bool {
    v != 0.0 && v.abs() < t.least_normal
}

/// The results of one operation on these operands, with one treatment.
fn run(text: &str, inputs: &[Literal], denormals: Denormals, t: &Type) -> Vec<f64> {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { denormals, threads: 2, ..Options::default() };
    let out = Client::cpu().execute(&module, inputs, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    out[0].bytes().chunks(t.dtype.size()).map(t.value).collect()
}

#[test]
fn operations_give_zero_for_denormals_and_else_the_same() {
    const N: usize = 1 << 12;
    let operations = UNARY.iter().map(|o| (o, 1)).chain(BINARY.iter().map(|o| (o, 2)));
    for (t, (&(operation, units), operands)) in
        TYPES.iter().flat_map(|t| operations.clone().map(move |o| (t, o)))
    {
        let shape = ArrayShape::new(t.dtype, [N as i64]);
        let stored: Vec<Vec<u8>> =
            (0..operands).map(|o| numbers(17 + o, N).iter().flat_map(|&v| (t.bytes)(v)).collect()).collect();
        let values = |bytes: &[u8]| bytes.chunks(t.dtype.size()).map(t.value).collect::<Vec<f64>>();
        let values: Vec<Vec<f64>> = stored.iter().map(|b| values(b)).collect();
        let dtype = t.dtype;
        let names = &["x", "y"][..operands as usize];
        let parameters: Vec<String> =
            names.iter().enumerate().map(|(i, n)| format!("  {n} = {dtype}[{N}] parameter({i})\n")).collect();
        let text = format!(
            "HloModule m\nENTRY e {{\n{}  ROOT r = {dtype}[{N}] {operation}({})\n}}\n",
            parameters.concat(),
            names.join(", ")
        );
        let flush = |which: usize| -> Vec<Literal> {
            let operand = |o: usize| {
                let keep = |v: f64| if which >> o & 1 == 1 && is_denormal(v, t) { v * 0.0 } else { v };
                let bytes = stored[o].chunks(dtype.size());
                let bytes = bytes.flat_map(|b| {
                    let v = (t.value)(b);
                    if keep(v) == v || v.is_nan() {
                        b.to_vec()
                    } else {
                        (0.0 * v).to_le_bytes()[8 - dtype.size()..].to_vec()
                    }
                });
                Literal::new(shape.clone(), bytes.collect::<Vec<u8>>())
            };
            (0..operands as usize).map(operand).collect()
        };
        let flushed = run(&text, &flush(0), Denormals::Flush, t);
        let allowed: Vec<Vec<f64>> =
            (0..1 << operands).map(|w| run(&text, &flush(w), Denormals::Keep, t)).collect();
        for (i, &found) in flushed.iter().enumerate() {
            let close = |kept: f64| {
                found == kept
                    || (found.is_nan() && kept.is_nan())
                    || (found - kept).abs() <= units as f64 * (t.unit)(kept)
                    // A result that is denormal, or made of a part that is.
                    || (kept.abs() < 4.0 * t.least_normal && (found - kept).abs() <= 2.0 * t.least_normal)
            };
            let of: Vec<f64> = values.iter().map(|v| v[i]).collect();
            let kept: Vec<f64> = allowed.iter().map(|a| a[i]).collect();
            assert!(
                kept.iter().any(|&k| close(k)),
                "{dtype} {operation} of {of:?}: {found:?}, kept {kept:?}"
            );
        }
        if operation == "multiply" {
            assert!(
                flushed.iter().all(|&v| !is_denormal(v, t)) && allowed[0].iter().any(|&v| is_denormal(v, t))
            );
        }
    }
}

#[test]
fn strict_keeps_them() {
    let module = Module::parse("HloModule m\nENTRY e {\n  ROOT x = f32[4] parameter(0)\n}\n").expect("valid");
    let options = Options { denormals: Denormals::Flush, numerics: Numerics::Strict, ..Options::default() };
    let error = Client::cpu().compile(&module, &options).err().expect("refused").to_string();
    assert!(error.contains("`strict` gives the bits of the interpreter"), "{error}");
}
