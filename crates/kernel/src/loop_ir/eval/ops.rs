//! What each operation means on the bits of its lanes.

use super::{Found, Machine};
use crate::loop_ir::*;
use half::f16;

impl Machine<'_, '_> {
    /// Computes `op` into `v`.
    pub(super) fn op(&mut self, v: V, op: &Op) -> Found {
        let to = self.kernel.ty(v);
        if to.elem == Elem::I256 && !matches!(op, Op::Load { .. }) {
            self.move_words(v, op);
            return Ok(());
        }
        match op {
            Op::Const { bits, .. } => self.lanes_mut(v).fill(*bits),
            Op::Iota(ty) => {
                for lane in 0..ty.lanes as usize {
                    self.lanes_mut(v)[lane] = lane as u64;
                }
            }
            Op::Splat { scalar, .. } => {
                let bits = self.scalar(*scalar);
                self.lanes_mut(v).fill(bits);
            }
            Op::Bin(op, a, b) => self.each(v, |m, i| bin(*op, to.elem, m.word(*a, i), m.word(*b, i)))?,
            Op::WithCarry(op, a, b, carry) => {
                let elem = self.kernel.ty(*a).elem;
                self.each(v, |m, i| {
                    let [a, b, carry] = [a, b, carry].map(|&x| m.word(x, i));
                    Ok(with_carry(*op, elem, a, b, carry))
                })?;
            }
            Op::Un(op, a) => self.each(v, |m, i| Ok(un(*op, to.elem, m.word(*a, i))))?,
            Op::Fma(a, b, c) => self.each(v, |m, i| {
                let [a, b, c] = [a, b, c].map(|&x| m.word(x, i));
                Ok(match to.elem {
                    Elem::F32 => f32_bits(f32_of(a).mul_add(f32_of(b), f32_of(c))),
                    _ => f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits(),
                })
            })?,
            Op::Scale(Scale { value, powers, .. }) => self.each(v, |m, i| {
                let product = |x, by: &V| bin(Bin::FMul, to.elem, x, m.word(*by, i));
                powers.iter().try_fold(m.word(*value, i), product)
            })?,
            Op::Cmp(op, a, b) => {
                let elem = self.kernel.ty(*a).elem;
                self.each(v, |m, i| Ok(cmp(*op, elem, m.word(*a, i), m.word(*b, i)) as u64))?;
            }
            Op::Select(mask, a, b) => self.each(v, |m, i| {
                let mask = m.lanes(*mask);
                let chosen = if mask[i.min(mask.len() - 1)] != 0 { a } else { b };
                Ok(m.word(*chosen, i))
            })?,
            Op::Cast { op, value, to } => {
                let from = self.kernel.ty(*value).elem;
                self.each(v, |m, i| cast(*op, from, *to, m.word(*value, i)))?;
            }
            Op::Load { buf, offset, mask, .. } => self.load(v, *buf, *offset, *mask)?,
            Op::Extract(a, lane) => {
                let bits = self.word(*a, *lane as usize);
                self.set_scalar(v, bits);
            }
            Op::Shuffle { a, b, lanes } => {
                let n = self.lanes(*a).len();
                self.each(v, |m, i| {
                    let lane = lanes[i] as usize;
                    Ok(if lane < n { m.word(*a, lane) } else { m.word(*b, lane - n) })
                })?;
            }
            Op::Pack(parts) => self.each(v, |m, i| Ok(m.scalar(parts[i])))?,
            Op::Regroup { value, to: Elem::I64 } => self.each(v, |m, i| {
                let pair = &m.lanes(*value)[2 * i..2 * i + 2];
                Ok(pair[0] | pair[1] << 32)
            })?,
            Op::Regroup { value, .. } if matches!(self.kernel.ty(*value).elem, Elem::I8 | Elem::I16) => {
                let bits = self.kernel.ty(*value).elem.bits();
                let count = 32 / bits as usize;
                self.each(v, |m, i| {
                    let parts = &m.lanes(*value)[count * i..count * (i + 1)];
                    Ok(parts.iter().rev().fold(0, |word, &part| word << bits | part))
                })?
            }
            Op::Regroup { value, .. } => {
                self.each(v, |m, i| Ok(cut(Elem::I32, m.word(*value, i / 2) >> (32 * (i % 2)))))?;
            }
            Op::Word(value, word) => self.each(v, |m, i| Ok(m.word(*value, 4 * i + *word as usize)))?,
            Op::Join(_) => {}
            Op::Madd52(half, a, b, c) => self.each(v, |m, i| {
                let [a, b, c] = [a, b, c].map(|&x| m.word(x, i));
                Ok(madd52(*half, a, b, c))
            })?,
            Op::DotBytes(a, b, c) => self.each(v, |m, i| {
                let [a, b, c] = [a, b, c].map(|&x| m.word(x, i) as u32);
                let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
                let sum = products.map(|(a, b)| i32::from(a) * i32::from(b as i8)).sum::<i32>();
                Ok(u64::from(c.wrapping_add(sum as u32)))
            })?,
            Op::DotBf16(a, b, c) => self.each(v, |m, i| {
                let [a, b, c] = [a, b, c].map(|&x| m.word(x, i) as u32);
                let pairs = [16, 0].map(|by| [a, b].map(|word| f32::from_bits((word >> by) << 16)));
                let sum = pairs.iter().fold(f32::from_bits(c), |sum, [a, b]| a.mul_add(*b, sum));
                Ok(sum.to_bits().into())
            })?,
            Op::Any(mask) => {
                let any = self.lanes(*mask).iter().any(|&m| m != 0);
                self.set_scalar(v, any as u64);
            }
            Op::First(mask) => {
                let lanes = self.lanes(*mask);
                let first = lanes.iter().position(|&m| m != 0).unwrap_or(lanes.len());
                self.set_scalar(v, first as u64);
            }
            Op::Table { table, index } => self.each(v, |m, i| {
                let (table, index) = (&m.kernel.tables[*table as usize], m.word(*index, i));
                let found = usize::try_from(index).ok().and_then(|i| table.get(i));
                found.copied().ok_or_else(|| format!("word {index} of a table of {}", table.len()))
            })?,
        }
        Ok(())
    }

    /// The operations that move numbers of several words; the verifier lets no others through.
    fn move_words(&mut self, v: V, op: &Op) {
        let from =
            |m: &Self, x: V, lane: usize| -> [u64; 4] { std::array::from_fn(|n| m.word(x, 4 * lane + n)) };
        for lane in 0..self.kernel.ty(v).lanes as usize {
            let words = match op {
                Op::Splat { scalar, .. } => from(self, *scalar, 0),
                Op::Select(mask, a, b) => {
                    let mask = self.lanes(*mask);
                    from(self, if mask[lane.min(mask.len() - 1)] != 0 { *a } else { *b }, lane)
                }
                Op::Extract(a, picked) => from(self, *a, *picked as usize),
                Op::Shuffle { a, b, lanes } => {
                    let (n, picked) = (self.kernel.ty(*a).lanes as usize, lanes[lane] as usize);
                    if picked < n { from(self, *a, picked) } else { from(self, *b, picked - n) }
                }
                Op::Pack(parts) => from(self, parts[lane], 0),
                Op::Join(words) => words.map(|w| self.word(w, lane)),
                _ => unreachable!("verified: this makes no I256"),
            };
            self.lanes_mut(v)[4 * lane..4 * lane + 4].copy_from_slice(&words);
        }
    }

    /// Computes each lane of `v`, which is no operand.
    #[inline]
    fn each(&mut self, v: V, f: impl Fn(&Self, usize) -> Found<u64>) -> Found {
        let at = self.first(v);
        for lane in 0..self.kernel.ty(v).lanes as usize {
            self.words[at + lane] = f(self, lane).map_err(|e| format!("lane {lane}: {e}"))?;
        }
        Ok(())
    }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f32_bits(x: f32) -> u64 {
    x.to_bits() as u64
}

/// The low bits of a word, as many as the element has.
fn cut(elem: Elem, bits: u64) -> u64 {
    if elem.bits() == 64 { bits } else { bits & ((1 << elem.bits()) - 1) }
}

/// The signed value of an element's bits; a mask is 0 or −1.
fn signed(elem: Elem, bits: u64) -> i64 {
    let unused = 64 - elem.bits();
    (bits << unused) as i64 >> unused
}

fn bin(op: Bin, elem: Elem, a: u64, b: u64) -> Found<u64> {
    let (sa, sb) = (signed(elem, a), signed(elem, b));
    let divisor = |fits: bool| if b != 0 && fits { Ok(()) } else { Err(format!("{sa} divided by {sb}")) };
    let amount = || match b < elem.bits() as u64 {
        true => Ok(b as u32),
        false => Err(format!("a shift of {elem} by {b}")),
    };
    let float = |single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64| match elem {
        Elem::F32 => f32_bits(single(f32_of(a), f32_of(b))),
        _ => double(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    };
    // The least value divided by −1 does not fit.
    let fits = || sb != -1 || sa != i64::MIN >> (64 - elem.bits());
    let wide = match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::SMulHi => ((sa as i128 * sb as i128) >> elem.bits()) as u64,
        Bin::UMulHi => ((a as u128 * b as u128) >> elem.bits()) as u64,
        Bin::SMulWide => signed(Elem::I32, a).wrapping_mul(signed(Elem::I32, b)) as u64,
        Bin::UMulWide => cut(Elem::I32, a) * cut(Elem::I32, b),
        Bin::SDiv => divisor(fits()).map(|()| (sa / sb) as u64)?,
        Bin::SRem => divisor(fits()).map(|()| (sa % sb) as u64)?,
        Bin::UDiv => divisor(true).map(|()| a / b)?,
        Bin::URem => divisor(true).map(|()| a % b)?,
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a << amount()?,
        Bin::LShr => a >> amount()?,
        Bin::AShr => (sa >> amount()?) as u64,
        Bin::SMin => sa.min(sb) as u64,
        Bin::SMax => sa.max(sb) as u64,
        Bin::UMin => a.min(b),
        Bin::UMax => a.max(b),
        Bin::FAdd => float(|a, b| a + b, |a, b| a + b),
        Bin::FSub => float(|a, b| a - b, |a, b| a - b),
        Bin::FMul => float(|a, b| a * b, |a, b| a * b),
        Bin::FDiv => float(|a, b| a / b, |a, b| a / b),
    };
    Ok(cut(elem, wide))
}

fn with_carry(op: WithCarry, elem: Elem, a: u64, b: u64, carry: u64) -> u64 {
    // The words and the carry fit twice the width, where the wrapping shows above the width.
    let (a, b, carry) = (a as u128, b as u128, carry as u128);
    let exact = match op {
        WithCarry::Add | WithCarry::CarryOut => a + b + carry,
        WithCarry::Sub | WithCarry::BorrowOut => a.wrapping_sub(b).wrapping_sub(carry),
    };
    match op {
        WithCarry::Add | WithCarry::Sub => cut(elem, exact as u64),
        WithCarry::CarryOut | WithCarry::BorrowOut => (exact >> elem.bits() != 0) as u64,
    }
}

fn madd52(half: Half, a: u64, b: u64, c: u64) -> u64 {
    let low = |x: u64| u128::from(x & ((1 << 52) - 1));
    let product = low(a) * low(b);
    c.wrapping_add(match half {
        Half::Low => low(product as u64) as u64,
        Half::High => (product >> 52) as u64,
    })
}

fn un(op: Un, elem: Elem, a: u64) -> u64 {
    let float = |single: fn(f32) -> f32, double: fn(f64) -> f64| match elem {
        Elem::F32 => f32_bits(single(f32_of(a))),
        _ => double(f64::from_bits(a)).to_bits(),
    };
    let sign = 1u64 << (elem.bits() - 1);
    match op {
        Un::FNeg => a ^ sign,
        Un::FAbs => a & !sign,
        Un::Sqrt => float(f32::sqrt, f64::sqrt),
        Un::Rint => float(f32::round_ties_even, f64::round_ties_even),
        Un::Floor => float(f32::floor, f64::floor),
        Un::Ceil => float(f32::ceil, f64::ceil),
        Un::FTrunc => float(f32::trunc, f64::trunc),
        Un::Popcnt => a.count_ones() as u64,
        Un::Clz => (a.leading_zeros() - (64 - elem.bits())) as u64,
        Un::Not => cut(elem, !a),
    }
}

fn cmp(op: Cmp, elem: Elem, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(elem, a), signed(elem, b));
    // Every f32 is an f64, in the same order.
    let float = |bits: u64| if elem == Elem::F32 { f32_of(bits) as f64 } else { f64::from_bits(bits) };
    match op {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        Cmp::Slt => sa < sb,
        Cmp::Sle => sa <= sb,
        Cmp::Ult => a < b,
        Cmp::Ule => a <= b,
        Cmp::FEq => float(a) == float(b),
        Cmp::FNe => float(a) != float(b),
        Cmp::FLt => float(a) < float(b),
        Cmp::FLe => float(a) <= float(b),
    }
}

fn cast(op: Cast, from: Elem, to: Elem, a: u64) -> Found<u64> {
    let float = || if from == Elem::F32 { f32_of(a) as f64 } else { f64::from_bits(a) };
    let rounded =
        |single: f32, double: f64| if to == Elem::F32 { f32_bits(single) } else { double.to_bits() };
    let in_range = |least: f64, beyond: f64| {
        let x = float().trunc();
        if x >= least && x < beyond { Ok(x) } else { Err(format!("{:?} to {to} is out of range", float())) }
    };
    let width = 2f64.powi(to.bits() as i32 - 1);
    Ok(match op {
        Cast::Zext | Cast::Bits => a,
        Cast::Sext => cut(to, signed(from, a) as u64),
        Cast::Trunc => cut(to, a),
        Cast::Widen => (f32_of(a) as f64).to_bits(),
        Cast::Narrow => f32_bits(f64::from_bits(a) as f32),
        Cast::FloatToSigned => cut(to, in_range(-width, width)? as i64 as u64),
        Cast::FloatToUnsigned => in_range(0.0, 2.0 * width)? as u64,
        Cast::SignedToFloat => rounded(signed(from, a) as f32, signed(from, a) as f64),
        Cast::UnsignedToFloat => rounded(a as f32, a as f64),
        Cast::HalfToFloat => f32_bits(f16::from_bits(a as u16).to_f32()),
        Cast::FloatToHalf => f16::from_f32(f32_of(a)).to_bits() as u64,
    })
}
