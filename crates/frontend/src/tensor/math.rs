//! Elementary functions and rounding. Integers and pred are taken as floats, except where a function says otherwise.

use super::Tensor;
use super::elementwise::{Types, binary, elementwise, unary};
use super::operand::AsTensor;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{DType, Opcode};
use std::panic::Location;

macro_rules! functions {
    ($(#![$family:meta])* $types:ident: $($(#[$doc:meta])* $name:ident $opcode:ident;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $name(&self) -> Tensor {
                    unary(Location::caller(), Opcode::$opcode, Types::$types, self)
                }
            )*
        }
    };
}

functions! {
    //! Elementary functions, element by element. Floats and complex numbers keep their type; integers and pred are taken as f32,
    //! 64-bit integers as f64. Outside of a function's domain the result is NaN, at its poles it is infinite.
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([0f32, 1.0]);
    //! assert_eq!(x.exp().to_vec::<f32>()?[0], 1.0);
    //! assert_eq!(x.sqrt().to_vec(), Ok(vec![0f32, 1.0]));
    //! assert_eq!(x.sigmoid().to_vec::<f32>()?[0], 0.5);
    //! assert_eq!(x.logistic().to_vec::<f32>(), x.sigmoid().to_vec());
    //! assert!((x.sin().square() + x.cos().square() - 1).abs().max().item::<f32>()? < 1e-6);
    //! assert!((x.cosh().square() - x.sinh().square() - 1).abs().max().item::<f32>()? < 1e-5);
    //!
    //! // Each inverse leads back.
    //! let y = Tensor::from([0.5f32]);
    //! let back = [
    //!     y.exp().log(), y.expm1().log1p(), y.tan().atan(), y.asin().sin(), y.acos().cos(), y.tanh().atanh(),
    //!     y.sinh().asinh(), y.cosh().acosh(), y.cbrt().integer_pow(3), y.rsqrt().integer_pow(-2),
    //! ];
    //! assert!(back.iter().all(|z| z.subtract(&y).abs().item::<f32>().unwrap() < 1e-6));
    //! assert!((y.erf().item::<f32>()? - 0.5205).abs() < 1e-4);
    //! assert_eq!(Tensor::from([4i32]).sqrt().item(), Ok(2f32));
    //! # Ok::<(), lawson_frontend::Error>(())
    //! ```
    Inexact:
    /// eˣ.
    exp Exponential;
    /// eˣ − 1, accurate near 0.
    expm1 ExponentialMinusOne;
    /// The natural logarithm.
    log Log;
    /// log(1 + x), accurate near 0.
    log1p LogPlusOne;
    /// The square root; NaN of negative numbers.
    sqrt Sqrt;
    /// 1 / √x.
    rsqrt Rsqrt;
    /// The cubic root, of negative numbers too.
    cbrt Cbrt;
    /// The sine of an angle in radians.
    sin Sine;
    /// The cosine of an angle in radians.
    cos Cosine;
    /// The tangent of an angle in radians.
    tan Tan;
    /// The angle of a sine, in radians.
    asin Asin;
    /// The angle of a cosine, in radians.
    acos Acos;
    /// The hyperbolic sine.
    sinh Sinh;
    /// The hyperbolic cosine.
    cosh Cosh;
    /// The hyperbolic tangent.
    tanh Tanh;
    /// The inverse of the hyperbolic sine.
    asinh Asinh;
    /// The inverse of the hyperbolic cosine.
    acosh Acosh;
    /// The inverse of the hyperbolic tangent.
    atanh Atanh;
    /// The error function.
    erf Erf;
    /// 1 / (1 + e⁻ˣ).
    sigmoid Logistic;
    /// The name that HLO has for [`Tensor::sigmoid`].
    logistic Logistic;
}

functions! {
    //! Of numbers and bits.
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([5u8]);
    //! assert_eq!(x.clz().item(), Ok(5u8));
    //! assert_eq!(x.population_count().item(), Ok(2u8));
    //! assert_eq!(x.bitwise_not().item(), Ok(250u8));
    //! assert_eq!(Tensor::from([5i32]).negative().item(), Ok(-5i32));
    //! ```
    Any:
    /// −x; of unsigned integers modulo their range.
    negative Negate;
    /// The number of leading zero bits of integers.
    clz CountLeadingZeros;
    /// The number of bits that are 1 of integers.
    population_count PopulationCount;
    /// The bits inverted of integers, the other truth value of pred: `!x`.
    bitwise_not Not;
}

/// Functions that leave integers as they are.
macro_rules! roundings {
    ($($(#[$doc:meta])* $name:ident $opcode:ident;)*) => {
        impl Tensor {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $name(&self) -> Tensor {
                    match self.dtype().has_bitwise() && self.error().is_none() {
                        true => self.clone(),
                        false => unary(Location::caller(), Opcode::$opcode, Types::Any, self),
                    }
                }
            )*
        }
    };
}

roundings! {
    /// The greatest whole number that is not greater.
    floor Floor;
    /// The least whole number that is not less.
    ceil Ceil;
    /// The nearest whole number, of two the even one.
    round RoundNearestEven;
}

impl Tensor {
    /// The absolute value; unsigned integers and pred stay as they are.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([-1.5f32, 0.0, 2.0]);
    /// assert_eq!(x.abs().to_vec(), Ok(vec![1.5f32, 0.0, 2.0]));
    /// assert_eq!(x.sign().to_vec(), Ok(vec![-1f32, 0.0, 1.0]));
    /// assert_eq!(x.square().to_vec(), Ok(vec![2.25f32, 0.0, 4.0]));
    /// assert_eq!(x.reciprocal().to_vec(), Ok(vec![1f32 / -1.5, f32::INFINITY, 0.5]));
    /// ```
    #[track_caller]
    pub fn abs(&self) -> Tensor {
        match self.error().is_none() && (self.dtype().is_unsigned() || self.dtype().is_pred()) {
            true => self.clone(),
            false => unary(Location::caller(), Opcode::Abs, Types::Any, self),
        }
    }

    /// −1, 0 or 1; of floats 0 keeps its sign and NaN stays NaN. Of complex numbers x/|x|, or 0.
    #[track_caller]
    pub fn sign(&self) -> Tensor {
        elementwise(Location::caller(), "sign", &[self.operand()], Types::Any, |e, ids| {
            let dtype = e.dtype(ids[0])?;
            if !dtype.is_unsigned() {
                return e.unary(Opcode::Sign, ids[0]);
            }
            let zero = e.splat_like(ids[0], 0.0)?;
            let above = e.compare(Direction::Gt, ids[0], zero)?;
            e.convert(above, dtype)
        })
    }

    /// The whole number next towards 0; integers stay as they are.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([-1.5f32, 0.5, 1.5, 2.5]);
    /// assert_eq!(x.trunc().to_vec(), Ok(vec![-1f32, 0.0, 1.0, 2.0]));
    /// assert_eq!(x.floor().to_vec(), Ok(vec![-2f32, 0.0, 1.0, 2.0]));
    /// assert_eq!(x.ceil().to_vec(), Ok(vec![-1f32, 1.0, 2.0, 3.0]));
    /// assert_eq!(x.round().to_vec(), Ok(vec![-2f32, 0.0, 2.0, 2.0]));
    /// ```
    #[track_caller]
    pub fn trunc(&self) -> Tensor {
        elementwise(Location::caller(), "trunc", &[self.operand()], Types::Any, |e, ids| {
            if e.dtype(ids[0])?.has_bitwise() {
                return Ok(ids[0]);
            }
            let zero = e.splat_like(ids[0], 0.0)?;
            let below = e.compare(Direction::Lt, ids[0], zero)?;
            let (up, down) = (e.unary(Opcode::Ceil, ids[0])?, e.unary(Opcode::Floor, ids[0])?);
            e.select(below, up, down)
        })
    }

    /// x · x; integers stay integers.
    #[track_caller]
    pub fn square(&self) -> Tensor {
        binary(Location::caller(), Opcode::Multiply, Types::Any, self, self)
    }

    /// 1 / x; of elements of a prime field the inverse, where that of 0 is 0.
    #[track_caller]
    pub fn reciprocal(&self) -> Tensor {
        elementwise(Location::caller(), "reciprocal", &[self.operand()], Types::Inexact, |e, ids| {
            if e.dtype(ids[0])?.is_field() {
                return e.unary(Opcode::Inverse, ids[0]);
            }
            let one = e.splat_like(ids[0], 1.0)?;
            e.div(one, ids[0])
        })
    }

    /// 2ˣ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([3f32]).exp2().item(), Ok(8f32));
    /// assert_eq!(Tensor::from([8f32]).log2().item(), Ok(3f32));
    /// assert_eq!(Tensor::from([100f32]).log10().item(), Ok(2f32));
    /// ```
    #[track_caller]
    pub fn exp2(&self) -> Tensor {
        elementwise(Location::caller(), "exp2", &[self.operand()], Types::Inexact, |e, ids| {
            let factor = e.splat_like(ids[0], std::f64::consts::LN_2)?;
            let scaled = e.mul(ids[0], factor)?;
            e.unary(Opcode::Exponential, scaled)
        })
    }

    /// The logarithm to base 2.
    #[track_caller]
    pub fn log2(&self) -> Tensor {
        self.log_to("log2", std::f64::consts::LN_2)
    }

    /// The logarithm to base 10.
    #[track_caller]
    pub fn log10(&self) -> Tensor {
        self.log_to("log10", std::f64::consts::LN_10)
    }

    /// The natural logarithm divided by that of the base.
    #[track_caller]
    fn log_to(&self, name: &str, log_of_base: f64) -> Tensor {
        elementwise(Location::caller(), name, &[self.operand()], Types::Inexact, |e, ids| {
            let (log, by) = (e.unary(Opcode::Log, ids[0])?, e.splat_like(ids[0], log_of_base)?);
            e.div(log, by)
        })
    }

    /// The angle of tangent x.
    #[track_caller]
    pub fn atan(&self) -> Tensor {
        elementwise(Location::caller(), "atan", &[self.operand()], Types::Inexact, |e, ids| {
            if e.dtype(ids[0])?.is_complex() {
                // −i·atanh(ix)
                let turned = super::complex::by_i(e, ids[0], false)?;
                let angle = e.unary(Opcode::Atanh, turned)?;
                return super::complex::by_i(e, angle, true);
            }
            let one = e.splat_like(ids[0], 1.0)?;
            e.binary(Opcode::Atan2, ids[0], one)
        })
    }

    /// The angle of the point (x = `other`, y = `self`).
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let up = Tensor::from([1f32]).atan2(Tensor::from([0f32])).item::<f32>()?;
    /// assert!((up - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn atan2(&self, other: impl AsTensor) -> Tensor {
        binary(Location::caller(), Opcode::Atan2, Types::Inexact, self, other)
    }

    /// log(eᵃ + eᵇ), without overflow; −∞ where both are.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1000f32]);
    /// assert!((x.logaddexp(&x).item::<f32>()? - (1000.0 + 2f32.ln())).abs() < 1e-3);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn logaddexp(&self, other: impl AsTensor) -> Tensor {
        let operands = [self.operand(), other.operand()];
        elementwise(Location::caller(), "logaddexp", &operands, Types::Inexact, |e, ids| {
            super::logarithms::with_derivative(e, ids[0], ids[1], 2)
        })
    }

    /// Whether elements are neither infinite nor NaN: pred. Integers are, complex numbers where both parts are.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1.0, f32::INFINITY, f32::NAN]);
    /// assert_eq!(x.isfinite().to_vec(), Ok(vec![true, false, false]));
    /// assert_eq!(x.isinf().to_vec(), Ok(vec![false, true, false]));
    /// assert_eq!(x.isnan().to_vec(), Ok(vec![false, false, true]));
    /// ```
    #[track_caller]
    pub fn isfinite(&self) -> Tensor {
        elementwise(Location::caller(), "isfinite", &[self.operand()], Types::Any, |e, ids| {
            if e.dtype(ids[0])?.is_float() {
                return e.unary(Opcode::IsFinite, ids[0]);
            }
            if e.dtype(ids[0])?.is_complex() {
                let (re, im) = (e.unary(Opcode::Real, ids[0])?, e.unary(Opcode::Imag, ids[0])?);
                let (re, im) = (e.unary(Opcode::IsFinite, re)?, e.unary(Opcode::IsFinite, im)?);
                return e.binary(Opcode::And, re, im);
            }
            let shape = e.array(ids[0])?.with_dtype(DType::Pred);
            e.splat(&shape, 1.0)
        })
    }

    /// Whether elements are NaN: pred.
    #[track_caller]
    pub fn isnan(&self) -> Tensor {
        elementwise(Location::caller(), "isnan", &[self.operand()], Types::Any, |e, ids| {
            e.compare(Direction::Ne, ids[0], ids[0])
        })
    }

    /// Whether elements are infinite: pred.
    #[track_caller]
    pub fn isinf(&self) -> Tensor {
        elementwise(Location::caller(), "isinf", &[self.operand()], Types::Any, |e, ids| {
            let infinite = |e: &mut Emit<'_>, x| {
                let size = e.unary(Opcode::Abs, x)?;
                let infinity = e.splat_like(size, f64::INFINITY)?;
                e.compare(Direction::Eq, size, infinity)
            };
            let dtype = e.dtype(ids[0])?;
            if dtype.is_complex() {
                // The magnitude of finite parts may be infinite.
                let (re, im) = (e.unary(Opcode::Real, ids[0])?, e.unary(Opcode::Imag, ids[0])?);
                let (re, im) = (infinite(e, re)?, infinite(e, im)?);
                return e.binary(Opcode::Or, re, im);
            }
            if dtype.is_continuous() {
                return infinite(e, ids[0]);
            }
            let shape = e.array(ids[0])?.with_dtype(DType::Pred);
            e.splat(&shape, 0.0)
        })
    }
}
