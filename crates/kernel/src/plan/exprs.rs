//! What the loops of a stage evaluate: index expressions, from which its loop axes are made, and reads of other stages.

use super::Axes;
use crate::region::{Kind, LoopStage, Node, Region, Source, Stage, all_roots_of, roots_of};
use lawson_hlo::index::{Affine, linearize};

/// Every index expression that the loops of a group evaluate.
pub(super) fn exprs_of(region: &Region, stage: &Stage, epilogue: Option<&Stage>) -> Vec<Affine> {
    let mut roots = all_roots_of(region, stage);
    roots.extend(epilogue.map(roots_of).unwrap_or_default());
    let mut exprs = Vec::new();
    match &stage.kind {
        Kind::Update { offset, .. } => exprs.push(offset.clone()),
        Kind::Sort { position, .. } | Kind::Scan { position, .. } => exprs.push(position.clone()),
        Kind::SelectAndScatter(s) => exprs.push(s.offset.clone()),
        Kind::Pieces(stored) => {
            exprs.extend(stored.iter().flat_map(|s| &s.parts).map(|(position, _)| position.clone()));
        }
        Kind::Loop(loop_stage) => {
            exprs.extend(loop_stage.all(region).flat_map(LoopStage::elements).map(|e| e.offset.clone()))
        }
        _ => {
            let index: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
            exprs.push(linearize(&index, &stage.space));
            exprs.extend(stage.stored().iter().flat_map(|s| &s.parts).map(|(position, _)| position.clone()));
        }
    }
    for id in region.reachable(&roots) {
        if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } =
            region.node(id)
            // Most loads are of the element that is written, or of that of the load before.
            && exprs.first() != Some(e)
            && exprs.last() != Some(e)
        {
            exprs.push(e.clone());
        }
    }
    exprs
}

/// Stage results that a group of a stage and perhaps a map of its results reads, and does not make.
pub(super) fn memory_reads(region: &Region, group: u32, epilogue: Option<u32>) -> Vec<(u32, u32)> {
    let mut roots = all_roots_of(region, &region.stages[group as usize]);
    if let Some(e) = epilogue {
        roots.extend(roots_of(&region.stages[e as usize]));
    }
    let mut out = Vec::new();
    for id in region.reachable(&roots) {
        if let Node::Load { source: Source::Stage { stage, output }, .. } = region.node(id)
            && *stage != group
            && !out.contains(&(*stage, *output))
        {
            out.push((*stage, *output));
        }
    }
    out
}

/// Whether some stage reads this result.
pub(super) fn is_read(region: &Region, (stage, output): (u32, u32)) -> bool {
    let source = Source::Stage { stage, output };
    region.nodes.iter().any(|n| matches!(n, Node::Load { source: s, .. } if *s == source))
}

/// Whether a stage is a map that others read, for which its results are kept.
pub(super) fn is_kept(region: &Region, s: u32) -> bool {
    let stage = &region.stages[s as usize];
    let is_map = matches!(stage.kind, Kind::Map { .. });
    is_map && (0..stage.results.len()).any(|n| is_read(region, (s, n as u32)))
}

/// The loop axes of a stage that has no epilogue.
pub(super) fn loops_of(region: &Region, stage: &Stage) -> Axes {
    Axes::new(region, &stage.space, &stage.inner, &exprs_of(region, stage, None))
}
