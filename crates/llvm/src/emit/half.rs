//! Arithmetic of f16 by half-precision instructions, where the processor has them (AVX512-FP16).
//!
//! Loop IR computes in f32 and rounds each result: `float_to_half(fadd(half_to_float a, half_to_float b))`. For a sum, a difference,
//! a product, a quotient and a square root the two roundings give what one would, since f32 has more than twice the digits of f16
//! and two (S. A. Figueroa, "When is double rounding innocuous?", 1995); so one instruction has the same bits, except in a NaN.

use super::Emitter;
use crate::ir::Value;
use half::f16;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Bin, Cast, Cmp, Elem, Op, Un, V};
use rustc_hash::FxHashMap;

/// Values of f32 of a kernel, in terms of f16.
#[derive(Default)]
pub(super) struct Halves {
    used: bool,
    /// Those that f16 represents.
    exact: FxHashMap<V, Value>,
    /// Those that one operation made of such.
    results: FxHashMap<V, Arithmetic>,
}

#[derive(Clone, Copy)]
enum Arithmetic {
    Binary(Bin, V, V),
    Sqrt(V),
}

impl Halves {
    /// `used`: the phase rounds to f16, and the processor has the instructions.
    pub(super) fn new(used: bool) -> Halves {
        Halves { used, ..Halves::default() }
    }
}

impl Emitter<'_> {
    /// Keeps what `v`, which `op` has defined, is in terms of f16.
    pub(super) fn keep_half(&mut self, v: V, op: &Op) {
        if !self.halves.used || self.kernel.ty(v).elem != Elem::F32 {
            return;
        }
        if let Some(half) = self.exact_half(v, op) {
            self.halves.exact.insert(v, half);
        }
        let exact = |v: &V| self.halves.exact.contains_key(v);
        let made = match op {
            Op::Bin(op @ (Bin::FAdd | Bin::FSub | Bin::FMul | Bin::FDiv), a, b) if exact(a) && exact(b) => {
                Arithmetic::Binary(*op, *a, *b)
            }
            Op::Un(Un::Sqrt, a) if exact(a) => Arithmetic::Sqrt(*a),
            _ => return,
        };
        self.halves.results.insert(v, made);
    }

    /// `v` in f16, where that represents it whatever it is.
    fn exact_half(&self, v: V, op: &Op) -> Option<Value> {
        let (ir, ty) = (self.ir, self.ty(v));
        let exact = |v: &V| self.halves.exact.get(v).copied();
        Some(match op {
            Op::Cast { op: Cast::HalfToFloat, value, .. } => {
                ir.cast(LLVMBitCast, self.get(*value), ir.lanes(ir.half(), ty.lanes))
            }
            Op::Const { bits, .. } => {
                let number = f32::from_bits(*bits as u32);
                let half = f16::from_f32(number);
                if half.to_f32() != number {
                    return None;
                }
                let bits = ir.const_int(ir.int(16), half.to_bits().into());
                ir.const_lanes(&vec![ir.const_bits(bits, ir.half()); ty.lanes as usize])
            }
            Op::Splat { scalar, .. } => ir.splat(exact(scalar)?, ty.lanes),
            Op::Un(op @ (Un::FNeg | Un::FAbs), a) => self.un(*op, exact(a)?),
            Op::Select(mask, a, b) => ir.select(self.get(*mask), exact(a)?, exact(b)?),
            _ => return None,
        })
    }

    /// `v` rounded to f16, where no conversion is needed.
    pub(super) fn rounded_half(&self, v: V) -> Option<Value> {
        if let Some(&half) = self.halves.exact.get(&v) {
            return Some(half);
        }
        let half = |v: V| self.halves.exact[&v];
        Some(match *self.halves.results.get(&v)? {
            Arithmetic::Binary(op, a, b) => {
                let opcode = match op {
                    Bin::FAdd => LLVMFAdd,
                    Bin::FSub => LLVMFSub,
                    Bin::FMul => LLVMFMul,
                    _ => LLVMFDiv,
                };
                self.ir.bin(opcode, half(a), half(b))
            }
            Arithmetic::Sqrt(a) => self.un(Un::Sqrt, half(a)),
        })
    }

    /// The comparison of two numbers that f16 represents.
    pub(super) fn compared_halves(&self, op: Cmp, a: V, b: V) -> Option<Value> {
        let half = |v: &V| self.halves.exact.get(v).copied();
        Some(self.cmp(op, half(&a)?, half(&b)?))
    }
}
