//! When another trip of a loop follows.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::condition;
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::build::lanes::Lanes;
use crate::region::{Looped, Node};
use lawson_hlo::{DType, Opcode};

impl<'a> Builder<'a> {
    /// Conjunctions of uniform terms and one `or` over all lanes.
    pub(super) fn condition(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Lanes,
        n: usize,
        looped: &mut Looped,
    ) -> Result<(), Refusal> {
        let mut left = vec![self.comp.root];
        while let Some(id) = left.pop() {
            let instr = &self.comp[id];
            if instr.opcode == Opcode::And {
                left.extend(instr.operands.iter().rev());
                continue;
            }
            let Some((operand, negated)) = parts.any_of(condition(n), id) else {
                let term = self.value(id, &[])?;
                looped.condition = self.and(looped.condition, Some(term));
                continue;
            };
            let mut any = None;
            let dims = self.shape(operand)?.dims.clone();
            let axes = lanes.of(condition(n), operand, dims.len());
            if components(&dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::CrossLane { opcode: Opcode::Reduce });
            }
            for index in points(&dims, &axes) {
                let mut p = self.value(operand, &index)?;
                if negated {
                    p = self
                        .region
                        .add(Node::Unary { opcode: Opcode::Not, dtype: DType::Pred, x: p }, DType::Pred);
                }
                any = Some(any.map_or(p, |other| self.binary(Opcode::Or, other, p)));
            }
            if looped.any.is_some() {
                return Err(Refusal::CrossLane { opcode: Opcode::Reduce });
            }
            looped.any = any;
        }
        Ok(())
    }
}
