//! Products of arrays whose dimensions have labels: what matrix products, tensor products and einsum all are.
//!
//! ```text
//! product({a: ij, b: jk}, keep ik)     one dot that contracts j
//! product({a: ij, b: ij}, keep ij)     one multiply
//! product({a: ij, b: jk}, keep k)      a summed over i first
//! ```

use super::promote::multiplies;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::infer::infer;
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Shape};

/// Names a dimension; equal labels go together.
pub(super) type Label = u32;

/// An array, each of whose dimensions has a label of its own.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    pub id: InstrId,
    pub labels: Vec<Label>,
}

impl Labelled {
    fn extent(&self, e: &Emit<'_>, label: Label) -> Result<i64, Fault> {
        let at = self.position(label).expect("the array has that label");
        Ok(e.array(self.id)?.dims[at])
    }

    fn position(&self, label: Label) -> Option<usize> {
        self.labels.iter().position(|&l| l == label)
    }
}

/// The product of two arrays of one element type, or of a prime field and its extension, summed over the labels that `keep`
/// lacks; an extent of 1 stretches. Its dimensions are in no certain order. `dtype` is that of the result; products of a
/// field stay in it.
pub(super) fn product(
    e: &mut Emit<'_>,
    a: &Labelled,
    b: &Labelled,
    keep: &[Label],
    dtype: DType,
) -> Result<Labelled, Fault> {
    let own = e.dtype(a.id)?;
    let dtype = if own == e.dtype(b.id)? && multiplies(own, dtype) { own } else { dtype };
    let (a, b) = (unstretched(e, a, b)?, unstretched(e, b, a)?);
    let (a, b) = (summed(e, &a, &b.labels, keep)?, summed(e, &b, &a.labels, keep)?);
    let both: Vec<Label> = a.labels.iter().copied().filter(|&l| b.position(l).is_some()).collect();
    let (batch, contracted): (Vec<Label>, Vec<Label>) = both.iter().partition(|l| keep.contains(l));
    let free_of = |x: &Labelled| x.labels.iter().copied().filter(|l| !both.contains(l)).collect::<Vec<_>>();
    let labels = [batch.clone(), free_of(&a), free_of(&b)].concat();
    if contracted.is_empty() {
        return multiplied(e, &a, &b, labels, dtype);
    }
    let at = |x: &Labelled, labels: &[Label]| labels.iter().filter_map(|&l| x.position(l)).collect();
    let dims = DotDims {
        lhs_contracting: at(&a, &contracted),
        rhs_contracting: at(&b, &contracted),
        lhs_batch: at(&a, &batch),
        rhs_batch: at(&b, &batch),
    };
    Ok(Labelled { id: dot(e, a.id, b.id, dims, Some(dtype))?, labels })
}

/// A dot whose result has that element type.
pub(super) fn dot(
    e: &mut Emit<'_>,
    a: InstrId,
    b: InstrId,
    dims: DotDims,
    dtype: Option<DType>,
) -> Result<InstrId, Fault> {
    let attrs = Attrs::Dot(Box::new(dims));
    let shape = infer(e.graph.module(), Opcode::Dot, &attrs, &[e.shape(a), e.shape(b)])?;
    let found = shape.expect_array().clone();
    let shape = Shape::array(dtype.unwrap_or(found.dtype), found.dims);
    e.op_shaped(Opcode::Dot, shape, &[a, b], attrs)
}

/// With the dimensions in the order of these labels, all of which it has.
pub(super) fn ordered(e: &mut Emit<'_>, x: &Labelled, labels: &[Label]) -> Result<InstrId, Fault> {
    let order: Vec<usize> = labels.iter().filter_map(|&l| x.position(l)).collect();
    e.transpose(x.id, &order)
}

/// Summed over the labels that neither the other nor the result has.
pub(super) fn summed(
    e: &mut Emit<'_>,
    x: &Labelled,
    other: &[Label],
    keep: &[Label],
) -> Result<Labelled, Fault> {
    let (kept, gone): (Vec<usize>, Vec<usize>) =
        (0..x.labels.len()).partition(|&i| other.contains(&x.labels[i]) || keep.contains(&x.labels[i]));
    if gone.is_empty() {
        return Ok(x.clone());
    }
    let labels = kept.iter().map(|&i| x.labels[i]).collect();
    Ok(Labelled { id: sum(e, x.id, &gone)?, labels })
}

/// A sum; of truth values whether one holds. That of narrow floats is rounded once.
fn sum(e: &mut Emit<'_>, x: InstrId, dims: &[usize]) -> Result<InstrId, Fault> {
    let dtype = e.dtype(x)?;
    if dtype.is_pred() {
        return e.reduce(Opcode::Or, x, 0.0, dims);
    }
    if dtype.is_float() && dtype.bits() < 32 {
        let wide = e.convert(x, DType::F32)?;
        let sum = e.sum(wide, dims)?;
        return e.convert(sum, dtype);
    }
    e.sum(x, dims)
}

/// Without the dimensions of extent 1 that are longer in the other.
fn unstretched(e: &mut Emit<'_>, x: &Labelled, other: &Labelled) -> Result<Labelled, Fault> {
    let mut kept = Vec::new();
    for &label in &x.labels {
        let stretches =
            other.position(label).is_some() && x.extent(e, label)? == 1 && other.extent(e, label)? != 1;
        if !stretches {
            kept.push(label);
        }
    }
    let dims = kept.iter().map(|&l| x.extent(e, l)).collect::<Result<Vec<_>, _>>()?;
    Ok(Labelled { id: e.reshape(x.id, &dims)?, labels: kept })
}

/// An array as a factor of products of that element type.
pub(super) fn factor(e: &mut Emit<'_>, x: InstrId, dtype: DType) -> Result<InstrId, Fault> {
    if multiplies(e.dtype(x)?, dtype) { Ok(x) } else { e.convert(x, dtype) }
}

/// The product of elements, without a sum.
fn multiplied(
    e: &mut Emit<'_>,
    a: &Labelled,
    b: &Labelled,
    labels: Vec<Label>,
    dtype: DType,
) -> Result<Labelled, Fault> {
    let extent = |l: Label| if a.position(l).is_some() { a.extent(e, l) } else { b.extent(e, l) };
    let dims = labels.iter().map(|&l| extent(l)).collect::<Result<Vec<_>, _>>()?;
    let mut spread = |x: &Labelled| {
        let map: Vec<usize> = (0..labels.len()).filter(|&i| x.position(labels[i]).is_some()).collect();
        let own: Vec<Label> = map.iter().map(|&i| labels[i]).collect();
        let id = ordered(e, x, &own)?;
        let id = factor(e, id, dtype)?;
        if map.len() == labels.len() { Ok::<_, Fault>(id) } else { e.broadcast(id, &dims, &map) }
    };
    let (x, y) = (spread(a)?, spread(b)?);
    let opcode = if dtype.is_pred() { Opcode::And } else { Opcode::Multiply };
    Ok(Labelled { id: e.binary(opcode, x, y)?, labels })
}

/// An array with these labels, where a label that stands twice takes the diagonal of its dimensions.
pub(super) fn labelled(e: &mut Emit<'_>, id: InstrId, labels: &[Label]) -> Result<Labelled, Fault> {
    let (mut id, mut labels) = (id, labels.to_vec());
    while let Some((i, j)) = repeated(&labels) {
        id = diagonal(e, id, i, j)?;
        let label = labels.remove(j);
        labels.remove(i);
        labels.push(label);
    }
    Ok(Labelled { id, labels })
}

fn repeated(labels: &[Label]) -> Option<(usize, usize)> {
    let pair = |(j, l): (usize, &Label)| Some((labels[..j].iter().position(|k| k == l)?, j));
    labels.iter().enumerate().find_map(pair)
}

/// The elements with equal indices in two dimensions of one extent, along a new last dimension.
fn diagonal(e: &mut Emit<'_>, x: InstrId, i: usize, j: usize) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    if dims[i] != dims[j] {
        return fault!("a diagonal along dimensions {i} and {j} of {}", e.array(x)?);
    }
    let kept = (0..dims.len()).filter(|&d| d != i && d != j);
    let order: Vec<usize> = kept.chain([i, j]).collect();
    let x = e.transpose(x, &order)?;
    super::rearrange::diagonal(e, x, 0)
}
