//! Products of matrices, and what brings their factors.

use super::{Found, INDEX, Verifier};
use crate::loop_ir::matrix::WARP_LANES;
use crate::loop_ir::*;

impl Verifier<'_> {
    pub(super) fn by_barriers(&self) -> Found {
        ensure!(self.by_barriers, "barriers do not order the phase");
        Ok(())
    }

    /// Every thread of the task accesses the task's own array, in a phase that barriers order.
    pub(super) fn all_threads(&self, buf: Buf, offset: V) -> Found {
        self.by_barriers()?;
        self.array(buf)?;
        ensure!(matches!(buf, Buf::Local(_)), "it is no array of the task");
        self.expect(offset, Type::vector(Elem::I64, self.warps * WARP_LANES))
    }

    pub(super) fn matrix_product(&self, product: &MatrixProduct) -> Found {
        let lanes = self.ty(product.sums[0])?.lanes;
        let [left, right] = product.factors.map(Factor::name);
        ensure!(product.has_unit(), "no product of {left} and {right}");
        let threads = self.warps * WARP_LANES;
        ensure!(lanes == threads, "{lanes} lanes of {threads} threads multiply matrices");
        let words = MatrixProduct::word_type(lanes);
        product.left.iter().chain(&product.right).try_for_each(|&v| self.expect(v, words))?;
        product.sums.iter().try_for_each(|&v| self.expect(v, product.sum_type(lanes)))
    }

    pub(super) fn tile_product(&self, product: &TileProduct) -> Found {
        let ([left, right], [rows, columns]) = (product.factors.map(Factor::name), product.tiles);
        ensure!(product.is_legal(), "no product of tiles of {left} and {right}, {rows} by {columns}");
        self.expect(product.words, INDEX)?;
        for matrix in product.matrices() {
            self.array(matrix.buf)?;
            self.expect(matrix.offset, INDEX)?;
        }
        let elem = |matrix: &Matrix| self.kernel.buf_elem(matrix.buf);
        let (left, right, sums) = (elem(&product.left), elem(&product.right), elem(&product.sums));
        let fits = (left == Elem::I32 || left == product.narrow()) && right == Elem::I32;
        let expected = product.factors[0].sum();
        ensure!(fits && sums == expected, "matrices of elements of {left}, {right} and {sums}");
        let own = [&product.right, &product.sums].iter().all(|m| matches!(m.buf, Buf::Local(_)));
        let read = self.kernel.buf_access(product.left.buf).is_none_or(|access| access == Access::Read);
        ensure!(own && read, "a matrix is neither in an array of the task nor of an input");
        Ok(())
    }

    /// Rows of a matrix begin at these elements of an array of the task.
    pub(super) fn load_matrices(&self, buf: Buf, offset: V) -> Found {
        self.all_threads(buf, offset)?;
        let bits = self.kernel.buf_elem(buf).bits();
        ensure!(bits == 16, "matrices of elements of {bits} bits");
        Ok(())
    }

    pub(super) fn await_copies(&self, but: Option<u32>) -> Found {
        /// Groups of copies that may be under way.
        const MOST: u32 = 64;
        self.by_barriers()?;
        ensure!(
            but.is_none_or(|n| n <= MOST),
            "{} groups may be under way, {MOST} at most",
            but.unwrap_or(0)
        );
        Ok(())
    }

    pub(super) fn copy_async(&self, copy: &CopyAsync) -> Found {
        self.all_threads(copy.to, copy.to_offset)?;
        self.array(copy.from)?;
        let offsets = self.ty(copy.to_offset)?;
        self.expect(copy.from_offset, offsets)?;
        copy.mask.map_or(Ok(()), |mask| self.expect(mask, offsets.with_elem(Elem::I1)))?;
        let (to, from) = (self.kernel.buf_elem(copy.to), self.kernel.buf_elem(copy.from));
        ensure!(to == from, "elements of {from} to an array of {to}");
        let read = self.kernel.buf_access(copy.from) == Some(Access::Read);
        ensure!(read, "only what the kernel is given is copied");
        let bytes = to.bytes() * i64::from(copy.elements);
        ensure!(bytes == CopyAsync::BYTES, "{bytes} bytes are copied at once");
        Ok(())
    }
}
