//! Arithmetic in a prime field, on storage words: the meaning that generated code is compared with.

use crate::dtype::field::{self, Field, Prime};

/// The operations of a field. Operands are storage words below the modulus, and so are results.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    field: Field,
    modulus: u64,
    /// R⁻¹ modulo p for Montgomery storage, else 1.
    scale: u64,
}

impl Arithmetic {
    pub fn new(field: Field) -> Arithmetic {
        Arithmetic { field, modulus: field.prime.modulus(), scale: field.value(1) }
    }

    pub fn prime(self) -> Prime {
        self.field.prime
    }

    pub fn zero(self) -> u64 {
        0
    }

    pub fn one(self) -> u64 {
        self.field.stored(1)
    }

    pub fn add(self, x: u64, y: u64) -> u64 {
        ((x as u128 + y as u128) % self.modulus as u128) as u64
    }

    pub fn subtract(self, x: u64, y: u64) -> u64 {
        self.add(x, self.negate(y))
    }

    pub fn negate(self, x: u64) -> u64 {
        if x == 0 { 0 } else { self.modulus - x }
    }

    pub fn multiply(self, x: u64, y: u64) -> u64 {
        self.product(self.product(x, y), self.scale)
    }

    fn product(self, x: u64, y: u64) -> u64 {
        field::multiply(self.field.prime, x, y)
    }

    /// x·y + z.
    pub fn multiply_add(self, x: u64, y: u64, z: u64) -> u64 {
        self.add(self.multiply(x, y), z)
    }

    /// The power 0 is one, of 0 too.
    pub fn power(self, x: u64, exponent: u64) -> u64 {
        self.stored(field::power(self.field.prime, self.value(x), exponent))
    }

    /// The multiplicative inverse; that of 0 is 0.
    pub fn inverse(self, x: u64) -> u64 {
        self.power(x, self.modulus - 2)
    }

    /// x·y⁻¹; 0 where y is 0.
    pub fn divide(self, x: u64, y: u64) -> u64 {
        self.multiply(x, self.inverse(y))
    }

    /// The value of a storage word.
    pub fn value(self, storage: u64) -> u64 {
        self.product(storage, self.scale)
    }

    /// The storage word of an integer, modulo p.
    pub fn stored(self, value: u64) -> u64 {
        self.field.stored(value % self.modulus)
    }

    /// The storage word of a signed integer, modulo p.
    pub fn stored_signed(self, value: i64) -> u64 {
        let magnitude = self.stored(value.unsigned_abs());
        if value < 0 { self.negate(magnitude) } else { magnitude }
    }

    /// Any word as a storage word: what `bitcast-convert` and constants of a frontend bring may be p or more.
    pub fn reduced(self, word: u64) -> u64 {
        word % self.modulus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn both_storages_compute_the_same_values() {
        for &prime in Prime::ALL {
            let (plain, mont) =
                (Arithmetic::new(Field::plain(prime)), Arithmetic::new(Field::montgomery(prime)));
            let p = prime.modulus();
            let edges = [0, 1, 2, 3, p / 2, p / 2 + 1, p - 2, p - 1, 0x1234_5678 % p];
            for x in edges {
                let on_one = |f: fn(Arithmetic, u64) -> u64| {
                    assert_eq!(mont.value(f(mont, mont.stored(x))), f(plain, x), "{prime:?} {x}");
                };
                on_one(Arithmetic::negate);
                on_one(Arithmetic::inverse);
                on_one(|a, x| a.power(x, 5));
                for y in edges {
                    let on_two = |f: fn(Arithmetic, u64, u64) -> u64| {
                        let found = mont.value(f(mont, mont.stored(x), mont.stored(y)));
                        assert_eq!(found, f(plain, x, y), "{prime:?} {x} {y}");
                    };
                    on_two(Arithmetic::add);
                    on_two(Arithmetic::subtract);
                    on_two(Arithmetic::multiply);
                    on_two(Arithmetic::divide);
                }
            }
        }
    }

    #[test]
    fn inverses_are_inverses_and_that_of_zero_is_zero() {
        for &prime in Prime::ALL {
            let a = Arithmetic::new(Field::montgomery(prime));
            for x in [1, 2, 77, prime.modulus() - 1].map(|v| a.stored(v)) {
                assert_eq!(a.multiply(x, a.inverse(x)), a.one());
            }
            assert_eq!(a.inverse(a.zero()), a.zero());
            assert_eq!(a.power(a.zero(), 0), a.one());
            assert_eq!(a.stored_signed(-1), a.negate(a.one()));
        }
    }
}
