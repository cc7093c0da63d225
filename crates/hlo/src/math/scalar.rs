//! The elementary functions on plain numbers, for the interpreter.
//!
//! [`Scalars`] carries out [`Ops`] on one number. A kernel that evaluates the same function on vectors gives the
//! same bits.

use super::{Function, Ops, Ty};
use Num::{F32, F64, I32, I64, Mask};

impl Function {
    pub fn apply_f32(self, x: f32) -> f32 {
        self.build(&mut Scalars, F32(x)).as_f32()
    }

    pub fn apply_f64(self, x: f64) -> f64 {
        self.build(&mut Scalars, F64(x)).as_f64()
    }
}

pub fn pow_f32(x: f32, y: f32) -> f32 {
    super::pow(&mut Scalars, F32(x), F32(y)).as_f32()
}

pub fn pow_f64(x: f64, y: f64) -> f64 {
    super::pow(&mut Scalars, F64(x), F64(y)).as_f64()
}

/// The angle of the point (x, y).
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    super::atan2(&mut Scalars, F32(y), F32(x)).as_f32()
}

/// The angle of the point (x, y).
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    super::atan2(&mut Scalars, F64(y), F64(x)).as_f64()
}

/// A number with its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Num {
    Mask(bool),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl Num {
    #[inline(always)]
    fn as_f32(self) -> f32 {
        match self {
            F32(x) => x,
            _ => mixed(),
        }
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        match self {
            F64(x) => x,
            _ => mixed(),
        }
    }

    #[inline(always)]
    fn as_i64(self) -> i64 {
        match self {
            I64(x) => x,
            _ => mixed(),
        }
    }

    #[inline(always)]
    fn as_mask(self) -> bool {
        match self {
            Mask(m) => m,
            _ => mixed(),
        }
    }
}

/// A function of this directory gave an operation operands of the wrong types: a bug of ours.
#[cold]
fn mixed() -> ! {
    unreachable!("an elementary function mixed types")
}

/// [`Ops`] on numbers. Everything is inlined, so that the types fold away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalars;

/// Operations that mean the same in two types: `own` keeps the type of the operands, else the result is a mask.
macro_rules! operations {
    ($narrow:ident, $wide:ident: $(fn $name:ident($($arg:ident),+) = $result:ident($body:expr);)+) => {$(
        #[inline(always)]
        fn $name(&mut self, $($arg: Num),+) -> Num {
            match ($($arg,)+) {
                ($($narrow($arg),)+) => operations!(@$result $narrow $body),
                ($($wide($arg),)+) => operations!(@$result $wide $body),
                _ => mixed(),
            }
        }
    )+};
    (@own $own:ident $body:expr) => { $own($body) };
    (@mask $own:ident $body:expr) => { Mask($body) };
}

/// Conversions: each fixes its operand type and with it the result type.
macro_rules! conversions {
    ($(fn $name:ident { $($from:ident($arg:ident) => $to:ident($body:expr),)+ })+) => {$(
        #[inline(always)]
        fn $name(&mut self, a: Num) -> Num {
            match a {
                $($from($arg) => $to($body),)+
                _ => mixed(),
            }
        }
    )+};
}

impl Ops for Scalars {
    type V = Num;

    #[inline(always)]
    fn ty(&self, v: Num) -> Ty {
        match v {
            Mask(_) => Ty::Mask,
            I32(_) => Ty::I32,
            I64(_) => Ty::I64,
            F32(_) => Ty::F32,
            F64(_) => Ty::F64,
        }
    }

    #[inline(always)]
    fn float(&mut self, ty: Ty, value: f64) -> Num {
        if ty == Ty::F32 { F32(value as f32) } else { F64(value) }
    }

    #[inline(always)]
    fn int(&mut self, ty: Ty, value: i64) -> Num {
        if ty == Ty::I32 { I32(value as i32) } else { I64(value) }
    }

    operations! { F32, F64:
        fn fadd(a, b) = own(a + b);
        fn fsub(a, b) = own(a - b);
        fn fmul(a, b) = own(a * b);
        fn fdiv(a, b) = own(a / b);
        fn fma(a, b, c) = own(a.mul_add(b, c));
        fn sqrt(a) = own(a.sqrt());
        fn fabs(a) = own(a.abs());
        fn fneg(a) = own(-a);
        fn rint(a) = own(a.round_ties_even());
        fn floor(a) = own(a.floor());
        fn feq(a, b) = mask(a == b);
        fn flt(a, b) = mask(a < b);
        fn fle(a, b) = mask(a <= b);
    }

    #[inline(always)]
    fn scale(&mut self, a: Num, [first, second]: [Num; 2], _exponent: Num, _small: Num) -> Num {
        let product = self.fmul(a, first);
        self.fmul(product, second)
    }

    operations! { I32, I64:
        fn iadd(a, b) = own(a.wrapping_add(b));
        fn isub(a, b) = own(a.wrapping_sub(b));
        fn imul(a, b) = own(a.wrapping_mul(b));
        fn iand(a, b) = own(a & b);
        fn ior(a, b) = own(a | b);
        fn ixor(a, b) = own(a ^ b);
        fn shl(a, b) = own(a << b);
        fn ashr(a, b) = own(a >> b);
        fn ieq(a, b) = mask(a == b);
        fn ilt(a, b) = mask(a < b);
    }

    #[inline(always)]
    fn lshr(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (I32(a), I32(b)) => I32((a as u32 >> b) as i32),
            (I64(a), I64(b)) => I64((a as u64 >> b) as i64),
            _ => mixed(),
        }
    }

    #[inline(always)]
    fn ult(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (I32(a), I32(b)) => Mask((a as u32) < b as u32),
            (I64(a), I64(b)) => Mask((a as u64) < b as u64),
            _ => mixed(),
        }
    }

    #[inline(always)]
    fn mask_and(&mut self, a: Num, b: Num) -> Num {
        Mask(a.as_mask() & b.as_mask())
    }

    #[inline(always)]
    fn mask_or(&mut self, a: Num, b: Num) -> Num {
        Mask(a.as_mask() | b.as_mask())
    }

    #[inline(always)]
    fn mask_not(&mut self, a: Num) -> Num {
        Mask(!a.as_mask())
    }

    #[inline(always)]
    fn select(&mut self, m: Num, a: Num, b: Num) -> Num {
        if m.as_mask() { a } else { b }
    }

    conversions! {
        fn to_bits { F32(a) => I32(a.to_bits() as i32), F64(a) => I64(a.to_bits() as i64), }
        fn from_bits { I32(a) => F32(f32::from_bits(a as u32)), I64(a) => F64(f64::from_bits(a as u64)), }
        fn to_int { F32(a) => I32(a as i32), F64(a) => I64(a as i64), }
        fn to_float { I32(a) => F32(a as f32), I64(a) => F64(a as f64), }
        fn narrow { F64(a) => F32(a as f32), }
        fn zext { I32(a) => I64(i64::from(a as u32)), }
        fn trunc { I64(a) => I32(a as i32), }
    }

    #[inline(always)]
    fn table(&mut self, table: &'static [u64], index: Num) -> Num {
        I64(table[index.as_i64() as usize] as i64)
    }

    #[inline(always)]
    fn if_any(&mut self, m: Num, otherwise: Num, then: impl FnOnce(&mut Self) -> Num) -> Num {
        if m.as_mask() { then(self) } else { otherwise }
    }
}
