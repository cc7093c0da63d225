//! Operands in words of several elements of k: a word is what an element is to other products.
//!
//! An instruction of vectors multiplies unsigned bytes by signed ones. Of a signed operand 128 more is multiplied, and the
//! accumulators begin with what that is too much. Tile registers multiply bytes of either kind, and pairs of BF16; for them
//! zeros fill the last tile.

use super::contraction::{Contraction, Task};
use super::pack::latest;
use crate::loop_ir::{Bin, Buf, Cast, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::plan::Words;
use crate::refusal::Refusal;
use crate::region::NodeId;

/// What is added to signed bytes.
const SHIFT: u64 = 0x80;

impl<'r> Contraction<'r> {
    /// Packs elements `lo..hi` of the vector operand for the tile's columns, a word for each column, and writes to `begin`
    /// with what its accumulators begin.
    pub(super) fn pack_words(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (packed, begin): (Buf, Option<Buf>),
        (lo, hi): (V, V),
        words: Words,
    ) -> Result<(), Refusal> {
        let (lanes, in_word) = (self.s.lanes, words.in_word());
        let mut vectors = self.vectors(cx, point);
        for p in &mut vectors {
            self.hoist(cx, p, words.vector)?;
        }
        let first = cx.b.i64(0);
        let ty = Type::vector(Elem::I32, lanes);
        let zeros: Vec<V> = vectors.iter().map(|_| cx.b.constant(ty, 0)).collect();
        let sums = cx.for_loop((lo, hi, in_word), &zeros, |cx, k, sums| {
            let from = cx.b.sub(k, lo);
            let from = self.words_before(cx, from, words);
            let mut next = Vec::new();
            for (v, (p, &sum)) in vectors.iter().zip(sums).enumerate() {
                let mut word: Option<V> = None;
                for n in 0..in_word {
                    let at = cx.b.i64(n);
                    let k = cx.b.add(k, at);
                    let x = self.bits(cx, &mut self.at_k(p, &[k]), words.vector)?;
                    let x = cx.b.cast(Cast::Zext, x, Elem::I32);
                    word = Some(match word {
                        Some(word) => {
                            let by = cx.b.constant(ty, (32 / in_word * n) as u64);
                            let x = cx.b.bin(Bin::Shl, x, by);
                            cx.b.bin(Bin::Or, word, x)
                        }
                        None => x,
                    });
                }
                let Some(word) = word else { continue };
                let offset = self.packed_at(cx, first, from, v);
                cx.b.store(packed, offset, word, None);
                let shift = cx.b.constant(ty, SHIFT * 0x0101_0101);
                next.push(if begin.is_some() { cx.b.op(Op::DotBytes(shift, word, sum)) } else { sum });
            }
            Ok(next)
        })?;
        self.fill_words(cx, words, |cx, from| {
            for v in 0..vectors.len() {
                let offset = self.packed_at(cx, first, from, v);
                let zero = cx.b.constant(ty, 0);
                cx.b.store(packed, offset, zero, None);
            }
        })?;
        if let Some(begin) = begin {
            for (v, sum) in sums.into_iter().enumerate() {
                let at = cx.b.i64(v as i64 * lanes as i64);
                let zero = self.sums.initial(cx, lanes);
                let less = cx.b.bin(Bin::Sub, zero, sum);
                cx.b.store(begin, at, less, None);
            }
        }
        Ok(())
    }

    /// Words of elements `lo..hi` of the other operand for all rows of the task.
    pub(super) fn words_ahead(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        ahead: Buf,
        (lo, hi): (V, V),
        words: Words,
    ) -> Result<(), Refusal> {
        let (first, end) = task.rows;
        let lanes = self.s.lanes_ahead;
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let mut point = match self.s.row {
                Some(axis) => task.start.moved(self.l.region, axis, row),
                None => task.start.clone(),
            };
            self.hoist(cx, &mut point, words.scalar)?;
            let from_first = cx.b.sub(row, first);
            let line = self.line_ahead(cx, task, from_first, 0);
            self.fill_words(cx, words, |cx, from| {
                let offset = self.ahead_at(cx, task, line, from);
                let zero = cx.b.constant(Type::scalar(Elem::I32), 0);
                cx.b.store(ahead, offset, zero, None);
            })?;
            cx.for_loop((lo, hi, lanes as i64), &[], |cx, k, _| {
                let k = latest(cx, k, hi, lanes as i64);
                let axis = self.l.axes.extents.len() - 1;
                let mut p = self.at_k(&point, &[k]).spread(self.l.region, axis, k, lanes);
                let x = self.bits(cx, &mut p, words.scalar)?;
                let x = match words.is_shifted() {
                    true => {
                        let shift = cx.b.constant(Type::vector(Elem::I8, lanes), SHIFT);
                        cx.b.bin(Bin::Xor, x, shift)
                    }
                    false => x,
                };
                let of_k = cx.b.op(Op::Regroup { value: x, to: Elem::I32 });
                let from = cx.b.sub(k, lo);
                let from = self.words_before(cx, from, words);
                let offset = self.ahead_at(cx, task, line, from);
                cx.b.store(ahead, offset, of_k, None);
                Ok(Vec::new())
            })
        })?;
        Ok(())
    }

    /// The bits of factors of an operand.
    fn bits(&self, cx: &mut Emit<'r>, point: &mut Point<'r>, operand: NodeId) -> Result<V, Refusal> {
        let x = cx.vector(point, operand)?;
        Ok(scalar::to_memory(&mut cx.b, x, self.l.region.dtype(operand)))
    }

    /// Words of so many elements of k.
    fn words_before(&self, cx: &mut Emit<'r>, elements: V, words: Words) -> V {
        let in_word = cx.b.i64(words.in_word());
        cx.b.bin(Bin::SDiv, elements, in_word)
    }

    /// Runs `body` for each word that fills the last tile.
    fn fill_words(
        &self,
        cx: &mut Emit<'r>,
        words: Words,
        body: impl FnOnce(&mut Emit<'r>, V),
    ) -> Result<(), Refusal> {
        let (first, end) = (self.s.block / words.in_word(), self.steps());
        if first < end {
            let (first, end) = (cx.b.i64(first), cx.b.i64(end));
            cx.for_loop((first, end, 1), &[], |cx, from, _| {
                body(cx, from);
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }
}
