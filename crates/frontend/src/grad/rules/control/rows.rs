//! Reads and writes of an array in a loop that touch another part of it in each trip: what `scan` makes of xs and ys.
//!
//! The cotangent of such a part is that of one trip: nothing is summed over trips, and nothing is zeroed that was read.

use super::affine::Trip;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Opcode};

/// The dynamic-slices by which alone a body reads a parameter, if they read the same part, another one in each trip.
pub(super) fn reads(trip: &Trip<'_>, parameter: InstrId) -> Option<Vec<InstrId>> {
    let users = users(trip.comp, parameter);
    let first = &trip.comp[*users.first()?];
    let Attrs::DynamicSlice(sizes) = &first.attrs else { return None };
    let alike = |id: &InstrId| {
        let user = &trip.comp[*id];
        user.attrs == first.attrs && user.operands == first.operands
    };
    (users.iter().all(alike) && moves(trip, first, 1, sizes)).then_some(users)
}

/// The dynamic-update-slice by which alone a body changes a leaf of its state, if it is all that the leaf is for and
/// writes another part in each trip; `result` is what the leaf becomes.
pub(super) fn write(trip: &Trip<'_>, parameter: InstrId, result: InstrId) -> Option<InstrId> {
    let write = &trip.comp[result];
    let is_write = write.opcode == Opcode::DynamicUpdateSlice && write.operands[0] == parameter;
    let used_once = write.operands[1..].iter().all(|&o| o != parameter);
    let alone = is_write && used_once && users(trip.comp, parameter) == [result];
    let root = &trip.comp[trip.comp.root];
    let leaves_once = root.operands.iter().filter(|&&o| o == result).count() == 1;
    let stays = users(trip.comp, result).is_empty() && leaves_once;
    if !alone || !stays {
        return None;
    }
    let sizes = &trip.comp[write.operands[1]].shape.as_array()?.dims;
    moves(trip, write, 2, sizes).then_some(result)
}

/// Those that read a value, but for the result.
fn users(comp: &Computation, id: InstrId) -> Vec<InstrId> {
    let reads = |(user, instr): (InstrId, &Instruction)| {
        (user != comp.root && instr.operands.contains(&id)).then_some(user)
    };
    comp.iter().filter_map(reads).collect()
}

/// Whether the part that begins at the scalar operands from `first` on lies inside, disjoint from those of other trips.
fn moves(trip: &Trip<'_>, instr: &Instruction, first: usize, sizes: &[i64]) -> bool {
    let Some(extents) = trip.comp[instr.operands[0]].shape.as_array().map(|s| &s.dims) else { return false };
    let indices = &instr.operands[first..];
    if indices.len() != extents.len() {
        return false;
    }
    let mut moving = 0;
    for ((&index, &size), &extent) in indices.iter().zip(sizes).zip(extents) {
        if size == extent {
            continue;
        }
        let Some(affine) = trip.affine(index) else { return false };
        let Some((low, high)) = trip.range(affine) else { return false };
        if low < 0 || high > extent - size {
            return false;
        }
        moving += usize::from(affine.scale.unsigned_abs() >= size.unsigned_abs() && size > 0);
    }
    moving > 0 || trip.trips == 1
}
