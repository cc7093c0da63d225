//! The condition of a loop: what all lanes agree on, and at most one `any` over lanes.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::condition;
use crate::refusal::Refusal;
use crate::region::LoopStage;
use crate::region::build::builder::Builder;
use crate::region::build::instances::Instances;
use lawson_hlo::Opcode;

impl<'a> Builder<'a> {
    /// Splits the condition into its conjuncts: those without lanes become `condition`, a reduction by `or` over lanes
    /// becomes `any`.
    pub(super) fn condition(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Instances,
        n: usize,
        loop_stage: &mut LoopStage,
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
                loop_stage.condition = self.and(loop_stage.condition, Some(term));
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
                    p = self.not(p);
                }
                any = Some(any.map_or(p, |other| self.binary(Opcode::Or, other, p)));
            }
            if loop_stage.any.is_some() {
                return Err(Refusal::CrossLane { opcode: Opcode::Reduce });
            }
            loop_stage.any = any;
        }
        Ok(())
    }
}
