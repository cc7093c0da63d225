//! Rows that are no multiple of the lanes, where a tile holds them: the last vector of a row is stored to the tile whole, with room for
//! it, and loaded again as it was stored. A vector that overlapped the one before, or a shorter one, would be loaded from two stores, or
//! from a part of one, and wait until they are in the cache.

use super::{Member, Nest};
use crate::plan::loads::Loads;
use crate::plan::reduce::Shape;
use crate::plan::schedule::Schedule;
use crate::region::{Node, Region};
use crate::target::Target;
use lawson_hlo::index::Affine;

/// Makes the last vectors of rows whole in the tiles for which all members of the nest can.
pub(super) fn make(region: &Region, loads: &Loads<'_>, nest: &mut Nest, target: &Target) {
    // Only these processors have masks for the last vectors of other arrays.
    if target.gpu.is_some() || target.vector_bytes < 64 || nest.lane.is_some() || nest.block.is_some() {
        return;
    }
    for n in 0..nest.tiles.len() {
        let key = (nest.tiles[n].stage, nest.tiles[n].result);
        let elements = nest.tiles[n].elements;
        let users: Vec<usize> = (0..nest.members.len())
            .filter(|&m| {
                let stages = || nest.members[m].stages();
                stages().any(|s| s == key.0 || loads.results(s as usize).any(|(read, _)| read == key))
            })
            .collect();
        let Some(lanes) = users
            .iter()
            .map(|&m| lanes_along(&nest.members[m], elements))
            .reduce(|a, b| a.filter(|_| a == b))
            .flatten()
        else {
            continue;
        };
        let in_place = users.iter().all(|&m| reads_in_place(region, loads, &nest.members[m], key));
        if elements % lanes == 0 || elements < lanes || !in_place {
            continue;
        }
        nest.tiles[n].whole = Some(lanes);
        for &m in &users {
            if let Schedule::Map(map) = &mut nest.members[m].schedule {
                map.masked = true;
            }
        }
    }
}

/// The lanes along the one axis of a member within the row, which has so many points.
fn lanes_along(member: &Member, elements: i64) -> Option<i64> {
    let axes = &member.axes;
    let last = axes.extents.len().checked_sub(1)?;
    let free: Vec<usize> = (0..=last).filter(|a| !member.rows.contains(a) && axes.extents[*a] != 1).collect();
    let lanes = match &member.schedule {
        Schedule::Map(m) if m.lane == Some(last) && m.split.is_none() && m.inverses.is_empty() => m.lanes,
        Schedule::Reduce(r) if r.shape == Shape::AcrossLanes && axes.space == last => {
            (r.by_blocks.is_none() && r.inverses.is_empty()).then_some(r.lanes)?
        }
        _ => return None,
    };
    (free == [last] && axes.extents[last] == elements).then_some(lanes as i64)
}

/// Whether what a member loads of a result is the element at its own point.
fn reads_in_place(region: &Region, loads: &Loads<'_>, member: &Member, key: (u32, u32)) -> bool {
    let dims = &region.stages[key.0 as usize].space;
    let last = member.axes.extents.len() - 1;
    member.stages().all(|s| {
        loads.results_by_load(s as usize).filter(|&(_, read, _)| read == key).all(|(id, _, offset)| {
            let at = member.axes.index_of(&member.axes.translate(offset), dims, (region, None));
            let chosen = matches!(region.node(id), Node::Load { mask: Some(_), .. });
            !chosen
                && at
                    .iter()
                    .zip(dims)
                    .any(|(e, &n)| n == member.axes.extents[last] && *e == Affine::axis(last))
        })
    })
}
