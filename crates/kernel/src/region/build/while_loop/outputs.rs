//! What a loop kernel writes: the last values of the state, and what is computed from them.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::OUTER;
use super::state::{Role, State};
use crate::refusal::Refusal;
use crate::region::build::builder::{Builder, Output};
use crate::region::build::instances::Instances;
use crate::region::{Element, LoopStage, NodeId};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{InstrId, Opcode};

impl<'a> Builder<'a> {
    /// The element of the loop's result that an output is as it stands.
    pub(super) fn result_of(&self, parts: &Parts<'a>, &(id, result): &Output) -> Option<usize> {
        match self.comp[id].opcode {
            Opcode::While => Some(result as usize),
            _ => parts.element_read(OUTER, id).map(|(_, element)| element),
        }
    }

    /// The elements of each output.
    pub(super) fn outputs_of(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Instances,
        outputs: &[Output],
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let part = &parts.loops[0];
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let output = n as u32;
            let element = self.result_of(parts, &(id, result));
            if let Some(element) = element
                && part.stacking[element].is_some()
            {
                self.stores(parts, lanes, (0, element), output, loop_stage)?;
                continue;
            }
            let shape = self.comp[id].shape.leaves()[result as usize].clone();
            let axes = match element {
                Some(element) if part.changes[element] => lanes.of_state(0, element, shape.rank()),
                Some(_) => lanes.of_free(&shape.dims),
                None if !parts.depends(OUTER)[id.index()] => lanes.of_free(&shape.dims),
                None => lanes.of(OUTER, id, shape.rank()),
            };
            if components(&shape.dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::NotInPlace { opcode: Opcode::While });
            }
            for index in points(&shape.dims, &axes) {
                let value = match (self.comp[id].opcode, element.map(|e| (e, part.inits[e]))) {
                    (Opcode::While, Some((e, init))) => self.final_value(e, init, &index)?,
                    _ => self.value(id, &index)?,
                };
                loop_stage.finals.push(Element { output, offset: linearize(&index, &shape.dims), value });
            }
        }
        Ok(())
    }

    /// The final value of an element of the state where the loop itself is an output.
    fn final_value(&mut self, element: usize, init: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let Some(State { roles, nodes, .. }) = self.state.as_deref() else { return self.value(init, index) };
        let Role::Instances { first, dims, axes } = &roles[0][element] else {
            return self.value(init, index);
        };
        let all = points(dims, axes);
        let at = all.iter().position(|p| p == index).unwrap_or(0);
        Ok(nodes[0][*first as usize + at])
    }
}
