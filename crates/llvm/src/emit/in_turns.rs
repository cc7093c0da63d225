//! The even or the odd lanes of two vectors in turns, as products of every second lane are put together.
//!
//! ```text
//! odd:   a1 b1 a3 b3 …    b, and under a mask a with each odd lane copied to the one below (vmovshdup)
//! even:  a0 b0 a2 b2 …    a, and under a mask b with each even lane copied to the one above (vmovsldup)
//! ```
//!
//! Under a mask that LLVM knows these would become shuffles of two vectors, which need a register for their indices and
//! take three cycles in place of one.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMBitCast;
use lawson_kernel::loop_ir::{Elem, Type, V};

/// Lanes of 32 bits that a mask register chooses from.
const MASKED: u32 = 16;

#[derive(Clone, Copy)]
enum Which {
    Even = 0,
    Odd = 1,
}

/// By [`Which`].
pub(super) type Masks = [Option<Value>; 2];

impl Emitter<'_> {
    /// The value of a shuffle of `a` and `b`, if it is one of these and the target has masks.
    pub(super) fn lanes_in_turns(&mut self, a: V, b: V, lanes: &[u32]) -> Option<Value> {
        let ty = Type::vector(Elem::I32, MASKED);
        if !self.spec.is_x86() || self.vector_bits != 32 * MASKED || self.kernel.ty(a) != ty {
            return None;
        }
        let which = which(lanes)?;
        let ir = self.ir;
        let floats = ir.lanes(ir.float(), MASKED);
        let as_float = |v: V| ir.cast(LLVMBitCast, self.get(v), floats);
        let (a, b) = (as_float(a), as_float(b));
        // The instructions are of floats. Of what LLVM knows to be integers it would make one of integers, and then does
        // not find the mask.
        let copied = |v: Value, from: fn(u32) -> u32| {
            let lanes: Vec<u32> = (0..MASKED).map(from).collect();
            let v = ir.opaque(v, "=v,0");
            ir.shuffle(v, v, &lanes)
        };
        let merged = match which {
            Which::Odd => ir.select(self.mask(Which::Even), copied(a, |i| i | 1), b),
            Which::Even => ir.select(self.mask(Which::Odd), copied(b, |i| i & !1), a),
        };
        Some(ir.cast(LLVMBitCast, merged, ir.ty(ty)))
    }

    fn mask(&mut self, of: Which) -> Value {
        let ir = self.ir;
        *self.lane_masks[of as usize].get_or_insert_with(|| {
            ir.at_entry(|| {
                let bits = ir.const_int(ir.int(MASKED), 0x5555 << of as u64);
                ir.cast(LLVMBitCast, ir.opaque(bits, "=r,0"), ir.lanes(ir.int(1), MASKED))
            })
        })
    }
}

fn which(lanes: &[u32]) -> Option<Which> {
    let takes = |which: Which| {
        lanes.iter().zip(0..).all(|(&lane, i)| lane == i / 2 * 2 + which as u32 + i % 2 * MASKED)
    };
    let found = [Which::Even, Which::Odd].into_iter().find(|&w| takes(w));
    found.filter(|_| lanes.len() == MASKED as usize)
}
