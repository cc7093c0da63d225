//! Formulas of functions that HLO has no operation for, as elementwise instructions, most of them in f64.

use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Scalar, Shape};

/// Computes with arrays of one shape. What it adds is well formed by construction.
pub struct Formula<'a, 'c, 'p> {
    frame: &'a mut Frame<'c, 'p>,
    dims: Vec<i64>,
    dtype: DType,
}

/// A value of a formula.
pub type Of = InstrId;

/// The result of an operation on floats by a formula over its operands, in f64.
pub fn compute<'p, const N: usize>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    formula: impl FnOnce(&mut Formula<'_, '_, 'p>, [Of; N]) -> Of,
) -> Result<InstrId> {
    compute_in(f, op, |_| DType::F64, formula)
}

/// The same in the type of the operands, but in f32 where that is narrower.
pub fn compute_in_own_type<'p, const N: usize>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    formula: impl FnOnce(&mut Formula<'_, '_, 'p>, [Of; N]) -> Of,
) -> Result<InstrId> {
    compute_in(f, op, DType::accumulator, formula)
}

fn compute_in<'p, const N: usize>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    dtype_for: impl FnOnce(DType) -> DType,
    formula: impl FnOnce(&mut Formula<'_, '_, 'p>, [Of; N]) -> Of,
) -> Result<InstrId> {
    let operands: [InstrId; N] = f.exactly(op)?;
    let first = f.array(op, operands[0])?;
    for &operand in &operands {
        let array = f.array(op, operand)?;
        if !array.dtype.is_float() || array.dims != first.dims {
            return Err(f.unsupported(op, format!("elements of {array} are not supported")));
        }
    }
    let dtype = dtype_for(first.dtype);
    let mut formula_of = Formula { frame: f, dims: first.dims, dtype };
    let wide = operands.map(|x| formula_of.convert(x, dtype));
    let result = formula(&mut formula_of, wide);
    Ok(formula_of.convert(result, first.dtype))
}

impl Formula<'_, '_, '_> {
    /// Whether it computes in f64.
    pub fn is_double(&self) -> bool {
        self.dtype.is_f64()
    }

    fn add_as(&mut self, opcode: Opcode, dtype: DType, operands: &[Of], attrs: Attrs) -> Of {
        self.frame.body.add_shaped(opcode, Shape::array(dtype, self.dims.clone()), operands, attrs)
    }

    fn convert(&mut self, x: Of, dtype: DType) -> Of {
        match self.frame.body.array(x).dtype == dtype {
            true => x,
            false => self.add_as(Opcode::Convert, dtype, &[x], Attrs::None),
        }
    }

    pub fn number(&mut self, value: f64) -> Of {
        let dims = self.dims.clone();
        self.frame.filled(self.dtype, &dims, Scalar::Float(value))
    }

    pub fn unary(&mut self, opcode: Opcode, x: Of) -> Of {
        self.add_as(opcode, self.dtype, &[x], Attrs::None)
    }

    pub fn add(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Add, self.dtype, &[a, b], Attrs::None)
    }

    pub fn sub(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Subtract, self.dtype, &[a, b], Attrs::None)
    }

    pub fn mul(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Multiply, self.dtype, &[a, b], Attrs::None)
    }

    pub fn div(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Divide, self.dtype, &[a, b], Attrs::None)
    }

    pub fn power(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Power, self.dtype, &[a, b], Attrs::None)
    }

    /// `x + value`
    pub fn plus(&mut self, x: Of, value: f64) -> Of {
        let value = self.number(value);
        self.add(x, value)
    }

    /// `x · value`
    pub fn times(&mut self, x: Of, value: f64) -> Of {
        let value = self.number(value);
        self.mul(x, value)
    }

    pub fn compare(&mut self, direction: Direction, a: Of, b: Of) -> Of {
        let attrs = Attrs::Compare { direction, order: CompareOrder::Default };
        self.add_as(Opcode::Compare, DType::Pred, &[a, b], attrs)
    }

    /// Whether `x < value`, and so on.
    pub fn test(&mut self, x: Of, direction: Direction, value: f64) -> Of {
        let value = self.number(value);
        self.compare(direction, x, value)
    }

    pub fn both(&mut self, a: Of, b: Of) -> Of {
        self.add_as(Opcode::And, DType::Pred, &[a, b], Attrs::None)
    }

    pub fn select(&mut self, test: Of, a: Of, b: Of) -> Of {
        self.add_as(Opcode::Select, self.dtype, &[test, a, b], Attrs::None)
    }

    /// `value` where `test` holds, else `x`.
    pub fn unless(&mut self, test: Of, value: f64, x: Of) -> Of {
        let value = self.number(value);
        self.select(test, value, x)
    }

    /// A polynomial, its highest coefficient first.
    pub fn polynomial(&mut self, x: Of, coefficients: &[f64]) -> Of {
        let (first, rest) = coefficients.split_first().expect("coefficients");
        let mut sum = self.number(*first);
        for &coefficient in rest {
            let product = self.mul(sum, x);
            sum = self.plus(product, coefficient);
        }
        sum
    }
}
