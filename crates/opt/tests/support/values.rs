//! Evaluates a module before and after passes on the same random inputs and compares.

use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::{ArrayShape, DType, Literal, Module, Scalar, Shape, Value};
use lawson_opt::Numerics;

/// Sets of inputs that are tried.
const SETS: u64 = 3;

/// An error says which output differs where.
pub fn same_results(before: &Module, after: &Module, numerics: Numerics) -> Result<(), String> {
    for seed in 0..SETS {
        // Infinities times rounding errors tell nothing about nearly equal results.
        let special = numerics == Numerics::Strict && seed > 0;
        let args = arguments(before, seed, special);
        let run = |m: &Module| evaluate(m, &args, &Options::default()).map_err(|e| e.to_string());
        let (expected, found) = match (run(before), run(after)) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(e), _) => return Err(format!("the input cannot be evaluated: {e}")),
            (_, Err(e)) => return Err(format!("cannot be evaluated any more: {e}")),
        };
        same_leaves(&expected.leaves(), &found.leaves(), numerics)?;
    }
    Ok(())
}

/// An error says which array differs where.
pub fn same_leaves(expected: &[&Literal], found: &[&Literal], numerics: Numerics) -> Result<(), String> {
    for (n, (x, y)) in expected.iter().zip(found).enumerate() {
        if let Some(i) = (0..x.elements()).find(|&i| !same(x, y, i, numerics)) {
            let (x, y) = (x.get(i), y.get(i));
            return Err(format!("output {n} differs at element {i}: {x:?} before, {y:?} after"));
        }
    }
    Ok(())
}

fn same(x: &Literal, y: &Literal, i: usize, numerics: Numerics) -> bool {
    let float = |a: f64, b: f64| {
        let close = (a - b).abs() <= 1e-6 + 1e-5 * a.abs();
        a.to_bits() == b.to_bits()
            || (a.is_nan() && b.is_nan())
            || (numerics > Numerics::Strict && (a == b || close))
    };
    match (x.get(i), y.get(i)) {
        (Scalar::Float(a), Scalar::Float(b)) => float(a, b),
        (Scalar::Complex(a, b), Scalar::Complex(c, d)) => float(a, c) && float(b, d),
        (a, b) => a == b,
    }
}

/// Random arguments; special ones hold zeros, infinities and the like.
pub fn arguments(module: &Module, seed: u64, special: bool) -> Vec<Value> {
    let mut rng = Rng::new(seed);
    module.entry().parameter_shapes().into_iter().map(|s| value(s, &mut rng, special)).collect()
}

fn value(shape: &Shape, rng: &mut Rng, special: bool) -> Value {
    match shape {
        Shape::Array(a) => Value::Array(literal(a, rng, special)),
        Shape::Tuple(parts) => Value::Tuple(parts.iter().map(|p| value(p, rng, special)).collect()),
        _ => Value::Token,
    }
}

/// A random array.
pub fn literal(shape: &ArrayShape, rng: &mut Rng, special: bool) -> Literal {
    if let Some(composite) = shape.dtype.composite() {
        let part = shape.with_dtype(composite.part);
        let parts: Vec<Literal> = (0..composite.parts()).map(|_| literal(&part, rng, special)).collect();
        return Literal::from_parts(shape.dtype, &parts);
    }
    let n = shape.elements();
    let plain = ArrayShape::new(shape.dtype, shape.dims.clone());
    Literal::from_scalars(plain, (0..n).map(|_| scalar(shape, rng, special)))
}

fn scalar(shape: &ArrayShape, rng: &mut Rng, special: bool) -> Scalar {
    const FLOATS: [f64; 6] = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40];
    let bits = rng.next();
    let odd = special && bits & 3 == 0;
    match shape.dtype {
        d if d.is_float() && odd => Scalar::Float(FLOATS[(bits >> 8) as usize % FLOATS.len()]),
        d if d.is_float() => Scalar::Float((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0),
        DType::Pred => Scalar::Pred(bits & 1 == 1),
        // Any bits at all, now and then.
        _ if odd => Scalar::Unsigned(bits),
        _ => Scalar::Unsigned((bits >> 32) % 10),
    }
}

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(0x9E37_79B9 ^ seed << 32)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}
