//! Values that LLVM is not to look into: what it searches for takes long, and is not there.
//!
//! Shuffles of shuffles, as transposes are.
//! LLVM tries to make one shuffle of several, over all ways through eight levels of them: for the 64 shuffles of a square of 16 × 16
//! elements that takes two thirds of the compilation, and it finds nothing, since Loop IR has the shuffles that are instructions.
//! So what two levels made is hidden from the next by an `arithmetic.fence`, which is no instruction.
//!
//! Greatest and least integers, as in sorts and in maxima of floats. LLVM asks which bits of them are known, over all ways through six
//! levels of operands: a fourth to a third of the compilation of sorts and of maxima down columns.
//!
//! One, where it is added or subtracted. LLVM would subtract or add minus one, and make it where it is used by an instruction that
//! needs no memory but waits, in vectors of 64 bytes, for what its register held before (`vpternlog`): that is often the end of a chain
//! of the iteration before, so that iterations followed each other instead of overlapping.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMBitCast;
use lawson_kernel::loop_ir::{Bin, Elem, Type};

/// The least vector of a register, in bits, and the widest.
const LEAST: u32 = 128;
const WIDEST: u32 = 512;

impl Emitter<'_> {
    /// The result of a shuffle, of this type; hidden if one of its operands is a shuffle too.
    pub(super) fn fenced(&self, value: Value, ty: Type) -> Value {
        let of_shuffle = |v: Value| self.ir.shuffle_operands(v).is_some();
        let of_shuffles =
            self.ir.shuffle_operands(value).is_some_and(|of| of.map(of_shuffle).contains(&true));
        if of_shuffles { self.hidden(value, ty) } else { value }
    }

    /// An operation and its second operand, of this type: where a vector of 64 bytes gets 1 or -1 added or subtracted, with a 1 that
    /// LLVM does not see.
    pub(super) fn without_all_ones(&self, op: Bin, value: Value, ty: Type) -> (Bin, Value) {
        let is_widest = ty.elem.bits() * ty.lanes == WIDEST && !ty.elem.is_float() && ty.elem != Elem::I1;
        if !self.spec.is_x86() || !is_widest || !matches!(op, Bin::Add | Bin::Sub) {
            return (op, value);
        }
        let op = match (self.ir.as_const_lanes(value, ty.lanes), op) {
            (Some(1), op) => op,
            (Some(-1), Bin::Add) => Bin::Sub,
            (Some(-1), _) => Bin::Add,
            _ => return (op, value),
        };
        let one = self.ir.const_int(self.ir.elem(ty.elem), 1);
        (op, self.hidden(self.ir.splat(one, ty.lanes), ty))
    }

    /// The same value, where it is a vector of a register: LLVM does not see what made it.
    pub(super) fn hidden(&self, value: Value, ty: Type) -> Value {
        let (ir, bits) = (self.ir, ty.elem.bits() * ty.lanes);
        let is_register =
            ty.elem != Elem::I1 && (LEAST..=self.vector_bits).contains(&bits) && bits.is_power_of_two();
        if !self.spec.is_x86() || !is_register {
            return value;
        }
        // Fences are for floats.
        if ty.elem.is_float() {
            return ir.intrinsic("llvm.arithmetic.fence", &[ir.ty(ty)], &[value]);
        }
        let floats = ir.lanes(ir.float(), bits / 32);
        let fenced = ir.intrinsic("llvm.arithmetic.fence", &[floats], &[ir.cast(LLVMBitCast, value, floats)]);
        ir.cast(LLVMBitCast, fenced, ir.ty(ty))
    }
}
