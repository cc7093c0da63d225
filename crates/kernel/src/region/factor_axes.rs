//! Axes split where another stage's rows divide them, so that rows that are reached through a reshape are axes.
//!
//! A norm over groups of channels reduces an array of [N, H, W, G, C/G] and is applied to one of [N, H, W, C]: its
//! last stage has an axis of C, and reads the mean of group `c div (C/G)`. With that axis as two, G and C/G, the group
//! is an axis of every stage. Arrays stay as they are: row-major positions do not change.

use super::moved::moved;
use super::{Kind, Node, NodeId, Region, Source, Stage, roots_of};
use lawson_hlo::index::{Affine, Atom, delinearize};

/// Splits in one region; more would be no simple reshape.
const MAX_SPLITS: usize = 32;

/// Splits what can be split.
pub(super) fn factor_axes(region: &mut Region) {
    if region.stages.len() < 2 || !region.symbols.is_empty() {
        return;
    }
    for _ in 0..MAX_SPLITS {
        let found = (0..region.stages.len()).find_map(|consumer| wanted(region, consumer));
        match found {
            Some((stage, axis, minor)) => split_axis(region, stage, axis, minor),
            None => return,
        }
    }
}

/// A stage, an axis of its space, and the extent of the minor one of the two it should be: from what `consumer` reads.
fn wanted(region: &Region, consumer: usize) -> Option<(usize, usize, i64)> {
    let to = &region.stages[consumer];
    if !splits(to) {
        return None;
    }
    region.reachable(&roots_of(to)).into_iter().find_map(|id| {
        let Node::Load { source: Source::Stage { stage, .. }, offset, .. } = region.node(id) else {
            return None;
        };
        let from = &region.stages[*stage as usize];
        let one_each = from.space.len() == 1 && matches!(offset.terms[..], [(Atom::Axis(_), 1)]);
        if one_each || !splits(from) {
            return None;
        }
        let index = delinearize(offset, &from.space, &region.space_of(&to.ranges()));
        index.iter().enumerate().find_map(|(d, component)| {
            let own = divided(component, to).map(|(axis, minor)| (consumer, axis, minor));
            own.or_else(|| Some((*stage as usize, d, joined(component, to, from.space[d])?)))
        })
    })
}

/// Whether the space of a stage is that of its results, in row-major order.
fn splits(stage: &Stage) -> bool {
    let kind = matches!(stage.kind, Kind::Map { .. } | Kind::Reduce { .. } | Kind::Contract { .. });
    kind && stage.points() == stage.elements && stage.points() > 0
}

/// The axis of the space that an index divides, and by what.
fn divided(component: &Affine, stage: &Stage) -> Option<(usize, i64)> {
    let mut found = None;
    component.visit(&mut |atom| {
        if let Atom::Div(e, c) | Atom::Mod(e, c) = atom
            && let ([(Atom::Axis(a), 1)], 0) = (&e.terms[..], e.constant)
            && let Some(extent) = stage.space.get(*a as usize)
            && *c < *extent
            && extent % c == 0
        {
            found.get_or_insert((*a as usize, *c));
        }
    });
    found
}

/// The extent of the minor axis where an index of `extent` values is made of several whole axes.
fn joined(component: &Affine, stage: &Stage, extent: i64) -> Option<i64> {
    let extents: Vec<i64> = stage.space.iter().chain(&stage.inner).copied().collect();
    let mut terms = Vec::new();
    for (atom, k) in &component.terms {
        let Atom::Axis(a) = atom else { return None };
        terms.push((*k, extents[*a as usize]));
    }
    terms.sort_unstable();
    let mut stride = 1;
    for &(k, n) in &terms {
        if k != stride {
            return None;
        }
        stride *= n;
    }
    let minor = terms.first()?.1;
    (terms.len() > 1 && component.constant == 0 && stride == extent && minor > 1).then_some(minor)
}

/// Makes two axes of one, the second of `minor` elements.
fn split_axis(region: &mut Region, stage: usize, axis: usize, minor: i64) {
    let mut new = region.stages[stage].clone();
    new.space.splice(axis..=axis, [new.space[axis] / minor, minor]);
    let space = region.space_of(&new.ranges());
    let replace = |a: u32| match a as usize {
        a if a < axis => Affine::axis(a),
        a if a == axis => Affine::axis(a).mul(minor).add(&Affine::axis(a + 1)),
        a => Affine::axis(a + 1),
    };
    let moved = moved(region, &roots_of(&new), &space, &replace);
    let at = |ids: &mut Vec<NodeId>| ids.iter_mut().for_each(|id| *id = moved[id]);
    match &mut new.kind {
        Kind::Map { values } => at(values),
        Kind::Reduce { values, inits, mask, .. } => {
            at(values);
            at(inits);
            mask.iter_mut().for_each(|m| *m = moved[m]);
        }
        Kind::Contract { lhs, rhs, .. } => (*lhs, *rhs) = (moved[lhs], moved[rhs]),
        _ => return,
    }
    region.stages[stage] = new;
}
