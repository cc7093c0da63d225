//! Arithmetic modulo p and in extensions, as it is on paper; numbers that look random.

use lawson_frontend::DType;

pub struct Random(pub u64);

impl Random {
    /// SplitMix64.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }
}

/// The integers modulo p.
#[derive(Clone, Copy)]
pub struct Modulo(pub u64);

impl Modulo {
    pub fn add(self, x: u64, y: u64) -> u64 {
        ((u128::from(x) + u128::from(y)) % u128::from(self.0)) as u64
    }

    pub fn negate(self, x: u64) -> u64 {
        (self.0 - x) % self.0
    }

    pub fn multiply(self, x: u64, y: u64) -> u64 {
        (u128::from(x) * u128::from(y) % u128::from(self.0)) as u64
    }

    pub fn power(self, x: u64, n: u64) -> u64 {
        match n {
            0 => 1,
            _ => {
                let half = self.power(x, n / 2);
                let square = self.multiply(half, half);
                if n % 2 == 1 { self.multiply(square, x) } else { square }
            }
        }
    }

    /// By Fermat; of 0 it is 0.
    pub fn inverse(self, x: u64) -> u64 {
        self.power(x, self.0 - 2)
    }

    /// The sum of products.
    pub fn dot(self, x: impl IntoIterator<Item = u64>, y: impl IntoIterator<Item = u64>) -> u64 {
        x.into_iter().zip(y).fold(0, |sum, (x, y)| self.add(sum, self.multiply(x, y)))
    }
}

/// The product of two elements of an extension, by their coefficients.
pub fn product(dtype: DType, x: &[u64], y: &[u64]) -> Vec<u64> {
    let (extension, m) = (dtype.extension().expect("an extension"), Modulo(super::modulus(dtype)));
    let n = extension.degree as usize;
    let mut all = vec![0; 2 * n - 1];
    for (i, &x) in x.iter().enumerate() {
        for (j, &y) in y.iter().enumerate() {
            all[i + j] = m.add(all[i + j], m.multiply(x, y));
        }
    }
    // The highest power goes first: u^n is w, or u + w.
    for i in (n..all.len()).rev() {
        let c = all[i];
        all[i - n] = m.add(all[i - n], m.multiply(c, extension.w));
        if extension.trinomial {
            all[i - n + 1] = m.add(all[i - n + 1], c);
        }
    }
    all.truncate(n);
    all
}
