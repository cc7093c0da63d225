//! Random inputs, the same for a seed on every machine and in every version.
//!
//! Floats are uniform in [-1, 1), integers in [0, 10) as far as the type reaches, pred is fair, elements of a prime
//! field are uniform. Each leaf has its
//! own stream, so adding a parameter changes no other.

use lawson_hlo::dtype::{Algebra, Float, TypeKind, U256, WideArithmetic};
use lawson_hlo::{ArrayShape, DType, Literal, Scalar};

/// The random literals of these shapes.
pub fn literals(seed: u64, shapes: &[&ArrayShape]) -> Vec<Literal> {
    shapes.iter().enumerate().map(|(i, s)| literal(seed, i as u64, s)).collect()
}

/// The array that leaf `index` of this shape is, with seed 0.
pub(crate) fn nth(index: u64, shape: &ArrayShape) -> Literal {
    literal(0, index, shape)
}

fn literal(seed: u64, index: u64, shape: &ArrayShape) -> Literal {
    let mut rng = Rng(mix(seed) ^ mix(index.wrapping_add(0x5851_f42d_4c95_7f2d)));
    let count = shape.elements() as usize;
    let mut bytes = Vec::with_capacity(shape.bytes() as usize);
    for _ in 0..count {
        push_element(&mut bytes, &mut rng, shape.dtype);
    }
    Literal::new(ArrayShape { layout: None, ..shape.clone() }, bytes)
}

fn push_element(out: &mut Vec<u8>, rng: &mut Rng, dtype: DType) {
    match dtype.kind() {
        TypeKind::Pred => out.push((rng.next() >> 63) as u8),
        TypeKind::Signed(width) => push_integer(out, rng, dtype, width.signed_range().1 as u64),
        TypeKind::Unsigned(width) => push_integer(out, rng, dtype, width.greatest_unsigned()),
        TypeKind::Float(float) => match float {
            Float::F16 | Float::Bf16 => push_rounded(out, rng, dtype),
            Float::F32 => out.extend(rng.f32().to_le_bytes()),
            Float::F64 => out.extend(rng.f64().to_le_bytes()),
            // All bits of the lowest ten codes: numbers near zero in every format.
            Float::Small(_) => out.push(rng.below(10) as u8),
        },
        TypeKind::Field(field) => {
            let wide = u128::from(rng.next()) * u128::from(field.prime.modulus());
            Scalar::Unsigned((wide >> 64) as u64).push(dtype, out);
        }
        TypeKind::Composite(composite) => match composite.algebra {
            // Any words modulo p: some values are more frequent than others, by a fifth.
            Algebra::Words(field) => {
                let any = U256(std::array::from_fn(|_| rng.next()));
                out.extend(WideArithmetic::new(field).reduced(any).to_bytes());
            }
            Algebra::Complex | Algebra::Extension(_) => {
                (0..composite.parts()).for_each(|_| push_element(out, rng, composite.part));
            }
        },
    }
}

/// In [0, 10), as far as the type reaches.
fn push_integer(out: &mut Vec<u8>, rng: &mut Rng, dtype: DType, greatest: u64) {
    Scalar::Unsigned(rng.below(greatest.min(9) + 1)).push(dtype, out);
}

/// A half-precision element, drawn again when rounding reaches 1.
fn push_rounded(out: &mut Vec<u8>, rng: &mut Rng, dtype: DType) {
    loop {
        let mut bytes = Vec::with_capacity(2);
        Scalar::Float(rng.f32() as f64).push(dtype, &mut bytes);
        if Scalar::read(dtype, &bytes).as_f64() < 1.0 {
            return out.extend(bytes);
        }
    }
}

/// SplitMix64: a counter and a mixing function; passes the usual test batteries.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Uniform in [0, limit), for small limits.
    fn below(&mut self, limit: u64) -> u64 {
        ((self.next() >> 32) * limit) >> 32
    }

    /// Uniform in [-1, 1): a multiple of 2^-23.
    fn f32(&mut self) -> f32 {
        (self.next() >> 40) as f32 * (1.0 / (1 << 23) as f32) - 1.0
    }

    /// Uniform in [-1, 1): a multiple of 2^-52.
    fn f64(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 52) as f64) - 1.0
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_stays_in_its_range() {
        for &dtype in DType::ALL {
            let shape = ArrayShape::new(dtype, [1000]);
            for v in literal(3, 0, &shape).scalars() {
                let unit = |f: f64| assert!((-1.0..1.0).contains(&f), "{dtype} {f}");
                match v {
                    Scalar::Float(_) if dtype.is_small_float() => {}
                    Scalar::Float(f) => unit(f),
                    Scalar::Complex(re, im) => [re, im].into_iter().for_each(unit),
                    Scalar::Pred(_) => {}
                    _ if dtype.is_field() => {}
                    other => {
                        assert!((0..10).contains(&other.as_i128().expect("integer")), "{dtype} {other:?}")
                    }
                }
            }
        }
    }

    #[test]
    fn the_stream_never_changes() {
        let shape = ArrayShape::new(DType::S32, [12]);
        let values: Vec<i128> = literal(0, 0, &shape).scalars().filter_map(Scalar::as_i128).collect();
        assert_eq!(values, FIRST_TWELVE);
    }

    const FIRST_TWELVE: [i128; 12] = [0, 4, 7, 7, 1, 6, 7, 0, 9, 9, 1, 9];

    #[test]
    fn seeds_and_leaves_differ_and_the_mean_is_near_zero() {
        let shape = ArrayShape::new(DType::F32, [10_000]);
        let all = literals(1, &[&shape, &shape]);
        assert_ne!(all[0], all[1]);
        assert_ne!(all[0], literal(2, 0, &shape));
        let mean: f64 = all[0].scalars().map(Scalar::as_f64).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.03, "{mean}");
    }
}
