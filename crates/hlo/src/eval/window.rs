//! reduce-window and select-and-scatter.
//!
//! reduce-window folds init, then the elements under the window in row-major window order; what falls into
//! padding or between dilated elements is skipped. f16 and bf16 accumulate in f32 and round once, as in reduce.
//! select-and-scatter takes the sources in row-major order: each goes to the element that `select` keeps when
//! the window is walked in row-major order, joined by scatter(present value, source).

use super::error::{EvalError, Result};
use super::machine::Machine;
use super::reducer::Reducer;
use super::walk::Walk;
use super::word::{Word, load_scalar, narrow};
use crate::attrs::WindowDim;
use crate::ids::CompId;
use crate::literal::{Literal, Value};
use crate::shape::{ArrayShape, Shape};

/// After so many elements of windows it is asked whether the evaluation may go on.
const LOOK: i64 = 1 << 18;

pub fn reduce_window(
    machine: &mut Machine,
    operands: &[&Literal],
    window: &[WindowDim],
    to_apply: CompId,
    shape: &Shape,
) -> Result<Value> {
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let mut reducer = Reducer::widened(machine.module, to_apply)?;
    let n = inputs.len();
    let leaves = shape.leaves();
    if n == 0 || inits.len() != n || leaves.len() != n || reducer.arity() != 2 * n {
        return Err(EvalError::malformed("operands do not match the reducer"));
    }
    if inputs.iter().any(|x| x.dims().len() != window.len() || x.dims() != inputs[0].dims()) {
        return Err(EvalError::malformed("operands do not match the window"));
    }
    let inits: Vec<Word> = inits.iter().map(|x| load_scalar(x)).collect();
    let words = inputs.iter().map(|x| machine.load(x)).collect::<Result<Vec<_>>>()?;
    let mut results = Vec::new();
    for leaf in &leaves {
        results.push(machine.limits.with_capacity(machine.limits.elements(leaf)?)?);
    }
    let cover = Cover::new(window, inputs[0].dims());
    let size: i64 = window.iter().map(|w| w.size).product();
    machine.charge(machine.limits.elements(leaves[0])? as u64 * size as u64)?;
    let mut args = vec![0; 2 * n];
    let mut positions = Positions::new(&leaves[0].dims);
    let mut since = 0;
    while let Some(position) = positions.next() {
        since += size;
        if since >= LOOK {
            since = 0;
            machine.go_on()?;
        }
        args[..n].copy_from_slice(&inits);
        let mut acc = inits.clone();
        cover.elements(position, |at| {
            args[..n].copy_from_slice(&acc);
            (0..n).for_each(|i| args[n + i] = words[i][at]);
            reducer.apply(machine, &args, &mut acc)
        })?;
        results.iter_mut().zip(&acc).for_each(|(out, &w): (&mut Vec<Word>, _)| out.push(w));
    }
    let mut parts = Vec::new();
    for (mut words, leaf) in results.into_iter().zip(leaves) {
        words.iter_mut().for_each(|w| *w = narrow(leaf.dtype, *w));
        parts.push(Value::Array(machine.array(leaf, &words)?));
    }
    Ok(match shape {
        Shape::Tuple(_) => Value::Tuple(parts),
        _ => parts.swap_remove(0),
    })
}

pub fn select_and_scatter(
    machine: &mut Machine,
    [x, source, init]: [&Literal; 3],
    window: &[WindowDim],
    select: CompId,
    scatter: CompId,
    shape: &ArrayShape,
) -> Result<Literal> {
    let mut select = Reducer::new(machine.module, select)?;
    let mut scatter = Reducer::new(machine.module, scatter)?;
    if x.dims().len() != window.len() || source.dims().len() != window.len() {
        return Err(EvalError::malformed("operands do not match the window"));
    }
    let size: i64 = window.iter().map(|w| w.size).product();
    machine.charge(source.elements() as u64 * size as u64)?;
    let (words, sources) = (machine.load(x)?, machine.load(source)?);
    let mut out = machine.limits.filled(words.len(), load_scalar(init))?;
    let cover = Cover::new(window, x.dims());
    let mut positions = Positions::new(source.dims());
    for source in sources {
        let Some(position) = positions.next() else { break };
        let mut selected: Option<usize> = None;
        cover.elements(position, |at| {
            let keeps = match selected {
                None => false,
                Some(best) => {
                    let mut keeps = [0];
                    select.apply(machine, &[words[best], words[at]], &mut keeps)?;
                    keeps[0] != 0
                }
            };
            if !keeps {
                selected = Some(at);
            }
            Ok(())
        })?;
        if let Some(at) = selected {
            let mut joined = [0];
            scatter.apply(machine, &[out[at], source], &mut joined)?;
            out[at] = joined[0];
        }
    }
    machine.array(shape, &out)
}

/// Which elements of the base a window covers.
struct Cover<'a> {
    window: &'a [WindowDim],
    sizes: Vec<i64>,
    base: &'a [i64],
    strides: Vec<i64>,
}

impl<'a> Cover<'a> {
    fn new(window: &'a [WindowDim], base: &'a [i64]) -> Cover<'a> {
        let sizes = window.iter().map(|w| w.size).collect();
        Cover { window, sizes, base, strides: crate::shape::row_major_strides(base) }
    }

    /// Calls `f` with each element under the window at this position, in row-major window order.
    fn elements(&self, position: &[i64], mut f: impl FnMut(usize) -> Result<()>) -> Result<()> {
        let mut inner = Positions::new(&self.sizes);
        while let Some(k) = inner.next() {
            let at = self.window.iter().enumerate().try_fold(0, |at, (d, w)| {
                Some(at + w.source(position[d], k[d], self.base[d])? * self.strides[d])
            });
            if let Some(at) = at {
                f(at as usize)?;
            }
        }
        Ok(())
    }
}

/// The indices of an array in row-major order.
struct Positions {
    walk: Walk<0>,
    here: Vec<i64>,
}

impl Positions {
    fn new(dims: &[i64]) -> Positions {
        Positions { walk: Walk::new(dims, [], []), here: vec![0; dims.len()] }
    }

    fn next(&mut self) -> Option<&[i64]> {
        self.here.copy_from_slice(self.walk.index());
        self.walk.next()?;
        Some(&self.here)
    }
}
