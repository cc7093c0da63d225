//! Reductions of a few elements, and products of a few with a vector, as expressions. Reductions have the order of all
//! reductions (see `hlo::eval::order`); the chain of a product is made by [`super::while_loop`], as within a lane.

use super::builder::Builder;
use crate::refusal::Refusal;
use crate::region::NodeId;
use lawson_hlo::index::Affine;
use lawson_hlo::{Attrs, InstrId, Opcode};

/// The most elements whose combination is part of an expression.
const FEW: i64 = 8;

/// A reduction that can be an expression.
pub(super) struct Few<'a> {
    /// The reduced dimensions.
    dims: &'a [usize],
    /// What combines two elements.
    opcode: Opcode,
}

impl<'a> Builder<'a> {
    /// The reduction, if it is of one array, of a few elements, and its reducer is one operation.
    pub(super) fn few(&self, id: InstrId) -> Option<Few<'a>> {
        let comp = self.comp;
        let instr = &comp[id];
        let Attrs::Reduce { dims, to_apply } = &instr.attrs else { return None };
        let [operand, _] = instr.operands[..] else { return None };
        let operand = comp[operand].shape.as_array()?;
        let reducer = &self.module[*to_apply];
        let root = &reducer[reducer.root];
        let parameters = reducer.parameters();
        use Opcode::*;
        let operation = matches!(root.opcode, Add | Multiply | Maximum | Minimum | And | Or | Xor)
            && root.operands == parameters;
        let count: i64 = dims.iter().map(|&d| operand.dims[d]).product();
        (operation && (1..=FEW).contains(&count)).then_some(Few { dims, opcode: root.opcode })
    }

    /// Whether an instruction combines a few elements to each of its results: such a reduction, or a product with a vector
    /// (one for each place in the batch), none of whose elements serves several results.
    pub(super) fn is_few(&self, id: InstrId) -> bool {
        let instr = &self.comp[id];
        let Attrs::Dot(dims) = &instr.attrs else { return self.few(id).is_some() };
        let extents = |n: usize| self.comp.operand(instr, n).shape.as_array().map(|s| &s.dims[..]);
        let (Some(lhs), Some(rhs)) = (extents(0), extents(1)) else { return false };
        let count: i64 = dims.lhs_contracting.iter().map(|&d| lhs[d]).product();
        let free = |all: &[i64], batch: &[usize]| {
            let shared: i64 = batch.iter().map(|&d| all[d]).product();
            all.iter().product::<i64>() / (shared * count).max(1)
        };
        (1..=FEW).contains(&count) && free(lhs, &dims.lhs_batch).min(free(rhs, &dims.rhs_batch)) == 1
    }

    /// The result of such a reduction at `index`.
    pub(super) fn few_elements(&mut self, id: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let comp = self.comp;
        let instr = &comp[id];
        let few = self.few(id).ok_or(Refusal::Unsupported { opcode: instr.opcode })?;
        let (operand, init) = (instr.operands[0], instr.operands[1]);
        let shape = self.shape(operand)?.dims.clone();
        let dtype = self.working(self.shape(id)?.dtype);
        let extents: Vec<i64> = few.dims_in_order().iter().map(|&d| shape[d]).collect();
        let mut elements = Vec::new();
        for k in 0..extents.iter().product() {
            let (mut kept, mut rest) = (index.iter().cloned(), k);
            let mut at = vec![Affine::default(); shape.len()];
            for (&d, &n) in few.dims_in_order().iter().zip(&extents).rev() {
                at[d] = Affine::constant(rest % n);
                rest /= n;
            }
            for (_, kept_at) in at.iter_mut().enumerate().filter(|(d, _)| !few.dims.contains(d)) {
                *kept_at = kept.next().ok_or(Refusal::Unsupported { opcode: comp[id].opcode })?;
            }
            let x = self.value(operand, &at)?;
            let accumulator = self.region.dtype(x).accumulator();
            elements.push(self.convert(x, accumulator));
        }
        let total = match few.dims.iter().any(|&d| d + 1 == shape.len()) {
            true => halved(elements, |a, b| self.binary(few.opcode, a, b)),
            false => elements.into_iter().reduce(|a, b| self.binary(few.opcode, a, b)),
        };
        let total = total.ok_or(Refusal::Unsupported { opcode: instr.opcode })?;
        let init = self.value(init, &[])?;
        let init = self.convert(init, self.region.dtype(total));
        let result = self.binary(few.opcode, init, total);
        Ok(self.convert(result, dtype))
    }
}

/// Running values, halved to one; those without a partner stay as they are.
pub(super) fn halved<T: Clone>(mut running: Vec<T>, mut combine: impl FnMut(T, T) -> T) -> Option<T> {
    let mut half = (running.len().next_power_of_two() / 2).max(1);
    while running.len() > 1 {
        for j in half..running.len() {
            running[j - half] = combine(running[j - half].clone(), running[j].clone());
        }
        running.truncate(half);
        half /= 2;
    }
    running.pop()
}

impl Few<'_> {
    fn dims_in_order(&self) -> Vec<usize> {
        let mut dims = self.dims.to_vec();
        dims.sort_unstable();
        dims
    }
}
