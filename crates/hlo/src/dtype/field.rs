//! Prime fields of at most 64 bits: one table of their parameters, and what follows from a modulus.
//!
//! An element has a *value*, an integer below the modulus p, and a *storage*, the word it is kept as: the value itself
//! (plain), or value·R mod p (Montgomery), with R = 2^32 for words of 32 bits and 2^64 for words of 64. Text, `convert` and
//! order mean values; `bitcast-convert` and the memory of buffers hold storage.

use super::Width;

/// A field with the form in which its elements are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub prime: Prime,
    pub storage: Storage,
}

/// How an element is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// The value.
    Plain,
    /// The value times R, modulo p (Montgomery, "Modular multiplication without trial division", 1985).
    Montgomery,
}

/// A prime that fields are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prime {
    BabyBear,
    KoalaBear,
    Mersenne31,
    Goldilocks,
}

/// What is known of a prime p.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    pub modulus: u64,
    /// A generator of the multiplicative group, the least one.
    pub generator: u64,
    /// The greatest k such that 2^k divides p − 1: transforms have at most that many binary digits in their length.
    pub two_adicity: u32,
    /// An element of order 2^k: a generator to the power (p − 1)/2^k. The roots that Plonky3 and zk_dtypes use.
    pub two_adic_root: u64,
    /// The word that an element is stored in.
    pub word: Width,
}

impl Prime {
    /// Every prime.
    pub const ALL: &[Prime] = &[Prime::BabyBear, Prime::KoalaBear, Prime::Mersenne31, Prime::Goldilocks];

    /// The table of parameters.
    pub const fn parameters(self) -> Parameters {
        let (modulus, generator, two_adicity, two_adic_root, word) = match self {
            Prime::BabyBear => (15 * (1 << 27) + 1, 31, 27, 440564289, Width::W32),
            Prime::KoalaBear => (127 * (1 << 24) + 1, 3, 24, 1791270792, Width::W32),
            Prime::Mersenne31 => ((1 << 31) - 1, 7, 1, 2147483646, Width::W32),
            Prime::Goldilocks => (0xffff_ffff_0000_0001, 7, 32, 1753635133440165772, Width::W64),
        };
        Parameters { modulus, generator, two_adicity, two_adic_root, word }
    }

    pub const fn modulus(self) -> u64 {
        self.parameters().modulus
    }

    /// The root of unity of an order that is a power of two, at most that of the table's root: a power of that one.
    pub const fn root_of_unity(self, order: u64) -> u64 {
        let p = self.parameters();
        power(self, p.two_adic_root, 1 << (p.two_adicity - order.trailing_zeros()))
    }

    /// R mod p: one, as Montgomery storage.
    pub const fn r(self) -> u64 {
        ((1u128 << self.parameters().word.bits()) % self.modulus() as u128) as u64
    }

    /// R⁻¹ mod p = R^(p − 2) (Fermat): what a Montgomery storage is multiplied by to give the value.
    pub const fn r_inverse(self) -> u64 {
        const fn of(prime: Prime) -> u64 {
            power(prime, prime.r(), prime.modulus() - 2)
        }
        match self {
            Prime::BabyBear => const { of(Prime::BabyBear) },
            Prime::KoalaBear => const { of(Prime::KoalaBear) },
            Prime::Mersenne31 => const { of(Prime::Mersenne31) },
            Prime::Goldilocks => const { of(Prime::Goldilocks) },
        }
    }

    /// R² mod p: a Montgomery product with it turns a value into its storage.
    pub const fn r_squared(self) -> u64 {
        (self.r() as u128 * self.r() as u128 % self.modulus() as u128) as u64
    }

    /// p⁻¹ modulo R, by Newton's iteration, which doubles the number of right bits.
    pub const fn inverse_modulo_r(self) -> u64 {
        let p = self.modulus();
        let mut inverse = p;
        let mut bits = 3;
        while bits < 64 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
            bits *= 2;
        }
        inverse & self.parameters().word.greatest_unsigned()
    }
}

impl Field {
    pub const fn plain(prime: Prime) -> Field {
        Field { prime, storage: Storage::Plain }
    }

    pub const fn montgomery(prime: Prime) -> Field {
        Field { prime, storage: Storage::Montgomery }
    }

    /// The value of an element by its storage.
    pub const fn value(self, storage: u64) -> u64 {
        match self.storage {
            Storage::Plain => storage,
            Storage::Montgomery => multiply(self.prime, storage, self.prime.r_inverse()),
        }
    }

    /// The storage of an element by its value.
    pub const fn stored(self, value: u64) -> u64 {
        match self.storage {
            Storage::Plain => value,
            Storage::Montgomery => multiply(self.prime, value, self.prime.r()),
        }
    }
}

/// x·y modulo p.
pub const fn multiply(prime: Prime, x: u64, y: u64) -> u64 {
    (x as u128 * y as u128 % prime.modulus() as u128) as u64
}

/// base^exponent modulo p; the power 0 is 1, of 0 too.
pub const fn power(prime: Prime, mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(prime, result, base);
        }
        base = multiply(prime, base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The prime factors of a number, by trial division.
    fn factors(mut n: u64) -> Vec<u64> {
        let mut found = Vec::new();
        let mut d = 2;
        while d * d <= n {
            if n.is_multiple_of(d) {
                found.push(d);
                while n.is_multiple_of(d) {
                    n /= d;
                }
            }
            d += 1;
        }
        found.extend((n > 1).then_some(n));
        found
    }

    #[test]
    fn moduli_are_primes_and_generators_are_the_least() {
        for &prime in Prime::ALL {
            let p = prime.parameters();
            // A generator of order p − 1 exists only modulo a prime (Lucas).
            let factors = factors(p.modulus - 1);
            let generates = |g| {
                power(prime, g, p.modulus - 1) == 1
                    && factors.iter().all(|f| power(prime, g, (p.modulus - 1) / f) != 1)
            };
            assert!(generates(p.generator), "{prime:?}");
            assert!((2..p.generator).all(|g| !generates(g)), "{prime:?}");
        }
    }

    #[test]
    fn roots_have_the_greatest_order_that_is_a_power_of_two() {
        for &prime in Prime::ALL {
            let p = prime.parameters();
            assert_eq!((p.modulus - 1).trailing_zeros(), p.two_adicity, "{prime:?}");
            assert_eq!(power(prime, p.two_adic_root, 1 << (p.two_adicity - 1)), p.modulus - 1, "{prime:?}");
        }
    }

    #[test]
    fn montgomerys_constants_are_the_published_ones() {
        let of = |p: Prime| (p.r_squared(), p.inverse_modulo_r(), p.r());
        assert_eq!(of(Prime::BabyBear), (1172168163, 2281701377, 268435454));
        assert_eq!(of(Prime::KoalaBear), (402124772, 2164260865, 33554430));
        assert_eq!(of(Prime::Goldilocks), (18446744065119617025, 4294967297, 4294967295));
    }

    #[test]
    fn montgomerys_constants_are_what_they_say() {
        for &prime in Prime::ALL {
            let p = prime.modulus();
            assert_eq!(
                p.wrapping_mul(prime.inverse_modulo_r()) & prime.parameters().word.greatest_unsigned(),
                1
            );
            let field = Field::montgomery(prime);
            for value in [0, 1, 2, p / 2, p - 1] {
                assert_eq!(field.value(field.stored(value)), value);
            }
            assert_eq!(field.stored(1), prime.r());
            assert_eq!(multiply(prime, prime.r(), prime.r_inverse()), 1);
        }
    }
}
