//! Products of matrices in memory.

use super::{Found, Machine};
use crate::loop_ir::tiles::SIDE;
use crate::loop_ir::{TileProduct, matrix};

impl Machine<'_, '_> {
    pub(super) fn tile_product(&mut self, product: &TileProduct) -> Found {
        let [rows, columns] = product.tiles.map(|n| n * SIDE);
        let words = self.scalar(product.words) as i64;
        if words % SIDE != 0 {
            return Err(format!("{words} words are no multiple of {SIDE}"));
        }
        let steps = (rows * columns).unsigned_abs().saturating_mul(words.max(0).unsigned_abs());
        self.steps = self.steps.checked_sub(steps).ok_or("too many steps")?;
        let [left, right, sums] = product.matrices().map(|m| {
            let (first, line) = (self.scalar(m.offset) as i64, m.line);
            move |row: i64, column: i64| first.saturating_add(line.saturating_mul(row)).saturating_add(column)
        });
        let narrow = self.kernel.buf_elem(product.left.buf).bits() < 32;
        let parts = if narrow { product.factors[0].in_word() } else { 1 };
        for (row, column) in (0..rows).flat_map(|m| (0..columns).map(move |n| (m, n))) {
            let place = sums(row, column);
            let mut pairs = Vec::new();
            for k in 0..words {
                let (mut word, mut b) = (0, [0]);
                for n in 0..parts {
                    let mut part = [0];
                    let at = left(row, parts * k + n);
                    self.memory.read(product.left.buf, at, &mut part, (0, 1))?;
                    word |= part[0] << (32 / parts * n);
                }
                self.memory.read(product.right.buf, right(k, column), &mut b, (0, 1))?;
                pairs.push((word, b[0]));
            }
            let sum = matrix::sum_of_words(product.factors, 0, pairs.into_iter());
            self.memory.write(product.sums.buf, place, &[sum], (0, 1))?;
        }
        Ok(())
    }
}
