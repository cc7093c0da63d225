//! Products of matrices, and what brings their factors.

use super::{Parser, Result};
use crate::loop_ir::{CopyAsync, Factor, Matrix, MatrixProduct, Stmt, TileProduct, Type, V};

impl Parser<'_> {
    /// A statement that begins with one of these words.
    pub(super) fn of_matrices(&mut self) -> Result<Stmt> {
        match self.next() {
            "load_matrices" => {
                let (buf, offset) = self.place()?;
                let transposed = self.take("transposed");
                self.expect("->")?;
                let word = MatrixProduct::word_type(self.kernel.ty(offset).lanes);
                let results = self.defined_in_parentheses(word)?;
                Ok(Stmt::LoadMatrices { buf, offset, transposed, results })
            }
            "copy_async" => {
                let (to, to_offset) = self.place()?;
                self.expect("=")?;
                let (from, from_offset) = self.place()?;
                self.expect(",")?;
                let elements = self.number()?;
                let mask = self.mask()?;
                Ok(Stmt::CopyAsync(CopyAsync { to, to_offset, from, from_offset, elements, mask }))
            }
            "group_copies" => Ok(Stmt::GroupCopies),
            "await_copies" => {
                let but = if self.take("but") { Some(self.number()?) } else { None };
                Ok(Stmt::AwaitCopies(but))
            }
            "tile_product" => self.tile_product(),
            _ => self.matrix_product(),
        }
    }

    /// `f16 (%0, %1, %2, %3), f16 (%4, %5) + (%6, %7, %8, %9) -> (%10, %11, %12, %13)`
    fn matrix_product(&mut self) -> Result<Stmt> {
        let left = self.read("a type of factors", Factor::from_name)?;
        let of_left = self.in_parentheses()?;
        self.expect(",")?;
        let right = self.read("a type of factors", Factor::from_name)?;
        let of_right = self.in_parentheses()?;
        self.expect("+")?;
        let sums: [V; 4] = self.in_parentheses()?;
        self.expect("->")?;
        let results = self.defined_in_parentheses(self.kernel.ty(sums[0]))?;
        let factors = [left, right];
        let product = MatrixProduct { factors, left: of_left, right: of_right, sums, results };
        Ok(Stmt::MatrixProduct(Box::new(product)))
    }

    /// `2 by 2 sums[%0] line 32 = u8 rows[%1] line 64 * s8 columns[%2] line 32 over %3`
    fn tile_product(&mut self) -> Result<Stmt> {
        let rows = self.number()?;
        self.expect("by")?;
        let columns = self.number()?;
        let sums = self.matrix()?;
        self.expect("=")?;
        let of_left = self.read("a type of factors", Factor::from_name)?;
        let left = self.matrix()?;
        self.expect("*")?;
        let of_right = self.read("a type of factors", Factor::from_name)?;
        let right = self.matrix()?;
        self.expect("over")?;
        let words = self.value()?;
        let (factors, tiles) = ([of_left, of_right], [rows, columns]);
        Ok(Stmt::TileProduct(Box::new(TileProduct { factors, tiles, words, left, right, sums })))
    }

    fn matrix(&mut self) -> Result<Matrix> {
        let (buf, offset) = self.place()?;
        self.expect("line")?;
        Ok(Matrix { buf, offset, line: self.number()? })
    }

    /// So many new values of a type.
    fn defined_in_parentheses<const N: usize>(&mut self, ty: Type) -> Result<[V; N]> {
        self.expect("(")?;
        let mut values = [V(0); N];
        for (n, v) in values.iter_mut().enumerate() {
            if n > 0 {
                self.expect(",")?;
            }
            *v = self.define(ty)?;
        }
        self.expect(")")?;
        Ok(values)
    }

    /// So many values.
    fn in_parentheses<const N: usize>(&mut self) -> Result<[V; N]> {
        self.expect("(")?;
        let values = self.values()?;
        let Ok(values) = <[V; N]>::try_from(values) else { return self.fail("another number of values") };
        self.expect(")")?;
        Ok(values)
    }
}
