//! The concatenation that a chain ends in, as part of its last kernel: values are stored in their places at once.
//!
//! ```text
//! p = (f32[n], f32[n]) fusion(x), calls=chain.7
//! r = f32[2,n] concatenate(p#0, p#1)               →    r = f32[2,n] fusion(x), calls=chain.7
//! ```

use super::find::{Chain, Piece};
use crate::fusion::role::Role;
use lawson_hlo::{Computation, InstrId, Opcode};

/// Adds to the last piece the concatenation that is all that needs its results, where that is `one_pass`: else each place of
/// the concatenation would be computed apart.
pub fn take_in(
    comp: &Computation,
    roles: &[Role],
    users: &[Vec<InstrId>],
    chain: &mut Chain,
    one_pass: impl Fn(&Chain, &Piece) -> bool,
) {
    let Some(last) = chain.pieces.last() else { return };
    let needed = |o: &InstrId| users[o.index()].iter().copied();
    let Some(end) = last.outputs.iter().flat_map(needed).next() else { return };
    let alone = last.outputs.iter().all(|o| *o != comp.root && needed(o).all(|user| user == end));
    let is_end = comp[end].opcode == Opcode::Concatenate && roles[end.index()] == Role::Map;
    let made = |o: &InstrId| chain.pieces.iter().any(|p| p.members.contains(o));
    if !alone || !is_end || !comp[end].operands.iter().all(made) {
        return;
    }
    let members = last.members.iter().copied().chain([end]).collect();
    let piece = Piece { members, outputs: vec![end] };
    if one_pass(chain, &piece) {
        chain.pieces.pop();
        chain.pieces.push(piece);
    }
}
