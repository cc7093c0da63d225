//! Recorded programs: their arguments and results, and how near results must be.

use lawson_hlo::dtype::{DType, Float, TypeKind};
use lawson_hlo::{Literal, Scalar, Shape, Value};
use std::path::{Path, PathBuf};

/// Arguments and results of a program, in order.
pub struct Recorded {
    pub arguments: Vec<Literal>,
    pub results: Vec<Literal>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stablehlo")
}

/// The files of a folder with that ending, by name.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().ends_with(ending))).collect();
    paths.sort();
    paths
}

/// Reads `arg0 f32[2] 3f800000 0` and so on.
pub fn recorded(path: &Path) -> Recorded {
    let text = std::fs::read_to_string(path).expect("recorded values");
    let mut recorded = Recorded { arguments: Vec::new(), results: Vec::new() };
    for line in text.lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let literal = literal(words.next().expect("a shape"), words);
        match name.starts_with("arg") {
            true => recorded.arguments.push(literal),
            false => recorded.results.push(literal),
        }
    }
    recorded
}

fn literal<'a>(shape: &str, words: impl Iterator<Item = &'a str>) -> Literal {
    let Shape::Array(shape) = Shape::parse(shape).expect("a shape") else { panic!("an array") };
    let part = shape.dtype.part();
    let mut bytes = Vec::new();
    for word in words.filter(|w| !w.is_empty()) {
        let bits = match part.is_float() {
            true => u64::from_str_radix(word, 16).expect("bits"),
            false => word.parse::<i128>().expect("an integer") as u64,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..part.size()]);
    }
    Literal::new(shape, bytes)
}

/// How two results differ, if by more than rounding.
pub fn difference(found: &Value, wanted: &[Literal], slack: f64) -> Option<String> {
    let found = found.leaves();
    if found.len() != wanted.len() {
        return Some(format!("{} results, not {}", found.len(), wanted.len()));
    }
    found.iter().zip(wanted).enumerate().find_map(|(i, (found, wanted))| {
        one(found, wanted, slack).map(|difference| format!("result {i}: {difference}"))
    })
}

fn one(found: &Literal, wanted: &Literal, slack: f64) -> Option<String> {
    if !found.shape().same(wanted.shape()) {
        return Some(format!("{}, not {}", found.shape(), wanted.shape()));
    }
    let tolerance = slack * tolerance(found.dtype().part());
    let (found, wanted) = (found.parts(), wanted.parts());
    found.iter().zip(&wanted).find_map(|(found, wanted)| {
        let largest =
            wanted.scalars().map(Scalar::as_f64).filter(|x| x.is_finite()).fold(1.0, |m, x| x.abs().max(m));
        let mut pairs = found.scalars().zip(wanted.scalars()).enumerate();
        let differs = |a: Scalar, b: Scalar| match (a, b) {
            (Scalar::Float(a), Scalar::Float(b)) => {
                let same = a == b || a.is_nan() && b.is_nan();
                let finite = a.is_finite() && b.is_finite();
                let near =
                    finite && (a - b).abs() <= tolerance * b.abs().max(largest.min(1e3) * 1e-2).max(1e-3);
                !(same || near)
            }
            (a, b) => a != b,
        };
        let (i, (a, b)) = pairs.find(|&(_, (a, b))| differs(a, b))?;
        Some(format!("element {i} is {a:?}, not {b:?}"))
    })
}

/// A few roundings of functions that XLA computes by other polynomials.
fn tolerance(dtype: DType) -> f64 {
    match dtype.kind() {
        TypeKind::Float(Float::F16) => 4e-3,
        TypeKind::Float(Float::Bf16) => 3e-2,
        TypeKind::Float(Float::F32) => 3e-5,
        TypeKind::Float(Float::F64) => 1e-9,
        // One place.
        TypeKind::Float(Float::Small(format)) => 0.5f64.powi(format.mantissa as i32),
        TypeKind::Pred
        | TypeKind::Signed(_)
        | TypeKind::Unsigned(_)
        | TypeKind::Field(_)
        | TypeKind::Composite(_) => 0.0,
    }
}

/// An argument as a value.
pub fn values(literals: &[Literal]) -> Vec<Value> {
    literals.iter().cloned().map(Value::Array).collect()
}
