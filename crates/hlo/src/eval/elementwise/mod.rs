//! Elementwise operations: the meaning of each on words, and its application to arrays.

mod binary;
mod compare;
mod convert;
mod field;
mod real;
mod unary;

pub use real::Real;

use super::error::{EvalError, Result};
use super::limits::Limits;
use super::word::{Class, Wide, Word, load_range, load_scalar, narrow, store, wrapping_fma};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::literal::Literal;
use crate::math::field::Arithmetic;
use crate::opcode::Opcode;
use crate::shape::ArrayShape;

/// A function on words.
pub enum Fun {
    One(Box<dyn Fn(Word) -> Word>),
    Two(Box<dyn Fn(Word, Word) -> Word>),
    Three(Box<dyn Fn(Word, Word, Word) -> Word>),
}

impl Fun {
    fn one(f: impl Fn(Word) -> Word + 'static) -> Fun {
        Fun::One(Box::new(f))
    }

    fn two(f: impl Fn(Word, Word) -> Word + 'static) -> Fun {
        Fun::Two(Box::new(f))
    }

    fn arity(&self) -> usize {
        match self {
            Fun::One(_) => 1,
            Fun::Two(_) => 2,
            Fun::Three(_) => 3,
        }
    }
}

/// One elementwise operation on one element of each operand.
pub struct ScalarOp {
    fun: Fun,
    result: DType,
}

impl ScalarOp {
    /// The operation of an opcode (of an elementwise class, `map` apart) on operands of these types.
    pub fn new(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> Result<ScalarOp> {
        let fun = match (opcode, attrs, operands) {
            (Opcode::Compare, &Attrs::Compare { direction, order }, [a, _]) => {
                compare::compare(direction, order, *a)
            }
            (Opcode::Convert, _, [a]) => convert::convert(*a, result),
            (Opcode::BitcastConvert, _, [a]) => convert::bitcast(*a, result),
            (Opcode::ReducePrecision, &Attrs::ReducePrecision { exponent_bits, mantissa_bits }, [a]) => {
                convert::reduce_precision(*a, exponent_bits, mantissa_bits)
            }
            (Opcode::Select, _, [p, _, _]) if p.is_pred() => {
                Some(Fun::Three(Box::new(|p, t, f| if p != 0 { t } else { f })))
            }
            (Opcode::Clamp, _, [_, a, _]) => clamp(*a),
            (_, _, [a]) => unary::unary(opcode, *a),
            (Opcode::Power, _, [a, e]) if a.is_field() && e.is_unsigned() => field::power(*a),
            (_, _, [a, b]) if a == b => binary::binary(opcode, *a),
            _ => None,
        };
        let types = || operands.iter().map(|d| d.name()).collect::<Vec<_>>().join(", ");
        match fun {
            Some(fun) if fun.arity() == operands.len() => Ok(ScalarOp { fun, result }),
            _ => Err(EvalError::unsupported(format!("{opcode} of {} to {result} is not supported", types()))),
        }
    }

    /// a·b + c, rounded once; of pred the or of the and.
    pub fn fma(dtype: DType) -> Result<ScalarOp> {
        fn on<T: Wide>(f: fn(T, T, T) -> T) -> Fun {
            Fun::Three(Box::new(move |a, b, c| f(T::of(a), T::of(b), T::of(c)).word()))
        }
        let fun = match Class::of(dtype) {
            Some(Class::Float32) => on(f32::fma),
            Some(Class::Float64) => on(f64::fma),
            Some(Class::Signed | Class::Unsigned) => on(wrapping_fma),
            Some(Class::Pred) => on(|a: bool, b, c| (a & b) | c),
            Some(Class::Field(field)) => {
                let of = Arithmetic::new(field);
                Fun::Three(Box::new(move |a, b, c| of.multiply_add(a, b, c)))
            }
            None => return Err(EvalError::unsupported(format!("a product of {dtype} is not supported"))),
        };
        Ok(ScalarOp { fun, result: dtype })
    }

    /// The result for these operands, as many as the operation has.
    #[inline]
    pub fn apply(&self, args: [Word; 3]) -> Word {
        let wide = match &self.fun {
            Fun::One(f) => f(args[0]),
            Fun::Two(f) => f(args[0], args[1]),
            Fun::Three(f) => f(args[0], args[1], args[2]),
        };
        narrow(self.result, wide)
    }

    /// Applies the operation to each element; scalar operands stand for every index.
    pub fn apply_arrays(&self, limits: Limits, operands: &[&Literal], shape: &ArrayShape) -> Result<Literal> {
        /// Elements handled together, so that their words stay in the first-level cache.
        const BLOCK: usize = 1024;
        let n = limits.elements(shape)?;
        for x in operands {
            if x.elements() != n && !x.dims().is_empty() {
                return Err(EvalError::malformed(format!("operand {} of result {shape}", x.shape())));
            }
        }
        let mut out = limits.with_capacity(n * shape.dtype.size())?;
        let mut blocks: [Vec<Word>; 3] = Default::default();
        for (block, x) in blocks.iter_mut().zip(operands) {
            if x.elements() != n {
                block.resize(BLOCK.min(n), load_scalar(x));
            }
        }
        let mut results = Vec::with_capacity(BLOCK.min(n));
        for from in (0..n).step_by(BLOCK) {
            let to = n.min(from + BLOCK);
            for (block, x) in blocks.iter_mut().zip(operands) {
                if x.elements() == n {
                    block.clear();
                    load_range(x, from, to, block);
                }
            }
            results.clear();
            let [a, b, c] = &blocks;
            let len = to - from;
            match &self.fun {
                Fun::One(f) => results.extend(a[..len].iter().map(|&a| f(a))),
                Fun::Two(f) => results.extend(a[..len].iter().zip(&b[..len]).map(|(&a, &b)| f(a, b))),
                Fun::Three(f) => results
                    .extend(a[..len].iter().zip(&b[..len]).zip(&c[..len]).map(|((&a, &b), &c)| f(a, b, c))),
            }
            results.iter_mut().for_each(|w| *w = narrow(self.result, *w));
            store(self.result, &results, &mut out);
        }
        Ok(Literal::new(shape.clone(), out))
    }
}

/// min(max(x, low), high).
fn clamp(dtype: DType) -> Option<Fun> {
    let Fun::Two(max) = binary::binary(Opcode::Maximum, dtype)? else { return None };
    let Fun::Two(min) = binary::binary(Opcode::Minimum, dtype)? else { return None };
    Some(Fun::Three(Box::new(move |low, x, high| min(max(x, low), high))))
}
