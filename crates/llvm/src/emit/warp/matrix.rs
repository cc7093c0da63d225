//! Products of matrices, and what brings their factors: `mma.sync` and `ldmatrix` of the warps that share a task, each for itself,
//! and `cp.async`. Every thread has one lane of all operands. Arrays of the task are in shared memory.

use crate::emit::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMBitCast;
use lawson_kernel::loop_ir::{Buf, CopyAsync, Factor, MatrixProduct, V};

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
        self.set_members(sums, &product.results);
    }

    pub(in crate::emit) fn load_matrices(&mut self, buf: Buf, offset: V, transposed: bool, results: &[V; 4]) {
        let address = self.address(buf, offset);
        let name = match transposed {
            false => "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16",
            true => "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16",
        };
        let words = self.ir.intrinsic(name, &[self.ir.type_of(address)], &[address]);
        self.set_members(words, results);
    }

    pub(in crate::emit) fn copy_async(&mut self, copy: &CopyAsync) {
        let (to, from) = (self.address(copy.to, copy.to_offset), self.address(copy.from, copy.from_offset));
        let Some(mask) = copy.mask else {
            self.ir.intrinsic("llvm.nvvm.cp.async.cg.shared.global.16", &[], &[to, from]);
            return;
        };
        let (all, none) = (self.ir.i32(CopyAsync::BYTES as i32), self.ir.i32(0));
        let bytes = self.ir.select(self.get(mask), all, none);
        self.ir.intrinsic("llvm.nvvm.cp.async.cg.shared.global.16.s", &[], &[to, from, bytes]);
    }

    pub(in crate::emit) fn group_copies(&self) {
        self.ir.intrinsic("llvm.nvvm.cp.async.commit.group", &[], &[]);
    }

    pub(in crate::emit) fn await_copies(&self, but: Option<u32>) {
        match but {
            None => self.ir.intrinsic("llvm.nvvm.cp.async.wait.all", &[], &[]),
            Some(groups) => {
                self.ir.intrinsic("llvm.nvvm.cp.async.wait.group", &[], &[self.ir.i32(groups as i32)])
            }
        };
    }

    fn set_members(&mut self, structure: Value, results: &[V]) {
        for (n, &result) in (0..).zip(results) {
            self.set(result, self.ir.member(structure, n));
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
