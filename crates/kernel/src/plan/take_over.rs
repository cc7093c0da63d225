//! Plans whose results are computed in the memory of inputs that the caller gives up.

use super::{Plan, Schedule};
use crate::region::in_place::in_place;
use crate::region::{Array, Region};

/// The kernel that computes results in the memory of inputs, (output, input), as far as that changes no value: the loop
/// of a map that visits each point once, on its own. None where that goes for none of them.
pub fn taken_over(region: &Region, plan: &Plan, wanted: &[(u32, u32)]) -> Option<(Region, Plan)> {
    let (mut region, mut plan) = (region.clone(), plan.clone());
    let known = region.aliases.len();
    if !region.parts.is_empty() {
        return None;
    }
    for &(output, input) in wanted {
        let (stage, _) = region.output_sources[output as usize];
        let array = |a: &Array| (a.dtype, a.elements);
        let same = array(&region.outputs[output as usize]) == array(&region.inputs[input as usize]);
        let free = region.aliases.iter().all(|a| a.0 != output && a.1 != input);
        let group = plan.groups.iter_mut().find(|g| g.stage == stage && g.epilogue.is_none());
        let Some(Schedule::Map(map)) = group.map(|g| &mut g.schedule) else { continue };
        if same && free && map.transpose.is_none() && in_place(&region, output, input) {
            map.keep_in_caches();
            region.aliases.push((output, input));
        }
    }
    region.aliases.sort_unstable();
    (region.aliases.len() > known).then_some((region, plan))
}
