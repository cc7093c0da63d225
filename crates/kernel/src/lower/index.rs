//! The code of index expressions: a base and a step along the lanes where they are linear, else a vector.

use super::emit::Emit;
use super::point::Point;
use super::scalar;
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Op, Type, V};
use crate::refusal::Refusal;
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom};

/// Values of at most this size, their differences and those of the lanes beyond a row fit I32.
const NARROW: u64 = 1 << 28;

/// A value along the lanes: `base + step · lane`, plus a vector when it is not linear.
pub(super) struct Linear {
    pub base: V,
    pub step: i64,
    pub vector: Option<V>,
}

impl<'r> Emit<'r> {
    /// An index expression, evaluated for all lanes in I64.
    pub(super) fn linear(&mut self, point: &mut Point<'r>, translated: &Affine) -> Result<Linear, Refusal> {
        let mut base = self.b.i64(translated.constant);
        let mut step = 0;
        let mut vector: Option<V> = None;
        let mut terms = Vec::new();
        for (atom, k) in &translated.terms {
            let v = match atom {
                Atom::Axis(a) => {
                    if point.lane == Some(*a as usize) {
                        step += k;
                    }
                    point.at[*a as usize]
                }
                Atom::Symbol(s) => self.value(point, self.region.symbols[*s as usize].node)?,
                Atom::Div(e, c) => self.quotient(point, e, *c, Bin::SDiv)?,
                Atom::Mod(e, c) => self.quotient(point, e, *c, Bin::SRem)?,
            };
            let factor = self.b.i64(*k);
            if self.b.ty_of(v).lanes == 1 {
                terms.push(self.b.mul(v, factor));
            } else {
                let factor = self.b.widen_to(factor, point.lanes);
                let term = self.b.mul(v, factor);
                vector = Some(vector.map_or(term, |sum| self.b.add(sum, term)));
            }
        }
        // What is known in outer loops is added there.
        if !self.b.lanes_are_threads {
            terms.sort_by_key(|&term| self.b.level(term));
        }
        for term in terms {
            base = self.b.add(base, term);
        }
        Ok(Linear { base, step, vector })
    }

    /// Quotient or remainder by a constant of an expression that may be negative.
    fn quotient(&mut self, point: &mut Point<'r>, e: &Affine, c: i64, op: Bin) -> Result<V, Refusal> {
        let (lo, hi) = point.axes.range(e);
        let linear = self.linear(point, e)?;
        let mut v = self.lanes_of(point, linear);
        let lanes = self.b.ty_of(v).lanes;
        // Floor and truncation agree once a multiple of c makes the value non-negative.
        let lift = if lo < 0 { (-lo as i128 + c as i128 - 1) / c as i128 } else { 0 } as i64;
        if lift > 0 {
            let up = self.b.i64(lift.wrapping_mul(c));
            let up = self.b.widen_to(up, lanes);
            v = self.b.add(v, up);
        }
        if lanes > 1
            && let Some(q) = self.b.known_quotient(op, v, c)
        {
            return Ok(self.lowered(q, (op, lift)));
        }
        let most = hi.saturating_add(lift.saturating_mul(c)).saturating_add(lanes as i64);
        let q = if c > 0 && c & (c - 1) == 0 {
            let (op, by) = match op {
                Bin::SDiv => (Bin::LShr, c.trailing_zeros() as i64),
                _ => (Bin::And, c - 1),
            };
            let by = self.b.i64(by);
            let by = self.b.widen_to(by, lanes);
            self.b.bin(op, v, by)
        } else if lanes > 1 && !self.b.lanes_are_threads {
            self.divided(op, v, c, most)
        } else {
            let divisor = self.b.i64(c);
            let divisor = self.b.widen_to(divisor, lanes);
            self.b.bin(op, v, divisor)
        };
        Ok(self.lowered(q, (op, lift)))
    }

    /// The quotient of a value to which so many times the divisor were added.
    fn lowered(&mut self, q: V, (op, lift): (Bin, i64)) -> V {
        if lift == 0 || op != Bin::SDiv {
            return q;
        }
        let down = self.b.i64(lift);
        let down = self.b.widen_to(down, self.b.ty_of(q).lanes);
        self.b.sub(q, down)
    }

    /// Quotient (`SDiv`) or remainder (`SRem`) by a constant of a value from 0 to `most`: in 32 bits where lanes are threads or
    /// vectors, which multiply 64 bits by many instructions. For what is divided once for each element; of the numbers of tasks and
    /// of places in tiles NVIDIA's assembler would keep more registers.
    pub(super) fn divided(&mut self, op: Bin, v: V, by: i64, most: i64) -> V {
        let lanes = self.b.ty_of(v).lanes;
        // Lanes beyond the last one may be somewhat more.
        let is_short = most <= i64::from(i32::MAX) / 2 && (1..=i64::from(i32::MAX)).contains(&by);
        let in_lanes = self.b.lanes_are_threads || lanes > 1 && by.count_ones() > 1;
        if !in_lanes || !is_short {
            let by = self.b.i64(by);
            let by = self.b.widen_to(by, lanes);
            return self.b.bin(op, v, by);
        }
        let word = self.b.cast(Cast::Trunc, v, Elem::I32);
        let by = self.b.constant(Type::vector(Elem::I32, lanes), by as u64);
        let divided = self.b.bin(if op == Bin::SDiv { Bin::UDiv } else { Bin::URem }, word, by);
        self.b.cast(Cast::Zext, divided, Elem::I64)
    }

    /// A linear value as a scalar, or as a vector when it varies along the lanes.
    pub(super) fn lanes_of(&mut self, point: &Point<'r>, linear: Linear) -> V {
        if linear.step == 0 && linear.vector.is_none() {
            return linear.base;
        }
        let ty = Type::vector(Elem::I64, point.lanes);
        let mut v = self.b.widen_to(linear.base, point.lanes);
        if linear.step != 0 {
            let iota = self.b.op(Op::Iota(ty));
            let step = self.b.constant(ty, linear.step as u64);
            let ramp = self.b.mul(iota, step);
            v = self.b.add(v, ramp);
        }
        match linear.vector {
            Some(x) => self.b.add(v, x),
            None => v,
        }
    }

    pub(super) fn index(&mut self, point: &mut Point<'r>, e: &Affine, dtype: DType) -> Result<V, Refusal> {
        let translated = point.axes.translate(e);
        let linear = self.linear(point, &translated)?;
        let elem = scalar::reg_elem(dtype);
        // Ramps of narrow integers are added in their own type: it wraps, and half the width is twice the speed.
        if linear.vector.is_none() && linear.step != 0 && elem == Elem::I32 {
            let ty = Type::vector(elem, point.lanes);
            let base = self.b.cast(Cast::Trunc, linear.base, elem);
            let base = self.b.widen_to(base, point.lanes);
            let iota = self.b.op(Op::Iota(ty));
            let step = self.b.constant(ty, linear.step as u64);
            let ramp = if linear.step == 1 { iota } else { self.b.mul(iota, step) };
            return Ok(self.b.add(base, ramp));
        }
        let v = self.lanes_of(point, linear);
        scalar::convert(&mut self.b, DType::S64, dtype, v)
    }

    /// Whether `lo <= e < hi` in each lane, of a ramp that is far from the ends of I32: half the width of I64, and less than
    /// `lo` is more than `hi` without a sign.
    fn narrow_in_range(&mut self, point: &Point<'r>, linear: Linear, (lo, hi): (i64, i64)) -> V {
        let ty = Type::vector(Elem::I32, point.lanes);
        let lowest = self.b.i64(lo);
        let first = self.b.sub(linear.base, lowest);
        let first = self.b.cast(Cast::Trunc, first, Elem::I32);
        let first = self.b.widen_to(first, point.lanes);
        let iota = self.b.op(Op::Iota(ty));
        let step = self.b.constant(ty, linear.step as u64);
        let ramp = if linear.step == 1 { iota } else { self.b.mul(iota, step) };
        let above = self.b.add(first, ramp);
        let size = self.b.constant(ty, hi.saturating_sub(lo).max(0) as u64);
        self.b.cmp(Cmp::Ult, above, size)
    }

    pub(super) fn in_range(
        &mut self,
        point: &mut Point<'r>,
        e: &Affine,
        lo: i64,
        hi: i64,
    ) -> Result<V, Refusal> {
        let translated = point.axes.translate(e);
        if let Some(known) = point.axes.within(&translated, lo, hi) {
            return Ok(self.b.bool(known));
        }
        let (min, max) = point.axes.range(&translated);
        let linear = self.linear(point, &translated)?;
        if linear.vector.is_none() && linear.step != 0 && min < lo && max >= hi {
            let near = |bound: i64| bound.unsigned_abs() <= NARROW;
            let steps = linear.step.saturating_mul(point.lanes as i64);
            if [min, max, lo, hi, steps].into_iter().all(near) {
                return Ok(self.narrow_in_range(point, linear, (lo, hi)));
            }
        }
        let v = self.lanes_of(point, linear);
        let lanes = self.b.ty_of(v).lanes;
        let mut inside = self.b.bool(true);
        inside = self.b.widen_to(inside, lanes);
        if min < lo {
            let lo = self.b.i64(lo);
            let lo = self.b.widen_to(lo, lanes);
            inside = self.b.cmp(Cmp::Sle, lo, v);
        }
        if max >= hi {
            let hi = self.b.i64(hi);
            let hi = self.b.widen_to(hi, lanes);
            let below = self.b.cmp(Cmp::Slt, v, hi);
            inside = self.b.bin(Bin::And, inside, below);
        }
        Ok(inside)
    }
}
