//! Functions of complex numbers against recorded values of 120 digits (`scripts/record_complex_values.py`), and at zeros,
//! infinities and NaN, where they are those of Annex G of the C standard.

use super::*;
use lawson_hlo::ArrayShape;
use std::collections::BTreeMap;

/// Arguments and value of a line, two numbers each.
struct Line {
    arguments: Vec<(f64, f64)>,
    value: (f64, f64),
}

fn recorded() -> BTreeMap<&'static str, Vec<Line>> {
    let mut all: BTreeMap<&str, Vec<Line>> = BTreeMap::new();
    for line in include_str!("complex.txt").lines() {
        let (opcode, numbers) = line.split_once(' ').expect("an opcode");
        let numbers: Vec<f64> = numbers.split(' ').map(|n| n.parse().expect("a number")).collect();
        let mut pairs: Vec<(f64, f64)> = numbers.chunks(2).map(|p| (p[0], p[1])).collect();
        let value = pairs.pop().expect("a value");
        all.entry(opcode).or_default().push(Line { arguments: pairs, value });
    }
    all
}

/// Values of an operation on the arguments of all lines.
fn computed(opcode: &str, dtype: DType, lines: &[Line]) -> Vec<(f64, f64)> {
    let (n, count) = (lines.len(), lines[0].arguments.len());
    let result = if opcode == "abs" { dtype.part() } else { dtype };
    let shape = ArrayShape::new(dtype, [n as i64]);
    let (mut text, mut arguments) = (String::new(), Vec::new());
    for i in 0..count {
        text += &format!("x{i} = {dtype}[{n}] parameter({i})\n");
        let values = lines.iter().map(|l| Scalar::Complex(l.arguments[i].0, l.arguments[i].1));
        arguments.push(Value::Array(Literal::from_scalars(shape.clone(), values)));
    }
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    text += &format!("ROOT r = {result}[{n}] {opcode}({})", names.join(", "));
    let value = try_run(&text, &arguments, &Options::default()).unwrap_or_else(|e| panic!("{opcode}: {e}"));
    let pair = |s: Scalar| match s {
        Scalar::Complex(re, im) => (re, im),
        other => (other.as_f64(), 0.0),
    };
    value.expect_array().scalars().map(pair).collect()
}

/// Units in the last place of a number.
fn ulp(dtype: DType, x: f64) -> f64 {
    let (digits, least) = if dtype.part().is_f64() { (52, -1022) } else { (23, -126) };
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).max(least);
    2f64.powi(exponent - digits)
}

/// Bounds in ulp: of each part, and of the distance in those of the magnitude.
fn bounds(name: &str, line: &Line) -> (f64, f64) {
    let unbounded = f64::INFINITY;
    match name {
        // The error of |x| and of the angle, which is multiplied by the exponent.
        "power-far" => {
            let [(a, b), (c, d)] = line.arguments[..] else { panic!("two arguments") };
            (unbounded, 80.0 + 4.0 * c.hypot(d) * (2.0 + a.hypot(b).ln().abs() + b.atan2(a).abs()))
        }
        "sqrt" | "rsqrt" | "sine" | "cosine" | "sinh" | "cosh" | "exponential" => (5.0, 5.0),
        "asin" | "acos" | "asinh" | "acosh" | "sign" | "abs" | "log-plus-one" => (5.0, 4.0),
        "tan" | "tanh" | "atanh" => (7.0, 5.0),
        // Sums of two terms that may cancel: in one part, not in both.
        "log" | "cbrt" => (unbounded, 4.0),
        "multiply" => (unbounded, 2.0),
        "divide" | "exponential-minus-one" => (unbounded, 5.0),
        "logistic" => (unbounded, 8.0),
        // The angle has the error of its size, which is up to 40 here.
        "power" => (unbounded, 80.0),
        "atan2" | "atan2-far" => (unbounded, 200.0),
        other => panic!("{other} has no bound"),
    }
}

#[test]
fn values_are_those_of_many_digits() {
    for dtype in [DType::C64, DType::C128] {
        for (name, lines) in recorded() {
            let opcode = name.trim_end_matches("-far");
            for (line, found) in lines.iter().zip(computed(opcode, dtype, &lines)) {
                let (of_part, of_both) = bounds(name, line);
                let value = line.value;
                let [re, im] = [found.0 - value.0, found.1 - value.1];
                let what = format!("{opcode} of {:?} in {dtype}: {found:?}, not {value:?}", line.arguments);
                let distance = re.hypot(im) / ulp(dtype, value.0.hypot(value.1));
                assert!(distance <= of_both, "{what}: {distance} ulp");
                for (error, value) in [(re, value.0), (im, value.1)] {
                    assert!(error.abs() <= of_part * ulp(dtype, value), "{what}");
                }
            }
        }
    }
}

type Pair = (f64, f64);

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const PI: f64 = std::f64::consts::PI;

/// Results at single points: signs of zero count, NaN is any.
#[track_caller]
fn gives(opcode: &str, cases: &[(&[Pair], Pair)]) {
    for &(arguments, value) in cases {
        let line = Line { arguments: arguments.to_vec(), value };
        for dtype in [DType::C64, DType::C128] {
            let found = computed(opcode, dtype, std::slice::from_ref(&line))[0];
            let same = |found: f64, wanted: f64| match wanted {
                w if w.is_nan() => found.is_nan(),
                w if w == 0.0 || w.is_infinite() => found.to_bits() == w.to_bits(),
                w => (found - w).abs() <= 1e-6 * w.abs(),
            };
            let holds = same(found.0, value.0) && same(found.1, value.1);
            assert!(holds, "{opcode} of {arguments:?} in {dtype}: {found:?}, not {value:?}");
        }
    }
}

#[test]
fn exponentials_at_the_ends() {
    gives(
        "exponential",
        &[
            (&[(0.0, -0.0)], (1.0, -0.0)),
            (&[(INF, 0.0)], (INF, 0.0)),
            (&[(INF, 2.0)], (-INF, INF)),
            (&[(INF, INF)], (INF, NAN)),
            (&[(-INF, 2.0)], (-0.0, 0.0)),
            (&[(-INF, NAN)], (0.0, 0.0)),
            (&[(NAN, 0.0)], (NAN, 0.0)),
            (&[(1.0, INF)], (NAN, NAN)),
        ],
    );
    gives("exponential-minus-one", &[(&[(-0.0, -0.0)], (-0.0, -0.0)), (&[(-INF, INF)], (-1.0, 0.0))]);
    gives(
        "logistic",
        &[(&[(INF, INF)], (1.0, 0.0)), (&[(-INF, 1.0)], (0.0, 0.0)), (&[(0.0, 0.0)], (0.5, 0.0))],
    );
    gives(
        "sinh",
        &[(&[(INF, 0.0)], (INF, 0.0)), (&[(-0.0, INF)], (-0.0, NAN)), (&[(NAN, -0.0)], (NAN, -0.0))],
    );
    gives(
        "cosh",
        &[(&[(INF, -0.0)], (INF, -0.0)), (&[(-INF, NAN)], (INF, NAN)), (&[(0.0, INF)], (NAN, 0.0))],
    );
    gives(
        "tanh",
        &[
            (&[(INF, 1.0)], (1.0, 0.0)),
            (&[(-INF, INF)], (-1.0, 0.0)),
            (&[(-0.0, 1.0)], (-0.0, 1.0f64.tan())),
            (&[(300.0, INF)], (NAN, NAN)),
        ],
    );
}

#[test]
fn large_exponents_overflow_last() {
    // e^89 is no f32, but its product with the cosine is one.
    let angle = 1.57;
    let line = Line { arguments: vec![(89.0, f64::from(angle as f32))], value: (0.0, 0.0) };
    for opcode in ["exponential", "exponential-minus-one"] {
        let found = computed(opcode, DType::C64, std::slice::from_ref(&line))[0];
        let exact = 89f64.exp() * f64::from(angle as f32).cos();
        assert!((found.0 / exact - 1.0).abs() < 1e-6, "{opcode}: {found:?}, not {exact}");
        assert!(found.1.is_infinite());
    }
    let found = computed("sinh", DType::C64, &[line])[0];
    let exact = 89f64.sinh() * f64::from(angle as f32).cos();
    assert!((found.0 / exact - 1.0).abs() < 1e-6, "{found:?}, not {exact}");
}

#[test]
fn branch_cuts_go_with_the_sign_of_zero() {
    gives("log", &[(&[(-1.0, 0.0)], (0.0, PI)), (&[(-1.0, -0.0)], (0.0, -PI)), (&[(-0.0, 0.0)], (-INF, PI))]);
    gives("log", &[(&[(INF, NAN)], (INF, NAN)), (&[(-INF, INF)], (INF, 0.75 * PI))]);
    gives(
        "log-plus-one",
        &[(&[(-1.0, 0.0)], (-INF, 0.0)), (&[(0.0, -0.0)], (0.0, -0.0)), (&[(-3.0, -0.0)], (2f64.ln(), -PI))],
    );
    gives(
        "sqrt",
        &[
            (&[(-4.0, 0.0)], (0.0, 2.0)),
            (&[(-4.0, -0.0)], (0.0, -2.0)),
            (&[(-0.0, -0.0)], (0.0, -0.0)),
            (&[(NAN, -INF)], (INF, -INF)),
            (&[(-INF, 1.0)], (0.0, INF)),
            (&[(INF, NAN)], (INF, NAN)),
        ],
    );
    gives(
        "rsqrt",
        &[(&[(-4.0, -0.0)], (0.0, 0.5)), (&[(0.0, 0.0)], (INF, NAN)), (&[(INF, 1.0)], (0.0, -0.0))],
    );
    gives(
        "asin",
        &[
            (&[(1.0, 0.0)], (PI / 2.0, 0.0)),
            (&[(2.0, -0.0)], (PI / 2.0, -1.316957896924817)),
            (&[(0.0, NAN)], (0.0, NAN)),
        ],
    );
    gives(
        "acos",
        &[
            (&[(2.0, 0.0)], (0.0, -1.316957896924817)),
            (&[(-1.0, 0.0)], (PI, -0.0)),
            (&[(INF, INF)], (PI / 4.0, -INF)),
        ],
    );
    gives("asinh", &[(&[(-0.0, -2.0)], (-1.316957896924817, -PI / 2.0)), (&[(INF, INF)], (INF, PI / 4.0))]);
    gives("acosh", &[(&[(-2.0, -0.0)], (1.316957896924817, -PI)), (&[(1.0, 0.0)], (0.0, 0.0))]);
    gives(
        "atanh",
        &[
            (&[(1.0, 0.0)], (INF, 0.0)),
            (&[(2.0, -0.0)], (0.549306144334055, -PI / 2.0)),
            (&[(INF, NAN)], (0.0, NAN)),
        ],
    );
}

#[test]
fn quotients_at_the_ends() {
    gives(
        "divide",
        &[
            (&[(1.0, 0.0), (0.0, 0.0)], (INF, NAN)),
            (&[(1.0, -2.0), (-0.0, 0.0)], (-INF, INF)),
            (&[(INF, 1.0), (1.0, 1.0)], (INF, -INF)),
            (&[(1.0, 1.0), (INF, -INF)], (0.0, 0.0)),
            (&[(INF, 1.0), (INF, 1.0)], (NAN, NAN)),
            (&[(0.0, 0.0), (0.0, 0.0)], (NAN, NAN)),
        ],
    );
    let large = |x: f64| (x * 2f64.powi(126), x * 2f64.powi(126));
    let small = |x: f64| (x * 2f64.powi(-140), 0.0);
    gives("divide", &[(&[large(1.5), large(0.5)], (3.0, 0.0)), (&[small(3.0), small(2.0)], (1.5, 0.0))]);
}

#[test]
fn powers_of_zero_and_one() {
    gives(
        "power",
        &[
            (&[(0.0, 0.0), (0.0, 0.0)], (1.0, 0.0)),
            (&[(0.0, 0.0), (2.0, 0.0)], (0.0, 0.0)),
            (&[(0.0, 0.0), (-1.0, 0.0)], (NAN, NAN)),
            (&[(0.0, 0.0), (1.0, 1.0)], (NAN, NAN)),
            (&[(1.0, 0.0), (INF, 1.0)], (1.0, 0.0)),
            (&[(INF, 0.0), (2.0, 0.0)], (INF, 0.0)),
            (&[(INF, 0.0), (-2.0, 0.0)], (0.0, 0.0)),
            (&[(4.0, 0.0), (0.5, 0.0)], (2.0, 0.0)),
        ],
    );
    gives("sign", &[(&[(0.0, -0.0)], (0.0, 0.0)), (&[(3e38, -3e38)], (0.5f64.sqrt(), -0.5f64.sqrt()))]);
}

#[test]
fn products_of_matrices_are_four() {
    let text = "x = c64[2,2] constant({{(1,2),(3,4)},{(5,6),(7,8)}})
y = c64[2,1] constant({{(1,-1)},{(0,2)}})
ROOT d = c64[2,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    assert_eq!(run(text), "-5+7i, -5+15i");
    let text = "x = c128[1,3,1] constant({{{(1,1)},{(2,0)},{(0,3)}}})
k = c128[2,1,1] constant({{{(0,1)}},{{(1,0)}}})
ROOT c = c128[1,2,1] convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f";
    assert_eq!(run(text), "1+1i, 0+5i");
}
