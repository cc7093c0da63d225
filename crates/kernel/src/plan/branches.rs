//! Sides of selects that are worth a branch: what only they need is skipped where no lane takes them.
//!
//! A simulation draws a new state in every step and uses it in the few lanes that start again; where a whole vector
//! goes on, the drawing is left out.

use crate::rates::Rates;
use crate::region::{Carried, LoopStage, Nesting, Node, NodeId, Region};
use std::collections::BTreeMap;

/// Selects on one mask, and what only one side of them needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    pub mask: NodeId,
    /// The side that is expensive: taken where the mask is this.
    pub when: bool,
    pub selects: Vec<NodeId>,
    /// Evaluated only where some lane takes the side.
    pub inside: Vec<NodeId>,
}

/// Operations below which a branch is not worth its risk of being predicted wrong.
const MIN_COST: i64 = 128;
/// The same where there is one lane: no lane waits for another, and what follows need not wait for the side.
const MIN_COST_ALONE: i64 = 20;

/// The branches of a step of so many lanes; no two share anything.
pub(super) fn branches(
    region: &Region,
    loop_stage: &LoopStage,
    nesting: &Nesting,
    (rates, lanes): (&Rates, u32),
) -> Vec<Branch> {
    let least = if lanes == 1 { MIN_COST_ALONE } else { MIN_COST };
    let mut roots = loop_stage.step_roots();
    let all = region.reachable(&roots);
    // Loops within the loop are run whatever the masks are.
    roots
        .extend(all.iter().filter(|&&id| matches!(region.node(id), Node::Carry(Carried { last: true, .. }))));
    let mut by_mask: BTreeMap<(usize, NodeId), Vec<NodeId>> = BTreeMap::new();
    for &id in &all {
        if let Node::Select { mask, .. } = region.node(id)
            && nesting.innermost(*mask).is_some()
            && let Some(within) = nesting.innermost(id)
        {
            by_mask.entry((within, *mask)).or_default().push(id);
        }
    }
    let mut found: Vec<(i64, Branch)> = Vec::new();
    for ((within, mask), selects) in by_mask {
        // What is the same in all trips of the innermost loop is computed before it.
        let own: Vec<NodeId> =
            all.iter().copied().filter(|&id| nesting.innermost(id) == Some(within)).collect();
        let step = (&roots[..], &own[..]);
        let sides = [true, false].map(|when| branch(region, (rates, least), step, mask, when, &selects));
        found.extend(sides.into_iter().flatten().max_by_key(|(cost, _)| *cost));
    }
    found.sort_by_key(|(cost, _)| -cost);
    let mut out: Vec<Branch> = Vec::new();
    for (_, branch) in found {
        let has = |b: &Branch, id: &NodeId| b.inside.binary_search(id).is_ok() || b.selects.contains(id);
        let apart = |b: &Branch| !branch.inside.iter().chain(&branch.selects).any(|id| has(b, id));
        if out.iter().all(apart) {
            out.push(branch);
        }
    }
    out
}

/// The branch on one side of these selects, with its cost, if it is worth one.
fn branch(
    region: &Region,
    (rates, least): (&Rates, i64),
    (roots, own): (&[NodeId], &[NodeId]),
    mask: NodeId,
    when: bool,
    selects: &[NodeId],
) -> Option<(i64, Branch)> {
    let outside = reached(region, roots, selects, when);
    let only = |id: &NodeId| !outside[id.0 as usize] && own.binary_search(id).is_ok();
    let inside: Vec<NodeId> = own.iter().copied().filter(only).collect();
    let cost: i64 = inside.iter().map(|&id| rates.node(region, id)).sum();
    if cost < least {
        return None;
    }
    let side = |id: NodeId, when: bool| match *region.node(id) {
        Node::Select { x, y, .. } => {
            if when {
                x
            } else {
                y
            }
        }
        _ => id,
    };
    let selects: Vec<NodeId> = selects.iter().copied().filter(|&s| only(&side(s, when))).collect();
    // All are decided at once, so none may rest on another.
    let before: Vec<NodeId> =
        selects.iter().flat_map(|&s| [side(s, true), side(s, false)]).chain([mask]).collect();
    let before = region.reachable(&before);
    let apart = !selects.iter().any(|s| before.binary_search(s).is_ok());
    (apart && !selects.is_empty()).then_some((cost, Branch { mask, when, selects, inside }))
}

/// What the roots need without that side of the selects.
fn reached(region: &Region, roots: &[NodeId], selects: &[NodeId], when: bool) -> Vec<bool> {
    let mut seen = vec![false; region.nodes.len()];
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        match *region.node(id) {
            Node::Select { mask, x, y } if selects.binary_search(&id).is_ok() => {
                stack.extend([mask, if when { y } else { x }]);
            }
            _ => region.operands(id, &mut |o| stack.push(o)),
        }
    }
    seen
}
