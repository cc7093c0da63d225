//! Intervals of integers, and what arithmetic makes of them.

use crate::loop_ir::Bin;

/// The least and the greatest value there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub least: i64,
    pub greatest: i64,
}

impl Interval {
    pub const ALL: Interval = Interval { least: i64::MIN, greatest: i64::MAX };

    /// From `least` to below `end`; of an empty one nothing is known.
    pub fn below(least: i64, end: i64) -> Interval {
        if least < end { Interval { least, greatest: end - 1 } } else { Interval::ALL }
    }

    /// The smallest that has all of these, if none of them overflowed.
    fn around<const N: usize>(values: [Option<i64>; N]) -> Interval {
        let mut of = Interval { least: i64::MAX, greatest: i64::MIN };
        for value in values {
            let Some(value) = value else { return Interval::ALL };
            of = Interval { least: of.least.min(value), greatest: of.greatest.max(value) };
        }
        of
    }

    /// The value, where there is but one.
    pub fn only_value(self) -> Option<i64> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// That of the result of an operation.
    pub fn of(op: Bin, a: Interval, b: Interval) -> Interval {
        let by = b.only_value().filter(|&by| by > 0 && a.least >= 0);
        match (op, by) {
            (Bin::Add, _) => {
                Interval::around([a.least.checked_add(b.least), a.greatest.checked_add(b.greatest)])
            }
            (Bin::Sub, _) => {
                Interval::around([a.least.checked_sub(b.greatest), a.greatest.checked_sub(b.least)])
            }
            (Bin::Mul, _) => Interval::around([
                a.least.checked_mul(b.least),
                a.least.checked_mul(b.greatest),
                a.greatest.checked_mul(b.least),
                a.greatest.checked_mul(b.greatest),
            ]),
            (Bin::SDiv, Some(by)) => Interval { least: a.least / by, greatest: a.greatest / by },
            (Bin::SRem, Some(by)) => Interval { least: 0, greatest: a.greatest.min(by - 1) },
            // No more than an operand without a sign.
            (Bin::And, _) if a.least >= 0 => Interval { least: 0, greatest: a.greatest },
            (Bin::And, _) if b.least >= 0 => Interval { least: 0, greatest: b.greatest },
            (Bin::SMin, _) => Interval { least: a.least.min(b.least), greatest: a.greatest.min(b.greatest) },
            (Bin::SMax, _) => Interval { least: a.least.max(b.least), greatest: a.greatest.max(b.greatest) },
            _ => Interval::ALL,
        }
    }
}
