//! A choice among loads of one array by what is the same in all lanes: one load, from the place that is chosen.
//!
//! Rolls and edges that repeat read so: `x[i + 1]` up to the last row, and `x[0]` there.

use super::emit::Emit;
use super::point::Point;
use crate::loop_ir::V;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Region, Source};
use lawson_hlo::Opcode;
use lawson_hlo::index::Affine;

/// Loads of one array, of which an index takes one: each has the indices from where the one before it ends.
struct Choice<'r> {
    source: Source,
    /// The condition that a load is taken, if those before it are not, and the load.
    taken: Vec<(NodeId, NodeId)>,
    last: NodeId,
    /// What else has to hold for an element to be read.
    guard: Option<NodeId>,
    /// Of each load where it reads, and the condition it has itself.
    reads: Vec<(&'r Affine, Option<NodeId>)>,
}

impl<'r> Emit<'r> {
    /// The value of a select that is such a choice; `None` where it is not, or where lanes choose differently.
    pub(super) fn chosen_load(
        &mut self,
        point: &mut Point<'r>,
        select: NodeId,
    ) -> Result<Option<V>, Refusal> {
        let Some(choice) = Choice::of(self.region, select) else { return Ok(None) };
        let mut conditions = Vec::with_capacity(choice.taken.len());
        for &(condition, _) in &choice.taken {
            let v = self.value(point, condition)?;
            if self.b.ty_of(v).lanes > 1 {
                return Ok(None);
            }
            conditions.push(v);
        }
        let loads = || choice.taken.iter().map(|(_, load)| *load).chain([choice.last]);
        let known = loads().any(|load| point.known.contains_key(&load));
        let Some(home) =
            self.home(point, choice.source).filter(|_| !known && loads().all(|l| self.starts_at_zero(l)))
        else {
            return Ok(None);
        };
        let guard = self.condition(point, choice.guard)?;
        let mut places = Vec::with_capacity(choice.reads.len());
        for &(offset, own) in &choice.reads {
            let offset = point.axes.translate(offset);
            places.push(self.place(point, home, &offset, own)?);
        }
        let Some(mut linear) = places.pop() else { return Ok(None) };
        if places.iter().chain([&linear]).any(|p| p.vector.is_some() || p.step != linear.step) {
            return Ok(None);
        }
        for (place, condition) in places.into_iter().zip(conditions).rev() {
            linear.base = self.b.select(condition, place.base, linear.base);
        }
        self.load_placed(point, choice.last, (choice.source, home, linear), guard).map(Some)
    }
}

impl<'r> Choice<'r> {
    fn of(region: &'r Region, select: NodeId) -> Option<Choice<'r>> {
        let (mut taken, mut last) = (Vec::new(), select);
        while let Node::Select { mask, x, y } = *region.node(last) {
            taken.push((mask, x));
            last = y;
        }
        let (_, first) = *taken.first()?;
        let Node::Load { source, .. } = *region.node(first) else { return None };
        let Node::InRange { value: index, .. } = region.node(taken[0].0) else { return None };
        let (mut reads, mut guard, mut start) = (Vec::with_capacity(taken.len() + 1), None, i64::MIN);
        let ends = taken.iter().map(|&(mask, load)| (Some(mask), load)).chain([(None, last)]);
        for (n, (condition, load)) in ends.enumerate() {
            let end = condition.map_or(Some(i64::MAX), |mask| end_of(region, mask, index))?;
            let Node::Load { source: of, offset, mask } = region.node(load) else { return None };
            let (other, (from, to)) = parts(region, *mask, index);
            if *of != source || from > start || to < end || end < start || (n > 0 && other != guard) {
                return None;
            }
            (guard, start) = (other, end);
            reads.push((offset, *mask));
        }
        Some(Choice { source, taken, last, guard, reads })
    }
}

/// Where a condition that the index is below a limit ends.
fn end_of(region: &Region, mask: NodeId, index: &Affine) -> Option<i64> {
    match region.node(mask) {
        Node::InRange { value, lo: i64::MIN, hi } if value == index => Some(*hi),
        _ => None,
    }
}

/// A condition as what it says of the index, and the rest.
fn parts(region: &Region, mask: Option<NodeId>, index: &Affine) -> (Option<NodeId>, (i64, i64)) {
    const ALL: (i64, i64) = (i64::MIN, i64::MAX);
    let range = |id: NodeId| match region.node(id) {
        Node::InRange { value, lo, hi } if value == index => Some((*lo, *hi)),
        _ => None,
    };
    let Some(id) = mask else { return (None, ALL) };
    if let Some(range) = range(id) {
        return (None, range);
    }
    match *region.node(id) {
        Node::Binary { opcode: Opcode::And, x, y, .. } => match (range(x), range(y)) {
            (_, Some(of_y)) => (Some(x), of_y),
            (Some(of_x), _) => (Some(y), of_x),
            _ => (mask, ALL),
        },
        _ => (mask, ALL),
    }
}
