//! Tiles of products by the matrix units of warps: which thread has what, and how it copies and loads factors. Where they lie in the
//! arrays of the task, [`super::places`] says.

use super::block_of_k::BlockOfK;
use super::contraction::Contraction;
use super::operand::{Copied, Element, ReadAt};
use super::places::{Pieces, Places};
use super::windows::{Window, Windows};
use crate::loop_ir::matrix::{COLUMNS, ROWS, WORDS as FRAGMENT};
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Factor, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::plan::Matrices;
use crate::refusal::Refusal;
use crate::region::NodeId;
use std::ops::Range;

/// What a thread has of the tile, as vectors: lines of the rows and of the columns, the first column of its results, and its number
/// in the warp.
pub(super) struct Own {
    /// The first line of the warp, of the rows and of the columns, and that with the thread's group.
    first: [V; 2],
    lines: [V; 2],
    column: V,
    lane: V,
    /// Its word of four.
    word: V,
    /// Where the words of its fragments lie, of the rows and of the columns. Threads that put words of several factors together have no
    /// registers for that.
    places: Option<[Places; 2]>,
}

impl<'r> Contraction<'r> {
    pub(super) fn own_fragments(&self, cx: &mut Emit<'r>, m: &Matrices, copied: &[Copied<'r>; 2]) -> Own {
        let thread = self.threads(cx);
        let (warp, lane) = (self.shifted_right(cx, thread, 32), self.low_bits(cx, thread, 32));
        let (group, word) = (self.shifted_right(cx, lane, 4), self.low_bits(cx, lane, 4));
        let at = [self.shifted_right(cx, warp, m.warps[1]), self.low_bits(cx, warp, m.warps[1])];
        let tile = [self.s.rows_per_task, self.s.columns_per_task];
        let first: [V; 2] = std::array::from_fn(|d| self.scaled(cx, at[d], tile[d] / m.warps[d]));
        let lines = first.map(|first| cx.b.add(first, group));
        let pair = self.scaled(cx, word, 2);
        let places = || std::array::from_fn(|d| self.places(cx, lines[d], word, copied[d].pieces));
        let places = (m.in_word() == 1).then(places);
        Own { first, lines, column: cx.b.add(first[1], pair), lane, word, places }
    }

    /// The row and the column of a sum in the tile: fragment by fragment, four of each.
    pub(super) fn place_of_sum(&self, cx: &mut Emit<'r>, m: &Matrices, own: &Own, n: i64) -> [V; 2] {
        let [_, across] = m.fragments([self.s.rows_per_task, self.s.columns_per_task]);
        let (fragment, register) = (n / 4, n % 4);
        let zero = cx.b.i64(0);
        let row = fragment / across * ROWS + register / 2 * (ROWS / 2);
        let column = fragment % across * COLUMNS + register % 2;
        [self.offset(cx, own.lines[0], zero, row), self.offset(cx, own.column, zero, column)]
    }

    /// Steps of the units for so many elements of k.
    pub(super) fn steps_of_units(&self, m: &Matrices, count: i64) -> i64 {
        let per_step = FRAGMENT * m.in_word();
        (count + per_step - 1) / per_step
    }

    /// The sums after these steps of the units, of the elements of k that are in this part of the arrays.
    pub(super) fn of_words(
        &self,
        cx: &mut Emit<'r>,
        copied: &[Copied<'r>; 2],
        (m, own): (&Matrices, &Own),
        (part, steps): (V, Range<i64>),
        sums: &[V],
    ) -> Vec<V> {
        let [down, across] = m.fragments([self.s.rows_per_task, self.s.columns_per_task]);
        let mut sums = sums.to_vec();
        for step in steps {
            let word = |cx: &mut Emit<'r>, d: usize, line: i64, word: i64| {
                let word = step * FRAGMENT + word;
                let at = match &own.places {
                    Some(places) => {
                        let skipped = self.start_of_part(cx, &copied[d], part);
                        self.place_of_word(cx, &places[d], skipped, (line, word))
                    }
                    None => {
                        let zero = cx.b.i64(0);
                        let line = self.offset(cx, own.lines[d], zero, line);
                        let word = self.offset(cx, own.word, zero, word);
                        let place = self.word_place(cx, line, word);
                        let skipped = self.start_of_part(cx, &copied[d], part);
                        self.offset(cx, place, skipped, 0)
                    }
                };
                let value = cx.b.load(copied[d].buf, at, self.s.lanes, None);
                match copied[d].pieces {
                    Some(_) => self.factor(cx, value, (copied[d].operand, m.factors[d])),
                    None => value,
                }
            };
            let halves = copied.each_ref().map(|operand| operand.pieces.filter(Pieces::are_halves));
            let right: Vec<[V; 2]> = match halves[1] {
                None => (0..across).map(|n| [0, 4].map(|w| word(cx, 1, n * COLUMNS, w))).collect(),
                // Two fragments at once.
                Some(pieces) => (0..across / 2)
                    .flat_map(|n| {
                        let [a, b, c, d] = self.loaded_matrices(
                            cx,
                            (&copied[1], pieces),
                            own,
                            (1, n * 2 * COLUMNS),
                            (part, step),
                        );
                        [[a, b], [c, d]]
                    })
                    .collect(),
            };
            for i in 0..down {
                let left = match halves[0] {
                    None => [(0, 0), (8, 0), (0, 4), (8, 4)].map(|(line, w)| word(cx, 0, i * ROWS + line, w)),
                    Some(pieces) => {
                        self.loaded_matrices(cx, (&copied[0], pieces), own, (0, i * ROWS), (part, step))
                    }
                };
                for (j, &right) in right.iter().enumerate() {
                    let first = 4 * (i as usize * across as usize + j);
                    let before = std::array::from_fn(|n| sums[first + n]);
                    let after = cx.b.matrix_product(m.factors, left, right, before);
                    sums[first..first + 4].copy_from_slice(&after);
                }
            }
        }
        sums
    }

    /// The pieces of an operand that each thread copies: the rows of its array are lines where it lies along k, else elements of k.
    pub(super) fn in_pieces(
        &self,
        cx: &mut Emit<'r>,
        (start, axis): (&Point<'r>, usize),
        side: i64,
        (windows, pieces): (&Windows, &Pieces),
    ) -> Result<Vec<Element<'r>>, Refusal> {
        let (of_row, elements) = (pieces.of_row(), pieces.elements());
        let threads = self.threads(cx);
        let zero = cx.b.i64(0);
        let mut copied = Vec::new();
        for n in 0..side * self.s.block / (elements * self.s.lanes as i64) {
            let piece = self.offset(cx, threads, zero, n * self.s.lanes as i64);
            let (column, line) = (self.low_bits(cx, piece, of_row), self.shifted_right(cx, piece, of_row));
            let place = self.piece_place(cx, line, column, pieces);
            let column = self.scaled(cx, column, elements);
            let (k, along) = if pieces.along_k { (column, line) } else { (line, column) };
            let at = self.offset(cx, along, start.at[axis], 0);
            let mut point = start.moved(self.l.region, axis, at);
            point.lanes = self.s.lanes;
            copied.push(Element { from: ReadAt::Window(self.window(cx, windows, point, k)?), place });
        }
        Ok(copied)
    }

    /// Four matrices of 8 × 8 halves, from these lines of the warp on: of rows, the second 8 lines come second and the second 8
    /// elements of k third; of columns the other way.
    fn loaded_matrices(
        &self,
        cx: &mut Emit<'r>,
        (copied, pieces): (&Copied<'r>, Pieces),
        own: &Own,
        (d, lines): (usize, i64),
        (part, step): (V, i64),
    ) -> [V; 4] {
        let (row, matrix) = (self.low_bits(cx, own.lane, 8), self.shifted_right(cx, own.lane, 8));
        let (low, high) = (self.low_bits(cx, matrix, 2), self.shifted_right(cx, matrix, 2));
        let (by_lines, by_k) = if d == 0 { (low, high) } else { (high, low) };
        let zero = cx.b.i64(0);
        let first = self.offset(cx, own.first[d], zero, lines);
        let (line, piece) = match pieces.along_k {
            true => {
                let second = self.scaled(cx, by_lines, 8);
                let line = cx.b.add(first, row);
                (cx.b.add(line, second), self.offset(cx, by_k, zero, 2 * step))
            }
            false => {
                let second = self.scaled(cx, by_k, 8);
                let k = self.offset(cx, row, zero, 16 * step);
                let piece = self.shifted_right(cx, first, pieces.elements());
                (cx.b.add(k, second), cx.b.add(piece, by_lines))
            }
        };
        let place = self.piece_place(cx, line, piece, &pieces);
        let skipped = self.start_of_part(cx, copied, part);
        let at = self.offset(cx, place, skipped, 0);
        cx.b.load_matrices(copied.buf, at, !pieces.along_k)
    }

    /// The words whose first factors are at these elements of the block of k; factors beyond the last one are zero.
    pub(super) fn word(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (block, within): (&BlockOfK, V),
        (operand, factor): (NodeId, Factor),
    ) -> Result<V, Refusal> {
        let ty = Type::vector(Elem::I32, self.s.lanes);
        let none = cx.b.constant(ty, 0);
        let mut word = none;
        let (k, zero) = (self.l.axes.extents.len() - 1, cx.b.i64(0));
        let together = self.together(factor);
        let (mut first, mut is_there) = (point.clone(), None);
        for n in 0..factor.in_word() {
            if n % together == 0 {
                let within = self.offset(cx, within, zero, n);
                first = self.in_block(cx, point, (block, within), together);
                is_there = block.is_rest.then(|| self.is_there(cx, block, within));
            }
            let at = self.offset(cx, first.at[k], zero, n % together);
            let mut element = first.moved(self.l.region, k, at);
            self.read_all(cx, &mut element, operand)?;
            let value = cx.vector(&mut element, operand)?;
            let mut bits = self.factor(cx, value, (operand, factor));
            if let Some(is_there) = is_there {
                bits = cx.b.select(is_there, bits, none);
            }
            let by = cx.b.constant(ty, (32 / factor.in_word() * n) as u64);
            let bits = cx.b.bin(Bin::Shl, bits, by);
            word = cx.b.bin(Bin::Or, word, bits);
        }
        Ok(word)
    }

    /// The same of windows.
    pub(super) fn word_of_array(
        &self,
        cx: &mut Emit<'r>,
        (windows, window): (&Windows, &Window<'r>),
        block: &BlockOfK,
        factor: Factor,
    ) -> Result<V, Refusal> {
        let ty = Type::vector(Elem::I32, self.s.lanes);
        let load = windows.gathered.load;
        let mut word = cx.b.constant(ty, 0);
        for n in 0..factor.in_word() {
            let (place, inside) = self.windows_at(cx, (windows, window), block, n)?;
            let value = self.read(cx, load, (windows.array, place), inside);
            let bits = self.factor(cx, value, (load, factor));
            let by = cx.b.constant(ty, (32 / factor.in_word() * n) as u64);
            let bits = cx.b.bin(Bin::Shl, bits, by);
            word = cx.b.bin(Bin::Or, word, bits);
        }
        Ok(word)
    }

    /// Factors of a word that are neighbours along the innermost axis of the sum, and share the others' indices.
    fn together(&self, factor: Factor) -> i64 {
        let innermost = self.l.axes.inner_extents().last().copied().unwrap_or(1);
        if innermost % factor.in_word() == 0 { factor.in_word() } else { 1 }
    }

    /// Whether there are these elements of the block of k.
    pub(super) fn is_there(&self, cx: &mut Emit<'r>, block: &BlockOfK, within: V) -> V {
        let k = self.offset(cx, within, block.first, 0);
        let length = cx.b.i64(self.length);
        let length = cx.b.widen_to(length, self.s.lanes);
        cx.b.cmp(Cmp::Slt, k, length)
    }

    /// The bits of a factor in the lowest ones of an I32.
    fn factor(&self, cx: &mut Emit<'r>, value: V, (operand, factor): (NodeId, Factor)) -> V {
        let dtype = self.l.region.dtype(operand);
        let ty = Type::vector(Elem::I32, self.s.lanes);
        match factor {
            Factor::F16 | Factor::Bf16 => {
                let bits = scalar::to_memory(&mut cx.b, value, dtype);
                cx.b.cast(Cast::Zext, bits, Elem::I32)
            }
            // Half of what is ignored is added: to nearest, ties away from zero. A NaN stays one.
            Factor::Tf32 => {
                let bits = cx.b.cast(Cast::Bits, value, Elem::I32);
                let half = cx.b.constant(ty, 1 << 12);
                let rounded = cx.b.add(bits, half);
                let is_nan = cx.b.cmp(Cmp::FNe, value, value);
                cx.b.select(is_nan, bits, rounded)
            }
            Factor::S8 | Factor::U8 => {
                let bits = scalar::to_memory(&mut cx.b, value, dtype);
                if cx.b.ty_of(bits).elem == Elem::I8 {
                    return cx.b.cast(Cast::Zext, bits, Elem::I32);
                }
                let mask = cx.b.constant(ty, 0xff);
                cx.b.bin(Bin::And, bits, mask)
            }
        }
    }

    /// A vector times a number.
    pub(super) fn scaled(&self, cx: &mut Emit<'r>, v: V, by: i64) -> V {
        let by = cx.b.i64(by);
        let by = cx.b.widen_to(by, self.s.lanes);
        cx.b.mul(v, by)
    }
}
