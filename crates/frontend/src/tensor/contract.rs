//! Products that sum: `dot`, `matmul`, `tensordot` and their kin, with the dimensions that numpy and JAX give to them.
//!
//! Operands take the element type that they have in common ([`super::promote`]), and so does the result; bf16 and f16
//! are summed in f32 and rounded once. [`Tensor::dot_general`] gives another type on demand.

use super::Tensor;
use super::elementwise::Place;
use super::labelled::{Label, Labelled, dot, factor, ordered, product};
use super::operand::{AsTensor, Operand, Promoted, promoted};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::{DType, InstrId, Opcode};
use std::panic::Location;

/// Which dimensions [`Tensor::dot_general`] contracts and which are batches, in pairs.
pub type DotDimensions = DotDims;

/// What `f` makes of operands in their common element type, which it gets too; elements of a prime field stay beside those of
/// its extension. The result is weak as they are, where it has their type.
pub(super) fn typed(
    place: Place,
    name: &str,
    operands: &[Operand<'_>],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId], DType) -> Result<InstrId, Fault>,
) -> Tensor {
    let Promoted { tensors, kind } = match promoted(place, name, operands, |dtype| dtype) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    let made = Tensor::apply(place, &tensors, |e, ids| {
        let ids = ids.iter().map(|&id| factor(e, id, kind.dtype)).collect::<Result<Vec<_>, _>>()?;
        f(e, &ids, kind.dtype)
    });
    let weak = kind.weak && made.dtype() == kind.dtype;
    made.with_weak(weak)
}

/// The product by labels of two operands, whose dimensions `labels` names; it may refuse their extents.
fn by_labels(
    place: Place,
    name: &str,
    a: Operand<'_>,
    b: Operand<'_>,
    labels: impl FnOnce(&[i64], &[i64]) -> Option<[Vec<Label>; 3]>,
) -> Tensor {
    typed(place, name, &[a, b], |e, ids, dtype| {
        let (x, y) = (e.dims(ids[0])?, e.dims(ids[1])?);
        let Some([of_a, of_b, of_result]) = labels(&x, &y) else {
            return fault!(
                "`{name}` of {} and {}, whose dimensions do not fit",
                e.array(ids[0])?,
                e.array(ids[1])?
            );
        };
        let (a, b) = (Labelled { id: ids[0], labels: of_a }, Labelled { id: ids[1], labels: of_b });
        let made = product(e, &a, &b, &of_result, dtype)?;
        ordered(e, &made, &of_result)
    })
}

/// The labels from one up to another.
fn range(from: usize, to: usize) -> Vec<Label> {
    (from as Label..to as Label).collect()
}

impl Tensor {
    /// The product of numpy's `dot`: of vectors their inner product, of matrices their matrix product; else the sum
    /// over the last dimension of this and the last but one of the other (the last of a vector). A scalar multiplies.
    ///
    /// `[…, k] · […, k, n]` gives `[…, …, n]`. The result carries an error that shows both shapes where the extents k
    /// differ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (a, v) = (Tensor::from([[1f32, 2.0], [3.0, 4.0]]), Tensor::from([1f32, 10.0]));
    /// assert_eq!(a.dot(&v).to_vec(), Ok(vec![21f32, 43.0]));
    /// assert_eq!(v.dot(&v).item(), Ok(101f32));
    /// assert_eq!(a.dot(&a).to_vec(), Ok(vec![7f32, 10.0, 15.0, 22.0]));
    /// ```
    #[track_caller]
    pub fn dot(&self, other: impl AsTensor) -> Tensor {
        by_labels(Location::caller(), "dot", self.operand(), other.operand(), |a, b| {
            let (m, n) = (a.len(), b.len());
            let mut of_b = range(m, m + n);
            if m > 0 && n > 0 {
                let at = n.saturating_sub(2);
                if a[m - 1] != b[at] {
                    return None;
                }
                of_b[at] = (m - 1) as Label;
            }
            Some(without_common(range(0, m), of_b))
        })
    }

    /// The matrix product of the last two dimensions, for each index of those before, which broadcast. Of a vector, the
    /// result has no dimension.
    ///
    /// `[…, m, k] · […, k, n]` gives `[…, m, n]`. The result carries an error that shows both shapes where extents do
    /// not fit or an operand is a scalar.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let (a, b) = (Tensor::ones([5, 2, 3], DType::F32), Tensor::ones([3, 4], DType::F32));
    /// let c = a.matmul(&b);
    /// assert_eq!((c.dims(), c.index((0, 0, 0)).item()), (&[5, 2, 4][..], Ok(3f32)));
    /// assert!(b.matmul(&a).error().is_some());
    /// ```
    #[track_caller]
    pub fn matmul(&self, other: impl AsTensor) -> Tensor {
        by_labels(Location::caller(), "matmul", self.operand(), other.operand(), matmul_labels)
    }

    /// The sum over the last dimension of both: `[…, k] · […, k]` gives `[…, …]`. A scalar multiplies.
    ///
    /// Carries an error that shows both shapes where the last extents differ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (a, b) = (Tensor::from([1f32, 2.0]), Tensor::from([[3f32, 4.0], [5.0, 6.0]]));
    /// assert_eq!(a.inner(&b).to_vec(), Ok(vec![11f32, 17.0]));
    /// assert_eq!(a.outer(&a).to_vec(), Ok(vec![1f32, 2.0, 2.0, 4.0]));
    /// assert_eq!(b.vdot(&b).item(), Ok(86f32));
    /// ```
    #[track_caller]
    pub fn inner(&self, other: impl AsTensor) -> Tensor {
        by_labels(Location::caller(), "inner", self.operand(), other.operand(), |a, b| {
            let (m, n) = (a.len(), b.len());
            let mut of_b = range(m, m + n);
            if m > 0 && n > 0 {
                if a[m - 1] != b[n - 1] {
                    return None;
                }
                of_b[n - 1] = (m - 1) as Label;
            }
            Some(without_common(range(0, m), of_b))
        })
    }

    /// All products of an element of this and one of the other, both flattened: `[m]` and `[n]` give `[m, n]`.
    #[track_caller]
    pub fn outer(&self, other: impl AsTensor) -> Tensor {
        typed(Location::caller(), "outer", &[self.operand(), other.operand()], |e, ids, dtype| {
            let (a, b) = (flat(e, ids[0])?, flat(e, ids[1])?);
            let (a, b) = (Labelled { id: a, labels: vec![0] }, Labelled { id: b, labels: vec![1] });
            Ok(product(e, &a, &b, &[0, 1], dtype)?.id)
        })
    }

    /// The inner product of all elements in order, those of this conjugated: a scalar.
    ///
    /// Carries an error where one has more elements.
    #[track_caller]
    pub fn vdot(&self, other: impl AsTensor) -> Tensor {
        typed(Location::caller(), "vdot", &[self.operand(), other.operand()], |e, ids, _| {
            let (a, b) = (flat(e, ids[0])?, flat(e, ids[1])?);
            if e.dims(a)? != e.dims(b)? {
                return fault!(
                    "`vdot` of {} and {}: not as many elements",
                    e.array(ids[0])?,
                    e.array(ids[1])?
                );
            }
            let a = conjugated(e, a)?;
            let dims = DotDims { lhs_contracting: vec![0], rhs_contracting: vec![0], ..DotDims::default() };
            dot(e, a, b, dims, None)
        })
    }

    /// The sum over the last `axes` dimensions of this and the first of the other; 0 is the outer product.
    ///
    /// Carries an error that shows both shapes where extents differ; so does [`Tensor::tensordot_axes`].
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let (a, b) = (Tensor::ones([2, 3, 4], DType::F32), Tensor::ones([3, 4, 5], DType::F32));
    /// assert_eq!(a.tensordot(&b, 2).dims(), [2, 5]);
    /// assert_eq!(a.tensordot_axes(&b, &[1], &[0]).dims(), [2, 4, 4, 5]);
    /// ```
    #[track_caller]
    pub fn tensordot(&self, other: impl AsTensor, axes: usize) -> Tensor {
        by_labels(Location::caller(), "tensordot", self.operand(), other.operand(), |a, b| {
            let first = a.len().checked_sub(axes)?;
            let own: Vec<i64> = (first..a.len()).map(|d| d as i64).collect();
            tensordot_labels(a, b, &own, &(0..axes as i64).collect::<Vec<_>>())
        })
    }

    /// The sum over these dimensions of this, in pairs with those of the other; negative numbers count from the last.
    /// The other dimensions of this come before those of the other.
    #[track_caller]
    pub fn tensordot_axes(&self, other: impl AsTensor, axes: &[i64], other_axes: &[i64]) -> Tensor {
        by_labels(Location::caller(), "tensordot", self.operand(), other.operand(), |a, b| {
            tensordot_labels(a, b, axes, other_axes)
        })
    }

    /// HLO's dot: contracting and batch dimensions in pairs, batches first in the result, then the other dimensions
    /// of this, then those of the other. `preferred` is the element type of the result, and that in which it is
    /// summed where it is wider.
    ///
    /// The result carries an error that shows both shapes where pairs have different extents.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::tensor::DotDimensions;
    /// use lawson::{DType, Tensor};
    ///
    /// let (a, b) = (Tensor::ones([8, 2, 3], DType::Bf16), Tensor::ones([8, 3, 4], DType::Bf16));
    /// let dims = DotDimensions {
    ///     lhs_batch: vec![0],
    ///     rhs_batch: vec![0],
    ///     lhs_contracting: vec![2],
    ///     rhs_contracting: vec![1],
    /// };
    /// assert_eq!(a.dot_general(&b, &dims, Some(DType::F32)).shape()?.to_string(), "f32[8,2,4]");
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn dot_general(
        &self,
        other: impl AsTensor,
        dims: &DotDimensions,
        preferred: Option<DType>,
    ) -> Tensor {
        typed(Location::caller(), "dot_general", &[self.operand(), other.operand()], |e, ids, _| {
            dot(e, ids[0], ids[1], dims.clone(), preferred)
        })
    }

    /// The Kronecker product: blocks of the other, one for each element of this. The one of fewer dimensions gets
    /// leading ones.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (a, b) = (Tensor::from([1i32, 10]), Tensor::from([1i32, 2]));
    /// assert_eq!(a.kron(&b).to_vec(), Ok(vec![1i32, 2, 10, 20]));
    /// ```
    #[track_caller]
    pub fn kron(&self, other: impl AsTensor) -> Tensor {
        typed(Location::caller(), "kron", &[self.operand(), other.operand()], |e, ids, dtype| {
            let rank = e.array(ids[0])?.rank().max(e.array(ids[1])?.rank());
            let (a, b) = (padded(e, ids[0], rank)?, padded(e, ids[1], rank)?);
            let dims: Vec<i64> = e.dims(a)?.iter().zip(e.dims(b)?).map(|(&m, n)| m * n).collect();
            let order: Vec<Label> = (0..rank).flat_map(|d| [d, rank + d]).map(|l| l as Label).collect();
            let a = Labelled { id: a, labels: range(0, rank) };
            let b = Labelled { id: b, labels: range(rank, 2 * rank) };
            let made = product(e, &a, &b, &order, dtype)?;
            let made = ordered(e, &made, &order)?;
            e.reshape(made, &dims)
        })
    }
}

/// The labels of both, then those that only one has.
fn without_common(a: Vec<Label>, b: Vec<Label>) -> [Vec<Label>; 3] {
    let alone = |l: &Label| a.contains(l) != b.contains(l);
    let result = a.iter().chain(&b).copied().filter(alone).collect();
    [a, b, result]
}

fn matmul_labels(a: &[i64], b: &[i64]) -> Option<[Vec<Label>; 3]> {
    let (m, n) = (a.len(), b.len());
    if m == 0 || n == 0 || a[m - 1] != b[n.saturating_sub(2)] {
        return None;
    }
    // Batch dimensions are counted from their last; then come rows, the contracted dimension, columns.
    let (a_batch, b_batch) = (&a[..m.saturating_sub(2)], &b[..n.saturating_sub(2)]);
    super::elementwise::broadcast_dims(a_batch, b_batch)?;
    let batches = a_batch.len().max(b_batch.len());
    let (row, inner, column) = (batches as Label, batches as Label + 1, batches as Label + 2);
    let of_batch = |x: &[i64]| range(batches - x.len(), batches);
    let (mut of_a, mut of_b, mut of_result) = (of_batch(a_batch), of_batch(b_batch), range(0, batches));
    if m > 1 {
        of_a.push(row);
        of_result.push(row);
    }
    of_a.push(inner);
    of_b.push(inner);
    if n > 1 {
        of_b.push(column);
        of_result.push(column);
    }
    Some([of_a, of_b, of_result])
}

fn tensordot_labels(a: &[i64], b: &[i64], axes: &[i64], other: &[i64]) -> Option<[Vec<Label>; 3]> {
    let at = |axis: i64, rank: usize| {
        let axis = if axis < 0 { axis + rank as i64 } else { axis };
        usize::try_from(axis).ok().filter(|&axis| axis < rank)
    };
    let (of_a, mut of_b) = (range(0, a.len()), range(a.len(), a.len() + b.len()));
    if axes.len() != other.len() {
        return None;
    }
    let mut seen = Vec::new();
    for (&i, &j) in axes.iter().zip(other) {
        let (i, j) = (at(i, a.len())?, at(j, b.len())?);
        if a[i] != b[j] || seen.contains(&i) || of_b[j] < a.len() as Label {
            return None;
        }
        seen.push(i);
        of_b[j] = i as Label;
    }
    Some(without_common(of_a, of_b))
}

/// All elements along one dimension.
pub(super) fn flat(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let count = e.array(x)?.elements();
    e.reshape(x, &[count])
}

fn padded(e: &mut Emit<'_>, x: InstrId, rank: usize) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let all: Vec<i64> = std::iter::repeat_n(1, rank - dims.len()).chain(dims).collect();
    e.reshape(x, &all)
}

pub(super) fn conjugated(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    if !e.dtype(x)?.is_complex() {
        return Ok(x);
    }
    let (re, im) = (e.unary(Opcode::Real, x)?, e.unary(Opcode::Imag, x)?);
    let im = e.neg(im)?;
    e.binary(Opcode::Complex, re, im)
}
