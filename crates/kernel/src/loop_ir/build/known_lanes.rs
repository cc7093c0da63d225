//! What is known of how the lanes of a vector lie to each other, from the operations that made it. Quotients and remainders are
//! known where what the lanes share is a multiple of the divisor: loops over vectors begin at multiples of their lanes.

use super::CodeBuilder;
use super::lanes::{Lanes, Share};
use crate::loop_ir::{Bin, Cmp, Elem, Op, Type, V};
use lawson_hlo::index::gcd;
use std::sync::Arc;

impl CodeBuilder {
    /// What each lane of a vector has beside what all of them share, where that is known.
    pub fn apart(&self, v: V) -> Option<Arc<[i64]>> {
        self.lanes.get(&v).map(|lanes| lanes.apart.clone())
    }

    /// What all lanes of such a vector share, as code.
    pub fn shared(&mut self, v: V) -> Option<V> {
        let Lanes { shared, .. } = self.lanes.get(&v)?.clone();
        Some(self.sum_of_shares(&shared))
    }

    /// Quotient (`SDiv`) or remainder (`SRem`) by a number of a vector of which that is known, without a division of vectors.
    pub fn known_quotient(&mut self, op: Bin, v: V, by: i64) -> Option<V> {
        let of = self.lanes.get(&v)?;
        if !self.are_multiples(of, by) {
            return None;
        }
        let Lanes { shared, apart } = if op == Bin::SDiv { of.quotient(by)? } else { of.remainder(by) };
        let (least, lanes) = (*apart.iter().min()?, apart.len() as i64);
        // The lanes of two vectors in ascending order.
        if apart.iter().any(|&n| n - least >= 2 * lanes) {
            return None;
        }
        let ty = self.ty_of(v);
        let (base, least_lane) = (self.sum_of_shares(&shared), self.i64(least));
        let base = self.add(base, least_lane);
        let base = self.widen_to(base, ty.lanes);
        if apart.iter().all(|&n| n == least) {
            return Some(base);
        }
        let (a, n) = (self.op(Op::Iota(ty)), self.constant(ty, lanes as u64));
        let b = self.bin(Bin::Add, a, n);
        let places = apart.iter().map(|&n| (n - least) as u32).collect();
        let places = self.op(Op::Shuffle { a, b, lanes: places });
        Some(self.bin(Bin::Add, base, places))
    }

    fn sum_of_shares(&mut self, shared: &[Share]) -> V {
        let mut base = self.i64(0);
        for &Share { value, by, of } in shared {
            let [by, of] = [by, of].map(|n| self.i64(n));
            let product = self.mul(value, by);
            let share = self.bin(Bin::SDiv, product, of);
            base = self.add(base, share);
        }
        base
    }

    /// What is known of the lanes of an operation's result.
    pub(super) fn lanes_of(&self, op: &Op, ty: Type) -> Option<Lanes> {
        if !matches!(ty.elem, Elem::I64 | Elem::I1) || ty.lanes == 1 || self.lanes_are_threads {
            return None;
        }
        match *op {
            Op::Cmp(cmp, a, b) => {
                let (a, b) = (self.lanes.get(&a)?.constants()?, self.lanes.get(&b)?.constants()?);
                let holds = |(&a, &b): (&i64, &i64)| match cmp {
                    Cmp::Slt => Some(a < b),
                    Cmp::Sle => Some(a <= b),
                    Cmp::Eq => Some(a == b),
                    _ => None,
                };
                let holds: Option<Vec<bool>> = a.iter().zip(b).map(holds).collect();
                let holds = holds?;
                Some(Lanes::constant(ty.lanes, |lane| holds[lane as usize] as i64))
            }
            Op::Bin(Bin::And, a, b) if ty.elem == Elem::I1 => {
                let (a, b) = (self.lanes.get(&a)?.constants()?, self.lanes.get(&b)?.constants()?);
                Some(Lanes::constant(ty.lanes, |lane| a[lane as usize] & b[lane as usize]))
            }
            Op::Bin(..) | Op::Splat { .. } | Op::Iota(_) if ty.elem == Elem::I1 => None,
            Op::Shuffle { a, b, ref lanes } if ty.elem == Elem::I64 => {
                let (a, b) = (self.lanes.get(&a)?.constants()?, self.lanes.get(&b)?.constants()?);
                let at = |n: u32| a.iter().chain(b).nth(n as usize).copied();
                let apart: Option<Vec<i64>> = lanes.iter().map(|&n| at(n)).collect();
                let apart = apart?;
                Some(Lanes::constant(ty.lanes, |lane| apart[lane as usize]))
            }
            Op::Const { bits, .. } => Some(Lanes::constant(ty.lanes, |_| bits as i64)),
            Op::Iota(_) => Some(Lanes::constant(ty.lanes, |lane| lane)),
            Op::Splat { scalar, .. } => match self.sums.get(&scalar) {
                // What follows a multiple of a number by a constant is known to do so.
                Some(&(value, n)) if n >= 0 && self.range(value).least >= 0 => {
                    Lanes::splat(value, ty.lanes).sum(&Lanes::constant(ty.lanes, |_| n), 1)
                }
                _ => Some(Lanes::splat(scalar, ty.lanes)),
            },
            Op::Bin(op, a, b) => {
                let (a, b) = (self.lanes.get(&a)?, self.lanes.get(&b)?);
                let divisor = |n: Option<i64>| n.filter(|&n| self.are_multiples(a, n));
                let power = |n: i64| 1i64.checked_shl(u32::try_from(n).ok()?);
                let is_mask = |m: &i64| *m > 0 && m & (m + 1) == 0;
                match op {
                    Bin::Add => a.sum(b, 1),
                    Bin::Sub => a.sum(b, -1),
                    Bin::Mul => match (a.only(), b.only()) {
                        (_, Some(k)) => a.scaled(k),
                        (Some(k), _) => b.scaled(k),
                        _ => None,
                    },
                    Bin::SDiv => a.quotient(divisor(b.only())?),
                    Bin::SRem => Some(a.remainder(divisor(b.only())?)),
                    Bin::LShr => a.quotient(divisor(b.only().and_then(power))?),
                    Bin::And => Some(a.remainder(divisor(b.only().filter(is_mask).map(|m| m + 1))?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether what the lanes share are multiples of a number, and nothing is negative.
    fn are_multiples(&self, of: &Lanes, n: i64) -> bool {
        let share = |s: &Share| {
            let multiple = self.multiple_of(s.value).saturating_mul(s.by) / s.of;
            self.range(s.value).least >= 0 && s.by >= 0 && multiple % n == 0
        };
        n > 0 && of.shared.iter().all(share) && of.apart.iter().all(|&a| a >= 0)
    }

    /// A number that an I64 scalar is a multiple of; 0 for zero.
    pub(super) fn multiple_of(&self, v: V) -> i64 {
        self.multiples[v.0 as usize]
    }

    /// That of the result of an operation on I64 scalars.
    pub(super) fn multiple_of_op(&self, op: &Op) -> i64 {
        let of = |v: V| self.multiple_of(v);
        match *op {
            Op::Const { bits, .. } => (bits as i64).checked_abs().unwrap_or(1),
            Op::Bin(Bin::Add | Bin::Sub | Bin::SRem | Bin::SMin | Bin::SMax, a, b) | Op::Select(_, a, b) => {
                gcd(of(a), of(b))
            }
            Op::Bin(Bin::Mul, a, b) => of(a).checked_mul(of(b)).unwrap_or(1),
            Op::Bin(Bin::SDiv, a, b) => match self.const_i64(b) {
                Some(n) if n > 0 && of(a) % n == 0 => of(a) / n,
                _ => 1,
            },
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, evaluate};

    const LANES: i64 = 8;

    /// A vector of an index of a loop and of the lanes, drawn from a seed.
    fn drawn(b: &mut CodeBuilder, seed: &mut u64, index: V, depth: u64) -> V {
        let mut next = |below: u64| {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) % below
        };
        let ty = Type::vector(Elem::I64, LANES as u32);
        let (kind, small) = (next(8), 1 + next(9));
        if depth == 0 {
            return match kind % 3 {
                0 => b.op(Op::Iota(ty)),
                1 => b.widen_to(index, LANES as u32),
                _ => b.constant(ty, small),
            };
        }
        let x = drawn(b, seed, index, depth - 1);
        let constant = b.constant(ty, small);
        match kind {
            0 => b.bin(Bin::SDiv, x, constant),
            1 => b.bin(Bin::SRem, x, constant),
            2 => b.bin(Bin::Mul, x, constant),
            3 => {
                let by = b.constant(ty, small % 4);
                b.bin(Bin::LShr, x, by)
            }
            4 => {
                let mask = b.constant(ty, (1 << (small % 4)) - 1);
                b.bin(Bin::And, x, mask)
            }
            kind => {
                let y = drawn(b, seed, index, depth - 1);
                b.bin(if kind == 7 { Bin::Sub } else { Bin::Add }, x, y)
            }
        }
    }

    /// Each vector beside the sum of what its lanes share and have apart.
    #[test]
    fn what_is_known_of_lanes_holds() {
        let mut known = 0;
        for seed in 0..3000u64 {
            let (trips, step) = (3, [1, 2, 4, 8, 16, 24][seed as usize % 6]);
            let mut b = CodeBuilder::new("lanes");
            let arrays =
                ["whole", "parts"].map(|name| b.buffer(name, Elem::I64, trips * LANES, Access::Write));
            let mut found = false;
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(trips * step));
                b.for_loop(lo, hi, step, &[], |b, index, _| {
                    let value = drawn(b, &mut seed.wrapping_add(1), index, 1 + seed % 4);
                    let value = b.widen_to(value, LANES as u32);
                    let [step, lanes] = [step, LANES].map(|n| b.i64(n));
                    let trip = b.bin(Bin::SDiv, index, step);
                    let first = b.mul(trip, lanes);
                    b.store(arrays[0], first, value, None);
                    let (Some(apart), Some(base)) = (b.apart(value), b.shared(value)) else {
                        b.store(arrays[1], first, value, None);
                        return Vec::new();
                    };
                    found = true;
                    for (lane, &n) in (0..).zip(&*apart) {
                        let [lane, n] = [lane, n].map(|n| b.i64(n));
                        let (at, element) = (b.add(first, lane), b.add(base, n));
                        b.store(arrays[1], at, element, None);
                    }
                    Vec::new()
                });
            });
            known += found as usize;
            let mut memory = vec![vec![0; (8 * trips * LANES) as usize]; 2];
            evaluate(&b.finish(), &mut memory).expect("it runs");
            assert!(memory[0] == memory[1], "seed {seed}");
        }
        assert!(known > 1000, "{known}");
    }
}
