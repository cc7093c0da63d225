//! What a lane combines of its own components: reductions, windows and products of a few elements become
//! expressions, in the order that `hlo::eval` gives them.

use super::points::points;
use super::scopes::OUTER;
use crate::refusal::Refusal;
use crate::region::build::builder::{Builder, host};
use crate::region::build::few::halved;
use crate::region::{Node, NodeId};
use lawson_hlo::attrs::{DotDims, WindowDim};
use lawson_hlo::index::Affine;
use lawson_hlo::{Attrs, CompId, DType, InstrId, Instruction, Opcode};

/// Elements that are combined into one, at most.
const MAX_COMBINED: i64 = 64;

impl Builder<'_> {
    /// Whether expressions are those of a trip.
    pub(in crate::region::build) fn in_trip(&self) -> bool {
        !self.in_function && self.state.as_ref().is_some_and(|s| s.scope != OUTER)
    }

    /// Result `result` of a combination at `index`.
    pub(in crate::region::build) fn combined(
        &mut self,
        id: InstrId,
        result: usize,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let instr = &self.comp[id];
        let all = match &instr.attrs {
            Attrs::Reduce { dims, to_apply } => self.reduced(instr, (dims, *to_apply), index)?,
            Attrs::ReduceWindow { window, to_apply } => self.windowed(instr, (window, *to_apply), index)?,
            Attrs::Dot(dims) => vec![self.product(instr, dims, index)?],
            _ => return Err(host(instr)),
        };
        let dtype = instr.shape.leaves()[result].dtype;
        Ok(self.convert(all[result], dtype))
    }

    fn reduced(
        &mut self,
        instr: &Instruction,
        (dims, to_apply): (&[usize], CompId),
        index: &[Affine],
    ) -> Result<Vec<NodeId>, Refusal> {
        let (operands, inits) = instr.operands.split_at(instr.operands.len() / 2);
        let shape = self.shape(operands[0])?.dims.clone();
        let (reduced, kept): (Vec<usize>, Vec<usize>) = (0..shape.len()).partition(|d| dims.contains(d));
        let mut elements = Vec::new();
        for within in positions(&reduced.iter().map(|&d| shape[d]).collect::<Vec<_>>())? {
            let mut at = vec![Affine::default(); shape.len()];
            kept.iter().zip(index).for_each(|(&d, i)| at[d] = i.clone());
            reduced.iter().zip(within).for_each(|(&d, i)| at[d] = i);
            elements.push(self.accumulated(operands, &at)?);
        }
        let combiner = self.function(to_apply, true)?;
        let combine =
            |cx: &mut Self, a: Vec<NodeId>, b: Vec<NodeId>| cx.region.apply(&combiner, &[a, b].concat());
        let total = match dims.contains(&(shape.len().wrapping_sub(1))) {
            true => halved(elements, |a, b| combine(self, a, b)),
            false => elements.into_iter().reduce(|a, b| combine(self, a, b)),
        };
        let inits = self.accumulated(inits, &[])?;
        Ok(match total {
            Some(total) => combine(self, inits, total),
            None => inits,
        })
    }

    /// The initial value, then what lies under the window, one after the other.
    fn windowed(
        &mut self,
        instr: &Instruction,
        (window, to_apply): (&[WindowDim], CompId),
        index: &[Affine],
    ) -> Result<Vec<NodeId>, Refusal> {
        let (operands, inits) = instr.operands.split_at(instr.operands.len() / 2);
        let shape = self.shape(operands[0])?.dims.clone();
        let combiner = self.function(to_apply, true)?;
        let mut sum = self.accumulated(inits, &[])?;
        let sizes: Vec<i64> = window.iter().map(|w| w.size).collect();
        for within in positions(&sizes)? {
            let mut at = Vec::new();
            let mut inside = true;
            for (((w, i), k), &extent) in window.iter().zip(index).zip(&within).zip(&shape) {
                if *w == WindowDim::of_size(1) {
                    at.push(i.clone());
                    continue;
                }
                let dilated = i.mul(w.stride).add(&k.mul(w.window_dilation)).add_constant(-w.pad_low);
                let Some(position) = dilated.as_constant() else {
                    return Err(Refusal::CrossLane { opcode: instr.opcode });
                };
                let base = w.base_dilation.max(1);
                inside &= position.rem_euclid(base) == 0 && (0..extent).contains(&position.div_euclid(base));
                at.push(Affine::constant(position.div_euclid(base)));
            }
            if inside {
                let element = self.accumulated(operands, &at)?;
                sum = self.region.apply(&combiner, &[sum, element].concat());
            }
        }
        Ok(sum)
    }

    /// One chain of multiply-adds, from zero.
    fn product(&mut self, instr: &Instruction, dims: &DotDims, index: &[Affine]) -> Result<NodeId, Refusal> {
        let [lhs, rhs] = instr.operands[..] else {
            return Err(Refusal::Unsupported { opcode: instr.opcode });
        };
        let (l, r) = (self.shape(lhs)?.clone(), self.shape(rhs)?.clone());
        let result = self.shape_of(&instr.shape)?.dtype;
        let accumulator = DType::product_accumulator(l.dtype, r.dtype, result);
        let free = |rank: usize, a: &[usize], b: &[usize]| -> Vec<usize> {
            (0..rank).filter(|d| !a.contains(d) && !b.contains(d)).collect()
        };
        let lhs_free = free(l.rank(), &dims.lhs_batch, &dims.lhs_contracting);
        let rhs_free = free(r.rank(), &dims.rhs_batch, &dims.rhs_contracting);
        let (mut li, mut ri) = (vec![Affine::default(); l.rank()], vec![Affine::default(); r.rank()]);
        let (batch, rest) = index.split_at(dims.lhs_batch.len());
        for ((&a, &b), i) in dims.lhs_batch.iter().zip(&dims.rhs_batch).zip(batch) {
            (li[a], ri[b]) = (i.clone(), i.clone());
        }
        lhs_free.iter().zip(rest).for_each(|(&d, i)| li[d] = i.clone());
        rhs_free.iter().zip(&rest[lhs_free.len()..]).for_each(|(&d, i)| ri[d] = i.clone());
        let mut sum = self.constant(accumulator, 0);
        let extents: Vec<i64> = dims.lhs_contracting.iter().map(|&d| l.dims[d]).collect();
        for within in positions(&extents)? {
            for ((&a, &b), k) in dims.lhs_contracting.iter().zip(&dims.rhs_contracting).zip(within) {
                (li[a], ri[b]) = (k.clone(), k);
            }
            let (x, y) = (self.value(lhs, &li)?, self.value(rhs, &ri)?);
            let (x, y) = (self.convert(x, accumulator), self.convert(y, accumulator));
            sum = match accumulator.is_float() {
                true => self.region.add(Node::Fma { x, y, z: sum }, accumulator),
                false => {
                    let product = self.binary(Opcode::Multiply, x, y);
                    self.binary(Opcode::Add, sum, product)
                }
            };
        }
        Ok(sum)
    }
}

/// All positions in a box, row-major.
fn positions(extents: &[i64]) -> Result<Vec<Vec<Affine>>, Refusal> {
    let count = extents.iter().fold(1i64, |n, &e| n.saturating_mul(e));
    if count > MAX_COMBINED {
        return Err(Refusal::CodeSize { nodes: count as usize, limit: MAX_COMBINED as usize });
    }
    Ok(points(extents, &vec![None; extents.len()]))
}
