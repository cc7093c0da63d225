//! Integers of four words, and arithmetic modulo one of them: what fields of more than 64 bits are made of.

use std::cmp::Ordering;
use std::fmt;

/// An integer below 2^256: its words, the least significant first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct U256(pub [u64; 4]);

impl U256 {
    pub const ZERO: U256 = U256::small(0);
    pub const ONE: U256 = U256::small(1);

    pub const fn small(n: u64) -> U256 {
        U256([n, 0, 0, 0])
    }

    /// The sum modulo 2^256, and whether it wrapped.
    pub const fn plus(self, other: U256) -> (U256, bool) {
        let (mut sum, mut carry, mut i) = ([0; 4], 0, 0);
        while i < 4 {
            let wide = self.0[i] as u128 + other.0[i] as u128 + carry;
            (sum[i], carry) = (wide as u64, wide >> 64);
            i += 1;
        }
        (U256(sum), carry != 0)
    }

    /// The difference modulo 2^256, and whether it wrapped.
    pub const fn minus(self, other: U256) -> (U256, bool) {
        let (mut difference, mut borrow, mut i) = ([0; 4], false, 0);
        while i < 4 {
            let (word, first) = self.0[i].overflowing_sub(other.0[i]);
            let (word, second) = word.overflowing_sub(borrow as u64);
            (difference[i], borrow) = (word, first | second);
            i += 1;
        }
        (U256(difference), borrow)
    }

    pub const fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    pub const fn is_below(self, other: U256) -> bool {
        self.minus(other).1
    }

    /// Binary digit `n`.
    pub const fn digit(self, n: u32) -> bool {
        self.0[n as usize / 64] >> (n % 64) & 1 == 1
    }

    /// x·2^−n, rounded down, for n below 64.
    pub const fn shifted_down(self, n: u32) -> U256 {
        let (mut words, mut i) = (self.0, 0);
        while i < 4 && n > 0 {
            words[i] = self.0[i] >> n | if i < 3 { self.0[i + 1] << (64 - n) } else { 0 };
            i += 1;
        }
        U256(words)
    }

    /// x + y modulo a modulus below 2^255, both below it.
    pub const fn plus_modulo(self, other: U256, modulus: U256) -> U256 {
        let sum = self.plus(other).0;
        if sum.is_below(modulus) { sum } else { sum.minus(modulus).0 }
    }

    /// x·y·2^−256 modulo an odd modulus p below 2^255, whose −p⁻¹ modulo 2^64 is given (Montgomery 1985). One of the factors
    /// may be any integer, the other one is below p.
    pub const fn montgomery_product(self, other: U256, modulus: U256, negated_inverse: u64) -> U256 {
        let (mut t, mut i) = ([0u64; 5], 0);
        while i < 4 {
            // A word of one factor times the other, then as many times p as makes the lowest word zero.
            let top = add_multiple(&mut t, self.0[i], other);
            let q = t[0].wrapping_mul(negated_inverse);
            let more = add_multiple(&mut t, q, modulus);
            t = [t[1], t[2], t[3], t[4], top as u64 + more as u64];
            i += 1;
        }
        let (reduced, borrow) = U256([t[0], t[1], t[2], t[3]]).minus(modulus);
        if t[4] == 0 && borrow { U256([t[0], t[1], t[2], t[3]]) } else { reduced }
    }

    /// The number that these decimal digits say; `None` for none, other characters, and 2^256 and more.
    pub fn from_decimal(digits: &str) -> Option<U256> {
        let mut words = [0u64; 4];
        for digit in digits.bytes() {
            let mut carry = u128::from(digit.checked_sub(b'0').filter(|d| *d < 10)?);
            for word in &mut words {
                let wide = u128::from(*word) * 10 + carry;
                (*word, carry) = (wide as u64, wide >> 64);
            }
            if carry != 0 {
                return None;
            }
        }
        (!digits.is_empty()).then_some(U256(words))
    }

    /// The number of these bytes, the least significant first.
    pub fn from_bytes(bytes: [u8; 32]) -> U256 {
        let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j]));
        U256(std::array::from_fn(word))
    }

    pub fn to_bytes(self) -> [u8; 32] {
        std::array::from_fn(|i| self.0[i / 8].to_le_bytes()[i % 8])
    }

    /// The number where it is below 2^127.
    pub fn as_i128(self) -> Option<i128> {
        let low = u128::from(self.0[0]) | u128::from(self.0[1]) << 64;
        if self.0[2] | self.0[3] == 0 { i128::try_from(low).ok() } else { None }
    }

    /// The nearest float, but for roundings of its words.
    pub fn as_f64(self) -> f64 {
        self.0.iter().rev().fold(0.0, |high, &word| high * 2f64.powi(64) + word as f64)
    }
}

/// Adds a·x to a number of five words; whether that wraps.
const fn add_multiple(t: &mut [u64; 5], a: u64, x: U256) -> bool {
    let (mut carry, mut i) = (0, 0);
    while i < 4 {
        let wide = a as u128 * x.0[i] as u128 + t[i] as u128 + carry;
        (t[i], carry) = (wide as u64, wide >> 64);
        i += 1;
    }
    let (word, wrapped) = t[4].overflowing_add(carry as u64);
    t[4] = word;
    wrapped
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &U256) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for U256 {
    fn cmp(&self, other: &U256) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

/// Decimal digits.
impl fmt::Display for U256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PIECE: u64 = 10u64.pow(19);
        let (mut rest, mut pieces) = (self.0, Vec::new());
        while rest != [0; 4] {
            let mut remainder = 0u128;
            for word in rest.iter_mut().rev() {
                let wide = remainder << 64 | u128::from(*word);
                (*word, remainder) = ((wide / u128::from(PIECE)) as u64, wide % u128::from(PIECE));
            }
            pieces.push(remainder as u64);
        }
        write!(f, "{}", pieces.pop().unwrap_or(0))?;
        pieces.iter().rev().try_for_each(|piece| write!(f, "{piece:019}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_round_trip() {
        for text in [
            "0",
            "1",
            "9999999999999999999",
            "10000000000000000000",
            "18446744073709551616",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        ] {
            assert_eq!(U256::from_decimal(text).expect(text).to_string(), text);
        }
        let beyond = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        for text in ["", "-1", "1x", beyond] {
            assert_eq!(U256::from_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn words_carry_and_borrow() {
        let (ones, zero) = (U256([u64::MAX; 4]), U256::ZERO);
        assert_eq!(ones.plus(U256::ONE), (zero, true));
        assert_eq!(zero.minus(U256::ONE), (ones, true));
        assert_eq!(ones.plus(ones), (U256([u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX]), true));
        assert!(U256([9, 9, 9, 0]) < U256([0, 0, 0, 1]) && U256([0, 0, 0, 1]) < ones.shifted_down(63));
        assert_eq!(U256([0, 3, 0, 8]).shifted_down(1), U256([1 << 63, 1, 0, 4]));
        assert_eq!(U256::from_bytes(ones.to_bytes()), ones);
    }
}
