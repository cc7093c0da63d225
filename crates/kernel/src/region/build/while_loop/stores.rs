//! What each trip stores of arrays that no trip reads, and whether the trips together write all of them.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::body;
use super::stacked::Stacking;
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::build::instances::Instances;
use crate::region::{Carried, Element, LoopStage, Node, NodeId, Place, symbol_nodes};
use lawson_hlo::Opcode;
use lawson_hlo::dtype::TypeKind;
use lawson_hlo::index::{Affine, Atom};

impl<'a> Builder<'a> {
    /// What each trip stores to an output, or to an array of the lane's own.
    pub(super) fn stores(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Instances,
        (n, element): (usize, usize),
        to: Place,
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let Some(Stacking { chain, .. }) = &parts.loops[n].stacking[element] else { return Ok(()) };
        let scope = body(n);
        let dims = parts.dims(n, element);
        let mut covered = false;
        for &id in chain {
            let instr = &parts.comp(scope)[id];
            let update = instr.operands[1];
            let sizes = parts.comp(scope)[update].shape.expect_array().dims.clone();
            let starts = self.within(scope, |cx| cx.starts(&instr.operands[2..], dims, &sizes))?;
            covered |= self.covers(loop_stage, n, &starts, dims, &sizes);
            // What a loop within this one has written.
            if parts.is_stacking(scope, update) {
                continue;
            }
            let axes = lanes.of(scope, update, sizes.len());
            if components(&sizes, &axes) > MAX_ELEMENTS {
                return Err(Refusal::NotInPlace { opcode: Opcode::DynamicUpdateSlice });
            }
            for index in points(&sizes, &axes) {
                let value = self.within(scope, |cx| cx.value(update, &index))?;
                let at: Vec<Affine> = starts.iter().zip(&index).map(|(s, i)| s.add(i)).collect();
                let offset = match (to, self.private_of(n, element)) {
                    (Place::Private(_), Some(private)) => {
                        let opcode = Opcode::DynamicUpdateSlice;
                        private.offset(&at).ok_or(Refusal::CrossLane { opcode })?
                    }
                    _ => self.position(parts, (n, element), at)?,
                };
                let symbols = symbol_nodes(self.region, &offset);
                if let Some(state) = &mut self.state {
                    state.uniform.extend(&symbols);
                }
                loop_stage.stores.push(Element { to, offset, symbols, value, mask: None });
            }
        }
        if covered {
            return Ok(());
        }
        // Elements no trip writes keep their initial value, which must then be in memory.
        match (to, self.inputs.get(&parts.loops[n].inits[element])) {
            (Place::Output(output), Some(&input)) if n == 0 => self.region.aliases.push((output, input)),
            _ => return Err(Refusal::NotInPlace { opcode: Opcode::DynamicUpdateSlice }),
        }
        Ok(())
    }

    /// Whether an update at these starts writes every element in the course of the loop: one row after the other,
    /// up or down.
    fn covers(
        &self,
        loop_stage: &LoopStage,
        n: usize,
        starts: &[Affine],
        dims: &[i64],
        sizes: &[i64],
    ) -> bool {
        let partial: Vec<usize> = (0..dims.len()).filter(|&d| dims[d] != sizes[d]).collect();
        let ([d], Some(trips)) = (&partial[..], loop_stage.trips) else {
            return partial.is_empty() && loop_stage.trips.is_some_and(|t| t > 0);
        };
        let [(Atom::Symbol(s), 1)] = starts[*d].terms[..] else { return false };
        let node = self.region.symbols[s as usize].node;
        let rows = (starts[*d].constant, sizes[*d], trips) == (0, 1, dims[*d]);
        rows && self.counts((loop_stage, n), node, trips)
    }

    /// Whether a node takes every value in `0..trips`, up or down.
    fn counts(&self, loop_stage: (&LoopStage, usize), node: NodeId, trips: i64) -> bool {
        let region = &*self.region;
        match region.node(node) {
            // Clamping leaves what is in range as it is.
            Node::Binary { opcode: Opcode::Maximum | Opcode::Minimum, x, y, .. }
                if self.known(*y) == Some(0) || self.known(*y) == Some(trips - 1) =>
            {
                self.counts(loop_stage, *x, trips)
            }
            Node::Convert { from, x } if from.is_integer() => self.counts(loop_stage, *x, trips),
            _ => {
                let course = self.course(loop_stage, node, trips);
                course == Some((0, 1)) || course == Some((trips - 1, -1))
            }
        }
    }

    fn known(&self, id: NodeId) -> Option<i64> {
        i64::try_from(self.region.integer(id)?).ok()
    }

    /// The value of a node in the first trip and what each trip adds, where no trip leaves the range of its type.
    fn course(
        &self,
        (loop_stage, number): (&LoopStage, usize),
        node: NodeId,
        trips: i64,
    ) -> Option<(i64, i64)> {
        let region = &*self.region;
        let (first, step) = match region.node(node) {
            Node::Constant { .. } => (self.known(node)?, 0),
            Node::Carry(Carried { of, at, last: false }) if *of as usize == number => {
                let by = loop_stage.increment(region, node)?;
                (self.known(loop_stage.carries.get(*at as usize)?.init)?, self.known(by)?)
            }
            Node::Convert { from, x } if from.is_integer() => self.course((loop_stage, number), *x, trips)?,
            Node::Binary { opcode: opcode @ (Opcode::Add | Opcode::Subtract), x, y, .. } => {
                let (a, b) = (
                    self.course((loop_stage, number), *x, trips)?,
                    self.course((loop_stage, number), *y, trips)?,
                );
                match opcode {
                    Opcode::Add => (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
                    _ => (a.0.checked_sub(b.0)?, a.1.checked_sub(b.1)?),
                }
            }
            _ => return None,
        };
        let last = first.checked_add(step.checked_mul(trips - 1)?)?;
        let dtype = region.dtype(node);
        let (low, top) = match dtype.kind() {
            TypeKind::Signed(width) => width.signed_range(),
            TypeKind::Unsigned(width) => (0, i64::try_from(width.greatest_unsigned()).unwrap_or(i64::MAX)),
            TypeKind::Pred | TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => return None,
        };
        let fits = |v: i64| (low..=top).contains(&v);
        (fits(first) && fits(last)).then_some((first, step))
    }
}
