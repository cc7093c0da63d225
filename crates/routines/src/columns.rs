//! Columns of a matrix, whose others belong to other threads.

use std::marker::PhantomData;
use std::ops::Range;

/// A matrix of which only some columns may be written.
#[derive(Debug)]
pub struct Columns<'a, T> {
    base: *mut T,
    rows: usize,
    /// Elements of a row of the whole matrix.
    row: usize,
    /// Those of each row that may be written.
    mine: Range<usize>,
    lives: PhantomData<&'a mut [T]>,
}

impl<'a, T> Columns<'a, T> {
    /// Of a matrix that nobody else has, with rows of so many elements.
    pub fn of(matrix: &'a mut [T], row: usize, mine: Range<usize>) -> Columns<'a, T> {
        let rows = matrix.len() / row.max(1);
        // SAFETY: the matrix is borrowed as long as this lives.
        unsafe { Columns::new(matrix.as_mut_ptr(), (rows, row), mine) }
    }

    /// # Safety
    /// As long as this lives there are `rows` · `row` elements at `base`, and nobody else reads or writes those of the columns `mine`.
    pub unsafe fn new(base: *mut T, (rows, row): (usize, usize), mine: Range<usize>) -> Columns<'a, T> {
        assert!(mine.start <= mine.end && mine.end <= row);
        Columns { base, rows, row, mine, lives: PhantomData }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The elements of one row that may be written.
    pub fn of_row(&mut self, row: usize) -> &mut [T] {
        assert!(row < self.rows);
        // SAFETY: `new` was told that these are elements of the matrix, and that they belong to this value alone.
        unsafe {
            let first = self.base.add(row * self.row + self.mine.start);
            std::slice::from_raw_parts_mut(first, self.mine.len())
        }
    }
}
