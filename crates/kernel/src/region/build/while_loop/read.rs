//! Reading an element of the state of a loop.

use super::state::{Private, Role, Storage};
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::{Node, NodeId, Place, Source};
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, InstrId, Opcode};

impl<'a> Builder<'a> {
    /// The element at `index` of what an instruction reads from the state of a loop; `None` where it does not.
    pub(in crate::region::build) fn state_element(
        &mut self,
        id: InstrId,
        index: &[Affine],
    ) -> Result<Option<NodeId>, Refusal> {
        let Some(state) = &self.state else { return Ok(None) };
        let Some((n, element)) = state.parts.element_read(state.scope, id) else { return Ok(None) };
        let part = &state.parts.loops[n];
        let after = part.scope == state.scope;
        match &state.roles[n][element] {
            Role::Invariant(init) => {
                let (init, scope) = (*init, part.scope);
                self.within(scope, |cx| cx.value(init, index)).map(Some)
            }
            Role::Stacked(Some(private)) if after => {
                let (private, dtype) = (private.clone(), state.parts.dtype(n, element));
                self.private_element((n, private), dtype, index).map(Some)
            }
            Role::InMemory(storage) => {
                let (storage, dtype) = (storage.clone(), state.parts.dtype(n, element));
                let after = match after && n > 0 {
                    true => self.ran(n)?,
                    false => self.first_carry(n)?,
                };
                self.updated_element((after, &storage), dtype, index).map(Some)
            }
            Role::Stacked(_) => Err(Refusal::NotInPlace { opcode: Opcode::DynamicUpdateSlice }),
            Role::Instances { first, dims, axes } => {
                let mut inner = Vec::new();
                for ((i, &extent), axis) in index.iter().zip(dims).zip(axes) {
                    match axis {
                        Some(axis) if *i == Affine::axis(*axis) => {}
                        Some(_) => return Err(Refusal::CrossLane { opcode: Opcode::GetTupleElement }),
                        None => inner.push((i.clone(), extent)),
                    }
                }
                if inner.iter().any(|(_, extent)| *extent == 0) {
                    return Err(Refusal::CrossLane { opcode: Opcode::GetTupleElement });
                }
                let count = inner.iter().map(|(_, extent)| *extent as usize).product::<usize>();
                let first = *first as usize;
                let nodes = match after && n > 0 {
                    true => self.last_values(n, first, count)?,
                    false => state.nodes[n][first..][..count].to_vec(),
                };
                Ok(Some(self.chosen(&nodes, &inner)))
            }
        }
    }

    /// An element, when `after` is known, of an array that trips update where it lies.
    pub(super) fn updated_element(
        &mut self,
        (after, storage): (NodeId, &Storage),
        dtype: DType,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let offset = storage.offset(index).ok_or(Refusal::CrossLane { opcode: Opcode::GetTupleElement })?;
        let source = Source::Written { place: storage.place(), after };
        Ok(self.region.add(Node::Load { source, offset, mask: self.guard }, dtype))
    }

    /// An element that a loop has written to an array of the lane's own.
    fn private_element(
        &mut self,
        (n, private): (usize, Private),
        dtype: DType,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let offset = private.offset(index).ok_or(Refusal::CrossLane { opcode: Opcode::GetTupleElement })?;
        let source = Source::Written { place: Place::Private(private.array), after: self.ran(n)? };
        Ok(self.region.add(Node::Load { source, offset, mask: self.guard }, dtype))
    }

    /// The scalar at an index among those that a lane carries: a chain of selects where the index is known at run time.
    fn chosen(&mut self, nodes: &[NodeId], index: &[(Affine, i64)]) -> NodeId {
        let Some(((i, extent), rest)) = index.split_first() else { return nodes[0] };
        let parts: Vec<&[NodeId]> = nodes.chunks(nodes.len() / *extent as usize).collect();
        let (lo, hi) = i.range(&self.space);
        let last = hi.clamp(0, extent - 1);
        // An index may be out of range only where the element is not used.
        let mut chosen = self.chosen(parts[last as usize], rest);
        for at in (lo.clamp(0, last)..last).rev() {
            let y = self.chosen(parts[at as usize], rest);
            let mask = self.region.add(Node::InRange { value: i.clone(), lo: at, hi: at + 1 }, DType::Pred);
            let dtype = self.region.dtype(y);
            chosen = self.region.add(Node::Select { mask, x: y, y: chosen }, dtype);
        }
        chosen
    }
}
