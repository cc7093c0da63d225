//! The loads of each stage of a region, found once for all that ask while a row nest is planned.

use crate::region::{Node, NodeId, Region, Source, roots_of};
use lawson_hlo::index::{Affine, Space};

/// The loads of each stage, in the order of the nodes.
pub(super) struct Loads<'r> {
    region: &'r Region,
    of: Vec<Vec<NodeId>>,
}

impl<'r> Loads<'r> {
    pub fn of(region: &'r Region) -> Loads<'r> {
        Loads { region, of: region.stages.iter().map(|s| region.loads(&roots_of(s))).collect() }
    }

    /// What a stage loads, and where.
    fn all(&self, stage: usize) -> impl Iterator<Item = (NodeId, Source, &'r Affine)> + '_ {
        let load = |&id: &NodeId| match self.region.node(id) {
            Node::Load { source, offset, .. } => Some((id, *source, offset)),
            _ => None,
        };
        self.of[stage].iter().filter_map(load)
    }

    /// What a stage loads of inputs.
    pub fn inputs(&self, stage: usize) -> impl Iterator<Item = (u32, NodeId, &'r Affine)> + '_ {
        self.all(stage).filter_map(|(id, source, offset)| match source {
            Source::Input(n) => Some((n, id, offset)),
            _ => None,
        })
    }

    /// What a stage loads of the results of others.
    pub fn results(&self, stage: usize) -> impl Iterator<Item = ((u32, u32), &'r Affine)> + '_ {
        self.results_by_load(stage).map(|(_, source, offset)| (source, offset))
    }

    /// The same, with the load.
    pub fn results_by_load(
        &self,
        stage: usize,
    ) -> impl Iterator<Item = (NodeId, (u32, u32), &'r Affine)> + '_ {
        self.all(stage).filter_map(|(id, source, offset)| match source {
            Source::Stage { stage, output } => Some((id, (stage, output), offset)),
            _ => None,
        })
    }

    /// The points of a space at which a load reads: its mask may say between which values of an axis.
    pub fn space_of(&self, load: NodeId, space: &Space) -> Space {
        let mut space = space.clone();
        if let Node::Load { mask: Some(mask), .. } = self.region.node(load) {
            self.region.clip(*mask, &mut space, &Affine::clone);
        }
        space
    }
}
