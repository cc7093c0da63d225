//! Divisions by what is the same in all lanes: vectors of a map share its reciprocal, where a division takes several times as long
//! as the three operations that give the same bits ([`crate::lower::scalar`]).

use super::dependence::varying;
use super::kernel::Plan;
use super::schedule::Schedule;
use crate::region::{Node, NodeId, Region, roots_of};
use crate::target::Target;
use lawson_hlo::Opcode;

/// Lanes of a vector from which on its division is slow.
const WIDE: u32 = 4;

/// Chooses the divisions of the maps of a plan.
pub(super) fn choose(region: &Region, plan: &mut Plan, target: &Target) {
    let mut chosen = Vec::new();
    for s in plan.scheduled() {
        let (Schedule::Map(map), Some(lane)) = (s.schedule, s.lane) else { continue };
        if target.gpu.is_some() || map.lanes < WIDE {
            continue;
        }
        let all = region.reachable(&roots_of(&region.stages[s.stage as usize]));
        let divisions: Vec<(NodeId, NodeId)> =
            all.into_iter().filter_map(|id| Some((id, divisor(region, id)?))).collect();
        let divisors: Vec<NodeId> = divisions.iter().map(|d| d.1).collect();
        let change = varying(region, s.axes, &divisors, Some(lane));
        let shared = divisions.into_iter().filter(|d| !change.contains(&d.1));
        chosen.extend(shared.map(|d| (s.stage, d.0)));
    }
    plan.reciprocals = chosen;
}

/// The divisor of a division that registers do in f32, if it is no constant.
pub(super) fn divisor(region: &Region, id: NodeId) -> Option<NodeId> {
    let Node::Binary { opcode: Opcode::Divide, dtype, y, .. } = *region.node(id) else { return None };
    let single = dtype.is_float() && !dtype.is_f64();
    let known = matches!(region.node(y), Node::Constant { .. });
    (single && !known).then_some(y)
}
