//! The roots of a stage: the expressions it evaluates, from which everything it computes and reads is found.

use super::{Kind, NodeId, Region, Stage};
use lawson_hlo::index::{Affine, Atom};

/// The expressions a stage evaluates at its points.
pub fn roots_of(stage: &Stage) -> Vec<NodeId> {
    match &stage.kind {
        Kind::Map { values } => values.clone(),
        Kind::Pieces(stored) => stored.iter().flat_map(|s| &s.parts).map(|p| p.1).collect(),
        Kind::Reduce { values, inits, mask, stored, .. } => {
            let stored = stored.iter().flat_map(|s| &s.parts).map(|(_, value)| value);
            values.iter().chain(inits).chain(mask.iter()).chain(stored).copied().collect()
        }
        Kind::Contract { lhs, rhs, .. } => vec![*lhs, *rhs],
        Kind::Update { values, mask, .. } => values.iter().chain(mask.iter()).copied().collect(),
        Kind::Scan { values, inits, .. } => values.iter().chain(inits).copied().collect(),
        Kind::Sort { values, .. } => values.clone(),
        Kind::SelectAndScatter(s) => [s.operand, s.value, s.init].into_iter().chain(s.mask).collect(),
        Kind::Loop(loop_stage) => loop_stage.roots(),
    }
}

/// The same, with the run-time symbols in the offset of an update: the place where it writes may be computed by another
/// stage.
pub fn all_roots_of(region: &Region, stage: &Stage) -> Vec<NodeId> {
    let mut roots = roots_of(stage);
    if let Kind::Update { offset, .. } = &stage.kind {
        roots.extend(symbol_nodes(region, offset));
    }
    roots
}

/// The nodes of the run-time symbols in an index expression.
pub fn symbol_nodes(region: &Region, e: &Affine) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    e.visit(&mut |a| {
        if let Atom::Symbol(s) = a {
            nodes.push(region.symbols[*s as usize].node);
        }
    });
    nodes
}
