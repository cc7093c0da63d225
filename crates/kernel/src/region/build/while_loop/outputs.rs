//! What a loop kernel writes: the last values of the state, and what is computed from them.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::OUTER;
use super::state::{Role, State};
use crate::refusal::Refusal;
use crate::region::build::builder::{Builder, Output};
use crate::region::build::instances::Instances;
use crate::region::{Element, LoopStage, NodeId, Place};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{InstrId, Opcode};

impl<'a> Builder<'a> {
    /// The element of the result of which loop an output is as it stands.
    pub(super) fn result_of(&self, parts: &Parts<'a>, &(id, result): &Output) -> Option<(usize, usize)> {
        let scope = parts.results_scope();
        match self.comp[id].opcode {
            Opcode::While => parts.loop_at(scope, id).map(|n| (n, result as usize)),
            _ => parts.element_read(scope, id),
        }
    }

    /// The elements of each output where several loops follow one another: what stands in none of them is written when
    /// all have run.
    pub(super) fn outputs_of_several(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Instances,
        outputs: &[Output],
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let scope = parts.results_scope();
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let written = self.result_of(parts, &(id, result));
            if written.is_some_and(|(n, element)| parts.loops[n].stacking[element].is_some()) {
                continue;
            }
            let Some(array) = self.comp[id].shape.as_array() else {
                return Err(Refusal::Host { opcode: self.comp[id].opcode });
            };
            let axes = match parts.depends(scope)[id.index()] {
                true => lanes.of(scope, id, array.rank()),
                false => lanes.of_free(&array.dims),
            };
            if components(&array.dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::NotInPlace { opcode: Opcode::While });
            }
            for index in points(&array.dims, &axes) {
                let value = self.within(scope, |cx| cx.value(id, &index))?;
                let (to, offset) = (Place::Output(n as u32), linearize(&index, &array.dims));
                loop_stage.stores.push(Element { to, offset, symbols: Vec::new(), value, mask: None });
            }
        }
        Ok(())
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
            let to = Place::Output(n as u32);
            let element = self.result_of(parts, &(id, result)).map(|(_, element)| element);
            if let Some(element) = element
                && part.stacking[element].is_some()
            {
                self.stores(parts, lanes, (0, element), to, loop_stage)?;
                continue;
            }
            if element.is_some_and(|e| self.is_output(e, n as u32)) {
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
                let (offset, symbols) = (linearize(&index, &shape.dims), Vec::new());
                loop_stage.finals.push(Element { to, offset, symbols, value, mask: None });
            }
        }
        Ok(())
    }

    /// Whether an output is the array itself that an element of the state is.
    fn is_output(&self, element: usize, output: u32) -> bool {
        let role = self.state.as_deref().map(|s| &s.roles[0][element]);
        matches!(role, Some(Role::InMemory(storage)) if storage.place() == Place::Output(output))
    }

    /// The final value of an element of the state where the loop itself is an output.
    fn final_value(&mut self, element: usize, init: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let Some(State { roles, nodes, parts, .. }) = self.state.as_deref() else {
            return self.value(init, index);
        };
        let (first, dims, axes) = match &roles[0][element] {
            Role::Instances { first, dims, axes } => (first, dims, axes),
            Role::InMemory(storage) => {
                let (storage, dtype) = (storage.clone(), parts.dtype(0, element));
                let last = self.first_carry(0)?;
                return self.updated_element((last, &storage), dtype, index);
            }
            Role::Invariant(_) | Role::Stacked(_) => return self.value(init, index),
        };
        let all = points(dims, axes);
        let at = all.iter().position(|p| p == index).unwrap_or(0);
        Ok(nodes[0][*first as usize + at])
    }
}
