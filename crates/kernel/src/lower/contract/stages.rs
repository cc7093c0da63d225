//! Products whose operands are both halves that are copied in pieces: blocks of k are on their way to several parts of the arrays while
//! one is multiplied. A thread's copies of a block are a group; of these it waits for all but the last ones. One barrier for each block
//! says that all threads have waited, and that all have multiplied the block before, to whose part the next one is copied.

use super::contraction::Contraction;
use super::matrices::Own;
use super::operand::Copied;
use crate::loop_ir::{Bin, V};
use crate::lower::emit::Emit;
use crate::plan::Matrices;
use crate::refusal::Refusal;

/// What a stage is of: operands, and what multiplies them.
#[derive(Clone, Copy)]
struct Stages<'a, 'r> {
    copied: &'a [Copied<'r>; 2],
    units: (&'a Matrices, &'a Own),
}

impl Stages<'_, '_> {
    /// Parts of the arrays.
    fn parts(&self) -> i64 {
        self.units.0.stages
    }
}

impl<'r> Contraction<'r> {
    /// The sums of a tile that a thread has.
    pub(super) fn in_stages(
        &self,
        cx: &mut Emit<'r>,
        copied: &[Copied<'r>; 2],
        units: (&Matrices, &Own),
    ) -> Result<Vec<V>, Refusal> {
        let stages = Stages { copied, units };
        let blocks = (self.length + self.s.block - 1) / self.s.block;
        let has_rest = self.length % self.s.block != 0;
        let ahead = stages.parts() - 1;
        for n in 0..ahead {
            let block = cx.b.i64(n);
            self.begin(cx, stages, block, has_rest && n + 1 == blocks)?;
        }
        let inits = vec![self.sums.initial(cx, self.s.lanes); (self.s.rows * self.s.tile as i64) as usize];
        // A last block that is not whole is copied by code of its own, and none follows the last ones.
        let followed = blocks - ahead;
        let whole = (followed - has_rest as i64).max(0);
        let [zero, whole_end, followed_end, end] = [0, whole, followed, blocks].map(|n| cx.b.i64(n));
        let mut sums = cx.for_loop((zero, whole_end, 1), &inits, |cx, block, sums| {
            self.stage(cx, stages, (block, Some(false)), sums)
        })?;
        if followed > whole {
            sums = self.stage(cx, stages, (whole_end, Some(true)), &sums)?;
        }
        cx.for_loop((followed_end, end, 1), &sums, |cx, block, sums| {
            self.stage(cx, stages, (block, None), sums)
        })
    }

    /// The sums after a block of k, while another is copied, of which it is said whether it may be the rest.
    fn stage(
        &self,
        cx: &mut Emit<'r>,
        stages: Stages<'_, 'r>,
        (block, following): (V, Option<bool>),
        sums: &[V],
    ) -> Result<Vec<V>, Refusal> {
        let ahead = stages.parts() - 1;
        cx.b.await_copies(Some(ahead as u32 - 1));
        cx.b.barrier();
        let part = self.part_of(cx, block, stages.parts());
        // The first products come before the copies, so that the units are not idle while these are begun.
        let (copied, units) = (stages.copied, stages.units);
        let steps = self.steps_of_units(units.0, self.s.block);
        let sums = self.of_words(cx, copied, units, (part, 0..1), sums);
        match following {
            Some(is_rest) => {
                let ahead = cx.b.i64(ahead);
                let after = cx.b.add(block, ahead);
                self.begin(cx, stages, after, is_rest)?;
            }
            // Each stage has a group, so that it is known how many of the last ones may be under way.
            None => cx.b.group_copies(),
        }
        Ok(self.of_words(cx, copied, units, (part, 1..steps), &sums))
    }

    /// Begins to copy a block of k to its part of the arrays; beyond the last element there are zeros.
    fn begin(
        &self,
        cx: &mut Emit<'r>,
        stages: Stages<'_, 'r>,
        block: V,
        is_rest: bool,
    ) -> Result<(), Refusal> {
        let size = cx.b.i64(self.s.block);
        let first = cx.b.mul(block, size);
        let part = self.part_of(cx, block, stages.parts());
        let block = self.block_of_k(cx, first, part, is_rest);
        for operand in stages.copied {
            self.loaded(cx, operand, &block)?;
        }
        cx.b.group_copies();
        Ok(())
    }

    /// The part of the arrays that a block of k has.
    fn part_of(&self, cx: &mut Emit<'r>, block: V, parts: i64) -> V {
        let (op, by) = if parts.count_ones() == 1 { (Bin::And, parts - 1) } else { (Bin::URem, parts) };
        let by = cx.b.i64(by);
        cx.b.bin(op, block, by)
    }
}
