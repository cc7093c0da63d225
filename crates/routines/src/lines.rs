//! Columns of a matrix that lies row by row, as lines: each column by itself, so that loops over one have whole vectors.
//!
//! Squares of elements are turned in registers where the processor has AVX2.

use crate::element::Element;
#[cfg(target_arch = "x86_64")]
use crate::instructions::{Call, Instructions};
use crate::vectors::{LANES, Line};
use lawson_hlo::library::Real;
use ndarray::{Ix2, ShapeBuilder, StrideShape};

/// How columns of a matrix lie.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// From a row to the next.
    pub stride: usize,
    pub rows: usize,
    pub columns: usize,
}

impl Block {
    /// The columns, one after the other, of which the last line of each ends with zeros. `elements` are there from the first one to
    /// the end of the last row at least.
    pub fn lines<T: Element>(self, elements: &[T]) -> Vec<Line<T>> {
        let mut lines = vec![[<T as Real>::ZERO; LANES]; self.columns * self.height()];
        if self.is_one_line() {
            lines.as_flattened_mut()[..self.rows].copy_from_slice(&elements[..self.rows]);
            return lines;
        }
        for i in self.turned(elements, &mut lines)..self.rows {
            let row = &elements[i * self.stride..][..self.columns];
            let column = lines[i / LANES..].iter_mut().step_by(self.height());
            row.iter().zip(column).for_each(|(&x, line)| line[i % LANES] = x);
        }
        lines
    }

    /// The elements that are these lines.
    pub fn put<T: Element>(self, lines: &[Line<T>], elements: &mut [T]) {
        if self.is_one_line() {
            return elements[..self.rows].copy_from_slice(&lines.as_flattened()[..self.rows]);
        }
        for i in self.turned_back(lines, elements)..self.rows {
            let row = &mut elements[i * self.stride..][..self.columns];
            let column = lines[i / LANES..].iter().step_by(self.height());
            row.iter_mut().zip(column).for_each(|(x, line)| *x = line[i % LANES]);
        }
    }

    /// For views of arrays.
    pub fn shape(self) -> StrideShape<Ix2> {
        (self.rows, self.columns).strides((self.stride, 1))
    }

    /// Lines of a column.
    fn height(self) -> usize {
        self.rows.div_ceil(LANES).max(1)
    }

    fn is_one_line(self) -> bool {
        self.columns == 1 && self.stride == 1
    }

    /// Writes rows to lines in whole squares, and says how many of the rows.
    #[cfg(target_arch = "x86_64")]
    fn turned<T: Element>(self, elements: &[T], lines: &mut [Line<T>]) -> usize {
        T::Narrow::detect().map_or(0, |s| s.call(Turned { block: self, elements, lines }))
    }

    /// The other way.
    #[cfg(target_arch = "x86_64")]
    fn turned_back<T: Element>(self, lines: &[Line<T>], elements: &mut [T]) -> usize {
        T::Narrow::detect().map_or(0, |s| s.call(TurnedBack { block: self, lines, elements }))
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn turned<T: Element>(self, _: &[T], _: &mut [Line<T>]) -> usize {
        0
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn turned_back<T: Element>(self, _: &[Line<T>], _: &mut [T]) -> usize {
        0
    }

    /// The columns, where they are two or four and rows nothing else: vectors of rows are taken apart by pairs, since squares would be
    /// mostly empty.
    #[cfg(target_arch = "x86_64")]
    fn pairs(self) -> Option<usize> {
        (matches!(self.columns, 2 | 4) && self.stride == self.columns).then_some(self.columns)
    }

    /// The rows that are in whole squares of such a side, so that no vector ends behind the last row.
    #[cfg(target_arch = "x86_64")]
    fn whole_rows(self, side: usize) -> usize {
        let last = self.columns.saturating_sub(1) / side * side + side;
        let end = self.rows * self.stride + self.columns;
        self.rows.min(end.saturating_sub(last) / self.stride.max(1)) / side * side
    }
}

#[cfg(target_arch = "x86_64")]
struct Turned<'a, T> {
    block: Block,
    elements: &'a [T],
    lines: &'a mut [Line<T>],
}

#[cfg(target_arch = "x86_64")]
impl<T, S: Instructions<Float = T>> Call<S> for Turned<'_, T>
where
    T: Element,
{
    type Result = usize;

    #[inline(always)]
    fn call(self, s: S) -> usize {
        let (Turned { block, elements, lines }, side) = (self, S::LANES);
        let height = block.height();
        let mut square = [s.splat(<T as Real>::ZERO); LANES];
        if let Some(columns) = block.pairs() {
            let whole = block.rows / side * side;
            for first in (0..whole).step_by(side) {
                let rows = elements[first * columns..].chunks_exact(side);
                for (v, row) in square[..columns].iter_mut().zip(rows) {
                    *v = s.load(row);
                }
                apart(s, &mut square[..columns]);
                for (j, &v) in square[..columns].iter().enumerate() {
                    s.store(&mut lines[j * height + first / LANES][first % LANES..], v);
                }
            }
            return whole;
        }
        let whole = block.whole_rows(side);
        for first in (0..whole).step_by(side) {
            for left in (0..block.columns).step_by(side) {
                for (i, v) in square[..side].iter_mut().enumerate() {
                    *v = s.load(&elements[(first + i) * block.stride + left..]);
                }
                s.transpose(&mut square[..side]);
                for (j, &v) in (left..block.columns).zip(&square[..side]) {
                    s.store(&mut lines[j * height + first / LANES][first % LANES..], v);
                }
            }
        }
        whole
    }
}

#[cfg(target_arch = "x86_64")]
struct TurnedBack<'a, T> {
    block: Block,
    lines: &'a [Line<T>],
    elements: &'a mut [T],
}

#[cfg(target_arch = "x86_64")]
impl<T, S: Instructions<Float = T>> Call<S> for TurnedBack<'_, T>
where
    T: Element,
{
    type Result = usize;

    #[inline(always)]
    fn call(self, s: S) -> usize {
        let (TurnedBack { block, lines, elements }, side) = (self, S::LANES);
        let height = block.height();
        let mut square = [s.splat(<T as Real>::ZERO); LANES];
        if let Some(columns) = block.pairs() {
            let whole = block.rows / side * side;
            for first in (0..whole).step_by(side) {
                for (j, v) in square[..columns].iter_mut().enumerate() {
                    *v = s.load(&lines[j * height + first / LANES][first % LANES..]);
                }
                in_turn(s, &mut square[..columns]);
                let rows = elements[first * columns..].chunks_exact_mut(side);
                for (&v, row) in square[..columns].iter().zip(rows) {
                    s.store(row, v);
                }
            }
            return whole;
        }
        // What is written behind the last columns, which fill no square, is the next row, which comes later.
        if block.stride != block.columns && block.columns % side != 0 {
            return 0;
        }
        let whole = block.whole_rows(side);
        for first in (0..whole).step_by(side) {
            // From the last columns to the first, which are written over.
            for left in (0..block.columns).step_by(side).rev() {
                for (j, v) in (left..block.columns).zip(&mut square[..side]) {
                    *v = s.load(&lines[j * height + first / LANES][first % LANES..]);
                }
                s.transpose(&mut square[..side]);
                for (i, &v) in square[..side].iter().enumerate() {
                    s.store(&mut elements[(first + i) * block.stride + left..], v);
                }
            }
        }
        whole
    }
}

/// Vectors of rows of as many elements become vectors of columns, of which there are two or four.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn apart<S: Instructions>(s: S, x: &mut [S::Vector]) {
    match x {
        [a, b] => (*a, *b) = s.apart(*a, *b),
        [a, b, c, d] => {
            let ((even, odd), (later_even, later_odd)) = (s.apart(*a, *b), s.apart(*c, *d));
            (*a, *c) = s.apart(even, later_even);
            (*b, *d) = s.apart(odd, later_odd);
        }
        _ => unreachable!("two or four columns"),
    }
}

/// The other way.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn in_turn<S: Instructions>(s: S, x: &mut [S::Vector]) {
    match x {
        [a, b] => (*a, *b) = s.in_turn(*a, *b),
        [a, b, c, d] => {
            let ((even, later_even), (odd, later_odd)) = (s.in_turn(*a, *c), s.in_turn(*b, *d));
            (*a, *b) = s.in_turn(even, odd);
            (*c, *d) = s.in_turn(later_even, later_odd);
        }
        _ => unreachable!("two or four columns"),
    }
}
