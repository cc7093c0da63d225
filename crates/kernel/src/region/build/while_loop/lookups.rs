//! Arrays that a loop around has in the registers of a lane and of which each trip of a loop within takes the element at another
//! place: before the loop they are written to an array of the lane's own, since a choice among many registers takes one select for
//! each.

use super::parts::Parts;
use super::points::{FEW_ELEMENTS, MAX_ELEMENTS, components};
use super::scopes::body;
use super::state::Role;
use lawson_hlo::{InstrId, Opcode};
use rustc_hash::FxHashSet;

/// Whether an element of the state that no trip of loop `n` changes is such an array, of so many elements for each lane. `roles` are
/// those of the loops before.
pub(super) fn is_table(
    parts: &Parts<'_>,
    roles: &[Vec<Role>],
    (n, element): (usize, usize),
    elements: i64,
) -> bool {
    n > 0
        && (FEW_ELEMENTS + 1..=MAX_ELEMENTS).contains(&elements)
        && is_looked_up(parts, (n, element))
        && rests_on_registers(parts, roles, (parts.loops[n].scope, parts.loops[n].inits[element]))
}

/// Whether the body takes elements of it whose places it computes.
fn is_looked_up(parts: &Parts<'_>, (n, element): (usize, usize)) -> bool {
    let comp = parts.comp(body(n));
    comp.iter().any(|(_, i)| {
        matches!(i.opcode, Opcode::DynamicSlice | Opcode::Gather)
            && parts.element_read(body(n), i.operands[0]) == Some((n, element))
    })
}

/// Whether a value rests on more registers of one array than are chosen among by selects.
fn rests_on_registers(parts: &Parts<'_>, roles: &[Vec<Role>], value: (usize, InstrId)) -> bool {
    let mut seen = FxHashSet::default();
    let mut left = vec![value];
    while let Some((scope, id)) = left.pop() {
        if !seen.insert((scope, id)) || !parts.depends(scope)[id.index()] {
            continue;
        }
        let Some((l, element)) = parts.element_read(scope, id) else {
            left.extend(parts.comp(scope)[id].operands.iter().map(|&o| (scope, o)));
            continue;
        };
        match roles.get(l).map(|of| &of[element]) {
            Some(Role::Instances { dims, axes, .. }) if components(dims, axes) > FEW_ELEMENTS => return true,
            Some(Role::Invariant(init)) => left.push((parts.loops[l].scope, *init)),
            _ => {}
        }
    }
    false
}
