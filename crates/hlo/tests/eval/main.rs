//! The meaning of every operation, by example: small modules in text with the values they must give.

mod complex;
mod composite;
mod contraction;
mod control;
mod convert;
mod elementwise;
mod fft;
mod field;
mod gather_scatter;
mod library;
mod limits;
mod linalg;
mod movement;
mod random;
mod reduction;
mod sort;
mod wide;
mod window;

use lawson_hlo::eval::{EvalError, Options, evaluate};
use lawson_hlo::verify::verify;
use lawson_hlo::{DType, Literal, Module, Scalar, Value, text};

/// The module of a text: computations, of which the last is the entry, or the lines of an entry alone.
#[track_caller]
fn module(text: &str) -> Module {
    let text = if text.contains("ENTRY") { text.to_string() } else { format!("ENTRY main {{\n{text}\n}}") };
    let module =
        text::parse(&format!("HloModule test\n\n{text}\n")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    module
}

#[track_caller]
fn try_run(text: &str, args: &[Value], options: &Options) -> Result<Value, EvalError> {
    evaluate(&module(text), args, options)
}

/// The result of a module without parameters, as [`show`] writes it.
#[track_caller]
fn run(text: &str) -> String {
    show(&try_run(text, &[], &Options::default()).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

/// An operation on constants of one row each: `row("add", "s8", "s8", &["1, 2", "3, 4"])` is `"4, 6"`.
#[track_caller]
fn row(operation: &str, operand: &str, result: &str, operands: &[&str]) -> String {
    let (opcode, attrs) = operation.split_once(' ').unwrap_or((operation, ""));
    let mut depth = 0;
    let separates = |c: char| {
        depth += (c == '(') as i32 - (c == ')') as i32;
        c == ',' && depth == 0
    };
    let n = operands[0].split(separates).count();
    let mut lines = String::new();
    for (i, values) in operands.iter().enumerate() {
        lines += &format!("x{i} = {operand}[{n}] constant({{{values}}})\n");
    }
    let names: Vec<String> = (0..operands.len()).map(|i| format!("x{i}")).collect();
    let attrs = if attrs.is_empty() { String::new() } else { format!(", {attrs}") };
    run(&format!("{lines}ROOT r = {result}[{n}] {opcode}({}){attrs}", names.join(", ")))
}

/// Elements of an array separated by commas; tuples in parentheses.
fn show(value: &Value) -> String {
    match value {
        Value::Array(x) => x.scalars().map(|s| show_scalar(x.dtype(), s)).collect::<Vec<_>>().join(", "),
        Value::Tuple(parts) => format!("({})", parts.iter().map(show).collect::<Vec<_>>().join("; ")),
        Value::Token => "token".into(),
    }
}

fn show_scalar(dtype: DType, scalar: Scalar) -> String {
    match scalar {
        Scalar::Pred(b) => b.to_string(),
        Scalar::Signed(i) => i.to_string(),
        Scalar::Unsigned(u) => u.to_string(),
        Scalar::Float(f) if dtype.is_f64() => f.to_string(),
        Scalar::Float(f) => (f as f32).to_string(),
        Scalar::Extension(_) | Scalar::Wide(_) => scalar.to_string(),
        Scalar::Complex(re, im) => {
            let part = |x| show_scalar(dtype.part(), Scalar::Float(x));
            format!("{}{}{}i", part(re), if im.is_sign_negative() { "" } else { "+" }, part(im))
        }
    }
}

fn floats(dtype: DType, dims: &[i64], values: &[f64]) -> Value {
    let shape = lawson_hlo::ArrayShape::new(dtype, dims);
    Value::Array(Literal::from_scalars(shape, values.iter().map(|&v| Scalar::Float(v))))
}

/// Numbers in [−1, 1) that look random, the same every time.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}
