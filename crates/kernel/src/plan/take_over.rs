//! Plans whose results are computed in the memory of inputs that nobody reads afterwards.

use super::{Plan, ReduceShape, Schedule};
use crate::region::in_place::in_place;
use crate::region::{Array, Region};

/// Whether an output may be computed in the memory of an input: the loop of a map or of a reduction visits each point once,
/// and reads of the input nothing but the element that it replaces.
pub fn may_take_over(region: &Region, plan: &Plan, (output, input): (u32, u32)) -> bool {
    if !region.parts.is_empty() {
        return false;
    }
    let (stage, _) = region.output_sources[output as usize];
    let array = |a: &Array| (a.dtype, a.elements);
    let same = array(&region.outputs[output as usize]) == array(&region.inputs[input as usize]);
    let free = region.aliases.iter().all(|a| a.0 != output && a.1 != input);
    let Some(group) = plan.groups.iter().find(|g| g.stage == stage) else { return false };
    let once = match &group.schedule {
        Schedule::Map(map) => map.transpose.is_none() && group.epilogue.is_none(),
        // Tiles of neighbouring columns may overlap.
        Schedule::Reduce(reduce) => reduce.shape == ReduceShape::AcrossLanes,
        _ => false,
    };
    same && free && once && in_place(region, output, input)
}

/// The kernel that computes results in the memory of inputs, (output, input), as far as that changes no value. None where it
/// goes for none of them.
pub fn taken_over(region: &Region, plan: &Plan, wanted: &[(u32, u32)]) -> Option<(Region, Plan)> {
    let (mut region, mut plan) = (region.clone(), plan.clone());
    let known = region.aliases.len();
    for &(output, input) in wanted {
        if !may_take_over(&region, &plan, (output, input)) {
            continue;
        }
        let (stage, _) = region.output_sources[output as usize];
        for group in plan.groups.iter_mut().filter(|g| g.stage == stage) {
            match &mut group.schedule {
                Schedule::Map(map) => map.keep_in_caches(),
                Schedule::Reduce(reduce) => reduce.streaming = false,
                _ => {}
            }
        }
        region.aliases.push((output, input));
    }
    region.aliases.sort_unstable();
    (region.aliases.len() > known).then_some((region, plan))
}
