//! Shape rules of reduce, sort, top-k, scan and batch normalisation.

use super::ShapeError;
use super::args::{Site, class, distinct, fail, in_range, one_or_tuple, same_dims, same_dtype, without};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// `reduce(x…, init…)`: the listed dimensions go.
pub(super) fn reduce(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Reduce { dims, to_apply } = site.attrs else { return site.wrong_attrs() };
    let r = reducible(site, *to_apply)?;
    let gone = distinct("dimensions", dims, r.dims.len())?;
    Ok(r.results(&without(r.dims, &gone)))
}

/// What reduce and reduce-window have in common.
pub(super) struct Reducible<'a> {
    /// The dimensions of all inputs.
    pub dims: &'a [i64],
    accumulators: Vec<DType>,
    /// Whether the reducer returns a tuple, perhaps of one; then so does the operation.
    tuple: bool,
}

impl Reducible<'_> {
    /// One array of these dimensions for each accumulator.
    pub fn results(&self, dims: &[i64]) -> Shape {
        let shapes = self.accumulators.iter().map(|&d| Shape::array(d, dims)).collect();
        if self.tuple { Shape::Tuple(shapes) } else { one_or_tuple(shapes) }
    }
}

/// n arrays of the same dimensions, n scalar initial values, a reducer for them.
pub(super) fn reducible<'a>(site: &Site<'a, '_>, reducer: CompId) -> Result<Reducible<'a>, ShapeError> {
    let arrays = site.all_arrays()?;
    if arrays.is_empty() || arrays.len() % 2 != 0 {
        return fail!("takes inputs and as many initial values, not {} operands", arrays.len());
    }
    let (inputs, inits) = arrays.split_at(arrays.len() / 2);
    same_dims(inputs)?;
    if let Some(init) = inits.iter().find(|i| !i.is_scalar()) {
        return fail!("needs scalar initial values, not {init}");
    }
    let reducer = site.callees.signature(reducer)?;
    let accumulators = reducer.reduces(&dtypes(inputs), &dtypes(inits))?;
    Ok(Reducible { dims: &inputs[0].dims, accumulators, tuple: matches!(reducer.root, Shape::Tuple(_)) })
}

pub(super) fn dtypes(arrays: &[&ArrayShape]) -> Vec<DType> {
    arrays.iter().map(|a| a.dtype).collect()
}

/// All operands are permuted alike.
pub(super) fn sort(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Sort { dim, to_apply, .. } = *site.attrs else { return site.wrong_attrs() };
    let arrays = site.all_arrays()?;
    let Some(first) = arrays.first() else { return fail!("takes at least one operand") };
    same_dims(&arrays)?;
    in_range("dimensions", dim, first.rank())?;
    site.callees.signature(to_apply)?.compares(&dtypes(&arrays))?;
    Ok(one_or_tuple(arrays.iter().map(|&a| Shape::Array(a.clone())).collect()))
}

/// The k largest (or smallest) along the minor-most dimension, and their indices.
pub(super) fn top_k(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let Attrs::TopK { k, .. } = *site.attrs else { return site.wrong_attrs() };
    let mut dims = x.dims.clone();
    let Some(last) = dims.last_mut() else { return fail!("needs at least one dimension") };
    if k < 0 || k > *last {
        return fail!("takes {k} of {last} elements");
    }
    *last = k;
    Ok(Shape::Tuple(vec![Shape::array(x.dtype, dims.clone()), Shape::array(DType::S32, dims)]))
}

/// `scan(inputs…, carries…)`: `to_apply` maps slices and carries to slices and carries.
pub(super) fn scan(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Scan { dim, to_apply, num_carries, .. } = *site.attrs else { return site.wrong_attrs() };
    let arrays = site.all_arrays()?;
    if num_carries >= arrays.len() {
        return fail!("has {num_carries} carries among {} operands", arrays.len());
    }
    let (inputs, carries) = arrays.split_at(arrays.len() - num_carries);
    for x in inputs {
        in_range("dimensions", dim, x.rank())?;
        if x.dims[dim] != inputs[0].dims[dim] {
            return fail!("walks {} and {x} together, which differ in dimension {dim}", inputs[0]);
        }
    }
    let callee = site.callees.signature(to_apply)?;
    let slices = inputs.iter().map(|x| {
        let mut dims = x.dims.clone();
        dims.remove(dim);
        Shape::array(x.dtype, dims)
    });
    let arguments: Vec<Shape> = slices.chain(carries.iter().map(|&c| Shape::Array(c.clone()))).collect();
    callee.accepts(&arguments.iter().collect::<Vec<_>>())?;

    let returned: Vec<&Shape> = match callee.root {
        Shape::Tuple(parts) => parts.iter().collect(),
        other => vec![other],
    };
    let Some(outputs) = returned.len().checked_sub(num_carries) else {
        return fail!("has {num_carries} carries, but {} returns {}", callee.name, callee.root);
    };
    let mut all = Vec::with_capacity(returned.len());
    for (i, &shape) in returned.iter().enumerate() {
        if i >= outputs {
            let carry = carries[i - outputs];
            if !shape.as_array().is_some_and(|s| s.same(carry)) {
                return fail!("carries {carry}, but {} returns {shape} for it", callee.name);
            }
            all.push(shape.clone());
        } else {
            all.push(stacked(shape, dim, inputs[0].dims[dim])?);
        }
    }
    Ok(one_or_tuple(all))
}

/// A single result may be declared bare or as a tuple of one.
pub(super) fn scan_fits(inferred: &Shape, declared: &Shape) -> bool {
    match declared {
        Shape::Tuple(parts) if parts.len() == 1 => inferred.same(&parts[0]),
        other => inferred.same(other),
    }
}

/// A slice with the scanned dimension put back.
fn stacked(slice: &Shape, dim: usize, extent: i64) -> Result<Shape, ShapeError> {
    match slice {
        Shape::Array(a) if dim <= a.rank() => {
            let mut dims = a.dims.clone();
            dims.insert(dim, extent);
            Ok(Shape::array(a.dtype, dims))
        }
        other => fail!("cannot stack {other} along dimension {dim}"),
    }
}

/// Training gives (normalised, mean, variance), inference the normalised array, grad the three gradients.
pub(super) fn batch_norm(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::BatchNorm { feature_index, .. } = *site.attrs else { return site.wrong_attrs() };
    let arrays = match site.opcode {
        Opcode::BatchNormTraining => site.arrays::<3>()?.to_vec(),
        _ => site.arrays::<5>()?.to_vec(),
    };
    let x = arrays[0];
    class(x.dtype.is_float(), "floats", x)?;
    in_range("feature_index", feature_index, x.rank())?;
    let vector = ArrayShape::new(x.dtype, [x.dims[feature_index]]);
    for (i, a) in arrays.iter().enumerate().skip(1) {
        same_dtype(x, a)?;
        let full = site.opcode == Opcode::BatchNormGrad && i == 4;
        let wanted = if full { x } else { &vector };
        if a.dims != wanted.dims {
            return fail!("needs {wanted} as operand {i}, not {a}");
        }
    }
    let (x, vector) = (Shape::Array(x.clone()), Shape::Array(vector));
    Ok(match site.opcode {
        Opcode::BatchNormInference => x,
        _ => Shape::Tuple(vec![x, vector.clone(), vector]),
    })
}
