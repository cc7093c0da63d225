//! Elementary functions, each written once over [`Ops`].
//!
//! The interpreter instantiates them on numbers, code generation on vectors of Loop IR, so that every device
//! gives the same bits. Each function takes and returns a value of type f32 or f64 ([`Ops::ty`] tells which);
//! f16 and bf16 go through f32. Bounds: at most 2 ulp, `pow`, `tan` and `atan2` at most 4, over the whole range,
//! denormals included. Special values are C's.
//!
//! Measured, in ulp: f32 over every 101st float (`cargo run --release --example math_sweep`; the functions of two
//! arguments over 2·10⁷ random pairs), f64 over 10⁶ random arguments against 200 bits. Operations: on the common path,
//! constants and casts of bits not counted.
//!
//! | function | f32 | f64 | operations f32 | f64 |
//! |---|---|---|---|---|
//! | exp | 1.55 | 1.48 | 18 | 24 |
//! | expm1 | 1.26 | 1.57 | 23 | 28 |
//! | log | 0.89 | 0.83 | 26 | 32 |
//! | log1p | 1.39 | 1.35 | 28 | 34 |
//! | tanh | 1.75 | 1.70 | 27 | 32 |
//! | logistic | 1.56 | 1.57 | 24 | 29 |
//! | sin | 1.82 | 1.80 | 19 | 27 |
//! | cos | 1.82 | 1.83 | 19 | 27 |
//! | tan | 3.03 | 3.03 | 26 | 32 |
//! | erf | 1.47 | 1.32 | 25 | 42 |
//! | rsqrt | 1.49 | 1.49 | 2 | 2 |
//! | cbrt | 0.83 | 0.73 | 28 | 35 |
//! | atan | 1.43 | 1.40 | 20 | 32 |
//! | asin | 1.27 | 1.26 | 20 | 28 |
//! | acos | 1.09 | 1.12 | 25 | 33 |
//! | sinh | 1.62 | 1.56 | 28 | 36 |
//! | cosh | 1.31 | 1.31 | 18 | 23 |
//! | asinh | 1.72 | 1.65 | 41 | 47 |
//! | acosh | 1.75 | 1.81 | 44 | 50 |
//! | atanh | 1.72 | 1.72 | 40 | 46 |
//! | pow | 1.69 | 1.26 | 70 | 96 |
//! | atan2 | 1.75 | 1.62 | 30 | 49 |

mod complex;
pub mod composite;
mod erf;
pub mod erf_inv;
mod exp;
mod extension;
pub mod field;
mod hyperbolic;
mod inverse;
mod log;
mod pow;
mod reduce;
mod roots;
pub mod scalar;
mod trig;
pub mod wide;
mod words;

use crate::Opcode;
pub use erf::erf;
pub use exp::{exp, expm1, logistic};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use log::{log, log1p};
pub use pow::pow;
pub use roots::{cbrt, rsqrt};
pub use trig::{cos, sin, tan};

/// Whether code of an operation branches for rare arguments ([`Ops::if_any`]): powers have special cases, and angles that are far from
/// zero are reduced with more digits.
pub fn branches(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Power | Opcode::Sine | Opcode::Cosine | Opcode::Tan)
}

/// A unary elementary function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    Exp,
    Expm1,
    Log,
    Log1p,
    Tanh,
    Logistic,
    Sin,
    Cos,
    Tan,
    Erf,
    Rsqrt,
    Cbrt,
    Atan,
    Asin,
    Acos,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
}

impl Function {
    pub const ALL: [Function; 20] = {
        use Function::*;
        [
            Exp, Expm1, Log, Log1p, Tanh, Logistic, Sin, Cos, Tan, Erf, Rsqrt, Cbrt, Atan, Asin, Acos, Sinh,
            Cosh, Asinh, Acosh, Atanh,
        ]
    };

    /// Builds the function of `x`, of type F32 or F64.
    #[inline(always)]
    pub fn build<O: Ops>(self, o: &mut O, x: O::V) -> O::V {
        match self {
            Function::Exp => exp(o, x),
            Function::Expm1 => expm1(o, x),
            Function::Log => log(o, x),
            Function::Log1p => log1p(o, x),
            Function::Tanh => tanh(o, x),
            Function::Logistic => logistic(o, x),
            Function::Sin => sin(o, x),
            Function::Cos => cos(o, x),
            Function::Tan => tan(o, x),
            Function::Erf => erf(o, x),
            Function::Rsqrt => rsqrt(o, x),
            Function::Cbrt => cbrt(o, x),
            Function::Atan => atan(o, x),
            Function::Asin => asin(o, x),
            Function::Acos => acos(o, x),
            Function::Sinh => sinh(o, x),
            Function::Cosh => cosh(o, x),
            Function::Asinh => asinh(o, x),
            Function::Acosh => acosh(o, x),
            Function::Atanh => atanh(o, x),
        }
    }
}

/// The type of a value of [`Ops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// A mask: true or false.
    Mask,
    I32,
    I64,
    F32,
    F64,
}

/// The primitive operations an elementary function is written in.
///
/// Every operation is exact or correctly rounded, so a function means the same everywhere. Operands of one
/// call have one type unless said otherwise. Nothing is contracted: a fused multiply-add is asked for by name.
pub trait Ops {
    /// A handle of a value: a number, or a vector of Loop IR.
    type V: Copy;

    fn ty(&self, v: Self::V) -> Ty;

    /// A float constant of type F32 (rounded to nearest) or F64.
    fn float(&mut self, ty: Ty, value: f64) -> Self::V;
    /// An integer constant of type I32 (wrapped) or I64.
    fn int(&mut self, ty: Ty, value: i64) -> Self::V;

    fn fadd(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn fsub(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn fmul(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn fdiv(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// a·b + c, rounded once.
    fn fma(&mut self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// a·p·q of two powers of two, normal numbers or zero, of which the second product alone may round.
    ///
    /// p·q is two to the integral `exponent`, or too small to matter; where the mask `small` is true, the result is less than the
    /// least normal number. Processors take many times as long for products that are: vectors may be made otherwise.
    fn scale(&mut self, a: Self::V, powers: [Self::V; 2], exponent: Self::V, small: Self::V) -> Self::V;
    fn sqrt(&mut self, a: Self::V) -> Self::V;
    /// Clears the sign bit.
    fn fabs(&mut self, a: Self::V) -> Self::V;
    /// Flips the sign bit.
    fn fneg(&mut self, a: Self::V) -> Self::V;
    /// Rounds to an integral value, ties to even.
    fn rint(&mut self, a: Self::V) -> Self::V;
    fn floor(&mut self, a: Self::V) -> Self::V;

    /// Ordered comparisons: false when an operand is NaN. (x is NaN iff not `feq(x, x)`.)
    fn feq(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn flt(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn fle(&mut self, a: Self::V, b: Self::V) -> Self::V;

    fn iadd(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn isub(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn imul(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn iand(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn ior(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn ixor(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Shifts by `b` in [0, width).
    fn shl(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn lshr(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn ashr(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn ieq(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Signed less-than.
    fn ilt(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Unsigned less-than.
    fn ult(&mut self, a: Self::V, b: Self::V) -> Self::V;

    fn mask_and(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn mask_or(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn mask_not(&mut self, a: Self::V) -> Self::V;
    /// `m ? a : b`, lane by lane.
    fn select(&mut self, m: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// The bits of a float as the integer of its width.
    fn to_bits(&mut self, a: Self::V) -> Self::V;
    /// The float of these bits.
    #[allow(clippy::wrong_self_convention, reason = "a method of the builder, not a conversion of it")]
    fn from_bits(&mut self, a: Self::V) -> Self::V;
    /// Truncates a float to the signed integer of its width; the value must be in range.
    fn to_int(&mut self, a: Self::V) -> Self::V;
    /// The signed integer as the float of its width, rounded to nearest even.
    fn to_float(&mut self, a: Self::V) -> Self::V;
    /// F64 → F32, rounded to nearest even.
    fn narrow(&mut self, a: Self::V) -> Self::V;
    /// I32 → I64, zero-extended.
    fn zext(&mut self, a: Self::V) -> Self::V;
    /// I64 → I32, low half.
    fn trunc(&mut self, a: Self::V) -> Self::V;

    /// `table[index]` as I64, for an I64 index in [0, table.len()).
    fn table(&mut self, table: &'static [u64], index: Self::V) -> Self::V;
    /// The rare path: `select(m, then, otherwise)`, where `then` runs only if `m` holds in some lane.
    fn if_any(&mut self, m: Self::V, otherwise: Self::V, then: impl FnOnce(&mut Self) -> Self::V) -> Self::V;
}
