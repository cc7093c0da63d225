//! `cvt`: between integers and floats of all sizes, in every rounding mode.
//!
//! To integers a value is rounded in the mode, then cut to the range of the type; NaN gives 0. To floats it is rounded
//! once. A conversion is described by a number, which instructions carry as an operand.

use crate::program::Lane;
use crate::soft::{self, BF16, F16, F32, F64, Format, Mode, TF32};
use crate::types::{Kind, Type, mask};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub to: Type,
    pub from: Type,
    pub mode: Mode,
    /// Rounds floats to integral values (`.rni` and its like).
    pub integral: bool,
    pub ftz: bool,
    pub sat: bool,
    pub relu: bool,
}

const TYPES: [Type; 16] = [
    Type::new(Kind::Unsigned, 8),
    Type::new(Kind::Unsigned, 16),
    Type::new(Kind::Unsigned, 32),
    Type::new(Kind::Unsigned, 64),
    Type::new(Kind::Signed, 8),
    Type::new(Kind::Signed, 16),
    Type::new(Kind::Signed, 32),
    Type::new(Kind::Signed, 64),
    Type::new(Kind::Float, 16),
    Type::new(Kind::Float, 32),
    Type::new(Kind::Float, 64),
    Type::new(Kind::Bfloat, 16),
    Type::new(Kind::Tf32, 32),
    // Two halves of `f32`s.
    Type { kind: Kind::Float, bits: 32, packed: true },
    Type { kind: Kind::Bfloat, bits: 32, packed: true },
    Type::new(Kind::Bits, 32),
];

const MODES: [Mode; 5] = [Mode::Even, Mode::Away, Mode::Zero, Mode::Down, Mode::Up];

impl Conversion {
    /// The operation for a register of that width, and the number to give it as its third operand.
    pub fn lane(self, register_bits: u32) -> Option<(Lane, u64)> {
        let find = |t: Type| TYPES.iter().position(|&u| u == t);
        let (to, from) = (find(self.to)?, find(self.from)?);
        let mode = MODES.iter().position(|&m| m == self.mode)?;
        let flags = [self.integral, self.ftz, self.sat, self.relu];
        let flags = flags.iter().enumerate().fold(0, |sum, (i, &set)| sum | usize::from(set) << i);
        let number = to | from << 4 | mode << 8 | flags << 11;
        // What lies above a narrower type is not cut off with the register.
        let exact = self.to.bits == register_bits;
        let plain = exact && self.to.is_integer() && self.from.is_integer() && !self.sat;
        let lane: Lane = match (plain, self.from.is_signed(), self.from.bits) {
            (true, true, 8) => |a, _, _, _| a as i8 as u64,
            (true, true, 16) => |a, _, _, _| a as i16 as u64,
            (true, true, 32) => |a, _, _, _| a as i32 as u64,
            (true, false, 8) => |a, _, _, _| a & 0xff,
            (true, false, 16) => |a, _, _, _| a & 0xffff,
            (true, false, 32) => |a, _, _, _| a & 0xffff_ffff,
            (true, _, 64) => |a, _, _, _| a,
            _ => convert,
        };
        Some((lane, number as u64))
    }

    fn numbered(n: u64) -> Self {
        let flag = |i: u32| n >> (11 + i) & 1 == 1;
        Self {
            to: TYPES[(n & 15) as usize],
            from: TYPES[(n >> 4 & 15) as usize],
            mode: MODES[(n >> 8 & 7) as usize % MODES.len()],
            integral: flag(0),
            ftz: flag(1),
            sat: flag(2),
            relu: flag(3),
        }
    }
}

/// Converts `a`, for packed results `a` above `b`. Integers that are narrower than the register they go to are
/// extended by their sign if they are signed.
fn convert(a: u64, b: u64, number: u64, _: u64) -> u64 {
    let c = Conversion::numbered(number);
    if c.to.packed {
        let half = Type::new(c.to.kind, 16);
        let part = |bits| scalar(bits, Conversion { to: half, ..c });
        return part(a) << 16 | part(b);
    }
    scalar(a, c)
}

fn scalar(a: u64, c: Conversion) -> u64 {
    let Some(to) = format(c.to) else {
        return match format(c.from) {
            Some(from) => to_integer(value(a, from, c.ftz), c),
            None => between_integers(a, c),
        };
    };
    let Some(from) = format(c.from) else { return from_integer(a, to, c) };
    let bits = if c.ftz && from == F32 { F32.flush(a & c.from.mask()) } else { a & c.from.mask() };
    let result = if from == F64 || from != to {
        let x = value(bits, from, false);
        let x = if c.integral { soft::integral(x, c.mode) } else { x };
        soft::from_f64(x, to, c.mode)
    } else if c.integral {
        soft::from_f64(soft::integral(value(bits, from, false), c.mode), to, c.mode)
    } else {
        bits
    };
    finish(result, to, c)
}

fn finish(bits: u64, to: Format, c: Conversion) -> u64 {
    let x = value(bits, to, false);
    let bits = if c.sat && (x.is_nan() || x <= 0.0) {
        0
    } else if c.sat && x > 1.0 {
        soft::from_f64(1.0, to, Mode::Even)
    } else if c.relu && x <= 0.0 {
        0
    } else if c.ftz && to == F32 && c.to.kind == Kind::Float {
        F32.flush(bits)
    } else {
        bits
    };
    if c.to.kind == Kind::Tf32 { bits << 13 } else { bits }
}

fn format(t: Type) -> Option<Format> {
    match (t.kind, t.bits) {
        (Kind::Float, 16) => Some(F16),
        (Kind::Float, 32) => Some(F32),
        (Kind::Float, 64) => Some(F64),
        (Kind::Bfloat, 16) => Some(BF16),
        (Kind::Tf32, 32) => Some(TF32),
        _ => None,
    }
}

fn value(bits: u64, format: Format, ftz: bool) -> f64 {
    match format {
        F64 => f64::from_bits(bits),
        F32 => f32::from_bits(if ftz { F32.flush(bits) } else { bits } as u32).into(),
        _ => soft::to_f64(bits, format),
    }
}

/// The least and the greatest value of an integer type.
fn range(t: Type) -> (i128, i128) {
    if t.is_signed() { (-(1 << (t.bits - 1)), (1 << (t.bits - 1)) - 1) } else { (0, mask(t.bits).into()) }
}

fn to_integer(x: f64, c: Conversion) -> u64 {
    if x.is_nan() {
        return 0;
    }
    let (least, greatest) = range(c.to);
    // Conversions of Rust saturate.
    let rounded = soft::integral(x, c.mode) as i128;
    rounded.clamp(least, greatest) as u64
}

fn integer(a: u64, t: Type) -> i128 {
    let bits = a & t.mask();
    if t.is_signed() && bits >> (t.bits - 1) == 1 { i128::from(bits) - (1 << t.bits) } else { bits.into() }
}

fn between_integers(a: u64, c: Conversion) -> u64 {
    let x = integer(a, c.from);
    let (least, greatest) = range(c.to);
    let bits = (if c.sat { x.clamp(least, greatest) } else { x }) as u64;
    integer(bits, c.to) as u64
}

fn from_integer(a: u64, to: Format, c: Conversion) -> u64 {
    let x = integer(a, c.from);
    finish(soft::encode(x < 0, x.unsigned_abs(), 0, false, to, c.mode), to, c)
}
