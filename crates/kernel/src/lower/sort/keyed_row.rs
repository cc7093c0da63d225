//! A row as keys that order as its elements: kept in a private array, largest first in the order of the sort.

use super::one_by_one::each_row;
use crate::loop_ir::{Bin, Buf, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::lower::scalar::OrderKey;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;
use crate::region::{Kind, NodeId, Order};
use lawson_hlo::index::Affine;

#[derive(Clone, Copy)]
pub(super) struct KeyedRow<'r> {
    pub(super) l: &'r Lowering<'r>,
    pub(super) values: &'r [NodeId],
    pub(super) position: &'r Affine,
    pub(super) key: OrderKey,
    /// Elements of a row, and how many of them are wanted.
    pub(super) n: i64,
    pub(super) kept: i64,
    pub(super) lanes: u32,
    /// The keys of the row; those after the last, to a whole vector, are the least there are.
    pub(super) keys: Buf,
}

impl<'r> KeyedRow<'r> {
    /// The rows of a sort by an order of numbers, with room for `more` keys.
    pub(super) fn new(
        cx: &mut Emit<'r>,
        l: &'r Lowering<'r>,
        s: &SortSchedule,
        more: i64,
    ) -> Option<KeyedRow<'r>> {
        let Kind::Sort { values, less, kept, position } = &l.stage.kind else { return None };
        let key = OrderKey(Order::of(l.region, less)?);
        let (n, lanes) = (l.stage.inner_points(), s.lanes as i64);
        let keys = cx.b.local("keys", key.elem(), up_to(n, lanes) + more);
        Some(KeyedRow { l, values, position, key, n, kept: *kept, lanes: s.lanes, keys })
    }

    /// Runs `body` for each row, at its first element.
    pub(super) fn each(
        &self,
        cx: &mut Emit<'r>,
        s: &SortSchedule,
        body: impl FnOnce(&mut Emit<'r>, Point<'r>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        each_row(cx, self.l, s, self.values, body)
    }

    /// Elements of the row with the last vector filled up.
    pub(super) fn padded(&self) -> i64 {
        up_to(self.n, self.lanes as i64)
    }

    pub(super) fn key_type(&self) -> Type {
        Type::vector(self.key.elem(), self.lanes)
    }

    /// Keeps the keys of the row; gives a key that at least as many as are wanted reach.
    pub(super) fn floor(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<V, Refusal> {
        let (lanes, n) = (self.lanes as i64, self.n);
        let least = least(cx, self.key_type());
        let parts = (self.kept as u64).next_power_of_two() as i64;
        let vectors = n / lanes;
        // Several maxima do not wait for each other.
        let count = (parts / lanes).max(1).max(1 << vectors.clamp(1, 4).ilog2());
        let block = count * lanes;
        let whole = n / block * block;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(whole));
        let mut largest = vec![least; count as usize];
        if whole > 0 {
            largest = cx.for_loop((zero, end, block), &largest, |cx, j, largest| {
                let next = |(a, &before): (usize, &V)| {
                    let at = cx.b.i64(a as i64 * lanes);
                    let at = cx.b.add(j, at);
                    let key = self.keep(cx, point, at, false)?;
                    Ok(cx.b.bin(Bin::SMax, before, key))
                };
                largest.iter().enumerate().map(next).collect()
            })?;
        }
        for (a, from) in (whole..n).step_by(self.lanes as usize).enumerate() {
            let at = cx.b.i64(from);
            let key = self.keep(cx, point, at, n - from < lanes)?;
            largest[a] = cx.b.bin(Bin::SMax, largest[a], key);
        }
        while largest.len() as i64 > (parts / lanes).max(1) {
            let half = largest.split_off(largest.len() / 2);
            let pairs = largest.iter().zip(&half);
            largest = pairs.map(|(&a, &b)| cx.b.bin(Bin::SMax, a, b)).collect();
        }
        let mut floor = largest[0];
        for &other in &largest[1..] {
            floor = cx.b.bin(Bin::SMin, floor, other);
        }
        let mut apart = self.lanes / 2;
        while apart > 0 {
            let other = cx.b.op(Op::Shuffle {
                a: floor,
                b: floor,
                lanes: (0..self.lanes).map(|lane| lane ^ apart).collect(),
            });
            let op = if apart as i64 >= parts { Bin::SMax } else { Bin::SMin };
            floor = cx.b.bin(op, floor, other);
            apart /= 2;
        }
        Ok(cx.b.op(Op::Extract(floor, 0)))
    }

    /// Keeps a vector of keys; of those past the end of the row, the least.
    pub(super) fn keep(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        at: V,
        is_last: bool,
    ) -> Result<V, Refusal> {
        let mut p = point.spread(self.l.region, self.l.axes.space, at, self.lanes);
        p.mask = is_last.then(|| left(cx, at, self.n, self.lanes));
        let x = cx.vector(&mut p, self.values[0])?;
        let mut key = self.key.of(&mut cx.b, x);
        if let Some(mask) = p.mask {
            let least = least(cx, self.key_type());
            key = cx.b.select(mask, key, least);
        }
        cx.b.store(self.keys, at, key, None);
        Ok(key)
    }
}

/// The next multiple.
pub(super) fn up_to(n: i64, of: i64) -> i64 {
    (n + of - 1) / of * of
}

/// The least number of a type, and the greatest.
pub(super) fn least(cx: &mut Emit<'_>, ty: Type) -> V {
    cx.b.constant(ty, 1 << (ty.elem.bits() - 1))
}

pub(super) fn greatest(cx: &mut Emit<'_>, ty: Type) -> V {
    cx.b.constant(ty, (1 << (ty.elem.bits() - 1)) - 1)
}
