//! Products of matrices in memory, as the tile registers of processors multiply them (Intel AMX; Intel's Architectures Software
//! Developer's Manual, volume 1, chapter 18).
//!
//! Words of 32 bits hold two or four factors that follow each other along the summed dimension, the first in the lowest bits.
//! A tile is [`SIDE`] rows of [`SIDE`] words. Of the left matrix a row has the words of one row of the product; of the right one
//! a row has the same word of all columns.
//!
//! Sums of bytes wrap. The order in which products of floats are added and how sums in between are rounded is the machine's own, and
//! it takes numbers below the normal ones for zero; here the sum is `f64`, rounded once.

use super::{Elem, Factor, Matrix, TileProduct};

/// Rows of a tile, and words of each.
pub const SIDE: i64 = 16;
/// Tile registers of a processor.
const REGISTERS: i64 = 8;

impl TileProduct {
    pub fn matrices(&self) -> [&Matrix; 3] {
        [&self.left, &self.right, &self.sums]
    }

    /// The element of a factor of the left matrix, where it lies as factors.
    pub(super) fn narrow(&self) -> Elem {
        if self.factors[0].in_word() == 4 { Elem::I8 } else { Elem::I16 }
    }

    /// Whether tiles of these factors are multiplied, and registers hold as many.
    pub(super) fn is_legal(&self) -> bool {
        let [left, right] = self.factors;
        let multiplied = left == right && left == Factor::Bf16 || left.in_word() == 4 && right.in_word() == 4;
        let [rows, columns] = self.tiles;
        let all = || rows * columns + rows + columns;
        multiplied
            && (1..=REGISTERS).contains(&rows)
            && (1..=REGISTERS).contains(&columns)
            && all() <= REGISTERS
    }
}

#[cfg(test)]
mod tests {
    use crate::loop_ir::{Access, CodeBuilder, Elem, Factor, Matrix, TileProduct, evaluate, verify};

    /// One tile of bytes by one tile: left [16, 64] all 2, right [64, 16] all −3.
    fn product(change: impl FnOnce(&mut TileProduct)) -> (Vec<String>, Result<Vec<u8>, String>) {
        let mut b = CodeBuilder::new("k");
        let out = b.buffer("out", Elem::I32, 256, Access::Write);
        let [left, right] = ["left", "right"].map(|name| b.local(name, Elem::I32, 256));
        let sums = b.local("sums", Elem::I32, 256);
        b.phase(1, |b, zero| {
            let end = b.i64(256);
            b.for_loop(zero, end, 1, &[], |b, i, _| {
                for (buf, bits) in [(left, 0x0202_0202), (right, 0xfdfd_fdfd)] {
                    let value = b.constant(crate::loop_ir::Type::scalar(Elem::I32), bits);
                    b.store(buf, i, value, None);
                }
                Vec::new()
            });
            let words = b.i64(16);
            let matrix = |buf| Matrix { buf, offset: zero, line: 16 };
            let mut product = TileProduct {
                factors: [Factor::U8, Factor::S8],
                tiles: [1, 1],
                words,
                left: matrix(left),
                right: matrix(right),
                sums: matrix(sums),
            };
            change(&mut product);
            b.tile_product(product);
            b.for_loop(zero, end, 1, &[], |b, i, _| {
                let sum = b.load(sums, i, 1, None);
                b.store(out, i, sum, None);
                Vec::new()
            });
        });
        let kernel = b.finish();
        let errors = verify(&kernel).err().unwrap_or_default();
        let mut arrays = vec![vec![0; 1024]];
        let evaluated = if errors.is_empty() { evaluate(&kernel, &mut arrays) } else { Err(String::new()) };
        (errors, evaluated.map(|()| arrays.remove(0)))
    }

    #[test]
    fn a_product_of_bytes() {
        let expected: Vec<u8> = std::iter::repeat_n((-64 * 6i32).to_le_bytes(), 256).flatten().collect();
        assert_eq!(product(|_| {}), (Vec::new(), Ok(expected)));
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        let refused = |change: fn(&mut TileProduct)| product(change).0.join("; ");
        assert!(refused(|p| p.factors = [Factor::F16; 2]).contains("no product of tiles"));
        assert!(refused(|p| p.factors = [Factor::Bf16, Factor::S8]).contains("no product of tiles"));
        assert!(refused(|p| p.tiles = [2, 3]).contains("no product of tiles"));
        assert!(refused(|p| p.factors = [Factor::Bf16; 2]).contains("matrices of elements"));
        let beyond = product(|p| p.left.line = 17).1.expect_err("the last row ends beyond the array");
        assert!(beyond.contains("beyond") || beyond.contains("256"), "{beyond}");
    }
}
