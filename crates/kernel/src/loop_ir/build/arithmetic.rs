//! The arithmetic of places: what of it is known is folded, and it is done in the outermost block that has what it needs.

use super::CodeBuilder;
use crate::loop_ir::{Bin, Elem, Op, Type, V};

impl CodeBuilder {
    /// The open block in which a value is known, the outermost being 0; or one within it, for what loops leave behind.
    pub fn level(&self, v: V) -> usize {
        self.levels[v.0 as usize]
    }

    /// The block that an operation belongs to: the arithmetic of places goes to the outermost one that has its operands, since what a
    /// loop computes anew in each trip it waits for, all else where it is written. Threads of a graphics processor have too few
    /// registers for that.
    pub(super) fn block_of(&self, op: &Op) -> usize {
        let innermost = self.blocks.len().saturating_sub(1);
        let index = Type::scalar(Elem::I64);
        match *op {
            _ if self.lanes_are_threads => innermost,
            Op::Const { ty, .. } if ty == index => 0,
            Op::Bin(Bin::Add | Bin::Sub | Bin::Mul, a, b) if self.ty_of(a) == index => {
                self.level(a).max(self.level(b)).min(innermost)
            }
            _ => innermost,
        }
    }

    /// Index arithmetic is full of zeros and ones.
    pub(super) fn fold_i64(&mut self, op: Bin, a: V, b: V) -> Option<V> {
        let ty = self.ty_of(a);
        if let Some(v) = self.decided(op, a, b) {
            return Some(v);
        }
        if let Some(value) = self.range_of(&Op::Bin(op, a, b)).only_value() {
            return Some(self.constant(ty, value as u64));
        }
        let (x, y) = (self.const_bits(a).map(|v| v as i64), self.const_bits(b).map(|v| v as i64));
        let value = match (op, x, y) {
            (Bin::Add, Some(x), Some(y)) => x.wrapping_add(y),
            (Bin::Sub, Some(x), Some(y)) => x.wrapping_sub(y),
            (Bin::Mul, Some(x), Some(y)) => x.wrapping_mul(y),
            (Bin::And, Some(x), Some(y)) => x & y,
            (Bin::SMin, Some(x), Some(y)) => x.min(y),
            (Bin::SMax, Some(x), Some(y)) => x.max(y),
            (Bin::SDiv, Some(x), Some(y)) => x.checked_div(y)?,
            (Bin::SRem, Some(x), Some(y)) => x.checked_rem(y)?,
            (Bin::Add, Some(0), _) => return Some(b),
            (Bin::Add | Bin::Sub, _, Some(0)) => return Some(a),
            (Bin::Mul, Some(1), _) => return Some(b),
            (Bin::Mul | Bin::SDiv, _, Some(1)) => return Some(a),
            (Bin::Mul, Some(0), _) | (Bin::Mul, _, Some(0)) | (Bin::SRem, _, Some(1)) => 0,
            // Threads keep such remainders: without, NVIDIA's assembler moves places of windows out of loops, into 70 registers more.
            (Bin::SRem, _, Some(y))
                if !self.lanes_are_threads && ty.lanes == 1 && y > 0 && self.multiple_of(a) % y == 0 =>
            {
                0
            }
            _ => return None,
        };
        Some(self.constant(ty, value as u64))
    }

    pub(super) fn fold_mask(&mut self, op: Bin, a: V, b: V) -> Option<V> {
        match (op, self.const_bits(a), self.const_bits(b)) {
            (Bin::And, Some(1), _) | (Bin::Or, Some(0), _) => Some(b),
            (Bin::And, _, Some(1)) | (Bin::Or, _, Some(0)) => Some(a),
            (Bin::And, Some(0), _) | (Bin::Or, Some(1), _) => Some(a),
            (Bin::And, _, Some(0)) | (Bin::Or, _, Some(1)) => Some(b),
            _ => None,
        }
    }

    /// Constants of I64 scalars come last in a sum: what differs by a constant shares the rest, and addresses have
    /// a place for one.
    pub fn add(&mut self, a: V, b: V) -> V {
        if self.ty_of(a) != Type::scalar(Elem::I64) {
            return self.bin(Bin::Add, a, b);
        }
        let ((x, c), (y, d)) = (self.sum_of(a), self.sum_of(b));
        let variable = match (x, y) {
            (Some(x), Some(y)) => Some(self.bin(Bin::Add, x, y)),
            (x, y) => x.or(y),
        };
        self.plus(variable, c.wrapping_add(d))
    }

    /// A value as a variable part, `None` for zero, and a constant.
    pub(super) fn sum_of(&self, v: V) -> (Option<V>, i64) {
        match (self.const_i64(v), self.sums.get(&v)) {
            (Some(c), _) => (None, c),
            (None, Some(&(x, c))) => (Some(x), c),
            (None, None) => (Some(v), 0),
        }
    }

    fn plus(&mut self, variable: Option<V>, constant: i64) -> V {
        let c = self.i64(constant);
        let Some(x) = variable else { return c };
        let v = self.bin(Bin::Add, x, c);
        if v != x {
            self.sums.insert(v, (x, constant));
        }
        v
    }

    pub fn sub(&mut self, a: V, b: V) -> V {
        if let Some(c) = self.const_i64(b) {
            let negative = self.i64(c.wrapping_neg());
            return self.add(a, negative);
        }
        self.bin(Bin::Sub, a, b)
    }

    pub fn mul(&mut self, a: V, b: V) -> V {
        if let (Some(&(x, c)), Some(k)) = (self.sums.get(&a), self.const_i64(b)) {
            let product = self.bin(Bin::Mul, x, b);
            return self.plus(Some(product), c.wrapping_mul(k));
        }
        self.bin(Bin::Mul, a, b)
    }
}
