//! Elements that lie apart, loaded and stored one by one where that is faster than a gather or a scatter.
//!
//! The gathers of AMD's processors are sequences of microcode that keep few cache misses in flight: from an array that is in
//! the third-level cache, 16 loads with their inserts were measured to take half of the time, and a third where lines come
//! from memory.
//!
//! ```text
//! splat(row) + sext(column)    base + row once, and for each lane the column, of which two are extracted at a time
//! splat(row) + 10 · iota       base + row once, and the distance of each lane in the address of its load
//! ```

use super::Emitter;
use super::offsets::Made;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::{LLVMAShr, LLVMBitCast, LLVMSExt, LLVMTrunc};
use lawson_kernel::loop_ir::{Buf, Type, V};

/// Scatters of a phase that become single stores: each takes about a millisecond more of LLVM's time, and where there are many they are
/// of the edges of tiles, which few points are.
const MOST_STORED: u32 = 4;

impl Emitter<'_> {
    /// The elements at the offsets of an array of the kernel, where single loads are faster.
    pub(super) fn loaded_apart(&mut self, buf: Buf, offset: V, ty: Type) -> Option<Value> {
        if !self.spec.gathers_slowly() || !matches!(buf, Buf::Global(_)) || ty.elem.bits() < 32 {
            return None;
        }
        let ir = self.ir;
        let elem = ir.elem(self.kernel.buf_elem(buf));
        let mut loaded = ir.poison(ir.ty(ty));
        for (lane, address) in (0..).zip(self.each_address(buf, offset, ty.lanes)) {
            let element = ir.load(elem, address, ty.elem.bytes() as u32);
            self.tag(element, buf);
            loaded = ir.insert(loaded, lane, element);
        }
        Some(loaded)
    }

    /// Stores the lanes of a value at the offsets of an array, where single stores are faster; tells whether it did.
    pub(super) fn stored_apart(&mut self, (buf, offset): (Buf, V), value: Value, ty: Type) -> bool {
        if !self.spec.gathers_slowly() || self.stored_apart >= MOST_STORED {
            return false;
        }
        self.stored_apart += 1;
        for (lane, address) in (0..).zip(self.each_address(buf, offset, ty.lanes)) {
            let stored = self.ir.store(self.ir.extract(value, lane), address, ty.elem.bytes() as u32);
            self.tag(stored, buf);
        }
        true
    }

    /// Those of the elements at the offsets of an array.
    fn each_address(&self, buf: Buf, offset: V, lanes: u32) -> Vec<Value> {
        let ir = self.ir;
        let elem = ir.elem(self.kernel.buf_elem(buf));
        let (first, rest) = self.offsets_from(offset);
        let mut base = self.start_of(buf);
        if let Some(first) = first {
            base = ir.address(elem, base, self.get(first));
        }
        self.each(rest, lanes).into_iter().map(|at| ir.address(elem, base, at)).collect()
    }

    /// A sum as what all lanes share, if it is one with such a term, and the vector that is left.
    fn offsets_from(&self, offset: V) -> (Option<V>, V) {
        let made = |v: V| self.made[v.0 as usize];
        match made(offset) {
            Some(Made::Sum(a, b)) => match (made(a), made(b)) {
                (Some(Made::Splat(first)), _) => (Some(first), b),
                (_, Some(Made::Splat(first))) => (Some(first), a),
                _ => (None, offset),
            },
            _ => (None, offset),
        }
    }

    /// The lanes of a vector of offsets as integers of 64 bits. Two of 32 bits leave the vector at once.
    fn each(&self, offsets: V, lanes: u32) -> Vec<Value> {
        let ir = self.ir;
        let (word, half) = (ir.int(64), ir.int(32));
        let narrow = match self.made[offsets.0 as usize] {
            // A single pair is no vector.
            Some(Made::Wider(narrow)) if lanes.is_multiple_of(2) && lanes > 2 => narrow,
            _ => return (0..lanes).map(|lane| ir.extract(self.get(offsets), lane)).collect(),
        };
        let pairs = ir.cast(LLVMBitCast, self.get(narrow), ir.lanes(word, lanes / 2));
        let both = |pair: u32| {
            let pair = ir.extract(pairs, pair);
            let low = ir.cast(LLVMSExt, ir.cast(LLVMTrunc, pair, half), word);
            [low, ir.bin(LLVMAShr, pair, ir.i64(32))]
        };
        (0..lanes / 2).flat_map(both).collect()
    }
}
