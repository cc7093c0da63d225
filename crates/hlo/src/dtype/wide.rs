//! Prime fields of more than 64 bits: an element is four words of one number, the least significant first.
//!
//! As those of at most 64 bits they have plain elements and elements in Montgomery form, with R = 2^256 ([`super::field`]).

use super::{Storage, U256};

/// A field with the form in which its elements are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WideField {
    pub prime: WidePrime,
    pub storage: Storage,
}

/// A prime of more than 64 bits and below 2^255.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WidePrime {
    /// The order of the group of the curve BN254, which provers compute in: the scalar field of that curve.
    Bn254Scalar,
}

/// What is known of a prime p.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WideParameters {
    pub modulus: U256,
    /// A generator of the multiplicative group, the least one.
    pub generator: u64,
    /// The greatest k such that 2^k divides p − 1.
    pub two_adicity: u32,
    /// An element of order 2^k: the generator to the power (p − 1)/2^k. The root that arkworks uses.
    pub two_adic_root: U256,
}

impl WidePrime {
    /// The square of a prime is below two to this power.
    const RECIPROCAL_BITS: u32 = 508;
    /// What a quotient by [`WidePrime::reciprocal`] leaves out below: so many digits of a product.
    pub const QUOTIENT_FROM: u32 = WidePrime::RECIPROCAL_BITS - 256;

    /// Every prime.
    pub const ALL: &[WidePrime] = &[WidePrime::Bn254Scalar];

    /// The table of parameters.
    pub const fn parameters(self) -> WideParameters {
        match self {
            WidePrime::Bn254Scalar => WideParameters {
                modulus: U256([
                    0x43e1f593f0000001,
                    0x2833e84879b97091,
                    0xb85045b68181585d,
                    0x30644e72e131a029,
                ]),
                generator: 5,
                two_adicity: 28,
                two_adic_root: U256([
                    0x9bd61b6e725b19f0,
                    0x402d111e41112ed4,
                    0x00e0a7eb8ef62abc,
                    0x2a3c09f0a58a7e85,
                ]),
            },
        }
    }

    pub const fn modulus(self) -> U256 {
        self.parameters().modulus
    }

    /// −p⁻¹ modulo 2^64, by Newton's iteration, which doubles the number of right bits.
    pub const fn negated_inverse(self) -> u64 {
        let p = self.modulus().0[0];
        let (mut inverse, mut bits) = (p, 3);
        while bits < 64 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
            bits *= 2;
        }
        inverse.wrapping_neg()
    }

    /// m = ⌊2^508/p⌋, for quotients by p without a division (Barrett 1986). Of T = x·y, for x and y below p,
    /// q = ⌊⌊T/2^252⌋·m/2^256⌋ is at most T/p, and less by at most
    ///
    /// - 2^252/p, since T loses less than 2^252,
    /// - T/2^508, at most p²/2^508, since m loses less than one,
    /// - 2^-28, if no more than that of ⌊T/2^252⌋·m/2^256 is left out,
    /// - what the last rounding takes, less than 1.
    ///
    /// For every prime here that is less than 2 in all (`is_near`), so T − q·p is below 2·p.
    pub const fn reciprocal(self) -> U256 {
        let (mut rest, mut quotient, mut i) = (U256::ONE, U256::ZERO, 0);
        while i < WidePrime::RECIPROCAL_BITS {
            quotient = quotient.plus(quotient).0;
            (rest, _) = rest.plus(rest);
            if !rest.is_below(self.modulus()) {
                (rest, quotient) = (rest.minus(self.modulus()).0, quotient.plus(U256::ONE).0);
            }
            i += 1;
        }
        quotient
    }

    /// 2^n modulo p.
    pub const fn power_of_two(self, n: u32) -> U256 {
        let (mut power, mut i) = (U256::ONE, 0);
        while i < n {
            power = power.plus_modulo(power, self.modulus());
            i += 1;
        }
        power
    }

    /// R mod p: one, as Montgomery storage.
    pub const fn r(self) -> U256 {
        const OF_BN254: U256 = WidePrime::Bn254Scalar.power_of_two(256);
        match self {
            WidePrime::Bn254Scalar => OF_BN254,
        }
    }

    /// R² mod p: a Montgomery product with it turns a value into its storage.
    pub const fn r_squared(self) -> U256 {
        const OF_BN254: U256 = WidePrime::Bn254Scalar.power_of_two(512);
        match self {
            WidePrime::Bn254Scalar => OF_BN254,
        }
    }

    /// x·y/R modulo p, of numbers one of which is below p.
    pub const fn montgomery_product(self, x: U256, y: U256) -> U256 {
        x.montgomery_product(y, self.modulus(), self.negated_inverse())
    }

    /// The root of unity of an order that is a power of two, at most that of the table's root: a power of that one.
    pub fn root_of_unity(self, order: u64) -> U256 {
        let p = self.parameters();
        let squarings = p.two_adicity - order.trailing_zeros();
        (0..squarings).fold(p.two_adic_root, |x, _| self.multiply(x, x))
    }

    /// x·y modulo p.
    pub const fn multiply(self, x: U256, y: U256) -> U256 {
        self.montgomery_product(self.montgomery_product(x, y), self.r_squared())
    }

    /// base^exponent modulo p; the power 0 is 1, of 0 too.
    pub fn power(self, base: U256, exponent: U256) -> U256 {
        (0..256).rev().fold(U256::ONE, |power, n| {
            let square = self.multiply(power, power);
            if exponent.digit(n) { self.multiply(square, base) } else { square }
        })
    }
}

/// Whether quotients by the reciprocal of a prime lose less than one before the last rounding, in parts of 2^-62.
const fn is_near(prime: WidePrime) -> bool {
    let upper = prime.modulus().0[3] as u128;
    // 2^252/p, of the upper word of p; then p²/2^508, of the upper word plus one.
    let lost =
        (1u128 << (60 + 62)) / upper + (((upper + 1) * (upper + 1)) >> (124 - 62)) + (1 << (62 - 28)) + 2;
    lost < 1 << 62
}

const _: () = {
    let mut n = 0;
    while n < WidePrime::ALL.len() {
        assert!(is_near(WidePrime::ALL[n]));
        n += 1;
    }
};

impl WideField {
    pub const fn plain(prime: WidePrime) -> WideField {
        WideField { prime, storage: Storage::Plain }
    }

    pub const fn montgomery(prime: WidePrime) -> WideField {
        WideField { prime, storage: Storage::Montgomery }
    }

    /// The value of an element by its storage.
    pub const fn value(self, storage: U256) -> U256 {
        match self.storage {
            Storage::Plain => storage,
            Storage::Montgomery => self.prime.montgomery_product(storage, U256::ONE),
        }
    }

    /// The storage of an element by a number, modulo p.
    pub const fn stored(self, number: U256) -> U256 {
        let stored = self.prime.montgomery_product(number, self.prime.r_squared());
        match self.storage {
            Storage::Plain => self.prime.montgomery_product(stored, U256::ONE),
            Storage::Montgomery => stored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2^508 = m·p + r for an r below p.
    #[test]
    fn reciprocals_are_the_greatest_that_are_not_too_large() {
        for &prime in WidePrime::ALL {
            let (p, m) = (prime.modulus(), prime.reciprocal());
            let mut words = [0u64; 8];
            for (i, &a) in m.0.iter().enumerate() {
                let mut carry = 0u128;
                for (j, &b) in p.0.iter().enumerate() {
                    let wide = u128::from(a) * u128::from(b) + u128::from(words[i + j]) + carry;
                    (words[i + j], carry) = (wide as u64, wide >> 64);
                }
                words[i + 4] = carry as u64;
            }
            let [low, high] = [0, 4].map(|n| U256(std::array::from_fn(|k| words[n + k])));
            let power = U256([0, 0, 0, 1 << (WidePrime::RECIPROCAL_BITS - 448)]);
            let (rest, borrow) = U256::ZERO.minus(low);
            let (upper, _) = power.minus(high);
            assert_eq!(upper, U256::small(u64::from(borrow)), "{prime:?}");
            assert!(rest.is_below(p), "{prime:?}");
        }
    }

    /// x modulo p, digit by digit: no Montgomery product.
    fn modulo(words: &[u64], p: U256) -> U256 {
        words.iter().rev().flat_map(|w| (0..64).rev().map(move |n| w >> n & 1)).fold(
            U256::ZERO,
            |x, digit| {
                let twice = x.plus_modulo(x, p);
                if digit == 1 { twice.plus_modulo(U256::ONE, p) } else { twice }
            },
        )
    }

    /// The 512 bits of a product.
    fn product(x: U256, y: U256) -> Vec<u64> {
        let mut out = vec![0u64; 8];
        for i in 0..4 {
            let mut carry = 0u128;
            for j in 0..4 {
                let wide = u128::from(x.0[i]) * u128::from(y.0[j]) + u128::from(out[i + j]) + carry;
                (out[i + j], carry) = (wide as u64, wide >> 64);
            }
            out[i + 4] = carry as u64;
        }
        out
    }

    fn samples(p: U256) -> Vec<U256> {
        let last = p.minus(U256::ONE).0;
        let mut all =
            vec![U256::ZERO, U256::ONE, U256::small(2), last, last.minus(U256::ONE).0, p.shifted_down(1)];
        all.extend([
            U256::small(u64::MAX),
            U256([0, 1, 0, 0]),
            U256([0, 0, 0, 1]),
            U256([u64::MAX, u64::MAX, 0, 1 << 60]),
        ]);
        all.push(modulo(
            &[0x0123456789abcdef, 0xfedcba9876543210, 0xdeadbeefcafebabe, 0x0f1e2d3c4b5a6978],
            p,
        ));
        all
    }

    #[test]
    fn the_modulus_of_bn254_is_the_published_one() {
        let p = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
        assert_eq!(WidePrime::Bn254Scalar.modulus().to_string(), p);
    }

    #[test]
    fn products_are_those_of_integers_modulo_p() {
        for &prime in WidePrime::ALL {
            let p = prime.modulus();
            for x in samples(p) {
                for y in samples(p) {
                    let exact = modulo(&product(x, y), p);
                    assert_eq!(prime.multiply(x, y), exact, "{x} · {y}");
                    let scaled = prime.montgomery_product(x, y);
                    assert_eq!(modulo(&product(scaled, prime.r()), p), exact, "{x} · {y} / R");
                }
                // A number of p or more is a factor, too.
                let all = U256([u64::MAX; 4]);
                assert_eq!(prime.multiply(all, x), modulo(&product(all, x), p));
            }
        }
    }

    #[test]
    fn constants_are_what_they_say() {
        for &prime in WidePrime::ALL {
            let p = prime.modulus();
            assert!(!p.digit(255), "products have room for a carry");
            assert_eq!(p.0[0].wrapping_mul(prime.negated_inverse()), u64::MAX);
            let mut r = vec![0; 5];
            r[4] = 1;
            assert_eq!(prime.r(), modulo(&r, p));
            assert_eq!(prime.r_squared(), modulo(&product(prime.r(), prime.r()), p));
        }
    }

    #[test]
    fn the_modulus_is_prime_and_the_generator_is_the_least() {
        // The great prime factors of p − 1; an element of order p − 1 makes p prime (Lucas).
        let factors = |prime: WidePrime| match prime {
            WidePrime::Bn254Scalar => {
                let great =
                    ["11003", "237073", "405928799", "1670836401704629", "13818364434197438864469338081"];
                great.map(|f| U256::from_decimal(f).expect(f)).to_vec()
            }
        };
        for &prime in WidePrime::ALL {
            let (p, order) = (prime.parameters(), prime.modulus().minus(U256::ONE).0);
            let small =
                (2..2000u64).filter(|&d| is_multiple(order, U256::small(d)) && (2..d).all(|e| d % e != 0));
            let mut all: Vec<U256> = small.map(U256::small).collect();
            all.extend(factors(prime));
            let mut rest = order;
            for &f in &all {
                let below = f.minus(U256::ONE).0;
                let bases = (2..8).map(U256::small).filter(|&base| base < f);
                for base in bases {
                    assert_eq!(power_modulo(base, below, f), U256::ONE, "{f} is no prime (Fermat)");
                }
                while is_multiple(rest, f) {
                    rest = quotient(rest, f);
                }
            }
            assert_eq!(rest, U256::ONE, "{prime:?}: the factors of p − 1");
            let generates = |g: u64| {
                prime.power(U256::small(g), order) == U256::ONE
                    && all.iter().all(|&f| prime.power(U256::small(g), quotient(order, f)) != U256::ONE)
            };
            assert!(generates(p.generator), "{prime:?}");
            assert!((2..p.generator).all(|g| !generates(g)), "{prime:?}");
        }
    }

    fn power_modulo(base: U256, exponent: U256, modulus: U256) -> U256 {
        (0..256).rev().fold(U256::ONE, |power, n| {
            let square = modulo(&product(power, power), modulus);
            if exponent.digit(n) { modulo(&product(square, base), modulus) } else { square }
        })
    }

    fn quotient(x: U256, by: U256) -> U256 {
        let (mut quotient, mut rest) = (U256::ZERO, U256::ZERO);
        for n in (0..256).rev() {
            rest = rest.plus(rest).0.plus(U256::small(x.digit(n) as u64)).0;
            quotient = quotient.plus(quotient).0;
            if !rest.is_below(by) {
                rest = rest.minus(by).0;
                quotient = quotient.plus(U256::ONE).0;
            }
        }
        quotient
    }

    fn is_multiple(x: U256, of: U256) -> bool {
        modulo(&x.0, of).is_zero()
    }

    #[test]
    fn roots_have_the_greatest_order_that_is_a_power_of_two() {
        for &prime in WidePrime::ALL {
            let (p, order) = (prime.parameters(), prime.modulus().minus(U256::ONE).0);
            assert_eq!(order.0[0].trailing_zeros(), p.two_adicity);
            let odd = order.shifted_down(p.two_adicity);
            assert_eq!(prime.power(U256::small(p.generator), odd), p.two_adic_root, "{prime:?}");
            let half = prime.root_of_unity(2);
            assert_eq!(half, order, "−1 has order 2");
            assert_eq!(prime.root_of_unity(1), U256::ONE);
        }
    }

    #[test]
    fn values_are_kept_in_both_storages() {
        for &prime in WidePrime::ALL {
            for field in [WideField::plain(prime), WideField::montgomery(prime)] {
                for x in samples(prime.modulus()) {
                    assert_eq!(field.value(field.stored(x)), x);
                }
                assert_eq!(field.value(field.stored(prime.modulus())), U256::ZERO);
            }
        }
    }
}
