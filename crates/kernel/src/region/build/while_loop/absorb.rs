//! When lanes may stop in groups: a lane whose condition is false must be a fixed point of the step.

use super::parts::Parts;
use super::state::Role;
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::{Carried, LoopStage, Node, NodeId};
use lawson_hlo::{DType, Opcode};
use rustc_hash::FxHashMap;

impl<'a> Builder<'a> {
    /// Checks that uniform conditions are uniform, and that an `any` lets each lane stop by itself: of the loop and of
    /// those within it.
    ///
    /// # Errors
    /// The element of the state that goes on changing.
    pub(super) fn check_ends(
        &mut self,
        parts: &Parts<'a>,
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let varying = loop_stage.varying(self.region, |node| match node {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                (0..self.space.axes.len()).any(|a| e.uses_axis(a))
            }
            _ => false,
        });
        let alive = self.region.reachable(&loop_stage.roots());
        for n in (1..parts.loops.len()).rev() {
            let mut inner = self.region.loops[n - 1].clone();
            // What the loop around sees of it.
            let seen = alive.iter().filter_map(|&id| match self.region.node(id) {
                Node::Carry(Carried { of, at, last: true }) if *of as usize == n => Some(*at as usize),
                _ => None,
            });
            let seen = seen.map(|at| inner.carries[at].node).collect();
            self.check_end(parts, (n, &mut inner), seen, &varying)?;
            self.region.loops[n - 1] = inner;
        }
        let finals: Vec<NodeId> = loop_stage.finals.iter().map(|e| e.value).collect();
        let seen = self.region.reachable(&finals);
        self.check_end(parts, (0, loop_stage), seen, &varying)
    }

    /// The same for one loop, of which others see these nodes.
    fn check_end(
        &mut self,
        parts: &Parts<'a>,
        (n, loop_stage): (usize, &mut LoopStage),
        mut seen: Vec<NodeId>,
        varying: &[bool],
    ) -> Result<(), Refusal> {
        let varies = |id: NodeId| varying.get(id.0 as usize).copied().unwrap_or(false);
        let uniform = self.state.as_deref().map_or(&[][..], |s| &s.uniform);
        if loop_stage.condition.iter().chain(uniform).any(|&c| varies(c)) {
            return Err(Refusal::CrossLane { opcode: Opcode::While });
        }
        let Some(p) = loop_stage.any else { return Ok(()) };
        if !varies(p) {
            loop_stage.any = None;
            loop_stage.condition = self.and(loop_stage.condition, Some(p));
            return Ok(());
        }
        let absorbing = |element: usize| Err(Refusal::LaneNotAbsorbing { element });
        // What is uniform goes on counting when a lane has ended, so nothing that ends or leaves a lane may see it.
        let uniform: Vec<NodeId> =
            loop_stage.carries.iter().map(|c| c.node).filter(|&n| !varies(n)).collect();
        seen.extend(self.region.reachable(&[p]));
        if let Some(&carry) = seen.iter().find(|id| uniform.contains(id)) {
            return absorbing(self.element_of_carry(parts, n, carry));
        }
        let mut known = FxHashMap::default();
        let no = self.constant(DType::Pred, 0);
        // A lane that has ended goes on writing, unless a mask stops it.
        let masks: Vec<Option<NodeId>> = loop_stage.stores.iter().map(|e| e.mask).collect();
        let writes = masks.into_iter().any(|m| m.is_none_or(|m| self.still(p, m, &mut known) != no));
        if writes || !loop_stage.within.is_empty() {
            let part = &parts.loops[n];
            let written = (0..part.next.len()).find(|&e| part.changes[e] && !part.in_lanes(e));
            return absorbing(written.unwrap_or(0));
        }
        if let Node::Unary { opcode: Opcode::Not, x, .. } = *self.region.node(p) {
            known.insert(x, self.constant(DType::Pred, 1));
        }
        for carry in loop_stage.carries.clone() {
            // A carry that the condition is made of is known where it is false.
            if varies(carry.node)
                && self.still(p, carry.next, &mut known) != self.still(p, carry.node, &mut known)
            {
                return absorbing(self.element_of_carry(parts, n, carry.node));
            }
        }
        Ok(())
    }

    fn element_of_carry(&self, parts: &Parts<'a>, n: usize, node: NodeId) -> usize {
        let Some(state) = &self.state else { return 0 };
        let at = state.nodes[n].iter().position(|&c| c == node).unwrap_or(0) as u32;
        let starts = |e: usize| matches!(state.roles[n][e], Role::Instances { first, .. } if first <= at);
        (0..parts.loops[n].next.len()).rev().find(|&e| starts(e)).unwrap_or(0)
    }

    /// What a node is where `p` is false.
    fn still(&mut self, p: NodeId, id: NodeId, known: &mut FxHashMap<NodeId, NodeId>) -> NodeId {
        if id == p {
            return self.constant(DType::Pred, 0);
        }
        if let Some(&done) = known.get(&id) {
            return done;
        }
        let dtype = self.region.dtype(id);
        // Of numbers of several words those of one count.
        let bits = |cx: &Self, id: NodeId| match *cx.region.node(id) {
            Node::Constant { bits: [bits, 0, 0, 0] } => Some(bits),
            _ => None,
        };
        let result = match self.region.node(id).clone() {
            Node::Select { mask, x, y } => {
                let mask = self.still(p, mask, known);
                match bits(self, mask) {
                    Some(0) => self.still(p, y, known),
                    Some(_) => self.still(p, x, known),
                    None => {
                        let (a, b) = (self.still(p, x, known), self.still(p, y, known));
                        if a == b { a } else { id }
                    }
                }
            }
            Node::Unary { opcode: Opcode::Not, dtype: of, x } if of.is_pred() => {
                let x = self.still(p, x, known);
                match bits(self, x) {
                    Some(bits) => self.constant(DType::Pred, (bits == 0) as u64),
                    None => id,
                }
            }
            Node::Binary { opcode, dtype: of, x, y } if of.has_bitwise() => {
                let (a, b) = (self.still(p, x, known), self.still(p, y, known));
                let (u, v) = (bits(self, a), bits(self, b));
                match opcode {
                    Opcode::And | Opcode::Multiply if u == Some(0) || v == Some(0) => self.constant(dtype, 0),
                    Opcode::Or if of.is_pred() && (u == Some(1) || v == Some(1)) => {
                        self.constant(DType::Pred, 1)
                    }
                    Opcode::And if of.is_pred() && u == Some(1) => b,
                    Opcode::And if of.is_pred() && v == Some(1) => a,
                    Opcode::Add | Opcode::Or | Opcode::Xor if u == Some(0) => b,
                    Opcode::Add | Opcode::Or | Opcode::Xor | Opcode::Subtract if v == Some(0) => a,
                    _ => id,
                }
            }
            Node::Convert { from, x } if from.is_pred() => {
                let x = self.still(p, x, known);
                match bits(self, x) {
                    Some(0) => self.constant(dtype, 0),
                    _ => id,
                }
            }
            _ => id,
        };
        known.insert(id, result);
        result
    }
}
