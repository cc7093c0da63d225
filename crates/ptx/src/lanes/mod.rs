//! What instructions do to the values of one lane, by family.
//!
//! Values are the bits of registers, zero above their width. Results may have anything above the width of the
//! register they go to: it is cut off when they are written.

pub mod bits;
pub mod compare;
pub mod convert;
pub mod float32;
pub mod float64;
pub mod half;
pub mod integer;

/// A float operation on one lane, whatever the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    /// A NaN gives way to a number; −0 is below +0.
    Min,
    Max,
    /// A NaN wins.
    MinNan,
    MaxNan,
    Abs,
    Neg,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    CopySign,
}

/// Calls a function that has the operation as a constant parameter.
macro_rules! with_float_op {
    ($op:expr, $f:ident, [$($rest:tt)*]) => {
        match $op {
            FloatOp::Add => $f::<{ FloatOp::Add as u8 }, $($rest)*>,
            FloatOp::Sub => $f::<{ FloatOp::Sub as u8 }, $($rest)*>,
            FloatOp::Mul => $f::<{ FloatOp::Mul as u8 }, $($rest)*>,
            FloatOp::Div => $f::<{ FloatOp::Div as u8 }, $($rest)*>,
            FloatOp::Fma => $f::<{ FloatOp::Fma as u8 }, $($rest)*>,
            FloatOp::Min => $f::<{ FloatOp::Min as u8 }, $($rest)*>,
            FloatOp::Max => $f::<{ FloatOp::Max as u8 }, $($rest)*>,
            FloatOp::MinNan => $f::<{ FloatOp::MinNan as u8 }, $($rest)*>,
            FloatOp::MaxNan => $f::<{ FloatOp::MaxNan as u8 }, $($rest)*>,
            FloatOp::Abs => $f::<{ FloatOp::Abs as u8 }, $($rest)*>,
            FloatOp::Neg => $f::<{ FloatOp::Neg as u8 }, $($rest)*>,
            FloatOp::Sqrt => $f::<{ FloatOp::Sqrt as u8 }, $($rest)*>,
            FloatOp::Rcp => $f::<{ FloatOp::Rcp as u8 }, $($rest)*>,
            FloatOp::Rsqrt => $f::<{ FloatOp::Rsqrt as u8 }, $($rest)*>,
            FloatOp::Ex2 => $f::<{ FloatOp::Ex2 as u8 }, $($rest)*>,
            FloatOp::Lg2 => $f::<{ FloatOp::Lg2 as u8 }, $($rest)*>,
            FloatOp::Sin => $f::<{ FloatOp::Sin as u8 }, $($rest)*>,
            FloatOp::Cos => $f::<{ FloatOp::Cos as u8 }, $($rest)*>,
            FloatOp::Tanh => $f::<{ FloatOp::Tanh as u8 }, $($rest)*>,
            FloatOp::CopySign => $f::<{ FloatOp::CopySign as u8 }, $($rest)*>,
        }
    };
}
pub(crate) use with_float_op;

/// The operation of that number, see [`with_float_op`].
const fn float_op(number: u8) -> FloatOp {
    const ALL: [FloatOp; 20] = [
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Fma,
        FloatOp::Min,
        FloatOp::Max,
        FloatOp::MinNan,
        FloatOp::MaxNan,
        FloatOp::Abs,
        FloatOp::Neg,
        FloatOp::Sqrt,
        FloatOp::Rcp,
        FloatOp::Rsqrt,
        FloatOp::Ex2,
        FloatOp::Lg2,
        FloatOp::Sin,
        FloatOp::Cos,
        FloatOp::Tanh,
        FloatOp::CopySign,
    ];
    ALL[number as usize]
}

/// Smaller and larger of two numbers of any sign of zero, by PTX's rules; NaN in `x` or `y` is dealt with before.
#[inline(always)]
fn min_f64(x: f64, y: f64) -> f64 {
    if x < y || x == y && x.is_sign_negative() { x } else { y }
}

#[inline(always)]
fn max_f64(x: f64, y: f64) -> f64 {
    if x > y || x == y && y.is_sign_negative() { x } else { y }
}

/// A minimum or maximum with its rule for NaN.
#[inline(always)]
fn extreme(op: FloatOp, x: f64, y: f64) -> f64 {
    let prefers_nan = matches!(op, FloatOp::MinNan | FloatOp::MaxNan);
    let smaller = matches!(op, FloatOp::Min | FloatOp::MinNan);
    match (x.is_nan(), y.is_nan()) {
        (false, false) if smaller => min_f64(x, y),
        (false, false) => max_f64(x, y),
        (true, true) => f64::NAN,
        _ if prefers_nan => f64::NAN,
        (true, false) => y,
        (false, true) => x,
    }
}
