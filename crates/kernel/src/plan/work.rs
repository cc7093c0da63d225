//! The work of one point of a stage, which divides its loops into tasks.

use super::Axes;
use super::ascending::ascending_comparisons;
use crate::region::{Function, Node, NodeId, Region};
use crate::target::Target;
use lawson_hlo::Opcode;

/// Operations that combine an element of a reduction with those before it, without what is known because it comes later.
pub(super) fn combining_cost(
    region: &Region,
    axes: &Axes,
    (values, combiner): (&[NodeId], &Function),
    target: &Target,
) -> i64 {
    let mut holds = vec![false; region.nodes.len()];
    let comparisons = ascending_comparisons(region, axes, values, combiner);
    if comparisons.is_empty() {
        return point_cost(region, &combiner.results, target);
    }
    comparisons.iter().for_each(|id| holds[id.0 as usize] = true);
    for id in region.reachable(&combiner.results) {
        if let Node::Binary { opcode, x, y, .. } = *region.node(id) {
            let known = (holds[x.0 as usize], holds[y.0 as usize]);
            let is_known = opcode == Opcode::Or && (known.0 || known.1)
                || opcode == Opcode::And && known == (true, true);
            holds[id.0 as usize] |= is_known;
        }
    }
    let (mut cost, mut seen, mut next) = (0, vec![false; region.nodes.len()], combiner.results.clone());
    while let Some(id) = next.pop() {
        if holds[id.0 as usize] || std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        // Of a condition and one that holds, the other is left.
        let is_and = matches!(region.node(id), Node::Binary { opcode: Opcode::And, .. });
        let mut left = true;
        region.operands(id, &mut |o| {
            left &= !(is_and && holds[o.0 as usize]);
            next.push(o);
        });
        cost += if left { target.rates.node(region, id) } else { 0 };
    }
    cost.max(1)
}

/// Operations for one point, elementary functions weighed: what divides work into tasks.
pub fn point_cost(region: &Region, roots: &[NodeId], target: &Target) -> i64 {
    region.reachable(roots).into_iter().map(|id| target.rates.node(region, id)).sum::<i64>().max(1)
}
