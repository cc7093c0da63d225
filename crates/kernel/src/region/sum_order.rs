//! The order of the sum of a product where it is free: that in which the operands lie in memory.
//!
//! `strict` adds the products of a convolution in the order of its window and then of its features, those of a `dot` in the order of
//! its contracting dimensions. Where features come first in memory, or a batch is summed over, that goes to and fro in both
//! operands. In the order of memory neighbours follow each other, and axes that lie in line are one loop.

use super::moved::moved;
use super::{Kind, Node, NodeId, Region};
use lawson_hlo::index::Affine;

/// The region with the sums of its products in the order of memory, if that is another for one of them.
pub fn in_memory_order(region: &Region) -> Option<Region> {
    let orders: Vec<Option<Vec<usize>>> = (0..region.stages.len()).map(|n| wanted(region, n)).collect();
    if orders.iter().all(Option::is_none) {
        return None;
    }
    let mut new = region.clone();
    for (stage, order) in orders.iter().enumerate() {
        if let Some(order) = order {
            reorder(&mut new, stage, order);
        }
    }
    Some(new)
}

/// The axes of the sum of a product, from that with the widest steps in memory to the one with the smallest; `None` where they
/// are in this order, or the arrays that are read differ in it.
fn wanted(region: &Region, stage: usize) -> Option<Vec<usize>> {
    let stage = &region.stages[stage];
    let Kind::Contract { lhs, rhs, .. } = stage.kind else { return None };
    let first = stage.space.len();
    let steps = |load: &NodeId| -> Option<Vec<i64>> {
        let Node::Load { offset, .. } = region.node(*load) else { return None };
        (0..stage.inner.len()).map(|n| offset.coefficient(first + n).map(i64::abs)).collect()
    };
    let loads = region.loads(&[lhs, rhs]);
    let steps: Vec<Vec<i64>> = loads.iter().map(steps).collect::<Option<_>>()?;
    // Along axes of one point nothing moves.
    let mut order: Vec<usize> = (0..stage.inner.len()).filter(|&n| stage.inner[n] > 1).collect();
    let before = order.clone();
    order.sort_by_key(|&n| std::cmp::Reverse(steps.first().map_or(0, |s| s[n])));
    let is_same = |s: &Vec<i64>| order.windows(2).all(|pair| s[pair[0]] >= s[pair[1]]);
    if order == before || !steps.iter().all(is_same) {
        return None;
    }
    let units = (0..stage.inner.len()).filter(|&n| stage.inner[n] <= 1);
    Some(units.chain(order.iter().copied()).collect())
}

/// Puts the axes of the sum of a product in this order.
fn reorder(region: &mut Region, stage: usize, order: &[usize]) {
    let mut new = region.stages[stage].clone();
    let (first, old) = (new.space.len(), new.inner.clone());
    new.inner = order.iter().map(|&n| old[n]).collect();
    let space = region.space_of(&new.ranges());
    let replace = |axis: u32| match (axis as usize).checked_sub(first) {
        None => Affine::axis(axis as usize),
        Some(n) => Affine::axis(first + order.iter().position(|&o| o == n).unwrap_or(n)),
    };
    let Kind::Contract { lhs, rhs, .. } = &mut new.kind else { return };
    let moved = moved(region, &[*lhs, *rhs], &space, &replace);
    (*lhs, *rhs) = (moved[lhs], moved[rhs]);
    region.stages[stage] = new;
}
