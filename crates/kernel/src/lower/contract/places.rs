//! Where factors lie in the arrays of a task for matrix units, such that what a warp loads or stores at once lies in different banks of
//! shared memory.
//!
//! - **Words** that the threads put together: a line of the rows or columns has [`WORDS`] words. Word w of line n lies at
//!   16·n + (w xor s), s of the bits 4, 3 (low) and 2, 1 (high) of n: so the 8 lines × 4 words that a warp loads for a fragment go to
//!   different banks, and so do the 32 lines, or 2 whole lines, that it stores at once.
//! - **Pieces** of 16 bytes ([`Pieces`]): in each row they change places by the number of the row.
//!
//! What a thread loads of a fragment lies at a place of its own and steps that all threads have in common, but for what these
//! exclusive ors make of both. That takes few values ([`Places`]), which are made before the loop over k.

use super::contraction::Contraction;
use crate::loop_ir::matrix::WORDS as FRAGMENT;
use crate::loop_ir::{Bin, V};
use crate::lower::emit::Emit;
use crate::plan::{MATRIX_WORDS as WORDS, Matrices};

/// Banks of shared memory, each of a word.
const BANKS: i64 = 32;
/// Lines of a group: neighbours in it are in neighbouring threads, and their turns differ.
const GROUP: i64 = 8;
/// So many groups of lines, of those that a thread has, turn words in different ways, then again.
const TURNS: i64 = 4;
/// Neighbouring words that as many threads load, each its own.
const FOUR: i64 = 4;

/// How an operand lies in pieces of 16 bytes: in rows, which are lines where it lies along k, else elements of k.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    pub(super) along_k: bool,
    /// Words of a row.
    row: i64,
    /// Elements of a word, and words of a piece.
    in_word: i64,
    words: i64,
}

impl Pieces {
    /// Of a tile of so many lines and elements of k.
    pub(super) fn of(m: &Matrices, along_k: bool, (side, block): (i64, i64)) -> Pieces {
        let (in_word, elements) = (m.in_word(), if along_k { block } else { side });
        Pieces { along_k, row: elements / in_word, in_word, words: m.piece() / in_word }
    }

    /// Whether whole matrices of them are loaded.
    pub(super) fn are_halves(&self) -> bool {
        self.in_word == 2
    }

    /// Pieces of a row.
    pub(super) fn of_row(&self) -> i64 {
        self.row / self.words
    }

    /// Elements of a piece.
    pub(super) fn elements(&self) -> i64 {
        self.words * self.in_word
    }
}

/// Where a thread finds the words of its fragments: the sum of one value of each list, and of what is known before.
pub(super) struct Places {
    /// For groups of lines, by the number of the group modulo [`TURNS`].
    of_group: Vec<V>,
    /// For the words of k, each the first of four.
    of_word: Vec<V>,
    /// From a group to the one after the next [`TURNS`], by their number.
    group: i64,
}

impl<'r> Contraction<'r> {
    /// The places of the words of a thread: from its line and its word of four on.
    pub(super) fn places(&self, cx: &mut Emit<'r>, line: V, word: V, pieces: Option<Pieces>) -> Places {
        let zero = cx.b.i64(0);
        let firsts = 0..WORDS / FOUR;
        let groups = 0..TURNS;
        // Elements of k are rows: groups of lines change places.
        if let Some(Pieces { along_k: false, row, words, .. }) = pieces {
            let turn = self.scaled(cx, word, 2);
            let (piece, within) = (self.shifted_right(cx, line, words), self.low_bits(cx, line, words));
            let first = self.scaled(cx, word, row);
            let first = cx.b.add(first, within);
            let of_group = groups.map(|n| {
                let piece = self.offset(cx, piece, zero, n * GROUP / words);
                let piece = cx.b.bin(Bin::Xor, piece, turn);
                let piece = self.scaled(cx, piece, words);
                cx.b.add(first, piece)
            });
            let of_group = of_group.collect();
            let of_word = firsts.map(|n| {
                let first = cx.b.i64(n * FOUR * row);
                cx.b.widen_to(first, self.s.lanes)
            });
            return Places { of_group, of_word: of_word.collect(), group: GROUP };
        }
        let by_two = self.shifted_right(cx, line, 2);
        let high = self.low_bits(cx, by_two, 4);
        let high = self.scaled(cx, high, 4);
        let of_word = firsts.map(|n| {
            let four = cx.b.i64(n * FOUR);
            let four = cx.b.widen_to(four, self.s.lanes);
            cx.b.bin(Bin::Xor, four, high)
        });
        let of_word = of_word.collect();
        let of_group = groups.map(|n| {
            let line = self.offset(cx, line, zero, n * GROUP);
            let first = self.scaled(cx, line, WORDS);
            if pieces.is_some() {
                return cx.b.add(first, word);
            }
            let by_eight = self.shifted_right(cx, line, GROUP);
            let low = self.low_bits(cx, by_eight, 4);
            let word = cx.b.bin(Bin::Xor, word, low);
            cx.b.add(first, word)
        });
        Places { of_group: of_group.collect(), of_word, group: GROUP * WORDS }
    }

    /// The place of the word so many lines, a multiple of a group, and words of k, a multiple of four, beyond those of the thread.
    pub(super) fn place_of_word(
        &self,
        cx: &mut Emit<'r>,
        places: &Places,
        part: V,
        (line, word): (i64, i64),
    ) -> V {
        let group = line / GROUP;
        let (of_group, turns) = (places.of_group[(group % TURNS) as usize], group / TURNS * TURNS);
        let first = self.offset(cx, of_group, part, 0);
        let place = cx.b.add(first, places.of_word[(word / FOUR) as usize]);
        let zero = cx.b.i64(0);
        self.offset(cx, place, zero, turns * places.group)
    }

    /// Where a word of a line lies that a thread has put together.
    pub(super) fn word_place(&self, cx: &mut Emit<'r>, line: V, word: V) -> V {
        let first = self.scaled(cx, line, WORDS);
        let by_two = self.shifted_right(cx, line, 2);
        let high = self.low_bits(cx, by_two, 4);
        let high = self.scaled(cx, high, 4);
        let by_eight = self.shifted_right(cx, line, GROUP);
        let low = self.low_bits(cx, by_eight, 4);
        let turned = cx.b.bin(Bin::Xor, word, high);
        let turned = cx.b.bin(Bin::Xor, turned, low);
        cx.b.add(first, turned)
    }

    /// Where a piece of a row begins, as an element. Eight rows' pieces at the same place, and eight neighbours of a row, lie in
    /// different banks; of words that lie along the lines, two neighbours of each of four rows, which a warp loads for a fragment.
    pub(super) fn piece_place(&self, cx: &mut Emit<'r>, row: V, piece: V, pieces: &Pieces) -> V {
        // Rows that lie side by side in all banks.
        let together = (BANKS / pieces.row).max(1);
        let turn = match pieces.along_k || pieces.are_halves() {
            true => self.shifted_right(cx, row, together),
            false => self.scaled(cx, row, 2),
        };
        let turn = self.low_bits(cx, turn, pieces.of_row().min(GROUP));
        let piece = cx.b.bin(Bin::Xor, piece, turn);
        let first = self.scaled(cx, row, pieces.row * pieces.in_word);
        let piece = self.scaled(cx, piece, pieces.elements());
        cx.b.add(first, piece)
    }
}

/// Fragments have whole fours of words, and lines whole fragments.
const _: () = assert!(FRAGMENT % FOUR == 0 && WORDS % FRAGMENT == 0);
