//! Comparison of results with expected ones.
//!
//! A float agrees when |a − b| ≤ atol + rtol·|b|; NaN agrees with NaN, an infinity with itself. Everything else must
//! be equal. An output agrees when at most the allowed fraction of its elements differ. What is not given follows from
//! the types and the reductions of the module ([`crate::precision`]).

use crate::precision::Precision;
use lawson_hlo::{DType, Literal, Scalar};
use std::fmt;

/// The least absolute tolerance, unless another is given.
const LEAST_ATOL: f64 = 1e-6;

/// What may differ. Where both rtol and atol are left out, they are what correct programs like the module need; what is
/// given holds exactly, and the other one is then the least: 1e-4 (f16, bf16 2e-2), or 1e-6.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance {
    /// Relative to the expected value.
    pub rtol: Option<f64>,
    /// Absolute.
    pub atol: Option<f64>,
    /// The fraction of elements of each output that may differ.
    pub max_mismatch: f64,
    /// What results of the module can be expected to agree to.
    pub precision: Precision,
}

/// A tolerance for one array.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Allowed {
    rtol: f64,
    atol: f64,
}

impl Tolerance {
    /// For an array of this type whose largest value is `largest`.
    fn of(&self, dtype: DType, largest: f64) -> Allowed {
        let scaled = self.rtol.is_none() && self.atol.is_none();
        let precision = if scaled { self.precision } else { Precision::default() };
        let atol = if scaled { LEAST_ATOL.max(precision.of_largest(dtype) * largest) } else { LEAST_ATOL };
        Allowed { rtol: self.rtol.unwrap_or(precision.rtol(dtype)), atol: self.atol.unwrap_or(atol) }
    }
}

/// One element that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// Where it stands, a number for each dimension.
    pub index: Vec<i64>,
    /// The element that was computed.
    pub actual: String,
    /// The element that was expected.
    pub expected: String,
    /// |a − b|; infinite where one is NaN.
    pub error: f64,
    /// How many times the tolerance the error is.
    excess: f64,
}

/// The verdict on one output.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of the output.
    pub output: usize,
    /// Its shape as HLO writes it.
    pub shape: String,
    /// How many elements it has.
    pub elements: usize,
    /// How many of them differ by more than the tolerance.
    pub mismatches: usize,
    /// The worst mismatches, worst first.
    pub worst: Vec<Mismatch>,
    /// Whether no more differ than may.
    pub agrees: bool,
    allowed: Allowed,
    /// The largest expected magnitude.
    largest: f64,
    is_float: bool,
}

/// Mismatches kept for the report.
const SHOWN: usize = 8;

/// Compares output number `output` with what was expected; the shapes are the same.
pub fn compare(output: usize, actual: &Literal, expected: &Literal, tolerance: &Tolerance) -> Comparison {
    let elements = actual.elements();
    let largest = largest(expected);
    let allowed = tolerance.of(actual.dtype(), largest);
    let (mut mismatches, mut worst) = (0, Vec::new());
    if actual.bytes() != expected.bytes() {
        for i in 0..elements {
            if let Some(m) = compare_element(i, actual, expected, allowed) {
                mismatches += 1;
                keep_worst(&mut worst, m);
            }
        }
    }
    Comparison {
        output,
        shape: actual.shape().to_string(),
        elements,
        mismatches,
        worst,
        agrees: mismatches as f64 <= tolerance.max_mismatch * elements as f64,
        allowed,
        largest,
        is_float: actual.dtype().part().float().is_some(),
    }
}

/// The largest magnitude, of parts where elements have parts.
fn largest(array: &Literal) -> f64 {
    let magnitude = |s: Scalar| match s {
        Scalar::Float(f) => f.abs(),
        Scalar::Complex(re, im) => re.abs().max(im.abs()),
        Scalar::Pred(_)
        | Scalar::Signed(_)
        | Scalar::Unsigned(_)
        | Scalar::Extension(_)
        | Scalar::Wide(_) => 0.0,
    };
    array.scalars().map(magnitude).filter(|m| m.is_finite()).fold(0.0, f64::max)
}

fn compare_element(i: usize, actual: &Literal, expected: &Literal, allowed: Allowed) -> Option<Mismatch> {
    let (error, allowed) = difference(actual.get(i), expected.get(i), allowed.atol, allowed.rtol);
    (error > allowed).then(|| Mismatch {
        index: unflatten(i as i64, actual.dims()),
        actual: show(actual, i),
        expected: show(expected, i),
        error,
        excess: excess((error, allowed)),
    })
}

/// The error and what is allowed; of a composite those of its worst part.
fn difference(a: Scalar, b: Scalar, atol: f64, rtol: f64) -> (f64, f64) {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => {
            if a == b || (a.is_nan() && b.is_nan()) {
                (0.0, 0.0)
            } else if !a.is_finite() || !b.is_finite() {
                (f64::INFINITY, 0.0)
            } else {
                ((a - b).abs(), atol + rtol * b.abs())
            }
        }
        (Scalar::Complex(re, im), Scalar::Complex(other_re, other_im)) => {
            let part = |a, b| difference(Scalar::Float(a), Scalar::Float(b), atol, rtol);
            let (re, im) = (part(re, other_re), part(im, other_im));
            if excess(re) >= excess(im) { re } else { im }
        }
        (Scalar::Extension(a), Scalar::Extension(b)) => (if a == b { 0.0 } else { f64::INFINITY }, 0.0),
        (Scalar::Wide(a), Scalar::Wide(b)) => (if a == b { 0.0 } else { f64::INFINITY }, 0.0),
        // Integers are told apart exactly, beyond 2^53 too.
        (Scalar::Pred(_) | Scalar::Signed(_) | Scalar::Unsigned(_), _)
        | (Scalar::Float(_) | Scalar::Complex(..) | Scalar::Extension(_) | Scalar::Wide(_), _) => {
            let error = a.as_i128().zip(b.as_i128()).map_or(f64::INFINITY, |(a, b)| a.abs_diff(b) as f64);
            (error, 0.0)
        }
    }
}

fn excess((error, allowed): (f64, f64)) -> f64 {
    if error == 0.0 { 0.0 } else { error / allowed }
}

fn keep_worst(worst: &mut Vec<Mismatch>, m: Mismatch) {
    let key = |m: &Mismatch| (m.excess, m.error);
    let at = worst.partition_point(|w| key(w) >= key(&m));
    if at < SHOWN {
        worst.truncate(SHOWN - 1);
        worst.insert(at, m);
    }
}

fn show(literal: &Literal, i: usize) -> String {
    let wide = literal.dtype().part().accumulator().is_f64();
    let float = |f: f64| if wide { f.to_string() } else { (f as f32).to_string() };
    match literal.get(i) {
        Scalar::Pred(b) => b.to_string(),
        Scalar::Signed(v) => v.to_string(),
        Scalar::Unsigned(v) => v.to_string(),
        Scalar::Float(f) => float(f),
        Scalar::Complex(re, im) => format!("({}, {})", float(re), float(im)),
        element @ (Scalar::Extension(_) | Scalar::Wide(_)) => element.to_string(),
    }
}

fn unflatten(mut i: i64, dims: &[i64]) -> Vec<i64> {
    let mut index = vec![0; dims.len()];
    for (slot, &d) in index.iter_mut().zip(dims).rev() {
        *slot = i % d;
        i /= d;
    }
    index
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { output, shape, elements, mismatches, .. } = self;
        let verdict = if self.agrees { "agrees" } else { "DIFFERS" };
        write!(f, "out{output} {shape}: {verdict}, {mismatches} of {elements} elements out of tolerance")?;
        if self.worst.is_empty() {
            return Ok(());
        }
        write!(f, "\n  {:<20} {:>24} {:>24} {:>12}", "index", "actual", "expected", "|a-b|")?;
        for m in &self.worst {
            let index = format!("{:?}", m.index);
            write!(f, "\n  {index:<20} {:>24} {:>24} {:>12.3e}", m.actual, m.expected, m.error)?;
        }
        if let (true, Some(worst)) = (self.is_float, self.worst.first()) {
            let Allowed { rtol, atol } = self.allowed;
            write!(f, "\n  allowed is |a-b| <= atol + rtol |b| with rtol {rtol:.1e} and atol {atol:.1e}")?;
            if self.largest > 0.0 {
                let (share, largest) = (worst.error / self.largest, self.largest);
                write!(
                    f,
                    ";\n  the first differs by {share:.1e} of the largest expected value, {largest:.3e}"
                )?;
            }
            write!(f, "\n  set with --rtol and --atol, or --max-mismatch FRACTION of elements")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::ArrayShape;

    fn floats(dtype: DType, values: &[f64]) -> Literal {
        let shape = ArrayShape::new(dtype, [values.len() as i64]);
        Literal::from_scalars(shape, values.iter().map(|&v| Scalar::Float(v)))
    }

    fn exactly(rtol: f64, atol: f64) -> Tolerance {
        Tolerance { rtol: Some(rtol), atol: Some(atol), ..Tolerance::default() }
    }

    fn mismatches(a: &Literal, b: &Literal, t: &Tolerance) -> usize {
        compare(0, a, b, t).mismatches
    }

    #[test]
    fn tolerance_is_relative_to_the_expected_value() {
        let t = exactly(0.1, 0.0);
        assert_eq!(mismatches(&floats(DType::F64, &[110.0]), &floats(DType::F64, &[100.0]), &t), 0);
        assert_eq!(mismatches(&floats(DType::F64, &[100.0]), &floats(DType::F64, &[90.0]), &t), 1);
        let t = exactly(0.0, 0.5);
        assert_eq!(mismatches(&floats(DType::F64, &[1.5, 1.6]), &floats(DType::F64, &[1.0, 1.0]), &t), 1);
    }

    #[test]
    fn half_precision_is_allowed_more() {
        let t = Tolerance::default();
        for (dtype, expected) in [(DType::F32, 1), (DType::F16, 0), (DType::Bf16, 0)] {
            assert_eq!(mismatches(&floats(dtype, &[1.01]), &floats(dtype, &[1.0]), &t), expected, "{dtype}");
        }
    }

    #[test]
    fn nan_and_infinities() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let t = exactly(1e9, 1e9);
        let a = floats(DType::F32, &[nan, inf, -inf, 0.0, inf, nan, 1.0]);
        let b = floats(DType::F32, &[nan, inf, -inf, -0.0, -inf, 1.0, inf]);
        assert_eq!(mismatches(&a, &b, &t), 3);
    }

    #[test]
    fn integers_are_exact_beyond_two_to_the_53() {
        let shape = ArrayShape::new(DType::U64, [2]);
        let make = |v: u64| Literal::from_scalars(shape.clone(), [Scalar::Unsigned(v), Scalar::Unsigned(1)]);
        let t = exactly(1.0, 10.0);
        let result = compare(2, &make(1 << 60), &make((1 << 60) + 1), &t);
        assert_eq!((result.mismatches, result.agrees), (1, false));
        assert_eq!(result.worst[0].error, 1.0);
        assert!(result.to_string().contains("out2 u64[2]: DIFFERS, 1 of 2"), "{result}");
        assert!(compare(2, &make(1), &make(2), &Tolerance { max_mismatch: 0.5, ..t }).agrees);
    }

    #[test]
    fn the_worst_come_first_with_their_index() {
        let values: Vec<f64> = (0..30).map(f64::from).collect();
        let zero = Literal::splat(ArrayShape::new(DType::F32, [5, 6]), Scalar::Float(0.0));
        let result = compare(0, &floats(DType::F32, &values).reshaped([5, 6]), &zero, &Tolerance::default());
        assert_eq!((result.mismatches, result.worst.len()), (29, SHOWN));
        assert_eq!(result.worst[0].index, [4, 5]);
        assert_eq!(result.worst[1].index, [4, 4]);
    }

    #[test]
    fn complex_parts_are_compared_each() {
        let make = |re: f32, im: f32| {
            let bytes: Vec<u8> = re.to_le_bytes().into_iter().chain(im.to_le_bytes()).collect();
            Literal::new(ArrayShape::new(DType::C64, []), bytes)
        };
        assert_eq!(mismatches(&make(1.0, 2.0), &make(1.0, 2.0), &Tolerance::default()), 0);
        let result = compare(0, &make(1.0, 2.0), &make(1.0, 3.0), &Tolerance::default());
        assert_eq!((result.mismatches, result.worst[0].actual.as_str()), (1, "(1, 2)"));
    }

    #[test]
    fn without_tolerances_small_values_may_err_as_large_ones_do() {
        let long = Precision { doublings: 16.0, ..Precision::default() };
        let t = Tolerance { precision: long, ..Tolerance::default() };
        let expected = floats(DType::F32, &[0.001, 50.0, 100.0]);
        // A sum of 2^16 terms whose largest is 100 is not known to 1e-4 of a value that nearly vanishes.
        assert_eq!(mismatches(&floats(DType::F32, &[0.011, 50.0, 100.0]), &expected, &t), 0);
        assert_eq!(
            mismatches(
                &floats(DType::F32, &[0.011, 50.0, 100.0]),
                &expected,
                &Tolerance { rtol: Some(1e-4), ..t }
            ),
            1
        );
        assert_eq!(
            mismatches(
                &floats(DType::F32, &[0.001, 50.011, 100.0]),
                &expected,
                &Tolerance { atol: Some(1e-6), ..t }
            ),
            1
        );
        // One hundredth of the largest is wrong, however long the sums are.
        let endless = Tolerance { precision: Precision { doublings: 1e9, ..long }, ..t };
        let result = compare(0, &floats(DType::F32, &[1.001, 50.0, 100.0]), &expected, &endless);
        assert!(!result.agrees);
        let text = result.to_string();
        for part in
            ["rtol 1.0e-4 and atol 5.0e-1", "1.0e-2 of the largest expected value, 1.000e2", "--max-mismatch"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}
