//! Which updates may be computed in the memory of the array that they update.

use super::{Kind, Node, NodeId, Region, Source, Stage, all_roots_of};
use lawson_hlo::index::{Affine, linearize};
use rustc_hash::FxHashSet;

/// Whether output `output`, which starts as a copy of input `input`, may be that very memory: the region reads
/// nothing else of the input than each element where it is about to be replaced, once.
pub fn in_place(region: &Region, output: u32, input: u32) -> bool {
    let (stage, result) = region.output_sources[output as usize];
    let made = &region.stages[stage as usize];
    let loads =
        |id: &NodeId| matches!(region.node(*id), Node::Load { source: Source::Input(i), .. } if *i == input);
    let (offsets, unique) = match (&made.kind, made.stored_as(result as usize)) {
        (Kind::Update { offset, unique, .. }, _) => (vec![offset.clone()], *unique),
        (Kind::Map { .. }, _) => (vec![position(made)], true),
        // What it starts from is read after the elements.
        (Kind::Reduce { inits, .. }, Some(stored)) if !region.reachable(inits).iter().any(loads) => {
            (stored.parts.iter().map(|(position, _)| position.clone()).collect(), true)
        }
        // A point reads all that it replaces before it writes.
        (Kind::Pieces(_), Some(stored)) => {
            (stored.parts.iter().map(|(position, _)| position.clone()).collect(), true)
        }
        _ => return false,
    };
    region.stages.iter().enumerate().all(|(n, s)| {
        reads(region, s).into_iter().all(|id| match region.node(id) {
            Node::Load { source: Source::Input(i), offset: read, .. } if *i == input => {
                unique && n as u32 == stage && offsets.contains(read)
            }
            _ => true,
        })
    })
}

/// Where the results of a map go.
fn position(stage: &Stage) -> Affine {
    let point: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
    linearize(&point, &stage.space)
}

/// The inputs whose memory their results take over, with the results: (output, input).
pub fn shared(region: &Region) -> Vec<(u32, u32)> {
    if !region.parts.is_empty() {
        return Vec::new();
    }
    let mut taken = FxHashSet::default();
    let once = region.aliases.iter().filter(|&&(_, input)| taken.insert(input));
    once.copied().filter(|&(output, input)| in_place(region, output, input)).collect()
}

/// Whether a stage reads the array that it updates in place, so that no element may be computed twice.
pub fn reads_its_target(region: &Region, stage: u32) -> bool {
    let nodes = reads(region, &region.stages[stage as usize]);
    let loads = |input: u32| {
        let of_input = |id: &NodeId| matches!(region.node(*id), Node::Load { source: Source::Input(i), .. } if *i == input);
        nodes.iter().any(of_input)
    };
    shared(region).into_iter().any(|(o, input)| region.output_sources[o as usize].0 == stage && loads(input))
}

/// Everything a stage evaluates, positions included.
fn reads(region: &Region, stage: &Stage) -> Vec<NodeId> {
    region.reachable(&all_roots_of(region, stage))
}
