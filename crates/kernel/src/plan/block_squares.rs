//! Which squares of a transpose the warps of a block take, on a graphics processor, where lines do not begin at sectors.
//!
//! Where the squares of two blocks meet, the sectors of the lines that go across are moved by both. So a block has an area of squares
//! that is about as high as wide, or as high or wide as the array: the narrower the elements, the larger, since a sector has more
//! of them. A warp has several squares then, one after the other, as far as that leaves work for all warps of the device.

use crate::target::{Target, block_warps};

/// Neighbouring squares that a block takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockSquares {
    /// Squares down and across.
    pub rows: i64,
    pub columns: i64,
    /// Warps of a block, each of which has a task, and squares of a task.
    pub tasks: i64,
    pub per_task: i64,
}

/// Lines of an array that go across squares: of so many elements, of so many bytes each, so many elements apart.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) extent: i64,
    pub(super) bytes: i64,
    pub(super) apart: i64,
}

const SECTOR: i64 = 32;
/// More than the least that may be moved, of all: a bit less than what is asked of kernels.
const MOST: f64 = 0.05;
/// Squares of a warp at the most.
const MOST_SQUARES: i64 = 64;

impl Lines {
    /// Elements of a sector that another block moves too, on average, where two meet.
    fn shared(self) -> i64 {
        let sector = (SECTOR / self.bytes).max(1);
        let step = gcd(self.apart, sector);
        sector - step
    }

    /// What blocks of `squares` of `n` elements move of the least, beyond it. The last of them meets the first one of the next
    /// line.
    fn twice(self, squares: i64, n: i64) -> f64 {
        let all = (self.extent + n - 1) / n;
        let blocks = (all + squares - 1) / squares;
        if blocks == 1 {
            return 0.0;
        }
        // The last square of a line begins earlier where it has less than all elements: some are moved again.
        let again = if (blocks - 1) * squares == all - 1 { n * all - self.extent } else { 0 };
        (blocks * self.shared() + again) as f64 / self.extent as f64
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The area of a block for squares of `n` × `n` elements that are read along `read` and written along `written`, of so many planes;
/// `local` bytes are a warp's. `None` where all lines begin at sectors.
pub(super) fn block_squares(
    (n, planes, local): (i64, i64, i64),
    (read, written): (Lines, Lines),
    target: &Target,
) -> Option<BlockSquares> {
    target.gpu?;
    let tasks = block_warps(local)?;
    let (down, across) = ((read.extent + n - 1) / n, (written.extent + n - 1) / n);
    if read.shared() + written.shared() == 0 {
        return None;
    }
    let twice = |rows: i64, columns: i64| (read.twice(rows, n) + written.twice(columns, n)) / 2.0;
    let most = (planes * down * across / target.tasks()).clamp(1, MOST_SQUARES);
    let mut best = None::<(f64, BlockSquares)>;
    for per_task in 1..=most {
        let all = tasks * per_task;
        for rows in 1..=down.min(all) {
            let columns = (all / rows).min(across);
            let more = twice(rows, columns);
            if best.is_none_or(|(least, _)| more < least) {
                best = Some((more, BlockSquares { rows, columns, tasks, per_task }));
            }
        }
        if best.is_some_and(|(least, _)| least <= MOST) {
            break;
        }
    }
    // Where warps have one each, squares that follow each other have whole lines sooner.
    best.filter(|(least, s)| *least <= MOST || s.per_task > 1).map(|(_, squares)| squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(target: &Target, bytes: i64, (rows, columns): (i64, i64)) -> Option<(i64, i64, i64)> {
        let read = Lines { extent: rows, bytes, apart: rows };
        let written = Lines { extent: columns, bytes, apart: columns };
        let found = block_squares((32, 1, 32 * 33 * bytes), (read, written), target);
        found.map(|s| (s.rows, s.columns, s.per_task))
    }

    #[test]
    fn narrow_elements_need_large_areas() {
        let h100 = Target::h100();
        assert_eq!(of(&h100, 4, (4096, 4096)), None, "all lines begin at sectors");
        assert_eq!(of(&h100, 8, (4095, 4095)), Some((2, 2, 1)));
        assert_eq!(of(&h100, 4, (4095, 4095)), Some((4, 6, 3)));
        assert_eq!(of(&h100, 2, (16383, 16383)), Some((8, 12, 12)));
        assert_eq!(of(&h100, 1, (16383, 16383)), Some((19, 21, 50)));
    }

    #[test]
    fn small_arrays_leave_work_for_all_warps() {
        let one =
            Target { gpu: Target::h100().gpu.map(|g| crate::target::Gpu { sms: 1, ..g }), ..Target::h100() };
        assert_eq!(of(&Target::h100(), 4, (150, 331)), None);
        assert_eq!(of(&one, 4, (150, 331)), Some((5, 3, 2)));
    }
}
