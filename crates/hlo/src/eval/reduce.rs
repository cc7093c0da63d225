//! reduce, in the order of [`super::order`].

use super::error::{EvalError, Result};
use super::machine::Machine;
use super::order::{ReductionOrder, fold};
use super::reducer::Reducer;
use super::walk::Walk;
use super::word::{Class, Word, load_range, load_scalar, narrow, store};
use crate::ids::CompId;
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape};

/// Reduces `dims` of the first half of the operands, from the initial values in the second half.
pub fn reduce(
    machine: &mut Machine,
    operands: &[&Literal],
    dims: &[usize],
    to_apply: CompId,
    shape: &Shape,
) -> Result<Value> {
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let mut reducer = Reducer::widened(machine.module, to_apply)?;
    let types: Vec<_> = shape.leaves().iter().map(|leaf| leaf.dtype).collect();
    let n = inputs.len();
    if n == 0 || inits.len() != n || types.len() != n || reducer.arity() != 2 * n {
        return Err(EvalError::malformed("operands do not match the reducer"));
    }
    if inputs.iter().any(|x| x.dims() != inputs[0].dims()) {
        return Err(EvalError::malformed("operands of different dimensions"));
    }
    let inits: Vec<Word> = inits.iter().map(|x| load_scalar(x)).collect();
    let words = inputs.iter().map(|x| machine.load(x)).collect::<Result<Vec<_>>>()?;
    let space = Space::new(machine, inputs[0].shape(), dims)?;
    let results = match &words[..] {
        [words] => single(machine, &space, words, inits[0], &mut reducer)?,
        _ => variadic(machine, &space, &words, &inits, &mut reducer)?,
    };
    let mut parts = Vec::new();
    for (mut words, dtype) in results.into_iter().zip(types) {
        words.iter_mut().for_each(|w| *w = narrow(dtype, *w));
        parts.push(Value::Array(machine.array(&ArrayShape::new(dtype, space.kept.clone()), &words)?));
    }
    Ok(match shape {
        Shape::Tuple(_) => Value::Tuple(parts),
        _ => parts.swap_remove(0),
    })
}

/// The index space of a reduction.
pub struct Space {
    pub order: ReductionOrder,
    /// Extents and operand strides of the dimensions that stay.
    pub kept: Vec<i64>,
    kept_strides: Vec<i64>,
    /// Position in the operand of element k, less the position of the result element's first one.
    pub offsets: Vec<usize>,
}

impl Space {
    pub fn new(machine: &Machine, shape: &ArrayShape, dims: &[usize]) -> Result<Space> {
        let strides = shape.strides();
        let pick = |of: &[i64], reduced: bool| -> Vec<i64> {
            (0..shape.rank()).filter(|d| dims.contains(d) == reduced).map(|d| of[d]).collect()
        };
        let extents = pick(&shape.dims, true);
        let n = machine.limits.elements(&ArrayShape::new(shape.dtype, extents.clone()))?;
        let mut offsets = machine.limits.with_capacity(n)?;
        offsets.extend(Walk::new(&extents, [0], [&pick(&strides, true)]).map(|[at]| at as usize));
        Ok(Space {
            order: ReductionOrder::of(shape.rank(), dims),
            kept: pick(&shape.dims, false),
            kept_strides: pick(&strides, false),
            offsets,
        })
    }

    /// The operand position of the first element of each result element, in row-major order.
    pub fn results(&self) -> impl Iterator<Item = usize> + use<> {
        Walk::new(&self.kept, [0], [&self.kept_strides]).map(|[at]| at as usize)
    }

    fn result_count(&self) -> usize {
        self.kept.iter().product::<i64>() as usize
    }
}

fn single(
    machine: &mut Machine,
    space: &Space,
    words: &[Word],
    init: Word,
    reducer: &mut Reducer,
) -> Result<Vec<Vec<Word>>> {
    let mut out = machine.limits.with_capacity(space.result_count())?;
    let n = space.offsets.len();
    for base in space.results() {
        let element = |k: usize| words[base + space.offsets[k]];
        out.push(fold(space.order, n, init, element, |a, b| {
            let mut result = [0];
            reducer.apply(machine, &[a, b], &mut result)?;
            Ok(result[0])
        })?);
    }
    Ok(vec![out])
}

/// Elements are tuples: one word of each operand.
fn variadic(
    machine: &mut Machine,
    space: &Space,
    words: &[Vec<Word>],
    inits: &[Word],
    reducer: &mut Reducer,
) -> Result<Vec<Vec<Word>>> {
    let mut out = Vec::new();
    for _ in words {
        out.push(machine.limits.with_capacity(space.result_count())?);
    }
    let mut args = vec![0; 2 * words.len()];
    for base in space.results() {
        let element = |k: usize| words.iter().map(|w| w[base + space.offsets[k]]).collect::<Box<[Word]>>();
        let total = fold(space.order, space.offsets.len(), Box::from(inits), element, |mut a, b| {
            args[..a.len()].copy_from_slice(&a);
            args[a.len()..].copy_from_slice(&b);
            reducer.apply(machine, &args, &mut a)?;
            Ok(a)
        })?;
        out.iter_mut().zip(&total).for_each(|(out, &w)| out.push(w));
    }
    Ok(out)
}

impl Machine<'_> {
    /// The words of an array, whose elements are no composites.
    pub fn load(&self, x: &Literal) -> Result<Vec<Word>> {
        if Class::of(x.dtype()).is_none() {
            return Err(EvalError::unsupported(format!("{} is not computed with", x.dtype())));
        }
        let mut words = self.limits.with_capacity(x.elements())?;
        load_range(x, 0, x.elements(), &mut words);
        Ok(words)
    }

    /// An array of these words, which hold values of its type.
    pub fn array(&self, shape: &ArrayShape, words: &[Word]) -> Result<Literal> {
        let mut bytes = self.limits.with_capacity(words.len() * shape.dtype.size())?;
        store(shape.dtype, words, &mut bytes);
        Ok(Literal::new(shape.clone(), bytes))
    }
}
