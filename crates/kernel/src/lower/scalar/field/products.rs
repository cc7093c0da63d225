//! Products of words of 32 bits, twice as wide: of the even and of the odd lanes of a vector, each in I64 lanes.

use super::words::word_like;
use crate::loop_ir::{Bin, Cast, CodeBuilder, Elem, Op, Type, V};

/// A wide number for each lane of an I32 value.
#[derive(Clone, Copy)]
pub struct Wide {
    even: V,
    /// `None` for a scalar, and where each lane is a thread, which has its wide number whole: then `even` has all lanes.
    odd: Option<V>,
}

impl Wide {
    /// The words of 32 bits, each as the low half of a wide number; high halves may hold anything.
    pub fn of(b: &mut CodeBuilder, x: V) -> Wide {
        if b.ty_of(x).lanes == 1 || b.lanes_are_threads {
            return Wide { even: b.cast(Cast::Zext, x, Elem::I64), odd: None };
        }
        if let Some(bits) = b.const_bits(x) {
            let ty = b.ty_of(x).regrouped(Elem::I64);
            let all = b.constant(ty, bits);
            return Wide { even: all, odd: Some(all) };
        }
        let (even, odd) = match b.high_halves(x) {
            Some(halves) => {
                let [even, odd] = halves.map(|half| high_half(b, half));
                (even, odd)
            }
            None => {
                let even = b.op(Op::Regroup { value: x, to: Elem::I64 });
                (even, high_half(b, even))
            }
        };
        Wide { even, odd: Some(odd) }
    }

    /// The products of the low halves.
    pub fn times(self, b: &mut CodeBuilder, other: Wide) -> Wide {
        self.with(b, other, Bin::UMulWide)
    }

    /// The products of the low halves, which are signed.
    pub fn times_signed(self, b: &mut CodeBuilder, other: Wide) -> Wide {
        self.with(b, other, Bin::SMulWide)
    }

    /// The products of the low halves and a constant below 2^32.
    pub fn times_constant(self, b: &mut CodeBuilder, constant: u64) -> Wide {
        let constant = self.constant(b, constant);
        self.times(b, constant)
    }

    /// A constant below 2^32 beside this.
    pub fn constant(self, b: &mut CodeBuilder, constant: u64) -> Wide {
        let constant = word_like(b, self.even, constant);
        Wide { even: constant, odd: self.odd.map(|_| constant) }
    }

    pub fn plus(self, b: &mut CodeBuilder, other: Wide) -> Wide {
        self.with(b, other, Bin::Add)
    }

    pub fn minus(self, b: &mut CodeBuilder, other: Wide) -> Wide {
        self.with(b, other, Bin::Sub)
    }

    /// Numbers below 2^33·p, less 2^32·p where they are not below that: the high halves modulo p.
    pub fn wrapped_once(self, b: &mut CodeBuilder, p: u64) -> Wide {
        let bound = word_like(b, self.even, p << 32);
        let narrow = self.odd.is_some();
        let mut of = |wide: V| {
            if !narrow {
                let less = b.bin(Bin::Sub, wide, bound);
                return b.bin(Bin::UMin, wide, less);
            }
            // Vectors compare words of 32 bits, of which the low ones stay: few processors compare longer ones.
            let [wide, bound] = [wide, bound].map(|v| b.op(Op::Regroup { value: v, to: Elem::I32 }));
            let less = b.bin(Bin::Sub, wide, bound);
            let least = b.bin(Bin::UMin, wide, less);
            b.op(Op::Regroup { value: least, to: Elem::I64 })
        };
        Wide { even: of(self.even), odd: self.odd.map(of) }
    }

    pub fn zero(b: &mut CodeBuilder, lanes: u32) -> Wide {
        let by_halves = lanes > 1 && !b.lanes_are_threads;
        let ty = Type::vector(Elem::I64, if by_halves { lanes / 2 } else { lanes });
        let even = b.constant(ty, 0);
        Wide { even, odd: by_halves.then_some(even) }
    }

    /// The values it is made of.
    pub fn parts(self) -> Vec<V> {
        [self.even].into_iter().chain(self.odd).collect()
    }

    pub fn of_parts(parts: &[V]) -> Option<Wide> {
        Some(Wide { even: *parts.first()?, odd: parts.get(1).copied() })
    }

    fn with(self, b: &mut CodeBuilder, other: Wide, op: Bin) -> Wide {
        let even = b.bin(op, self.even, other.even);
        let odd = self.odd.zip(other.odd).map(|(x, y)| b.bin(op, x, y));
        Wide { even, odd }
    }

    /// The high halves, in the lanes they come from.
    pub fn high(self, b: &mut CodeBuilder) -> V {
        let Some(odd) = self.odd else {
            let high = high_half(b, self.even);
            return b.cast(Cast::Trunc, high, Elem::I32);
        };
        let high = halves(b, self.even, odd, 1);
        b.set_high_halves(high, [self.even, odd]);
        high
    }

    /// The low halves.
    pub fn low(self, b: &mut CodeBuilder) -> V {
        let Some(odd) = self.odd else { return b.cast(Cast::Trunc, self.even, Elem::I32) };
        halves(b, self.even, odd, 0)
    }
}

/// The high halves as the low ones.
fn high_half(b: &mut CodeBuilder, wide: V) -> V {
    let by = word_like(b, wide, 32);
    b.bin(Bin::LShr, wide, by)
}

/// The low (0) or high (1) halves of two vectors, in turns.
fn halves(b: &mut CodeBuilder, even: V, odd: V, half: u32) -> V {
    let (even, odd) =
        (b.op(Op::Regroup { value: even, to: Elem::I32 }), b.op(Op::Regroup { value: odd, to: Elem::I32 }));
    let n = b.ty_of(even).lanes;
    let lanes = (0..n).map(|i| i / 2 * 2 + half + i % 2 * n).collect();
    b.op(Op::Shuffle { a: even, b: odd, lanes })
}
