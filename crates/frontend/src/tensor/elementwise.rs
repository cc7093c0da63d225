//! Operations that work element by element: one element type by [`super::promote`], dimensions by numpy's broadcasting.

use super::Tensor;
use super::operand::{AsTensor, Operand, Promoted, promoted};
use super::promote::{inexact, multiplies};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{DType, InstrId, Opcode, Scalar};
use std::panic::Location;

pub(super) type Place = &'static Location<'static>;

/// The dimensions of an operation on arrays of these, by numpy's rule: aligned at the last, 1 stretches.
pub(crate) fn broadcast_dims(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let rank = a.len().max(b.len());
    let at = |dims: &[i64], i: usize| (i + dims.len()).checked_sub(rank).map_or(1, |j| dims[j]);
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// Stretches an array to dimensions that [`broadcast_dims`] gave.
pub(crate) fn stretch(e: &mut Emit<'_>, x: InstrId, dims: &[i64]) -> Result<InstrId, Fault> {
    let from = e.dims(x)?;
    if from == dims {
        return Ok(x);
    }
    let offset = dims.len() - from.len();
    let kept: Vec<usize> = (0..from.len()).filter(|&i| from[i] == dims[offset + i]).collect();
    let squeezed: Vec<i64> = kept.iter().map(|&i| from[i]).collect();
    let x = e.reshape(x, &squeezed)?;
    let map: Vec<usize> = kept.iter().map(|&i| offset + i).collect();
    e.broadcast(x, dims, &map)
}

/// Stretches arrays to their common dimensions.
pub(super) fn broadcast_all(e: &mut Emit<'_>, name: &str, ids: &[InstrId]) -> Result<Vec<InstrId>, Fault> {
    let mut dims = Vec::new();
    for &id in ids {
        dims = match broadcast_dims(&dims, &e.array(id)?.dims) {
            Some(dims) => dims,
            None => {
                let shapes = ids.iter().map(|&id| Ok(e.array(id)?.to_string()));
                let shapes = shapes.collect::<Result<Vec<_>, Fault>>()?.join(" and ");
                return fault!("`{name}` of {shapes}, whose dimensions do not broadcast");
            }
        };
    }
    ids.iter().map(|&id| stretch(e, id, &dims)).collect()
}

/// What becomes of the element type that operands have in common.
pub(super) enum Types {
    Any,
    /// Integers and pred become floats, fields stay: division, elementary functions.
    Inexact,
    /// Pred becomes s32: arithmetic.
    Numbers,
}

/// `f` of operands in one element type and of one shape. Its result is weak as the operands are, where it has their type.
pub(super) fn elementwise(
    place: Place,
    name: &str,
    operands: &[Operand<'_>],
    types: Types,
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Tensor {
    in_types(place, name, operands, types, |_, _| false, f)
}

/// As [`elementwise`], where operand number n of that element type may stay as it is beside the common one.
fn in_types(
    place: Place,
    name: &str,
    operands: &[Operand<'_>],
    types: Types,
    stays: impl Fn(usize, [DType; 2]) -> bool,
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Tensor {
    let adapt = |dtype: DType| match types {
        Types::Inexact => inexact(dtype),
        Types::Numbers if dtype.is_pred() => DType::S32,
        Types::Any | Types::Numbers => dtype,
    };
    let Promoted { tensors, kind } = match promoted(place, name, operands, adapt) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let references: Vec<&Tensor> = tensors.iter().collect();
    let made = Tensor::apply(place, &references, |e, ids| {
        let mut ids = broadcast_all(e, name, ids)?;
        for (n, id) in ids.iter_mut().enumerate() {
            if !stays(n, [e.dtype(*id)?, kind.dtype]) {
                *id = e.convert(*id, kind.dtype)?;
            }
        }
        f(e, &ids)
    });
    let weak = kind.weak && made.dtype() == kind.dtype;
    made.with_weak(weak)
}

/// An opcode of one operand.
pub(super) fn unary(place: Place, opcode: Opcode, types: Types, x: &Tensor) -> Tensor {
    elementwise(place, opcode.name(), &[x.operand()], types, |e, ids| e.unary(opcode, ids[0]))
}

/// An opcode of two operands.
pub(super) fn binary(
    place: Place,
    opcode: Opcode,
    types: Types,
    a: impl AsTensor,
    b: impl AsTensor,
) -> Tensor {
    let operands = [a.operand(), b.operand()];
    // An element of an extension is multiplied with one of its field, and divided by one, at less cost.
    let stays = |n: usize, [own, common]: [DType; 2]| match opcode {
        Opcode::Multiply => multiplies(own, common),
        Opcode::Divide => n == 1 && multiplies(own, common),
        _ => false,
    };
    // So are numbers.
    let number = |n: usize| {
        let (Operand::Scalar(Scalar::Signed(_) | Scalar::Unsigned(_)), Operand::Tensor(with)) =
            (operands[n], operands[1 - n])
        else {
            return Ok(None);
        };
        let part = with.dtype().part();
        let wanted = stays(n, [part, with.dtype()]);
        wanted.then(|| operands[n].tensor_of(place, part)).transpose()
    };
    let made = match (number(0), number(1)) {
        (Ok(a), Ok(b)) => [a, b],
        (Err(e), _) | (_, Err(e)) => return Tensor::failed(e),
    };
    let operands = [0, 1].map(|n| made[n].as_ref().map_or(operands[n], Operand::Tensor));
    in_types(place, opcode.name(), &operands, types, stays, |e, ids| e.binary(opcode, ids[0], ids[1]))
}
