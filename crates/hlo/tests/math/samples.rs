//! Arguments to try: a fixed stream of random bits, and the places where a function changes its formula.

/// Marsaglia's xorshift.
pub struct Bits(u64);

impl Bits {
    pub fn new(seed: u64) -> Bits {
        Bits(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn sign(&mut self) -> f64 {
        if self.next() & 1 == 0 { 1.0 } else { -1.0 }
    }
}

/// Arguments of either sign at which some function of either type changes its formula, saturates or overflows.
const THRESHOLDS: &[f64] = &[
    0.0,
    1e-290,
    1e-9,
    1e-4,
    0.17157,
    0.208,
    0.2554,
    0.2929,
    0.294,
    0.3466,
    0.41,
    0.4142135623730951,
    0.4852,
    0.5,
    0.5625,
    std::f64::consts::LN_2,
    std::f64::consts::FRAC_1_SQRT_2,
    0.9163,
    1.0,
    1.0397,
    1.2,
    std::f64::consts::SQRT_2,
    2.0794,
    4.0,
    6.0,
    9.1,
    16.0,
    18.0,
    19.1,
    38.0,
    87.3365,
    88.0,
    88.3763,
    88.7228,
    89.0,
    89.4159,
    91.0,
    103.2789,
    103.9721,
    104.0,
    131072.0,
    708.3964,
    709.4361,
    709.7827,
    710.0,
    710.4758,
    712.0,
    744.4401,
    745.1332,
    746.0,
    268435456.0,
    1073741824.0,
    7.205759403792794e16,
];

/// The thresholds, powers of two and multiples of π/2, of both signs.
pub fn thresholds() -> impl Iterator<Item = f64> {
    let powers = (-1074..1024).step_by(41).map(|e| 2f64.powi(e));
    let near = (-30..32).map(|e| 2f64.powi(e));
    let epsilons = [f32::EPSILON, f32::MIN_POSITIVE, f32::MAX].map(f64::from);
    let extremes = [f64::EPSILON, f64::MIN_POSITIVE, f64::MAX];
    let angles =
        (1..40).chain((1..12).map(|k| 7 << (2 * k))).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2);
    THRESHOLDS
        .iter()
        .copied()
        .chain(powers)
        .chain(near)
        .chain(epsilons)
        .chain(extremes)
        .chain(angles)
        .flat_map(|x| [x, -x])
}
