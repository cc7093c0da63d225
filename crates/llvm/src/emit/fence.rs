//! Values that LLVM is not to look into: what it searches for takes long, and is not there.
//!
//! Shuffles of shuffles, as transposes are.
//! LLVM tries to make one shuffle of several, over all ways through eight levels of them: for the 64 shuffles of a square of 16 × 16
//! elements that takes two thirds of the compilation, and it finds nothing, since Loop IR has the shuffles that are instructions.
//! So what two levels made is hidden from the next by an `arithmetic.fence`, which is no instruction.
//!
//! Greatest and least integers, as in sorts and in maxima of floats. LLVM asks which bits of them are known, over all ways through six
//! levels of operands: a fourth to a third of the compilation of sorts and of maxima down columns.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMBitCast;
use lawson_kernel::loop_ir::{Elem, Type};

/// The least vector of a register, in bits.
const LEAST: u32 = 128;

impl Emitter<'_> {
    /// The result of a shuffle, of this type; hidden if one of its operands is a shuffle too.
    pub(super) fn fenced(&self, value: Value, ty: Type) -> Value {
        let of_shuffle = |v: Value| self.ir.shuffle_operands(v).is_some();
        let of_shuffles =
            self.ir.shuffle_operands(value).is_some_and(|of| of.map(of_shuffle).contains(&true));
        if of_shuffles { self.hidden(value, ty) } else { value }
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
