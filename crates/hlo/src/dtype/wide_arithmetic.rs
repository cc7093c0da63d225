//! Arithmetic in a prime field of more than 64 bits, on storage words: what literals, numbers and the interpreter compute with.

use super::{Storage, U256, WideField, WidePrime};

/// The operations of a field. Operands are storage words below the modulus, and so are results.
#[derive(Clone, Copy, Debug)]
pub struct WideArithmetic {
    field: WideField,
    modulus: U256,
}

impl WideArithmetic {
    pub const fn new(field: WideField) -> WideArithmetic {
        WideArithmetic { field, modulus: field.prime.modulus() }
    }

    pub fn prime(self) -> WidePrime {
        self.field.prime
    }

    pub fn one(self) -> U256 {
        self.field.stored(U256::ONE)
    }

    pub fn add(self, x: U256, y: U256) -> U256 {
        x.plus_modulo(y, self.modulus)
    }

    pub fn subtract(self, x: U256, y: U256) -> U256 {
        let (difference, borrow) = x.minus(y);
        if borrow { difference.plus(self.modulus).0 } else { difference }
    }

    pub fn negate(self, x: U256) -> U256 {
        self.subtract(U256::ZERO, x)
    }

    pub fn multiply(self, x: U256, y: U256) -> U256 {
        // The value of a product of storages has one R too many in Montgomery form.
        match self.field.storage {
            Storage::Plain => self.field.prime.multiply(x, y),
            Storage::Montgomery => self.field.prime.montgomery_product(x, y),
        }
    }

    /// The power 0 is one, of 0 too.
    pub fn power(self, x: U256, exponent: U256) -> U256 {
        (0..256).rev().fold(self.one(), |power, n| {
            let square = self.multiply(power, power);
            if exponent.digit(n) { self.multiply(square, x) } else { square }
        })
    }

    /// The multiplicative inverse; that of 0 is 0.
    pub fn inverse(self, x: U256) -> U256 {
        self.power(x, self.modulus.minus(U256::small(2)).0)
    }

    /// x·y⁻¹; 0 where y is 0.
    pub fn divide(self, x: U256, y: U256) -> U256 {
        self.multiply(x, self.inverse(y))
    }

    pub fn value(self, storage: U256) -> U256 {
        self.field.value(storage)
    }

    /// The storage words of an integer, modulo p.
    pub fn stored(self, number: U256) -> U256 {
        self.field.stored(number)
    }

    /// The storage words of a signed integer, modulo p.
    pub fn stored_signed(self, number: i64) -> U256 {
        let magnitude = self.stored(U256::small(number.unsigned_abs()));
        if number < 0 { self.negate(magnitude) } else { magnitude }
    }

    /// Any words as storage words, modulo p.
    pub fn reduced(self, words: U256) -> U256 {
        WideField::plain(self.field.prime).stored(words)
    }
}
