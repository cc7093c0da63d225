//! Numbers that look random and are the same in every run.

use lawson_hlo::{ArrayShape, Literal, Scalar};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// SplitMix64.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// Less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, shape: &ArrayShape, low: f64, high: f64) -> Literal {
        let mut one = || low + (high - low) * self.unit();
        let mut element = || {
            if shape.dtype.is_complex() { Scalar::Complex(one(), one()) } else { Scalar::Float(one()) }
        };
        let elements: Vec<Scalar> = (0..shape.elements()).map(|_| element()).collect();
        Literal::from_scalars(shape.clone(), elements)
    }
}
