//! Numbers of four words, which are an LLVM array of four words or vectors of words, and products of 52 bits.
//!
//! In memory the words of a number lie side by side. Vectors are loaded as they lie and turned in registers, in two steps
//! of shuffles of two vectors each.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Elem, Half, Type, V};

/// Words of a number.
const WORDS: u32 = 4;

impl Emitter<'_> {
    /// The words of a value of I256.
    pub(super) fn words(&self, number: Value) -> [Value; 4] {
        std::array::from_fn(|n| self.ir.member(number, n as u32))
    }

    /// The value of I256 of four words.
    pub(super) fn joined(&self, words: [Value; 4]) -> Value {
        let ir = self.ir;
        let none = ir.poison(ir.array(ir.type_of(words[0]), WORDS));
        words.iter().enumerate().fold(none, |number, (n, &word)| ir.with_member(number, n as u32, word))
    }

    /// What `f` makes of each word of these numbers.
    pub(super) fn each_word<const N: usize>(
        &self,
        numbers: [Value; N],
        f: impl Fn([Value; N]) -> Value,
    ) -> Value {
        let words = numbers.map(|number| self.words(number));
        self.joined(std::array::from_fn(|n| f(words.map(|w| w[n]))))
    }

    /// The vectors that numbers are in memory.
    pub(super) fn rows(&self, number: Value, lanes: u32) -> [Value; 4] {
        let words = self.words(number);
        if lanes == 1 {
            return words;
        }
        // Both halves of the lanes of two words each; then the words of each number side by side.
        let half = lanes / 2;
        let halves = |first: usize, from: u32| {
            let lanes: Vec<u32> = (from..from + half).chain(lanes + from..lanes + from + half).collect();
            self.ir.shuffle(words[first], words[first + 1], &lanes)
        };
        std::array::from_fn(|row| {
            let from = if row < 2 { 0 } else { half };
            let (low, high) = (halves(0, from), halves(2, from));
            let lane = |place: u32| {
                let (number, word) = (place / WORDS, place % WORDS);
                if word < 2 { word * half + number } else { lanes + (word - 2) * half + number }
            };
            let first = (row as u32 % 2) * lanes;
            let lanes: Vec<u32> = (first..first + lanes).map(lane).collect();
            self.ir.shuffle(low, high, &lanes)
        })
    }

    /// The numbers that lie in memory as these vectors: the inverse of [`Emitter::rows`].
    pub(super) fn of_rows(&self, rows: [Value; 4], lanes: u32) -> Value {
        if lanes == 1 {
            return self.joined(rows);
        }
        let half = lanes / 2;
        // Two words of the numbers in two vectors; then one word of all.
        let pairs = |first: usize, word: u32| {
            let lanes: Vec<u32> =
                (word..word + 2).flat_map(|w| (0..half).map(move |e| WORDS * e + w)).collect();
            self.ir.shuffle(rows[first], rows[first + 1], &lanes)
        };
        self.joined(std::array::from_fn(|word| {
            let pair = word as u32 / 2 * 2;
            let (low, high) = (pairs(0, pair), pairs(2, pair));
            let from = word as u32 % 2 * half;
            let lanes: Vec<u32> = (from..from + half).chain(lanes + from..lanes + from + half).collect();
            self.ir.shuffle(low, high, &lanes)
        }))
    }

    /// The mask of the words in row `row`, of one of numbers.
    pub(super) fn mask_of_row(&self, mask: Value, row: u32, lanes: u32) -> Value {
        let of: Vec<u32> = (row * lanes..(row + 1) * lanes).map(|place| place / WORDS).collect();
        self.ir.shuffle(mask, mask, &of)
    }

    /// `Madd52`.
    pub(super) fn madd52(&self, half: Half, [a, b, c]: [V; 3]) -> Value {
        self.madd52_lanes(half, self.ty(a), [a, b, c].map(|v| self.get(v)))
    }

    fn madd52_lanes(&self, half: Half, ty: Type, operands: [Value; 3]) -> Value {
        let ir = self.ir;
        if !self.spec.has_ifma() || ty.lanes == 1 {
            return self.madd52_by_words(half, ty, operands);
        }
        if ty.lanes * 64 > self.vector_bits {
            return self.in_parts(ty, operands, |e, ty, part| e.madd52_lanes(half, ty, part));
        }
        let which = match half {
            Half::Low => 'l',
            Half::High => 'h',
        };
        let name = format!("llvm.x86.avx512.vpmadd52{which}.uq.{}", ty.lanes * 64);
        let [a, b, c] = operands;
        ir.intrinsic(&name, &[], &[c, a, b])
    }

    /// `DotBytes`.
    pub(super) fn dot_bytes(&self, [a, b, c]: [V; 3]) -> Value {
        self.dot_bytes_lanes(self.ty(a), [a, b, c].map(|v| self.get(v)))
    }

    fn dot_bytes_lanes(&self, ty: Type, operands: [Value; 3]) -> Value {
        let ir = self.ir;
        if !self.spec.has_byte_dots() || ty.lanes < 4 {
            return self.dot_bytes_by_words(ty, operands);
        }
        if ty.lanes * 32 > self.vector_bits {
            return self.in_parts(ty, operands, |e, ty, part| e.dot_bytes_lanes(ty, part));
        }
        let name = format!("llvm.x86.avx512.vpdpbusd.{}", ty.lanes * 32);
        let [a, b, c] = operands;
        ir.intrinsic(&name, &[], &[c, a, b])
    }

    /// `DotBf16`.
    pub(super) fn dot_bf16(&self, [a, b, c]: [V; 3]) -> Value {
        self.dot_bf16_lanes(self.ty(a), [a, b, c].map(|v| self.get(v)))
    }

    fn dot_bf16_lanes(&self, ty: Type, operands: [Value; 3]) -> Value {
        let ir = self.ir;
        if !self.spec.has_bf16_dots() || ty.lanes < 4 {
            return self.dot_bf16_by_words(ty, operands);
        }
        if ty.lanes * 32 > self.vector_bits {
            return self.in_parts(ty, operands, |e, ty, part| e.dot_bf16_lanes(ty, part));
        }
        let name = format!("llvm.x86.avx512bf16.dpbf16ps.{}", ty.lanes * 32);
        let pairs = ir.lanes(ir.bfloat(), 2 * ty.lanes);
        let [a, b, c] = operands;
        ir.intrinsic(&name, &[], &[c, ir.cast(LLVMBitCast, a, pairs), ir.cast(LLVMBitCast, b, pairs)])
    }

    fn dot_bf16_by_words(&self, ty: Type, [a, b, c]: [Value; 3]) -> Value {
        let ir = self.ir;
        let floats = ir.ty(ty.with_elem(Elem::F32));
        let (upper, by) = (self.constant(ty, 0xffff_0000), self.constant(ty, 16));
        let above = |word| ir.cast(LLVMBitCast, ir.bin(LLVMAnd, word, upper), floats);
        let below = |word| ir.cast(LLVMBitCast, ir.bin(LLVMShl, word, by), floats);
        let sum = ir.intrinsic("llvm.fma", &[floats], &[above(a), above(b), c]);
        ir.intrinsic("llvm.fma", &[floats], &[below(a), below(b), sum])
    }

    /// An operation on vectors wider than the machine's, by halves.
    pub(super) fn in_parts<const N: usize>(
        &self,
        ty: Type,
        operands: [Value; N],
        of: impl Fn(&Self, Type, [Value; N]) -> Value,
    ) -> Value {
        let ir = self.ir;
        let part = |first: u32| {
            let lanes: Vec<u32> = (first..first + ty.lanes / 2).collect();
            let operands = operands.map(|x| ir.shuffle(x, x, &lanes));
            of(self, Type { lanes: ty.lanes / 2, ..ty }, operands)
        };
        let all: Vec<u32> = (0..ty.lanes).collect();
        ir.shuffle(part(0), part(ty.lanes / 2), &all)
    }

    fn dot_bytes_by_words(&self, ty: Type, [a, b, c]: [Value; 3]) -> Value {
        let ir = self.ir;
        let constant = |n: u64| self.constant(ty, n);
        (0..4).fold(c, |sum, n| {
            let a = ir.bin(LLVMAnd, ir.bin(LLVMLShr, a, constant(8 * n)), constant(0xff));
            let b = ir.bin(LLVMAShr, ir.bin(LLVMShl, b, constant(24 - 8 * n)), constant(24));
            ir.bin(LLVMAdd, sum, ir.bin(LLVMMul, a, b))
        })
    }

    fn madd52_by_words(&self, half: Half, ty: Type, [a, b, c]: [Value; 3]) -> Value {
        let ir = self.ir;
        let mask = self.constant(ty, (1 << 52) - 1);
        let (a, b) = (ir.bin(LLVMAnd, a, mask), ir.bin(LLVMAnd, b, mask));
        let product = match half {
            Half::Low => ir.bin(LLVMAnd, ir.bin(LLVMMul, a, b), mask),
            Half::High => {
                let double = ir.lanes(ir.int(128), ty.lanes);
                let product = ir.bin(LLVMMul, ir.cast(LLVMZExt, a, double), ir.cast(LLVMZExt, b, double));
                let by = ir.const_lanes(&vec![ir.const_int(ir.int(128), 52); ty.lanes as usize]);
                ir.cast(LLVMTrunc, ir.bin(LLVMLShr, product, by), ir.ty(ty))
            }
        };
        ir.bin(LLVMAdd, c, product)
    }
}
