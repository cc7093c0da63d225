//! Maps that are computed where the results they read are made.

use crate::region::{Kind, Node, Region, Source};
use lawson_hlo::index::{Affine, linearize};

/// The map that reads stage `s` only where it is made: after a reduction the last stage, if it directly follows, and
/// after a contraction any that needs no later stage.
pub(super) fn epilogue_of(region: &Region, s: usize) -> Option<usize> {
    let end = region.stages.len();
    let mut candidates = match region.stages[s].kind {
        Kind::Contract { .. } => s + 1..end,
        Kind::Reduce { .. } if s + 2 == end => s + 1..end,
        _ => return None,
    };
    candidates.find(|&e| is_epilogue(region, s, e))
}

fn is_epilogue(region: &Region, s: usize, e: usize) -> bool {
    let (stage, candidate) = (&region.stages[s], &region.stages[e]);
    let Kind::Map { values } = &candidate.kind else { return false };
    let position = linearize(&(0..stage.space.len()).map(Affine::axis).collect::<Vec<_>>(), &stage.space);
    let (mut in_place, mut reads) = (candidate.space == stage.space, false);
    for id in region.reachable(values) {
        if let Node::Load { source: Source::Stage { stage: from, .. }, offset, .. } = region.node(id) {
            let from = *from as usize;
            reads |= from == s;
            in_place &= from < s || from == s && *offset == position;
        }
    }
    in_place && reads
}
