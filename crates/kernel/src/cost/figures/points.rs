//! At how many points the nodes of a stage have values of their own, and how often they are evaluated.

use super::lines;
use crate::plan::Plan;
use crate::region::{Kind, LoopStage, Nesting, Node, NodeId, Region, Stage};
use lawson_hlo::index::{Affine, Atom};
use rustc_hash::FxHashMap;

/// Points and trips of the nodes of a loop.
pub(super) struct LoopPoints {
    points: i64,
    varying: Vec<bool>,
    nesting: Nesting,
}

impl LoopPoints {
    pub fn new(region: &Region, stage: &Stage, loop_stage: &LoopStage) -> LoopPoints {
        let varying = loop_stage.varying(region, |node| match node {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                (0..stage.space.len()).any(|a| e.uses_axis(a))
            }
            _ => false,
        });
        LoopPoints { points: stage.points(), varying, nesting: Nesting::new(region, loop_stage) }
    }

    pub fn of(&self, id: NodeId) -> i64 {
        let points = if self.varying[id.0 as usize] { self.points } else { 1 };
        points.saturating_mul(self.nesting.evaluations(id))
    }
}

/// Points and evaluations of the nodes of a stage that is no loop.
pub(super) struct AxisPoints<'a> {
    extents: Vec<i64>,
    stage: &'a Stage,
    /// For each node the axes it depends on, as bits; axes from 63 on share the last bit.
    used: Vec<u64>,
    /// The axes along which it is evaluated: those, and axes that are one loop with them.
    evaluated: Vec<u64>,
    /// For each node of the operands of a contraction the elements of the operand.
    elements: Vec<i64>,
    lanes: Option<Lanes>,
}

/// The lanes of a stage. What is the same in all of them is scalar code, once for all vectors that are computed together.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// The axes along which they lie, as bits.
    pub axes: u64,
    /// Elements for which such code takes as long as vector code takes for one: it serves all elements of those vectors, and several
    /// scalar operations are executed at once.
    pub shared: i64,
}

/// Axes as bits; those from 63 on share the last.
pub(super) fn bits(axes: &[usize]) -> u64 {
    axes.iter().fold(0, |all, axis| all | 1u64 << axis.min(&63))
}

impl<'a> AxisPoints<'a> {
    /// For the nodes `ids`, in which operands come before users.
    pub fn new(region: &Region, stage: &'a Stage, ids: &[NodeId]) -> AxisPoints<'a> {
        let mut used = vec![0u64; ids.last().map_or(0, |id| id.0 as usize + 1)];
        for &id in ids {
            let mut all = 0;
            region.operands(id, &mut |o| all |= used[o.0 as usize]);
            if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } =
                region.node(id)
            {
                e.visit(&mut |atom| {
                    if let Atom::Axis(axis) = atom {
                        all |= 1 << axis.min(&63);
                    }
                });
            }
            used[id.0 as usize] = all;
        }
        let extents = stage.space.iter().chain(&stage.inner).copied().collect();
        let (evaluated, elements) = (used.clone(), vec![1; used.len()]);
        let mut points = AxisPoints { extents, stage, elements, used, evaluated, lanes: None };
        if let Kind::Contract { lhs, rhs, .. } = stage.kind {
            for operand in [lhs, rhs] {
                let elements = points.points(operand);
                for id in region.reachable(&[operand]) {
                    let known = &mut points.elements[id.0 as usize];
                    *known = elements.max(*known);
                }
            }
        }
        points
    }

    /// The same where some axes of the stage are one loop: what changes along one of them is evaluated along all.
    pub fn along_as_one(mut self, axes: &[usize]) -> Self {
        let all = bits(axes);
        self.evaluated.iter_mut().filter(|along| **along & all != 0).for_each(|along| *along |= all);
        self
    }

    /// The same where lanes lie along some of the axes.
    pub fn in_lanes(self, lanes: Option<Lanes>) -> Self {
        AxisPoints { lanes, ..self }
    }

    /// For each element that is read at this offset, of so many bytes, those of the lines that are fetched for it.
    pub fn lines(&self, offset: &Affine, size: i64) -> i64 {
        lines::of_each(&self.extents, offset, size)
    }

    /// Points at which a node has values of its own: the extents of the axes it depends on.
    pub fn points(&self, id: NodeId) -> i64 {
        let used = self.used[id.0 as usize];
        let extents = self.extents.iter().enumerate().filter(|(axis, _)| used >> axis.min(&63) & 1 == 1);
        extents.fold(1i64, |n, (_, &e)| n.saturating_mul(e))
    }

    /// How often a node is evaluated: loops run in this order of the axes, and what does not depend on the inner ones
    /// is computed before them. Operands of contractions are made once, element by element: what changes along k is
    /// computed for each of them, even where several have it in common.
    pub fn evaluations(&self, order: &[usize], id: NodeId) -> i64 {
        let used = self.used[id.0 as usize];
        if matches!(self.stage.kind, Kind::Contract { .. }) {
            let along_k = used >> self.stage.space.len().min(63) != 0;
            return if along_k { self.elements[id.0 as usize] } else { self.points(id) };
        }
        let along = self.evaluated[id.0 as usize];
        let depth = order.iter().rposition(|axis| along >> axis.min(&63) & 1 == 1).map_or(0, |last| last + 1);
        let all = order[..depth].iter().fold(1i64, |n, &axis| n.saturating_mul(self.extents[axis]));
        match self.lanes {
            Some(lanes) if lanes.axes & along == 0 && lanes.axes & bits(&order[..depth]) != 0 => {
                (all + lanes.shared - 1) / lanes.shared
            }
            _ => all,
        }
    }
}

/// For a loop that is split into ranges, in how much of its extent each node is evaluated.
pub(super) struct Parts(Option<(i64, FxHashMap<NodeId, i64>)>);

impl Parts {
    pub fn new(plan: &Plan, s: usize) -> Parts {
        Parts(plan.split(s as u32).map(|(split, axes)| {
            let mut points = FxHashMap::default();
            for (extent, ids) in split.live(axes) {
                ids.iter().for_each(|&id| *points.entry(id).or_default() += extent);
            }
            (axes.extents[split.axis], points)
        }))
    }

    /// The share of `points` at which the node is evaluated.
    pub fn of(&self, id: NodeId, points: i64) -> i64 {
        let Some((extent, of)) = &self.0 else { return points };
        let part = of.get(&id).copied().unwrap_or(0) as i128;
        (points as i128 * part / (*extent).max(1) as i128) as i64
    }
}
