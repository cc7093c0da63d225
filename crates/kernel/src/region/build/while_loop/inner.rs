//! Loops within the loop: what they leave is part of the expressions around them, what they write goes to the
//! outputs of the kernel.

use super::parts::Parts;
use super::scopes::body;
use super::state::{Private, Role};
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::build::instances::Instances;
use crate::region::{Carried, LoopStage, Node, NodeId, Place};
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, linearize};

impl<'a> Builder<'a> {
    /// Takes a loop within the loop apart, unless that is done.
    pub(super) fn inner(&mut self, n: usize) -> Result<(), Refusal> {
        let Some(state) = self.state.as_deref() else { return Ok(()) };
        if state.built[n] {
            return Ok(());
        }
        let (parts, lanes) = (state.parts.clone(), state.lanes.clone());
        // It runs for whoever reads its results, wherever they do.
        let guard = self.guard.take();
        let made = self.made(&parts, &lanes, n);
        self.guard = guard;
        let made = made?;
        let writes = !made.stores.is_empty() || !made.within.is_empty();
        self.region.loops[n - 1] = made;
        if let Some(state) = &mut self.state {
            state.built[n] = true;
        }
        if writes {
            let last = self.ran(n)?;
            if let Some(state) = &mut self.state {
                state.within[parts.loops[n].around].push(last);
            }
        }
        Ok(())
    }

    fn made(&mut self, parts: &Parts<'a>, lanes: &Instances, n: usize) -> Result<LoopStage, Refusal> {
        let mut loop_stage = self.step(parts, lanes, n)?;
        for element in 0..parts.loops[n].next.len() {
            if let Some(array) = self.private_of(n, element).map(|p| p.array) {
                self.stores(parts, lanes, (n, element), Place::Private(array), &mut loop_stage)?;
            }
            self.before(parts, (n, element), &mut loop_stage)?;
            self.updates(parts, (n, element), &mut loop_stage)?;
            let Some(whole) = parts.written_whole(n, element) else { continue };
            let results = self.state.as_ref().map_or(Vec::new(), |s| s.results.clone());
            for (_, output) in results.into_iter().filter(|(result, _)| *result == whole) {
                self.stores(parts, lanes, (n, element), Place::Output(output), &mut loop_stage)?;
            }
        }
        Ok(loop_stage)
    }

    /// The values that carries of a loop within the loop have after its last trip.
    pub(super) fn last_values(
        &mut self,
        n: usize,
        first: usize,
        count: usize,
    ) -> Result<Vec<NodeId>, Refusal> {
        self.inner(n)?;
        let Some(state) = self.state.as_deref() else { return Ok(Vec::new()) };
        let nodes = state.nodes[n][first..][..count].to_vec();
        Ok((first..).zip(nodes).map(|(at, node)| self.last_value(n, at, node)).collect())
    }

    /// The array of the lane's own that an element of the state is written to.
    pub(super) fn private_of(&self, n: usize, element: usize) -> Option<Private> {
        match &self.state.as_deref()?.roles[n][element] {
            Role::Stacked(private) => private.clone(),
            Role::Invariant(_) | Role::Instances { .. } | Role::InMemory(_) => None,
        }
    }

    /// A value that is known when a loop has run.
    pub(super) fn ran(&mut self, n: usize) -> Result<NodeId, Refusal> {
        self.inner(n)?;
        let first = self.first_carry(n)?;
        Ok(self.last_value(n, 0, first))
    }

    /// A value that is known when a trip begins, and changes from trip to trip.
    pub(super) fn first_carry(&self, n: usize) -> Result<NodeId, Refusal> {
        let first = self.state.as_deref().and_then(|s| s.nodes[n].first().copied());
        first.ok_or(Refusal::Host { opcode: Opcode::While })
    }

    fn last_value(&mut self, n: usize, at: usize, carry: NodeId) -> NodeId {
        let carried = Carried { of: n as u32, at: at as u32, last: true };
        self.region.add(Node::Carry(carried), self.region.dtype(carry))
    }

    /// The position, in an output, of a position in an array that a loop writes: each loop around writes the array as
    /// a part of its own.
    pub(super) fn position(
        &mut self,
        parts: &Parts<'a>,
        (mut n, mut element): (usize, usize),
        mut at: Vec<Affine>,
    ) -> Result<Affine, Refusal> {
        while let Some(into) = parts.loops[n].stacking[element].as_ref().and_then(|s| s.into.as_ref()) {
            let around = parts.loops[n].around;
            let comp = parts.comp(body(around));
            let instr = &comp[into.update];
            let sizes = &comp[instr.operands[1]].shape.expect_array().dims;
            // The two differ in dimensions of one element only.
            let long = |d: &(&i64, Affine)| *d.0 != 1;
            let mut kept = parts.dims(n, element).iter().zip(at).filter(long).map(|(_, i)| i);
            let dims = parts.dims(around, into.element);
            let starts = self.within(body(around), |cx| cx.starts(&instr.operands[2..], dims, sizes))?;
            let index = sizes.iter().map(|&s| if s == 1 { None } else { kept.next() });
            at = starts.iter().zip(index).map(|(s, i)| i.map_or(s.clone(), |i| s.add(&i))).collect();
            (n, element) = (around, into.element);
        }
        Ok(linearize(&at, parts.dims(n, element)))
    }
}
