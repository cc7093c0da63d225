//! Integer operations whose HLO meaning is wider than the machine's: division by zero, shifts beyond the width,
//! powers, high halves of products.

use super::*;
use crate::loop_ir::{Type, Un};

/// Quotient or remainder: x / 0 has all bits set, x rem 0 is x, the least value divided by −1 wraps.
pub fn divide(b: &mut CodeBuilder, dtype: DType, x: V, y: V, remainder: bool) -> V {
    let zero = int_like(b, y, 0);
    let by_zero = b.cmp(Cmp::Eq, y, zero);
    let one = int_like(b, y, 1);
    let safe = b.select(by_zero, one, y);
    if dtype.is_unsigned() {
        let op = if remainder { Bin::URem } else { Bin::UDiv };
        let q = b.bin(op, x, safe);
        let all = int_like(b, x, -1);
        let special = if remainder { x } else { all };
        let q = b.select(by_zero, special, q);
        return rounded(b, q, dtype);
    }
    // Division by −1 is negation; it wraps where division would trap.
    let minus = int_like(b, y, -1);
    let by_minus = b.cmp(Cmp::Eq, safe, minus);
    let safe = b.select(by_minus, one, safe);
    let op = if remainder { Bin::SRem } else { Bin::SDiv };
    let q = b.bin(op, x, safe);
    let negated = b.bin(Bin::Sub, zero, x);
    let negated = rounded(b, negated, dtype);
    let (minus_case, zero_case) = if remainder { (zero, x) } else { (negated, minus) };
    let q = b.select(by_minus, minus_case, q);
    b.select(by_zero, zero_case, q)
}

/// A shift; an amount outside the width gives 0, or the sign.
pub fn shift(b: &mut CodeBuilder, dtype: DType, op: Bin, x: V, amount: V) -> V {
    let width = int_like(b, amount, dtype.bits() as i64);
    // A negative amount of a narrow type is extended: its unsigned value is large too.
    let inside = b.cmp(Cmp::Ult, amount, width);
    let zero = int_like(b, x, 0);
    match op {
        Bin::AShr => {
            // The top bit of the type is the sign, of unsigned ones too.
            let x = if dtype.is_unsigned() { extended(b, dtype, x) } else { x };
            let top = int_like(b, amount, dtype.bits() as i64 - 1);
            let amount = b.select(inside, amount, top);
            let shifted = b.bin(Bin::AShr, x, amount);
            rounded(b, shifted, dtype)
        }
        op => {
            let safe = b.select(inside, amount, zero);
            // A logical shift sees the bits of the type, not of the extension.
            let x = match op {
                Bin::LShr if dtype.bits() < 8 => {
                    let mask = int_like(b, x, (1 << dtype.bits()) - 1);
                    b.bin(Bin::And, x, mask)
                }
                _ => x,
            };
            let shifted = b.bin(op, x, safe);
            let shifted = rounded(b, shifted, dtype);
            b.select(inside, shifted, zero)
        }
    }
}

/// The bits of the type extended by the highest of them.
fn extended(b: &mut CodeBuilder, dtype: DType, x: V) -> V {
    let unused = b.ty_of(x).elem.bits() - dtype.bits();
    if unused == 0 {
        return x;
    }
    let by = int_like(b, x, unused as i64);
    let up = b.bin(Bin::Shl, x, by);
    b.bin(Bin::AShr, up, by)
}

/// x to the power y by squaring; a negative exponent gives 0, but for bases 1 and −1.
pub fn power(b: &mut CodeBuilder, dtype: DType, x: V, y: V) -> V {
    let ty = b.ty_of(x);
    let (zero, one) = (int_like(b, x, 0), int_like(b, x, 1));
    let result = super::power::power(b, one, x, y, |b, x, y| b.bin(Bin::Mul, x, y));
    let result = rounded(b, result, dtype);
    if !dtype.is_signed() {
        return result;
    }
    let minus = b.constant(ty, u64::MAX);
    let negative = b.cmp(Cmp::Slt, y, zero);
    let is_one = b.cmp(Cmp::Eq, x, one);
    let is_minus = b.cmp(Cmp::Eq, x, minus);
    let low = b.bin(Bin::And, y, one);
    let odd = b.cmp(Cmp::Ne, low, zero);
    let sign = b.select(odd, minus, one);
    let special = b.select(is_minus, sign, zero);
    let special = b.select(is_one, one, special);
    b.select(negative, special, result)
}

/// The upper half of the product.
pub fn mulhi(b: &mut CodeBuilder, dtype: DType, x: V, y: V) -> V {
    let signed = dtype.is_signed();
    if dtype.bits() >= 8 {
        return b.bin(if signed { Bin::SMulHi } else { Bin::UMulHi }, x, y);
    }
    // The whole product of two narrower values fits I8.
    let product = b.bin(Bin::Mul, x, y);
    let by = int_like(b, product, dtype.bits() as i64);
    b.bin(if signed { Bin::AShr } else { Bin::LShr }, product, by)
}

/// Bits set, and leading zeros, within the width of the type.
pub fn count(b: &mut CodeBuilder, dtype: DType, op: Un, x: V) -> V {
    let bits = dtype.bits();
    if bits >= 8 {
        return b.un(op, x);
    }
    let ty = b.ty_of(x);
    let mask = b.constant(Type { ..ty }, (1 << bits) - 1);
    let x = b.bin(Bin::And, x, mask);
    let n = b.un(op, x);
    let n = match op {
        Un::Clz => {
            let unused = int_like(b, x, 8 - bits as i64);
            b.bin(Bin::Sub, n, unused)
        }
        _ => n,
    };
    rounded(b, n, dtype)
}
