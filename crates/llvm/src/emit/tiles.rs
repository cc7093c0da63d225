//! Products of matrices in memory: by tile registers where the processor has them (Intel AMX), else by vectors.

use super::Emitter;
use crate::ir::{Ir, Space, Value};
use inkwell::llvm_sys::LLVMOpcode::{LLVMAShr, LLVMAdd, LLVMAnd, LLVMBitCast, LLVMLShr, LLVMMul, LLVMShl};
use lawson_kernel::loop_ir::tiles::SIDE;
use lawson_kernel::loop_ir::{Elem, Factor, Kernel, Matrix, Phase, TileProduct, Type};

/// Bytes of a word, and of a row of a tile.
const WORD: i64 = 4;
const ROW: u64 = (SIDE * WORD) as u64;

/// What the instruction that sets up tile registers reads: palette 1, then the bytes of a row of each of the eight registers,
/// 16 bits each, then their rows, 8 bits each (Intel's manual, volume 1, section 18.2).
const SETUP: [u64; 8] = {
    let bytes = ROW * 0x0001_0001_0001_0001;
    let rows = SIDE as u64 * 0x0101_0101_0101_0101;
    [1, 0, bytes, bytes, 0, 0, rows, 0]
};

impl Emitter<'_> {
    /// The table of [`SETUP`], for a kernel that needs it.
    pub(super) fn tile_setup(&self, kernel: &Kernel) -> Option<Value> {
        let needed = self.spec.has_tiles() && kernel.phases.iter().any(Phase::has_tile_products);
        needed.then(|| self.ir.table(&format!("{}_tiles", kernel.name), &SETUP, Space::Generic))
    }

    /// All tile registers of the thread are whole tiles from here on.
    pub(super) fn set_up_tiles(&self, phase: &Phase) {
        if let (Some(table), true) = (self.tiles, phase.has_tile_products()) {
            self.ir.intrinsic("llvm.x86.ldtilecfg", &[], &[table]);
        }
    }

    /// The registers are empty again: the system need not save them where threads change.
    pub(super) fn release_tiles(&self, phase: &Phase) {
        if self.tiles.is_some() && phase.has_tile_products() {
            self.ir.intrinsic("llvm.x86.tilerelease", &[], &[]);
        }
    }

    pub(super) fn tile_product(&mut self, product: &TileProduct) {
        if self.tiles.is_some() { self.by_registers(product) } else { self.by_vectors(product) }
    }

    /// The sums have the first registers, then come the tiles of rows, then those of columns.
    fn by_registers(&mut self, product: &TileProduct) {
        let ir = self.ir;
        let [rows, columns] = product.tiles;
        let register = |n: i64| ir.const_int(ir.int(8), n as u64);
        let (of_left, of_right) = (rows * columns, rows * columns + rows);
        let [left, right, sums] = product.matrices().map(|m| self.placed(m));
        let load = |n: i64, m: &Placed, row: Value, word: Value| {
            let args = [register(n), m.at(ir, row, word), ir.i64(m.line)];
            ir.intrinsic("llvm.x86.tileloadd64", &[], &args);
        };
        for n in 0..rows * columns {
            ir.intrinsic("llvm.x86.tilezero", &[], &[register(n)]);
        }
        let multiply = match product.factors {
            [Factor::Bf16, _] => "llvm.x86.tdpbf16ps",
            [Factor::S8, Factor::S8] => "llvm.x86.tdpbssd",
            [Factor::S8, _] => "llvm.x86.tdpbsud",
            [_, Factor::S8] => "llvm.x86.tdpbusd",
            _ => "llvm.x86.tdpbuud",
        };
        self.counted_loop(ir.i64(0), self.get(product.words), ir.i64(SIDE), &[], |_, k, _| {
            for n in 0..columns {
                load(of_right + n, &right, k, ir.i64(n * SIDE));
            }
            for m in 0..rows {
                load(of_left + m, &left, ir.i64(m * SIDE), k);
                for n in 0..columns {
                    let registers = [m * columns + n, of_left + m, of_right + n].map(register);
                    ir.intrinsic(multiply, &[], &registers);
                }
            }
            Vec::new()
        });
        for n in 0..rows * columns {
            let [row, column] = [n / columns, n % columns].map(|n| ir.i64(n * SIDE));
            let args = [register(n), sums.at(ir, row, column), ir.i64(sums.line)];
            ir.intrinsic("llvm.x86.tilestored64", &[], &args);
        }
    }

    /// Row by row, a vector for each tile of columns.
    fn by_vectors(&mut self, product: &TileProduct) {
        let ir = self.ir;
        let [rows, columns] = product.tiles;
        let [left, right, sums] = product.matrices().map(|m| self.placed(m));
        let words = Type::vector(Elem::I32, SIDE as u32);
        let of_sums = ir.ty(words.with_elem(product.factors[0].sum()));
        self.counted_loop(ir.i64(0), ir.i64(rows * SIDE), ir.i64(1), &[], |e, row, _| {
            let zeros = vec![ir.zero(of_sums); columns as usize];
            let last = e.get(product.words);
            let ends = e.counted_loop(ir.i64(0), last, ir.i64(1), &zeros, |e, k, before| {
                let word = ir.splat(ir.load(ir.int(32), left.at(ir, row, k), 1), words.lanes);
                let after = (0..).zip(before).map(|(n, &sum)| {
                    let other = ir.load(ir.ty(words), right.at(ir, k, ir.i64(n * SIDE)), WORD as u32);
                    e.dot_of_words(words, product.factors, [word, other, sum])
                });
                after.collect()
            });
            for (n, &sum) in (0..).zip(&ends) {
                ir.store(sum, sums.at(ir, row, ir.i64(n * SIDE)), WORD as u32);
            }
            Vec::new()
        });
    }

    fn placed(&mut self, m: &Matrix) -> Placed {
        let line = m.line * self.kernel.buf_elem(m.buf).bytes();
        Placed { start: self.address(m.buf, m.offset), line }
    }

    /// The products of the factors in each lane of two vectors of words, added to a third.
    fn dot_of_words(&self, ty: Type, factors: [Factor; 2], [a, b, sum]: [Value; 3]) -> Value {
        let ir = self.ir;
        let constant = |n: u64| self.constant(ty, n);
        let in_word = factors[0].in_word() as u64;
        (0..in_word).fold(sum, |sum, n| {
            let [a, b] = [(a, factors[0]), (b, factors[1])].map(|(word, factor)| {
                // The factor in the highest bits.
                let high = ir.bin(LLVMShl, word, constant(32 - 32 / in_word * (n + 1)));
                match factor {
                    Factor::Bf16 => {
                        let bits = ir.bin(LLVMAnd, high, constant(0xffff_0000));
                        ir.cast(LLVMBitCast, bits, ir.lanes(ir.float(), ty.lanes))
                    }
                    Factor::S8 => ir.bin(LLVMAShr, high, constant(24)),
                    Factor::U8 | Factor::F16 | Factor::Tf32 => ir.bin(LLVMLShr, high, constant(24)),
                }
            });
            match factors[0].sum() {
                Elem::F32 => ir.intrinsic("llvm.fma", &[ir.type_of(sum)], &[a, b, sum]),
                _ => ir.bin(LLVMAdd, sum, ir.bin(LLVMMul, a, b)),
            }
        })
    }
}

/// A matrix: the address of its first element, and bytes from one row to the next.
struct Placed {
    start: Value,
    line: i64,
}

impl Placed {
    /// The address of a word.
    fn at(&self, ir: &Ir<'_>, row: Value, word: Value) -> Value {
        let at =
            ir.bin(LLVMAdd, ir.bin(LLVMMul, row, ir.i64(self.line)), ir.bin(LLVMMul, word, ir.i64(WORD)));
        ir.address(ir.int(8), self.start, at)
    }
}
