//! batch-norm-training, -inference and -grad, as what they expand to.
//!
//! With n elements for each feature, sums over all other dimensions in the order of reduce, every operation
//! rounded to the type computed in (f32 for f16 and bf16, which are widened first and rounded last), and
//! feature vectors broadcast where needed:
//!
//! - training:  mean = sum(x)/n, d = x − mean, var = sum(d·d)/n, y = d·rsqrt(var+ε)·scale + offset
//! - inference: y = (x − mean)·rsqrt(var+ε)·scale + offset
//! - grad of g: d = x − mean, r = rsqrt(var+ε), offset' = sum(g), t = sum(g·d), scale' = t·r,
//!   x' = (scale·r/n)·((n·g − offset') − d·(t/(var+ε)))
//!
//! Products and sums associate to the left where no brackets stand.

use super::elementwise::ScalarOp;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::movement::broadcast;
use super::order::fold;
use super::reduce::Space;
use super::reducer::simple;
use super::word::{Wide, Word};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::literal::{Literal, Value};
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::ArrayShape;

/// Evaluates one of the three opcodes on its operands.
pub fn batch_norm(
    machine: &mut Machine,
    opcode: Opcode,
    operands: &[&Literal],
    (epsilon_bits, feature): (u32, usize),
) -> Result<Value> {
    let arity = match opcode {
        Opcode::BatchNormTraining => 3,
        _ => 5,
    };
    let own = operands.first().map(|x| x.dtype()).unwrap_or(DType::F32);
    let fits = operands.len() == arity && feature < operands[0].dims().len() && own.is_float();
    if !fits {
        return Err(EvalError::malformed("operands do not match the operation"));
    }
    let dtype = own.accumulator();
    let wide = operands.iter().map(|x| machine.convert(x, dtype)).collect::<Result<Vec<_>>>()?;
    let x = &wide[0];
    let n = x.elements() as f64 / x.dims()[feature] as f64;
    let calc = Calc { machine, shape: x.shape().clone(), feature, dtype };
    let n = calc.constant(n);
    let epsilon = calc.constant(f32::from_bits(epsilon_bits) as f64);
    use Opcode::{Add, Divide, Multiply, Subtract};
    let results = match (opcode, &wide[..]) {
        (Opcode::BatchNormTraining, [x, scale, offset]) => {
            let mean = calc.binary(Divide, &calc.sum(x)?, &n)?;
            let d = calc.binary(Subtract, x, &calc.spread(&mean)?)?;
            let var = calc.binary(Divide, &calc.sum(&calc.binary(Multiply, &d, &d)?)?, &n)?;
            let y = calc.normalised(&d, &var, &epsilon, scale, offset)?;
            vec![y, mean, var]
        }
        (Opcode::BatchNormInference, [x, scale, offset, mean, var]) => {
            let d = calc.binary(Subtract, x, &calc.spread(mean)?)?;
            vec![calc.normalised(&d, var, &epsilon, scale, offset)?]
        }
        (_, [x, scale, mean, var, g]) => {
            let d = calc.binary(Subtract, x, &calc.spread(mean)?)?;
            let shifted = calc.binary(Add, var, &epsilon)?;
            let r = calc.rsqrt(&shifted)?;
            let sum = calc.sum(g)?;
            let t = calc.sum(&calc.binary(Multiply, g, &d)?)?;
            let factor = calc.binary(Divide, &calc.binary(Multiply, scale, &r)?, &n)?;
            let centred = calc.binary(Subtract, &calc.binary(Multiply, &n, g)?, &calc.spread(&sum)?)?;
            let slope = calc.spread(&calc.binary(Divide, &t, &shifted)?)?;
            let rest = calc.binary(Subtract, &centred, &calc.binary(Multiply, &d, &slope)?)?;
            let dx = calc.binary(Multiply, &calc.spread(&factor)?, &rest)?;
            vec![dx, calc.binary(Multiply, &t, &r)?, sum]
        }
        _ => return Err(EvalError::malformed("operands do not match the operation")),
    };
    let mut parts =
        results.iter().map(|x| Ok(Value::Array(machine.convert(x, own)?))).collect::<Result<Vec<_>>>()?;
    Ok(if opcode == Opcode::BatchNormInference { parts.swap_remove(0) } else { Value::Tuple(parts) })
}

/// Arithmetic on arrays of the operand's shape and on feature vectors.
struct Calc<'m, 'a> {
    machine: &'m Machine<'a>,
    shape: ArrayShape,
    feature: usize,
    dtype: DType,
}

impl Calc<'_, '_> {
    fn constant(&self, value: f64) -> Literal {
        Literal::scalar(self.dtype, Scalar::Float(value))
    }

    fn binary(&self, opcode: Opcode, a: &Literal, b: &Literal) -> Result<Literal> {
        let shape = if a.dims().is_empty() { b.shape() } else { a.shape() };
        let op = ScalarOp::new(opcode, &Attrs::None, &[self.dtype; 2], self.dtype)?;
        op.apply_arrays(self.machine.limits, &[a, b], shape)
    }

    fn rsqrt(&self, x: &Literal) -> Result<Literal> {
        let op = ScalarOp::new(Opcode::Rsqrt, &Attrs::None, &[self.dtype], self.dtype)?;
        op.apply_arrays(self.machine.limits, &[x], x.shape())
    }

    /// A feature vector over the whole shape.
    fn spread(&self, x: &Literal) -> Result<Literal> {
        broadcast(self.machine.limits, x, &[self.feature], &self.shape)
    }

    /// The sum for each feature.
    fn sum(&self, x: &Literal) -> Result<Literal> {
        let dims: Vec<usize> = (0..self.shape.rank()).filter(|&d| d != self.feature).collect();
        let space = Space::new(self.machine, x.shape(), &dims)?;
        let words = self.machine.load(x)?;
        let add = simple(Opcode::Add, self.dtype)?;
        let zero = if self.dtype.is_f64() { 0.0f64.word() } else { 0.0f32.word() };
        let mut sums: Vec<Word> = Vec::new();
        for base in space.results() {
            let element = |k: usize| words[base + space.offsets[k]];
            sums.push(fold(space.order, space.offsets.len(), zero, element, |a, b| {
                Ok::<_, EvalError>(add(a, b))
            })?);
        }
        self.machine.array(&ArrayShape::new(self.dtype, space.kept), &sums)
    }

    fn normalised(
        &self,
        d: &Literal,
        var: &Literal,
        epsilon: &Literal,
        scale: &Literal,
        offset: &Literal,
    ) -> Result<Literal> {
        let r = self.rsqrt(&self.binary(Opcode::Add, var, epsilon)?)?;
        let y = self.binary(Opcode::Multiply, d, &self.spread(&r)?)?;
        let y = self.binary(Opcode::Multiply, &y, &self.spread(scale)?)?;
        self.binary(Opcode::Add, &y, &self.spread(offset)?)
    }
}
