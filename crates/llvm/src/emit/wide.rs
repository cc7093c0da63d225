//! Arithmetic on more than a word: high halves of products, and chains of additions with carry.
//!
//! The two results of one step are two operations in Loop IR, and are emitted apart here: in one basic block
//! instruction selection finds what they share, and makes one `mul` or `adc` of both where the target has it
//! (`tests/codegen.rs` counts them).

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntULT;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Bin, Elem, Type, V, WithCarry};

impl Emitter<'_> {
    /// `SMulHi` or `UMulHi`.
    pub(super) fn high_word(&self, op: Bin, a: V, b: V) -> Value {
        let ty = self.ty(a);
        let (a, b) = (self.get(a), self.get(b));
        // A vector of I128 is taken apart lane by lane. Products of 32-bit halves are instructions on x86; elsewhere
        // the lanes apart are shorter.
        if ty.elem != Elem::I64 || ty.lanes == 1 || !self.spec.is_x86() {
            return self.high_of_double_width(op, ty, a, b);
        }
        let high = self.high_by_halves(ty, a, b);
        if op == Bin::SMulHi { self.signed_from_unsigned(ty, high, a, b) } else { high }
    }

    /// `SMulWide` or `UMulWide`.
    pub(super) fn wide_product(&self, op: Bin, a: V, b: V) -> Value {
        let (ir, ty) = (self.ir, self.ty(a));
        let widen = if op == Bin::SMulWide { LLVMSExt } else { LLVMZExt };
        let hidden = ty.lanes > 1 && self.spec.is_x86();
        let low = |v: V| {
            let word = self.get(v);
            // LLVM would make a shift and a subtraction of a product by 2^n − 1; vectors have no better unit for shifts
            // than for products.
            let less_one = |factor: i64| factor > 1 && (factor + 1).count_ones() == 1;
            let decomposed = hidden && ir.as_const_lanes(word, ty.lanes).is_some_and(less_one);
            self.low_half(widen, ty, if decomposed { self.opaque_lanes(word, ty.lanes) } else { word })
        };
        let product = ir.bin(LLVMMul, low(a), low(b));
        // Where only the low half of the product is used, LLVM would leave out the masks, and then needs a product of
        // whole words, which is three instructions. Hidden from it, this one stays `pmuludq` or `pmuldq`.
        if hidden { self.opaque_lanes(product, ty.lanes) } else { product }
    }

    /// The low half of an I64, widened to all of it.
    ///
    /// Not by a mask or by shifts: those LLVM moves towards each product first, at the price of a walk over the whole block
    /// for each, which was two thirds of the time of code generation.
    fn low_half(&self, widen: LLVMOpcode, ty: Type, x: Value) -> Value {
        let narrow = self.ir.ty(ty.with_elem(Elem::I32));
        self.ir.cast(widen, self.ir.cast(LLVMTrunc, x, narrow), self.ir.ty(ty))
    }

    /// The same I64 vector, in registers that optimisations do not look into.
    fn opaque_lanes(&self, value: Value, lanes: u32) -> Value {
        let ir = self.ir;
        if lanes * 64 <= self.vector_bits {
            return ir.opaque(value, "=v,0");
        }
        let half = lanes / 2;
        let part = |first: u32| -> Value {
            let lanes: Vec<u32> = (first..first + half).collect();
            self.opaque_lanes(ir.shuffle(value, value, &lanes), half)
        };
        let all: Vec<u32> = (0..lanes).collect();
        ir.shuffle(part(0), part(half), &all)
    }

    fn high_of_double_width(&self, op: Bin, ty: Type, a: Value, b: Value) -> Value {
        let (ir, bits) = (self.ir, ty.elem.bits());
        let double = ir.lanes(ir.int(2 * bits), ty.lanes);
        let extend = if op == Bin::SMulHi { LLVMSExt } else { LLVMZExt };
        let product = ir.bin(LLVMMul, ir.cast(extend, a, double), ir.cast(extend, b, double));
        let by = ir.const_lanes(&vec![ir.const_int(ir.int(2 * bits), bits as u64); ty.lanes as usize]);
        ir.cast(LLVMTrunc, ir.bin(LLVMLShr, product, by), ir.ty(ty))
    }

    /// Unsigned, of I64, from four products of halves (Warren, "Hacker's Delight", section 8-2).
    fn high_by_halves(&self, ty: Type, a: Value, b: Value) -> Value {
        let (ir, half) = (self.ir, self.constant(ty, 32));
        let low = |x: Value| ir.bin(LLVMAnd, x, self.constant(ty, 0xffff_ffff));
        let high = |x: Value| ir.bin(LLVMLShr, x, half);
        let product = |x: Value, y: Value| ir.bin(LLVMMul, x, y);
        let sum = |x: Value, y: Value| ir.bin(LLVMAdd, x, y);
        let (a0, a1, b0, b1) = (low(a), high(a), low(b), high(b));
        let middle = sum(product(a1, b0), high(product(a0, b0)));
        let other = sum(product(a0, b1), low(middle));
        sum(sum(product(a1, b1), high(middle)), high(other))
    }

    /// A negative factor, read as unsigned, is 2^64 too large, and the high word too large by the other factor.
    fn signed_from_unsigned(&self, ty: Type, high: Value, a: Value, b: Value) -> Value {
        let ir = self.ir;
        let where_negative =
            |x: Value, y: Value| ir.bin(LLVMAnd, ir.bin(LLVMAShr, x, self.constant(ty, 63)), y);
        let less = ir.bin(LLVMSub, high, where_negative(a, b));
        ir.bin(LLVMSub, less, where_negative(b, a))
    }

    pub(super) fn with_carry(&self, op: WithCarry, a: V, b: V, carry: V) -> Value {
        let (ir, ty) = (self.ir, self.ty(a));
        let carry = ir.cast(LLVMZExt, self.get(carry), ir.ty(ty));
        let step = match op {
            WithCarry::Add | WithCarry::CarryOut => Emitter::add_overflowing,
            WithCarry::Sub | WithCarry::BorrowOut => Emitter::sub_overflowing,
        };
        // Of the two steps at most one overflows.
        let (without, first) = step(self, ty, self.get(a), self.get(b));
        let (word, second) = step(self, ty, without, carry);
        match op {
            WithCarry::Add | WithCarry::Sub => word,
            WithCarry::CarryOut | WithCarry::BorrowOut => ir.bin(LLVMOr, first, second),
        }
    }

    /// The sum, and whether it wraps.
    fn add_overflowing(&self, ty: Type, a: Value, b: Value) -> (Value, Value) {
        let ir = self.ir;
        if ty.lanes == 1 {
            // The form of which selection makes an addition with carry.
            let both = ir.intrinsic("llvm.uadd.with.overflow", &[ir.ty(ty)], &[a, b]);
            return (ir.member(both, 0), ir.member(both, 1));
        }
        let sum = ir.bin(LLVMAdd, a, b);
        (sum, ir.icmp(LLVMIntULT, sum, a))
    }

    /// The difference, and whether it wraps.
    fn sub_overflowing(&self, ty: Type, a: Value, b: Value) -> (Value, Value) {
        let ir = self.ir;
        if ty.lanes == 1 {
            let both = ir.intrinsic("llvm.usub.with.overflow", &[ir.ty(ty)], &[a, b]);
            return (ir.member(both, 0), ir.member(both, 1));
        }
        (ir.bin(LLVMSub, a, b), ir.icmp(LLVMIntULT, a, b))
    }
}
