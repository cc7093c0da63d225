//! Vectors of I64 that are a scalar, the same in all lanes, plus a constant in each: places along several axes at once, where the
//! innermost is shorter than a vector and divides it.
//!
//! ```text
//! e = 16·n + lane                        lanes along rows of 8
//! 64 · (e / 8) + e mod 8  =  128·n + [0, 1, …, 7, 64, 65, …, 71]
//! ```

use crate::loop_ir::V;
use std::sync::Arc;

/// A vector as `Σ value · by / of`, which are whole numbers, plus a constant in each lane.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    pub shared: Vec<Share>,
    pub apart: Arc<[i64]>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Share {
    pub value: V,
    pub by: i64,
    pub of: i64,
}

impl Lanes {
    pub fn constant(lanes: u32, of: impl Fn(i64) -> i64) -> Lanes {
        Lanes { shared: Vec::new(), apart: (0..lanes as i64).map(of).collect() }
    }

    pub fn splat(value: V, lanes: u32) -> Lanes {
        Lanes { shared: vec![Share { value, by: 1, of: 1 }], ..Lanes::constant(lanes, |_| 0) }
    }

    pub fn sum(&self, other: &Lanes, sign: i64) -> Option<Lanes> {
        let add = |(a, b): (&i64, &i64)| a.checked_add(b.checked_mul(sign)?);
        let apart = self.apart.iter().zip(&*other.apart).map(add).collect::<Option<_>>()?;
        let others = other.shared.iter().map(|s| Share { by: sign * s.by, ..*s });
        Some(Lanes { shared: self.shared.iter().copied().chain(others).collect(), apart })
    }

    pub fn scaled(&self, k: i64) -> Option<Lanes> {
        let share = |s: &Share| Some(Share { by: s.by.checked_mul(k)?, ..*s });
        let shared = self.shared.iter().map(share).collect::<Option<_>>()?;
        Some(Lanes { shared, apart: self.apart.iter().map(|n| n.checked_mul(k)).collect::<Option<_>>()? })
    }

    /// The quotient by a number, of which all that the lanes share is a multiple; nothing is negative.
    pub fn quotient(&self, by: i64) -> Option<Lanes> {
        let share = |s: &Share| Some(Share { of: s.of.checked_mul(by)?, ..*s });
        let shared = self.shared.iter().map(share).collect::<Option<_>>()?;
        Some(Lanes { shared, apart: self.apart.iter().map(|n| n / by).collect() })
    }

    /// The remainder likewise.
    pub fn remainder(&self, by: i64) -> Lanes {
        Lanes { shared: Vec::new(), apart: self.apart.iter().map(|n| n % by).collect() }
    }

    /// The constants, where the lanes share nothing else.
    pub fn constants(&self) -> Option<&[i64]> {
        self.shared.is_empty().then_some(&*self.apart)
    }

    /// The constant, where it is one and the same in all lanes.
    pub fn only(&self) -> Option<i64> {
        let first = self.apart[0];
        (self.shared.is_empty() && self.apart.iter().all(|&n| n == first)).then_some(first)
    }
}
