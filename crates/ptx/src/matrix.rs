//! Products of small matrices whose elements lie in the registers of a warp: `mma.sync` of m16n8.
//!
//! Where an element lies is told by the ISA's tables of fragments. Sums of floats are taken exactly and rounded once; a
//! device adds in an order and precision of its own, so results agree only where the sums are exact.

use crate::program::Row;
use crate::soft::{self, BF16, F16, Format, Mode, TF32};

/// What the elements of the factors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    F16,
    Bf16,
    Tf32,
    /// Eight bits, signed or not.
    Byte {
        signed: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Matrix {
    pub k: usize,
    pub left: Element,
    pub right: Element,
    /// Sums are halves, two in a register, not `f32` or `s32`.
    pub half_sums: bool,
    pub to: Vec<Row>,
    pub a: Vec<Row>,
    pub b: Vec<Row>,
    pub c: Vec<Row>,
}

impl Element {
    pub fn bits(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 => 32,
            Self::Byte { .. } => 8,
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, Self::Byte { .. })
    }

    fn value(self, bits: u64) -> f64 {
        match self {
            Self::F16 => soft::to_f64(bits & 0xffff, F16),
            Self::Bf16 => soft::to_f64(bits & 0xffff, BF16),
            // The lower bits of the mantissa are not looked at.
            Self::Tf32 => soft::to_f64(bits >> 13 & 0x7_ffff, TF32),
            Self::Byte { signed: true } => f64::from(bits as u8 as i8),
            Self::Byte { signed: false } => f64::from(bits as u8),
        }
    }
}

impl Matrix {
    /// The registers of the results of all lanes, of those of the factors and of what is added.
    pub fn product(&self, rows: impl Fn(Row, usize) -> u64) -> Vec<[u64; 32]> {
        let mut results = vec![[0; 32]; self.to.len()];
        for i in 0..16 {
            for j in 0..8 {
                let terms: Vec<(f64, f64)> =
                    (0..self.k).map(|k| (self.left(&rows, i, k), self.right(&rows, k, j))).collect();
                let (lane, register, shift) = self.sum_place(i, j);
                let start = rows(self.c[register], lane) >> shift;
                let bits = self.sum(start, &terms);
                results[register][lane] |= bits << shift;
            }
        }
        results
    }

    /// The lane and register of an element of the sums, and the bit that it begins at.
    fn sum_place(&self, i: usize, j: usize) -> (usize, usize, u32) {
        let lane = (i % 8) * 4 + j / 2;
        let number = (i / 8) * 2 + j % 2;
        if self.half_sums { (lane, number / 2, 16 * (number as u32 % 2)) } else { (lane, number, 0) }
    }

    fn left(&self, rows: &impl Fn(Row, usize) -> u64, i: usize, k: usize) -> f64 {
        let each = 32 / self.left.bits();
        // A group of four lanes holds as many columns as fit into one register each.
        let (group, k_in_group) = (k / (4 * each), k % (4 * each));
        let lane = (i % 8) * 4 + k_in_group / each;
        let register = i / 8 + 2 * group;
        let bits = rows(self.a[register], lane) >> (self.left.bits() * (k_in_group % each));
        self.left.value(bits)
    }

    fn right(&self, rows: &impl Fn(Row, usize) -> u64, k: usize, j: usize) -> f64 {
        let each = 32 / self.right.bits();
        let (group, k_in_group) = (k / (4 * each), k % (4 * each));
        let lane = j * 4 + k_in_group / each;
        let bits = rows(self.b[group], lane) >> (self.right.bits() * (k_in_group % each));
        self.right.value(bits)
    }

    fn sum(&self, start: u64, terms: &[(f64, f64)]) -> u64 {
        if self.left.is_integer() {
            let products: i64 = terms.iter().map(|&(x, y)| (x * y) as i64).sum();
            return (start as u32).wrapping_add(products as u32).into();
        }
        let (format, first): (Format, f64) = if self.half_sums {
            (F16, soft::to_f64(start & 0xffff, F16))
        } else {
            (soft::F32, f32::from_bits(start as u32).into())
        };
        // Products of halves are exact in f64, and so are sums of a few of them of similar size.
        let total = terms.iter().fold(first, |sum, &(x, y)| sum + x * y);
        soft::from_f64(total, format, Mode::Even)
    }
}
