//! The phases of a plan, one group after the other, or the one phase of a row nest.

use super::emit::Emit;
use super::lowering::Lowering;
use super::nest;
use super::stage::stage;
use crate::loop_ir::Buf;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::region::Region;

/// The stages in the order of the plan.
pub(super) fn lowerings<'r>(region: &'r Region, plan: &'r Plan, outputs: &'r [Buf]) -> Vec<Lowering<'r>> {
    let groups = plan.groups.iter().map(|group| Lowering::new((region, plan), group, outputs));
    let members = plan.nest.iter().flat_map(|n| n.members.iter().map(move |m| (n, m)));
    let members = members.map(|(n, m)| Lowering::member((region, plan), n, m, outputs));
    groups.chain(members).collect()
}

/// Appends the phases of a plan.
pub(super) fn lower_stages<'r>(
    cx: &mut Emit<'r>,
    lowerings: &'r [Lowering<'r>],
    plan: &'r Plan,
) -> Result<(), Refusal> {
    if let Some(nest) = &plan.nest {
        return nest::lower(cx, lowerings, nest);
    }
    for (l, group) in lowerings.iter().zip(&plan.groups) {
        let first = cx.b.phases();
        stage(cx, l, &group.schedule)?;
        if group.halves {
            cx.b.halve_vectors(first);
        }
    }
    Ok(())
}
