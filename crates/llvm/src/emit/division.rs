//! Divisions of vectors of integers, which no processor has an instruction for: LLVM would take the lanes apart. Here the
//! quotient comes from the floating-point unit, and a multiplication tells how far it is off.
//!
//! With `c` = (1 − 2^-50)/y in f64, the product of the f64 nearest to `x` and `c` is less than x/y, by less than a share of
//! 2^-49: four roundings of 2^-53 each, and what `c` is less. So its whole part is at most 1 too small where the
//! quotient is below 2^49; elsewhere what is left of `x` is divided once more.
//!
//! Integers of up to 32 bits are f64s, and the whole part of the quotient of two of those is that of the integers: a quotient
//! that is no integer is at least 1/y below the next one, and rounded by less. For divisors that are constants LLVM has
//! products of whole vectors.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntUGE;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Bin, Elem, Type, V};

/// The least divisor of 64 bits whose quotients are below 2^49.
const LEAST_LARGE: u64 = 1 << 15;
/// What is taken off a reciprocal, as a factor.
const LESS: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;

/// A division of vectors of one type; `known` is the absolute value of a divisor that is a constant.
#[derive(Clone, Copy)]
struct Division {
    ty: Type,
    x: Value,
    y: Value,
    known: Option<u64>,
    /// Whether the remainder is wanted instead of the quotient.
    remainder: bool,
}

impl Emitter<'_> {
    /// `SDiv`, `UDiv`, `SRem` or `URem` of vectors; `None` where LLVM's code is taken: for constants that it has shifts or
    /// products for, and for 64-bit integers where the processor does not convert them to f64 and back.
    pub(super) fn division(&self, op: Bin, left: V, right: V) -> Option<Value> {
        let ty = self.ty(left);
        if ty.lanes < 2 || !self.spec.is_x86() {
            return None;
        }
        let (x, y) = (self.get(left), self.get(right));
        let constant = self.ir.as_const_lanes(y, ty.lanes);
        let signed = matches!(op, Bin::SDiv | Bin::SRem);
        let known = constant.map(|y| if signed { y.unsigned_abs() } else { y as u64 });
        let division = Division { ty, x, y, known, remainder: matches!(op, Bin::SRem | Bin::URem) };
        match ty.elem {
            Elem::I8 | Elem::I16 | Elem::I32 if known.is_none() => Some(self.short(division, signed)),
            Elem::I64
                if self.spec.has_word_conversions()
                    && known.is_none_or(|y| y != 0 && !y.is_power_of_two()) =>
            {
                Some(if signed { self.signed(division) } else { self.unsigned(division) })
            }
            _ => None,
        }
    }

    /// Of integers of up to 32 bits.
    fn short(&self, Division { ty, x, y, remainder, .. }: Division, signed: bool) -> Value {
        let ir = self.ir;
        let [word, floats] = [Elem::I32, Elem::F64].map(|elem| ir.ty(ty.with_elem(elem)));
        let (extend, to_float, to_int) = match signed {
            true => (LLVMSExt, LLVMSIToFP, LLVMFPToSI),
            false => (LLVMZExt, LLVMUIToFP, LLVMFPToUI),
        };
        let narrow = ty.elem != Elem::I32;
        let [x, y] = [x, y].map(|v| if narrow { ir.cast(extend, v, word) } else { v });
        let [a, b] = [x, y].map(|v| ir.cast(to_float, v, floats));
        let quotient = ir.cast(to_int, ir.bin(LLVMFDiv, a, b), word);
        let result = match remainder {
            true => ir.bin(LLVMSub, x, ir.bin(LLVMMul, quotient, y)),
            false => quotient,
        };
        if narrow { ir.cast(LLVMTrunc, result, ir.ty(ty)) } else { result }
    }

    /// Of signed integers of 64 bits.
    fn signed(&self, division: Division) -> Value {
        let sign = |v: Value| self.ir.bin(LLVMAShr, v, self.constant(division.ty, 63));
        let (of_x, of_y) = (sign(division.x), sign(division.y));
        let (x, y) = (self.negated_where(of_x, division.x), self.negated_where(of_y, division.y));
        let result = self.unsigned(Division { x, y, ..division });
        let negative = if division.remainder { of_x } else { self.ir.bin(LLVMXor, of_x, of_y) };
        self.negated_where(negative, result)
    }

    /// The value where the mask is 0, its negation where all bits of the mask are set.
    fn negated_where(&self, mask: Value, value: Value) -> Value {
        self.ir.bin(LLVMSub, self.ir.bin(LLVMXor, value, mask), mask)
    }

    /// Of unsigned integers of 64 bits.
    fn unsigned(&self, Division { ty, x, y, known, remainder }: Division) -> Value {
        let (ir, floats) = (self.ir, ty.with_elem(Elem::F64));
        let float = |value: f64| self.constant(floats, value.to_bits());
        let scale = match known {
            Some(y) => float(LESS / y as f64),
            None => ir.bin(LLVMFDiv, float(LESS), ir.cast(LLVMUIToFP, y, ir.ty(floats))),
        };
        // A quotient that is not too large, and what is left.
        let step = |x: Value| {
            let product = ir.bin(LLVMFMul, ir.cast(LLVMUIToFP, x, ir.ty(floats)), scale);
            let quotient = ir.cast(LLVMFPToUI, product, ir.ty(ty));
            (quotient, ir.bin(LLVMSub, x, ir.bin(LLVMMul, quotient, y)))
        };
        let (mut quotient, mut left) = step(x);
        if known.is_none_or(|y| y < LEAST_LARGE) {
            let (more, rest) = step(left);
            (quotient, left) = (ir.bin(LLVMAdd, quotient, more), rest);
        }
        if remainder {
            // What is less than the divisor wraps to more.
            let less = ir.bin(LLVMSub, left, y);
            return ir.intrinsic("llvm.umin", &[ir.ty(ty)], &[left, less]);
        }
        let too_small = ir.icmp(LLVMIntUGE, left, y);
        let next = ir.bin(LLVMAdd, quotient, self.constant(ty, 1));
        ir.select(too_small, next, quotient)
    }
}
