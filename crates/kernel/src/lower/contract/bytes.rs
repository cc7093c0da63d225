//! Products of bytes, four elements of k at a time: a word of four is what an element is to other products.
//!
//! An instruction multiplies unsigned bytes by signed ones. Of a signed operand 128 more is multiplied, and the
//! accumulators begin with what that is too much.

use super::contraction::{Contraction, Task, WORD};
use super::pack::latest;
use crate::loop_ir::{Bin, Buf, Cast, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::plan::Bytes;
use crate::refusal::Refusal;

/// What is added to signed bytes.
const SHIFT: u64 = 0x80;

impl<'r> Contraction<'r> {
    /// Packs elements `lo..hi` of the vector operand for the tile's columns, a word for each column, and writes to `begin`
    /// with what its accumulators begin.
    pub(super) fn pack_bytes(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (packed, begin): (Buf, Option<Buf>),
        (lo, hi): (V, V),
        bytes: Bytes,
    ) -> Result<(), Refusal> {
        let lanes = self.s.lanes;
        let mut vectors = self.vectors(cx, point);
        for p in &mut vectors {
            self.hoist(cx, p, bytes.vector)?;
        }
        let ty = Type::vector(Elem::I32, lanes);
        let zeros: Vec<V> = vectors.iter().map(|_| self.zero(cx, lanes)).collect();
        let sums = cx.for_loop((lo, hi, WORD), &zeros, |cx, k, sums| {
            let from = cx.b.sub(k, lo);
            let word = cx.b.i64(WORD);
            let from = cx.b.bin(Bin::SDiv, from, word);
            let mut next = Vec::new();
            for (v, (p, &sum)) in vectors.iter().zip(sums).enumerate() {
                let mut word: Option<V> = None;
                for n in 0..WORD {
                    let at = cx.b.i64(n);
                    let k = cx.b.add(k, at);
                    let x = cx.vector(&mut self.at_k(p, &[k]), bytes.vector)?;
                    let x = cx.b.cast(Cast::Zext, x, Elem::I32);
                    word = Some(match word {
                        Some(word) => {
                            let by = cx.b.constant(ty, 8 * n as u64);
                            let x = cx.b.bin(Bin::Shl, x, by);
                            cx.b.bin(Bin::Or, word, x)
                        }
                        None => x,
                    });
                }
                let Some(word) = word else { continue };
                let offset = self.packed_at(cx, from, v);
                cx.b.store(packed, offset, word, None);
                let shift = cx.b.constant(ty, SHIFT * 0x0101_0101);
                next.push(if begin.is_some() { cx.b.op(Op::DotBytes(shift, word, sum)) } else { sum });
            }
            Ok(next)
        })?;
        if let Some(begin) = begin {
            for (v, sum) in sums.into_iter().enumerate() {
                let at = cx.b.i64(v as i64 * lanes as i64);
                let zero = self.zero(cx, lanes);
                let less = cx.b.bin(Bin::Sub, zero, sum);
                cx.b.store(begin, at, less, None);
            }
        }
        Ok(())
    }

    /// Words of elements `lo..hi` of the other operand for all rows of the task.
    pub(super) fn bytes_ahead(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        ahead: Buf,
        (lo, hi): (V, V),
        bytes: Bytes,
    ) -> Result<(), Refusal> {
        let (first, end) = task.rows;
        let lanes = self.s.lanes_ahead;
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let mut point = match self.s.row {
                Some(axis) => task.start.moved(self.l.region, axis, row),
                None => task.start.clone(),
            };
            self.hoist(cx, &mut point, bytes.scalar)?;
            let from_first = cx.b.sub(row, first);
            let line = self.line_ahead(cx, task, from_first, 0);
            cx.for_loop((lo, hi, lanes as i64), &[], |cx, k, _| {
                let k = latest(cx, k, hi, lanes as i64);
                let axis = self.l.axes.extents.len() - 1;
                let mut p = self.at_k(&point, &[k]).spread(self.l.region, axis, k, lanes);
                let x = cx.vector(&mut p, bytes.scalar)?;
                let x = match bytes.signed {
                    true => {
                        let shift = cx.b.constant(Type::vector(Elem::I8, lanes), SHIFT);
                        cx.b.bin(Bin::Xor, x, shift)
                    }
                    false => x,
                };
                let words = cx.b.op(Op::Regroup { value: x, to: Elem::I32 });
                let from = cx.b.sub(k, lo);
                let word = cx.b.i64(WORD);
                let from = cx.b.bin(Bin::SDiv, from, word);
                let offset = self.ahead_at(cx, task, line, from);
                cx.b.store(ahead, offset, words, None);
                Ok(Vec::new())
            })
        })?;
        Ok(())
    }
}
