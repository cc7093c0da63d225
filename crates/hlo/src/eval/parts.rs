//! Composite elements, part by part: operations on them become operations on arrays and words of their parts.
//!
//! Operations that only move elements need none of this: they move the bytes of any type.

use super::error::{EvalError, Result};
use super::machine::Machine;
use super::scalar_program::Program;
use super::word::{Class, Word, load_range, store};
use super::{contraction, convolution};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::instruction::Instruction;
use crate::literal::{Literal, Value};
use crate::math::composite::{self, PartOps, part_count};
use crate::opcode::{self, Opcode};
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Shape};

/// The value of an operation that takes or gives composites; `None` where the rule for all types is the right one.
///
/// # Errors
/// Types that nothing is computed in, and operations without a meaning on composites.
pub fn instruction(machine: &mut Machine, instr: &Instruction, xs: &[&Literal]) -> Result<Option<Value>> {
    if matches!(instr.opcode.class(), opcode::Class::Movement) {
        return Ok(None);
    }
    let types = || xs.iter().map(|x| x.dtype()).chain(instr.shape.leaves().into_iter().map(|a| a.dtype));
    if let Some(other) = types().find(|d| Class::of(d.part()).is_none()) {
        return Err(EvalError::unsupported(format!("{} of {other} is not supported", instr.opcode)));
    }
    if types().all(|d| d.composite().is_none()) {
        return Ok(None);
    }
    let shape = &instr.shape;
    match (instr.opcode, &instr.attrs, shape) {
        (Opcode::Iota | Opcode::Sort | Opcode::Ntt, ..) => Ok(None),
        (Opcode::Reduce | Opcode::ReduceWindow | Opcode::Scatter, ..) => {
            let parts: Vec<Literal> = xs.iter().flat_map(|x| x.parts()).collect();
            let split = Instruction { shape: split_shape(shape), ..instr.clone() };
            let result = machine.any_result(&split, &parts.iter().collect::<Vec<_>>())?;
            joined(shape, result).map(Some)
        }
        (Opcode::Dot, Attrs::Dot(dims), Shape::Array(array)) if array.dtype.wide_field().is_some() => {
            contraction::wide_dot(machine, (xs[0], xs[1]), dims, array).map(|x| Some(Value::Array(x)))
        }
        (Opcode::Dot | Opcode::Convolution, attrs, Shape::Array(array)) => {
            products(machine, (instr.opcode, attrs), xs, array).map(|x| Some(Value::Array(x)))
        }
        (opcode, attrs, Shape::Array(array)) if opcode.is_elementwise() => {
            elementwise(machine, (opcode, attrs), xs, array).map(|x| Some(Value::Array(x)))
        }
        (opcode, ..) => Err(EvalError::unsupported(format!("{opcode} of composites is not supported"))),
    }
}

/// Sums of products of arrays, made of those of their parts.
fn products(
    machine: &mut Machine,
    (opcode, attrs): (Opcode, &Attrs),
    xs: &[&Literal],
    shape: &ArrayShape,
) -> Result<Literal> {
    let mut arrays = Arrays { machine, dims: &shape.dims, fault: None };
    let made = composite::products(&mut arrays, (opcode, attrs), &xs[0].parts(), &xs[1].parts(), shape.dtype);
    if let Some(fault) = arrays.fault {
        return Err(fault);
    }
    let parts =
        made.ok_or_else(|| EvalError::unsupported(format!("{opcode} to {shape} is not supported")))?;
    Ok(Literal::from_parts(shape.dtype, &parts))
}

/// Operations on whole arrays of parts. The first fault is kept, and zeros go on in its place.
struct Arrays<'a, 'm> {
    machine: &'a mut Machine<'m>,
    /// The dimensions of sums of products.
    dims: &'a [i64],
    fault: Option<EvalError>,
}

impl PartOps for Arrays<'_, '_> {
    type Value = Literal;

    fn op(&mut self, opcode: Opcode, attrs: Attrs, operands: &[&Literal], result: DType) -> Literal {
        let sums = matches!(attrs, Attrs::Dot(_) | Attrs::Convolution(_));
        let dims = if sums { self.dims } else { operands[0].dims() };
        let shape = ArrayShape::new(result, dims);
        let made = match (&attrs, operands) {
            (Attrs::Dot(dims), [x, y]) => contraction::dot(self.machine, x, y, dims, &shape),
            (Attrs::Convolution(dims), [x, y]) => convolution::convolution(self.machine, x, y, dims, &shape),
            _ => elementwise(self.machine, (opcode, &attrs), operands, &shape),
        };
        made.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            Literal::splat(shape, Scalar::Unsigned(0))
        })
    }

    fn constant(&mut self, dtype: DType, value: Scalar, like: &Literal) -> Literal {
        Literal::splat(like.shape().with_dtype(dtype), value)
    }
}

/// An elementwise operation on arrays; scalar operands stand for every index.
pub fn elementwise(
    machine: &Machine,
    (opcode, attrs): (Opcode, &Attrs),
    xs: &[&Literal],
    shape: &ArrayShape,
) -> Result<Literal> {
    let types: Vec<DType> = xs.iter().map(|x| x.dtype()).collect();
    let mut program = Program::of_operation(opcode, attrs, &types, shape.dtype)?;
    let n = machine.limits.elements(shape)?;
    if let Some(x) = xs.iter().find(|x| x.elements() != n && !x.dims().is_empty()) {
        return Err(EvalError::malformed(format!("operand {} of result {shape}", x.shape())));
    }
    // For each word of the arguments, the words of all elements, or the one that stands for every index.
    let mut words: Vec<Vec<Word>> = Vec::new();
    for part in xs.iter().flat_map(|x| x.parts()) {
        words.push(machine.load(&part)?);
    }
    let (mut args, mut element) = (vec![0; words.len()], vec![0; part_count(shape.dtype)]);
    let mut bytes = machine.limits.with_capacity(n.saturating_mul(shape.dtype.size()))?;
    for i in 0..n {
        args.iter_mut().zip(&words).for_each(|(arg, w)| *arg = if w.len() == n { w[i] } else { w[0] });
        program.run(&args, &mut element);
        store(shape.dtype.part(), &element, &mut bytes);
    }
    Ok(Literal::new(shape.clone(), bytes))
}

/// The shape with the parts of composites in place of their arrays; more than one array is a tuple.
fn split_shape(shape: &Shape) -> Shape {
    let parts = shape
        .leaves()
        .into_iter()
        .flat_map(|a| std::iter::repeat_n(Shape::Array(a.with_dtype(a.dtype.part())), part_count(a.dtype)));
    Shape::Tuple(parts.collect())
}

/// The value of a shape whose parts were computed one by one.
fn joined(shape: &Shape, parts: Value) -> Result<Value> {
    let mut parts = parts.leaves().into_iter().cloned();
    let arrays: Vec<Literal> = shape
        .leaves()
        .iter()
        .map(|a| Literal::from_parts(a.dtype, &parts.by_ref().take(part_count(a.dtype)).collect::<Vec<_>>()))
        .collect();
    Value::from_leaves(shape, &mut arrays.into_iter())
        .ok_or_else(|| EvalError::malformed("a part is missing"))
}

/// Appends the words of the one element of a scalar.
pub fn element_words(x: &Literal, out: &mut Vec<Word>) {
    x.parts().iter().for_each(|p| load_range(p, 0, 1, out));
}

/// A rank-0 literal of these words, as many as the type has parts.
pub fn element_of_words(dtype: DType, words: &[Word]) -> Literal {
    let mut bytes = Vec::with_capacity(dtype.size());
    store(dtype.part(), words, &mut bytes);
    Literal::new(ArrayShape::new(dtype, []), bytes)
}
