//! Tiles of products by the matrix units of warps: how words of factors lie in the arrays of a task, and which thread has what.
//!
//! A line has [`WORDS`] words. Word w of line n lies at 16·n + (w xor s), s of the bits 4, 3 (low) and 2, 1 (high) of n: so the 8 lines
//! × 4 words that a warp reads for a fragment go to different banks of shared memory, and so do the 32 lines, or 2 whole lines,
//! that it stores at once.

use super::block_of_k::BlockOfK;
use super::contraction::Contraction;
use super::operand::{Copied, Element, ReadAt};
use super::windows::{Window, Windows};
use crate::loop_ir::matrix::{COLUMNS, ROWS, WORDS as FRAGMENT};
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Factor, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::plan::{MATRIX_WORDS as WORDS, Matrices, PIECE};
use crate::refusal::Refusal;
use crate::region::NodeId;

/// Banks of shared memory.
const BANKS: i64 = 32;

/// What a thread has of the tile, as vectors: lines of the rows and of the columns, the first column of its results, its word,
/// and its number in the warp.
pub(super) struct Own {
    /// The first line of the warp, of the rows and of the columns, and that with the thread's group.
    first: [V; 2],
    lines: [V; 2],
    column: V,
    word: V,
    lane: V,
}

impl<'r> Contraction<'r> {
    pub(super) fn own_fragments(&self, cx: &mut Emit<'r>, m: &Matrices) -> Own {
        let thread = self.threads(cx);
        let (warp, lane) = (self.shifted_right(cx, thread, 32), self.low_bits(cx, thread, 32));
        let (group, word) = (self.shifted_right(cx, lane, 4), self.low_bits(cx, lane, 4));
        let at = [self.shifted_right(cx, warp, m.warps[1]), self.low_bits(cx, warp, m.warps[1])];
        let tile = [self.s.rows_per_task, self.s.columns_per_task];
        let first: [V; 2] = std::array::from_fn(|d| self.scaled(cx, at[d], tile[d] / m.warps[d]));
        let lines = first.map(|first| cx.b.add(first, group));
        let pair = self.scaled(cx, word, 2);
        Own { first, lines, column: cx.b.add(first[1], pair), word, lane }
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

    /// The sums after so many elements of k, which are in this half of the arrays.
    pub(super) fn of_words(
        &self,
        cx: &mut Emit<'r>,
        copied: &[Copied<'r>; 2],
        (m, own): (&Matrices, &Own),
        (half, count): (V, i64),
        sums: &[V],
    ) -> Vec<V> {
        let [down, across] = m.fragments([self.s.rows_per_task, self.s.columns_per_task]);
        let per_step = FRAGMENT * m.in_word();
        let mut sums = sums.to_vec();
        for step in 0..(count + per_step - 1) / per_step {
            let word = |cx: &mut Emit<'r>, d: usize, line: i64, word: i64| {
                let zero = cx.b.i64(0);
                let line = self.offset(cx, own.lines[d], zero, line);
                let word = self.offset(cx, own.word, zero, step * FRAGMENT + word);
                let place = self.word_place(cx, line, word);
                let skipped = self.half(cx, &copied[d], half);
                let at = self.offset(cx, place, skipped, 0);
                cx.b.load(copied[d].buf, at, self.s.lanes, None)
            };
            let right: Vec<[V; 2]> = match copied[1].pieces {
                None => (0..across).map(|n| [0, 4].map(|w| word(cx, 1, n * COLUMNS, w))).collect(),
                // Two fragments at once.
                Some(_) => (0..across / 2)
                    .flat_map(|n| {
                        let [a, b, c, d] =
                            self.loaded_matrices(cx, &copied[1], own, (1, n * 2 * COLUMNS), (half, step));
                        [[a, b], [c, d]]
                    })
                    .collect(),
            };
            for i in 0..down {
                let left = match copied[0].pieces {
                    None => [(0, 0), (8, 0), (0, 4), (8, 4)].map(|(line, w)| word(cx, 0, i * ROWS + line, w)),
                    Some(_) => self.loaded_matrices(cx, &copied[0], own, (0, i * ROWS), (half, step)),
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
        (windows, along_k): (&Windows, bool),
    ) -> Result<Vec<Element<'r>>, Refusal> {
        let row = if along_k { self.s.block } else { side };
        let threads = self.threads(cx);
        let zero = cx.b.i64(0);
        let mut elements = Vec::new();
        for n in 0..side * self.s.block / (PIECE * self.s.lanes as i64) {
            let piece = self.offset(cx, threads, zero, n * self.s.lanes as i64);
            let (column, line) =
                (self.low_bits(cx, piece, row / PIECE), self.shifted_right(cx, piece, row / PIECE));
            let place = self.piece_place(cx, line, column, row);
            let column = self.scaled(cx, column, PIECE);
            let (k, along) = if along_k { (column, line) } else { (line, column) };
            let at = self.offset(cx, along, start.at[axis], 0);
            let mut point = start.moved(self.l.region, axis, at);
            point.lanes = self.s.lanes;
            elements.push(Element { from: ReadAt::Window(self.window(cx, windows, point, k)?), place });
        }
        Ok(elements)
    }

    /// Where a piece of a row of so many elements begins. Eight rows' pieces at the same place, and eight neighbours of a row, lie in
    /// different banks.
    fn piece_place(&self, cx: &mut Emit<'r>, row: V, piece: V, elements: i64) -> V {
        let pieces = elements / PIECE;
        // Rows that lie side by side in all banks.
        let together = (BANKS * 2 / elements).max(1);
        let turn = self.shifted_right(cx, row, together);
        let turn = self.low_bits(cx, turn, pieces.min(8));
        let piece = cx.b.bin(Bin::Xor, piece, turn);
        let (first, piece) = (self.scaled(cx, row, elements), self.scaled(cx, piece, PIECE));
        cx.b.add(first, piece)
    }

    /// Four matrices of 8 × 8 halves, from these lines of the warp on: of rows, the second 8 lines come second and the second 8
    /// elements of k third; of columns the other way.
    fn loaded_matrices(
        &self,
        cx: &mut Emit<'r>,
        copied: &Copied<'r>,
        own: &Own,
        (d, lines): (usize, i64),
        (half, step): (V, i64),
    ) -> [V; 4] {
        let along_k = copied.pieces == Some(true);
        let (row, matrix) = (self.low_bits(cx, own.lane, 8), self.shifted_right(cx, own.lane, 8));
        let (low, high) = (self.low_bits(cx, matrix, 2), self.shifted_right(cx, matrix, 2));
        let (by_lines, by_k) = if d == 0 { (low, high) } else { (high, low) };
        let zero = cx.b.i64(0);
        let first = self.offset(cx, own.first[d], zero, lines);
        let (line, piece, elements) = match along_k {
            true => {
                let second = self.scaled(cx, by_lines, 8);
                let line = cx.b.add(first, row);
                (cx.b.add(line, second), self.offset(cx, by_k, zero, 2 * step), self.s.block)
            }
            false => {
                let second = self.scaled(cx, by_k, 8);
                let k = self.offset(cx, row, zero, 16 * step);
                let piece = self.shifted_right(cx, first, PIECE);
                (cx.b.add(k, second), cx.b.add(piece, by_lines), copied.side)
            }
        };
        let place = self.piece_place(cx, line, piece, elements);
        let skipped = self.half(cx, copied, half);
        let at = self.offset(cx, place, skipped, 0);
        cx.b.load_matrices(copied.buf, at, !along_k)
    }

    /// Where a word of a line lies.
    pub(super) fn word_place(&self, cx: &mut Emit<'r>, line: V, word: V) -> V {
        let first = self.scaled(cx, line, WORDS);
        let by_two = self.shifted_right(cx, line, 2);
        let high = self.low_bits(cx, by_two, 4);
        let high = self.scaled(cx, high, 4);
        let by_eight = self.shifted_right(cx, line, 8);
        let low = self.low_bits(cx, by_eight, 4);
        let turned = cx.b.bin(Bin::Xor, word, high);
        let turned = cx.b.bin(Bin::Xor, turned, low);
        cx.b.add(first, turned)
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
