//! Products of matrices: `mma.sync` of the warps that share a task, each for itself. Every thread has one lane of all operands.

use crate::emit::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMBitCast;
use lawson_kernel::loop_ir::{Factor, MatrixProduct};

impl Emitter<'_> {
    pub(in crate::emit) fn matrix_product(&mut self, product: &MatrixProduct) {
        let ir = self.ir;
        // Pairs of halves are a vector there, all other words an integer.
        let halves = ir.lanes(ir.half(), 2);
        let word = |v| match product.factors[0] {
            Factor::F16 => ir.cast(LLVMBitCast, v, halves),
            Factor::Bf16 | Factor::Tf32 | Factor::S8 | Factor::U8 => v,
        };
        let words = product.left.iter().chain(&product.right).map(|&v| word(self.get(v)));
        let operands: Vec<Value> = words.chain(product.sums.map(|v| self.get(v))).collect();
        let sums = ir.intrinsic(intrinsic(product.factors), &[], &operands);
        for (n, &result) in (0..).zip(&product.results) {
            self.set(result, ir.member(sums, n));
        }
    }
}

fn intrinsic(factors: [Factor; 2]) -> &'static str {
    match factors {
        [Factor::F16, _] => "llvm.nvvm.mma.m16n8k16.row.col.f32.f32",
        [Factor::Bf16, _] => "llvm.nvvm.mma.m16n8k16.row.col.bf16",
        [Factor::Tf32, _] => "llvm.nvvm.mma.m16n8k8.row.col.tf32",
        [Factor::U8, Factor::U8] => "llvm.nvvm.mma.m16n8k32.row.col.u8",
        [Factor::U8, _] => "llvm.nvvm.mma.m16n8k32.row.col.u8.s8",
        [Factor::S8, Factor::U8] => "llvm.nvvm.mma.m16n8k32.row.col.s8.u8",
        [Factor::S8, _] => "llvm.nvvm.mma.m16n8k32.row.col.s8",
    }
}
