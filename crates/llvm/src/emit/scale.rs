//! Products with powers of two: by the exponent where the processor has an instruction for it (`vscalef`).
//!
//! On Intel's processors an operation whose result is denormal, or zero because it is too small, goes through microcode and takes
//! 100 times as long. So results that are known to be small are made as integers, in units of the least denormal number:
//! scaled by that many more they are normal, and adding 2^(mantissa bits) rounds them to integers in the low bits.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Elem, Scale, Type};

/// Most operations of a phase that branch to what small results need. Without a branch, a softmax takes 5 % longer; with a branch for
/// each of 16, LLVM takes 8 ms longer.
pub(super) const MOST_BRANCHES: usize = 4;
/// Fewest bits of a vector that the instruction takes.
const LEAST_BITS: u32 = 128;
/// The rounding that the control word says, in the instruction's terms.
const CURRENT_ROUNDING: u64 = 4;

impl Emitter<'_> {
    /// `Scale`.
    pub(super) fn scale(&mut self, ty: Type, scale: &Scale) -> Value {
        let (ir, value) = (self.ir, self.get(scale.value));
        if !self.spec.has_scaling() || ty.lanes * ty.elem.bits() < LEAST_BITS {
            return scale
                .powers
                .iter()
                .fold(value, |product, &power| ir.bin(LLVMFMul, product, self.get(power)));
        }
        let (exponent, small) = (self.get(scale.exponent), self.get(scale.small));
        if !self.branches_to_scale {
            return self.with_small(ty, [value, exponent, small]);
        }
        let any = ir.intrinsic("llvm.vector.reduce.or", &[ir.type_of(small)], &[small]);
        let rare = |e: &mut Self| vec![e.with_small(ty, [value, exponent, small])];
        let usual = |e: &mut Self| vec![e.scaled(ty, [value, exponent])];
        self.branch(any, rare, usual)[0]
    }

    /// value·2^exponent, where the results in the lanes of `small` are less than the least normal number.
    fn with_small(&self, ty: Type, [value, exponent, small]: [Value; 3]) -> Value {
        let ir = self.ir;
        let int = ty.with_elem(ty.elem.as_int());
        // The bits of the exponent of the least denormal number, negated, and those of 2^(mantissa bits).
        let (more, unit) = match ty.elem {
            Elem::F32 => (149f32.to_bits().into(), (2f32.powi(23)).to_bits().into()),
            _ => (1074f64.to_bits(), 2f64.powi(52).to_bits()),
        };
        let where_small = |op, x: Value, by: Value| ir.select(small, ir.bin(op, x, by), x);
        let exponent = where_small(LLVMFAdd, exponent, self.constant(ty, more));
        let result = self.scaled(ty, [value, exponent]);
        let rounded = where_small(LLVMFAdd, result, self.constant(ty, unit));
        let bits = ir.cast(LLVMBitCast, rounded, ir.ty(int));
        ir.cast(LLVMBitCast, where_small(LLVMSub, bits, self.constant(int, unit)), ir.ty(ty))
    }

    /// value·2^exponent
    fn scaled(&self, ty: Type, operands: [Value; 2]) -> Value {
        let bits = ty.lanes * ty.elem.bits();
        if bits > self.vector_bits {
            return self.in_parts(ty, operands, |e, ty, part| e.scaled(ty, part));
        }
        let ir = self.ir;
        let letter = if ty.elem == Elem::F32 { 's' } else { 'd' };
        let [value, exponent] = operands;
        // A bit for each lane, in whole bytes.
        let all = ir.const_int(ir.int(ty.lanes.max(8)), u64::MAX);
        let mut arguments = vec![value, exponent, value, all];
        if bits == 512 {
            arguments.push(ir.const_int(ir.int(32), CURRENT_ROUNDING));
        }
        ir.intrinsic(&format!("llvm.x86.avx512.mask.scalef.p{letter}.{bits}"), &[], &arguments)
    }
}
