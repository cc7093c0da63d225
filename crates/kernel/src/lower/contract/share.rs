//! Which part of an operand's block of k each thread of a block copies.

use super::contraction::Contraction;
use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::plan::BlockTile;

/// What each thread copies: neighbours, and as many again where these are not all. The lowest bits of their number are their step of
/// k, or their line; above them is the other, and where a block has more steps than are copied together, what is left of k.
pub(super) struct Share {
    /// Where its first element lies.
    pub(super) k: V,
    pub(super) line: V,
    along_k: bool,
    neighbours: i64,
    /// How many groups of neighbours the lowest bits tell apart, and how many groups all threads copy at once.
    minor: i64,
    threads: i64,
    side: i64,
    /// Steps of k that are copied together of a line.
    together: i64,
}

impl Share {
    /// How far its n-th element lies beyond its first, along k and in lines.
    pub(super) fn beyond(&self, n: i64) -> [i64; 2] {
        let (group, within) = (n / self.neighbours, n % self.neighbours);
        let further = group * self.threads / self.minor;
        match self.along_k {
            true => [within + further / self.side * self.together, further % self.side],
            false => [further, within],
        }
    }
}

impl<'r> Contraction<'r> {
    /// What each thread copies of so many lines, of the operand of the rows or of the columns.
    pub(super) fn share(&self, cx: &mut Emit<'r>, d: usize, side: i64, team: &BlockTile) -> Share {
        let (along_k, neighbours) = (team.along_k[d], team.neighbours[d]);
        let (steps, together) = (team.steps(self.s.block), team.copied_along_k());
        let minor = if along_k { together } else { side } / neighbours;
        let thread = self.threads(cx);
        let (low, high) = (self.low_bits(cx, thread, minor), self.shifted_right(cx, thread, minor));
        let low = self.scaled(cx, low, neighbours);
        let (k, line) = match (along_k, steps > together) {
            (false, _) => (high, low),
            (true, false) => (low, high),
            (true, true) => {
                let top = self.shifted_right(cx, high, side);
                let top = self.scaled(cx, top, together);
                (cx.b.add(low, top), self.low_bits(cx, high, side))
            }
        };
        Share { k, line, along_k, neighbours, minor, threads: self.s.lanes as i64, side, together }
    }
}
