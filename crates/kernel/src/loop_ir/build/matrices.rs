//! Products of matrices, and what brings their factors.

use super::CodeBuilder;
use crate::loop_ir::{Buf, CopyAsync, Factor, MatrixProduct, Stmt, TileProduct, V};

impl CodeBuilder {
    /// Four matrices of the task's own array, whose rows begin at these elements.
    pub fn load_matrices(&mut self, buf: Buf, offset: V, transposed: bool) -> [V; 4] {
        let ty = MatrixProduct::word_type(self.ty_of(offset).lanes);
        let results = [(); 4].map(|()| self.fresh(ty));
        self.append(Stmt::LoadMatrices { buf, offset, transposed, results });
        results
    }

    /// Begins to copy as many bytes for each lane as are copied at once; zeros where the mask is false.
    pub fn copy_async(&mut self, (to, to_offset): (Buf, V), (from, from_offset): (Buf, V), mask: Option<V>) {
        let elements = (CopyAsync::BYTES / self.kernel.buf_elem(to).bytes()) as u32;
        self.append(Stmt::CopyAsync(CopyAsync { to, to_offset, from, from_offset, elements, mask }));
    }

    /// What was begun to be copied and is in no group yet is one.
    pub fn group_copies(&mut self) {
        self.append(Stmt::GroupCopies);
    }

    /// Waits for what was begun to be copied, or for all groups of it but so many of the last ones.
    pub fn await_copies(&mut self, but: Option<u32>) {
        self.append(Stmt::AwaitCopies(but));
    }

    /// Writes a product of matrices in memory to an array there.
    pub fn tile_product(&mut self, product: TileProduct) {
        self.append(Stmt::TileProduct(Box::new(product)));
    }

    /// Products of factors in words, added to `sums`: the new sums.
    pub fn matrix_product(
        &mut self,
        factors: [Factor; 2],
        left: [V; 4],
        right: [V; 2],
        sums: [V; 4],
    ) -> [V; 4] {
        let results = sums.map(|v| self.fresh(self.ty_of(v)));
        let product = MatrixProduct { factors, left, right, sums, results };
        self.append(Stmt::MatrixProduct(Box::new(product)));
        results
    }
}
