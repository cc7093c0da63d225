//! The greater or smaller of floats: of two, and of many by integer keys.

use super::small_float::{bf16_to_float, exact_bf16};
use super::*;
use crate::loop_ir::Un;
use lawson_hlo::Opcode;

/// The greater or smaller operand: NaN wins, and −0 is below +0.
pub(super) fn extreme(b: &mut CodeBuilder, x: V, y: V, greater: bool) -> V {
    let (x, y) = if b.const_bits(x).is_some() { (y, x) } else { (x, y) };
    if let Some(bits) = b.const_bits(y)
        && !is_nan(b.ty_of(y).elem, bits)
    {
        return bounded(b, (x, y), bits, greater);
    }
    let before = if greater { b.cmp(Cmp::FLt, y, x) } else { b.cmp(Cmp::FLt, x, y) };
    let v = b.select(before, x, y);
    let x_nan = b.cmp(Cmp::FNe, x, x);
    let v = b.select(x_nan, x, v);
    // Of equal operands, only zeros differ: greater keeps a sign both have, smaller one that either has.
    let equal = b.cmp(Cmp::FEq, x, y);
    let (xb, yb) = (to_bits(b, x), to_bits(b, y));
    let zeros = b.bin(if greater { Bin::And } else { Bin::Or }, xb, yb);
    let zeros = from_bits(b, zeros);
    b.select(equal, zeros, v)
}

/// The same by a number `y` with these bits: a comparison that a NaN fails leaves it. Of equal operands `x` is the result, which
/// processors have an instruction for, but where the other zero would win over `y`.
fn bounded(b: &mut CodeBuilder, (x, y): (V, V), bits: u64, greater: bool) -> V {
    let sign = 1u64 << (b.ty_of(y).elem.bits() - 1);
    let other_zero_wins = bits == if greater { 0 } else { sign };
    let (low, high) = if greater { (x, y) } else { (y, x) };
    let takes_y = b.cmp(if other_zero_wins { Cmp::FLe } else { Cmp::FLt }, low, high);
    b.select(takes_y, y, x)
}

fn is_nan(elem: Elem, bits: u64) -> bool {
    match elem {
        Elem::F32 => f32::from_bits(bits as u32).is_nan(),
        Elem::F64 => f64::from_bits(bits).is_nan(),
        // No other type is compared as floats are.
        _ => true,
    }
}

/// The greatest or least of many floats, by unsigned integers in their order, of which it is one instruction. NaNs of either
/// sign are at the end that wins, other than in the order of keys that sorts use ([`super::OrderKey`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extreme {
    greatest: bool,
    keys: Keys,
}

/// The floats whose bits keys have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keys {
    Bf16,
    F32,
    F64,
}

impl Extreme {
    /// Of an operation on elements of this type; `None` where its keys are no gain: not all processors compare vectors of 64-bit
    /// integers (`wide`).
    pub fn of(opcode: Opcode, dtype: DType, wide: bool) -> Option<Extreme> {
        let greatest = match opcode {
            Opcode::Maximum => true,
            Opcode::Minimum => false,
            _ => return None,
        };
        let keys = match dtype.kind() {
            TypeKind::Float(Float::Bf16) => Keys::Bf16,
            TypeKind::Float(Float::F16 | Float::F32) => Keys::F32,
            TypeKind::Float(Float::F64) if wide => Keys::F64,
            TypeKind::Float(Float::F64 | Float::Small(_))
            | TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Field(_)
            | TypeKind::Composite(_) => return None,
        };
        Some(Extreme { greatest, keys })
    }

    /// The element of a key.
    pub fn elem(self) -> Elem {
        match self.keys {
            Keys::Bf16 => Elem::I16,
            Keys::F32 => Elem::I32,
            Keys::F64 => Elem::I64,
        }
    }

    /// The key of an element in registers.
    pub fn key(self, b: &mut CodeBuilder, x: V) -> V {
        let bits = if self.keys == Keys::Bf16 { exact_bf16(b, x) } else { to_bits(b, x) };
        let sign = self.sign(b, bits);
        let top = int_like(b, bits, self.top());
        let flipped = b.bin(Bin::Or, sign, top);
        let ordered = b.bin(Bin::Xor, bits, flipped);
        let first = int_like(b, bits, self.first());
        b.bin(Bin::Sub, ordered, first)
    }

    /// The element with this key, in registers.
    pub fn element(self, b: &mut CodeBuilder, key: V) -> V {
        let first = int_like(b, key, self.first());
        let ordered = b.bin(Bin::Add, key, first);
        let sign = self.sign(b, ordered);
        let negative = b.un(Un::Not, sign);
        let top = int_like(b, key, self.top());
        let flipped = b.bin(Bin::Or, negative, top);
        let bits = b.bin(Bin::Xor, ordered, flipped);
        if self.keys == Keys::Bf16 { bf16_to_float(b, bits) } else { from_bits(b, bits) }
    }

    /// The key of the greatest or least of two.
    pub fn combine(self, b: &mut CodeBuilder, x: V, y: V) -> V {
        b.bin(if self.greatest { Bin::UMax } else { Bin::UMin }, x, y)
    }

    /// The key that every other one wins over, or equals: that of the infinity.
    pub fn identity(self, b: &mut CodeBuilder, lanes: u32) -> V {
        b.constant(Type::vector(self.elem(), lanes), if self.greatest { 0 } else { u64::MAX })
    }

    /// The highest bit in every bit.
    fn sign(self, b: &mut CodeBuilder, bits: V) -> V {
        let by = int_like(b, bits, self.elem().bits() as i64 - 1);
        b.bin(Bin::AShr, bits, by)
    }

    fn top(self) -> i64 {
        1i64 << (self.elem().bits() - 1)
    }

    /// The place of the infinity among all floats in order that comes first, where the greatest is looked for; last, where
    /// the least is.
    fn first(self) -> i64 {
        let infinity: i64 = match self.keys {
            Keys::Bf16 => 0x7f80,
            Keys::F32 => 0x7f80_0000,
            Keys::F64 => 0x7ff0 << 48,
        };
        let mantissa = self.top().wrapping_sub(1 + infinity);
        if self.greatest { mantissa } else { self.top().wrapping_add(infinity + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, Kernel};

    /// The greatest or least of two floats by keys, evaluated.
    fn by_keys(opcode: Opcode, dtype: DType, pair: [f32; 2]) -> f32 {
        let extreme = Extreme::of(opcode, dtype, true).expect("it has keys");
        let mut b = CodeBuilder::new("extreme");
        let wide = dtype == DType::F64;
        let elem = if wide { Elem::F64 } else { Elem::F32 };
        let from = b.buffer("x", elem, 2, Access::Read);
        let to = b.buffer("y", elem, 1, Access::Write);
        let task = b.open_phase(1);
        let [zero, one] = [0, 1].map(|n| b.i64(n));
        let mut key = extreme.identity(&mut b, 1);
        for at in [zero, one] {
            let x = b.load(from, at, 1, None);
            let next = extreme.key(&mut b, x);
            key = extreme.combine(&mut b, key, next);
        }
        let y = extreme.element(&mut b, key);
        b.store(to, zero, y, None);
        b.close_phase(task);
        let kernel: Kernel = b.finish();
        let bytes =
            |x: f32| if wide { f64::from(x).to_ne_bytes().to_vec() } else { x.to_ne_bytes().to_vec() };
        let mut buffers = vec![pair.into_iter().flat_map(bytes).collect(), vec![0; elem.bytes() as usize]];
        crate::loop_ir::eval::evaluate(&kernel, &mut buffers).expect("it runs");
        match buffers[1][..].try_into() {
            Ok(bytes) => f64::from_ne_bytes(bytes) as f32,
            Err(_) => f32::from_ne_bytes(buffers[1][..].try_into().expect("four bytes")),
        }
    }

    #[test]
    fn keys_order_as_floats_and_not_a_number_wins() {
        let values = [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.5,
            -0.0,
            0.0,
            f32::MIN_POSITIVE,
            1.0,
            f32::INFINITY,
            f32::NAN,
            -f32::NAN,
        ];
        for dtype in [DType::F32, DType::Bf16, DType::F16, DType::F64] {
            // The greatest finite f32 is none of bf16.
            let held =
                values.map(|x| if dtype.size() >= 4 { x } else { f32::from_bits(x.to_bits() >> 16 << 16) });
            for (n, &x) in held.iter().enumerate() {
                for (m, &y) in held.iter().enumerate() {
                    let (greatest, least) = (held[n.max(m)], held[n.min(m)]);
                    let (most, fewest) =
                        (by_keys(Opcode::Maximum, dtype, [x, y]), by_keys(Opcode::Minimum, dtype, [x, y]));
                    if greatest.is_nan() {
                        assert!(most.is_nan() && fewest.is_nan(), "{x} and {y}: {most}, {fewest}");
                    } else {
                        let bits = [most, fewest].map(f32::to_bits);
                        assert_eq!(bits, [greatest, least].map(f32::to_bits), "{x} and {y}");
                    }
                }
            }
        }
    }
}
