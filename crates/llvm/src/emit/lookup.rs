//! Elements of short arrays by their numbers, without a load for each lane: where vectors have 512 bits, an array of up to
//! 128 elements of 32 bits is loaded as a whole, and an instruction picks 16 elements out of two vectors.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntNE;
use inkwell::llvm_sys::LLVMOpcode::{LLVMAnd, LLVMBitCast, LLVMTrunc};
use lawson_kernel::loop_ir::{Access, Buf, Type, V};

/// Lanes of a vector.
const LANES: u32 = 16;

/// The longest of such arrays: with its picks, the choices between them and its loads it takes half of the time of 16 loads.
const LONGEST: i64 = 128;

impl Emitter<'_> {
    /// The elements at `offset` of an array that is only read, if it is so short.
    pub(super) fn looked_up(&mut self, buf: Buf, offset: V, ty: Type) -> Option<Value> {
        let Buf::Global(number) = buf else { return None };
        let array = &self.kernel.buffers[number as usize];
        let (len, at) = (array.len, self.kernel.ty(offset));
        let fits = (1..=LONGEST).contains(&len) && array.access == Access::Read;
        if !fits
            || ty.lanes != LANES
            || ty.elem.bits() != 32
            || at.elem.bits() < 32
            || !self.spec.has_permutations()
            || self.vector_bits < 32 * LANES
        {
            return None;
        }
        let ir = self.ir;
        let words = ir.lanes(ir.int(32), LANES);
        let mut index = self.get(offset);
        if at.elem.bits() > 32 {
            index = ir.cast(LLVMTrunc, index, words);
        }
        let first = self.start_of(buf);
        let vectors: Vec<Value> =
            (0..len).step_by(LANES as usize).map(|n| self.line(buf, first, n, len)).collect();
        let pairs = vectors.chunks(2).map(|pair| {
            let (low, high) = (pair[0], pair[pair.len() - 1]);
            ir.intrinsic("llvm.x86.avx512.vpermi2var.d.512", &[], &[low, index, high])
        });
        let mut found: Vec<Value> = pairs.collect();
        // Each bit of the number above those that the instruction looks at halves what is left.
        let mut bit = 2 * LANES as i32;
        while found.len() > 1 {
            let chosen = ir.splat(ir.i32(bit), LANES);
            let upper = ir.icmp(LLVMIntNE, ir.bin(LLVMAnd, index, chosen), ir.zero(words));
            let choose = |pair: &[Value]| match pair {
                [low, high] => ir.select(upper, *high, *low),
                _ => pair[0],
            };
            found = found.chunks(2).map(choose).collect();
            bit *= 2;
        }
        Some(ir.cast(LLVMBitCast, found[0], ir.ty(ty)))
    }

    /// Elements `n`.. of the array, as words; those after its end are not loaded.
    fn line(&mut self, buf: Buf, base: Value, n: i64, len: i64) -> Value {
        let ir = self.ir;
        let words = ir.lanes(ir.int(32), LANES);
        let address = ir.address(ir.int(32), base, ir.i64(n));
        let loaded = if n + i64::from(LANES) <= len {
            ir.load(words, address, 4 * LANES)
        } else {
            let lanes: Vec<Value> =
                (n..n + i64::from(LANES)).map(|i| ir.const_int(ir.int(1), (i < len).into())).collect();
            let args = [address, ir.i32(4 * LANES as i32), ir.const_lanes(&lanes), ir.zero(words)];
            ir.intrinsic("llvm.masked.load", &[words, ir.ptr()], &args)
        };
        self.tag(loaded, buf);
        loaded
    }
}
